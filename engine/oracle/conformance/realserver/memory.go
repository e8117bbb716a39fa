package realserver

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
)

// Memory holds objects as etcd would: by key, encoded, with the version of their last write.
type Memory struct {
	mu       sync.Mutex
	version  uint64
	entries  map[string]Entry
	watchers map[*watcher]bool
	requests []Write
	loaded   func() // is called when objects were changed past the registries
}

// Write is what a request has written: nil stands for no object.
type Write struct {
	Key           string
	Before, After []byte
}

// Requested returns what requests have written, in their order.
func (m *Memory) Requested() []Write {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// request writes as a request does. The caller holds the lock.
func (m *Memory) request(key string, json []byte) Entry {
	m.requests = append(m.requests, Write{key, m.entries[key].JSON, json})
	return m.write(key, json)
}

// Entry is a stored object, without its resourceVersion.
type Entry struct {
	JSON    []byte
	version uint64
}

func newMemory() *Memory { return &Memory{entries: map[string]Entry{}, watchers: map[*watcher]bool{}} }

// Entries returns all that is stored now.
func (m *Memory) Entries() map[string]Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.entries)
}

// Reset puts back what Entries returned earlier.
func (m *Memory) Reset(entries map[string]Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries = maps.Clone(entries)
	m.loaded()
}

func (m *Memory) get(key string) (e Entry, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok = m.entries[key]
	return e, ok
}

// write stores an object, or deletes it if there is none, and tells the watchers. The caller holds the lock.
func (m *Memory) write(key string, json []byte) Entry {
	m.version++
	before := m.entries[key]
	after := Entry{json, m.version}
	if json == nil {
		delete(m.entries, key)
	} else {
		m.entries[key] = after
	}
	was, is := sight(Entry{before.JSON, m.version}), sight(after)
	for w := range m.watchers {
		if strings.HasPrefix(key, w.prefix) {
			w.send(was, is)
		}
	}
	return after
}

// table is the storage of one resource. All tables share the memory.
type table struct {
	*Memory
	codec     runtime.Codec
	newFunc   func() runtime.Object
	versioner storage.APIObjectVersioner
}

func (t *table) Versioner() storage.Versioner { return t.versioner }

func (t *table) decode(e Entry, into runtime.Object) error {
	if _, _, err := t.codec.Decode(e.JSON, nil, into); err != nil {
		return err
	}
	return t.versioner.UpdateObject(into, e.version)
}

func (t *table) encode(o runtime.Object) ([]byte, error) {
	if err := t.versioner.PrepareObjectForStorage(o); err != nil {
		return nil, err
	}
	return runtime.Encode(t.codec, o)
}

// Create implements storage.Interface.
func (t *table) Create(_ context.Context, key string, obj, out runtime.Object, _ uint64) error {
	json, err := t.encode(obj)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.entries[key]; ok {
		return storage.NewKeyExistsError(key, 0)
	}
	e := t.request(key, json)
	if out == nil {
		return nil
	}
	return t.decode(e, out)
}

// Get implements storage.Interface.
func (t *table) Get(_ context.Context, key string, opts storage.GetOptions, into runtime.Object) error {
	e, ok := t.get(key)
	switch {
	case ok:
		return t.decode(e, into)
	case opts.IgnoreNotFound:
		return runtime.SetZeroValue(into)
	}
	return storage.NewKeyNotFoundError(key, 0)
}

// current decodes what is stored and checks what the caller requires of it.
func (t *table) current(key string, required *storage.Preconditions) (runtime.Object, Entry, error) {
	obj := t.newFunc()
	e, ok := t.get(key)
	if !ok {
		return obj, e, storage.NewKeyNotFoundError(key, 0)
	}
	err := t.decode(e, obj)
	if err == nil && required != nil {
		err = required.Check(key, obj)
	}
	return obj, e, err
}

// Delete implements storage.Interface.
func (t *table) Delete(ctx context.Context, key string, out runtime.Object, required *storage.Preconditions,
	validate storage.ValidateObjectFunc, _ runtime.Object, _ storage.DeleteOptions) error {
	obj, e, err := t.current(key, required)
	if err == nil {
		err = validate(ctx, obj)
	}
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	e.version = t.request(key, nil).version
	return t.decode(e, out)
}

// GuaranteedUpdate implements storage.Interface. A write that changes nothing is not one.
func (t *table) GuaranteedUpdate(_ context.Context, key string, out runtime.Object, ignoreNotFound bool,
	required *storage.Preconditions, update storage.UpdateFunc, _ runtime.Object) error {
	for {
		obj, before, err := t.current(key, required)
		if storage.IsNotFound(err) && ignoreNotFound {
			err = nil
		}
		if err != nil {
			return err
		}
		obj, _, err = update(obj, storage.ResponseMeta{ResourceVersion: before.version})
		if err != nil {
			return err
		}
		json, err := t.encode(obj)
		if err != nil {
			return err
		}
		if e, ok := t.swap(key, before, json); ok {
			return t.decode(e, out)
		}
	}
}

// swap writes an object unless somebody else did meanwhile.
func (t *table) swap(key string, before Entry, json []byte) (Entry, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.entries[key].version != before.version:
		return before, false
	case bytes.Equal(json, before.JSON):
		return before, true
	}
	return t.request(key, json), true
}

// GetList implements storage.Interface.
func (t *table) GetList(_ context.Context, prefix string, opts storage.ListOptions, list runtime.Object) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	objects := []runtime.Object{}
	for _, key := range t.under(prefix, opts.Recursive) {
		obj := t.newFunc()
		if err := t.decode(t.entries[key], obj); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		if ok, err := opts.Predicate.Matches(obj); err != nil {
			return err
		} else if ok {
			objects = append(objects, obj)
		}
	}
	if err := meta.SetList(list, objects); err != nil {
		return err
	}
	return t.versioner.UpdateList(list, t.version, "", nil)
}

// under returns the keys below a prefix in order, or the prefix itself if it is the key of an object.
func (m *Memory) under(prefix string, recursive bool) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(m.entries)) {
		if key == prefix || recursive && strings.HasPrefix(key, directory(prefix)) {
			keys = append(keys, key)
		}
	}
	return keys
}

func directory(prefix string) string { return strings.TrimSuffix(prefix, "/") + "/" }

// GetCurrentResourceVersion implements storage.Interface.
func (t *table) GetCurrentResourceVersion(context.Context) (uint64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.version, nil
}

// What storage.Interface has for the upkeep of etcd.

func (t *table) Stats(context.Context) (storage.Stats, error)        { return storage.Stats{}, nil }
func (t *table) ReadinessCheck() error                               { return nil }
func (t *table) RequestWatchProgress(context.Context) error          { return nil }
func (t *table) EnableResourceSizeEstimation(storage.KeysFunc) error { return nil }
func (t *table) CompactRevision() int64                              { return 0 }
