package kubectl

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/sim"
)

// read carries out a reading command of a timeline, in the cluster as it is. The answer consists of the lines of this very
// moment, because a record of the trace is complete when it is made: get -w lists and does not watch, rollout status says
// how far the rollout is. Only wait continues, see waiter.
func (k *Kubectl) read(c *command) {
	trace := k.store.Kernel.Trace.Records
	r := read.Reader{Cluster: stored{k.store}, Now: k.store.Kernel.Now(), Trace: trace, Record: len(trace) - 1}
	c.answer, _ = r.Read(&c.Command)
	c.answer.Open = false
}

// stored is the cluster as it is stored now.
type stored struct{ store *sim.Store }

// Get returns an object, nil if there is none of that name.
func (s stored) Get(key api.Key) api.Object { return s.store.Get(key) }

// All lists the objects of a kind by namespace and name: the store has them in the order of their creation.
func (s stored) All(kind api.Kind) []api.Object {
	return slices.SortedFunc(s.store.Table(kind).All(), api.ByName)
}
