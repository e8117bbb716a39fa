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
func (k *Kubelet) tryStart(p *pod, i int) (done bool) {
	c := &p.containers[i]
	if p.changed(i) { // back-offs are those of an image
		c.traits, c.crashBackOff, c.pullBackOff = k.traitsOf(p.wanted(i).Image), backOffEntry{}, backOffEntry{}
	}
	c.spec = p.wanted(i)
	now, last, ended := k.kernel.Now(), c.before.at, c.ended(p.saw)
	if ended {
		last = c.endsAt
	}
	if ended || c.before.state.Kind != "" {
		over := last + c.crashBackOff.length
		if !c.crashBackOff.fresh(last) && (now < over || ended && now == over && !p.after(c)) {
			k.event(p, i, "Warning", "BackOff", "Back-off restarting failed container "+c.spec.Name+" in pod "+p.String())
			p.retry = min(p.retry, over)
			k.fail(p, i, crashLoops, "back-off "+duration(c.crashBackOff.length)+" restarting failed container="+c.spec.Name+" pod="+p.String())
			return true
		}
		c.crashBackOff.next(last, now)
	}
	return k.ensureImage(p, i)
}

// after says whether a sync begins later in its ms than the process of a container has ended in its own: most end later than a sync begins. A
// relist comes first in its ms, then what it has begun, and commands.
func (p *pod) after(c *container) bool { return !p.early && (c.early || c.endCause >= 0) }

// started handles the start of a container.
func (k *Kubelet) started(p *pod, i int) {
	c := &p.containers[i]
	k.cancel(&c.timers)
	if k.client.Since(37) { // the texts of G-4; before, they named the container
		k.event(p, i, "Normal", "Created", "Container created")
		k.event(p, i, "Normal", "Started", "Container started")
	} else {
		k.event(p, i, "Normal", "Created", "Created container: "+c.spec.Name)
		k.event(p, i, "Normal", "Started", "Started container "+c.spec.Name)
	}
	if c.run > 0 {
		c.before = c.ending()
	}
	c.run++
	c.here, c.lost, c.early, c.startedAt, c.reason, c.image = true, false, p.early, k.kernel.Now(), "", c.spec.Image
	if i >= p.inits {
		p.initialized = true
	}
	k.planEnd(p, i)
	if !c.init {
		c.answersFrom = never
		if !c.traits.NeverReady {
			c.answersFrom = c.startedAt + k.draw(p, i, "ready", c.traits.Ready)
		}
	}
	p.change(c.startedAt, 1)
	k.step(p)
}

// planEnd schedules the exit of a container that crashes or completes.
func (k *Kubelet) planEnd(p *pod, i int) {
	c := &p.containers[i]
	c.endsAt, c.endCause = never, -1
	switch {
	case c.traits.CrashAfter != nil:
		k.endAt(p, i, k.kernel.Now()+k.draw(p, i, "crash", c.traits.CrashAfter), c.traits.ExitCode)
	case c.init:
		k.endAt(p, i, k.kernel.Now()+initRuns, 0)
	}
}

// endAt schedules when the kubelet notices that a process exits: at its next relist (G-14).
func (k *Kubelet) endAt(p *pod, i int, at sim.Time, code int32) {
	c := &p.containers[i]
	c.endsAt, c.exitCode, c.untold = at, code, true
	k.at(p, i, p.node.relistAfter(at), opExited)
}

// tellEnds counts the ends of processes that no relist has told of: the one after a sync does.
func (k *Kubelet) tellEnds(p *pod) (ends int) {
	for i := range p.containers {
		if c := &p.containers[i]; c.untold && c.endsAt <= k.kernel.Now() {
			c.untold = false
			k.cancel(&c.timers)
			ends++
		}
	}
	return ends
}

// exited handles the end of a container's process, which a relist has noticed: before the kubelet looks for pods that are due again.
func (k *Kubelet) exited(p *pod, i int) {
	c := &p.containers[i]
	if c.untold = false; c.endCause >= 0 {
		k.kernel.SetCause(c.endCause)
	}
	k.askAfter(p, k.kernel.Now()-1, p.told)
}

// String returns the pod as the kubelet prints it: name_namespace(uid).
func (p *pod) String() string { return p.key.Name + "_" + p.key.Namespace + "(" + p.uid + ")" }
