package sim

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
)

// ChangeType is the type of a Change.
type ChangeType uint8

// The types of changes, named as the watch names them.
const (
	Added ChangeType = iota
	Modified
	Deleted
)

// Change is one write to the store.
type Change struct {
	At     Time
	Type   ChangeType
	Old    api.Object // nil if the object was created
	New    api.Object // nil if it was removed
	Record int        // index of its record
}

// Object returns the new version of the object, or the last one if it was removed.
func (c *Change) Object() api.Object {
	if c.New != nil {
		return c.New
	}
	return c.Old
}

// Observer receives each change at once, before any watch. It must not write.
type Observer interface {
	Observe(c *Change)
}

// Store holds the current objects and every change that led to them. Objects in it are never changed in place, so the
// log up to a change gives the state after it.
type Store struct {
	Kernel *Kernel
	Log    []Change

	observers       []Observer
	resourceVersion int64
	tables          map[api.Kind]*Table
	informers       map[api.Kind]*Informer
}

// NewStore returns an empty store.
func NewStore(k *Kernel) *Store {
	return &Store{Kernel: k, tables: map[api.Kind]*Table{}, informers: map[api.Kind]*Informer{}}
}

// Table returns the current objects of a kind.
func (s *Store) Table(kind api.Kind) *Table {
	t := s.tables[kind]
	if t == nil {
		t = &Table{}
		s.tables[kind] = t
	}
	return t
}

// Get returns the current version of an object, nil if it does not exist. It writes nothing, not even an empty table, because
// the workers of the real controllers call it side by side (see oracle/conformance).
func (s *Store) Get(key api.Key) api.Object {
	if t := s.tables[key.Kind]; t != nil {
		return t.Get(key)
	}
	return nil
}

// Follow passes each later change to an observer. Observers are called in the order of Follow.
func (s *Store) Follow(o Observer) { s.observers = append(s.observers, o) }

// Put stores a new object, or a new version of one, under the next resourceVersion, and records it. The caller
// checks before that the write is allowed and changes something, and does not change the object afterwards.
func (s *Store) Put(o api.Object, r Record) {
	s.resourceVersion++
	o.Meta().ResourceVersion = s.resourceVersion
	c := Change{Type: Added, New: o}
	if old := s.Get(o.Key()); old != nil {
		c.Type, c.Old = Modified, old
	}
	s.Table(o.Key().Kind).Put(o)
	s.commit(c, r)
}

// Remove removes an object and records it.
func (s *Store) Remove(key api.Key, r Record) {
	old := s.Get(key)
	if old == nil {
		panic(fmt.Sprintf("sim: removal of %s, which is not in the store", key))
	}
	s.resourceVersion++
	s.Table(key.Kind).Remove(key)
	s.commit(Change{Type: Deleted, Old: old}, r)
}

func (s *Store) commit(c Change, r Record) {
	breath.Take()
	c.At, c.Record = s.Kernel.Now(), len(s.Kernel.Trace.Records)
	r.Kind, r.Object, r.Change = Write, c.Object().Key(), len(s.Log)
	s.Log = append(s.Log, c)
	s.Kernel.Add(r)
	for _, o := range s.observers {
		o.Observe(&s.Log[r.Change]) // not &c, which would be one more allocation for each write
	}
	if i := s.informers[r.Object.Kind]; i != nil {
		i.push(c)
	}
}

// Watch passes every later change of some kinds to a handler.
func (s *Store) Watch(h Handler, kinds ...api.Kind) {
	for _, kind := range kinds {
		s.Informer(kind).AddHandler(h)
	}
}

// Informer returns the shared cache of a kind. It watches from the first call on.
func (s *Store) Informer(kind api.Kind) *Informer {
	i := s.informers[kind]
	if i == nil {
		i = &Informer{kernel: s.Kernel}
		s.informers[kind] = i
	}
	return i
}
