package engine

import (
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// history knows in which records each object was written. It grows with the run.
type history struct {
	changes int // how many of the store's log it has
	writes  map[api.Key][]int32
	budgets []api.Key           // that ever existed
	pods    map[string][]placed // of StatefulSets and DaemonSets, by their UID
}

// LastWrite returns the index of the last record at or before a record in which an object, written
// Kind/namespace/name, was written; -1 if there is none.
func (r *Run) LastWrite(object string, record int) int { return r.lastWrite(parseKey(object), record) }

func (r *Run) lastWrite(key api.Key, record int) int {
	writes := r.writes(key)
	n := sort.Search(len(writes), func(i int) bool { return int(writes[i]) > record })
	if n == 0 {
		return -1
	}
	return int(writes[n-1])
}

// writes returns the records in which an object was written, in order.
func (r *Run) writes(key api.Key) []int32 {
	h := &r.history
	if h.writes == nil {
		h.writes, h.pods = map[api.Key][]int32{}, map[string][]placed{}
	}
	log := r.world.server.Store.Log
	for ; h.changes < len(log); h.changes++ {
		c := &log[h.changes]
		k := c.Object().Key()
		h.writes[k] = append(h.writes[k], int32(c.Record))
		if c.Type == sim.Added {
			h.notice(c.New)
		}
	}
	return h.writes[key]
}

// notice remembers what is looked for by more than its name.
func (h *history) notice(o api.Object) {
	switch o := o.(type) {
	case *api.PodDisruptionBudget:
		if !slices.Contains(h.budgets, o.Key()) {
			h.budgets = append(h.budgets, o.Key())
		}
	case *api.Pod:
		ref := o.ControllerOf()
		if ref == nil || ref.Kind == api.KindReplicaSet {
			return
		}
		p := placed{key: o.Key(), node: o.TargetNode}
		if ref.Kind != api.KindStatefulSet || !slices.Contains(h.pods[ref.UID], p) { // its pods come again under their names
			h.pods[ref.UID] = append(h.pods[ref.UID], p)
		}
	}
}

// parseKey is the reverse of Key.String.
func parseKey(object string) api.Key {
	kind, name, _ := strings.Cut(object, "/")
	key := api.Key{Kind: api.Kind(kind), Name: name}
	if namespace, rest, ok := strings.Cut(name, "/"); ok {
		key.Namespace, key.Name = namespace, rest
	}
	return key
}

// IsIdle says whether a reconcile begins at record i that left no other record: it looked and found nothing to do.
func (r *Run) IsIdle(i int) bool {
	s := r.records()[i].Sync
	return s != nil && s.Last == i
}

// Kind returns the kind of the i-th record.
func (r *Run) Kind(i int) RecordKind { return r.records()[i].Kind }

// SameReason says whether two records tell of the same thing for the same reason: ten pods are created for one.
func (r *Run) SameReason(i, j int) bool {
	a, b := &r.records()[i], &r.records()[j]
	return a.Why == b.Why && a.What == b.What
}
