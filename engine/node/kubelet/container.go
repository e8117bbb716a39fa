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
	if !c.init {
		k.planProbes(p, i)
	}
	if _, more := p.next(); !more || i < p.inits {
		k.writeStatus(p, "container started", whyStarted)
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
	s.Started = !c.init && c.spec.StartupProbe == nil
	s.Ready = s.Started && c.spec.ReadinessProbe == nil
}

// planEnd schedules the exit of a container that crashes or completes.
func (k *Kubelet) planEnd(p *pod, i int) {
	c := &p.containers[i]
	switch {
	case c.traits.crashes:
		c.exitCode = c.traits.exitCode
		k.after(p, i, k.draw(p, i, &k.random.crash, c.traits.crashAfter), opExited)
	case c.init:
		c.exitCode = 0
		k.after(p, i, initRuns, opExited)
	}
}

// exited handles the end of a container's process.
func (k *Kubelet) exited(p *pod, i int, code int32) {
	c := &p.containers[i]
	k.cancelTimers(c)
	c.end(code, k.now())
	if c.init && code == 0 {
		c.activity, c.status.Ready = ended, true
		k.writeStatus(p, "init container completed", whyExited)
		k.syncPod(p)
		return
	}
	k.writeStatus(p, "container exited", whyExited)
	k.backOffRestart(p, i)
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

// backOffRestart restarts a container that has just ended: at once the first time, else after the back-off (G-10).
//
// Simplified: the event of a back-off is sent once, not with each sync of the pod while it lasts.
func (k *Kubelet) backOffRestart(p *pod, i int) {
	c := &p.containers[i]
	if c.crashBackOff.fresh(k.kernel.Now()) {
		k.restart(p, i)
		return
	}
	c.activity = backOff
	k.event(p, i, "Warning", "BackOff", "Back-off restarting failed container "+c.spec.Name+" in pod "+p.String())
	k.after(p, i, showAfter, opRestartWaits)
	k.after(p, i, c.crashBackOff.length, opRestart)
}

// showBackOff reports the back-off (G-13).
func (k *Kubelet) showBackOff(p *pod, i int) {
	c := &p.containers[i]
	k.waitsFor(p, i, "CrashLoopBackOff", "back-off "+duration(c.crashBackOff.length)+" restarting failed container="+
		c.spec.Name+" pod="+p.String(), "waits for its restart", whyRestarts)
}

// restart lets a container start again.
func (k *Kubelet) restart(p *pod, i int) {
	c := &p.containers[i]
	// The age of the back-off counts to the end of the last run, without the wait since.
	c.crashBackOff.next(k.kernel.Now()-c.waited(), k.kernel.Now())
	c.activity = pending
	k.syncPod(p)
}

// waited returns how long a container has waited for its restart.
func (c *container) waited() sim.Time {
	if c.activity == backOff {
		return c.crashBackOff.length
	}
	return 0
}

// String returns the pod as the kubelet prints it: name_namespace(uid).
func (p *pod) String() string { return p.key.Name + "_" + p.key.Namespace + "(" + p.uid + ")" }
