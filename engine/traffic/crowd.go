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

// room reports whether the pods of a meter answer a limited number of requests at once.
func (m *meter) room() bool {
	of := &m.report.Of
	return of.Capacity > 0 && of.Mean() > 0 && len(m.by[Served]) > 0
}

// waits decides about the requests that come to a meter at a rate per ms, and returns until when that holds.
func (m *meter) waits(from, to int64, come float64) int64 {
	of := &m.report.Of
	m.grows, m.over = 0, 0
	if !m.room() {
		m.queue = 0
		m.set(false)
		return to
	}
	pods := float64(len(m.by[Served]))
	come *= pods / float64(len(m.targeted))
	answer := pods * float64(of.Capacity) / float64(of.Mean())
	full := answer * float64(max(0, of.Timeout-of.Mean()))
	m.queue, m.grows = min(m.queue, full), come-answer
	last := math.Inf(1) // ms until the queue is full or empty
	switch {
	case m.grows > 0 && m.queue >= full:
		m.over, m.grows = m.grows/come, 0
	case m.grows > 0:
		last = (full - m.queue) / m.grows
	case m.queue > 0 && m.grows < 0:
		last = m.queue / -m.grows
	}
	m.set(m.queue > 0 || m.grows > 0 || m.over > 0)
	return min(to, from+max(1, int64(min(math.Ceil(last), never/2))))
}

// pass lets some ms pass.
func (m *meter) pass(ms int64) { m.queue = max(0, m.queue+m.grows*float64(ms)) }

// set notes whether requests wait.
func (m *meter) set(waiting bool) {
	if m.waiting == waiting {
		return
	}
	m.waiting = waiting
	for _, t := range m.by[Served] {
		m.begin(t)
	}
}

// late returns how many of some requests wait too long.
func (m *meter) late(n int64) int64 {
	m.owes += float64(n) * m.over
	late := min(n, int64(m.owes))
	m.owes -= float64(late)
	return late
}

// meet sets what becomes of the requests of users who wait for each answer. Where a pod has room for fewer than come, each waits until all
// together send no more than it answers, and some give up if that is longer than they wait.
func (m *meter) meet(users float64) {
	of := &m.report.Of
	m.delay, m.over = 0, 0
	if m.room() {
		users /= float64(len(m.targeted))
		answer := float64(of.Capacity) / float64(of.Mean())
		m.delay = max(0, int64(users/answer)-of.Mean()-of.Pause)
		if m.delay+of.Mean() > of.Timeout {
			m.over = 1 - answer*float64(of.Timeout+of.Pause)/users
			m.delay = max(0, of.Timeout-of.Mean())
		}
	}
	m.set(m.delay > 0 || m.over > 0)
}
