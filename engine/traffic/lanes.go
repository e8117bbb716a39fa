package traffic

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// lane is the way of the requests to the pods of one Service. A route has several, of which each gets a part; what a route gives to no
// Service has a lane without pods.
type lane struct {
	flow     *flow
	service  api.Key
	affinity int64 // ms for which a user stays with a pod, 0 without session affinity
	retries  bool  // a refused request is sent to another pod
	rules    []rule
	steps    []step
	targets  map[string]*target

	now      int64
	leaving  bool    // the targets terminate, and no pod is ready
	none     Outcome // of requests while there is no target
	targeted []*target
	by       [outcomes][]*target // the targeted, by their answers
	pods     []int               // that serve, by their set
	owed     [outcomes]float64   // fractions of requests that no interval has counted yet
	turn     int                 // whose turn it is to lose a request more than the others
	nobody   target
	crowd
}

// flow gives requests that come at equal distances to lanes.
type flow struct {
	report      *Report
	rate, phase int64
	lanes       []*lane
	splits      []split
	parts, owed []float64 // of the lanes
	counts      []int64
	mix         []float64 // nil if it must be computed again
	sticky      bool      // users stay with pods, so the pods have no equal parts
}

func flowOf(p *past.Past, r *Report) *flow {
	f := &flow{report: r, rate: r.Of.Rate, phase: int64(p.Scenario().Seed*617) % 1000, sticky: r.keeps()}
	splits, services := splitsOf(p, &r.Of)
	if f.splits = splits; r.Of.Service.Name == "" {
		services = append(services, api.Key{})
	}
	for _, service := range services {
		s, _ := p.ObjectAt(service, p.Len()-1).(*api.Service)
		r.published = r.published || s != nil && s.Spec.PublishNotReadyAddresses
		rules, ports := rulesOf(p, &r.Of, service, r.Until)
		l := &lane{flow: f, service: service, retries: paths[r.Of.Via].tries > 1, rules: rules, none: NoEndpoint}
		l.targets, l.steps = stepsOf(p, r, ports)
		if r.Of.Users > 0 && r.Of.Via == scenario.KubeProxy {
			l.affinity = affinityOf(p, service)
		}
		f.sticky = f.sticky || l.affinity > 0
		f.lanes = append(f.lanes, l)
	}
	f.parts, f.owed, f.counts = make([]float64, len(f.lanes)), make([]float64, len(f.lanes)), make([]int64, len(f.lanes))
	return f
}

// begins returns when the first request comes: when each Service that has a part has its first endpoint. Services without any are
// left out.
func (f *flow) begins() int64 {
	first := int64(never)
	for _, l := range f.lanes {
		if len(l.rules) > 0 && len(f.splits) > 0 {
			first = min(first, max(f.splits[0].at, l.rules[0].at))
		}
	}
	from := first
	f.split(first)
	for k, l := range f.lanes {
		if len(l.rules) > 0 && f.parts[k] > 0 {
			from = max(from, l.rules[0].at)
		}
	}
	return from
}

// split gives the lanes the parts that they have from a moment on.
func (f *flow) split(from int64) {
	for ; len(f.splits) > 0 && f.splits[0].at <= from; f.splits = f.splits[1:] {
		f.mix = nil
		left := 1.0
		for k, l := range f.lanes {
			f.parts[k] = f.splits[0].parts[l.service]
			if left -= f.parts[k]; l.service.Name == "" && left > 0.5 { // nothing has a weight; else it is a fault of rounding
				f.parts[k] = left
			}
		}
	}
}

// moveTo does everything until a moment, and returns when something changes next.
func (f *flow) moveTo(from int64) (to int64) {
	f.split(from)
	if to = f.report.Until; len(f.splits) > 0 {
		to = min(to, f.splits[0].at)
	}
	for _, l := range f.lanes {
		l.now = from
		for ; len(l.rules) > 0 && l.rules[0].at <= from; l.rules = l.rules[1:] {
			l.send(&l.rules[0])
		}
		for ; len(l.steps) > 0 && l.steps[0].at <= from; l.steps = l.steps[1:] {
			l.answers(l.steps[0].target, l.steps[0].answer)
		}
		if len(l.rules) > 0 {
			to = min(to, l.rules[0].at)
		}
		if len(l.steps) > 0 {
			to = min(to, l.steps[0].at)
		}
	}
	return to
}

// until returns how many requests have come by a moment.
func (f *flow) until(t int64) int64 { return (t*f.rate + f.phase) / 1000 }

// share gives the requests of an interval to the lanes. Where requests begin or cease to wait for a pod, an interval ends.
func (f *flow) share(from, to int64) {
	for ; from < to; breath.Often() {
		end := to
		for k, l := range f.lanes {
			end = min(end, l.waits(from, to, float64(f.rate)*f.parts[k]/1000))
		}
		i := f.interval(from, end)
		deal(f.until(end)-f.until(from), 1, f.parts, f.owed, f.counts)
		for k, l := range f.lanes {
			l.share(&i, f.counts[k])
			l.queue = max(0, l.queue+l.grows*float64(end-from))
		}
		f.report.add(i)
		from = end
	}
}

// interval begins an interval.
func (f *flow) interval(from, to int64) Interval {
	if f.mix == nil {
		f.mix = make([]float64, len(f.report.Sets))
		for k, l := range f.lanes {
			for set, n := range l.pods {
				f.mix[set] += f.parts[k] * float64(n) / float64(max(1, len(l.by[Served])))
			}
		}
	}
	return Interval{From: from, To: to, Mix: f.mix}
}

// deal gives n requests to those that have a part of a whole. Fractions of requests are owed to the next time, and a rest goes to the largest
// part, so every request is counted once.
func deal(n int64, whole float64, parts, owed []float64, counts []int64) {
	left, largest := n, 0
	for k, part := range parts {
		if counts[k] = 0; part == 0 {
			continue
		}
		owed[k] += float64(n) * part / whole
		counts[k] = min(left, max(0, int64(owed[k])))
		owed[k] -= float64(counts[k])
		left -= counts[k]
		if part > parts[largest] {
			largest = k
		}
	}
	counts[largest] += left
	owed[largest] -= float64(left)
}
