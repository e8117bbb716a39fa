package sim

import (
	"maps"

	"github.com/rollplay/rollplay/engine/api"
)

// AddOwners queues the workloads of a cache that a change of a pod, or of another dependent, affects: the former owner if
// it has released the dependent, and the owner, which it returns. Of an orphan that is new, released or relabelled it
// queues all workloads that select it, because they may adopt it.
func (l *Loop) AddOwners(cache *Table, c *Change) (owner api.Object) {
	m, released := c.Object().Meta(), false
	ref := m.ControllerOf()
	if c.Type == Modified {
		before := c.Old.Meta().ControllerOf()
		if released = before != nil && (ref == nil || *before != *ref); released {
			l.addOwner(cache, m.Namespace, before)
		}
	}
	switch {
	case ref != nil:
		return l.addOwner(cache, m.Namespace, ref)
	case c.Type == Added || released || c.Type == Modified && !maps.Equal(c.Old.Meta().Labels, m.Labels):
		l.addSelecting(cache, m)
	}
	return nil
}

// addOwner queues the workload that a reference points to, and returns it, nil if none has its UID (resolveControllerRef).
func (l *Loop) addOwner(cache *Table, namespace string, ref *api.OwnerReference) api.Object {
	o := cache.Owner(namespace, ref)
	if o != nil {
		l.Add(o.Key())
	}
	return o
}

// addSelecting queues the workloads that select an orphan. An empty selector selects nothing here.
func (l *Loop) addSelecting(cache *Table, orphan *api.ObjectMeta) {
	for o := range cache.All() {
		s := o.(api.Workload).Selector()
		if o.Meta().Namespace == orphan.Namespace && !s.Empty() && s.Matches(orphan.Labels) {
			l.Add(o.Key())
		}
	}
}
