// Package garbage is the garbage collector: it deletes objects whose owners are gone. It answers to
// pkg/controller/garbagecollector/garbagecollector.go, for the kinds that have owners here: ReplicaSets, Pods,
// ControllerRevisions, PersistentVolumeClaims and EndpointSlices. Upstream's graph_builder.go isn't needed, since the store has an index by owner.
//
// After kubectl delete deployment at 0 ms, the dependents follow by the latency of the watch:
//
//	background  Deployment at 0 ms, its ReplicaSets at 1 ms, their pods at 2 ms (if they are on no node)
//	foreground  pods at 2 ms, ReplicaSets at 3 ms, Deployment at 4 ms
//	orphan      Deployment at 1 ms, after its ReplicaSets have lost their owner reference
//
// Simplified: every dependent blocks the foreground deletion of its owner, and only a claim can have more than one owner. Both
// hold for everything the simulated controllers create.
package garbage

import (
	"iter"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// Actor is the collector's name in records.
const Actor = "garbage-collector"

var (
	whyBackground = why.Note("A-9", "pkg/controller/garbagecollector/garbagecollector.go:attemptToDeleteItem",
		"the owner is gone, so its dependents are deleted")
	whyForeground = why.Note("A-9", "pkg/controller/garbagecollector/garbagecollector.go:processDeletingDependentsItem",
		"the owner waits until its dependents are gone")
	whyOrphan = why.Note("A-9", "pkg/controller/garbagecollector/garbagecollector.go:orphanDependents", "the dependents stay")
	whyShared = why.Note("A-9", "pkg/controller/garbagecollector/garbagecollector.go:attemptToDeleteItem",
		"one of its owners is gone, another one still exists")
)

// watched says whether a kind has owners or dependents.
func watched(k *kinds.Kind) bool { return k.Dependent || k.HasTemplate() || k.Name == api.KindService }

// dependent says whether the only owner of an object of a kind is its controller. The table has these kinds in the order of their
// deletion; claims come after them.
func dependent(k *kinds.Kind) bool { return k.Dependent && k.Name != api.KindPersistentVolumeClaim }

// Collector watches owners and dependents.
type Collector struct {
	client *apiserver.Client
	store  *sim.Store
}

// New returns a collector that watches the server.
func New(server *apiserver.Server) *Collector {
	g := &Collector{client: server.Client(Actor), store: server.Store}
	server.Store.Watch(g, kinds.Where(watched)...)
	return g
}

// OnChange receives removed and terminating owners, and new and removed dependents.
func (g *Collector) OnChange(c *sim.Change) {
	switch {
	case c.Type == sim.Deleted:
		for _, o := range slices.Collect(g.dependents(c.Old)) {
			g.lose(o, c.Old, apiserver.Unspecified, whyBackground)
		}
		for i := range c.Old.Meta().OwnerReferences {
			if owner := g.owner(c.Old, i); owner != nil {
				g.release(owner)
			}
		}
	case c.Type == sim.Modified && (begins(c, apiserver.FinalizerOrphan) || begins(c, apiserver.FinalizerForeground)):
		g.finalize(c.New)
	case (c.Type == sim.Added || isClaim(c.New)) && g.ownerless(c.New):
		g.delete(c.New, apiserver.Unspecified, whyBackground)
	}
}

// begins says whether an owner waits for a finalizer from now on (graph_builder.go:deletionStartsWithFinalizer).
func begins(c *sim.Change, finalizer string) bool {
	waits := func(m *api.ObjectMeta) bool { return m.Terminating() && slices.Contains(m.Finalizers, finalizer) }
	return waits(c.New.Meta()) && !waits(c.Old.Meta())
}

// isClaim says whether an object can get an owner after its creation (S-42).
func isClaim(o api.Object) bool { return o.Key().Kind == api.KindPersistentVolumeClaim }

// lose deletes a dependent, or only removes the reference to the owner if the dependent has another one.
func (g *Collector) lose(o, owner api.Object, how apiserver.Propagation, why *sim.Explain) {
	for i, ref := range o.Meta().OwnerReferences {
		if ref.UID != owner.Meta().UID && g.owner(o, i) != nil {
			g.dropOwner(o, owner.Meta().UID, "loses one of its owners", whyShared)
			return
		}
	}
	g.delete(o, how, why)
}

// ownerless says whether none of an object's owners exists: a controller may create a dependent in the ms in which its owner is
// removed.
func (g *Collector) ownerless(o api.Object) bool {
	if o = g.store.Get(o.Key()); o == nil {
		return false
	}
	refs := o.Meta().OwnerReferences
	for i := range refs {
		if g.owner(o, i) != nil {
			return false
		}
	}
	return len(refs) > 0
}

// finalize does what the finalizers of a terminating owner wait for.
func (g *Collector) finalize(owner api.Object) {
	switch finalizers := owner.Meta().Finalizers; {
	case slices.Contains(finalizers, apiserver.FinalizerOrphan):
		for _, o := range slices.Collect(g.dependents(owner)) {
			g.dropOwner(o, owner.Meta().UID, "loses its owner and stays", whyOrphan)
		}
		g.removeFinalizer(owner.Key(), apiserver.FinalizerOrphan)
	case slices.Contains(finalizers, apiserver.FinalizerForeground):
		waits := slices.Collect(g.dependents(owner))
		for _, o := range waits {
			g.lose(o, owner, apiserver.Foreground, whyForeground)
		}
		if len(waits) == 0 {
			g.release(owner)
		}
	}
}

// release removes the finalizer of an owner in foreground deletion once it has no dependents.
func (g *Collector) release(owner api.Object) {
	if m := owner.Meta(); !m.Terminating() || !slices.Contains(m.Finalizers, apiserver.FinalizerForeground) {
		return
	}
	for range g.dependents(owner) {
		return
	}
	g.removeFinalizer(owner.Key(), apiserver.FinalizerForeground)
}

// owner returns the current version of an object's i-th owner, nil if it does not exist.
func (g *Collector) owner(o api.Object, i int) api.Object {
	ref := &o.Meta().OwnerReferences[i]
	return g.store.Table(ref.Kind).Owner(o.Meta().Namespace, ref)
}

// dependents yields the objects that an object owns now, each kind in the order of creation. Pods own only claims.
func (g *Collector) dependents(owner api.Object) iter.Seq[api.Object] {
	uid := owner.Meta().UID
	return func(yield func(api.Object) bool) {
		for _, kind := range kinds.Where(dependent) {
			if owner.Key().Kind == api.KindPod {
				break
			}
			for o := range g.store.Table(kind).OwnedBy(uid) {
				if !yield(o) {
					return
				}
			}
		}
		for o := range g.store.Table(api.KindPersistentVolumeClaim).All() {
			owns := func(r api.OwnerReference) bool { return r.UID == uid }
			if slices.ContainsFunc(o.Meta().OwnerReferences, owns) && !yield(o) {
				return
			}
		}
	}
}

// delete deletes a dependent, unless it was removed, replaced or deleted since.
func (g *Collector) delete(o api.Object, how apiserver.Propagation, why *sim.Explain) {
	if now := g.store.Get(o.Key()); now == nil || now.Meta().UID != o.Meta().UID || now.Meta().Terminating() {
		return
	}
	if o.Key().Kind != api.KindReplicaSet {
		how = apiserver.Unspecified // it has no dependents to wait for
	}
	g.client.Must(nil, g.client.Delete(o.Key(), apiserver.DeleteOptions{Propagation: how}, "deleted with its owner", why))
}

// dropOwner removes an owner's reference from a dependent.
func (g *Collector) dropOwner(o api.Object, uid, what string, why *sim.Explain) {
	c := api.Copy(o)
	c.Meta().OwnerReferences = slices.DeleteFunc(c.Meta().OwnerReferences, func(r api.OwnerReference) bool { return r.UID == uid })
	g.client.Must(g.client.Update(c, what, why))
}

// removeFinalizer removes a finalizer from an owner. The API server removes the owner with its last finalizer.
func (g *Collector) removeFinalizer(key api.Key, finalizer string) {
	o := g.store.Get(key)
	if o == nil || !slices.Contains(o.Meta().Finalizers, finalizer) {
		return
	}
	why := whyForeground
	if finalizer == apiserver.FinalizerOrphan {
		why = whyOrphan
	}
	c := api.Copy(o)
	c.Meta().Finalizers = slices.DeleteFunc(c.Meta().Finalizers, func(f string) bool { return f == finalizer })
	g.client.Must(g.client.Update(c, "no longer waits for its dependents", why))
}
