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
const eventsMax = 10_000

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
			w.send(sight(Entry{}), sight(e))
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
	w.put(watch.Bookmark, mark)
	return nil
}

// seen is an entry as watchers see it: those of one table get the same object, which none of them changes.
type seen struct {
	Entry
	objects map[*table]runtime.Object
}

func sight(e Entry) *seen { return &seen{e, map[*table]runtime.Object{}} }

// object decodes the entry, or returns nil if there is none.
func (s *seen) object(t *table) runtime.Object {
	if s.JSON == nil || s.objects[t] != nil {
		return s.objects[t]
	}
	obj := t.newFunc()
	if err := t.decode(s.Entry, obj); err != nil {
		panic("realserver: a stored object cannot be read: " + err.Error())
	}
	s.objects[t] = obj
	return obj
}

// send says what a write means to those who watch with this predicate.
func (w *watcher) send(before, after *seen) {
	old, had := w.matching(before)
	obj, has := w.matching(after)
	switch {
	case had && has:
		w.put(watch.Modified, obj)
	case has:
		w.put(watch.Added, obj)
	case had:
		w.put(watch.Deleted, old)
	}
}

// put does not wait for the reader: that one may need a lock of the writer's.
func (w *watcher) put(kind watch.EventType, o runtime.Object) {
	select {
	case w.events <- watch.Event{Type: kind, Object: o}:
	default:
		panic("realserver: a watcher of " + w.prefix + " is too far behind")
	}
}

// matching returns an object that the watcher asks for.
func (w *watcher) matching(s *seen) (runtime.Object, bool) {
	obj := s.object(w.table)
	if obj == nil {
		return nil, false
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
