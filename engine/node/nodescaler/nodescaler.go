// Package nodescaler adds nodes for pods that fit none, and removes nodes that stay empty (SIM-10). It is rollplay's own model: Kubernetes
// has no such controller, and the autoscalers that people run beside it differ. Its events have the words of the cluster-autoscaler of
// github.com/kubernetes/autoscaler. nodescaler.go has the actor, scale.go its decisions and the resources of a machine.
//
// Simplified: a group has equal machines, and the first one of the scenario that fits is taken, where the real autoscaler has a choice of
// expanders. Only empty nodes are removed; the real one also drains nodes of which less than half is used. Every machine boots equally
// fast, none is refused by the cloud, and no cloud removes one on its own. A pod with pod affinity or spread constraints gets one
// machine, because whether it helps is not computed; host ports are not looked at.
package nodescaler

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// Actor is the name in records and events. It says that this is a model.
const Actor = "node-autoscaler (model)"

// GroupLabel says which group a node belongs to.
const GroupLabel = "rollplay/node-group"

// period is how often the autoscaler looks, in ms: the cluster-autoscaler's --scan-interval. Looks that would find nothing are left out.
const period = 10_000

// Group is equal machines, of which there are as many as pods need.
type Group struct {
	Name     string
	Node     *api.Node // the template of their Node objects, without a name
	Min, Max int
	Boot     sim.Time // from the decision until the node is registered
	Idle     sim.Time // how long a node is empty before it is removed
}

// Operations of the Scaler.
const (
	opLook uint8 = iota
	opBoot       // the machine of the event's key is up
)

// Scaler watches pods and nodes.
type Scaler struct {
	client   *apiserver.Client
	kernel   *sim.Kernel
	store    *sim.Store
	groups   []Group
	register func(*api.Node) error
	remove   func(name string) error

	nextLook sim.Time            // 0: none is scheduled
	nodes    map[string]*machine // those that boot, and the nodes of groups
	booting  []*machine          // those of nodes that are not registered yet, or have just been
	made     map[string]int      // how many machines each group has had
	busy     map[string]int      // pods of each node, without those of DaemonSets
	helped   map[string]bool     // pods with affinity that have got their machine, by UID
	refused  map[string]string   // the messages about pods for which no machine was added, by UID
}

// machine is a node of a group.
type machine struct {
	group *Group
	upAt  sim.Time // when it is registered
	since sim.Time // since when it has been empty, if it is
}

// New starts a scaler of groups, which registers and removes nodes. Without groups it does nothing.
func New(server *apiserver.Server, groups []Group, register func(*api.Node) error, remove func(name string) error) {
	s := &Scaler{client: server.Client(Actor), kernel: server.Kernel, store: server.Store, groups: groups, register: register, remove: remove,
		nodes: map[string]*machine{}, made: map[string]int{}, busy: map[string]int{}, helped: map[string]bool{}, refused: map[string]string{}}
	if len(groups) > 0 {
		server.Store.Watch(s, api.KindPod, api.KindNode)
	}
}

// OnChange receives pods and nodes.
func (s *Scaler) OnChange(c *sim.Change) {
	if c.Object().Key().Kind == api.KindNode {
		s.onNode(c)
		return
	}
	before, _ := c.Old.(*api.Pod)
	now, _ := c.New.(*api.Pod)
	if occupies(before) {
		if s.busy[before.NodeName]--; s.busy[before.NodeName] == 0 {
			s.emptied(before.NodeName)
		}
	}
	if occupies(now) {
		s.busy[now.NodeName]++
	}
	switch {
	case now == nil:
		delete(s.helped, before.UID)
		delete(s.refused, before.UID)
	case waits(now) && (before == nil || !waits(before)):
		s.look(s.kernel.Now() + 1)
	}
}

// onNode receives a node. Whatever changes the size of a group is a reason to look.
func (s *Scaler) onNode(c *sim.Change) {
	if c.Type == sim.Modified {
		return
	}
	name := c.Object().Key().Name
	delete(s.nodes, name) // a machine that boots loses its name to a node that a person creates
	if n, _ := c.New.(*api.Node); n != nil {
		if g := s.groupOf(n); g != nil {
			s.nodes[name] = &machine{group: g, upAt: c.At}
			s.emptied(name)
		}
	}
	s.look(s.kernel.Now() + 1)
}

func (s *Scaler) groupOf(n *api.Node) *Group {
	for i := range s.groups {
		if s.groups[i].Name == n.Labels[GroupLabel] {
			return &s.groups[i]
		}
	}
	return nil
}

// occupies says whether a pod keeps its node from being empty.
func occupies(p *api.Pod) bool {
	return p != nil && p.NodeName != "" && !p.Finished() && !ofDaemonSet(p)
}

func ofDaemonSet(p *api.Pod) bool { return p.ControllerKey().Kind == api.KindDaemonSet }

// waits says whether the scheduler has found no node for a pod.
func waits(p *api.Pod) bool {
	if p.NodeName != "" || p.Terminating() || p.Finished() {
		return false
	}
	c := api.FindCondition(p.Status.Conditions, "PodScheduled")
	return c != nil && c.Status == "False"
}

// look schedules the first look at or after a moment: at 12.3 s that is the one of 20 s.
func (s *Scaler) look(at sim.Time) {
	at = (at + period - 1) / period * period
	if s.nextLook == 0 || at < s.nextLook {
		s.nextLook = at
		s.kernel.Schedule(sim.Event{At: at, To: s, Op: opLook})
	}
}

// Handle looks, or registers a machine.
func (s *Scaler) Handle(e sim.Event) {
	switch {
	case e.Op == opBoot:
		s.boot(e.Key)
	case s.nextLook == e.At:
		s.nextLook = 0
		s.scaleUp()
		s.scaleDown()
	}
}
