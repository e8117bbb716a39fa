package traffic

import "math"

// crowd is the requests that wait until a pod of a Service has room for them.
//
// Simplified: the pods of a Service have one queue, so a pod that ends takes none of those that wait with it; what becomes of a request is
// decided when it comes; a second try needs no room. A pod that answers at most n requests at once answers n in the time that one takes.
// Users who wait for answers meet as many others as on average, from the moment on at which pods come or go.
type crowd struct {
	waiting bool
	queue   float64 // requests that wait
	grows   float64 // the queue, in requests per ms
	over    float64 // the part of the requests that would wait too long
	owes    float64 // a fraction of one of those
	delay   int64   // ms that users wait
}

// room reports whether the pods of a lane answer a limited number of requests at once.
func (l *lane) room() bool {
	of := &l.flow.report.Of
	return of.Capacity > 0 && of.Mean() > 0 && len(l.by[Served]) > 0
}

// waits decides about the requests that come to a lane at a rate per ms, and returns until when that holds.
func (l *lane) waits(from, to int64, come float64) int64 {
	of := &l.flow.report.Of
	l.grows, l.over = 0, 0
	if !l.room() {
		l.queue = 0
		l.set(false)
		return to
	}
	pods := float64(len(l.by[Served]))
	come *= pods / float64(len(l.targeted))
	answer := pods * float64(of.Capacity) / float64(of.Mean())
	full := answer * float64(max(0, of.Timeout-of.Mean()))
	l.queue, l.grows = min(l.queue, full), come-answer
	last := math.Inf(1) // ms until the queue is full or empty
	switch {
	case l.grows > 0 && l.queue >= full:
		l.over, l.grows = l.grows/come, 0
	case l.grows > 0:
		last = (full - l.queue) / l.grows
	case l.queue > 0 && l.grows < 0:
		last = l.queue / -l.grows
	}
	l.set(l.queue > 0 || l.grows > 0 || l.over > 0)
	return min(to, from+max(1, int64(min(math.Ceil(last), never/2))))
}

// set notes whether requests wait.
func (l *lane) set(waiting bool) {
	if l.waiting == waiting {
		return
	}
	l.waiting = waiting
	for _, t := range l.by[Served] {
		l.begin(t)
	}
}

// late returns how many of some requests wait too long.
func (l *lane) late(n int64) int64 {
	l.owes += float64(n) * l.over
	late := min(n, int64(l.owes))
	l.owes -= float64(late)
	return late
}

// meet sets what becomes of the requests of users who wait for each answer. Where a pod has room for fewer than come, each waits until all
// together send no more than it answers, and some give up if that is longer than they wait.
func (l *lane) meet(users float64) {
	of := &l.flow.report.Of
	l.delay, l.over = 0, 0
	if l.room() {
		users /= float64(len(l.targeted))
		answer := float64(of.Capacity) / float64(of.Mean())
		l.delay = max(0, int64(users/answer)-of.Mean()-of.Pause)
		if l.delay+of.Mean() > of.Timeout {
			l.over = 1 - answer*float64(of.Timeout+of.Pause)/users
			l.delay = max(0, of.Timeout-of.Mean())
		}
	}
	l.set(l.delay > 0 || l.over > 0)
}
