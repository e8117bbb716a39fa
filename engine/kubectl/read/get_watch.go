package read

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/events"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// watch lists objects and then prints a row for each change (K-50, R-24). It never ends by itself.
//
// Simplified: kubectl receives a change at the moment of the change, not a millisecond later, so that its row shows beside
// what changed.
func (r *reading) watch(f *getFlags) error {
	if err := r.checkOutput(f); err != nil {
		return err
	}
	switch {
	case r.Flags["sort-by"] == "":
	case r.On("watch-only"):
		r.complain("warning: --watch-only requested, --sort-by will be ignored")
	default:
		r.complain("warning: --watch requested, --sort-by will be ignored for watch events received")
	}
	groups, errs := r.find()
	switch {
	case severalKinds(groups):
		return errors.New("you may only specify a single resource type")
	case len(errs) > 0:
		return errs[0]
	}
	if f.isTable() && !r.On("watch-only") { // of other forms, kubectl prints one object after the other
		if err := print.SortObjects(groups[0].Objects, r.Flags["sort-by"], true); err != nil {
			return fmt.Errorf("unable to output the provided object: %w", err)
		}
	}
	w := &watcher{listing: r.newListing(f, groups[0].Kind, false), kind: groups[0].Kind}
	if !r.On("watch-only") {
		if w.show(groups[0].Objects); w.err != nil {
			return fmt.Errorf("unable to output the provided object: %w", w.err)
		}
	}
	if len(r.Targets) > 1 {
		return errors.New("you may only watch a single resource or type of resource at a time")
	}
	if w.kind == api.KindEvent {
		w.laterEvents(func(e *events.Event) { // also those that only count on
			if w.err == nil && w.watches(e) {
				w.show([]api.Object{e})
			}
		})
	} else {
		w.follow()
	}
	r.answer.Open = w.err == nil
	return nil
}

// watcher prints objects as they change.
type watcher struct {
	*listing
	kind  api.Kind
	shown int   // how many objects
	err   error // of a template, which ends the watch without a word
}

// show prints objects at the present moment of the watch.
//
// Simplified: what a template makes of an object is a line of its own. kubectl prints it behind that of the object before, unless the
// template ends its lines.
func (w *watcher) show(objects []api.Object) {
	switch f := w.flags; {
	case f.isTable():
		w.printTable(objects)
	case f.columns != nil:
		if len(objects) > 0 {
			w.columns(objects)
		}
	case f.show != nil:
		for i := 0; i < len(objects) && w.err == nil && !w.answer.full; i++ {
			w.err = w.fill(f, print.Served(objects[i]))
		}
	default:
		for _, o := range objects {
			if w.shown > 0 && f.output == "yaml" {
				w.print("---")
			}
			w.print(print.ObjectText(o, f.output))
			w.shown++
		}
	}
}

// columns prints custom columns. The rows before an error are lost if there are several columns: kubectl is about to line them up.
func (w *watcher) columns(objects []api.Object) {
	lines, err := w.flags.columns([]print.Group{{Kind: w.kind, Objects: objects}})
	if w.err = err; len(lines) > 0 && (err == nil || !strings.Contains(w.flags.form, ",")) {
		w.print(strings.Join(lines, "\n"))
	}
}

// follow shows each later version of an object. What is deleted, or leaves the selector, is shown once more as it was.
func (w *watcher) follow() {
	for i := range w.Changes {
		c := &w.Changes[i]
		if w.answer.full || w.err != nil {
			return
		}
		o := c.New
		if !w.watches(o) {
			if o = c.Old; !w.watches(o) {
				continue
			}
		}
		w.now = c.At
		w.show([]api.Object{o})
	}
}

// watches says whether the command selects a version of an object, which may be nil.
func (w *watcher) watches(o api.Object) bool {
	if o == nil || o.Key().Kind != w.kind {
		return false
	}
	if len(w.Targets) > 0 {
		return o.Key() == w.Targets[0]
	}
	return w.selects(o)
}
