// Package traffic says what becomes of the requests to a Service while its pods come and go.
//
// Two parts are exact and judged by upstream's code: which endpoints a node's kube-proxy uses (topology.go answers to
// pkg/proxy/topology.go), and when it writes its rules (runner.go answers to pkg/proxy/runner). The rest is a model, and named so: the
// client, the time that a change takes to reach what sends the requests, and what the app does on SIGTERM. Outcome.go has the outcomes with
// their causes, routes.go which Services an Ingress or an HTTPRoute leads to, rules.go what the proxies know, steps.go what the pods answer,
// crowd.go which requests wait for a pod with room, users.go who keeps a connection; lanes.go and model.go bring them together, and verdict.go words it.
//
// A report is computed from the trace, in intervals in which nothing changes: a pod that answers otherwise, or a proxy's new rules, begin
// the next one. So it costs no more for a million requests than for ten, and a moment costs what changes in it. Each request that is not
// served has one cause and, unless nothing could be sent to, one pod.
package traffic

import (
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Interval is a time, in virtual ms, in which nothing changes, with the requests that arrive in it.
type Interval struct {
	From, To int64
	Counts
	Mix []float64 // the parts of what is served that the sets serve; see Report.Sets
}

// Loss is the requests that one pod did not serve for one cause; without a pod nothing could be sent to.
type Loss struct {
	Outcome
	Pod      string
	From, To int64
	Requests int64
}

// Report is what became of the requests to a Service, or to those of a route.
type Report struct {
	Of        scenario.Traffic
	Until     int64    // the run was computed up to here
	Aggregate bool     // the requests are not computed one by one
	Drains    int64    // ms that every app has for its requests in flight after SIGTERM
	published bool     // a Service has pods before they are ready, and after their deletion
	Sets      []string // the ReplicaSets or revisions of the pods, in the order in which they got requests
	Total     Counts
	Intervals []Interval // in order of time; the first begins when the Service first had an endpoint
	Losses    []Loss
	Stretches []Stretch // if requests are few; see Of
}

// Stretch is a time in which requests are sent to a pod, with what becomes of them when it begins.
type Stretch struct {
	Outcome
	Pod      string
	From, To int64
}

// Few is the highest rate, in requests a second, at which a report has stretches.
const Few = 400

// PerSecond is how many requests come in a second if all is well.
func (r *Report) PerSecond() int64 {
	if t := &r.Of; t.Users > 0 {
		return t.Users * 1000 / max(1, min(t.Mean(), t.Timeout)+t.Pause)
	}
	return r.Of.Rate
}

// target is a pod that the proxies know.
type target struct {
	name     string
	set      int
	answer   Outcome // what becomes of a request to it now
	targeted bool
	at       int // its index among those with the same answer
	losses   [outcomes]int
	stretch  int // its last one, from 1; 0 if it has none
}

const never = 1 << 62

// Upto computes what becomes of the requests of an entry of the scenario up to a moment; nothing changes after the end of the run. All of
// it is a model but for the pods, the slices, the choice of endpoints and the moments of a proxy's rules.
//
// Simplified: all proxies are alike, and know nothing but these Services; requests take equally long and, unless users wait for answers, come
// at equal distances and go to each endpoint in turn; topology is not looked at, session affinity only for users; a pod on a lost node
// answers.
func Upto(p *past.Past, t scenario.Traffic, until int64) Report {
	r := Report{Of: t, Until: until, Drains: never, Aggregate: t.Users == 0}
	f := flowOf(p, &r)
	share := f.share
	if t.Users > 0 {
		share = newUsers(f, p.Scenario().Seed).share
	}
	for from := f.begins(); from < r.Until; {
		breath.Often()
		to := f.moveTo(from)
		share(from, to)
		from = to
	}
	return r
}

func (r *Report) add(i Interval) {
	r.Intervals = append(r.Intervals, i)
	r.Total.add(&i.Counts)
}

// send makes the targets of a rule those that requests go to.
func (l *lane) send(r *rule) {
	for _, t := range l.targeted {
		l.leave(t)
	}
	l.targeted, l.leaving, l.none = l.targeted[:0], r.leaving, r.none
	for _, uid := range r.targets {
		breath.Often()
		l.enter(l.targets[uid])
		l.targeted = append(l.targeted, l.targets[uid])
	}
}

func (l *lane) enter(t *target) {
	t.targeted, t.at = true, len(l.by[t.answer])
	l.by[t.answer] = append(l.by[t.answer], t)
	if t.answer == Served {
		l.count(t.set, 1)
	}
	l.begin(t)
}

// begin begins a stretch of a target, or continues its last one.
func (l *lane) begin(t *target) {
	all := &l.flow.report.Stretches
	if l.flow.sticky || l.flow.report.PerSecond() > Few {
		return
	}
	o := l.becomes(t.answer)
	if k := t.stretch; k == 0 || (*all)[k-1].To != l.now || (*all)[k-1].Outcome != o {
		*all = append(*all, Stretch{Outcome: o, Pod: t.name, From: l.now})
		t.stretch = len(*all)
	}
	(*all)[t.stretch-1].To = l.flow.report.Until
}

func (l *lane) leave(t *target) {
	list := l.by[t.answer]
	last := list[len(list)-1]
	list[t.at], last.at = last, t.at
	l.by[t.answer], t.targeted = list[:len(list)-1], false
	if t.stretch > 0 {
		l.flow.report.Stretches[t.stretch-1].To = l.now
	}
	if t.answer == Served {
		l.count(t.set, -1)
	}
}

// count changes how many pods of a set serve.
func (l *lane) count(set, by int) {
	for len(l.pods) <= set {
		l.pods = append(l.pods, 0)
	}
	l.pods[set] += by
	l.flow.mix = nil
}

// answers notes that a pod answers otherwise from now on.
func (l *lane) answers(t *target, answer Outcome) {
	if !t.targeted {
		t.answer = answer
		return
	}
	l.leave(t)
	t.answer = answer
	l.enter(t)
}

// becomes returns what becomes of a request to a pod with this answer. A second try finds a pod that serves, if there is one.
func (l *lane) becomes(o Outcome) Outcome {
	if o == NoEndpoint {
		return l.none
	}
	if last := leaving[o]; last != Served && l.leaving {
		o = last
	}
	if slow := another[o]; slow != Served && l.retries && len(l.by[Served]) > 0 {
		o = slow
	}
	if of := &l.flow.report.Of; (o == Served || o.Slow()) && of.Users > 0 && of.Takes.Min > of.Timeout {
		o = Long
	}
	if o == Served && l.waiting {
		o = SlowCrowded
	}
	return o
}

// share gives the requests of an interval to the targets in equal parts.
func (l *lane) share(i *Interval, n int64) {
	var counts Counts
	var parts [outcomes]float64
	for o := range NoEndpoint {
		parts[o] = float64(len(l.by[o]))
	}
	if len(l.targeted) == 0 {
		parts[NoEndpoint] = 1
	}
	deal(n, float64(max(1, len(l.targeted))), parts[:], l.owed[:], counts[:])
	if late := l.late(counts[Served]); late > 0 {
		counts[Served] -= late
		i.Counts[Crowded] += late
		l.lose(Crowded, i, l.by[Served], late)
	}
	for answer, n := range counts {
		o := l.becomes(Outcome(answer))
		if i.Counts[o] += n; o != Served && n > 0 {
			l.lose(o, i, l.by[answer], n)
		}
	}
}

// lose notes which pods the requests of an outcome went to, each in its turn.
func (l *lane) lose(o Outcome, i *Interval, of []*target, n int64) {
	if len(of) == 0 {
		of = []*target{&l.nobody}
	}
	for k := range of {
		breath.Often()
		each := n / int64(len(of))
		if int64(k) < n%int64(len(of)) {
			each++
		}
		l.lost(of[(k+l.turn)%len(of)], o, i, each)
	}
	l.turn = (l.turn + int(n%int64(len(of)))) % len(of)
}

// lost adds requests to the loss of a pod, which continues or begins.
func (l *lane) lost(t *target, o Outcome, i *Interval, n int64) {
	all := &l.flow.report.Losses
	if n == 0 {
		return
	}
	if k := t.losses[o]; k > 0 && (*all)[k-1].To+1000 >= i.From {
		(*all)[k-1].To = i.To
		(*all)[k-1].Requests += n
		return
	}
	*all = append(*all, Loss{o, t.name, i.From, i.To, n})
	t.losses[o] = len(*all)
}
