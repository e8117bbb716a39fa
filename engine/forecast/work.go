package forecast

import (
	"cmp"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/past"
)

// work holds the rollouts and figures of one workload, up to the records and frames that were read.
type work struct {
	state
	past   *past.Past
	since  int64 // when the state began
	frames int   // how many were read

	object    api.Object           // nil while it does not exist
	rolled    *api.PodTemplateSpec // the template of the last rollout, nil before the first
	partition int
	up        bool // a pod has been available
	settled   bool // it was complete at some time

	rollouts []Rollout
	open     bool  // the last rollout has not ended
	fresh    bool  // a write may have completed it without changing a count, as its first or a new partition does
	write    int   // that write
	wrote    int64 // when
	tail     bool  // it is complete, but pods still terminate
	tally    tally // of the last rollout
	overall  tally
}

// drain reads the frames that follow records before one.
func (w *work) drain(list []frames.Frame, before int) {
	for ; w.frames < len(list) && list[w.frames].Record < before; w.frames++ {
		w.take(&list[w.frames])
	}
	w.ripen()
}

// take begins the state of a frame.
func (w *work) take(f *frames.Frame) {
	if w.fresh && f.Record != w.write {
		w.ripen()
	}
	w.fresh = false
	w.advance(f.T)
	w.charge(f)
	w.desired, w.total, w.updated, w.available = f.Desired, f.Total, f.Updated, f.Available
	w.terminating, w.lower = f.Terminating, f.Lower
	if w.open && w.complete() {
		w.end(Complete, f.T)
	}
	w.tail = w.tail && f.Terminating > 0
}

// charge adds the requests of the pods that come with a frame, and takes off those of the pods that go. One pod comes or goes with its own
// record, those of a ReplicaSet change hands with its record, and a new workload of the same name has none of the pods of the old one.
func (w *work) charge(f *frames.Frame) {
	more := f.Total + f.Terminating - w.pods()
	if more == 0 {
		return
	}
	change := w.past.Change(f.Record)
	switch o := change.Object().(type) {
	case *api.Pod:
		w.request(o.Spec, more)
		if change.Old == nil {
			w.count(func(f *Figures) { f.Created++ })
		}
	case *api.ReplicaSet:
		for _, x := range w.past.Objects(api.KindPod, f.Record) {
			if pod := x.(*api.Pod); pod.IsControlledBy(o.UID) && !pod.Finished() {
				w.request(pod.Spec, cmp.Compare(more, 0))
			}
		}
	default:
		w.cpu, w.memory = 0, 0
	}
}

// request adds the requests of some pods.
func (w *work) request(spec *api.PodSpec, pods int) {
	need := spec.Needs()
	w.cpu, w.memory = w.cpu+int64(pods)*need[0], w.memory+int64(pods)*need[1]
}

// ripen ends a rollout after a write that changed no count, such as that of a Deployment without replicas.
func (w *work) ripen() {
	if w.fresh && w.complete() {
		w.end(Complete, w.wrote)
	}
	w.fresh = false
}

// complete reports whether all desired pods are updated and available, and no other pod counts.
func (w *work) complete() bool {
	return w.total == w.desired && w.available == w.desired && w.updated >= w.desired-w.partition
}

// advance counts the present state up to a moment.
func (w *work) advance(to int64) {
	if to <= w.since {
		return
	}
	if w.open {
		w.tally.add(&w.state, w.since, to, w.up)
	} else if w.tail {
		w.tally.addCost(&w.state, w.since, to)
	}
	if w.settled {
		w.overall.add(&w.state, w.since, to, w.up)
	}
	w.since, w.up = to, w.up || w.available > 0
}

func (w *work) last() *Rollout { return &w.rollouts[len(w.rollouts)-1] }

// begin begins a rollout with a write.
func (w *work) begin(record int, r *past.Record, cause Cause) {
	if w.open {
		w.end(Superseded, r.At)
	}
	if len(w.rollouts) > 0 {
		w.last().Figures = w.tally.Figures
	}
	w.rollouts = append(w.rollouts, Rollout{Workload: r.Object.String(), Record: record, Start: r.At, End: r.At, Cause: cause,
		By: r.Actor, Result: Unfinished, Deadline: -1})
	w.tally, w.open, w.tail = tally{}, true, false
}

// end ends the last rollout. The terminating pods that it leaves still cost something.
func (w *work) end(result Result, t int64) {
	if !w.tally.any { // it took no time
		w.tally.low(&w.state, t)
		w.tally.PeakPods, w.tally.PeakAt, w.tally.PeakCPU, w.tally.PeakMemory = w.pods(), t, w.cpu, w.memory
	}
	w.last().Result, w.last().End = result, t
	w.open, w.fresh, w.tail = false, false, result == Complete && w.terminating > 0
	w.settled = w.settled || result == Complete
}

// view returns the rollouts with the present state of the last one.
func (w *work) view(now int64) []Rollout {
	if w == nil || len(w.rollouts) == 0 {
		return nil
	}
	t, last := w.tally, w.last()
	switch {
	case w.open:
		t.add(&w.state, w.since, now, w.up)
		last.End = max(now, last.Start)
	case w.tail:
		t.addCost(&w.state, w.since, now)
	}
	last.Figures = t.Figures
	return w.rollouts
}
