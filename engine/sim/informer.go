package sim

import (
	"slices"

	"github.com/rollplay/rollplay/engine/breath"
)

// WatchLatency is how long a change takes from the store to the caches, in ms (SIM-3). It is not 0, so that a controller does
// not see its own write within the sync that makes it, as upstream.
const WatchLatency = 1

// Handler receives changes after the cache has them.
type Handler interface {
	OnChange(c *Change)
}

// Informer is the cache that all watchers of one kind share. It applies changes in the order of the writes, and calls
// its handlers in the order of AddHandler (H-1).
type Informer struct {
	Cache Table
	Late  Time // ms that changes take beyond WatchLatency: a judge uses it

	kernel   *Kernel
	handlers []Handler
	pending  []Change
	version  int64 // the resourceVersion of the last change in the cache (H-9)
}

// AddHandler passes every later change to a handler.
func (i *Informer) AddHandler(h Handler) { i.handlers = append(i.handlers, h) }

// push queues a change; one event delivers all changes of the same ms.
func (i *Informer) push(c Change) {
	if n := len(i.pending); n == 0 || i.pending[n-1].At != c.At {
		i.kernel.Schedule(Event{At: c.At + WatchLatency + i.Late, To: i})
	}
	i.pending = append(i.pending, c)
}

// Handle delivers the changes that are due.
func (i *Informer) Handle(e Event) {
	n := 0
	for n < len(i.pending) && i.pending[n].At+WatchLatency+i.Late <= e.At {
		n++
	}
	for j := range n {
		breath.Often()
		i.deliver(&i.pending[j])
	}
	i.pending = slices.Delete(i.pending, 0, n) // not a slice of the rest, so that the array is used again
}

func (i *Informer) deliver(c *Change) {
	if c.New != nil {
		i.Cache.Put(c.New)
	} else {
		i.Cache.Remove(c.Old.Key())
	}
	i.kernel.cause = int32(c.Record)
	i.version = int64(i.kernel.Trace.Records[c.Record].Change) + 1 // the n-th change has version n
	for _, h := range i.handlers {
		h.OnChange(c)
	}
}
