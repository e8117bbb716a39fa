package kubelet

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

var (
	whyReady = why.Note("G-22", "pkg/kubelet/prober/worker.go:doProbe",
		"the readiness probe has succeeded as often as its successThreshold asks for")
	whyUnready = why.Note("G-25", "pkg/kubelet/prober/worker.go:doProbe",
		"the readiness probe has failed as often as its failureThreshold allows")
	whyStartedUp = why.Rule("G-20", "pkg/kubelet/prober/worker.go:doProbe")
)

// schedule is when a probe runs, in ms, and how many results in a row count.
type schedule struct{ delay, period, successes, failures int64 }

func scheduleOf(p *api.Probe) schedule {
	return schedule{1000 * int64(p.InitialDelaySeconds), 1000 * int64(p.PeriodSeconds), int64(p.SuccessThreshold), int64(p.FailureThreshold)}
}

// first returns the first probe at or after a moment, for a container that was started at s. Probe n is at exactly
// s + delay + n*period (G-21). With s = 0, delay 5, period 10, the first one after 12 is at 15.
func (p schedule) first(s, from sim.Time) sim.Time {
	at := s + p.delay
	if from > at {
		at += (from - at + p.period - 1) / p.period * p.period
	}
	return at
}

// succeeds returns when the probe's result becomes Success, if it is probed from a moment on and the app answers
// from another (G-22).
func (p schedule) succeeds(s, from, answers sim.Time) sim.Time {
	if answers == never {
		return never
	}
	return p.first(s, max(from, answers)) + (p.successes-1)*p.period
}

// fails returns when the probe's result becomes Failure, if it fails from a moment on: after f failures (G-24).
func (p schedule) fails(s, from sim.Time) sim.Time {
	return p.first(s, from) + (p.failures-1)*p.period
}

// planProbes plans what the probes of a new run will find.
func (k *Kubelet) planProbes(p *pod, i int) {
	c := &p.containers[i]
	c.answersFrom = never
	if !c.traits.neverReady {
		c.answersFrom = c.startedAt + c.traits.ready.draw(k.random.ready)
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

// planLater plans what the liveness and the readiness probe will find, which run from a moment on.
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

// planReady plans how an unready container gets ready, probed from a moment on.
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

// at plans an operation for a moment, unless that never comes.
func (k *Kubelet) at(p *pod, i int, at sim.Time, op uint8) {
	if at != never {
		k.after(p, i, at-k.kernel.Now(), op)
	}
}

func (k *Kubelet) dueProbe(p *pod, i int, op uint8) {
	c := &p.containers[i]
	if c.activity != running || p.terminating {
		return // G-26
	}
	switch op {
	case opStartupUnhealthy:
		k.unhealthy(p, "Startup", c.spec.StartupProbe)
	case opLivenessUnhealthy:
		k.unhealthy(p, "Liveness", c.spec.LivenessProbe)
	case opReadinessUnhealthy:
		k.unhealthy(p, "Readiness", c.spec.ReadinessProbe)
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
// Simplified: it is sent for the first failure of a row only.
func (k *Kubelet) unhealthy(p *pod, which string, probe *api.Probe) {
	k.event(p, "Warning", "Unhealthy", which+" probe failed: "+output(probe))
}

// output returns what a failed probe says [?]; upstream's prober fixes only the first and the last of these texts.
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
	k.syncPod(p) // a sidecar's successor may have waited for this
}

// killUnhealthy stops a container whose probe has failed too often; it is restarted when it has ended (G-24).
func (k *Kubelet) killUnhealthy(p *pod, i int, which string, probe *api.Probe) {
	c := &p.containers[i]
	k.event(p, "Normal", "Killing", "Container "+c.spec.Name+" failed "+which+" probe, will be restarted")
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
