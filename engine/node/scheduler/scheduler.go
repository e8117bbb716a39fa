// Package scheduler assigns pods to nodes (G-31 to G-34). It counts what the pods of each node use, so that a binding looks at
// every node once and at no other pod.
//
// The upstream files, below pkg/scheduler: scheduler.go answers to scheduler.go and eventhandlers.go, schedule.go to
// schedule_one.go, filter.go to the filters in framework/plugins, spread.go to podtopologyspread there, affinity.go to
// interpodaffinity/filtering.go, score.go to both scoring.go, refusal.go to FitError in framework/types.go, ledger.go to backend/cache.
//
// Simplified: no preemption, and of the scoring plugins (G-34) not those for images, for preferred nodes and for taints that only
// prefer. Of equal nodes upstream draws one; here it is the first by name. It has the filters for the fields that the simulation
// knows: the node's name, cordons, taints, node selectors and required affinity, host ports, cpu, memory, the number of pods, topology spread constraints, and required affinity and
// anti-affinity of pods. Volumes do not restrict the choice.
package scheduler

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// Actor is the scheduler's name in records and events.
const Actor = "default-scheduler"

// Operations of the Scheduler.
const (
	opBind  uint8 = iota // find a node for a new pod
	opRetry              // try all waiting pods again
)

// Scheduler watches pods and nodes.
type Scheduler struct {
	client *apiserver.Client
	kernel *sim.Kernel
	store  *sim.Store

	ledger   ledger
	waiting  []waiting // pods that fit no node, in the order of their first tries
	retrying bool      // an opRetry event is in the heap
}

// waiting is a pod that fits no node.
type waiting struct {
	key     api.Key
	message string // of the last try
	relates bool   // it has affinity or anti-affinity to pods, or spread constraints, so that another pod may help
}

var (
	whyBound = why.Note("G-34", "pkg/scheduler/schedule_one.go:prioritizeNodes",
		"the node with the highest score for few pods of the same ReplicaSet or StatefulSet, for its spread constraints and the affinity of pods, "+
			"and for free and balanced cpu and memory; of equal ones the first by name")
	whyUnschedulable = why.Rule("G-32", "pkg/scheduler/framework/types.go:FitError.Error")
)

// New returns a scheduler that watches the nodes of a server.
func New(server *apiserver.Server) *Scheduler {
	s := &Scheduler{client: server.Client(Actor), kernel: server.Kernel, store: server.Store, ledger: newLedger()}
	for o := range server.Store.Table(api.KindNode).All() {
		s.ledger.setNode(o.(*api.Node))
	}
	server.Store.Watch(s, api.KindNode, api.KindPod)
	return s
}

// OnChange receives pods and nodes.
func (s *Scheduler) OnChange(c *sim.Change) {
	switch o := c.Object().(type) {
	case *api.Node:
		s.onNode(o, c.Type == sim.Deleted)
	case *api.Pod:
		s.onPod(o, c)
	}
}

// Handle schedules a new pod, or the waiting ones. A binding takes less than a ms (SIM-6).
func (s *Scheduler) Handle(e sim.Event) {
	switch e.Op {
	case opBind:
		if message := s.schedule(e.Key, ""); message != "" {
			pod := s.store.Get(e.Key).(*api.Pod)
			s.waiting = append(s.waiting, waiting{e.Key, message, pod.Spec.Relates()})
		}
	case opRetry:
		s.retrying = false
		s.retry()
	}
}

func (s *Scheduler) onNode(n *api.Node, gone bool) {
	if gone {
		s.ledger.removeNode(n.Name)
		return
	}
	s.ledger.setNode(n)
	s.wake()
}

func (s *Scheduler) onPod(pod *api.Pod, c *sim.Change) {
	switch {
	case c.Type == sim.Deleted || pod.Finished():
		if s.ledger.release(pod.Key()) {
			s.wake()
		}
	case pod.NodeName != "":
		s.ledger.take(pod, pod.NodeName)
		if s.mayHelp(c) {
			s.wake()
		}
	case c.Type == sim.Added && !pod.Terminating():
		s.kernel.Schedule(sim.Event{At: s.kernel.Now(), To: s, Op: opBind, Key: pod.Key()})
	}
}

// mayHelp says whether a pod with affinity or anti-affinity to pods, or spread constraints, may fit now, because a pod was bound or has other labels
// (interpodaffinity/plugin.go:isSchedulableAfterPodChange, podtopologyspread/plugin.go:isSchedulableAfterAssignedPodChange). A pod that
// begins to terminate no longer counts for a spread constraint, but only its end lets the waiting pods try again.
func (s *Scheduler) mayHelp(c *sim.Change) bool {
	if !slices.ContainsFunc(s.waiting, func(w waiting) bool { return w.relates }) {
		return false
	}
	old, ok := c.Old.(*api.Pod)
	return !ok || old.NodeName == "" || !api.SameMap(old.Labels, c.New.Meta().Labels)
}

// wake tries the waiting pods again at once (G-33).
func (s *Scheduler) wake() {
	if !s.retrying && len(s.waiting) > 0 {
		s.retrying = true
		s.kernel.Schedule(sim.Event{At: s.kernel.Now(), To: s, Op: opRetry})
	}
}

// retry tries the waiting pods in order. Room only shrinks in the meantime, so if a pod fits no node, the pods behind it with the
// same template and message do not either, and are skipped. After a pod was bound, which may help those with pod affinity or spread
// constraints, the next one is tried: its message differs from the empty one.
func (s *Scheduler) retry() {
	var full *api.Pod
	var message string
	still := s.waiting[:0]
	for _, w := range s.waiting {
		pod, ok := s.store.Get(w.key).(*api.Pod)
		if !ok {
			continue
		}
		if w.message != message || !alike(pod, full) {
			w.message = s.schedule(w.key, w.message)
			full, message = pod, w.message
		}
		if w.message != "" {
			still = append(still, w)
		}
	}
	clear(s.waiting[len(still):])
	s.waiting = still
}

// alike says whether two pods always fit the same nodes.
func alike(a, b *api.Pod) bool {
	return a.Spec == b.Spec && a.TargetNode == b.TargetNode && a.Namespace == b.Namespace && api.SameMap(a.Labels, b.Labels)
}
