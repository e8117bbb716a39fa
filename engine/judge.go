package engine

import (
	"fmt"
	"sort"

	"github.com/rollplay/rollplay/engine/api"
)

// VerdictKind says what is to be thought of a bound that does not hold.
type VerdictKind uint8

// The kinds of verdicts.
const (
	Broken   VerdictKind = iota // something from outside took pods away, or added some
	Exceeded                    // the rules allow it, for the reason that the verdict names
)

// String returns the kind in words.
func (k VerdictKind) String() string {
	if k == Broken {
		return "broken by the environment"
	}
	return "legally exceeded"
}

// Verdict is a stretch of time in which a bound of a workload did not hold, or was legally exceeded.
type Verdict struct {
	From, To int64 // virtual ms; To is the run's Now() while it lasts
	Record   int   // the record with which it began, as that of a Frame
	Kind     VerdictKind
	Bound    string // upper, lower, or terminating: with the terminating pods there are more than the upper one allows
	Worst    int    // the count that was farthest from the bound
	Limit    int    // the bound at that moment
	By       string // whose doing it is: kubelet, kubectl, deployment-controller …
	Text     string // a sentence with the numbers
	Rule     string // the rule that allows it; empty for what is broken
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

// none stands for no verdict.
const none = -1

// judge watches one workload from outside its controllers: it knows its frames, and for each the record that led to it.
type judge struct {
	run      *Run
	workload api.Key
	verdicts []Verdict
	cases    []judged   // beside the verdicts
	open     verdicts   // those that last
	at       []verdicts // of each frame that was read
	sized    map[string][]sizing
	reached  bool // enough pods were available at some moment since the lower bound last rose, or the Deployment came
	rose     int64
	scaled   int64 // when spec.replicas last changed
	lost     *loss // the last one that was nobody's decision
}

// hearsay is how old the news may be by which a controller decides, in ms: a pod's change, the status of its ReplicaSet
// and perhaps a retry lie between.
const hearsay = 10

// verdicts are the verdicts that hold at a moment, one for each bound.
type verdicts [bounds]int32

// judged is what a verdict's sentence is made of.
type judged struct {
	reason  string
	growing bool    // the lower bound was not reached yet
	losses  []int32 // records by which the environment took more pods, after the first
}

// sizing is a change of a ReplicaSet's size.
type sizing struct {
	record    int
	available int // pods of the workload that were available at that moment
}

// Verdicts returns what the judge says of a workload so far, in the order of time. The list is the judge's own: it grows
// and its last entries change while the run does.
func (r *Run) Verdicts(workload string) []Verdict {
	j := r.judge(workload)
	for _, v := range j.open {
		if v != none {
			j.verdicts[v].To = max(r.Now(), j.verdicts[v].From)
			j.word(v)
		}
	}
	return j.verdicts
}

// Judge says in a line how a workload stands against its bounds after a record, and whether both hold.
func (r *Run) Judge(workload string, record int) (held bool, line string) {
	j := r.judge(workload)
	frames := r.Frames(workload)
	i := sort.Search(len(frames), func(k int) bool { return frames[k].Record > record }) - 1
	if i < 0 {
		return true, "The " + j.kind() + " does not exist yet."
	}
	f := &frames[i]
	o := r.objectAt(parseKey(workload), record)
	if o == nil || o.Meta().Terminating() {
		left := f.Total + f.Terminating
		return true, "The " + j.kind() + " was deleted and promises nothing; " + plural(left, "pod") + " of it " + verb(left, "is", "are") + " left."
	}
	d, _ := o.(*api.Deployment)
	line = j.line(f, &j.at[i], record, d != nil && d.Spec.Strategy.Type == api.Recreate) + j.leaving(f) + r.unasked(workload, record)
	return j.at[i][upper] == none && j.at[i][lower] == none, line
}

// leaving words how many pods terminate, and what that means for their successors.
func (j *judge) leaving(f *Frame) string {
	why := map[api.Kind][2]string{
		api.KindDeployment:  {"it comes on top of the surge (R-25)", "they come on top of the surge (R-25)"},
		api.KindStatefulSet: {"its successor waits until it is gone (S-14)", "their successors wait until they are gone (S-14)"},
		api.KindDaemonSet:   {"its node is free for another when it is gone (DS-8)", "their nodes are free for others when they are gone (DS-8)"},
	}[api.Kind(j.kind())]
	switch {
	case f.Terminating == 1:
		return " 1 more terminating: " + why[0] + "."
	case f.Terminating > 1:
		return fmt.Sprintf(" %d more terminating: %s.", f.Terminating, why[1])
	}
	return ""
}

// line words the two bounds; one that does not hold comes first.
func (j *judge) line(f *Frame, at *verdicts, record int, recreates bool) string {
	total := fmt.Sprintf("%s of at most %d = %d + %d", plural(f.Total, "pod"), f.Upper, f.Desired, f.Upper-f.Desired)
	available := fmt.Sprintf("%d available of at least %d = %d − %d", f.Available, f.Lower, f.Desired, f.Desired-f.Lower)
	if f.Upper == f.Desired && j.workload.Kind != api.KindDeployment { // nothing is added for an update
		total = fmt.Sprintf("%s of at most %d", plural(f.Total, "pod"), f.Upper)
	}
	if recreates {
		available = fmt.Sprintf("Recreate promises nothing: %d of %d are available", f.Available, f.Desired)
	}
	switch over, short := at[upper], at[lower]; {
	case over != none && short != none:
		return j.sentence(over, f.Total, f.Upper, record) + " " + j.sentence(short, f.Available, f.Lower, record)
	case over != none:
		return j.sentence(over, f.Total, f.Upper, record) + " " + available + "."
	case short != none:
		return j.sentence(short, f.Available, f.Lower, record) + " " + total + "."
	case recreates:
		return total + "; " + available + "."
	}
	return "Both bounds hold: " + total + "; " + available + "."
}

// sentence words a verdict with the numbers of a moment, and with what had happened by then.
func (j *judge) sentence(v int32, have, limit, record int) string {
	c := &j.cases[v]
	losses := sort.Search(len(c.losses), func(k int) bool { return int(c.losses[k]) > record })
	more := ""
	switch {
	case losses > 0 && c.growing:
		more = fmt.Sprintf(". %s %s lost meanwhile", plural(losses, "pod"), verb(losses, "was", "were"))
	case losses > 0:
		more = fmt.Sprintf(", and %d more %s lost", losses, verb(losses, "was", "were"))
	}
	switch {
	case j.verdicts[v].Bound == boundNames[terminating]:
		return fmt.Sprintf("%s, terminating ones included, %d more than at most %d: %s.",
			plural(have, "pod"), have-limit, limit, c.reason)
	case j.verdicts[v].Bound == boundNames[upper]:
		return fmt.Sprintf("%s, %d more than at most %d: %s.", plural(have, "pod"), have-limit, limit, c.reason)
	case c.growing:
		return fmt.Sprintf("%d available, on the way to at least %d: %s%s.", have, limit, c.reason, more)
	}
	return fmt.Sprintf("%d available, %d fewer than at least %d: %s%s.", have, limit-have, limit, c.reason, more)
}

// word writes the sentence of a verdict, with the worst numbers and all that happened.
func (j *judge) word(v int32) {
	verdict := &j.verdicts[v]
	verdict.Text = j.sentence(v, verdict.Worst, verdict.Limit, j.run.Len())
}

// judge returns the judge of a workload, who has read all its frames.
func (r *Run) judge(workload string) *judge {
	j := r.judges[workload]
	if j == nil {
		j = &judge{run: r, workload: parseKey(workload), open: verdicts{none, none, none}, sized: map[string][]sizing{}, rose: -1 << 40, scaled: -1 << 40}
		if r.judges == nil {
			r.judges = map[string]*judge{}
		}
		r.judges[workload] = j
	}
	frames := r.Frames(workload)
	for i := len(j.at); i < len(frames); i++ {
		j.read(frames, i)
	}
	return j
}

// kind is what the workload is: Deployment, StatefulSet or DaemonSet.
func (j *judge) kind() string { return string(j.workload.Kind) }

// nothing is the frame before the first.
var nothing Frame

// read judges the next frame.
func (j *judge) read(frames []Frame, i int) {
	was, is := &nothing, &frames[i]
	if i > 0 {
		was = &frames[i-1]
	}
	if is.Desired != was.Desired {
		j.scaled = is.T
	}
	j.noteSizes(was, is)
	if is.Lower > was.Lower || i == 0 {
		j.reached, j.rose = false, is.T
	}
	j.reached = j.reached || is.Available >= is.Lower
	j.readLower(was, is)
	j.readUpper(was, is)
	j.readTerminating(is)
	j.at = append(j.at, j.open)
}

// noteSizes remembers which records gave the ReplicaSets their sizes.
func (j *judge) noteSizes(was, is *Frame) {
	for k := range is.ReplicaSets {
		rs := &is.ReplicaSets[k]
		if before := findRS(was, rs.Name); before == nil || before.Spec != rs.Spec {
			j.sized[rs.Name] = append(j.sized[rs.Name], sizing{is.Record, is.Available})
		}
	}
}

func findRS(f *Frame, name string) *RSFrame {
	for k := range f.ReplicaSets {
		if f.ReplicaSets[k].Name == name {
			return &f.ReplicaSets[k]
		}
	}
	return nil
}

// readLower judges the lower bound. Until it is reached for the first time since it rose the Deployment is on the way,
// whatever happens to its pods; from then on a pod that the environment took makes it broken, also where the
// controllers had taken one before.
func (j *judge) readLower(was, is *Frame) {
	var l *loss
	if is.Available < was.Available {
		l = j.lossBy(is)
	}
	if is.Available >= is.Lower || j.deleted(is) {
		j.end(lower, is.T)
		return
	}
	v := j.open[lower]
	switch {
	case !j.reached && (v == none || is.Lower > was.Lower):
		j.begin(lower, is, j.growth(is))
	case v == none && l != nil:
		j.begin(lower, is, l)
	case v != none && l != nil && l.kind == Broken:
		if j.verdicts[v].Kind == Exceeded && !j.cases[v].growing {
			j.begin(lower, is, l)
		} else if l.reason != j.cases[v].reason {
			j.cases[v].losses = append(j.cases[v].losses, int32(is.Record))
		}
	}
	j.worse(lower, is, is.Available, is.Lower)
}

func (j *judge) readUpper(was, is *Frame) {
	switch {
	case is.Total <= is.Upper:
		j.end(upper, is.T)
		return
	case is.Upper < was.Upper || j.open[upper] == none:
		j.begin(upper, is, j.surplus(was, is))
	}
	j.worse(upper, is, is.Total, is.Upper)
}

func (j *judge) readTerminating(is *Frame) {
	all := is.Total + is.Terminating
	if is.Total > is.Upper || all <= is.Upper || j.deleted(is) {
		j.end(terminating, is.T)
		return
	}
	if j.open[terminating] == none {
		j.begin(terminating, is, &onTop)
	}
	j.worse(terminating, is, all, is.Upper)
}

// begin opens a verdict, and ends the one that lasted.
func (j *judge) begin(b bound, is *Frame, l *loss) {
	j.end(b, is.T)
	j.open[b] = int32(len(j.verdicts))
	j.verdicts = append(j.verdicts, Verdict{From: is.T, Record: is.Record, Kind: l.kind, Bound: boundNames[b],
		By: l.by, Rule: l.rule, Worst: none})
	j.cases = append(j.cases, judged{reason: l.reason, growing: l.growing})
}

// worse keeps the numbers of a moment if they are the farthest apart so far.
func (j *judge) worse(b bound, is *Frame, have, limit int) {
	if j.open[b] == none {
		return
	}
	if v := &j.verdicts[j.open[b]]; v.Worst == none || abs(have-limit) > abs(v.Worst-v.Limit) {
		v.Worst, v.Limit = have, limit
	}
}

func (j *judge) end(b bound, t int64) {
	v := j.open[b]
	if v == none {
		return
	}
	j.verdicts[v].To = t
	j.word(v)
	j.open[b] = none
}
