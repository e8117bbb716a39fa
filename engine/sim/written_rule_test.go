package sim

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// writer is a reconciler that writes an object of its key when its client has a token, and takes every change as a reason to sync.
type writer struct {
	loop  *Loop
	store *Store
	cache *Informer
	syncs []Time
	most  int // writes
}

func (w *writer) OnChange(c *Change) { w.loop.Add(c.Object().Key()) }

func (w *writer) Sync(key api.Key) error {
	w.syncs = append(w.syncs, w.loop.kernel.now)
	if len(w.store.Log) > w.most {
		return nil
	}
	return w.loop.Await(func() error {
		o := &api.ReplicaSet{ObjectMeta: api.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
		w.store.Put(o, Record{})
		_, err := w.loop.Wrote(o, nil)
		return err
	})
}

// TestWritten is H-9: a sync of a key that is due in the ms in which the last one has written is refused, and the change that the cache
// gets a ms later brings the next one. The retry comes, too.
func TestWritten(t *testing.T) {
	k := &Kernel{}
	s := NewStore(k)
	w := &writer{store: s, cache: s.Informer(api.KindReplicaSet), most: 1}
	w.loop = NewLoop(s, "test", 0, w, NewLimiter(k, ClientConnection{QPS: 20, Burst: 1}))
	w.cache.AddHandler(w)
	w.loop.limit.Take()
	key := api.Key{Kind: api.KindReplicaSet, Namespace: "default", Name: "a"}
	s.Put(&api.ReplicaSet{ObjectMeta: api.ObjectMeta{Namespace: "default", Name: "a"}}, Record{})
	for k.now < 2 {
		k.Step()
	}
	w.loop.Add(key) // while its sync waits
	for k.Step() {
	}
	var refused []string
	for _, r := range k.Trace.Records {
		if r.Kind == Decision || r.Failed {
			refused = append(refused, r.What)
		}
	}
	if got := strings.Join(refused, "; "); got != "refused: a cache does not show its last write yet; "+
		"tries again in 5 ms: read version: 1 is not as new as written version: 2 for group resource replicasets.apps" {
		t.Errorf("refused %q", got)
	}
	if len(w.syncs) != 3 || w.syncs[1] != 51 || w.syncs[2] != 55 || len(w.loop.written[key]) != 0 {
		t.Errorf("syncs at %v, %d writes are kept", w.syncs, len(w.loop.written[key]))
	}
}
