package forecast

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/past"
)

// read reads the records that are new.
func (f *Forecast) read() {
	records := f.past.Records()
	for ; f.records < len(records); f.records++ {
		breath.Often()
		switch i, r := f.records, records[f.records]; {
		case r.Kind != past.Write:
			if r.Why != nil && r.Why.Rule == "P-12" { // a budget refuses an eviction
				f.catchUp(OwnerOf(f.past, r.Object, i), i).count(func(f *Figures) { f.Refused++ })
			}
		case frames.IsWorkload(r.Object.Kind):
			f.workload(i, r)
		case r.Object.Kind == api.KindNode:
			f.node(i, f.past.Change(i))
		}
	}
}

// node counts the nodes of the cluster.
func (f *Forecast) node(record int, c *past.Change) {
	more := 0
	switch {
	case c.Old == nil:
		more = 1
	case c.New == nil:
		more = -1
	}
	if f.nodes += more; more == 0 {
		return
	}
	for name := range f.works {
		f.catchUp(name, record).nodes = f.nodes
	}
}

// OwnerOf returns the name of the workload that a pod belongs to at a record, "" if there is none. Owners that are gone may still have pods.
func OwnerOf(p *past.Past, pod api.Key, record int) string {
	m := lastOf(p, pod, record)
	if set := m.ControllerKey(); set.Kind == api.KindReplicaSet {
		m = lastOf(p, set, record)
	}
	workload := m.ControllerKey()
	if !m.IsControlledBy(lastOf(p, workload, record).UID) {
		return ""
	}
	return workload.String()
}

// lastOf returns the metadata of the last version of an object, empty ones if it never existed.
func lastOf(p *past.Past, key api.Key, record int) *api.ObjectMeta {
	if i := p.LastWrite(key.String(), record); i >= 0 {
		return p.Change(i).Object().Meta()
	}
	return &api.ObjectMeta{}
}

// catchUp reads the frames of a workload that precede a record.
func (f *Forecast) catchUp(workload string, record int) *work {
	w := f.works[workload]
	if w != nil {
		w.drain(f.past.Frames(workload), record)
		w.advance(f.past.At(record))
	}
	return w
}

// count counts something that happens now, if it is about a workload.
func (w *work) count(add func(*Figures)) {
	if w != nil && w.open {
		add(&w.tally.Figures)
	}
	if w != nil && w.settled {
		add(&w.overall.Figures)
	}
}

// workload begins and ends rollouts.
func (f *Forecast) workload(i int, r *past.Record) {
	name := r.Object.String()
	w := f.works[name]
	if w == nil {
		w = &work{past: f.past, since: r.At}
		w.nodes = f.nodes
		f.works[name] = w
	}
	f.catchUp(name, i)
	before, after := w.object, f.past.Change(i).New
	w.object = after
	same := before != nil && after != nil && before.Meta().UID == after.Meta().UID
	if !same {
		if w.open {
			w.end(Deleted, r.At)
		}
		w.rolled, w.up, w.partition = nil, false, 0
	}
	if after == nil {
		return
	}
	if w.open && w.last().Deadline < 0 && late(after) && !late(before) {
		w.last().Deadline, w.last().Result = r.At, DeadlineExceeded
	}
	if cause := w.begins(after); cause != "" {
		w.begin(i, r, cause)
		if r.Cause >= 0 {
			w.last().Command = f.past.Records()[r.Cause].Command
		}
	}
	w.fresh, w.write, w.wrote = w.open, i, r.At
}

// begins returns the cause if a version of the workload begins a rollout, else "".
func (w *work) begins(o api.Object) (cause Cause) {
	if d, ok := o.(*api.Deployment); ok && d.Spec.Paused {
		return "" // a new template waits for the resume (D-25)
	}
	template := api.TemplateOf(o)
	switch {
	case w.rolled == nil:
		cause = Created
	case !w.rolled.Equal(template):
		cause = Template
	}
	w.rolled = template
	if set, ok := o.(*api.StatefulSet); ok {
		before := w.partition
		w.partition = set.Partition()
		if w.partition < before && cause == "" && !w.open && w.updated < w.desired-w.partition {
			cause = Partition
		}
	}
	return cause
}

// late says whether the progress deadline of a workload has passed, as its status reports it (D-64).
func late(o api.Object) bool {
	d, ok := o.(*api.Deployment)
	if !ok {
		return false
	}
	c := api.FindCondition(d.Status.Conditions, "Progressing")
	return c != nil && c.Reason == "ProgressDeadlineExceeded"
}
