package app

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine"
)

// index knows where in a run's records the things are that lists and marks show. It grows with the run, so that
// a long run is read once and not once for each frame.
type index struct {
	run     *engine.Run
	scanned int
	events  []int     // records of kind Event
	inputs  []int     // records of kind Input
	syncs   []float64 // virtual ms of reconciles, each once
	shown   []int     // records of the list of decisions: all but events, which have a list of their own
	telling []int     // records in which a controller worked out what to do; see telling
}

// of returns the index brought up to date with run.
func (x *index) of(run *engine.Run) *index {
	if x.run != run {
		*x = index{run: run}
	}
	if run == nil {
		return x
	}
	for n := run.Len(); x.scanned < n; x.scanned++ {
		x.scan(run.Record(x.scanned))
	}
	return x
}

func (x *index) scan(r engine.Record) {
	switch r.Kind {
	case engine.Event:
		x.events = append(x.events, x.scanned)
	case engine.Input:
		x.inputs = append(x.inputs, x.scanned)
	}
	if r.Kind != engine.Event {
		x.shown = append(x.shown, x.scanned)
	}
	if telling(r) {
		x.telling = append(x.telling, x.scanned)
	}
	if t := float64(r.T); r.Kind == engine.Reconcile && (len(x.syncs) == 0 || x.syncs[len(x.syncs)-1] != t) {
		x.syncs = append(x.syncs, t)
	}
}

// telling says that a record answers why pods come and go. Most reconciles only bring a status up to date or try
// again, and a person who looks for the reason would see nothing else.
func telling(r engine.Record) bool {
	return r.Why != nil && strings.HasSuffix(r.Actor, "-controller") &&
		!strings.HasPrefix(r.What, "status") && !strings.HasPrefix(r.What, "tries again") && !strings.HasPrefix(r.What, "looks again")
}

// before returns how many of the sorted record indices are at or before record i.
func before(records []int, i int) int {
	n, _ := slices.BinarySearch(records, i+1)
	return n
}

// known is a ReplicaSet that the chart draws.
type known struct {
	name, image string
	revision    int // when it first showed up
}

// replicaSets lists the ReplicaSets of a workload in the order in which they first show up; it too grows with the
// run.
type replicaSets struct {
	run      *engine.Run
	workload string
	scanned  int
	all      []known
}

func (x *replicaSets) of(run *engine.Run, workload string) []known {
	if x.run != run || x.workload != workload {
		*x = replicaSets{run: run, workload: workload}
	}
	if run == nil {
		return nil
	}
	frames := run.Frames(workload)
	for ; x.scanned < len(frames); x.scanned++ {
		f := frames[x.scanned]
		for _, rs := range f.ReplicaSets {
			if !slices.ContainsFunc(x.all, func(k known) bool { return k.name == rs.Name }) {
				x.all = append(x.all, known{name: rs.Name, image: imageOf(run, f, rs.Name), revision: rs.Revision})
			}
		}
	}
	return x.all
}

// imageOf looks the images of a ReplicaSet up, which a frame does not have.
func imageOf(run *engine.Run, f engine.Frame, name string) string {
	for _, row := range run.Snapshot(f.Record).ReplicaSets {
		if row.Name == name {
			return strings.TrimSpace(row.Images)
		}
	}
	return ""
}
