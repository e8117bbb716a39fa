package kubelet

import (
	"github.com/rollplay/rollplay/engine/api"
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

// started handles the start of a container. The status is written only after the last container of the pod is started, since
// upstream's SyncPod returns only then.
func (k *Kubelet) started(p *pod, i int) {
	c := &p.containers[i]
	k.cancelTimers(c)
	if k.client.Since(37) { // the texts of G-4; before, they named the container
		k.event(p, i, "Normal", "Created", "Container created")
		k.event(p, i, "Normal", "Started", "Container started")
	} else {
		k.event(p, i, "Normal", "Created", "Created container: "+c.spec.Name)
		k.event(p, i, "Normal", "Started", "Started container "+c.spec.Name)
	}
	p.starting = -1
	c.run(k.kernel.Now(), k.now())
	if i >= p.inits {
		p.initialized = true
	}
	k.planEnd(p, i)
	if _, more := p.next(); !more || i < p.inits {
		k.writeStatus(p, "container started", whyStarted)
		k.show(p)
	}
	k.syncPod(p)
}

// run begins a run. Without a startup probe the container is started, and without a readiness probe it is ready then.
func (c *container) run(now sim.Time, stamp api.Time) {
	c.activity = running
	c.startedAt = now
	s := &c.status
	if s.State.Kind == api.Terminated {
		s.LastState = s.State
	}
	if s.LastState.Kind != "" {
		s.RestartCount++
	}
	s.State = api.ContainerState{Kind: api.Running, StartedAt: stamp}
	s.Started = c.spec.StartupProbe == nil
	s.Ready = !c.init && s.Started && c.spec.ReadinessProbe == nil
}

// planEnd schedules the exit of a container that crashes or completes.
func (k *Kubelet) planEnd(p *pod, i int) {
	c := &p.containers[i]
	c.endsAt, c.endCause = never, -1
	switch {
	case c.traits.crashes:
		k.endAt(p, i, k.kernel.Now()+k.draw(p, i, &k.random.crash, c.traits.crashAfter), c.traits.exitCode)
	case c.init:
		k.endAt(p, i, k.kernel.Now()+initRuns, 0)
	}
}

// endAt schedules when the kubelet notices that a process exits: at its next relist (G-14).
func (k *Kubelet) endAt(p *pod, i int, at sim.Time, code int32) {
	c := &p.containers[i]
	c.endsAt, c.exitCode = at, code
	k.at(p, i, p.node.relistAfter(at), opExited)
}

// exited handles the end of a container's process, which the kubelet has noticed.
func (k *Kubelet) exited(p *pod, i int, code int32) {
	c := &p.containers[i]
	if c.endCause >= 0 {
		k.kernel.SetCause(c.endCause)
	}
	k.cancelTimers(c)
	c.end(code, api.TimeAt(min(c.endsAt, k.kernel.Now())))
	if c.init && code == 0 {
		c.activity, c.status.Ready = ended, true
		k.writeStatus(p, "init container completed", whyExited)
		k.syncPod(p)
		return
	}
	k.writeStatus(p, "container exited", whyExited)
	k.triggerReadiness(p)
	k.backOffRestart(p, i, c.endsAt)
}

// restartKilled restarts a container that the kubelet has stopped because of a probe, in the same sync. The back-off looks at the run
// before: a container that is killed every ten seconds restarts three times before its back-off is longer than that.
func (k *Kubelet) restartKilled(p *pod, i int) {
	c := &p.containers[i]
	last := c.status.LastState
	c.end(c.exitCode, api.TimeAt(c.endsAt))
	if last.Kind == "" {
		c.activity = pending
		k.syncPod(p)
		return
	}
	k.backOffRestart(p, i, last.FinishedAt.Milli())
	if c.activity == backOff {
		k.writeStatus(p, "container exited", whyExited)
	}
}

// end puts the end of a run into the status.
func (c *container) end(code int32, stamp api.Time) {
	s := &c.status
	reason := "Error"
	if code == 0 {
		reason = "Completed"
	}
	s.State = api.ContainerState{Kind: api.Terminated, Reason: reason, ExitCode: code, StartedAt: s.State.StartedAt, FinishedAt: stamp}
	s.Ready, s.Started = false, false
}

// backOffRestart restarts a container that has ended, unless its back-off since the end of its last run is not over (G-10). Then the
// pod is synced again when it is, or after a minute, and up to half of that later (kuberuntime_manager.go:doBackOff, G-15).
//
// Simplified: the status shows the back-off at the next relist. The real one shows it when the pod is synced for another reason, or
// just before the restart.
func (k *Kubelet) backOffRestart(p *pod, i int, finished sim.Time) {
	c := &p.containers[i]
	now := k.kernel.Now()
	if c.crashBackOff.fresh(finished) || now-finished >= c.crashBackOff.length {
		c.crashBackOff.next(finished, now)
		c.activity = pending
		k.syncPod(p)
		return
	}
	k.event(p, i, "Warning", "BackOff", "Back-off restarting failed container "+c.spec.Name+" in pod "+p.String())
	if c.activity != backOff {
		c.activity = backOff
		k.at(p, i, p.node.relistAfter(now), opRestartWaits)
	}
	again := k.jittered(p, i, min(finished+c.crashBackOff.length-now, resyncPeriod))
	k.at(p, i, again, opRestart)
}

// showBackOff reports the back-off (G-13).
func (k *Kubelet) showBackOff(p *pod, i int) {
	c := &p.containers[i]
	k.waitsFor(p, i, "CrashLoopBackOff", "back-off "+duration(c.crashBackOff.length)+" restarting failed container="+
		c.spec.Name+" pod="+p.String(), "waits for its restart", whyRestarts)
}

// String returns the pod as the kubelet prints it: name_namespace(uid).
func (p *pod) String() string { return p.key.Name + "_" + p.key.Namespace + "(" + p.uid + ")" }
