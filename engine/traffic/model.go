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

// meter counts the requests to a Service.
type meter struct {
	report   *Report
	flow     *flow
	now      int64
	retries  bool // a refused request is sent to another pod
	leaving  bool // the targets terminate, and no pod is ready
	checking bool // there is no target, but pods wait for a health check
	targeted []*target
	by       [outcomes][]*target // the targeted, by their answers
	pods     []int               // that serve, by their set
	owed     [outcomes]float64   // fractions of requests that no interval has counted yet
	turn     int                 // whose turn it is to lose a request more than the others
	nobody   target
	crowd
}

// send makes the targets of a rule those that requests go to.
func (m *meter) send(targets map[string]*target, r *rule) {
	for _, t := range m.targeted {
		m.leave(t)
	}
	m.targeted, m.leaving, m.checking = m.targeted[:0], r.leaving, r.checking
	for _, uid := range r.targets {
		breath.Often()
		m.enter(targets[uid])
		m.targeted = append(m.targeted, targets[uid])
	}
}

func (m *meter) enter(t *target) {
	t.targeted, t.at = true, len(m.by[t.answer])
	m.by[t.answer] = append(m.by[t.answer], t)
	if t.answer == Served {
		m.count(t.set, 1)
	}
	m.begin(t)
}

// begin begins a stretch of a target, or continues its last one.
func (m *meter) begin(t *target) {
	all := &m.report.Stretches
	if m.flow.sticky || m.report.PerSecond() > Few {
		return
	}
	o := m.becomes(t.answer)
	if k := t.stretch; k == 0 || (*all)[k-1].To != m.now || (*all)[k-1].Outcome != o {
		*all = append(*all, Stretch{Outcome: o, Pod: t.name, From: m.now})
		t.stretch = len(*all)
	}
	(*all)[t.stretch-1].To = m.report.Until
}

func (m *meter) leave(t *target) {
	list := m.by[t.answer]
	last := list[len(list)-1]
	list[t.at], last.at = last, t.at
	m.by[t.answer], t.targeted = list[:len(list)-1], false
	if t.stretch > 0 {
		m.report.Stretches[t.stretch-1].To = m.now
	}
	if t.answer == Served {
		m.count(t.set, -1)
	}
}

// count changes how many pods of a set serve.
func (m *meter) count(set, by int) {
	for len(m.pods) <= set {
		m.pods = append(m.pods, 0)
	}
	m.pods[set] += by
	m.flow.mix = nil
}

// answers notes that a pod answers otherwise from now on.
func (m *meter) answers(t *target, answer Outcome) {
	if !t.targeted {
		t.answer = answer
		return
	}
	m.leave(t)
	t.answer = answer
	m.enter(t)
}

// becomes returns what becomes of a request to a pod with this answer. A second try finds a pod that serves, if there is one.
func (m *meter) becomes(o Outcome) Outcome {
	if o == NoEndpoint && m.checking {
		return NoTarget
	}
	if last, ok := leaving[o]; ok && m.leaving {
		o = last
	}
	if slow, ok := another[o]; ok && m.retries && len(m.by[Served]) > 0 {
		o = slow
	}
	if of := &m.report.Of; (o == Served || o.Slow()) && of.Users > 0 && of.Takes.Min > of.Timeout {
		o = Long
	}
	if o == Served && m.waiting {
		o = SlowCrowded
	}
	return o
}

// share gives the requests of an interval to the targets in equal parts.
func (m *meter) share(i *Interval, n int64) {
	var counts Counts
	var parts [outcomes]float64
	for o := range NoEndpoint {
		parts[o] = float64(len(m.by[o]))
	}
	if len(m.targeted) == 0 {
		parts[NoEndpoint] = 1
	}
	deal(n, float64(max(1, len(m.targeted))), parts[:], m.owed[:], counts[:])
	if late := m.late(counts[Served]); late > 0 {
		counts[Served] -= late
		i.Counts[Crowded] += late
		m.lose(Crowded, i, m.by[Served], late)
	}
	for answer, n := range counts {
		o := m.becomes(Outcome(answer))
		if i.Counts[o] += n; o != Served && n > 0 {
			m.lose(o, i, m.by[answer], n)
		}
	}
}

// lose notes which pods the requests of an outcome went to, each in its turn.
func (m *meter) lose(o Outcome, i *Interval, of []*target, n int64) {
	if len(of) == 0 {
		of = []*target{&m.nobody}
	}
	for k := range of {
		breath.Often()
		each := n / int64(len(of))
		if int64(k) < n%int64(len(of)) {
			each++
		}
		m.lost(of[(k+m.turn)%len(of)], o, i, each)
	}
	m.turn = (m.turn + int(n%int64(len(of)))) % len(of)
}

// lost adds requests to the loss of a pod, which continues or begins.
func (m *meter) lost(t *target, o Outcome, i *Interval, n int64) {
	all := &m.report.Losses
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
