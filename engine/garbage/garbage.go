// Package garbage deletes what has lost its owner. It stands for the garbage collector of the controller
// manager, for the two kinds that can have an owner here: ReplicaSets and Pods.
//
// Simplified: an object has at most one owner, its controller, and every dependent blocks the foreground deletion of
// its owner; that is so for all that the simulated controllers make.
package garbage

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// Actor is the collector's name in records.
const Actor = "garbage-collector"

var (
	whyBackground = sim.Explain{Rule: "A-9", Upstream: "pkg/controller/garbagecollector/garbagecollector.go:attemptToDeleteItem",
		Note: "the owner is gone, so what it owned goes"}
	whyForeground = sim.Explain{Rule: "A-9", Upstream: "pkg/controller/garbagecollector/garbagecollector.go:processDeletingDependentsItem",
		Note: "the owner waits for what it owns to go first"}
	whyOrphan = sim.Explain{Rule: "A-9", Upstream: "pkg/controller/garbagecollector/garbagecollector.go:orphanDependents",
		Note: "what the owner owned shall stay"}
)

// dependentKinds are the kinds that can have an owner, in the order in which they are deleted.
var dependentKinds = []api.Kind{api.KindReplicaSet, api.KindPod}

// Collector watches owners and what they own.
type Collector struct {
	client *apiserver.Client
	store  *sim.Store
}

// New returns a collector.
func New(server *apiserver.Server) *Collector {
	g := &Collector{client: server.Client(Actor), store: server.Store}
	for _, kind := range []api.Kind{api.KindDeployment, api.KindReplicaSet, api.KindPod} {
		server.Store.Informer(kind).AddHandler(g)
	}
	return g
}

// OnChange hears of owners that go and of dependents that come or go.
func (g *Collector) OnChange(c *sim.Change) {
	switch {
	case c.Type == sim.Deleted:
		g.collect(c.Old)
		if owner := g.ownerOf(c.Old); owner != nil {
			g.release(owner)
		}
	case c.Type == sim.Added && g.ownerless(c.New):
		g.delete(c.New, apiserver.Background, &whyBackground)
	case c.Type == sim.Modified && c.New.Meta().Terminating() && !c.Old.Meta().Terminating():
		g.finalize(c.New)
	}
}

// collect deletes what a deleted object owned.
func (g *Collector) collect(owner api.Object) {
	for _, o := range g.dependents(owner) {
		g.delete(o, apiserver.Background, &whyBackground)
	}
}

// ownerless says whether the owner of an object is gone: a controller may create a dependent just then.
func (g *Collector) ownerless(o api.Object) bool {
	ref := o.Meta().ControllerOf()
	return ref != nil && g.ownerOf(o) == nil
}

// finalize works towards the end of an owner whose deletion was asked for, and which waits for its finalizers.
func (g *Collector) finalize(owner api.Object) {
	switch finalizers := owner.Meta().Finalizers; {
	case slices.Contains(finalizers, apiserver.FinalizerOrphan):
		for _, o := range g.dependents(owner) {
			g.orphan(o, owner.Meta().UID)
		}
		g.removeFinalizer(owner.Key(), apiserver.FinalizerOrphan)
	case slices.Contains(finalizers, apiserver.FinalizerForeground):
		waits := g.dependents(owner)
		for _, o := range waits {
			g.delete(o, apiserver.Foreground, &whyForeground)
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
	for _, kind := range dependentKinds {
		for range g.store.Table(kind).OwnedBy(owner.Meta().UID) {
			return
		}
	}
	g.removeFinalizer(owner.Key(), apiserver.FinalizerForeground)
}

// ownerOf returns the owner of an object as it is now, nil if it has none or the owner is gone.
func (g *Collector) ownerOf(o api.Object) api.Object {
	ref := o.Meta().ControllerOf()
	if ref == nil {
		return nil
	}
	owner := g.store.Get(api.Key{Kind: ref.Kind, Namespace: o.Meta().Namespace, Name: ref.Name})
	if owner == nil || owner.Meta().UID != ref.UID {
		return nil
	}
	return owner
}

// dependents returns what an object owns now, in the order of creation.
func (g *Collector) dependents(owner api.Object) (list []api.Object) {
	if owner.Key().Kind == api.KindPod {
		return nil
	}
	for _, kind := range dependentKinds {
		for o := range g.store.Table(kind).OwnedBy(owner.Meta().UID) {
			list = append(list, o)
		}
	}
	return list
}

// delete deletes a dependent, if it is still the one that was seen.
func (g *Collector) delete(o api.Object, how apiserver.Propagation, why *sim.Explain) {
	if now := g.store.Get(o.Key()); now == nil || now.Meta().UID != o.Meta().UID || now.Meta().Terminating() {
		return
	}
	if o.Key().Kind == api.KindPod {
		how = apiserver.Background // a pod owns nothing
	}
	g.must(g.client.Delete(o.Key(), apiserver.DeleteOptions{Propagation: how}, "deleted with its owner", why))
}

// orphan takes an owner's reference from a dependent.
func (g *Collector) orphan(o api.Object, uid string) {
	c := o.Copy()
	c.Meta().OwnerReferences = slices.DeleteFunc(c.Meta().OwnerReferences, func(r api.OwnerReference) bool { return r.UID == uid })
	_, err := g.client.Update(c, "stays without its owner", &whyOrphan)
	g.must(err)
}

// removeFinalizer takes a finalizer from an owner; without any, the API server removes it.
func (g *Collector) removeFinalizer(key api.Key, finalizer string) {
	o := g.store.Get(key)
	if o == nil || !slices.Contains(o.Meta().Finalizers, finalizer) {
		return
	}
	why := &whyForeground
	if finalizer == apiserver.FinalizerOrphan {
		why = &whyOrphan
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
