package past

import (
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// history indexes the records that wrote each object. It grows with the run.
type history struct {
	changes int // how much of the store's log it includes
	writes  map[api.Key][]int32
	budgets []api.Key           // that ever existed
	pods    map[string][]placed // that StatefulSets and DaemonSets ever had, by the set's UID, in order of creation
}

// LastWrite returns the index of the last record, at or before a record, that wrote the object Kind/namespace/name; -1 if
// there is none.
func (p *Past) LastWrite(object string, record int) int { return p.lastWrite(ParseKey(object), record) }

func (p *Past) lastWrite(key api.Key, record int) int { return lastOf(upTo(p.Writes(key), record)) }

// upTo returns the part of a list of records up to a record.
func upTo(list []int32, record int) []int32 {
	return list[:sort.Search(len(list), func(i int) bool { return int(list[i]) > record })]
}

// lastOf returns the last of some records, -1 without one.
func lastOf(list []int32) int {
	if len(list) == 0 {
		return -1
	}
	return int(list[len(list)-1])
}

// Writes returns the records that wrote an object, in order.
func (p *Past) Writes(key api.Key) []int32 { return p.indexed().writes[key] }

// indexed brings the index up to date.
func (p *Past) indexed() *history {
	h := &p.history
	if h.writes == nil {
		h.writes, h.pods = map[api.Key][]int32{}, map[string][]placed{}
	}
	log := p.log()
	for ; h.changes < len(log); h.changes++ {
		c := &log[h.changes]
		k := c.Object().Key()
		h.writes[k] = append(h.writes[k], int32(c.Record))
		if c.Type == sim.Added {
			h.notice(c.New)
		}
	}
	return h
}

// notice indexes the objects that are looked up by more than their names.
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
		if ref.Kind != api.KindStatefulSet || !slices.Contains(h.pods[ref.UID], p) { // its pods are replaced under the same name
			h.pods[ref.UID] = append(h.pods[ref.UID], p)
		}
	}
}

// ParseKey is the reverse of Key.String.
func ParseKey(object string) api.Key {
	kind, name, _ := strings.Cut(object, "/")
	key := api.Key{Kind: api.Kind(kind), Name: name}
	if namespace, rest, ok := strings.Cut(name, "/"); ok {
		key.Namespace, key.Name = namespace, rest
	}
	return key
}

// ObjectAt returns an object as it was after a record, nil if it did not exist.
func (p *Past) ObjectAt(key api.Key, record int) api.Object {
	if i := p.lastWrite(key, record); i >= 0 {
		return p.Change(i).New
	}
	return nil
}

// LastInput returns the index of the last command at or before a record, -1 if there is none.
func (p *Past) LastInput(record int) int { return lastOf(p.inputsUpTo(record)) }

// inputsUpTo returns the records of the commands up to a record.
func (p *Past) inputsUpTo(record int) []int32 {
	for records := p.Records(); p.looked < len(records); p.looked++ {
		if records[p.looked].Kind == sim.Input {
			p.inputs = append(p.inputs, int32(p.looked))
		}
	}
	return upTo(p.inputs, record)
}
