package sim

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/why"
)

// written is an object that a sync has stored, and the cache that has to show it before the next sync of the same key (H-9,
// util/consistency/consistency.go). The next sync can come that early only if this one has waited for its client: then its key may have
// been queued again meanwhile.
type written struct {
	cache   *Informer
	kind    api.Kind
	version int64
}

// Wrote notes an object that the current sync has stored. The arguments are those that the write returns, and it returns them.
func (l *Loop) Wrote(cache *Informer, o api.Object, err error) (api.Object, error) {
	if err != nil {
		return o, err
	}
	key := l.kernel.Trace.Records[l.record].Object
	l.written[key] = append(l.written[key], written{cache, o.Key().Kind, o.Meta().ResourceVersion})
	return o, nil
}

var whyBehind = why.Rule("H-9", "pkg/controller/util/consistency/consistency.go:EnsureReady")

// behind returns an error if a cache does not show yet what the controller has written for a key. Once all is seen, it is forgotten.
func (l *Loop) behind(key api.Key) error {
	for _, w := range l.written[key] {
		if w.cache.version < w.version {
			l.Branch("refused: a cache does not show its last write yet", whyBehind)
			return fmt.Errorf("read version: %d is not as new as written version: %d for group resource %s",
				w.cache.version, w.version, kinds.Of(w.kind).Resource())
		}
	}
	delete(l.written, key)
	return nil
}
