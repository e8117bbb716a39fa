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
	c := p.containers[p.inits]
	if !c.runs(k.kernel.Now()) {
		return fmt.Errorf("container %q of pod %q is not running", c.spec.Name, key.Name)
	}
	c.endCause = k.kernel.Cause()
	switch c.endsAt, c.exitCode = k.kernel.Now(), killed; {
	case !c.stopping:
		k.cancel(&c.timers) // it does not end later
		k.endAt(c, c.endsAt, killed)
	case c.stopsAt < never: // it has got SIGTERM
		k.cancel(&c.timers)
		k.endAfter(c, 0, killed)
	}
	k.planAll(c)
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
	for _, c := range p.containers {
		if !c.init && c.spec.ReadinessProbe != nil {
			probed, c.broken = true, broken
			k.planAll(c)
		}
	}
	if !probed {
		return fmt.Errorf("pod %q has no readiness probe that could fail; give a container of its template a readinessProbe", key.Name)
	}
	return nil
}

// runningPod returns a pod that runs and isn't terminating.
func (k *Kubelet) runningPod(key api.Key) (*pod, error) {
	p := k.pods[key]
	switch {
	case p == nil:
		return nil, fmt.Errorf("pod %q does not run on any node", key.Name)
	case p.node.dead:
		return nil, fmt.Errorf("pod %q is on node %q, which is down; restore node/%s brings it back", key.Name, p.node.name, p.node.name)
	case p.told.deleted:
		return nil, fmt.Errorf("pod %q is being deleted", key.Name)
	}
	return p, nil
}
