package sim

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

// Reconciler brings one object closer to its spec. An error means: try again later.
type Reconciler interface {
	Sync(key api.Key) error
}

// LoopObserver sees what the loops of all controllers do: engine/oracle/conformance compares it with upstream. It must
// neither write nor queue anything.
type LoopObserver interface {
	// Queued is called when a key is queued, also if it is due earlier already. The delay is 0 for now.
	Queued(l *Loop, key api.Key, delay Time)
	// SyncBegins and SyncEnds enclose a reconcile; the retry after an error is queued in between.
	SyncBegins(l *Loop, key api.Key)
	SyncEnds(l *Loop, key api.Key, err error)
}

// Operations of a Loop.
const (
	opWork  uint8 = iota // take the next key
	opRipe               // a delayed key may be due now
	opToken              // a paused sync continues
)

// Loop is a controller's machinery: its queue and its workers. A sync takes no virtual time; each one is an event of its own. Only one
// that waits for its client does, and then other workers go on (H-7, H-12).
type Loop struct {
	Name       string // the controller, as actor of its records
	MaxRetries int    // after this many failures the key is dropped until the next change; 0: never (H-6)
	Workers    int

	kernel     *Kernel
	store      *Store
	reconciler Reconciler
	limit      *Limiter
	queue      Queue
	working    bool // an opWork event is in the heap
	paused     map[api.Key]*pause
	written    map[api.Key][]written
	pausing    *pause // of the current sync

	record  int   // of the current reconcile, while syncing
	before  pause // what it was before its pauses
	syncing bool
	idle    string   // why the reconcile changes nothing, if it does not
	idleWhy *Explain // the sum behind that
}

// workersDefault is how many workers most controllers have (--concurrent-deployment-syncs and others).
const workersDefault = 5

// NewLoop returns a loop with an empty queue and adds it to the kernel's list. Its controller writes through a client with a limit, or
// without one.
func NewLoop(s *Store, name string, maxRetries int, r Reconciler, limit *Limiter) *Loop {
	l := &Loop{Name: name, MaxRetries: maxRetries, Workers: workersDefault, kernel: s.Kernel, store: s, reconciler: r, limit: limit,
		queue: newQueue(s.Kernel), paused: map[api.Key]*pause{}, written: map[api.Key][]written{}}
	s.Kernel.Loops = append(s.Kernel.Loops, l)
	return l
}

// Add queues a key.
func (l *Loop) Add(key api.Key) {
	if o := l.kernel.LoopObserver; o != nil {
		o.Queued(l, key, 0)
	}
	l.add(key, Wake{WakeChange, l.kernel.cause})
}

func (l *Loop) add(key api.Key, w Wake) {
	l.queue.add(key, w)
	l.wake()
}

// Queue returns the controller's queue, for reading only.
func (l *Loop) Queue() *Queue { return &l.queue }

// AddAfter queues a key after a delay in ms. It returns false if nothing changes because the key is due earlier already
// (H-4).
func (l *Loop) AddAfter(key api.Key, delay Time) bool { return l.addAfter(key, delay, WakeDelay) }

func (l *Loop) addAfter(key api.Key, delay Time, kind WakeKind) bool {
	if delay <= 0 {
		l.Add(key)
		return true
	}
	if o := l.kernel.LoopObserver; o != nil {
		o.Queued(l, key, delay)
	}
	at := l.kernel.Now() + delay
	if !l.queue.delay(key, at, Wake{kind, l.kernel.cause}) {
		return false
	}
	l.kernel.Schedule(Event{At: at, To: l, Op: opRipe, Key: key})
	return true
}

// AddRateLimited queues a key after its retry delay, in ms, and returns the delay with its sum (H-5).
func (l *Loop) AddRateLimited(key api.Key) (Time, *Explain) {
	failures := l.queue.failures(key)
	own, bucket := l.queue.retryDelay(key, l.kernel.Now())
	delay := max(own, bucket)
	l.addAfter(key, delay, WakeRetry)
	return delay, why.Sum("H-5", "client-go/util/workqueue/default_rate_limiters.go:When",
		"max(min(base * 2 ^ failures, longest), bucket)", delay, l.queue.base, int64(min(failures, 20)), retryDelayMax, bucket)
}

// RetryFrom sets the delay after a first failure, in ms, for a controller whose rate limiter is not the default one.
func (l *Loop) RetryFrom(base Time) { l.queue.base = base }

// Handle processes the next key, or queues a key whose delay is over.
func (l *Loop) Handle(e Event) {
	switch e.Op {
	case opRipe:
		if wake, ok := l.queue.ripe(e.Key, e.At); ok {
			l.add(e.Key, wake)
		}
	case opWork:
		l.working = false
		if key, sync, ok := l.queue.get(); ok {
			l.sync(key, sync)
		}
		l.wake()
	case opToken:
		l.resume(e.Key)
		l.wake()
	}
}

func (l *Loop) wake() {
	if !l.working && l.queue.len() > 0 && len(l.paused) < l.Workers {
		l.working = true
		l.kernel.Schedule(Event{At: l.kernel.Now(), To: l, Op: opWork})
	}
}

// sync reconciles a key. Its record comes before those of what it does, and is completed at the end.
func (l *Loop) sync(key api.Key, sync *Sync) {
	if o := l.kernel.LoopObserver; o != nil {
		o.SyncBegins(l, key)
	}
	l.begin(key, sync)
	err := l.behind(key)
	if err == nil {
		err = l.reconciler.Sync(key)
	}
	l.finish(key, sync, err)
}

// finish ends a sync, or lets it wait for its client.
func (l *Loop) finish(key api.Key, sync *Sync, err error) {
	p, owes := l.pausing, l.limit.settle()
	l.pausing = nil
	if p != nil {
		l.Idle("its next request waits for its client", nil)
	} else {
		l.judge(key, err)
		if owes > l.kernel.now {
			p = &pause{until: owes}
		}
	}
	l.end(sync, err)
	if o := l.kernel.LoopObserver; o != nil {
		o.SyncEnds(l, key, err)
	}
	if p == nil {
		l.queue.done(key)
		return
	}
	l.wait(key, p)
}

// judge decides whether a sync is tried again.
func (l *Loop) judge(key api.Key, err error) {
	switch {
	case err == nil:
		l.queue.forget(key)
	case l.MaxRetries > 0 && l.queue.failures(key) >= l.MaxRetries:
		l.kernel.Decide(l.Name, key, fmt.Sprintf("gives up after %d retries until something changes: %v", l.MaxRetries, err), giveUp)
		l.queue.forget(key)
	default:
		delay, why := l.AddRateLimited(key)
		l.kernel.Decide(l.Name, key, fmt.Sprintf("tries again in %d ms: %v", delay, err), why)
	}
}

var giveUp = why.Rule("H-6", "pkg/controller/deployment/deployment_controller.go:handleErr")

func (l *Loop) begin(key api.Key, sync *Sync) {
	l.record, l.syncing = len(l.kernel.Trace.Records), true
	l.before = pause{began: l.kernel.now, first: int32(l.record)}
	l.idle, l.idleWhy = "", nil
	l.kernel.Add(Record{Kind: Reconcile, Actor: l.Name, Object: key, Sync: sync})
	l.kernel.cause = int32(l.record)
}

func (l *Loop) end(sync *Sync, err error) {
	records := l.kernel.Trace.Records
	r := records[l.record]
	sync.Last = len(records) - 1
	for i := l.record + 1; i <= sync.Last; i++ {
		if records[i].Kind == Write {
			sync.Writes++
		}
	}
	r.Failed = err != nil
	if sync.Writes == 0 && err == nil && l.idle != "" {
		r.What += ", changes nothing: " + l.idle
		r.Why = cmp.Or(l.idleWhy, r.Why)
	}
	l.syncing = false
}

// Branch notes which branch the reconcile takes, a noun phrase, and the rule for it. A later call replaces an earlier one: the
// deeper, the more precise.
func (l *Loop) Branch(name string, why *Explain) {
	if l.syncing {
		r := l.kernel.Trace.Records[l.record]
		r.What, r.Why = name, why
	}
}

// Idle notes why the reconcile changes nothing; it shows if no write follows.
func (l *Loop) Idle(what string, why *Explain) { l.idle, l.idleWhy = what, why }

// OrIdle is Idle unless the reconcile has noted a reason already.
func (l *Loop) OrIdle(what string, why *Explain) {
	if l.idle == "" {
		l.Idle(what, why)
	}
}

// Skip ends a reconcile that has nothing to do, and notes why.
func (l *Loop) Skip(branch string, rule *Explain, what string) error {
	l.Branch(branch, rule)
	l.Idle(what, nil)
	return nil
}

// Decide records a decision without a write, and notes it as the reason why the reconcile changes nothing.
func (l *Loop) Decide(key api.Key, what string, why *Explain) {
	l.kernel.Decide(l.Name, key, what, why)
	l.Idle(what, why)
}

// AddOwners queues the workloads of a cache that a change of a pod, or of another dependent, affects: the former owner if
// it has released the dependent, and the owner, which it returns. Of an orphan that is new, released or relabelled it
// queues all workloads that select it, because they may adopt it.
func (l *Loop) AddOwners(cache *Table, c *Change) (owner api.Object) {
	m, released := c.Object().Meta(), false
	ref := m.ControllerOf()
	if c.Type == Modified {
		before := c.Old.Meta().ControllerOf()
		if released = before != nil && (ref == nil || *before != *ref); released {
			l.addOwner(cache, m.Namespace, before)
		}
	}
	switch {
	case ref != nil:
		return l.addOwner(cache, m.Namespace, ref)
	case c.Type == Added || released || c.Type == Modified && !maps.Equal(c.Old.Meta().Labels, m.Labels):
		l.addSelecting(cache, m)
	}
	return nil
}

// AddOwnersOfPod queues the owners of a pod that has changed, and its owner once more if it has become Ready: after
// minReadySeconds, when it may count as available (R-22a, S-34).
func (l *Loop) AddOwnersOfPod(cache *Table, c *Change) {
	owner := l.AddOwners(cache, c)
	if wait := api.MinReadySecondsOf(owner); wait > 0 && !c.Old.(*api.Pod).IsReady() && c.New.(*api.Pod).IsReady() {
		l.AddAfter(owner.Key(), int64(wait)*1000)
	}
}

// addOwner queues the workload that a reference points to, and returns it, nil if none has its UID (resolveControllerRef).
func (l *Loop) addOwner(cache *Table, namespace string, ref *api.OwnerReference) api.Object {
	o := cache.Owner(namespace, ref)
	if o != nil {
		l.Add(o.Key())
	}
	return o
}

// addSelecting queues the workloads that select an orphan. An empty selector selects nothing here.
func (l *Loop) addSelecting(cache *Table, orphan *api.ObjectMeta) {
	for o := range cache.All() {
		s := o.(api.Workload).Selector()
		if o.Meta().Namespace == orphan.Namespace && !s.Empty() && s.Matches(orphan.Labels) {
			l.Add(o.Key())
		}
	}
}
