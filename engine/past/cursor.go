package past

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/sim"
)

// checkpointEvery is the number of changes between two checkpoints of a view: once they
// exist, a jump over more than that replays at most half as many.
const checkpointEvery = 2048

// state is the cluster after some of its changes: the objects of each kind, by namespace and name. Objects never change in
// place, so a state is a few lists of pointers.
type state struct {
	changes int // how many changes it includes
	kinds   map[api.Kind][]api.Object
}

// view moves a state along the log of changes, forward and backward, and starts from a checkpoint if that is nearer.
type view struct {
	state
	store       *sim.Store
	checkpoints []state                 // after 0, checkpointEvery, 2*checkpointEvery … changes
	printed     map[api.Object][]string // cells of kubectl get
}

// seek moves the state to where it was after a number of changes.
func (v *view) seek(changes int) {
	if distance := changes - v.changes; distance < -checkpointEvery || distance > checkpointEvery {
		nearest := min((changes+checkpointEvery/2)/checkpointEvery, len(v.checkpoints)-1)
		if at := nearest * checkpointEvery; abs(changes-at) < abs(distance) {
			v.state = v.checkpoints[nearest].clone()
		}
	}
	for v.changes > changes {
		breath.Often()
		v.changes--
		c := &v.store.Log[v.changes]
		v.move(c.New, c.Old)
	}
	for v.changes < changes {
		breath.Often()
		c := &v.store.Log[v.changes]
		v.move(c.Old, c.New)
		v.changes++
		if v.changes == len(v.checkpoints)*checkpointEvery {
			v.checkpoints = append(v.checkpoints, v.clone())
		}
	}
}

// move replaces a version of an object, or nothing, by another version, or nothing.
func (v *view) move(from, to api.Object) {
	if from == nil {
		i, _ := v.find(to.Key())
		v.kinds[to.Key().Kind] = slices.Insert(v.kinds[to.Key().Kind], i, to)
		return
	}
	key := from.Key()
	i, found := v.find(key)
	if !found {
		panic("past: the log changes " + key.String() + ", which is not there")
	}
	if to == nil {
		v.kinds[key.Kind] = slices.Delete(v.kinds[key.Kind], i, i+1)
		return
	}
	v.kinds[key.Kind][i] = to
}

func (s *state) clone() state {
	c := state{changes: s.changes, kinds: make(map[api.Kind][]api.Object, len(s.kinds))}
	for kind, objects := range s.kinds {
		c.kinds[kind] = slices.Clone(objects)
	}
	return c
}

// find returns where an object is, or would be, in the list of its kind.
func (s *state) find(key api.Key) (int, bool) {
	return slices.BinarySearchFunc(s.kinds[key.Kind], key, func(o api.Object, key api.Key) int {
		m := o.Meta()
		return cmp.Or(strings.Compare(m.Namespace, key.Namespace), strings.Compare(m.Name, key.Name))
	})
}

// Get returns an object, nil if it does not exist.
func (s *state) Get(key api.Key) api.Object {
	if i, ok := s.find(key); ok {
		return s.kinds[key.Kind][i]
	}
	return nil
}

// All returns the objects of a kind by namespace and name, as kubectl lists them.
func (s *state) All(kind api.Kind) []api.Object { return s.kinds[kind] }

func abs(n int) int { return max(n, -n) }
