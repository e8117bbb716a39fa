package scheduler

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// ledger keeps the resources of every node, and how much of them its pods use. It answers to upstream's cache of NodeInfos
// (pkg/scheduler/backend/cache, framework/types.go).
type ledger struct {
	existing []*node // the existing ones, by name if sorted; see nodes
	sorted   bool
	byName   map[string]*node
	pods     map[api.Key]*claim
	owners   map[string]*owner // by UID
	fit      []*node           // of the last pod; only kept to be used again
	groups
	topologies map[string]*topology // by the node label
}

// node is a node with its sums. It stays in byName after its deletion, since its pods still count.
type node struct {
	object    *api.Node // as last seen
	id        int       // its index in an owner's pods
	present   bool
	has, used amounts
	wanted    amounts        // by its pods, see wants
	room      amounts        // of cpu and memory, for the scores
	taints    []api.Taint    // those that keep pods away
	ports     []api.HostPort // used by its pods
	bound     string         // the text of a binding's record
}

// amounts are what api.PodSpec.Needs has: cpu in thousandths of a core, memory in bytes, and a number of pods. For a node, 0 means no
// limit [X].
type amounts [3]int64

const cpu, memory, podCount = 0, 1, 2

// claim is a pod's share of a node.
type claim struct {
	pod   *api.Pod // as last seen
	node  *node
	owner *owner // nil without one
	group *group
	takes amounts
	wants amounts
}

// owner counts the pods of a controller, on each node, that are not terminating.
type owner struct{ pods []int }

func newLedger() ledger {
	return ledger{byName: map[string]*node{}, pods: map[api.Key]*claim{}, owners: map[string]*owner{}, topologies: map[string]*topology{}}
}

// on returns the number of pods on a node.
func (s *owner) on(n *node) int {
	if s == nil || n.id >= len(s.pods) {
		return 0
	}
	return s.pods[n.id]
}

func (s *owner) add(n *node, d int) {
	if s == nil {
		return
	}
	for n.id >= len(s.pods) {
		s.pods = append(s.pods, 0)
	}
	s.pods[n.id] += d
}

// node returns a node by name, which need not exist yet.
func (l *ledger) node(name string) *node {
	n := l.byName[name]
	if n == nil {
		n = &node{object: &api.Node{ObjectMeta: api.ObjectMeta{Name: name}}, id: len(l.byName), bound: "bound to " + name}
		l.byName[name] = n
	}
	return n
}

// setNode adds or updates a node.
func (l *ledger) setNode(o *api.Node) {
	n := l.node(o.Name)
	if !n.present || !maps.Equal(n.object.Labels, o.Labels) {
		l.forgetDomains()
	}
	n.object, n.taints = o, keepingAway(o.Spec.Taints)
	a := o.Status.Allocatable
	n.has = amounts{a["cpu"].Milli(), a["memory"].Value(), a["pods"].Value()}
	n.room = amounts{cmp.Or(n.has[cpu], standardPods*standardCPU.Milli()), cmp.Or(n.has[memory], standardPods*standardMemory.Value()), 0}
	if !n.present {
		n.present = true
		l.existing, l.sorted = append(l.existing, n), false
	}
}

// nodes returns the existing nodes by name. It sorts them only when they are needed: thousands may come in the same millisecond.
func (l *ledger) nodes() []*node {
	if !l.sorted {
		slices.SortFunc(l.existing, func(a, b *node) int { return strings.Compare(a.object.Name, b.object.Name) })
		l.sorted = true
	}
	return l.existing
}

// removeNode removes a node.
func (l *ledger) removeNode(name string) {
	n := l.node(name)
	if n.present {
		n.present = false
		l.forgetDomains()
		at := slices.Index(l.nodes(), n)
		l.existing = slices.Delete(l.existing, at, at+1)
	}
}

// ownerOf returns the controller of a pod, nil without one. It stands for the selector of the ReplicaSet or StatefulSet, by which
// upstream counts (plugins/helper/spread.go:DefaultSelector).
func (l *ledger) ownerOf(pod *api.Pod) *owner {
	uid := pod.ControllerUID()
	o := l.owners[uid]
	if o == nil && uid != "" {
		o = &owner{}
		l.owners[uid] = o
	}
	return o
}

// take counts a pod on a node, once.
func (l *ledger) take(pod *api.Pod, nodeName string) {
	key := pod.Key()
	if c := l.pods[key]; c != nil {
		l.update(c, pod)
		return
	}
	c := &claim{pod: pod, node: l.node(nodeName), owner: l.ownerOf(pod), takes: pod.Spec.Needs(), wants: wants(pod.Spec)}
	l.pods[key] = c
	c.node.used.add(c.takes, 1)
	c.node.wanted.add(c.wants, 1)
	c.node.ports = append(c.node.ports, pod.Spec.HostPorts()...)
	c.count(1)
	if pod.Spec.Relates() {
		l.useGroups() // which joins it
	}
	if c.group == nil {
		l.join(c)
	}
}

// update keeps the latest version of a pod, whose labels may have changed.
func (l *ledger) update(c *claim, pod *api.Pod) {
	c.count(-1)
	defer c.count(1)
	if c.group != nil && (!c.group.holds(pod) || c.pod.Terminating() != pod.Terminating()) {
		l.leave(c)
		c.pod = pod
		l.join(c)
	}
	c.pod = pod
}

// release gives back what a pod took, and returns whether it was counted.
func (l *ledger) release(key api.Key) bool {
	c, ok := l.pods[key]
	if !ok {
		return false
	}
	delete(l.pods, key)
	c.node.used.add(c.takes, -1)
	c.node.wanted.add(c.wants, -1)
	for _, p := range c.pod.Spec.HostPorts() {
		at := slices.Index(c.node.ports, p)
		c.node.ports = slices.Delete(c.node.ports, at, at+1)
	}
	l.leave(c)
	c.count(-1)
	return true
}

// count adds the pod to those of its owner, or takes it away, unless it is terminating.
func (c *claim) count(d int) {
	if !c.pod.Terminating() {
		c.owner.add(c.node, d)
	}
}

// What the scores take a container for that does not say what it requests (util/pod_resources.go).
var (
	standardCPU    = api.MustQuantity("100m")
	standardMemory = api.MustQuantity("200Mi")
)

// standardPods is how many pods of standard requests fit on a node without limits, for the scores: the kubelet's default of pods [X].
const standardPods = 110

// wants returns what the scores take a pod for.
func wants(s *api.PodSpec) amounts {
	return amounts{s.RequestsOr("cpu", standardCPU).Milli(), s.RequestsOr("memory", standardMemory).Value(), 1}
}

func (a *amounts) add(b amounts, sign int64) {
	for of := range a {
		a[of] += sign * b[of]
	}
}
