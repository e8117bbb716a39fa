package engine

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/deployment"
	"github.com/rollplay/rollplay/engine/sim"
)

// counts keeps the numbers of each Deployment up to date with every change of the store, and makes a Frame whenever one
// of them moves. It looks at the cluster itself, not at what the controllers have noticed so far.
type counts struct {
	kernel    *sim.Kernel
	store     *sim.Store
	names     []string // workloads, in the order of their appearance
	workloads map[string]*workload
	sets      map[string]*setCount // by UID of the ReplicaSet
}

// workload is one Deployment and its ReplicaSets.
type workload struct {
	name       string
	deployment *api.Deployment // as it is, or as it last was
	gone       bool            // it was deleted: nothing is asked for any more, but its pods may still be there
	sets       []*setCount     // by creation
	current    *setCount       // of the present template; nil if there is none
	frames     []Frame
	scratch    []RSFrame
}

// setCount is the pods of one ReplicaSet.
type setCount struct {
	rs                                      *api.ReplicaSet
	owner                                   *workload // nil if no Deployment controls it
	gone                                    bool      // it was deleted, and its last pods are about to go
	revision                                int
	replicas, ready, available, terminating int
	waiting                                 map[string]bool // UIDs of pods that are Ready, but not for minReadySeconds yet
}

func newCounts(k *sim.Kernel, s *sim.Store) *counts {
	return &counts{kernel: k, store: s, workloads: map[string]*workload{}, sets: map[string]*setCount{}}
}

func (c *counts) frames(name string) []Frame {
	if w := c.workloads[name]; w != nil {
		return w.frames
	}
	return nil
}

// Observe takes a change into account.
func (c *counts) Observe(change *sim.Change) {
	switch o := change.Object().(type) {
	case *api.Deployment:
		c.observeDeployment(o, change.New == nil)
	case *api.ReplicaSet:
		c.observeReplicaSet(o, change.New == nil)
	case *api.Pod:
		c.observePod(change)
	}
}

func (c *counts) observeDeployment(d *api.Deployment, gone bool) {
	name := d.Key().String()
	w := c.workloads[name]
	if w == nil {
		w = &workload{name: name}
		c.workloads[name] = w
		c.names = append(c.names, name)
	}
	w.deployment, w.gone = d, gone
	w.findCurrent()
	c.frame(w)
}

func (c *counts) observeReplicaSet(rs *api.ReplicaSet, gone bool) {
	s := c.sets[rs.UID]
	if s == nil {
		s = &setCount{rs: rs, waiting: map[string]bool{}}
		c.sets[rs.UID] = s
	}
	recount := s.rs.Spec.MinReadySeconds != rs.Spec.MinReadySeconds
	s.rs = rs
	s.revision = revisionOf(&rs.ObjectMeta)
	if recount {
		c.recount(s)
	}
	owner := c.ownerOf(rs)
	if s.gone = gone; gone && s.pods() == 0 {
		owner = nil
	}
	if before := s.owner; before != owner {
		s.move(owner)
		before.findCurrent()
		c.frame(before)
	}
	owner.findCurrent()
	c.frame(owner)
}

// move gives the ReplicaSet to another Deployment, or to none.
func (s *setCount) move(owner *workload) {
	if s.owner != nil {
		s.owner.sets = slices.DeleteFunc(s.owner.sets, func(x *setCount) bool { return x == s })
	}
	if s.owner = owner; owner != nil {
		owner.sets = append(owner.sets, s)
		slices.SortStableFunc(owner.sets, func(a, b *setCount) int { return deployment.ByCreation(a.rs, b.rs) })
	}
}

// findCurrent finds the ReplicaSet of the present template: the oldest one that has it (D-32).
func (w *workload) findCurrent() {
	if w == nil {
		return
	}
	w.current = nil
	for _, s := range w.sets {
		if !w.gone && !s.gone && s.rs.Spec.Template.EqualIgnoreHash(&w.deployment.Spec.Template) {
			w.current = s
			return
		}
	}
}

// recount adds the pods up anew, after a change of minReadySeconds.
func (c *counts) recount(s *setCount) {
	s.replicas, s.ready, s.available, s.terminating = 0, 0, 0, 0
	clear(s.waiting)
	for o := range c.store.Table(api.KindPod).OwnedBy(s.rs.UID) {
		c.add(s, o.(*api.Pod))
	}
}

func (c *counts) ownerOf(rs *api.ReplicaSet) *workload {
	ref := rs.ControllerOf()
	if ref == nil {
		return nil
	}
	w := c.workloads[api.Key{Kind: ref.Kind, Namespace: rs.Namespace, Name: ref.Name}.String()]
	if w == nil || w.deployment.UID != ref.UID {
		return nil
	}
	return w
}

// observePod takes a pod out of its ReplicaSet's numbers as it was, and puts it in as it is.
func (c *counts) observePod(change *sim.Change) {
	var moved *setCount
	if old, ok := change.Old.(*api.Pod); ok {
		if s := c.setOf(old); s != nil {
			s.remove(old)
			moved = s
		}
	}
	if pod, ok := change.New.(*api.Pod); ok {
		if s := c.setOf(pod); s != nil {
			c.add(s, pod)
			moved = s
		}
	}
	if moved != nil {
		c.frame(moved.owner)
		if moved.gone && moved.pods() == 0 {
			moved.move(nil)
		}
	}
}

// pods is how many pods there are, terminating ones included.
func (s *setCount) pods() int { return s.replicas + s.terminating }

func (c *counts) setOf(pod *api.Pod) *setCount {
	ref := pod.ControllerOf()
	if ref == nil {
		return nil
	}
	return c.sets[ref.UID]
}

// add counts a pod in. One that is Ready but not available yet is looked at again when it will be.
func (c *counts) add(s *setCount, pod *api.Pod) {
	switch {
	case pod.Finished():
		return
	case pod.Terminating():
		s.terminating++
		return
	}
	s.replicas++
	at, ready := pod.AvailableAt(s.rs.Spec.MinReadySeconds)
	if !ready {
		return
	}
	s.ready++
	if s.rs.Spec.MinReadySeconds == 0 || at <= c.kernel.Now() {
		s.available++
		return
	}
	s.waiting[pod.UID] = true
	c.kernel.Schedule(sim.Event{At: at, To: c, Key: pod.Key()})
}

// remove counts a pod out, as it was counted in.
func (s *setCount) remove(pod *api.Pod) {
	switch {
	case pod.Finished():
		return
	case pod.Terminating():
		s.terminating--
		return
	}
	s.replicas--
	if !pod.IsReady() {
		return
	}
	s.ready--
	if s.waiting[pod.UID] {
		delete(s.waiting, pod.UID)
	} else {
		s.available--
	}
}

// Handle counts a pod that has been Ready for minReadySeconds by now as available.
func (c *counts) Handle(e sim.Event) {
	pod, _ := c.store.Get(e.Key).(*api.Pod)
	if pod == nil {
		return
	}
	s := c.setOf(pod)
	if s == nil || !s.waiting[pod.UID] || !pod.IsAvailable(s.rs.Spec.MinReadySeconds, e.At) {
		return
	}
	delete(s.waiting, pod.UID)
	s.available++
	c.frame(s.owner)
}

// frame adds a Frame if a number of the workload moved.
func (c *counts) frame(w *workload) {
	if w == nil {
		return
	}
	f := w.count()
	f.T, f.Record = c.kernel.Now(), len(c.kernel.Trace.Records)-1
	if n := len(w.frames); n > 0 && sameNumbers(&w.frames[n-1], &f) {
		return
	}
	f.ReplicaSets = append(make([]RSFrame, 0, len(f.ReplicaSets)), f.ReplicaSets...)
	w.frames = append(w.frames, f)
}

// count adds the workload up. The list of ReplicaSets is only valid until the next call.
func (w *workload) count() Frame {
	d := w.deployment
	f := Frame{Workload: w.name}
	if !w.gone {
		maxSurge, maxUnavailable := deployment.Bounds(d)
		f.Desired = int(*d.Spec.Replicas)
		f.Upper, f.Lower = f.Desired+int(maxSurge), f.Desired-int(maxUnavailable)
	}
	if d.Spec.Strategy.Type == api.Recreate {
		f.Lower = 0 // it promises nothing
	}
	w.scratch = w.scratch[:0]
	for _, s := range w.sets {
		if !s.gone {
			w.scratch = append(w.scratch, RSFrame{Name: s.rs.Name, Revision: s.revision, Spec: int(*s.rs.Spec.Replicas),
				Replicas: s.replicas, Ready: s.ready, Available: s.available})
		}
		f.Total += s.replicas
		f.Ready += s.ready
		f.Available += s.available
		f.Terminating += s.terminating
	}
	if w.current != nil {
		f.Updated = w.current.replicas
	}
	f.ReplicaSets = w.scratch
	return f
}

// sameNumbers compares frames apart from their moment.
func sameNumbers(a, b *Frame) bool {
	return a.Desired == b.Desired && a.Total == b.Total && a.Ready == b.Ready && a.Available == b.Available &&
		a.Updated == b.Updated && a.Terminating == b.Terminating && a.Upper == b.Upper && a.Lower == b.Lower &&
		slices.Equal(a.ReplicaSets, b.ReplicaSets)
}
