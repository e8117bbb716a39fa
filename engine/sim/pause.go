package sim

import (
	"cmp"
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
	"github.com/rollplay/rollplay/engine/words"
)

// pause is a sync that waits for its client (H-12): its key stays in the hands of its worker, and the others go on.
type pause struct {
	until  Time
	rest   func() error // nil if nothing is left to do
	began  Time         // the sync
	first  int32        // its first record
	branch string       // of that record
}

// Await makes the next request of a sync when its client has a token for it: at once, or as the rest of a sync that pauses. What Await
// returns the sync must return; nothing may follow.
func (l *Loop) Await(request func() error) error {
	granted := func() error {
		l.limit.grant()
		return request()
	}
	if token := l.limit.Take(); token > l.kernel.now {
		return l.pause(token, granted)
	}
	return granted()
}

// AwaitNext is Await for a request that follows another one of the sync.
func (l *Loop) AwaitNext(request func() error) error {
	return l.beside(1, func() error { return l.Await(request) })
}

// beside makes the next requests of a sync, n or fewer. If the client may have too few tokens for them, its events, and as many of each other
// sync that begins now, those come first: upstream's workers and its sender of events work side by side, and none of them makes a request
// before its last one is answered (H-7).
func (l *Loop) beside(n int, requests func() error) error {
	if others := l.queue.len(); l.limit.crowded(others, n*(1+others)) {
		return l.pause(l.kernel.now, requests)
	}
	return requests()
}

// pause lets the rest of the current sync wait. Its result counts in place of the one returned here.
func (l *Loop) pause(until Time, rest func() error) error {
	p := l.before
	p.until, p.rest = until, rest
	p.branch = cmp.Or(p.branch, l.kernel.Trace.Records[l.record].What)
	l.pausing = &p
	return nil
}

// Pausing says whether the current sync will wait.
func (l *Loop) Pausing() bool { return l.pausing != nil }

// wait keeps the worker of a key busy.
func (l *Loop) wait(key api.Key, p *pause) {
	l.paused[key] = p
	l.wake()
	l.kernel.Schedule(Event{At: p.until, To: l, Op: opToken, Key: key})
}

// resume continues a sync whose token is there, under a record of its own.
func (l *Loop) resume(key api.Key) {
	p := l.paused[key]
	delete(l.paused, key)
	if p.rest == nil {
		l.queue.done(key)
		return
	}
	sync := l.queue.newSync(Wake{WakeToken, p.first})
	l.begin(key, sync)
	l.before = *p
	l.Idle("the stored status has these counts already", nil)
	if waited := l.kernel.now - p.began; waited == 0 {
		l.Branch(p.branch, l.kernel.Trace.Records[p.first].Why)
	} else {
		l.Branch(fmt.Sprintf("%s, waited %s s for kube-controller-manager's own limit of %d requests/s", p.branch, words.Seconds(waited),
			1_000_000/l.limit.interval), why.Sum("H-12", "client-go/rest/request.go:tryThrottle", "token - began", waited, l.kernel.now, p.began).
			Noting("each controller has a client of its own with this limit (--kube-api-qps, --kube-api-burst); its events count, too"))
	}
	l.finish(key, sync, p.rest())
}
