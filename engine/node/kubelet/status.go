package kubelet

import (
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
		k.forget(p.key, p.uid)
		return
	}
	c := *o.(*api.Pod)
	p.report(&c.Status, k.now())
	k.client.Must(k.client.UpdateStatus(&c, what, why))
	k.planGates(p)
}

// event sends an event about container i of a pod, or about the pod if i is negative.
func (k *Kubelet) event(p *pod, i int, eventType, reason, message string) {
	field := ""
	if i >= 0 {
		field = "spec.containers{" + p.containers[i].spec.Name + "}"
		if i < p.inits {
			field = "spec.initContainers{" + p.containers[i].spec.Name + "}"
		}
	}
	k.client.EventOf(sim.Record{Object: p.key, UID: p.uid, Field: field, Type: eventType, Reason: reason, What: message})
}

// report fills in a status (kubelet_pods.go:generateAPIPodStatus). Its collections belong to the stored pod, so it replaces them.
func (p *pod) report(s *api.PodStatus, now api.Time) {
	s.Phase = p.phase()
	s.InitContainerStatuses = statuses(p.containers[:p.inits])
	s.ContainerStatuses = statuses(p.containers[p.inits:])
	s.Conditions = p.conditions(s.Conditions, now)
}

func statuses(containers []container) []api.ContainerStatus {
	if len(containers) == 0 {
		return nil
	}
	list := make([]api.ContainerStatus, len(containers))
	for i := range containers {
		list[i] = containers[i].status
	}
	return list
}

// phase returns the phase of the pod (G-2, kubelet_pods.go:getPhase). A pod whose containers all crash is Running. When all have
// stopped for good, it has succeeded if each of them exited with 0, and failed otherwise.
func (p *pod) phase() string {
	if p.failed {
		return api.PodFailed
	}
	for i := range p.containers {
		c := &p.containers[i]
		started := c.status.State.Kind != api.Waiting || c.status.LastState.Kind != ""
		switch {
		case c.init:
			if c.activity != ended && !p.initialized {
				return api.PodPending
			}
		case c.sidecar && (p.initialized || c.status.Started): // no longer matters
		case !started, c.sidecar:
			return api.PodPending
		}
	}
	if !p.over() {
		return api.PodRunning
	}
	for i := range p.containers[p.inits:] {
		if s := &p.containers[p.inits+i].status.State; s.Kind != api.Terminated || s.ExitCode != 0 {
			return api.PodFailed
		}
	}
	return api.PodSucceeded
}

// over says whether all containers of a terminating pod have stopped.
func (p *pod) over() bool { return p.terminating && !p.sandbox }

// conditions returns the conditions of the pod: first those of other owners, then the kubelet's in its order (G-3).
func (p *pod) conditions(old []api.Condition, now api.Time) []api.Condition {
	list := make([]api.Condition, 0, 5)
	for i := range old {
		if !owned(old[i].Type) {
			list = append(list, old[i])
		}
	}
	unready, phase := p.unready(), p.phase()
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
	if p.over() {
		sandbox.Message = "pod sandbox is not ready"
	}
	initialized := api.Condition{Status: "True"}
	if phase == api.PodSucceeded {
		initialized.Reason = "PodCompleted"
	}
	if waits := p.uninitialized(); waits != "" {
		initialized = api.Condition{Status: "False", Reason: "ContainersNotInitialized", Message: "containers with incomplete status: [" + waits + "]"}
	}
	list = appendCondition(list, old, "PodReadyToStartContainers", sandbox, now)
	list = appendCondition(list, old, "Initialized", initialized, now)
	list = appendCondition(list, old, "Ready", p.gated(ready, old), now)
	list = appendCondition(list, old, "ContainersReady", ready, now)
	return appendCondition(list, old, "PodScheduled", api.Condition{Status: "True"}, now)
}

func owned(conditionType string) bool {
	switch conditionType {
	case "PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled":
		return true
	}
	return false
}

// appendCondition adds a condition. Its transition time changes only with its status.
func appendCondition(list, old []api.Condition, conditionType string, c api.Condition, now api.Time) []api.Condition {
	c.Type, c.LastTransitionTime = conditionType, now
	if before := api.FindCondition(old, conditionType); before != nil && before.Status == c.Status {
		c.LastTransitionTime = before.LastTransitionTime
	}
	return append(list, c)
}

// unready lists the containers that are not ready, including sidecars (status/generate.go:GenerateContainersReadyCondition).
func (p *pod) unready() string {
	return p.names(func(c *container) bool { return !c.init && !c.status.Ready })
}

// uninitialized lists the init containers that have not ended, and the sidecars that have not started
// (status/generate.go:GeneratePodInitializedCondition).
func (p *pod) uninitialized() string {
	if p.inits == 0 || p.initialized {
		return ""
	}
	return p.names(func(c *container) bool { return c.init && !c.status.Ready || c.sidecar && !c.status.Started })
}

// names lists the names of containers as Go prints a slice, without the brackets.
func (p *pod) names(of func(*container) bool) string {
	var list []string
	single := ""
	for i := range p.containers {
		switch c := &p.containers[i]; {
		case !of(c):
		case single == "":
			single = c.spec.Name
		default:
			list = append(list, c.spec.Name)
		}
	}
	if list == nil {
		return single
	}
	return single + " " + strings.Join(list, " ")
}
