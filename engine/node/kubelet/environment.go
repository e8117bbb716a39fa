package kubelet

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
)

// Crash ends the first container of a pod now, as if its process were killed.
func (k *Kubelet) Crash(key api.Key) error {
	p, err := k.runningPod(key)
	if err != nil {
		return err
	}
	c := &p.containers[p.inits]
	if c.activity != running {
		return fmt.Errorf("container %q of pod %q is not running", c.spec.Name, key.Name)
	}
	k.exited(p, p.inits, killed)
	return nil
}

// FailReadiness makes the readiness probes of a pod fail from now on, also after restarts (G-25).
func (k *Kubelet) FailReadiness(key api.Key) error { return k.setBroken(key, true) }

// RestoreReadiness makes the readiness probes of a pod depend on the app again.
func (k *Kubelet) RestoreReadiness(key api.Key) error { return k.setBroken(key, false) }

func (k *Kubelet) setBroken(key api.Key, broken bool) error {
	p, err := k.runningPod(key)
	if err != nil {
		return err
	}
	probed := false
	for i := range p.containers {
		c := &p.containers[i]
		if c.init || c.spec.ReadinessProbe == nil {
			continue
		}
		probed = true
		if c.broken != broken {
			c.broken = broken
			k.replanReadiness(p, i)
		}
	}
	if !probed {
		return fmt.Errorf("pod %q has no readiness probe that could fail; give a container of its template a readinessProbe", key.Name)
	}
	return nil
}

// replanReadiness reschedules the results of a container's readiness probe.
func (k *Kubelet) replanReadiness(p *pod, i int) {
	c := &p.containers[i]
	if c.activity != running || !c.status.Started {
		return // scheduled when probing begins
	}
	k.cancelReadiness(c)
	now, probe := k.kernel.Now(), scheduleOf(c.spec.ReadinessProbe)
	switch {
	case !c.status.Ready:
		k.planReady(p, i, now)
	case c.broken:
		k.at(p, i, probe.first(c.startedAt, now), opReadinessUnhealthy)
		k.at(p, i, probe.fails(c.startedAt, now), opUnready)
	}
}

// runningPod returns a pod that runs and isn't terminating.
func (k *Kubelet) runningPod(key api.Key) (*pod, error) {
	p := k.pods[key]
	switch {
	case p == nil:
		return nil, fmt.Errorf("pod %q does not run on any node", key.Name)
	case p.node.dead:
		return nil, fmt.Errorf("pod %q is on node %q, which is down; restore node/%s brings it back", key.Name, p.node.name, p.node.name)
	case p.terminating:
		return nil, fmt.Errorf("pod %q is being deleted", key.Name)
	}
	return p, nil
}
