package sim

// WatchLatency is how long a change takes from the store to the caches, in ms (SIM-3). It is more than nothing so that
// a controller does not see its own write within the sync that made it, as upstream.
const WatchLatency = 1

// Handler is told of a change after the cache has it.
type Handler interface {
	OnChange(c *Change)
}

// Informer is the cache that all watchers of one kind share. Changes reach it in the order in which they were made,
// and its handlers run in the order in which they were added (H-1).
type Informer struct {
	Cache Table

	kernel   *Kernel
	handlers []Handler
	pending  []Change
}

// AddHandler lets a handler hear of every later change.
func (i *Informer) AddHandler(h Handler) { i.handlers = append(i.handlers, h) }

// push queues a change; one event delivers all the changes of a moment.
func (i *Informer) push(c Change) {
	if n := len(i.pending); n == 0 || i.pending[n-1].At != c.At {
		i.kernel.Schedule(Event{At: c.At + WatchLatency, To: i})
	}
	i.pending = append(i.pending, c)
}

// Handle delivers what is due.
func (i *Informer) Handle(e Event) {
	n := 0
	for n < len(i.pending) && i.pending[n].At+WatchLatency <= e.At {
		n++
	}
	due := i.pending[:n]
	i.pending = i.pending[n:]
	if len(i.pending) == 0 {
		i.pending = nil
	}
	for j := range due {
		i.deliver(&due[j])
	}
}

func (i *Informer) deliver(c *Change) {
	if c.New != nil {
		i.Cache.Put(c.New)
	} else {
		i.Cache.Remove(c.Old.Key())
	}
	i.kernel.cause = int32(c.Record)
	for _, h := range i.handlers {
		h.OnChange(c)
	}
}
