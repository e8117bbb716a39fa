package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Capacity compares the needs of a rollout with the free slots of its cluster.
type Capacity struct {
	CPU, Memory int64 // that one pod requests: thousandths of a cpu, bytes

	Free  Outcome // with room for everything, and no quota
	Extra int     // the free slots that it takes then: pods beyond the desired ones, terminating ones included

	Own      Outcome // on the nodes of the text, with its quotas
	Slots    int     // slots that are free there when it begins; -1 if there is no limit
	Waits    bool    // a pod has to wait for a slot
	WaitsAt  int64   // the first moment
	WaitsFor string  // the message of the scheduler at that moment
}

// freeNodes is the number of nodes without limits if the text describes no nodes.
const freeNodes = 3

// ErrStuck is the error for a rollout that needs something else than room.
var ErrStuck = errors.New("even with room for everything, the rollout does not finish")

// Capacity measures the needs of the rollout. It plays it twice.
func (p *Plan) Capacity(library *scenario.Library) (*Capacity, error) {
	text, err := p.unlimited(library)
	if err != nil {
		return nil, err
	}
	c := &Capacity{Free: p.Measure(library, text), Slots: -1}
	if c.Free.Problem == Unknown {
		return nil, errors.New(c.Free.Reason)
	}
	if c.Free.Problem != Fine {
		return nil, fmt.Errorf("%w: %s", ErrStuck, c.Free.Reason)
	}
	c.Extra = c.Free.Rollout.PeakPods - c.Free.Rollout.LowestOf
	c.Own = p.Measure(library, p.Recording.Scenario)
	if r, _ := engine.StartIn(library, c.Own.Recording); r != nil {
		c.look(p, r.Finish())
	}
	return c, nil
}

// unlimited returns the text with nodes that have room for everything, and without quotas.
func (p *Plan) unlimited(library *scenario.Library) (string, error) {
	text, err := dropKind(p.Recording.Scenario, "ResourceQuota")
	if err != nil {
		return "", err
	}
	count := 0
	if s, _ := library.Read(p.Recording.Scenario).Scenario(); s != nil {
		count = len(s.Nodes)
		for _, m := range s.Objects {
			if m.Object.Key().Kind == api.KindNode {
				count++
			}
		}
	}
	return withNodes(text, cmp.Or(count, freeNodes), nil)
}

// look reads the requests of one pod, the free slots at the beginning of the rollout, and the moment at which it first waits.
func (c *Capacity) look(p *Plan, r *engine.Run) {
	view, start := r.Past(), c.Own.Rollout.Record
	if c.Own.Rollout.Workload == "" {
		start = r.Len() - 1 // it does not even begin
	}
	o := view.ObjectAt(p.key, start)
	if o == nil {
		return
	}
	spec := api.TemplateOf(o).Spec
	cpu, memory := spec.Requests("cpu"), spec.Requests("memory")
	c.CPU, c.Memory = cpu.Milli(), memory.Value()
	c.Slots = slots(view, start, spec)
	records := view.Records()
	for i := start; i < len(records) && records[i].At <= c.Own.Rollout.End; i++ {
		if rec := records[i]; rec.Reason == "FailedScheduling" && ownedBy(view, rec.Object, i, p.Workload) {
			c.Waits, c.WaitsAt, c.WaitsFor = true, rec.At, rec.What
			return
		}
	}
}

// ownedBy reports whether a pod belongs to a workload after a record.
func ownedBy(view *past.Past, pod api.Key, record int, workload string) bool {
	o := view.ObjectAt(pod, record)
	if o == nil {
		return false
	}
	owner := o.Meta().ControllerKey()
	if rs, ok := view.ObjectAt(owner, record).(*api.ReplicaSet); ok {
		owner = rs.ControllerKey()
	}
	return owner.String() == workload
}

// slots counts how many more pods of a spec fit by their requests on the nodes that they may use, -1 if there is no limit.
func slots(view *past.Past, record int, spec *api.PodSpec) (n int) {
	used, need := view.Used(record), spec.Needs()
	for _, o := range view.Objects(api.KindNode, record) {
		node := o.(*api.Node)
		if node.Spec.Unschedulable || !spec.MatchesNode(node) {
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

// amountOf is an amount of a resource in the same unit.
func amountOf(name string, q api.Quantity) int64 {
	if name == "cpu" {
		return q.Milli()
	}
	return q.Value()
}

// Fleet is the smallest number of equal nodes for a rollout.
type Fleet struct {
	Size    Size
	Fewest  int     // nodes with which it finishes; 0 if nodesMost are not enough
	Outcome Outcome // with them
	Fast    int     // nodes with which it is as fast as with room for everything; 0 if nodesMost are not enough
	Reason  string  // why one node less is not enough, or why no number is
}

// nodesMost is the largest number of nodes that a search tries.
const nodesMost = 300

// slack is the difference in ms within which two rollouts count as equally fast: with other nodes,
// images are pulled at other moments.
const slack = 1500

// Fleet searches for the fewest nodes of a size. The number is increased one by one, because more nodes are not always better:
// pods spread differently over them.
func (p *Plan) Fleet(library *scenario.Library, size Size, free *forecast.Rollout) (*Fleet, error) {
	f := &Fleet{Size: size}
	for n := p.atLeast(library, size); n <= nodesMost; n++ {
		text, err := withNodes(p.Recording.Scenario, n, size)
		if err != nil {
			return nil, err
		}
		o := p.Measure(library, text)
		if o.Problem != Fine {
			if f.Reason = o.Reason; o.Problem != NoRoom {
				return f, nil // more nodes do not help
			}
			continue
		}
		if f.Fewest == 0 {
			f.Fewest, f.Outcome = n, o
		}
		if o.Rollout.Duration() <= free.Duration()+slack {
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

// withNodes returns the text with equal nodes in place of its own, with the labels that its pods select.
func withNodes(source string, count int, size Size) (string, error) {
	text, err := dropKind(source, "Node")
	if err == nil {
		text, err = scenario.DropSpec(text, "nodeGroups")
	}
	if err != nil {
		return "", err
	}
	labels := ""
	if s, _ := scenario.Parse(source); s != nil {
		n := []*api.Node{{}}
		scenario.FitNodes(n, s.Objects)
		for _, k := range slices.Sorted(maps.Keys(n[0].Labels)) {
			labels += strconv.Quote(k) + ": " + strconv.Quote(n[0].Labels[k]) + ", "
		}
	}
	nodes := make([]string, count)
	for i := range nodes {
		nodes[i] = "{name: node-" + strconv.Itoa(i+1)
		for _, name := range sizeNames {
			if q, ok := size[name]; ok {
				nodes[i] += ", " + name + ": " + strconv.Quote(q.String())
			}
		}
		if labels != "" {
			nodes[i] += ", labels: {" + strings.TrimSuffix(labels, ", ") + "}"
		}
		nodes[i] += "}"
	}
	return scenario.SetSpec(text, []string{"nodes"}, "["+strings.Join(nodes, ", ")+"]")
}
