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

// first returns the first probe at or after from, for a container that was started at s. Probe n is at exactly
// s + delay + n*period (G-21), also after a startup probe (G-23). With s = 0, delay 5 s and period 10 s, the first probe after
// 12 s is at 15 s.
func (p schedule) first(s, from sim.Time) sim.Time {
	at := s + p.delay
	if from > at {
		at += (from - at + p.period - 1) / p.period * p.period
	}
	return at
}

// succeeds returns when the probe's result becomes Success, if probing begins at from and the app answers from answers on
// (G-22). With that schedule, successThreshold 2 and an app that answers after 7 s: probes at 15 and 25 s succeed, so at 25 s.
func (p schedule) succeeds(s, from, answers sim.Time) sim.Time {
	if answers == never {
		return never
	}
	return p.first(s, max(from, answers)) + (p.successes-1)*p.period
}

// fails returns when the probe's result becomes Failure, if all probes at or after from fail (G-24). With that schedule and
// failureThreshold 3, broken from 12 s on: probes at 15, 25 and 35 s fail, so at 35 s.
func (p schedule) fails(s, from sim.Time) sim.Time {
	return p.first(s, from) + (p.failures-1)*p.period
}

// planProbes schedules the results of the probes of a new run.
func (k *Kubelet) planProbes(p *pod, i int) {
	c := &p.containers[i]
	c.answersFrom = never
	if !c.traits.neverReady {
		c.answersFrom = c.startedAt + k.draw(p, i, &k.random.ready, c.traits.ready)
	}
	if c.spec.StartupProbe == nil {
		k.planLater(p, i, c.startedAt)
		return
	}
	probe := scheduleOf(c.spec.StartupProbe)
	if first := probe.first(c.startedAt, c.startedAt); first < c.answersFrom {
		k.at(p, i, first, opStartupUnhealthy)
	}
	ok, dead := probe.succeeds(c.startedAt, c.startedAt, c.answersFrom), probe.fails(c.startedAt, c.startedAt)
	if ok <= dead {
		k.at(p, i, ok, opStartupSucceeds)
	} else {
		k.at(p, i, dead, opStartupKills)
	}
}

// planLater schedules the results of the liveness and readiness probes, which begin at from.
func (k *Kubelet) planLater(p *pod, i int, from sim.Time) {
	c := &p.containers[i]
	if c.spec.LivenessProbe != nil {
		probe := scheduleOf(c.spec.LivenessProbe)
		if first := probe.first(c.startedAt, from); first < c.answersFrom {
			k.at(p, i, first, opLivenessUnhealthy)
			if dead := probe.fails(c.startedAt, from); dead < c.answersFrom {
				k.at(p, i, dead, opLivenessKills)
			}
		}
	}
	if c.spec.ReadinessProbe != nil {
		k.planReady(p, i, from)
	}
}

// planReady schedules when a container becomes ready, if probing begins at from.
func (k *Kubelet) planReady(p *pod, i int, from sim.Time) {
	c := &p.containers[i]
	probe, answers := scheduleOf(c.spec.ReadinessProbe), c.answersFrom
	if c.broken {
		answers = never
	}
	if first := probe.first(c.startedAt, from); first < answers {
		k.at(p, i, first, opReadinessUnhealthy)
	}
	k.at(p, i, probe.succeeds(c.startedAt, from, answers), opReady)
}

// at schedules an operation for a time, unless that is never.
func (k *Kubelet) at(p *pod, i int, at sim.Time, op uint8) {
	if at != never {
		k.after(p, i, at-k.kernel.Now(), op)
	}
}

func (k *Kubelet) handleProbe(p *pod, i int, op uint8) {
	c := &p.containers[i]
	if c.activity != running || p.terminating {
		return // G-26
	}
	switch op {
	case opStartupUnhealthy:
		k.unhealthy(p, i, "Startup", c.spec.StartupProbe)
	case opLivenessUnhealthy:
		k.unhealthy(p, i, "Liveness", c.spec.LivenessProbe)
	case opReadinessUnhealthy:
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
	k.planLater(p, i, k.kernel.Now())
	k.writeStatus(p, "startup probe succeeded", whyStartedUp)
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

func (k *Kubelet) setReady(p *pod, i int, ready bool) {
	p.containers[i].status.Ready = ready
	if ready {
		k.writeStatus(p, "container ready", whyReady)
	} else {
		k.writeStatus(p, "container not ready", whyUnready)
	}
}
