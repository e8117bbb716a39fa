package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// Capacity compares the needs of a rollout with the free slots of its cluster, with many seeds: pods of other seeds stop and start at other
// moments, so that another number of them is there at once.
type Capacity struct {
	CPU, Memory int64 // that one pod requests: thousandths of a cpu, bytes

	Free                *Seeds // with room for everything, and no quota
	Extra               int    // the most free slots that a seed takes then: pods beyond the desired ones, terminating ones included
	Pods                int    // the most pods of a seed
	PeakCPU, PeakMemory int64  // the most that they request

	Own     *Seeds // on the nodes of the text, with its quotas
	Assumed int    // how many nodes without limits are assumed there, 0 if the text describes nodes
	Slots   int    // slots that are free there when the rollout begins, the fewest of all seeds; -1 if there is no limit
	Waits   []Wait // of each own seed
}

// Wait is the first moment at which a pod has to wait for a slot.
type Wait struct {
	At    int64  // in ms
	After int64  // ms since the rollout began
	For   string // the message of the scheduler at that moment, "" if no pod waits
}

// Pool runs n independent pieces of work, and gives each worker a library.
type Pool func(n int, run func(i int, library *scenario.Library))

// freeNodes is the number of nodes without limits if the text describes no nodes.
const freeNodes = 3

// ErrStuck is the error for a rollout that needs something else than room, ErrUnknown that for one whose end is not known.
var (
	ErrStuck   = errors.New("even with room for everything, the rollout does not finish")
	ErrUnknown = errors.New("what the rollout needs is not known")
)

// Capacity measures the needs of the rollout with n seeds. It plays each of them twice.
func (p *Plan) Capacity(pool Pool, n int) (*Capacity, error) {
	c, library := &Capacity{Waits: make([]Wait, n)}, new(scenario.Library)
	var err error
	if c.Own, err = p.NewSeeds(n); err != nil {
		return nil, err
	}
	has, assumed := p.Nodes(library)
	if assumed {
		c.Assumed = has
	}
	own := p.resolve(library, p.Recording.Scenario)
	for _, nodes := range []int{has, min(max(has, 2*own.desired+own.surge), limits.Nodes)} { // pods may have to be on different nodes
		text, err := p.unlimited(nodes)
		if err == nil {
			c.Free, err = p.seedsOf(text, n)
		}
		if err != nil {
			return nil, err
		}
		pool(n, c.Free.Run)
		if err = c.Free.unknown(); err != nil {
			return nil, err
		}
		if c.Free.Outcomes[c.Free.Worst()].Problem != NoRoom {
			break
		}
	}
	for i := range n {
		o := &c.Free.Outcomes[i]
		if o.Problem != Fine {
			return nil, fmt.Errorf("%w: %s", ErrStuck, o.Reason)
		}
		x := &o.Rollout
		c.Extra, c.Pods = max(c.Extra, x.PeakPods-x.LowestOf), max(c.Pods, x.PeakPods)
		c.PeakCPU, c.PeakMemory = max(c.PeakCPU, x.PeakCPU), max(c.PeakMemory, x.PeakMemory)
	}
	room := make([]int, n)
	pool(n, func(i int, library *scenario.Library) { room[i] = c.play(i, library) })
	c.Slots = slices.Min(room)
	return c, c.Own.unknown()
}

// unknown returns an error if the end of a seed is not known.
func (s *Seeds) unknown() error {
	for i := range s.Outcomes {
		switch o := &s.Outcomes[i]; o.Problem {
		case Late:
			return fmt.Errorf("%w: it does not finish within 24 h: %s", ErrUnknown, o.Reason)
		case Unknown:
			return fmt.Errorf("%w: %s", ErrUnknown, o.Reason)
		}
	}
	return nil
}

// Wait returns the wait of the worst seed, or else of another one.
func (c *Capacity) Wait() Wait {
	i := c.Own.Worst()
	if c.Waits[i].For == "" {
		i = max(0, slices.IndexFunc(c.Waits, func(w Wait) bool { return w.For != "" }))
	}
	return c.Waits[i]
}

// Waiting returns how many seeds have a pod that waits for a slot.
func (c *Capacity) Waiting() (n int) {
	for _, w := range c.Waits {
		n += truth(w.For != "")
	}
	return n
}

// Nodes returns how many nodes the text has, and whether they are assumed because it says nothing of them.
func (p *Plan) Nodes(library *scenario.Library) (count int, assumed bool) {
	s, _ := library.Read(p.Recording.Scenario).Scenario()
	if s == nil {
		return freeNodes, false
	}
	says := func(d *yamltext.Document) bool {
		return d != nil && (d.At([]string{"spec", "nodes"}) != nil || d.At([]string{"spec", "nodeGroups"}) != nil)
	}
	own := nodesOf(s)
	assumed = len(own) == len(s.Nodes) && !says(scenario.SpecDocument(p.Recording.Scenario))
	return cmp.Or(len(own), freeNodes), assumed
}

// nodesOf returns the nodes of a text, which are assumed if it has none.
func nodesOf(s *scenario.Scenario) []*api.Node {
	list := slices.Clone(s.Nodes)
	for _, m := range s.Objects {
		if n, ok := m.Object.(*api.Node); ok {
			list = append(list, n)
		}
	}
	return list
}

// unlimited returns the text with some nodes that have room for everything, and without quotas.
func (p *Plan) unlimited(nodes int) (string, error) {
	text, err := dropKind(p.Recording.Scenario, "ResourceQuota")
	if err != nil {
		return "", err
	}
	return withNodes(text, nodes, nil)
}

// play plays the i-th seed on the nodes of the text. It reads the requests of one pod, the moment at which the first one waits, and returns
// the free slots at the beginning of the rollout.
func (c *Capacity) play(i int, library *scenario.Library) (room int) {
	p := c.Own.Plan
	o, r := p.measure(library, c.Own.text.Text(i), math.MaxInt64)
	c.Own.Outcomes[i] = o
	if r == nil {
		return -1
	}
	view, start := r.Past(), o.Rollout.Record
	if o.Rollout.Workload == "" {
		start = r.Len() - 1 // it does not even begin
	}
	w := view.ObjectAt(p.key, start)
	if w == nil {
		return -1
	}
	spec := api.TemplateOf(w).Spec
	if i == 0 {
		cpu, memory := spec.Requests("cpu"), spec.Requests("memory")
		c.CPU, c.Memory = cpu.Milli(), memory.Value()
	}
	records := view.Records()
	for k := start; k < len(records) && records[k].At <= o.Rollout.End; k++ {
		if rec := records[k]; rec.Reason == "FailedScheduling" && forecast.OwnerOf(view, rec.Object, k) == p.Workload {
			c.Waits[i] = Wait{rec.At, rec.At - o.Rollout.Start, rec.What}
			break
		}
	}
	return slots(view, start, spec)
}

// slots counts how many more pods of a spec fit by their requests on the nodes that they may use, -1 if there is no limit.
func slots(view *past.Past, record int, spec *api.PodSpec) (n int) {
	used, need := view.Used(record), spec.Needs()
	for _, o := range view.Objects(api.KindNode, record) {
		node := o.(*api.Node)
		if node.Spec.Unschedulable || !spec.MatchesNode(node) || kept(spec, node) {
			continue
		}
		fit := int64(-1)
		for i, name := range sizeNames {
			q, limited := node.Status.Allocatable[name]
			if !limited || need[i] == 0 {
				continue
			}
			have := amountOf(name, q) - used[node.Name][i]
			if room := max(0, have) / need[i]; fit < 0 || room < fit {
				fit = room
			}
		}
		if fit < 0 {
			return -1
		}
		n += int(fit)
	}
	return n
}

// kept says whether a taint keeps the pods of a spec from a node.
func kept(spec *api.PodSpec, n *api.Node) bool {
	return slices.ContainsFunc(n.Spec.Taints, func(t api.Taint) bool {
		return t.Effect != "PreferNoSchedule" && !api.Tolerated(spec.Tolerations, &t)
	})
}

// amountOf is an amount of a resource in the same unit.
func amountOf(name string, q api.Quantity) int64 {
	if name == "cpu" {
		return q.Milli()
	}
	return q.Value()
}

// Fleet is the smallest number of equal nodes for a rollout.
type Fleet struct {
	Size   Size
	Fewest int    // nodes with which it finishes; 0 if nodesMost are not enough
	Seeds  *Seeds // with them, nil without
	Fast   int    // nodes with which it is usually as fast as with room for everything; 0 if nodesMost are not enough
	Reason string // why one node less is not enough, or why no number is
}

// nodesMost is the largest number of nodes that a search tries.
const nodesMost = 300

// Slack is the difference in ms within which two rollouts count as equally fast: with other nodes,
// images are pulled at other moments.
const Slack = 1500

// Fleet searches for the fewest nodes of a size with which every seed of a capacity finishes. The number is increased one by one, because
// more nodes are not always better: pods spread differently over them.
func (p *Plan) Fleet(pool Pool, size Size, free *Seeds) (*Fleet, error) {
	f := &Fleet{Size: size}
	usual := free.Durations().P50
	for n := p.atLeast(new(scenario.Library), size); n <= nodesMost; n++ {
		text, err := withNodes(p.Recording.Scenario, n, size)
		if err != nil {
			return nil, err
		}
		seeds, err := p.seedsOf(text, len(free.Outcomes))
		if err != nil {
			return nil, err
		}
		pool(1, seeds.Run) // mostly, what the first seed finds too few is
		if seeds.Outcomes[0].Problem == Fine {
			pool(len(seeds.Outcomes)-1, func(i int, library *scenario.Library) { seeds.Run(i+1, library) })
		}
		if o := seeds.Outcomes[seeds.Worst()]; o.Problem != Fine {
			if f.Reason = o.Reason; o.Problem != NoRoom {
				return f, nil // more nodes do not help
			}
			continue
		}
		if f.Fewest == 0 {
			f.Fewest, f.Seeds = n, seeds
		}
		if seeds.Durations().P50 <= usual+Slack {
			f.Fast = n
			return f, nil
		}
		if n > 2*f.Fewest+freeNodes {
			return f, nil // room is not the reason
		}
	}
	return f, nil
}

// atLeast returns how many nodes the desired pods of the workload need by the sum of their requests; fewer are not tried.
func (p *Plan) atLeast(library *scenario.Library, size Size) int {
	s, _ := library.Read(p.Recording.Scenario).Scenario()
	if s == nil {
		return 1
	}
	w, ok := s.Object(p.key).(api.Scalable)
	if !ok {
		return 1
	}
	nodes := int64(1)
	for i, amount := range w.Template().Spec.Needs() {
		q, limited := size[sizeNames[i]]
		if !limited {
			continue
		}
		have := amountOf(sizeNames[i], q)
		if amount > have {
			return nodesMost // no number is enough; one try finds the reason
		}
		nodes = max(nodes, (amount*int64(w.Replicas())+have-1)/have)
	}
	return int(min(nodes, nodesMost))
}

// Size holds the resources of a node. A missing resource is not limited.
type Size map[string]api.Quantity

// ParseSize reads cpu=4,memory=8Gi,pods=110.
func ParseSize(s string) (Size, error) {
	size := Size{}
	for _, pair := range strings.Split(s, ",") {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || !slices.Contains(sizeNames, name) {
			return nil, fmt.Errorf("%q is no size of a node: write cpu=4,memory=8Gi,pods=110", s)
		}
		q, err := api.ParseQuantity(value)
		if err != nil || q.Cmp(api.Quantity{}) <= 0 {
			return nil, fmt.Errorf("%s=%s is no amount", name, value)
		}
		size[name] = q
	}
	return size, nil
}

var sizeNames = []string{"cpu", "memory", "pods"}

// String writes a size as ParseSize reads it.
func (s Size) String() string {
	var list []string
	for _, name := range sizeNames {
		if q, ok := s[name]; ok {
			list = append(list, name+"="+q.String())
		}
	}
	return strings.Join(list, ",")
}

// withNodes returns the text with equal nodes in place of its own, in the same zones and with the labels that its pods select.
func withNodes(source string, count int, size Size) (string, error) {
	text, err := dropKind(source, "Node")
	if err == nil {
		text, err = scenario.DropSpec(text, "nodeGroups")
	}
	if err != nil {
		return "", err
	}
	equal := make([]*api.Node, count)
	for i := range equal {
		equal[i] = &api.Node{}
	}
	if s, _ := scenario.Parse(source); s != nil {
		own := nodesOf(s)
		for i := range equal {
			if len(own) > 0 {
				scenario.SetZone(equal[i], own[i%len(own)].Labels[api.ZoneLabel])
			}
		}
		scenario.FitNodes(equal, s.Objects)
	}
	nodes := make([]string, count)
	for i := range nodes {
		nodes[i] = "{name: node-" + strconv.Itoa(i+1)
		for _, name := range sizeNames {
			if q, ok := size[name]; ok {
				nodes[i] += ", " + name + ": " + strconv.Quote(q.String())
			}
		}
		labels := ""
		for _, k := range slices.Sorted(maps.Keys(equal[i].Labels)) {
			labels += strconv.Quote(k) + ": " + strconv.Quote(equal[i].Labels[k]) + ", "
		}
		if labels != "" {
			nodes[i] += ", labels: {" + strings.TrimSuffix(labels, ", ") + "}"
		}
		nodes[i] += "}"
	}
	return scenario.SetSpec(text, []string{"nodes"}, "["+strings.Join(nodes, ", ")+"]")
}
