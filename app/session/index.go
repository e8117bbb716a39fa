package session

import (
	"strings"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/breath"
)

// index knows which records lists and marks show. It grows with the run, so that
// a long run is read once, and not in every frame.
type index struct {
	run     *engine.Run
	scanned int
	Events  []int // records of kind Event
	Inputs  []int // the commands: records of kind Input
	prints  []int // those that a terminal shows: the same, and what a wait of a timeline prints later
	all     []int // records of the list of decisions: all but events, which have a list of their own
	shown   []int // those of them that are no reconcile that changed nothing
	telling []int // records in which a controller worked out what to do; see telling

	busy     []int // reconciles that wrote or decided something
	busyEnd  int   // the last record of the last of them
	deciding []int // those of them with a telling record
	failures []int // reconciles that failed by more than a conflict, each object's first one in a row
	failing  map[string]bool

	decided    map[string][]int // by actor, what it decided: a controller's telling records, anybody else's explained ones and commands
	Reconciles map[string][]int // by controller
}

// Records are those of the list of decisions, with or without the reconciles that changed nothing.
func (x *index) Records(idle bool) []int {
	if idle {
		return x.all
	}
	return x.shown
}

// Index is where things are in the records of the shown run.
func (r *Reading) Index() *index {
	x, run := &r.index, r.computed.shown
	if x.run != run {
		*x = index{run: run, failing: map[string]bool{}, decided: map[string][]int{}, Reconciles: map[string][]int{}}
	}
	if run == nil {
		return x
	}
	for n := run.Len(); x.scanned < n; x.scanned++ {
		breath.Often()
		x.scan(run.Record(x.scanned))
	}
	return x
}

func (x *index) scan(r engine.Record) {
	switch r.Kind {
	case engine.Event:
		x.Events = append(x.Events, x.scanned)
	case engine.Input:
		x.Inputs = append(x.Inputs, x.scanned)
		x.prints = append(x.prints, x.scanned)
	case engine.Output:
		x.prints = append(x.prints, x.scanned)
	}
	if r.Kind != engine.Event {
		x.all = append(x.all, x.scanned)
		if !x.run.Past().IsIdle(x.scanned) {
			x.shown = append(x.shown, x.scanned)
		}
	}
	if telling(r) {
		x.telling = append(x.telling, x.scanned)
	}
	if telling(r) || !controller(r.Actor) && (r.Kind == engine.Input || r.Why != nil) {
		x.decided[r.Actor] = append(x.decided[r.Actor], x.scanned)
	}
	if r.Kind == engine.Reconcile {
		x.Reconciles[r.Actor] = append(x.Reconciles[r.Actor], x.scanned)
	}
	x.scanReconcile(r)
}

// scanReconcile adds the reconciles that did something, and how they ended.
func (x *index) scanReconcile(r engine.Record) {
	i := x.scanned
	switch n := len(x.busy); {
	case r.Kind == engine.Reconcile:
		if x.run.Past().IsIdle(i) {
			x.failing[r.Object] = false
			break
		}
		x.busy, x.busyEnd = append(x.busy, i), x.run.Past().Sync(i).Last
		x.scanFailure(r)
	case n > 0 && i <= x.busyEnd && telling(r) && cursor.Upto(x.deciding, x.busy[n-1]-1) == len(x.deciding):
		x.deciding = append(x.deciding, x.busy[n-1])
	}
}

// scanFailure adds a reconcile that failed. Conflicts are normal when controllers work side by side, and
// another failure of the same object is no news.
func (x *index) scanFailure(r engine.Record) {
	if r.Failed && strings.Contains(x.run.Record(x.busyEnd).What, "the object has been modified") {
		return
	}
	if r.Failed && !x.failing[r.Object] {
		x.failures = append(x.failures, x.scanned)
	}
	x.failing[r.Object] = r.Failed
}

// telling says that a record explains why pods are created or deleted. Most reconciles only update a status or try
// again, and would hide the reason from a person who looks for it.
func telling(r engine.Record) bool {
	return r.Why != nil && r.Kind != engine.Reconcile && controller(r.Actor) &&
		!strings.HasPrefix(r.What, "status") && !strings.HasPrefix(r.What, "tries again") && !strings.HasPrefix(r.What, "looks again")
}

// controller says whether an actor works in reconciles.
func controller(actor string) bool { return strings.HasSuffix(actor, "-controller") }
