package kubelet

import (
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// initRuns is how long an init container runs, in ms.
//
// Simplified: one second and exit code 0 for every image, unless its behaviour says that it crashes.
const initRuns = 1000

var (
	whyStarted  = why.Rule("G-1", "pkg/kubelet/kuberuntime/kuberuntime_container.go:startContainer")
	whyExited   = why.Rule("G-13", "pkg/kubelet/kuberuntime/kuberuntime_manager.go:computePodActions")
	whyRestarts = why.Rule("G-10", "pkg/kubelet/kuberuntime/kuberuntime_manager.go:doBackOff")
)

// crashLoops is the reason of a container that waits for its restart.
const crashLoops = "CrashLoopBackOff"

// tryStart starts a container, unless its back-off since the end of its last run is not over (G-10, kuberuntime_manager.go:doBackOff). It returns
// whether that is decided at once, and else continues when the container has started. For a container that the sync has killed, the back-off
// counts from the run before: a container that is killed every ten seconds restarts three times before its back-off is longer than that.
func (k *Kubelet) tryStart(c *container) (done bool) {
	if c.changed() { // back-offs are those of an image
		c.traits, c.crashBackOff, c.pullBackOff = k.traitsOf(c.wanted().Image), backOffEntry{}, backOffEntry{}
	}
	c.spec = c.wanted()
	now, last, ended := k.kernel.Now(), c.before.at, c.ended(c.pod.saw)
	if ended {
		last = c.endsAt
	}
	if ended || c.before.state.Kind != "" {
		over := last + c.crashBackOff.length
		if !c.crashBackOff.fresh(last) && (now < over || ended && now == over && !c.pod.after(c)) {
			k.event(c, "Warning", "BackOff", "Back-off restarting failed container "+c.spec.Name+" in pod "+c.pod.String())
			c.pod.retry = min(c.pod.retry, over)
			k.fail(c, crashLoops, "back-off "+duration(c.crashBackOff.length)+" restarting failed container="+c.spec.Name+" pod="+c.pod.String())
			return true
		}
		c.crashBackOff.next(last, now)
	}
	return k.ensureImage(c)
}

// after says whether a sync begins later in its ms than the process of a container has ended in its own: most end later than a sync begins. A
// relist comes first in its ms, then what it has begun, and commands.
func (p *pod) after(c *container) bool { return !p.early && (c.early || c.endCause >= 0) }

// started handles the start of a container.
func (k *Kubelet) started(c *container) {
	k.cancel(&c.timers)
	if k.client.Since(37) { // the texts of G-4; before, they named the container
		k.event(c, "Normal", "Created", "Container created")
		k.event(c, "Normal", "Started", "Container started")
	} else {
		k.event(c, "Normal", "Created", "Created container: "+c.spec.Name)
		k.event(c, "Normal", "Started", "Started container "+c.spec.Name)
	}
	if c.run > 0 {
		c.before = c.ending()
	}
	c.run++
	c.here, c.lost, c.early, c.startedAt, c.reason, c.image = true, false, c.pod.early, k.kernel.Now(), "", c.spec.Image
	if !c.init && !c.sidecar {
		c.pod.initialized = true
	}
	k.planEnd(c)
	if !c.init {
		c.answersFrom = never
		if !c.traits.NeverReady {
			c.answersFrom = c.startedAt + k.draw(c, "ready", c.traits.Ready)
		}
	}
	c.pod.change(c.startedAt, 1)
	k.step(c.pod)
}

// planEnd schedules the exit of a container that crashes or completes.
func (k *Kubelet) planEnd(c *container) {
	c.endsAt, c.endCause = never, -1
	switch {
	case c.traits.CrashAfter != nil:
		k.endAt(c, k.kernel.Now()+k.draw(c, "crash", c.traits.CrashAfter), c.traits.ExitCode)
	case c.init:
		k.endAt(c, k.kernel.Now()+initRuns, 0)
	}
}

// endAt schedules when the kubelet notices that a process exits: at its next relist (G-14).
func (k *Kubelet) endAt(c *container, at sim.Time, code int32) {
	c.endsAt, c.exitCode, c.untold = at, code, true
	k.at(c, c.pod.node.relistAfter(at), opExited)
}

// tellEnds counts the ends of processes that no relist has told of: the one after a sync does.
func (k *Kubelet) tellEnds(p *pod) (ends int) {
	for _, c := range p.containers {
		if c.untold && c.endsAt <= k.kernel.Now() {
			c.untold = false
			k.cancel(&c.timers)
			ends++
		}
	}
	return ends
}

// exited handles the end of a container's process, which a relist has noticed: before the kubelet looks for pods that are due again.
func (k *Kubelet) exited(c *container) {
	if c.untold = false; c.endCause >= 0 {
		k.kernel.SetCause(c.endCause)
	}
	k.askAfter(c.pod, k.kernel.Now()-1, c.pod.told)
}

// String returns the pod as the kubelet prints it: name_namespace(uid).
func (p *pod) String() string { return p.key.Name + "_" + p.key.Namespace + "(" + p.uid + ")" }
