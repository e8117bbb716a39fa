package session

import (
	"slices"
	"sort"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/judge"
	"github.com/rollplay/rollplay/engine/past"
)

// StepUnit is what one step covers.
type StepUnit string

// The units of a step.
const (
	byReconcile StepUnit = "reconcile" // that wrote or decided something
	byEvent     StepUnit = "event"     // of Kubernetes
	BySecond    StepUnit = "second"
	ByMoment    StepUnit = "moment" // of interest; see moments
)

// StepUnits in the order in which the page offers them.
var StepUnits = [...]StepUnit{byReconcile, byEvent, BySecond, ByMoment}

// UnitName is what a unit is called.
func UnitName(l lang.Lang, u StepUnit) string { return l.Say(lang.Message("unit-" + u)) }

// SetStep chooses what a step covers; an unknown word changes nothing.
func (c *Cursor) SetStep(unit StepUnit) {
	if slices.Contains(StepUnits[:], unit) {
		c.Step, c.visit.Touched = unit, true
		c.visit.Say(c.visit.Lang.Say("step-set", UnitName(c.visit.Lang, unit), UnitName(c.visit.Lang, unit)))
	}
}

// StepNext goes to the next place of the chosen unit, StepPrev to the previous one, through the same places.
func (s *Session) StepNext() { s.Cursor.Forth(s.Cursor.Step); s.carryOn() }
func (c *Cursor) StepPrev()  { c.Back(c.Step) }

// stop is a place where a step stops, and why.
type stop struct {
	cursor.Place
	Why string
}

// Forth goes to the first stop after the cursor, or else to the end of what is computed.
func (c *Cursor) Forth(unit StepUnit) {
	if c.computed.shown == nil {
		return
	}
	if unit == BySecond && c.T < c.computed.End() {
		c.toSecond(min(c.T/cursor.Second+1, (c.computed.End()+cursor.Second-1)/cursor.Second))
		return
	}
	n, at := c.stops(unit)
	if k := sort.Search(n, func(k int) bool { return c.Place.Before(at(k).Place) }); k < n {
		c.rest(at(k))
		return
	}
	c.pauseAt(c.computed.End(), c.visit.Lang.Say("step-none-on", UnitName(c.visit.Lang, unit)))
}

// Back goes to the last stop before the cursor, or else to the start.
func (c *Cursor) Back(unit StepUnit) {
	if c.computed.shown == nil {
		return
	}
	if unit == BySecond && c.T > 0 {
		c.toSecond((c.T - 1) / cursor.Second)
		return
	}
	n, at := c.stops(unit)
	k := sort.Search(n, func(k int) bool { return !at(k).Before(c.Place) }) - 1
	if k >= 0 && at(k).T > 0 {
		c.rest(at(k))
		return
	}
	c.pauseAt(0, c.visit.Lang.Say("step-none-back", UnitName(c.visit.Lang, unit)))
}

// toSecond goes to a whole virtual second.
func (c *Cursor) toSecond(n int64) {
	c.pauseAt(n*cursor.Second, cursor.Clock(n*cursor.Second)+".")
}

// stops returns the number of stops of a unit, and the k-th. A reconcile is shown after its last record, so that the screen shows what it
// changed in the cluster, but the name comes from its first record.
func (c *Cursor) stops(unit StepUnit) (n int, at func(k int) stop) {
	x, past := c.reading.Index(), c.computed.shown.Past()
	switch unit {
	case byReconcile:
		return len(x.busy), func(k int) stop { return c.reading.stopAt(x.busy[k], past.Sync(x.busy[k]).Last) }
	case byEvent:
		return len(x.Events), func(k int) stop { return c.reading.stopAt(x.Events[k], x.Events[k]) }
	case ByMoment:
		all := c.reading.Moments()
		return len(all), func(k int) stop { return all[k] }
	}
	return 0, nil
}

// stopAt is the stop at the last of some records, with the words of the first one.
func (r *Reading) stopAt(first, last int) stop {
	return stop{cursor.Place{T: r.computed.shown.Past().At(first), Record: last}, r.Describe(first)}
}

// Violates says whether a verdict is about a bound that does not hold; pods that terminate are in no bound.
func Violates(v judge.Verdict) bool { return v.Bound != "terminating" }

// changes lists where the status or the reason of a condition changed; a new message alone is no news.
func changes(l lang.Lang, strips []past.Strip) []stop {
	var all []stop
	for _, strip := range strips {
		var was past.Segment
		for _, s := range strip.Segments {
			if s.Status != was.Status || s.Reason != was.Reason {
				text := l.Say("condition-is", strip.Type, s.Status, s.Reason)
				if s.Status == "" {
					text = l.Say("condition-gone", strip.Type)
				}
				all = append(all, stop{cursor.Place{T: s.From, Record: s.Record}, text})
			}
			was = s
		}
	}
	return all
}

// moments are the places of a run that people look for: a command, a bound that does not hold, a
// condition that changes, the first pod of a ReplicaSet, a failure, the end of a rollout. Except for
// commands and failures they belong to one workload. The lists grow with the run.
type moments struct {
	run      *engine.Run
	workload string
	lang     lang.Lang // of what they say
	records  int       // how far the run was when the lists were made
	all      []stop

	frames   int // scanned
	counted  []stop
	seen     map[string]bool // ReplicaSets with a pod
	complete bool
}

// Moments lists the moments of the shown run, in order, one for each place.
func (r *Reading) Moments() []stop {
	m, workload := &r.moments, r.computed.Workload()
	if m.run != r.computed.shown || m.workload != workload || m.lang != r.visit.Lang {
		*m = moments{run: r.computed.shown, workload: workload, lang: r.visit.Lang, records: -1, seen: map[string]bool{}, complete: true}
	}
	if r.computed.shown == nil || m.records == r.computed.shown.Len() {
		return m.all
	}
	m.records = r.computed.shown.Len()
	for frames := r.computed.shown.Frames(workload); m.frames < len(frames); m.frames++ {
		m.count(&frames[m.frames])
	}
	m.all = append(m.all[:0:0], m.counted...)
	x, of := r.Index(), m.run.Past()
	for _, i := range x.Inputs { // the cursor shows a command after what it wrote
		m.add(&m.all, of.At(i), r.lastBy(i), r.Describe(i))
	}
	for _, i := range x.failures {
		last := of.Sync(i).Last
		m.add(&m.all, of.At(i), last, r.Describe(last))
	}
	for _, v := range r.Judge().Verdicts(workload) {
		if Violates(v) {
			m.add(&m.all, v.From, v.Record, m.lang.Engine(v.Text))
		}
	}
	for _, c := range changes(m.lang, of.Conditions(workload)) {
		m.add(&m.all, c.T, c.Record, c.Why)
	}
	m.sort()
	return m.all
}

// add adds a moment. What exists at time zero is the starting point and no news.
func (m *moments) add(list *[]stop, t int64, record int, why string) {
	if t > 0 {
		*list = append(*list, stop{cursor.Place{T: t, Record: record}, why})
	}
}

// count finds the first pods of ReplicaSets and the end of rollouts: all pods that are asked for are updated and
// available, and no old one is left (D-62). The status says so a little later.
func (m *moments) count(f *engine.Frame) {
	for i := range f.ReplicaSets {
		if rs := f.ReplicaSets[i]; rs.Replicas > 0 && !m.seen[rs.Name] {
			m.seen[rs.Name] = true
			m.add(&m.counted, f.T, f.Record, m.lang.Say("first-pod", rs.Name))
		}
	}
	complete := f.Complete()
	if complete && !m.complete && f.Desired > 0 {
		m.add(&m.counted, f.T, f.Record, m.lang.Count(f.Desired, "complete-one", "complete"))
	}
	m.complete = complete
}

// lastBy returns the last record that a command made: what it wrote follows it at once.
func (r *Reading) lastBy(command int) int {
	i := command
	for i+1 < r.computed.shown.Len() && r.computed.shown.Past().At(i+1) == r.computed.shown.Past().At(command) && r.computed.shown.Past().Cause(i+1) == command {
		i++
	}
	return i
}

// sort puts the moments in order and joins those of one place.
func (m *moments) sort() {
	all := m.all
	sort.SliceStable(all, func(i, j int) bool { return all[i].Before(all[j].Place) })
	m.all = all[:0]
	for _, one := range all {
		if n := len(m.all); n > 0 && m.all[n-1].Place == one.Place {
			m.all[n-1].Why += "; " + one.Why
			continue
		}
		m.all = append(m.all, one)
	}
}

// marksMax bounds the marks of a kind on the scrubber: there are not more pixels.
const marksMax = 2000

// Decisions lists the time and the record of the reconciles that decided something.
func (x *index) Decisions() []float64 {
	var all []float64
	for k := 0; k < len(x.deciding); k += len(x.deciding)/marksMax + 1 {
		i := x.deciding[k]
		all = append(all, float64(x.run.Past().At(i)), float64(i))
	}
	return all
}

// Marks are the commands after time zero; what is applied at zero is the starting point.
func (x *index) Marks() []chart.Mark {
	all := []chart.Mark{}
	for _, i := range x.Inputs {
		if r := x.run.Record(i); r.T > 0 {
			all = append(all, chart.Mark{Kind: "command", T: r.T, Line: r.Command, Failed: r.Failed})
		}
	}
	return all
}
