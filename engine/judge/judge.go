// Package judge watches the workloads of a run from outside their controllers. When a bound (desired + maxSurge, desired -
// maxUnavailable) does not hold, it says whether the environment broke it, or which rule allows it.
package judge

import (
	"fmt"
	"sort"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/words"
)

// VerdictKind says whether the controllers are responsible for a bound that does not hold.
type VerdictKind uint8

// The kinds of verdicts.
const (
	Broken   VerdictKind = iota // something other than the controllers removed or added pods
	Exceeded                    // the rules allow it, as the verdict explains
)

// Verdict is a stretch of time in which a bound of a workload did not hold.
type Verdict struct {
	From, To int64 // virtual ms; To is the run's Now() while it lasts
	Record   int   // the record of the frame with which it began
	Kind     VerdictKind
	Bound    string // upper, lower, or terminating: the upper bound holds only without the terminating pods
	Worst    int    // the count farthest from the bound
	Limit    int    // the bound at that moment
	By       string // the responsible actor: kubelet, kubectl, deployment-controller …
	Text     string // a sentence with the numbers
	Rule     string // the rule that allows it; empty if Broken
}

// bound is one of the bounds that the judge watches.
type bound int

const (
	upper bound = iota
	lower
	terminating
	bounds // how many there are
)

var boundNames = [bounds]string{"upper", "lower", "terminating"}

// none is the index of no verdict.
const none = -1

// watch is the judge's state of one workload.
type watch struct {
	past     *past.Past
	workload api.Key
	verdicts []Verdict
	cases    []judged   // parallel to verdicts
	open     verdicts   // verdicts that still last
	at       []verdicts // the open verdicts at each frame that was read
	sized    map[string][]sizing
	reached  bool // enough pods were available at some moment since the lower bound last rose, or the Deployment came
	rose     int64
	scaled   int64 // when spec.replicas last changed
	lost     *loss // the last loss that no controller chose
}

// staleness is how old, in ms, the information may be on which a controller decides: it passes from the pod to the status of
// its ReplicaSet, perhaps with a retry after a conflict.
const staleness = 10

// verdicts are the indices of the open verdicts at a moment, one for each bound; none if the bound holds.
type verdicts [bounds]int32

// judged is the input of a verdict's sentence.
type judged struct {
	reason  string
	growing bool    // the lower bound was not reached yet
	losses  []int32 // records of further pods lost to the environment
}

// sizing is a change of a ReplicaSet's size.
type sizing struct {
	record    int
	available int // pods of the workload that were available at that moment
}

// Judge watches the workloads of a run from outside their controllers.
type Judge struct {
	past    *past.Past
	watches map[string]*watch
}

// New returns the judge of a run.
func New(p *past.Past) *Judge { return &Judge{past: p, watches: map[string]*watch{}} }

// Verdicts returns the verdicts on a workload so far, in order of time. The list belongs to the judge: it grows and its last
// entries change while the run grows.
func (j *Judge) Verdicts(workload string) []Verdict {
	w := j.watch(workload)
	for _, v := range w.open {
		if v != none {
			w.verdicts[v].To = max(w.past.Now(), w.verdicts[v].From)
			w.word(v)
		}
	}
	return w.verdicts
}

// Line compares a workload with its bounds after a record at a moment, in one line, and says whether both hold.
func (j *Judge) Line(workload string, record int, t int64) (held bool, line string) {
	w := j.watch(workload)
	frames := w.past.Frames(workload)
	i := past.FrameAt(frames, record, t)
	if i < 0 {
		return true, "The " + string(w.workload.Kind) + " does not exist yet."
	}
	f := &frames[i]
	o := w.past.ObjectAt(w.workload, record)
	if o == nil || o.Meta().Terminating() {
		line = "The " + string(w.workload.Kind) + " was deleted and promises nothing"
		if left := f.Total + f.Terminating; left > 0 { // those that are orphaned are no longer its own
			line += "; " + strconv.Itoa(left) + " of its pods " + words.Verb(left, "is", "are") + " left"
		}
		return true, line + "."
	}
	d, _ := o.(*api.Deployment)
	line = w.line(f, &w.at[i], record, d != nil && d.Spec.Strategy.Type == api.Recreate) + w.leaving(f) + w.ignoredBudgets(record)
	return w.at[i][upper] == none && w.at[i][lower] == none, line
}

// watch returns the watch of a workload, with all its frames read.
func (j *Judge) watch(workload string) *watch {
	w := j.watches[workload]
	if w == nil {
		w = &watch{past: j.past, workload: past.ParseKey(workload), open: verdicts{none, none, none}, sized: map[string][]sizing{}}
		j.watches[workload] = w
	}
	frames := j.past.Frames(workload)
	for i := len(w.at); i < len(frames); i++ {
		breath.Often()
		w.read(frames, i)
	}
	return w
}

// leaving says how many pods terminate, and how that affects their replacements.
func (w *watch) leaving(f *frames.Frame) string {
	if f.Terminating == 0 {
		return ""
	}
	why := map[api.Kind][2]string{
		api.KindDeployment:  {"it comes on top of the surge (R-25)", "they come on top of the surge (R-25)"},
		api.KindStatefulSet: {"its replacement waits until it is gone (S-14)", "their replacements wait until they are gone (S-14)"},
		api.KindDaemonSet:   {"its node is free for another when it is gone (DS-8)", "their nodes are free for others when they are gone (DS-8)"},
	}[w.workload.Kind]
	return fmt.Sprintf(" %d more terminating: %s.", f.Terminating, words.Verb(f.Terminating, why[0], why[1]))
}

// line describes the two bounds, first a bound that does not hold.
func (w *watch) line(f *frames.Frame, at *verdicts, record int, recreates bool) string {
	total := fmt.Sprintf("%s of at most %d = %d + %d", words.Plural(f.Total, "pod"), f.Upper, f.Desired, f.Upper-f.Desired)
	available := fmt.Sprintf("%d available of at least %d = %d − %d", f.Available, f.Lower, f.Desired, f.Desired-f.Lower)
	if f.Upper == f.Desired && w.workload.Kind != api.KindDeployment { // nothing is added for an update
		total = fmt.Sprintf("%s of at most %d", words.Plural(f.Total, "pod"), f.Upper)
	}
	if recreates {
		available = fmt.Sprintf("Recreate promises nothing: %d of %d are available", f.Available, f.Desired)
	}
	switch over, short := at[upper], at[lower]; {
	case over != none && short != none:
		return w.sentence(over, f.Total, f.Upper, record) + " " + w.sentence(short, f.Available, f.Lower, record)
	case over != none:
		return w.sentence(over, f.Total, f.Upper, record) + " " + available + "."
	case short != none:
		return w.sentence(short, f.Available, f.Lower, record) + " " + total + "."
	case recreates:
		return total + "; " + available + "."
	}
	return "Both bounds hold: " + total + "; " + available + "."
}

// sentence describes a verdict with the numbers of a moment and the losses up to then.
func (w *watch) sentence(v int32, have, limit, record int) string {
	c := &w.cases[v]
	losses := sort.Search(len(c.losses), func(k int) bool { return int(c.losses[k]) > record })
	more := ""
	switch {
	case losses > 0 && c.growing:
		more = fmt.Sprintf(". %s %s lost meanwhile", words.Plural(losses, "pod"), words.Verb(losses, "was", "were"))
	case losses > 0:
		more = fmt.Sprintf(", and %d more %s lost", losses, words.Verb(losses, "was", "were"))
	}
	switch {
	case w.verdicts[v].Bound == boundNames[terminating]:
		return fmt.Sprintf("%s, terminating ones included, %d more than at most %d: %s.",
			words.Plural(have, "pod"), have-limit, limit, c.reason)
	case w.verdicts[v].Bound == boundNames[upper]:
		return fmt.Sprintf("%s, %d more than at most %d: %s.", words.Plural(have, "pod"), have-limit, limit, c.reason)
	case c.growing:
		return fmt.Sprintf("%d available, on the way to at least %d: %s%s.", have, limit, c.reason, more)
	}
	return fmt.Sprintf("%d available, %d fewer than at least %d: %s%s.", have, limit-have, limit, c.reason, more)
}

// word sets the text of a verdict, with the worst numbers and all losses.
func (w *watch) word(v int32) {
	verdict := &w.verdicts[v]
	verdict.Text = w.sentence(v, verdict.Worst, verdict.Limit, w.past.Len())
}

// nothing is the frame before the first.
var nothing frames.Frame

// read judges the next frame.
func (w *watch) read(frames []frames.Frame, i int) {
	was, is := &nothing, &frames[i]
	if i > 0 {
		was = &frames[i-1]
	}
	if is.Desired != was.Desired {
		w.scaled = is.T
	}
	w.noteSizes(was, is)
	if is.Lower > was.Lower || i == 0 {
		w.reached, w.rose = false, is.T
	}
	w.reached = w.reached || is.Available >= is.Lower
	w.readLower(was, is)
	w.readUpper(was, is)
	w.readTerminating(is)
	w.at = append(w.at, w.open)
}

// noteSizes remembers which records gave the ReplicaSets their sizes.
func (w *watch) noteSizes(was, is *frames.Frame) {
	for k := range is.ReplicaSets {
		rs := is.ReplicaSets[k]
		if k < len(was.ReplicaSets) && was.ReplicaSets[k] == rs {
			continue // frames share what did not change
		}
		if before := was.ReplicaSet(rs.Name); before == nil || before.Spec != rs.Spec {
			w.sized[rs.Name] = append(w.sized[rs.Name], sizing{is.Record, is.Available})
		}
	}
}

// readLower judges the lower bound. After the bound rises, the workload is on the way until enough pods are available for the
// first time, whatever happens to its pods meanwhile; from then on, a pod lost to the environment breaks the bound, even if
// the controllers had gone below it before.
func (w *watch) readLower(was, is *frames.Frame) {
	var l *loss
	if is.Available < was.Available {
		l = w.lossBy(is)
	}
	if is.Available >= is.Lower || w.deleted(is) {
		w.end(lower, is.T)
		return
	}
	v := w.open[lower]
	switch {
	case !w.reached && (v == none || is.Lower > was.Lower):
		w.begin(lower, is, w.growth(is))
	case v == none && l != nil:
		w.begin(lower, is, l)
	case v != none && l != nil && l.kind == Broken:
		if w.verdicts[v].Kind == Exceeded && !w.cases[v].growing {
			w.begin(lower, is, l)
		} else if l.reason != w.cases[v].reason {
			w.cases[v].losses = append(w.cases[v].losses, int32(is.Record))
		}
	}
	w.worse(lower, is.Available, is.Lower)
}

func (w *watch) readUpper(was, is *frames.Frame) {
	switch {
	case is.Total <= is.Upper:
		w.end(upper, is.T)
		return
	case is.Upper < was.Upper || w.open[upper] == none:
		w.begin(upper, is, w.surplus(is))
	}
	w.worse(upper, is.Total, is.Upper)
}

func (w *watch) readTerminating(is *frames.Frame) {
	all := is.Total + is.Terminating
	if is.Total > is.Upper || all <= is.Upper || w.deleted(is) {
		w.end(terminating, is.T)
		return
	}
	if w.open[terminating] == none {
		w.begin(terminating, is, w.onTop())
	}
	w.worse(terminating, all, is.Upper)
}

// begin opens a verdict on a bound and ends the previous one.
func (w *watch) begin(b bound, is *frames.Frame, l *loss) {
	w.end(b, is.T)
	w.open[b] = int32(len(w.verdicts))
	w.verdicts = append(w.verdicts, Verdict{From: is.T, Record: is.Record, Kind: l.kind, Bound: boundNames[b],
		By: l.by, Rule: l.rule, Worst: none})
	w.cases = append(w.cases, judged{reason: l.reason, growing: l.growing})
}

// worse keeps the numbers of a moment if no earlier ones are farther apart.
func (w *watch) worse(b bound, have, limit int) {
	if w.open[b] == none {
		return
	}
	if v := &w.verdicts[w.open[b]]; v.Worst == none || distance(have, limit) > distance(v.Worst, v.Limit) {
		v.Worst, v.Limit = have, limit
	}
}

func (w *watch) end(b bound, t int64) {
	v := w.open[b]
	if v == none {
		return
	}
	w.verdicts[v].To = t
	w.word(v)
	w.open[b] = none
}

func distance(a, b int) int { return max(a-b, b-a) }
