// Package garbage deletes what has lost its owner. It stands for the garbage collector of the controller
// manager, for the kinds that can have an owner here: ReplicaSets, Pods, ControllerRevisions and PersistentVolumeClaims.
//
// Simplified: every dependent blocks the foreground deletion of its owner, and only a claim can have more than one owner:
// that is so for all that the simulated controllers make.
package garbage

import (
	"iter"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// Actor is the collector's name in records.
const Actor = "garbage-collector"

var (
	whyBackground = why.Note("A-9", "pkg/controller/garbagecollector/garbagecollector.go:attemptToDeleteItem",
		"the owner is gone, so what it owned goes")
	whyForeground = why.Note("A-9", "pkg/controller/garbagecollector/garbagecollector.go:processDeletingDependentsItem",
		"the owner waits for what it owns to go first")
	whyOrphan = why.Note("A-9", "pkg/controller/garbagecollector/garbagecollector.go:orphanDependents", "what the owner owned shall stay")
	whyShared = why.Note("A-9", "pkg/controller/garbagecollector/garbagecollector.go:attemptToDeleteItem",
		"one of its owners is gone, another one is there")
)

// dependentKinds are the kinds whose one owner is their controller, in the order in which they are deleted; claims come
// after them.
var dependentKinds = []api.Kind{api.KindReplicaSet, api.KindPod, api.KindControllerRevision}

// watchedKinds are those that own something, or are owned.
var watchedKinds = append([]api.Kind{api.KindDeployment, api.KindStatefulSet, api.KindDaemonSet, api.KindPersistentVolumeClaim},
	dependentKinds...)

// Collector watches owners and what they own.
type Collector struct {
	client *apiserver.Client
	store  *sim.Store
}

// New returns a collector.
func New(server *apiserver.Server) *Collector {
	g := &Collector{client: server.Client(Actor), store: server.Store}
	for _, kind := range watchedKinds {
		server.Store.Informer(kind).AddHandler(g)
	}
	return g
}

// OnChange hears of owners that go and of dependents that come or go.
func (g *Collector) OnChange(c *sim.Change) {
	switch {
	case c.Type == sim.Deleted:
		g.collect(c.Old)
		for i := range c.Old.Meta().OwnerReferences {
			if owner := g.owner(c.Old, i); owner != nil {
				g.release(owner)
			}
		}
	case c.Type == sim.Modified && c.New.Meta().Terminating() && !c.Old.Meta().Terminating():
		g.finalize(c.New)
	case (c.Type == sim.Added || isClaim(c.New)) && g.ownerless(c.New):
		g.delete(c.New, apiserver.Background, whyBackground)
	}
}

// isClaim says whether an object can get owners later than it is made (S-42).
func isClaim(o api.Object) bool { return o.Key().Kind == api.KindPersistentVolumeClaim }

// collect deletes what a deleted object owned.
func (g *Collector) collect(owner api.Object) {
	for _, o := range slices.Collect(g.dependents(owner)) {
		g.lose(o, owner, apiserver.Background, whyBackground)
	}
}

// lose deletes a dependent of an owner that goes; one that has another owner only loses the reference.
func (g *Collector) lose(o, owner api.Object, how apiserver.Propagation, why *sim.Explain) {
	for i, ref := range o.Meta().OwnerReferences {
		if ref.UID != owner.Meta().UID && g.owner(o, i) != nil {
			g.dropOwner(o, owner.Meta().UID, "one owner less", whyShared)
			return
		}
	}
	g.delete(o, how, why)
}

// ownerless says whether the owners that an object has by now are gone: a controller may create a dependent just then.
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

// finalize works towards the end of an owner whose deletion was asked for, and which waits for its finalizers.
func (g *Collector) finalize(owner api.Object) {
	switch finalizers := owner.Meta().Finalizers; {
	case slices.Contains(finalizers, apiserver.FinalizerOrphan):
		for _, o := range slices.Collect(g.dependents(owner)) {
			g.dropOwner(o, owner.Meta().UID, "stays without its owner", whyOrphan)
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

// release lets an owner go that waited for its dependents, if none is left.
func (g *Collector) release(owner api.Object) {
	if m := owner.Meta(); !m.Terminating() || !slices.Contains(m.Finalizers, apiserver.FinalizerForeground) {
		return
	}
	for range g.dependents(owner) {
		return
	}
	g.removeFinalizer(owner.Key(), apiserver.FinalizerForeground)
}

// owner returns one of the owners of an object as it is now, nil if it is gone.
func (g *Collector) owner(o api.Object, i int) api.Object {
	ref := &o.Meta().OwnerReferences[i]
	return g.store.Table(ref.Kind).Owner(o.Meta().Namespace, ref)
}

// dependents yields what an object owns now, each kind in the order of creation. Of what a pod owns there are only claims.
func (g *Collector) dependents(owner api.Object) iter.Seq[api.Object] {
	uid := owner.Meta().UID
	return func(yield func(api.Object) bool) {
		for _, kind := range dependentKinds {
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

// delete deletes a dependent, if it is still the one that was seen.
func (g *Collector) delete(o api.Object, how apiserver.Propagation, why *sim.Explain) {
	if now := g.store.Get(o.Key()); now == nil || now.Meta().UID != o.Meta().UID || now.Meta().Terminating() {
		return
	}
	if o.Key().Kind != api.KindReplicaSet {
		how = apiserver.Background // it owns nothing that it would wait for
	}
	g.must(g.client.Delete(o.Key(), apiserver.DeleteOptions{Propagation: how}, "deleted with its owner", why))
}

// dropOwner takes an owner's reference from a dependent.
func (g *Collector) dropOwner(o api.Object, uid, what string, why *sim.Explain) {
	c := o.Copy()
	c.Meta().OwnerReferences = slices.DeleteFunc(c.Meta().OwnerReferences, func(r api.OwnerReference) bool { return r.UID == uid })
	_, err := g.client.Update(c, what, why)
	g.must(err)
}

// removeFinalizer takes a finalizer from an owner; without any, the API server removes it.
func (g *Collector) removeFinalizer(key api.Key, finalizer string) {
	o := g.store.Get(key)
	if o == nil || !slices.Contains(o.Meta().Finalizers, finalizer) {
		return
	}
	why := whyForeground
	if finalizer == apiserver.FinalizerOrphan {
		why = whyOrphan
	}
	c := o.Copy()
	c.Meta().Finalizers = slices.DeleteFunc(c.Meta().Finalizers, func(f string) bool { return f == finalizer })
	_, err := g.client.Update(c, "need not wait for its dependents any more", why)
	g.must(err)
}

// must makes a refusal that cannot happen, the object having been read in this very moment, a panic.
func (g *Collector) must(err error) {
	if err != nil {
		panic("garbage: " + err.Error())
	}
}
