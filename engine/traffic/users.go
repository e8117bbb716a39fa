package traffic

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/past"
)

// users send their next request when the last one has its answer, so that a pod which does not answer holds them up: fewer requests come,
// and fewer fail, than at a fixed rate. kube-proxy chooses an endpoint for each connection at random, and so do these, by a keyed draw.
type users struct {
	*flow
	seed uint64
	list []user
	sent int64
}

// oneByOneMax is how many requests are computed one by one, at most. What would be more comes at the rate at which users send if all is
// well, and is computed in aggregate.
const oneByOneMax = 2_000_000

// user is somebody who sends one request after the other.
type user struct {
	next    int64 // ms, when it sends the next request
	sent    uint64
	lane    *lane
	pod     *target // of the last request
	began   int64   // ms, when it chose the pod
	ended   int64   // ms, when the last request had its answer
	on      int64   // requests on its connection, 0 if it has none
	stretch int     // its last one, from 1
}

// newUsers spreads the first requests over the time of one.
func newUsers(f *flow, seed uint64) *users {
	u, of := &users{flow: f, seed: seed, list: make([]user, f.report.Of.Users)}, &f.report.Of
	for k := range u.list {
		u.list[k].next = int64(k) * (of.Mean() + of.Pause) / of.Users
	}
	return u
}

// most returns how many requests an interval has at most.
func (u *users) most(from, to int64) int64 {
	holds, of := int64(never), &u.report.Of
	for _, l := range u.lanes {
		for o, targets := range l.by {
			if len(targets) > 0 || Outcome(o) == NoEndpoint && len(l.targeted) == 0 {
				holds = min(holds, u.holds(Outcome(o), of.Takes.Min))
			}
		}
	}
	return int64(len(u.list)) * (1 + (to-from)/max(1, holds+of.Pause))
}

// share counts the requests of an interval.
func (u *users) share(from, to int64) {
	if u.sent += u.most(from, to); u.sent > oneByOneMax {
		u.report.Aggregate = true
		u.rate = u.report.PerSecond()
		u.flow.share(from, to)
		return
	}
	for k, l := range u.lanes {
		l.meet(float64(len(u.list)) * u.parts[k])
	}
	i := u.interval(from, to)
	if u.sticky {
		i.Mix = make([]float64, len(u.report.Sets))
	}
	for k := range u.list {
		one := &u.list[k]
		for one.next = max(one.next, from); one.next < to; one.sent++ {
			breath.Often()
			u.send(uint64(k), one, &i)
		}
	}
	u.report.add(i)
}

// send sends the next request of a user.
func (u *users) send(k uint64, one *user, i *Interval) {
	of := &u.report.Of
	u.choose(k, one)
	l, takes, answer := one.lane, u.takes(k, one.sent), NoEndpoint
	if one.pod != nil {
		answer = one.pod.answer
	}
	o := l.becomes(answer)
	if o == SlowCrowded && l.late(1) > 0 {
		o = Crowded
	}
	if (o == Served || o.Slow()) && takes > of.Timeout {
		o = Long
	}
	takes = u.holds(o, takes)
	if o == SlowCrowded {
		takes += l.delay
	}
	if i.Counts[o]++; o != Served {
		pod := one.pod
		if pod == nil {
			pod = &l.nobody
		}
		l.lost(pod, o, i, 1)
	}
	if one.on++; one.on == of.PerConnection || o != Served && !o.Slow() {
		one.on = 0
	}
	if u.sticky {
		u.note(one, o, i)
	}
	one.ended = one.next + takes
	one.next += max(1, takes+of.Pause)
}

// choose finds the pod of a user's next request: that of its connection, as long as the app there takes requests, or a new one; with session
// affinity, the last one as long as the proxies send there. An app that takes no more has closed the connections on which nothing is asked.
func (u *users) choose(k uint64, one *user) {
	of := &u.report.Of
	if one.on > 0 && u.report.keeps() && (of.MaxAge == 0 || one.next-one.began < of.MaxAge) {
		switch one.pod.answer {
		case Served, Reset, Crashed:
			return
		}
	}
	l := u.lane(k, one.sent)
	sticks := one.pod != nil && one.pod.targeted && one.lane == l && one.next-one.ended < l.affinity
	if one.lane, one.on = l, 0; sticks {
		return
	}
	if one.pod, one.began = nil, one.next; len(l.targeted) > 0 {
		one.pod = l.targeted[draw(u.seed, k, one.sent)%uint64(len(l.targeted))]
	}
}

// note adds the request of a user who stays with a pod to the mix of what serves, and to the stretch of the user.
func (u *users) note(one *user, o Outcome, i *Interval) {
	pod, all := "", &u.report.Stretches
	if one.pod != nil {
		pod = one.pod.name
		if o == Served || o.Slow() {
			i.Mix[one.pod.set]++
		}
	}
	if u.report.PerSecond() > Few {
		return
	}
	if n := one.stretch; n > 0 {
		last := &(*all)[n-1]
		if last.Pod == pod && last.Outcome == o {
			return
		}
		last.To = one.next
	}
	if one.stretch = 0; pod != "" {
		*all = append(*all, Stretch{Outcome: o, Pod: pod, From: one.next, To: u.report.Until})
		one.stretch = len(*all)
	}
}

// lane draws the lane of a request.
func (u *users) lane(k, sent uint64) *lane {
	at := float64(draw(u.seed+1, k, sent)>>11) / (1 << 53)
	for i, l := range u.lanes {
		if at -= u.parts[i]; at < 0 {
			return l
		}
	}
	return u.lanes[0] // the parts are 1, but for a fault of rounding
}

// takes draws how long a request takes, in ms.
func (u *users) takes(k, sent uint64) int64 {
	r := u.report.Of.Takes
	if r.Min == r.Max {
		return r.Min
	}
	return r.Min + int64(draw(u.seed+2, k, sent)%uint64(r.Max-r.Min+1))
}

// holds is how long a request keeps its user, in ms, if it takes some time when nothing waits.
func (u *users) holds(o Outcome, takes int64) int64 {
	switch o {
	case Gone, Removed, Long, Crowded:
		return u.report.Of.Timeout
	case Early, Late, Down, NoEndpoint, NoTarget, Unselected:
		return 0
	}
	return min(takes, u.report.Of.Timeout)
}

// affinityOf returns for how long kube-proxy sends a client of a Service to the same pod after its last connection, in ms; 0 for no
// affinity.
//
// Simplified: as the Service is at the last moment that was computed.
func affinityOf(p *past.Past, service api.Key) int64 {
	s, _ := p.ObjectAt(service, p.Len()-1).(*api.Service)
	if s == nil || s.Spec.SessionAffinity != "ClientIP" {
		return 0
	}
	return 1000 * s.Spec.SessionAffinityConfig.Object("clientIP").Number("timeoutSeconds")
}

// draw is a number for one request of one user.
func draw(seed, user, request uint64) uint64 {
	z := seed*0x9e3779b97f4a7c15 ^ user*0xbf58476d1ce4e5b9 ^ request*0x94d049bb133111eb
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
