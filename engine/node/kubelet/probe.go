package kubelet

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

var (
	whyReady = why.Note("G-22", "pkg/kubelet/prober/worker.go:doProbe",
		"the readiness probe has succeeded successThreshold times in a row")
	whyUnready = why.Note("G-25", "pkg/kubelet/prober/worker.go:doProbe",
		"the readiness probe has failed failureThreshold times in a row")
	whyStartedUp = why.Rule("G-20", "pkg/kubelet/prober/worker.go:doProbe")
)

// schedule is when a probe runs, in ms, and how many equal results in a row it takes.
type schedule struct{ delay, period, successes, failures int64 }

func scheduleOf(p *api.Probe) schedule {
	return schedule{1000 * int64(p.InitialDelaySeconds), 1000 * int64(p.PeriodSeconds), int64(p.SuccessThreshold), int64(p.FailureThreshold)}
}

// tick returns the first tick at or after a moment of a ticker that began at base (G-21). With base 0 and period 10 s, the first
// tick after 12 s is at 20 s.
func (p schedule) tick(base, from sim.Time) sim.Time {
	return base + max(1, (from-base+p.period-1)/p.period)*p.period
}

// succeeds returns when the result becomes Success, if the probe can succeed from a moment on (G-22). With that ticker, successThreshold 2
// and an app that answers after 7 s: probes at 10 and 20 s succeed, so at 20 s.
func (p schedule) succeeds(base, from sim.Time) sim.Time {
	if from >= never {
		return never
	}
	return p.tick(base, from) + (p.successes-1)*p.period
}

// fails returns when the result becomes Failure, if all probes at or after a moment fail (G-24). With that ticker and
// failureThreshold 3, broken from 12 s on: probes at 20, 30 and 40 s fail, so at 40 s.
func (p schedule) fails(base, from sim.Time) sim.Time {
	return p.tick(base, from) + (p.failures-1)*p.period
}

// worker is the ticker of a readiness probe, which a sync of a pod that is not ready resets (prober_manager.go:UpdatePodStatus).
type worker struct {
	base      sim.Time // when its ticker began
	from      sim.Time // up to when its ticks are counted
	successes int64    // of its last probes in a row
	failed    bool     // the last probe failed
}

// probedFrom returns when initialDelaySeconds is over. It counts from the start as a status shows it, in whole seconds
// (status_manager.go:normalizeStatus): with a delay of 2 s and a start at 5.188 s, from 7 s on (G-21).
func (c *container) probedFrom(probe schedule) sim.Time { return c.startedAt/1000*1000 + probe.delay }

// show begins the probes of the containers that a status shows as running: a worker looks at the status. Another sync follows at the next
// relist (G-21).
func (k *Kubelet) show(p *pod) {
	for i := range p.containers {
		c := &p.containers[i]
		if c.activity == running && c.shownAt < c.startedAt && !c.init {
			c.shownAt = k.kernel.Now()
			k.planProbes(p, i)
		}
	}
	k.triggerReadiness(p)
	for i := range p.containers {
		if c := &p.containers[i]; c.unready() && !p.deleted {
			k.at(p, i, p.node.relistAfter(k.kernel.Now()), opResync)
			break
		}
	}
}

// planProbes schedules the results of the probes of a new run. The tickers of its startup and liveness probe began with the pod.
func (k *Kubelet) planProbes(p *pod, i int) {
	c := &p.containers[i]
	c.answersFrom = never
	if !c.traits.neverReady {
		c.answersFrom = c.startedAt + k.draw(p, i, &k.random.ready, c.traits.ready)
	}
	c.readiness = worker{base: p.probesFrom, from: k.kernel.Now()}
	if c.spec.StartupProbe == nil {
		k.planLiveness(p, i)
		k.planReadiness(p, i)
		return
	}
	probe := scheduleOf(c.spec.StartupProbe)
	from := max(c.shownAt, c.probedFrom(probe))
	if first := probe.tick(p.probesFrom, from); first < c.answersFrom {
		k.at(p, i, first, opStartupUnhealthy)
	}
	ok, dead := probe.succeeds(p.probesFrom, max(from, c.answersFrom)), probe.fails(p.probesFrom, from)
	if ok <= dead {
		k.at(p, i, ok, opStartupSucceeds)
	} else {
		k.at(p, i, dead, opStartupKills)
	}
}

// planLiveness schedules the results of the liveness probe, which begins now.
func (k *Kubelet) planLiveness(p *pod, i int) {
	c := &p.containers[i]
	if c.spec.LivenessProbe == nil {
		return
	}
	probe := scheduleOf(c.spec.LivenessProbe)
	from := max(k.kernel.Now(), c.probedFrom(probe))
	if first := probe.tick(p.probesFrom, from); first < c.answersFrom {
		k.at(p, i, first, opLivenessUnhealthy)
		if dead := probe.fails(p.probesFrom, from); dead < c.answersFrom {
			k.at(p, i, dead, opLivenessKills)
		}
	}
}

// unready says whether a readiness probe runs that has not succeeded yet.
func (c *container) unready() bool {
	return c.spec.ReadinessProbe != nil && c.active() && c.status.Started && !c.status.Ready && !c.init && c.shownAt >= c.startedAt
}

// succeedsFrom returns from when on a readiness probe succeeds.
func (c *container) succeedsFrom() sim.Time {
	if c.broken || c.answersFrom >= never {
		return never
	}
	return max(c.answersFrom, c.probedFrom(scheduleOf(c.spec.ReadinessProbe)))
}

// planReadiness schedules the next result of a readiness probe.
func (k *Kubelet) planReadiness(p *pod, i int) {
	c := &p.containers[i]
	if c.spec.ReadinessProbe == nil || !c.active() || !c.status.Started {
		return
	}
	k.cancelReadiness(c)
	now, w, probe := k.kernel.Now(), &c.readiness, scheduleOf(c.spec.ReadinessProbe)
	begins := max(now, c.probedFrom(probe))
	switch ok := c.succeedsFrom(); {
	case !c.status.Ready:
		if first := probe.tick(w.base, begins); first < ok && !w.failed {
			k.at(p, i, first, opReadinessUnhealthy)
		}
		if ok < never {
			left := probe
			left.successes = max(1, probe.successes-w.successes)
			k.at(p, i, max(left.succeeds(w.base, max(ok, now)), now), opReady)
		}
	case c.broken:
		k.at(p, i, probe.tick(w.base, begins), opReadinessUnhealthy)
		k.at(p, i, probe.fails(w.base, begins), opUnready)
	}
}

// triggerReadiness probes the containers that are not ready, as each sync of their pod does, and resets their tickers: with a delay of 5 s
// and a period of 10 s, a sync 0.9 s after the start is too early, and the next probe is at 10.9 s (G-21). The pod is synced again after
// a minute or more.
func (k *Kubelet) triggerReadiness(p *pod) {
	now := k.kernel.Now()
	for i := range p.containers {
		c := &p.containers[i]
		if !c.unready() {
			continue
		}
		probe, w := scheduleOf(c.spec.ReadinessProbe), &c.readiness
		c.countTicks(probe, now)
		w.base, w.from = now, now+1
		if now < c.probedFrom(probe) {
			k.planReadiness(p, i)
		} else if now < c.succeedsFrom() {
			if !w.failed {
				k.unhealthy(p, i, "Readiness", c.spec.ReadinessProbe)
			}
			w.successes, w.failed = 0, true
			k.planReadiness(p, i)
		} else if w.successes++; w.successes >= probe.successes {
			k.at(p, i, now, opReady)
		} else {
			w.failed = false
			k.planReadiness(p, i)
		}
		if !p.deleted && c.succeedsFrom() < never {
			k.after(p, i, k.jittered(p, i, resyncPeriod)-now, opResync)
		}
	}
}

// countTicks counts the successes of the ticks before a moment.
func (c *container) countTicks(probe schedule, now sim.Time) {
	w := &c.readiness
	from := max(w.from, c.succeedsFrom())
	if from >= never {
		return
	}
	if first := probe.tick(w.base, from); first < now {
		w.successes += (now-1-first)/probe.period + 1
	}
}

// at schedules an operation for a time, unless that is never.
func (k *Kubelet) at(p *pod, i int, at sim.Time, op uint8) {
	if at < never {
		k.after(p, i, at-k.kernel.Now(), op)
	}
}

func (k *Kubelet) handleProbe(p *pod, i int, op uint8) {
	c := &p.containers[i]
	if !c.active() || op < opResync && (c.activity != running || p.deleted) {
		return // G-26
	}
	switch op {
	case opResync:
		k.triggerReadiness(p)
	case opStartupUnhealthy:
		k.unhealthy(p, i, "Startup", c.spec.StartupProbe)
	case opLivenessUnhealthy:
		k.unhealthy(p, i, "Liveness", c.spec.LivenessProbe)
	case opReadinessUnhealthy:
		c.readiness.failed, c.readiness.successes = true, 0
		k.unhealthy(p, i, "Readiness", c.spec.ReadinessProbe)
	case opStartupSucceeds:
		k.startupSucceeds(p, i)
	case opStartupKills:
		k.killUnhealthy(p, i, "startup", c.spec.StartupProbe)
	case opLivenessKills:
		k.killUnhealthy(p, i, "liveness", c.spec.LivenessProbe)
	case opReady, opUnready:
		k.setReady(p, i, op == opReady)
	}
}

// unhealthy sends the event of a failed probe.
//
// Simplified: only for the first failure in a row.
func (k *Kubelet) unhealthy(p *pod, i int, which string, probe *api.Probe) {
	k.event(p, i, "Warning", "Unhealthy", which+" probe failed: "+output(probe))
}

// output returns the output of a failed probe [?]. Only the texts for grpc and HTTP come from upstream's prober; the others depend on
// the system.
func output(probe *api.Probe) string {
	switch probe.Kind {
	case "tcpSocket":
		return "dial tcp: connect: connection refused"
	case "exec":
		return "command terminated with exit code 1"
	case "grpc":
		return `service unhealthy (responded with "NOT_SERVING")`
	}
	return "HTTP probe failed with statuscode: 503"
}

func (k *Kubelet) startupSucceeds(p *pod, i int) {
	c := &p.containers[i]
	c.status.Started = true
	c.status.Ready = c.spec.ReadinessProbe == nil
	k.planLiveness(p, i)
	k.planReadiness(p, i)
	k.writeStatus(p, "startup probe succeeded", whyStartedUp)
	k.triggerReadiness(p)
	k.syncPod(p) // the container after a sidecar waits for this
}

// killUnhealthy stops a container whose probe has failed too often, which restarts it (G-24).
func (k *Kubelet) killUnhealthy(p *pod, i int, which string, probe *api.Probe) {
	c := &p.containers[i]
	k.event(p, i, "Normal", "Killing", "Container "+c.spec.Name+" failed "+which+" probe, will be restarted")
	grace := p.spec.TerminationGracePeriodSeconds
	if probe.TerminationGracePeriodSeconds != nil {
		grace = *probe.TerminationGracePeriodSeconds
	}
	k.stop(p, i, grace)
}

// setReady reports a result of the readiness probe, which leads to a sync of the pod.
func (k *Kubelet) setReady(p *pod, i int, ready bool) {
	c := &p.containers[i]
	c.status.Ready = ready
	c.readiness.successes, c.readiness.failed = 0, !ready
	k.cancelReadiness(c)
	defer k.triggerReadiness(p)
	if ready {
		k.writeStatus(p, "container ready", whyReady)
	} else {
		k.writeStatus(p, "container not ready", whyUnready)
	}
}
