package sim

import (
	"iter"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
)

// Table holds the objects of one kind in the order of their creation, with an index by controlling owner. The store
// and the caches have one for each kind. A loop over it takes breaths. The zero value is ready to use.
type Table struct {
	items []api.Object // nil where one was removed
	at    map[api.Key]int
	owned map[string][]int // UID of the owner, "" for none -> indexes into items, also of removed objects
}

// Get returns an object, nil if it does not exist.
func (t *Table) Get(key api.Key) api.Object {
	i, ok := t.at[key]
	if !ok {
		return nil
	}
	return t.items[i]
}

// Owner returns the object that an owner reference from a namespace points to; nil without a reference, or if the table
// has no such object, or another one of that name.
func (t *Table) Owner(namespace string, ref *api.OwnerReference) api.Object {
	if ref == nil || len(t.at) == 0 {
		return nil
	}
	if o := t.Get(api.Key{Kind: ref.Kind, Namespace: namespace, Name: ref.Name}); o != nil && o.Meta().UID == ref.UID {
		return o
	}
	return nil
}

// Len returns the number of objects.
func (t *Table) Len() int { return len(t.at) }

// All yields the objects in the order of their creation. The table must not be changed meanwhile.
func (t *Table) All() iter.Seq[api.Object] {
	return func(yield func(api.Object) bool) {
		for _, o := range t.items {
			breath.Often()
			if o != nil && !yield(o) {
				return
			}
		}
	}
}

// OwnedBy yields the objects whose controller has this UID, or those without a controller for "", in the order of their
// creation.
func (t *Table) OwnedBy(uid string) iter.Seq[api.Object] {
	return func(yield func(api.Object) bool) {
		for _, i := range t.owned[uid] {
			breath.Often()
			if o := t.items[i]; o != nil && !yield(o) {
				return
			}
		}
	}
}

// Claimable yields the objects whose controller has this UID and those without a controller, in the order of their creation: what
// a controller may keep, adopt or release.
func (t *Table) Claimable(uid string) iter.Seq[api.Object] {
	return func(yield func(api.Object) bool) {
		own, free := t.owned[uid], t.owned[""]
		for len(own)+len(free) > 0 {
			next := &own
			if len(own) == 0 || len(free) > 0 && free[0] < own[0] {
				next = &free
			}
			breath.Often()
			if o := t.items[(*next)[0]]; o != nil && !yield(o) {
				return
			}
			*next = (*next)[1:]
		}
	}
}

// Put adds an object, or replaces its previous version.
func (t *Table) Put(o api.Object) {
	key := o.Key()
	i, ok := t.at[key]
	if ok {
		if was, is := t.items[i].Meta().ControllerUID(), o.Meta().ControllerUID(); was != is { // the order of creation stays
			at, _ := slices.BinarySearch(t.owned[was], i)
			t.owned[was] = slices.Delete(t.owned[was], at, at+1)
			at, _ = slices.BinarySearch(t.owned[is], i)
			t.owned[is] = slices.Insert(t.owned[is], at, i)
		}
		t.items[i] = o
		return
	}
	if t.at == nil {
		t.at, t.owned = map[api.Key]int{}, map[string][]int{}
	}
	t.append(o)
}

// append adds a new object at the end.
func (t *Table) append(o api.Object) {
	i := len(t.items)
	t.at[o.Key()] = i
	t.items = append(t.items, o)
	uid := o.Meta().ControllerUID()
	t.owned[uid] = append(t.owned[uid], i)
}

// Remove removes an object, if it is there.
func (t *Table) Remove(key api.Key) {
	i, ok := t.at[key]
	if !ok {
		return
	}
	t.items[i] = nil
	delete(t.at, key)
	if len(t.items) > 64 && len(t.items) > 2*len(t.at) {
		t.compact()
	}
}

// compact closes the gaps of removed objects.
func (t *Table) compact() {
	live := t.items
	t.items, t.owned = nil, map[string][]int{}
	for _, o := range live {
		if o != nil {
			t.append(o)
		}
	}
}
