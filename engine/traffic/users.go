package traffic

import "github.com/rollplay/rollplay/engine/breath"

// users send their next request when the last one has its answer, so that a pod which does not answer holds them up: fewer requests come,
// and fewer fail, than at a fixed rate. kube-proxy chooses an endpoint for each request at random, and so do these, by a keyed draw.
type users struct {
	*flow
	seed uint64
	list []user
	sent int64
}

// oneByOneMax is how many requests are computed one by one, at most. What would be more comes at the rate at which users send if all is
// well, and is computed in aggregate.
const oneByOneMax = 2_000_000

type user struct {
	next int64 // ms, when it sends the next request
	sent uint64
}

// newUsers spreads the first requests over the time of one.
func newUsers(f *flow, seed uint64) *users {
	u, of := &users{flow: f, seed: seed, list: make([]user, f.report.Of.Users)}, &f.report.Of
	for k := range u.list {
		u.list[k].next = int64(k) * (of.Takes + of.Pause) / of.Users
	}
	return u
}

// most returns how many requests an interval has at most.
func (u *users) most(from, to int64) int64 {
	holds := int64(never)
	for _, l := range u.lanes {
		for o, of := range l.by {
			if len(of) > 0 || Outcome(o) == NoEndpoint && len(l.targeted) == 0 {
				holds = min(holds, u.holds(Outcome(o), 0))
			}
		}
	}
	return int64(len(u.list)) * (1 + (to-from)/max(1, holds+u.report.Of.Pause))
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
	for k := range u.list {
		one := &u.list[k]
		for one.next = max(one.next, from); one.next < to; one.sent++ {
			breath.Often()
			l := u.lane(uint64(k), one.sent)
			t, o := &l.nobody, NoEndpoint
			if n := uint64(len(l.targeted)); n > 0 {
				t = l.targeted[draw(u.seed, uint64(k), one.sent)%n]
				o = l.becomes(t.answer)
			}
			if o == SlowCrowded && l.late(1) > 0 {
				o = Crowded
			}
			if i.Counts[o]++; o != Served {
				l.lost(t, o, &i, 1)
			}
			one.next += max(1, u.holds(o, l.delay)+u.report.Of.Pause)
		}
	}
	u.report.add(i)
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

// holds is how long a request keeps its user, in ms, with a time that those that wait for a pod wait.
func (u *users) holds(o Outcome, delay int64) int64 {
	of := &u.report.Of
	switch o {
	case Gone, Long, Crowded:
		return of.Timeout
	case Early, Late, Down, NoEndpoint:
		return 0
	case SlowCrowded:
		return of.Takes + delay
	}
	return min(of.Takes, of.Timeout)
}

// draw is a number for one request of one user.
func draw(seed, user, request uint64) uint64 {
	z := seed*0x9e3779b97f4a7c15 ^ user*0xbf58476d1ce4e5b9 ^ request*0x94d049bb133111eb
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
