package kubelet

import (
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// graceMin is the least time that a container has between being told to stop and being killed, in ms (G-30a).
const graceMin = 2000

// killed is the exit code of a process that was killed; one that stops when it is told to exits with 0 [X].
const killed = 137

var (
	whyStopped = why.Rule("G-26", "pkg/kubelet/kuberuntime/kuberuntime_container.go:killContainersWithSyncResult")
	whyRemoved = why.Note("G-30a", "pkg/kubelet/status/status_manager.go:syncPod",
		"the containers have stopped, so the pod is deleted for good")
)

// terminate stops the containers of a pod that is to be deleted, within its grace period in seconds. Told again with
// a shorter grace period, it hurries.
func (k *Kubelet) terminate(p *pod, grace int64) {
	if p.terminating {
		if grace < p.grace {
			p.toldAt, p.grace = k.kernel.Now(), grace
			k.hurry(p)
		}
		return
	}
	p.terminating, p.toldAt, p.grace, p.starting = true, k.kernel.Now(), grace, -1
	k.hurry(p)
	for i := range p.containers {
		c := &p.containers[i]
		switch c.activity {
		case running:
			k.event(p, "Normal", "Killing", "Stopping container "+c.spec.Name)
			if !c.sidecar {
				k.stop(p, i, grace)
			}
		case stopping: // for the sake of its probe
		default:
			k.turn(c) // nothing of it runs, and nothing will
		}
	}
	k.stopRest(p)
}

// hurry kills what was told to stop earlier and would take longer than a grace period that begins now.
func (k *Kubelet) hurry(p *pod) {
	for i := range p.containers {
		c := &p.containers[i]
		if left := max(1000*p.grace, graceMin); c.activity == stopping && k.kernel.Now()+left < c.stopsAt {
			k.turn(c)
			k.endAfter(p, i, left, killed)
		}
	}
}

// stop runs the preStop hook and tells a container to stop, which then has what is left of the grace period in
// seconds, but at least two of them, before it is killed (kuberuntime_container.go:killContainer).
//
//	removal = t + preStop + min(x, max(grace - preStop, 2))
//
// with grace 30, preStop 5, x 3: t+8; with preStop 40, x 10: t+32.
func (k *Kubelet) stop(p *pod, i int, grace int64) {
	c := &p.containers[i]
	k.turn(c)
	c.activity = stopping
	hook := c.preStop(grace)
	k.endWithin(p, i, hook, max(1000*grace-hook, graceMin))
}

// preStop returns how long the preStop hook of a container runs, in ms.
func (c *container) preStop(grace int64) sim.Time {
	if l := c.spec.Lifecycle; l != nil && l.PreStop != nil {
		return 1000 * max(min(l.PreStop.SleepSeconds, grace), 0)
	}
	return 0
}

// endWithin plans the end of a container that is told to stop after a delay.
func (k *Kubelet) endWithin(p *pod, i int, delay, limit sim.Time) {
	takes := p.containers[i].traits.stop.draw(k.random.stop)
	if takes > limit {
		k.endAfter(p, i, delay+limit, killed)
	} else {
		k.endAfter(p, i, delay+takes, 0)
	}
}

func (k *Kubelet) endAfter(p *pod, i int, takes sim.Time, code int32) {
	c := &p.containers[i]
	c.stopsAt, c.exitCode = k.kernel.Now()+takes, code
	k.after(p, i, takes, opStopped)
}

// stopped deals with a container that has ended because it was told to.
func (k *Kubelet) stopped(p *pod, i int) {
	c := &p.containers[i]
	if !p.terminating {
		k.exited(p, i, c.exitCode)
		return
	}
	k.turn(c)
	c.end(c.exitCode, k.now())
	c.activity = ended
	if !k.stopRest(p) {
		k.writeStatus(p, "container stopped", whyStopped)
	}
}

// stopRest stops the sidecars when everything else has stopped, and removes the pod when they have, too. It says
// whether the pod is gone.
//
// Simplified: the sidecars stop all at the same time, not one after the other; a pod that is kept by finalizers still shows its
// containers as they were.
func (k *Kubelet) stopRest(p *pod) (gone bool) {
	if p.any(func(c *container) bool { return c.activity == stopping }) {
		return false
	}
	if !p.sidecars && p.any(func(c *container) bool { return c.sidecar && c.activity == running }) {
		p.sidecars = true
		k.stopSidecars(p)
		return false
	}
	k.forget(p.key, p.uid)
	var none int64
	if err := k.client.Delete(p.key, apiserver.DeleteOptions{GracePeriodSeconds: &none}, "removed: its containers have stopped", whyRemoved); err != nil {
		return true // someone else was faster
	}
	return true
}

// stopSidecars tells the sidecars to stop. Their hooks have run since the pod was told.
func (k *Kubelet) stopSidecars(p *pod) {
	elapsed := k.kernel.Now() - p.toldAt
	for i := range p.containers {
		c := &p.containers[i]
		if c.sidecar && c.activity == running {
			k.turn(c)
			c.activity = stopping
			hook := max(c.preStop(p.grace)-elapsed, 0)
			k.endWithin(p, i, hook, max(1000*p.grace-elapsed/1000*1000-hook, graceMin))
		}
	}
}

func (p *pod) any(is func(*container) bool) bool {
	for i := range p.containers {
		if is(&p.containers[i]) {
			return true
		}
	}
	return false
}
