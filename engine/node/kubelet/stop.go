package kubelet

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// graceMin is the least time between SIGTERM and SIGKILL, in s (G-30a).
const graceMin = 2

// killed is the exit code after SIGKILL; a process that stops on SIGTERM exits with 0 [X].
const killed = 137

var (
	whyStopped = why.Note("G-30c", "pkg/kubelet/kubelet.go:SyncTerminatingPod", "all its containers have stopped; its node removes it at its next relist")
	whyNever   = why.Rule("G-30c", "pkg/kubelet/status/status_manager.go:TerminatePod")
	whyRemoved = why.Note("G-30c", "pkg/kubelet/status/status_manager.go:syncPod",
		"the containers have stopped, so the pod is removed")
)

// onDeletion stops the containers of a terminating pod within its grace period in seconds, when the sync that is under way is over. A second
// call with a shorter period shortens the stop.
func (k *Kubelet) onDeletion(p *pod, grace int64) {
	switch {
	case !p.told.deleted:
		p.told.deleted, p.grace = true, grace
		k.ask(p)
	case grace < p.grace:
		p.grace = grace
		k.shortenStop(p)
	}
}

// onRemoval stops the containers of a pod that was removed while they run, as one is without a grace period (kubelet.go:HandlePodRemoves).
//
// Simplified: the end of its containers, up to two seconds later, is not simulated; nor is anything of it once another pod has its name.
func (k *Kubelet) onRemoval(key api.Key, uid string) {
	p := k.pods[key]
	switch {
	case p == nil || p.uid != uid:
	case p.told.deleted || p.node.dead:
		k.forget(p)
	default:
		p.told.deleted, p.removed = true, true
		k.ask(p)
	}
}

// terminate stops the containers that are known to run (kubelet.go:SyncTerminatingPod).
func (k *Kubelet) terminate(p *pod) {
	if k.report(p, p.saw, "", nil); p.gone {
		return
	}
	p.shown.gates = p.sees.gates // the deletion is a change, so this status is a new one, whatever else it says
	for _, c := range p.containers {
		k.stopProbes(c)
		if !c.runs(p.saw) {
			k.cancel(&c.timers)
			continue
		}
		k.event(c, "Normal", "Killing", "Stopping container "+c.spec.Name)
		c.stopping = true
		p.stopping++
	}
	if p.removed {
		k.forget(p)
		return
	}
	for _, c := range p.containers {
		if c.stopping {
			k.stop(c, p.grace)
		}
	}
	if p.stopping == 0 {
		k.finishStop(p)
	}
}

// stopProbes ends the startup and liveness probe of a container, which must not kill it any more (prober_manager.go:StopLivenessAndStartup, G-26).
// Those of a sidecar go on, without effect.
func (k *Kubelet) stopProbes(c *container) {
	if !c.sidecar && c.probes != nil {
		c.probes[startup].spec, c.probes[liveness].spec = nil, nil
		k.planAll(c)
	}
}

// shortenStop kills the stopping containers that would take longer than a grace period that begins now: a container that would stop
// at 60 s, and gets 20 s at 10 s, is killed at 30 s.
func (k *Kubelet) shortenStop(p *pod) {
	for _, c := range p.containers {
		if left := 1000 * max(p.grace, graceMin); c.stopping && k.kernel.Now()+left < c.stopsAt {
			k.cancel(&c.timers)
			k.endAfter(c, left, killed)
		}
	}
}

// stop runs the preStop hook of a container, at most for its grace period, and then lets it get SIGTERM. Of the grace period, the
// whole seconds of the hook are subtracted (kuberuntime_container.go:killContainer): with 30 s and a hook of 5.9 s, 25 s are left.
func (k *Kubelet) stop(c *container, grace int64) {
	k.cancel(&c.timers)
	hook := c.preStop(grace)
	c.stopping, c.stopsAt, c.waits = true, never, false
	c.grace = grace - hook/1000
	if hook == 0 {
		k.signal(c)
	} else {
		k.after(c, hook, opSignal)
	}
}

// preStop returns how long the preStop hook of a container runs, in ms.
func (c *container) preStop(grace int64) sim.Time {
	if l := c.spec.Lifecycle; l != nil && l.PreStop != nil {
		return 1000 * max(min(l.PreStop.SleepSeconds, grace), 0)
	}
	return 0
}

// signal sends SIGTERM to a container whose hook is over. A sidecar waits until it is its turn, or its grace period is over.
// SIGKILL follows after what is left, but at least two seconds later.
//
// With a grace period of 30 s, a hook of 5 s and an app that needs 3 s, a container ends after 8 s; with a hook of 40 s and an
// app that needs 10 s, after 30 + 2 = 32 s.
func (k *Kubelet) signal(c *container) {
	switch now := k.kernel.Now(); {
	case c.waits:
		c.waits = false
		c.grace -= (now - c.waitsSince) / 1000
	case c.grace > 0 && !c.turn():
		c.waits, c.waitsSince = true, now
		k.after(c, 1000*c.grace, opSignal)
		return
	}
	limit := 1000 * max(c.grace, graceMin)
	switch takes, now := k.draw(c, "stop", c.traits.Stop), k.kernel.Now(); {
	case c.endsAt <= now+min(takes, limit): // it exits on its own before
		k.endAfter(c, max(0, c.endsAt-now), c.exitCode)
	case takes > limit:
		k.endAfter(c, limit, killed)
	default:
		k.endAfter(c, takes, 0)
	}
}

// turn says whether a container may stop: a sidecar stops after all containers that are not init containers, and after the sidecar
// behind it (kuberuntime_termination_order.go:newTerminationOrdering, G-30d). With sidecars s1 and s2, main stops first, then s2, then s1.
func (c *container) turn() bool {
	if !c.sidecar {
		return true
	}
	all, inits := c.pod.containers, c.pod.inits
	for _, main := range all[inits:] {
		if main.stopping {
			return false
		}
	}
	for _, behind := range all[c.index+1 : inits] {
		if behind.sidecar {
			return !behind.stopping
		}
	}
	return true
}

func (k *Kubelet) endAfter(c *container, takes sim.Time, code int32) {
	c.stopsAt, c.exitCode = k.kernel.Now()+takes, code
	k.after(c, takes, opStopped)
}

// stopped handles the end of a stopping container.
func (k *Kubelet) stopped(c *container) {
	p, now := c.pod, k.kernel.Now()
	k.cancel(&c.timers)
	if c.stopping, c.untold = false, false; now < c.endsAt {
		c.endsAt, c.early = now, p.early
	}
	if k.planAll(c); !p.told.deleted || p.stopping == 0 {
		p.change(now, 1)
		k.step(p)
		return
	}
	for _, s := range p.containers {
		if s.waits && s.turn() {
			k.cancel(&s.timers)
			k.signal(s)
		}
	}
	if p.stopping--; p.stopping == 0 {
		k.tick(p) // the workers of probes look at the status before it is the last one, and find no process
		k.finishStop(p)
	}
}

// finishStop reports a pod whose containers have all stopped. It is removed after the next relist: only then does its worker see that
// they have (pod_workers.go:podWorkerLoop, G-30c).
func (k *Kubelet) finishStop(p *pod) {
	now := k.kernel.Now()
	p.sandbox, p.terminated, p.sees = false, true, p.told
	k.report(p, now, "its containers have stopped", whyStopped)
	p.busy, p.syncedAt, p.due = false, now, true
	k.at(p.containers[0], p.node.relistAfter(now), opSync)
}

// remove removes a pod. One that never ran fails before.
func (k *Kubelet) remove(p *pod) {
	if p.shown.phase == api.PodPending {
		k.loseContainers(p)
		p.shown.phase = p.phase()
		k.writeStatus(p, "its containers never ran", whyNever)
	}
	k.forget(p)
	_ = k.client.Delete(p.key, apiserver.WithoutGrace, "removed: its containers have stopped", whyRemoved) // NotFound if it was removed before
}

// loseContainers marks the containers as lost that did not run to an end, unless an init container kept them from running
// (status_manager.go:TerminatePod).
func (k *Kubelet) loseContainers(p *pod) {
	p.failed = true
	from, to := p.inits, min(p.inits, 1) // those before to and those from from on are lost
	for i, c := range p.containers {
		s := &c.status
		began := s.State.Kind != api.Waiting || s.LastState.Kind != ""
		switch {
		case i < p.inits && began:
			to = i + 1
		case began:
			from = p.inits
		}
		if i == p.inits-1 && !(c.init && c.ended(k.kernel.Now()) && c.exitCode == 0) {
			from = len(p.containers)
		}
	}
	for i, c := range p.containers {
		if s := &c.status; (i < to || i >= from) && s.State.Kind != api.Terminated {
			s.State = api.ContainerState{Kind: api.Terminated, Reason: "ContainerStatusUnknown", ExitCode: killed,
				Message: "The container could not be located when the pod was terminated"}
		}
	}
}
