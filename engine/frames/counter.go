package frames

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/controllers/daemon"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/controllers/statefulset"
	"github.com/rollplay/rollplay/engine/sim"
)

// Counter updates the counts of each Deployment, StatefulSet and DaemonSet with every change of the store, and makes a Frame
// whenever one of them changes. It reads the store, which is ahead of the controllers' caches.
type Counter struct {
	kernel    *sim.Kernel
	store     *sim.Store
	minor     int      // of the simulated version
	names     []string // workloads, in the order of their appearance
	workloads map[string]*workload
	groups    map[string]*group    // by the UID of a ReplicaSet, or the UID of a workload, / and the revision label of its pods
	nodes     map[string]*api.Node // the present nodes by name, for DaemonSets
	bytes     int64                // see Bytes
}

// workload is one Deployment and its ReplicaSets, or one StatefulSet or DaemonSet and its ControllerRevisions.
type workload struct {
	name    string
	object  api.Object // its present or last version
	gone    bool       // it was deleted and wants no pods, but some may still exist
	groups  []*group   // by creation
	current *group     // of the present template; nil if there is none
	frames  []Frame
	scratch []*RSFrame
	desired int // of a DaemonSet: how many nodes should run it
}

// group is the pods of one template, with their numbers.
type group struct {
	Group
	owner *workload // nil if no workload controls it
	gone  bool      // it was deleted, but some of its pods still exist
	last  *RSFrame  // its part of the last frame

	replicas, ready, available, terminating int
	waiting                                 map[string]bool // UIDs of pods that are Ready, but not for minReadySeconds yet
}

// New returns the Counter of a store; the caller lets it follow the store.
func New(k *sim.Kernel, s *sim.Store, minor int) *Counter {
	return &Counter{kernel: k, store: s, minor: minor, workloads: map[string]*workload{}, groups: map[string]*group{}, nodes: map[string]*api.Node{}}
}

// Names returns the names of all workloads that ever existed, in order of appearance.
func (c *Counter) Names() []string { return c.names }

// Object returns the present or last version of a workload, nil if it never existed.
func (c *Counter) Object(name string) api.Object {
	if w := c.workloads[name]; w != nil {
		return w.object
	}
	return nil
}

// Frames returns the frames of a workload so far.
func (c *Counter) Frames(name string) []Frame {
	if w := c.workloads[name]; w != nil {
		return w.frames
	}
	return nil
}

// Observe updates the counts after a change.
func (c *Counter) Observe(change *sim.Change) {
	gone := change.New == nil
	switch o := change.Object().(type) {
	case *api.Deployment, *api.StatefulSet, *api.DaemonSet:
		c.observeWorkload(o, gone)
	case *api.ReplicaSet:
		c.observeReplicaSet(o, gone)
	case *api.ControllerRevision:
		c.observeRevision(o, gone)
		c.releaseRevision(change)
	case *api.Pod:
		c.observePod(change)
	case *api.Node:
		c.observeNode(o, gone)
	}
}

func (c *Counter) observeWorkload(o api.Object, gone bool) {
	name := o.Key().String()
	w := c.workloads[name]
	if w == nil {
		w = &workload{name: name, object: o}
		c.workloads[name] = w
		c.names = append(c.names, name)
	}
	recount := api.MinReadySecondsOf(w.object) != api.MinReadySecondsOf(o) && o.Key().Kind != api.KindDeployment
	another := w.object.Meta().UID != o.Meta().UID
	changed := len(w.frames) == 0 || another || w.object.Meta().Generation != o.Meta().Generation
	if another { // the pods of its predecessor of the same name still exist, but are not its own
		for _, g := range slices.Clone(w.groups) {
			g.move(nil)
		}
	}
	w.object, w.gone = o, gone
	if ds, ok := o.(*api.DaemonSet); ok && changed {
		w.desired = daemon.CountNodes(ds, c.nodes) // that should run it (DS-6)
	}
	if recount {
		for _, g := range w.groups {
			c.recount(g)
		}
	}
	w.findCurrent()
	c.frame(w)
}

// observeNode counts the nodes that should run each DaemonSet.
func (c *Counter) observeNode(n *api.Node, gone bool) {
	old := c.nodes[n.Name]
	if gone {
		delete(c.nodes, n.Name)
	} else {
		c.nodes[n.Name] = n
	}
	for _, name := range c.names {
		w := c.workloads[name]
		ds, ok := w.object.(*api.DaemonSet)
		if !ok {
			continue
		}
		before, after := old != nil && shouldRun(ds, old), !gone && shouldRun(ds, n)
		if before == after {
			continue
		}
		if w.desired--; after {
			w.desired += 2
		}
		c.frame(w)
	}
}

func shouldRun(ds *api.DaemonSet, n *api.Node) bool {
	run, _ := daemon.NodeShouldRunDaemonPod(ds, n)
	return run
}

func (c *Counter) observeReplicaSet(rs *api.ReplicaSet, gone bool) {
	g := c.groups[rs.UID]
	if g == nil {
		g = c.newGroup(rs.UID, OfSet(rs))
	}
	recount := g.Set.Spec.MinReadySeconds != rs.Spec.MinReadySeconds
	g.Group = OfSet(rs)
	if recount {
		c.recount(g)
	}
	c.place(g, c.ownerOf(&rs.ObjectMeta), gone)
}

func (c *Counter) observeRevision(r *api.ControllerRevision, gone bool) {
	owner := c.ownerOf(&r.ObjectMeta)
	if owner == nil {
		return
	}
	g := c.revisionGroup(owner, revisionLabel(r))
	g.Group = OfRevision(r)
	c.place(g, owner, gone)
}

// releaseRevision takes a revision from the workload that no longer owns it: kubectl delete --cascade=orphan leaves the revision,
// and a new workload of the same name adopts it as a group of its own.
func (c *Counter) releaseRevision(change *sim.Change) {
	old, ok := change.Old.(*api.ControllerRevision)
	if !ok {
		return
	}
	was := c.ownerOf(&old.ObjectMeta)
	if was == nil || c.ownerOf(change.Object().Meta()) == was {
		return
	}
	if g := c.groups[was.object.Meta().UID+"/"+revisionLabel(old)]; g != nil {
		c.place(g, was, true)
	}
}

// revisionGroup returns the pods of a workload that carry a revision's label.
func (c *Counter) revisionGroup(w *workload, label string) *group {
	key := w.object.Meta().UID + "/" + label
	g := c.groups[key]
	if g == nil {
		g = c.newGroup(key, Group{Name: label})
		g.owner = w
		w.groups = append(w.groups, g)
	}
	return g
}

func (c *Counter) newGroup(key string, of Group) *group {
	g := &group{Group: of, waiting: map[string]bool{}}
	c.groups[key] = g
	return g
}

// place moves a group to its owner after a change of its object and updates the frames of the old and the new owner.
func (c *Counter) place(g *group, owner *workload, gone bool) {
	if g.gone = gone; gone && g.pods() == 0 {
		owner = nil
	}
	if before := g.owner; before != owner {
		g.move(owner)
		before.findCurrent()
		c.frame(before)
	}
	owner.findCurrent()
	c.frame(owner)
}

// move gives the group to another workload, or to none.
func (g *group) move(owner *workload) {
	if g.owner != nil {
		g.owner.groups = slices.DeleteFunc(g.owner.groups, func(x *group) bool { return x == g })
	}
	if g.owner = owner; owner != nil {
		owner.groups = append(owner.groups, g)
		slices.SortStableFunc(owner.groups, func(a, b *group) int { return ByBirth(&a.Group, &b.Group) })
	}
}

// findCurrent finds the group of the present template.
func (w *workload) findCurrent() {
	if w == nil {
		return
	}
	w.current = nil
	if w.gone {
		return
	}
	template := api.TemplateOf(w.object)
	var found *Group
	for _, g := range w.groups {
		if !g.gone && g.Replaces(found, template) {
			w.current, found = g, &g.Group
		}
	}
}

// recount counts the pods again after a change of minReadySeconds.
func (c *Counter) recount(g *group) {
	g.replicas, g.ready, g.available, g.terminating = 0, 0, 0, 0
	clear(g.waiting)
	uid := ""
	if g.Set != nil {
		uid = g.Set.UID
	} else if g.owner != nil {
		uid = g.owner.object.Meta().UID
	}
	for o := range c.store.Table(api.KindPod).OwnedBy(uid) {
		if pod := o.(*api.Pod); c.groupOf(pod) == g {
			c.add(g, pod)
		}
	}
}

// ownerOf returns the workload that controls a ReplicaSet, a revision or a pod, nil if none does.
func (c *Counter) ownerOf(m *api.ObjectMeta) *workload {
	w := c.workloads[m.ControllerKey().String()]
	if w == nil || !m.IsControlledBy(w.object.Meta().UID) {
		return nil
	}
	return w
}

// frame adds a Frame if a count of the workload changed.
func (c *Counter) frame(w *workload) {
	if w == nil {
		return
	}
	f := w.count(c.minor)
	f.T, f.Record = c.kernel.Now(), len(c.kernel.Trace.Records)-1
	if n := len(w.frames); n > 0 && sameNumbers(&w.frames[n-1], &f) {
		return
	}
	f.ReplicaSets = append(make([]*RSFrame, 0, len(f.ReplicaSets)), f.ReplicaSets...)
	w.frames = append(w.frames, f)
	c.bytes += frameBytes + int64(len(f.ReplicaSets))*pointerBytes
}

// The size of a frame with the part that has changed, and of the pointer to each other part.
const (
	frameBytes   = 224
	pointerBytes = 8
)

// Bytes returns roughly how much memory all frames take.
func (c *Counter) Bytes() int64 { return c.bytes }

// count adds up the groups of the workload. ReplicaSets of the result is only valid until the next call.
func (w *workload) count(minor int) Frame {
	f := Frame{Workload: w.name}
	w.promise(&f, minor)
	w.scratch = w.scratch[:0]
	for _, g := range w.groups {
		if !g.gone {
			w.scratch = append(w.scratch, g.frame())
		}
		f.Total += g.replicas
		f.Ready += g.ready
		f.Available += g.available
		f.Terminating += g.terminating
	}
	if w.current != nil {
		f.Updated = w.current.replicas
	}
	f.ReplicaSets = w.scratch
	return f
}

// frame returns the group's part of a frame, the same one while it does not change.
func (g *group) frame() *RSFrame {
	f := RSFrame{Name: g.Name, Revision: g.Number, Spec: g.Size(g.replicas), Replicas: g.replicas, Ready: g.ready, Available: g.available}
	if g.last == nil || *g.last != f {
		changed := f // only this one is allocated
		g.last = &changed
	}
	return g.last
}

// sameNumbers compares the counts of frames, not their moments.
func sameNumbers(a, b *Frame) bool {
	return a.Desired == b.Desired && a.Total == b.Total && a.Ready == b.Ready && a.Available == b.Available &&
		a.Updated == b.Updated && a.Terminating == b.Terminating && a.Upper == b.Upper && a.Lower == b.Lower &&
		slices.EqualFunc(a.ReplicaSets, b.ReplicaSets, func(x, y *RSFrame) bool { return x == y || *x == *y })
}

// IsWorkload says whether the pods of a kind are counted.
func IsWorkload(kind api.Kind) bool { return kinds.Of(kind).Revisions }

// minReadySeconds is 0 for a group that no workload controls.
func (g *group) minReadySeconds() int32 {
	if g.owner == nil {
		return g.MinReadySeconds(nil)
	}
	return g.MinReadySeconds(g.owner.object)
}

// promise sets the desired count of a workload and the bounds that its controller enforces. Under OnDelete, the controller of
// a StatefulSet or a DaemonSet removes nothing, so its bounds are those without maxSurge and maxUnavailable.
func (w *workload) promise(f *Frame, minor int) {
	if w.gone {
		return
	}
	switch o := w.object.(type) {
	case *api.Deployment:
		maxSurge, maxUnavailable := deployment.Bounds(o)
		f.Desired = int(*o.Spec.Replicas)
		f.Upper, f.Lower = f.Desired+int(maxSurge), f.Desired-int(maxUnavailable)
		if o.Spec.Strategy.Type == api.Recreate {
			f.Lower = 0 // it promises nothing
		}
	case *api.StatefulSet:
		f.Desired = int(*o.Spec.Replicas)
		f.Upper, f.Lower = f.Desired, max(0, f.Desired-statefulset.Bound(o, minor))
	case *api.DaemonSet:
		maxSurge, maxUnavailable := daemon.Bounds(o, w.desired)
		if o.Spec.UpdateStrategy.Type == api.OnDelete {
			maxSurge, maxUnavailable = 0, 0
		}
		f.Desired = w.desired
		f.Upper, f.Lower = f.Desired+maxSurge, max(0, f.Desired-maxUnavailable)
	}
}
