package kubelet

import (
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// graceMin is the least time between SIGTERM and SIGKILL, in ms (G-30a).
const graceMin = 2000

// killed is the exit code after SIGKILL; a process that stops on SIGTERM exits with 0 [X].
const killed = 137

var (
	whyStopped = why.Rule("G-26", "pkg/kubelet/kuberuntime/kuberuntime_container.go:killContainersWithSyncResult")
	whyRemoved = why.Note("G-30a", "pkg/kubelet/status/status_manager.go:syncPod",
		"the containers have stopped, so the pod is removed")
)

// terminate stops the containers of a terminating pod within its grace period in seconds. A second call with a shorter
// period shortens the stop.
func (k *Kubelet) terminate(p *pod, grace int64) {
	if p.terminating {
		if grace < p.grace {
			p.stopBegan, p.grace = k.kernel.Now(), grace
			k.shortenStop(p)
		}
		return
	}
	p.terminating, p.stopBegan, p.grace, p.starting = true, k.kernel.Now(), grace, -1
	k.shortenStop(p)
	for i := range p.containers {
		c := &p.containers[i]
		switch c.activity {
		case running:
			k.event(p, i, "Normal", "Killing", "Stopping container "+c.spec.Name)
			if !c.sidecar {
				k.stop(p, i, grace)
			}
		case stopping: // after its liveness probe failed
		default:
			k.cancelTimers(c) // it does not run, and must not start
		}
	}
	k.stopRest(p)
}

// shortenStop kills the stopping containers that would take longer than a grace period that begins now: a container that would stop
// at 60 s, and gets 20 s at 10 s, is killed at 30 s.
func (k *Kubelet) shortenStop(p *pod) {
	for i := range p.containers {
		c := &p.containers[i]
		if left := max(1000*p.grace, graceMin); c.activity == stopping && k.kernel.Now()+left < c.stopsAt {
			k.cancelTimers(c)
			k.endAfter(p, i, left, killed)
		}
	}
}

// stop runs the preStop hook of a container and then sends SIGTERM. SIGKILL follows after the rest of the grace period, but at
// least two seconds later (kuberuntime_container.go:killContainer). An app that needs x seconds to stop ends after
//
//	min(preStop, grace) + min(x, max(grace - preStop, 2))
//
// seconds: 5 + min(3, 25) = 8 with grace 30, preStop 5, x 3; 30 + min(10, 2) = 32 with preStop 40, x 10.
func (k *Kubelet) stop(p *pod, i int, grace int64) {
	c := &p.containers[i]
	k.cancelTimers(c)
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

// endWithin schedules the end of a container that gets SIGTERM after a delay, and SIGKILL after a limit beyond that.
func (k *Kubelet) endWithin(p *pod, i int, delay, limit sim.Time) {
	takes := k.draw(p, i, &k.random.stop, p.containers[i].traits.stop)
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

// stopped handles the end of a stopping container.
func (k *Kubelet) stopped(p *pod, i int) {
	c := &p.containers[i]
	if !p.terminating {
		k.exited(p, i, c.exitCode)
		return
	}
	k.cancelTimers(c)
	c.end(c.exitCode, k.now())
	c.activity = ended
	if !k.stopRest(p) {
		k.writeStatus(p, "container stopped", whyStopped)
	}
}

// stopRest stops the sidecars after all other containers, and removes the pod after the sidecars. It returns whether the pod
// was removed.
//
// Simplified: all sidecars stop at the same time, not one after the other; a pod that finalizers keep still shows its containers
// as they were.
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
	_ = k.client.Delete(p.key, apiserver.WithoutGrace, "removed: its containers have stopped", whyRemoved) // NotFound if it was removed before
	return true
}

// stopSidecars stops the sidecars. Their hooks have been running since the pod began to terminate.
func (k *Kubelet) stopSidecars(p *pod) {
	elapsed := k.kernel.Now() - p.stopBegan
	for i := range p.containers {
		c := &p.containers[i]
		if c.sidecar && c.activity == running {
			k.cancelTimers(c)
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
