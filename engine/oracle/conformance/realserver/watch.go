package realserver

import (
	"context"
	"strconv"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/storage"
)

// eventsMax is the number of events that a watcher may be behind.
const eventsMax = 100_000

// watcher sends what changes below a prefix.
type watcher struct {
	*table
	prefix    string
	predicate storage.SelectionPredicate
	events    chan watch.Event
	stop      sync.Once
}

// Watch implements storage.Interface.
func (t *table) Watch(ctx context.Context, prefix string, opts storage.ListOptions) (watch.Interface, error) {
	if opts.Recursive {
		prefix = directory(prefix)
	}
	since, err := uint64(0), error(nil)
	if opts.ResourceVersion != "" {
		if since, err = strconv.ParseUint(opts.ResourceVersion, 10, 64); err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
	}
	initial := opts.SendInitialEvents != nil && *opts.SendInitialEvents
	if initial {
		since = 0
	}
	w := &watcher{table: t, prefix: prefix, predicate: opts.Predicate, events: make(chan watch.Event, eventsMax)}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, key := range t.under(prefix, true) {
		if e := t.entries[key]; e.version > since {
			w.send(Entry{}, e)
		}
	}
	if initial && opts.Predicate.AllowWatchBookmarks {
		if err := w.bookmark(); err != nil {
			return nil, err
		}
	}
	t.watchers[w] = true
	context.AfterFunc(ctx, w.Stop)
	return w, nil
}

// bookmark says that all that was there when the watch began is sent.
func (w *watcher) bookmark() error {
	mark := w.newFunc()
	if err := w.versioner.UpdateObject(mark, w.version); err != nil {
		return err
	}
	if err := storage.AnnotateInitialEventsEndBookmark(mark); err != nil {
		return err
	}
	w.events <- watch.Event{Type: watch.Bookmark, Object: mark}
	return nil
}

// send says what a write means to those who watch with this predicate.
func (w *watcher) send(before, after Entry) {
	before.version = after.version
	old, had := w.matching(before)
	obj, has := w.matching(after)
	switch {
	case had && has:
		w.events <- watch.Event{Type: watch.Modified, Object: obj}
	case has:
		w.events <- watch.Event{Type: watch.Added, Object: obj}
	case had:
		w.events <- watch.Event{Type: watch.Deleted, Object: old}
	}
}

// matching decodes an object that the watcher asks for.
func (w *watcher) matching(e Entry) (runtime.Object, bool) {
	if e.JSON == nil {
		return nil, false
	}
	obj := w.newFunc()
	if err := w.decode(e, obj); err != nil {
		panic("realserver: a stored object cannot be read: " + err.Error())
	}
	ok, err := w.predicate.Matches(obj)
	return obj, ok && err == nil
}

// ResultChan implements watch.Interface.
func (w *watcher) ResultChan() <-chan watch.Event { return w.events }

// Stop implements watch.Interface.
func (w *watcher) Stop() {
	w.stop.Do(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.watchers, w)
		close(w.events)
	})
}

// keyOf returns where the registries keep an object.
func keyOf(resource, namespace, name string) string {
	return strings.ReplaceAll("/"+resource+"/"+namespace+"/"+name, "//", "/")
}
