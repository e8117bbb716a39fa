package sim

import (
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/why"
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

// written is the version of an object that a sync has stored: the cache has to show it before the next sync of the same key (H-9,
// util/consistency/consistency.go). The next sync can come that early only if this one has waited for its client: then its key may have
// been queued again meanwhile.
type written struct {
	kind    api.Kind
	version int64
}

// Wrote notes an object that the current sync has stored. The arguments are those that the write returns, and it returns them.
func (l *Loop) Wrote(o api.Object, err error) (api.Object, error) {
	if err == nil {
		key := l.kernel.Trace.Records[l.record].Object
		l.written[key] = append(l.written[key], written{o.Key().Kind, o.Meta().ResourceVersion})
	}
	return o, err
}

var whyBehind = why.Rule("H-9", "pkg/controller/util/consistency/consistency.go:EnsureReady")

// behind returns an error if a cache does not show yet what the controller has written for a key. Once all is seen, it is forgotten.
func (l *Loop) behind(key api.Key) error {
	for _, w := range l.written[key] {
		if seen := l.store.Informer(w.kind).version; seen < w.version {
			l.Branch("refused: a cache does not show its last write yet", whyBehind)
			return fmt.Errorf("read version: %d is not as new as written version: %d for group resource %s",
				seen, w.version, kinds.Of(w.kind).Resource())
		}
	}
	l.written[key] = l.written[key][:0]
	return nil
}
