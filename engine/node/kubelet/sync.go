package kubelet

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// worker syncs a pod, one sync after the other (pod_workers.go:podWorkerLoop, G-16).
type worker struct {
	busy      bool     // a sync is under way
	asked     bool     // another one was asked for meanwhile
	next      view     // the pod as that one knows it
	due       bool     // one is scheduled, for which the worker waits
	sees      view     // the pod as that sync knows it
	timers    int64    // generation of its timer
	resyncs   int64    // generation of the timer for the case that nobody asks
	syncedAt  sim.Time // the end of the last sync
	skipped   sim.Time // the time of a sync that is not run, unless it was due at once; another one, asked for meanwhile, is at syncedAt
	idle      bool     // nobody has asked since, and nothing needs to change
	resyncAt  sim.Time // then, the next sync after a minute or more, or 0 if it is not drawn yet
	early     bool     // a relist has begun it, or the one before, at whose end it began
	relisted  bool     // the containers were listed after it, because it has changed them
	saw       sim.Time // what is known in the sync is of this moment
	acted     bool     // it tried to change something
	retry     sim.Time // when the first back-off of a crash that it met is over, or never
	retryPull bool     // a start failed otherwise
	changes   int      // containers that have started or ended in it, and the sandbox, since the last relist
	tells     sim.Time // the relist that notices them
	news      int      // of them, those that the next relist notices, since the sync has failed
	listens   int64    // generation of that timer

	skips []sim.Time // retries before that of resyncs, which change nothing unless another sync comes before them
}

// view is what the kubelet has been told about a pod when it asks for a sync: the worker does not look again while it waits (pod_workers.go:startPodSync).
type view struct {
	deleted    bool         // it is to stop
	gates      string       // which of its readiness gates are not open
	spec       *api.PodSpec // whose images may change
	generation int64        // of its last change, 0 if it is as it was created
}

// ask asks for a sync. The worker waits for the end of the one that is under way, and for a relist after that, so that it knows what came of
// it; who asks while it waits asks for another one. A sync that would change nothing is not run.
func (k *Kubelet) ask(p *pod) { k.askAfter(p, k.kernel.Now(), p.told) }

// again asks for another sync, which follows when the present sync has ended.
func (p *pod) again(yes bool) {
	if yes {
		p.asked, p.next = true, p.told
	}
}

// askAfter asks for a sync that comes after those that were due up to a moment.
func (k *Kubelet) askAfter(p *pod, due sim.Time, knows view) {
	now := k.kernel.Now()
	k.catchUpSyncs(p, due)
	fresh := p.relisted || p.node.lastRelist(now) > p.syncedAt
	waits := p.syncedAt > now // for a sync that is not run, which was asked for before
	switch {
	case p.busy || p.due:
		p.asked, p.next = true, knows
	case p.gone:
	case !p.told.deleted && p.settled(now):
		p.sees = knows
		k.cancel(&p.resyncs)
		if fresh {
			p.syncedAt, p.relisted, p.idle, p.resyncAt = now, false, true, 0
			break
		}
		p.skipped, p.idle, p.resyncAt = p.node.relistAfter(now), true, 0
		if p.syncedAt = p.skipped; waits {
			p.syncedAt += relistPeriod
		}
	case p.skipped == now, p.skipped > 0 && p.syncedAt == now:
		p.asked, p.next, p.due = true, knows, true
		k.sync(p)
	case fresh:
		p.sees = knows
		k.sync(p)
	default:
		if p.due, p.asked, p.next = true, waits, knows; !waits {
			p.sees = knows
		}
		k.cancel(&p.timers)
		k.at(p.containers[0], p.node.relistAfter(now), opSync)
	}
}

// settled says whether all is as it should be, and the status says so.
func (p *pod) settled(now sim.Time) bool {
	for _, c := range p.containers {
		if c.init && p.initialized {
			continue
		}
		if c.init || c.shownRun != c.run || !c.status.Started || !c.status.Ready || !c.runs(now) || c.failed(startup) || c.failed(liveness) {
			return false
		}
	}
	return p.told.gates == p.shown.gates && p.told.generation == p.shown.generation
}

// sync reports a pod, and does what its containers need (kubelet.go:SyncPod).
func (k *Kubelet) sync(p *pod) {
	now := k.kernel.Now()
	p.saw = p.node.lastRelist(now) - 1 // what ends in the ms of a relist ends after it
	if p.relisted {
		p.saw = max(p.saw, p.syncedAt)
	}
	if p.syncedAt != now { // a sync that follows another in its ms is what that one was
		p.early = p.node.lastRelist(now) == now
	}
	p.busy, p.due, p.acted, p.relisted, p.skipped = true, false, false, false, 0
	p.retry, p.retryPull = never, false
	k.cancel(&p.timers)
	if p.idle {
		p.idle, p.resyncAt, p.skips = false, 0, append(p.skips, p.resyncAt)
	}
	if len(p.skips) > 0 { // this sync comes before them
		k.cancel(&p.resyncs)
		k.at(p.containers[0], p.skips[0], opResync)
		p.skips = nil
	}
	switch {
	case p.terminated:
		k.remove(p)
		return
	case p.sees.deleted:
		k.terminate(p)
		k.trigger(p)
		return
	}
	if k.report(p, p.saw, "", nil); p.gone {
		return
	}
	p.act()
	if !p.sandbox {
		p.begin(now)
	}
	if k.step(p); p.busy || p.early { // what it does at once comes first, and so does a crash in this ms
		k.after(p.containers[0], 0, opTrigger)
		return
	}
	k.trigger(p)
}

// begin creates the sandbox and the workers of the probes.
func (p *pod) begin(now sim.Time) {
	p.sandbox, p.acted = true, true
	p.change(now, 1)
	for _, c := range p.containers {
		c.beginProbes(now)
	}
}

// act decides which containers the sync kills and starts (kuberuntime_manager.go:computePodActions).
func (p *pod) act() {
	if !p.actInit() {
		return
	}
	for _, c := range p.containers[p.inits:] {
		if !c.runs(p.saw) {
			c.start = true
		} else {
			c.restart(c.changed() || c.failed(liveness) || c.failed(startup))
		}
	}
}

// actInit decides that for the init containers, and returns whether the others may start: from the last one that has run on
// (kuberuntime_container.go:computeInitContainerActions).
func (p *pod) actInit() bool {
	passed, ok := p.initialized, p.initialized || p.inits == 0
	next := func(i int) { // the i-th one is initialized
		if i == p.inits-1 {
			ok = true
		} else if !passed {
			p.containers[i+1].start = true
		}
	}
	for i := p.inits - 1; i >= 0; i-- {
		c := p.containers[i]
		switch {
		case !c.ran():
			c.start = passed && c.sidecar
			continue
		case passed && c.init:
			continue
		case !c.runs(p.saw):
			if c.sidecar || c.exitCode != 0 {
				c.start = true
			} else {
				next(i)
			}
		case c.init: // it runs
		case c.spec.StartupProbe == nil || c.result(startup) == success:
			next(i)
			c.restart(c.changed() || c.failed(liveness))
		default:
			c.restart(c.failed(startup))
		}
		passed = true
	}
	if !passed && p.inits > 0 {
		p.containers[0].start = true
	}
	return ok
}

func (c *container) restart(yes bool) { c.kill, c.start = yes, c.start || yes }

// step does the next thing that the sync has to do: first it kills, then it starts, one container after the other.
func (k *Kubelet) step(p *pod) {
	for _, c := range p.containers {
		if c.kill {
			c.kill, p.acted = false, true
			k.kill(c)
			return
		}
	}
	for _, c := range p.containers {
		if c.start {
			c.start, p.acted = false, true
			if !k.tryStart(c) {
				return // until it has started
			}
		}
	}
	k.finish(p)
}

// fail notes why a container cannot start. Nothing starts after an init container that fails.
func (k *Kubelet) fail(c *container, reason, message string) {
	c.reason, c.message = reason, message
	if c.init {
		for _, later := range c.pod.containers {
			later.start = false
		}
	}
}

// change notes that the sandbox or containers have started or ended: a relist tells so, which asks for a sync.
func (p *pod) change(at sim.Time, changes int) {
	if tells := p.node.relistAfter(at); tells != p.tells {
		p.again(p.changes > 0)
		p.changes, p.tells = 0, tells
	}
	p.changes += changes
}

// finish ends a sync. If it has changed something, and nothing failed, the containers are listed at once (kubelet.go:SyncPod,
// pleg/generic.go:RequestRelist), otherwise at the next relist; each that has started or ended asks for a sync then. The retry of a sync that
// has failed may be due while that sync is under way, and asks for another one. In a pod of one container that is not so after a failed pull: its
// back-off is not over then, so that sync ends at once.
func (k *Kubelet) finish(p *pod) {
	now := k.kernel.Now()
	p.change(now, 0)
	asks, relisted := p.changes, p.acted && !p.retryPull && p.retry == never
	switch {
	case relisted:
		asks += k.tellEnds(p)
	case p.changes > 0:
		asks, p.news = 0, p.changes
		k.at(p.containers[0], p.tells, opNews)
	}
	knows := p.told
	if p.asked {
		asks, knows = asks+1, p.next
	}
	p.busy, p.asked, p.syncedAt, p.relisted = false, false, now, relisted
	k.cancel(&p.resyncs)
	if p.changes, p.tells = 0, 0; asks == 0 && p.news == 0 || p.retry < never || p.retryPull && len(p.containers) > 1 {
		k.requeue(p)
	}
	for range min(asks, 3) {
		k.askAfter(p, now, knows)
		knows = p.told
	}
}

// hear asks for a sync for each of the news of a relist. Of a container that has started and ended since the relist before, only its end is
// told (pleg/generic.go:generateEvents).
func (k *Kubelet) hear(p *pod) {
	now, news := k.kernel.Now(), p.news
	for _, c := range p.containers {
		if c.run > 0 && c.endsAt < now && p.node.relistAfter(c.startedAt) == now {
			news--
		}
	}
	p.news = 0
	for range min(news, 3) {
		k.ask(p)
	}
}

// requeue syncs a pod again, unless another sync ends before: after a minute, or, if this one failed, when the first back-off of a crash is over
// or after ten seconds, and up to half of that later (pod_workers.go:completeWork, G-15).
func (k *Kubelet) requeue(p *pod) {
	now := k.kernel.Now()
	switch {
	case p.retry < never:
		k.at(p.containers[0], k.jittered(p, now, min(p.retry-now, resyncPeriod)), opResync)
	case p.retryPull:
		at := k.jittered(p, now, retryPeriod)
		for wait := p.pullsAgain(); at < wait; at = k.jittered(p, at, retryPeriod) {
			p.skips = append(p.skips, at)
		}
		k.at(p.containers[0], at, opResync)
	case p.settled(now):
		p.idle = true
	default:
		k.at(p.containers[0], k.jittered(p, now, resyncPeriod), opResync)
	}
}

// catchUpSyncs computes the retries that a pod has had up to a moment which change nothing, or the syncs after a minute or more if it is as it should be.
// The next sync waits for a relist after the last of them.
func (k *Kubelet) catchUpSyncs(p *pod, due sim.Time) {
	for len(p.skips) > 0 && p.skips[0] <= due {
		p.syncedAt, p.skips, p.relisted, p.skipped = p.skips[0], p.skips[1:], false, 0
	}
	for p.idle {
		if p.resyncAt == 0 {
			p.resyncAt = k.jittered(p, p.syncedAt, resyncPeriod)
		}
		if p.resyncAt > due {
			return
		}
		p.syncedAt, p.resyncAt, p.relisted, p.skipped = p.resyncAt, 0, false, 0
	}
}

// pullsAgain returns when the first image is pulled again, if the status shows that all that can't be pulled wait, and no readiness
// probe is triggered before.
func (p *pod) pullsAgain() sim.Time {
	again := never
	for _, c := range p.containers {
		if c.triggered() {
			return 0
		}
		if c.reason == "" {
			continue
		}
		if c.reason != pullsLater || c.status.State.Reason != pullsLater {
			return 0
		}
		again = min(again, c.pullBackOff.updated+c.pullBackOff.length)
	}
	return again
}
