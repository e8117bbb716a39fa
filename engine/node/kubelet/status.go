package kubelet

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

var whySeen = why.Rule("G-1", "pkg/kubelet/kubelet_pods.go:generateAPIPodStatus")

// writeStatus reports a pod, or forgets it if it was removed.
func (k *Kubelet) writeStatus(p *pod, what string, why *sim.Explain) {
	o, err := k.client.Get(p.key)
	if err != nil || o.Meta().UID != p.uid {
		return // the kubelet will hear of it
	}
	c := *o.(*api.Pod)
	p.fill(&c.Status, k.client.Timestamp())
	k.client.Must(k.client.UpdateStatus(&c, what, why))
	k.planGates(p)
}

// event sends an event about a container.
func (k *Kubelet) event(c *container, eventType, reason, message string) {
	field := "spec.containers{" + c.spec.Name + "}"
	if c.init || c.sidecar {
		field = "spec.initContainers{" + c.spec.Name + "}"
	}
	k.client.EventOf(sim.Record{Object: c.pod.key, UID: c.pod.uid, Field: field, Type: eventType, Reason: reason, What: message})
	if reason != "Unhealthy" && reason != "BackOff" {
		k.tellAgain(c)
	}
}

// report brings the status of a pod up to what was known at a moment (kubelet.go:SyncPod). Without a text, the record tells what has happened to
// the first container that has changed.
func (k *Kubelet) report(p *pod, saw sim.Time, what string, because *sim.Explain) {
	changed := false
	if p.shown.phase == "" {
		what, because = "seen by its node", whySeen
	}
	for _, c := range p.containers {
		before := c.status
		c.observe(saw)
		if c.status == before {
			continue
		}
		if changed = true; what == "" {
			what, because = c.news(&before)
		}
	}
	if !changed && p.sees.gates != p.shown.gates && p.unready() == "" {
		changed, what, because = true, "its readiness gates have changed", whyGates
	}
	shown := podShown{phase: p.phase(), sandbox: p.sandbox, waits: p.uninitialized(), gates: p.shown.gates, generation: p.sees.generation}
	if changed = changed || shown != p.shown; changed {
		p.shown = shown
		p.shown.gates = p.sees.gates
		if what == "" {
			what, because = "seen again by its node", whySeen
		}
		k.writeStatus(p, what, because)
	}
	for _, c := range p.containers {
		c.triggers = c.triggered()
	}
}

// observe fills in the status of a container, as far as it is known (kubelet_pods.go:convertToAPIContainerStatuses).
func (c *container) observe(saw sim.Time) {
	s := &c.status
	c.wasStarted = c.ran() && c.endsAt > saw && s.Started
	s.Started, s.Ready, s.Image = false, false, cmp.Or(c.image, c.wanted().Image)
	if c.run > 0 {
		s.RestartCount = c.run - 1
	}
	if c.shownRun != c.run { // once the end of this run has shown as the last state, that stays
		s.LastState = c.before.state
	}
	if c.ran() {
		c.shownRun = c.run
	}
	switch {
	case c.runs(saw):
		s.State = api.ContainerState{Kind: api.Running, StartedAt: api.TimeAt(c.startedAt)}
		s.Started = c.started()
		s.Ready = s.Started && !c.init && (c.spec.ReadinessProbe == nil || c.result(readiness) == success)
		return
	case c.run > 0:
		s.State = c.ending().state
		s.Ready = c.init && c.exitCode == 0 && !c.lost
	default:
		s.State = api.ContainerState{Kind: api.Waiting, Reason: c.pod.firstWait()}
	}
	done := c.run > 0 && c.exitCode == 0 && (c.init || c.sidecar) // upstream treats a sidecar like an init container here
	if c.reason != "" && !c.pod.sees.deleted && !done {
		if c.run > 0 {
			s.LastState = s.State
		}
		s.State = api.ContainerState{Kind: api.Waiting, Reason: c.reason, Message: c.message}
	}
}

// started says whether a running container counts as started: its startup probe says so, or, before that has looked at it, the last status.
func (c *container) started() bool {
	if r := c.result(startup); r != unprobed {
		return r == success
	}
	return c.wasStarted || c.spec.StartupProbe == nil
}

// news says what has happened to a container since an earlier status.
func (c *container) news(before *api.ContainerStatus) (what string, because *sim.Explain) {
	s := &c.status
	switch {
	case s.State.Kind == api.Terminated && c.init && s.State.ExitCode == 0:
		return "init container completed", whyExited
	case s.State.Kind == api.Terminated:
		return "container exited", whyExited
	case s.State.Kind == api.Waiting:
		return waitsFor(s.State.Reason)
	case s.State != before.State:
		return "container started", whyStarted
	case s.Started != before.Started && s.Started:
		return "startup probe succeeded", whyStartedUp
	case s.Started != before.Started:
		return "waits for its startup probe", whyStartedUp
	case s.Ready:
		return "container ready", whyReady
	}
	return "container not ready", whyUnready
}

func waitsFor(reason string) (what string, because *sim.Explain) {
	switch reason {
	case crashLoops:
		return "waits for its restart", whyRestarts
	case pullsLater:
		return "waits for the next pull", whyPullWaits
	case unreadable:
		return "the name of the image cannot be read", whyUnreadable
	case neverPulled:
		return "the image is not on the node", whyPullFails
	}
	return "the image cannot be pulled", whyPullFails
}

// statuses lists the statuses of containers: of init containers in the order of the spec, of others by name
// (kubelet_pods.go:convertToAPIContainerStatuses).
func statuses(containers []*container) []api.ContainerStatus {
	list := make([]api.ContainerStatus, len(containers))
	for at, c := range containers {
		for ; at > 0 && !c.init && !c.sidecar && list[at-1].Name > c.status.Name; at-- {
			list[at] = list[at-1]
		}
		list[at] = c.status
	}
	return list
}

// fill puts what is reported into a status (kubelet_pods.go:generateAPIPodStatus). Its collections belong to the stored pod, so it replaces
// them.
func (p *pod) fill(s *api.PodStatus, now api.Time) {
	s.Phase, s.ObservedGeneration = p.shown.phase, p.shown.generation
	s.InitContainerStatuses = statuses(p.containers[:p.inits])
	s.ContainerStatuses = statuses(p.containers[p.inits:])
	s.Conditions = p.conditions(s.Conditions, now)
}

// phase returns the phase of the pod (G-2, kubelet_pods.go:getPhase). A pod whose containers all crash is Running. When all have
// stopped for good, it has succeeded if each of them exited with 0, and failed otherwise.
func (p *pod) phase() string {
	if p.failed {
		return api.PodFailed
	}
	stopped := len(p.containers) - p.inits
	succeeded := stopped
	for _, c := range p.containers {
		s := &c.status
		waits := s.State.Kind == api.Waiting && s.LastState.Kind == ""
		switch running := s.State.Kind == api.Running; {
		case waits, running && c.init, running && c.sidecar && !p.initialized && !c.wasStarted:
			return api.PodPending
		case running:
			stopped = -1
		case !c.init && !c.sidecar && (s.State.Kind != api.Terminated || s.State.ExitCode != 0):
			succeeded--
		}
	}
	switch {
	case stopped < 0 || !p.terminated:
		return api.PodRunning
	case stopped == succeeded:
		return api.PodSucceeded
	}
	return api.PodFailed
}

// conditions returns the conditions of the pod: first those of other owners, then the kubelet's in its order (G-3).
func (p *pod) conditions(old []api.Condition, now api.Time) []api.Condition {
	list := make([]api.Condition, 0, len(conditionTypes))
	for i := range old {
		if !slices.Contains(conditionTypes[:], old[i].Type) {
			list = append(list, old[i])
		}
	}
	unready, phase := p.unready(), p.shown.phase
	ready := api.Condition{Status: "True"}
	switch {
	case phase == api.PodSucceeded:
		ready = api.Condition{Status: "False", Reason: "PodCompleted"}
	case phase == api.PodFailed && !p.failed:
		ready = api.Condition{Status: "False", Reason: "PodFailed"}
	case unready != "":
		ready = api.Condition{Status: "False", Reason: "ContainersNotReady", Message: "containers with unready status: [" + unready + "]"}
	}
	sandbox := api.Condition{Status: "True"}
	if !p.sandbox {
		sandbox = api.Condition{Status: "False", Reason: "PodSandboxNotReady", Message: "no pod sandbox exists"}
	}
	if p.terminated {
		sandbox.Message = "pod sandbox is not ready"
	}
	initialized := api.Condition{Status: "True"}
	if phase == api.PodSucceeded {
		initialized.Reason = "PodCompleted"
	}
	if waits := p.shown.waits; waits != "" {
		initialized = api.Condition{Status: "False", Reason: "ContainersNotInitialized", Message: "containers with incomplete status: [" + waits + "]"}
	}
	for i, c := range [...]api.Condition{sandbox, initialized, gated(ready, p.shown.gates), ready, {Status: "True"}} {
		c.Type, c.LastTransitionTime = conditionTypes[i], now
		if before := api.FindCondition(old, c.Type); before != nil && before.Status == c.Status {
			c.LastTransitionTime = before.LastTransitionTime
		}
		list = append(list, c)
	}
	return list
}

// conditionTypes are the kubelet's conditions, in its order (G-3).
var conditionTypes = [...]string{"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"}

// unready lists the containers that are not ready, including sidecars (status/generate.go:GenerateContainersReadyCondition).
func (p *pod) unready() string {
	return p.names(func(c *container) bool { return !c.init && !c.status.Ready })
}

// uninitialized lists the init containers that have not ended, and the sidecars that have not started, until none is left or another container
// has started (status/generate.go:GeneratePodInitializedCondition).
func (p *pod) uninitialized() string {
	if p.inits == 0 || p.shown.phase != "" && p.shown.waits == "" {
		return ""
	}
	for _, c := range p.containers[p.inits:] {
		if c.status.State.Kind != api.Waiting {
			return ""
		}
	}
	return p.names(func(c *container) bool { return c.init && !c.status.Ready || c.sidecar && !c.status.Started })
}

// names lists the names of containers as Go prints a slice, without the brackets.
func (p *pod) names(of func(*container) bool) string {
	list := make([]string, 0, 8) // on the stack
	for _, c := range p.containers {
		if of(c) {
			list = append(list, c.spec.Name)
		}
	}
	return strings.Join(list, " ")
}
