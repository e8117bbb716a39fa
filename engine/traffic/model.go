package traffic

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Outcome is what becomes of a request. Each but Served has one cause.
type Outcome uint8

// The outcomes.
const (
	Served     Outcome = iota
	Slow               // refused by one pod, and served by another at the next try
	Early              // refused: the app does not listen yet
	Late               // refused: the app stopped listening before the proxies knew
	Reset              // in flight when the app ended
	NoEndpoint         // no pod could be sent to
	outcomes
)

// Counts are requests by their outcome.
type Counts [outcomes]int64

// All returns how many requests there were.
func (c Counts) All() (n int64) {
	for _, k := range c {
		n += k
	}
	return n
}

// Failed returns how many got no answer.
func (c Counts) Failed() int64 { return c.All() - c[Served] - c[Slow] }

// Interval is a time, in virtual ms, in which nothing changes, with the requests that arrive in it.
type Interval struct {
	From, To int64
	Counts
}

// Report is what became of the requests to a Service.
type Report struct {
	Of        scenario.Traffic
	Total     Counts
	Intervals []Interval // in order of time; the first begins when the Service first had an endpoint
}

// life is when the app in a pod listens and ends; never if it does not.
type life struct{ listens, deaf, ends int64 }

const never = 1 << 62

// Of computes what becomes of the requests of an entry of the scenario, as far as the run is computed. All of it is a model but for the
// pods, the slices, the choice of endpoints and the moments of a proxy's rules.
//
// Simplified: all proxies are alike, and know nothing but this Service; requests come at equal distances and take equally long; a
// request goes to each endpoint in turn; topology and session affinity are not looked at.
func Of(p *past.Past, t scenario.Traffic) Report {
	r := Report{Of: t}
	rules := rulesOf(p, t)
	if len(rules) == 0 {
		return r
	}
	lives := livesOf(p, t, rules)
	moments := []int64{p.Now()}
	for _, rule := range rules {
		moments = append(moments, rule.at)
	}
	for _, l := range lives {
		moments = append(moments, l.listens, l.deaf, l.ends-t.Takes)
	}
	slices.Sort(moments)
	m := meter{rate: t.Rate, phase: int64(p.Scenario().Seed*617) % 1000}
	from, rule := rules[0].at, 0
	for _, to := range slices.Compact(moments) {
		if to <= from || to > p.Now() {
			continue
		}
		for rule+1 < len(rules) && rules[rule+1].at <= from {
			rule++
		}
		i := Interval{From: from, To: to, Counts: m.share(from, to, rules[rule].targets, func(uid string) Outcome { return lives[uid].answers(from, t) })}
		r.Intervals = append(r.Intervals, i)
		for o, n := range i.Counts {
			r.Total[o] += n
		}
		from = to
	}
	return r
}

// answers returns what becomes of a request that arrives at a moment.
func (l life) answers(at int64, t scenario.Traffic) Outcome {
	refused := Late
	switch {
	case at < l.listens:
		refused = Early
	case at < l.deaf && at+t.Takes > l.ends:
		return Reset
	case at < l.deaf:
		return Served
	}
	if paths[t.Via].tries > 1 {
		return Slow
	}
	return refused
}

// meter counts requests that come at equal distances.
type meter struct {
	rate, phase int64
	owed        [outcomes]float64 // fractions of requests that no interval has counted yet
}

// until returns how many requests have come by a moment.
func (m *meter) until(t int64) int64 { return (t*m.rate + m.phase) / 1000 }

// share gives the requests of an interval to the targets in equal parts. The parts of a request that are left go to the next
// interval, so every request is counted once.
func (m *meter) share(from, to int64, targets []string, answers func(uid string) Outcome) (c Counts) {
	n := m.until(to) - m.until(from)
	if len(targets) == 0 {
		c[NoEndpoint] = n
		return c
	}
	present := Counts{}
	for _, uid := range targets {
		present[answers(uid)]++
	}
	left, largest := n, Served
	for o := range outcomes {
		m.owed[o] += float64(n) * float64(present[o]) / float64(len(targets))
		c[o] = min(left, max(0, int64(m.owed[o])))
		m.owed[o] -= float64(c[o])
		left -= c[o]
		if present[o] > present[largest] {
			largest = o
		}
	}
	c[largest] += left
	m.owed[largest] -= float64(left)
	return c
}

// rule is the targets that the proxies have from a moment on.
type rule struct {
	at      int64
	targets []string // UIDs of pods
}

// version is the slices of a Service from a moment on.
type version struct {
	at        int64
	endpoints []api.Endpoint
}

// rulesOf returns what the proxies do with the slices of a Service.
func rulesOf(p *past.Past, t scenario.Traffic) (rules []rule) {
	versions, path := versionsOf(p, t.Service), paths[t.Via]
	var changes []int64
	for _, v := range versions {
		changes = append(changes, v.at+past.WatchLatency)
	}
	next := 0
	for _, start := range path.runner.Runs(changes, path.takes, p.Now(), nil) {
		for next < len(versions) && changes[next] <= start {
			next++
		}
		if next == 0 {
			continue
		}
		r := rule{at: start + path.takes + path.delay + t.Delay}
		usable, _, _ := Usable(&api.ServiceSpec{Type: api.ClusterIP}, versions[next-1].endpoints, "", "")
		for _, e := range usable {
			r.targets = append(r.targets, e.TargetRef.UID)
		}
		if len(rules) > 0 || len(r.targets) > 0 { // requests begin with the first endpoint
			rules = append(rules, r)
		}
	}
	return rules
}

// versionsOf returns the endpoints of a Service after each change of its slices.
func versionsOf(p *past.Past, service api.Key) (list []version) {
	slicesNow := map[string]*api.EndpointSlice{}
	var names []string
	for _, c := range p.ChangesAfter(-1) {
		slice, ok := c.Object().(*api.EndpointSlice)
		if !ok || slice.Namespace != service.Namespace || slice.Labels[api.ServiceNameLabel] != service.Name {
			continue
		}
		if _, known := slicesNow[slice.Name]; !known {
			names = append(names, slice.Name)
		}
		slicesNow[slice.Name], _ = c.New.(*api.EndpointSlice)
		v := version{at: c.At}
		for _, name := range names {
			if s := slicesNow[name]; s != nil {
				v.endpoints = append(v.endpoints, s.Endpoints...)
			}
		}
		list = append(list, v)
	}
	return list
}

// livesOf returns the lives of all pods that were ever a target, by UID.
func livesOf(p *past.Past, t scenario.Traffic, rules []rule) map[string]life {
	lives, targets := map[string]life{}, map[string]bool{}
	for _, r := range rules {
		for _, uid := range r.targets {
			targets[uid] = true
		}
	}
	for _, c := range p.ChangesAfter(-1) {
		pod, ok := c.Object().(*api.Pod)
		if !ok || !targets[pod.UID] {
			continue
		}
		l, known := lives[pod.UID]
		if !known {
			l = life{never, never, never}
		}
		lives[pod.UID] = l.after(&c, pod, t)
	}
	return lives
}

// after returns a life after a change of its pod. The app gets SIGTERM after the preStop hook, and stops, drains or goes on as the
// scenario says; it ends with its container at the latest.
func (l life) after(c *past.Change, pod *api.Pod, t scenario.Traffic) life {
	running := c.New != nil && len(pod.Status.ContainerStatuses) > 0 && pod.Status.ContainerStatuses[0].State.Kind == api.Running
	if running && l.listens == never {
		l.listens = c.At + t.ListensAfter
	}
	if pod.Terminating() && l.deaf == never {
		signal := c.At + past.WatchLatency + preStop(pod)
		l.deaf, l.ends = signal, signal
		switch t.OnTerm {
		case scenario.Drains:
			l.ends = signal + max(t.Drain, t.Takes)
		case scenario.Ignores:
			l.deaf, l.ends = never, never
		}
	}
	if !running && l.listens < never && c.At < l.ends { // it has crashed, or its grace period is over
		l.deaf, l.ends = min(l.deaf, c.At), min(l.ends, c.At)
	}
	return l
}

// preStop returns how long the hook of a pod delays SIGTERM, in ms.
func preStop(pod *api.Pod) (ms int64) {
	for i := range pod.Spec.Containers {
		if l := pod.Spec.Containers[i].Lifecycle; l != nil && l.PreStop != nil {
			ms = max(ms, 1000*min(l.PreStop.SleepSeconds, pod.DeletionGracePeriodSeconds))
		}
	}
	return ms
}
