package api

import (
	"cmp"
	"slices"
)

// Phases of a pod (G-2).
const (
	PodPending   = "Pending"
	PodRunning   = "Running"
	PodSucceeded = "Succeeded"
	PodFailed    = "Failed"
)

// PodDeletionCostAnnotation ranks pods for deletion.
const PodDeletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost"

// Pod is v1 Pod. The pods of one template share its spec, so whatever differs between them is kept beside the spec: the node,
// the hostname and subdomain that a StatefulSet gives, and the node that a DaemonSet means it for, which upstream writes
// as a required node affinity on metadata.name.
type Pod struct {
	ObjectMeta `json:"metadata"`
	NodeName   string    `json:"nodeName,omitempty"`
	Hostname   string    `json:"hostname,omitempty"`
	Subdomain  string    `json:"subdomain,omitempty"`
	TargetNode string    `json:"-"`
	Spec       *PodSpec  `json:"spec"`
	Status     PodStatus `json:"status,omitzero"`
}

// PodStatus is what the kubelet last reported.
type PodStatus struct {
	ObservedGeneration    int64             `json:"observedGeneration,omitempty"` // 0 until the spec has changed
	Phase                 string            `json:"phase,omitempty"`
	Reason                string            `json:"reason,omitempty"`
	Conditions            []Condition       `json:"conditions,omitempty"`
	InitContainerStatuses []ContainerStatus `json:"initContainerStatuses,omitempty"`
	ContainerStatuses     []ContainerStatus `json:"containerStatuses,omitempty"`
}

// ContainerStatus is the state of one container, in the order of the spec.
type ContainerStatus struct {
	Name         string         `json:"name"`
	Image        string         `json:"image"`
	State        ContainerState `json:"state"`
	LastState    ContainerState `json:"lastState,omitzero"`
	Ready        bool           `json:"ready"`
	Started      bool           `json:"started"`
	RestartCount int32          `json:"restartCount"`
}

// States of a container.
const (
	Waiting    = "waiting"
	Running    = "running"
	Terminated = "terminated"
)

// ContainerState says what a container is doing: Waiting with a reason, Running since StartedAt,
// or Terminated with a reason and an exit code.
type ContainerState struct {
	Kind       string `json:"kind,omitempty"` // Waiting, Running, Terminated; empty is "none"
	Reason     string `json:"reason,omitempty"`
	Message    string `json:"message,omitempty"`
	ExitCode   int32  `json:"exitCode,omitempty"`
	StartedAt  Time   `json:"startedAt,omitzero"`
	FinishedAt Time   `json:"finishedAt,omitzero"`
}

// CopyForStatus returns a copy whose status can be changed; metadata collections are shared with the original.
func (p *Pod) CopyForStatus() *Pod {
	c := *p
	s := &c.Status
	s.Conditions = slices.Clone(s.Conditions)
	s.InitContainerStatuses, s.ContainerStatuses = slices.Clone(s.InitContainerStatuses), slices.Clone(s.ContainerStatuses)
	return &c
}

// KeepSpec gives the pod the spec of another one, with what belongs to it.
func (p *Pod) KeepSpec(of *Pod) {
	p.Spec, p.NodeName, p.Hostname, p.Subdomain, p.TargetNode = of.Spec, of.NodeName, of.Hostname, of.Subdomain, of.TargetNode
}

// Finished says whether the pod's phase is final.
func (p *Pod) Finished() bool {
	return p.Status.Phase == PodSucceeded || p.Status.Phase == PodFailed
}

// Active says whether the pod counts for a ReplicaSet: neither finished nor terminating.
func (p *Pod) Active() bool { return !p.Finished() && !p.Terminating() }

// StartTime is when the kubelet first reported the pod, 0 before.
//
// Simplified: the kubelet sees a pod within milliseconds of its binding, so this is when PodScheduled became True.
func (p *Pod) StartTime() Time {
	if c := FindCondition(p.Status.Conditions, "PodScheduled"); c != nil && c.Status == "True" {
		return c.LastTransitionTime
	}
	return 0
}

// ReadyCondition returns the Ready condition if it is True, nil otherwise.
func (p *Pod) ReadyCondition() *Condition {
	if c := FindCondition(p.Status.Conditions, "Ready"); c != nil && c.Status == "True" {
		return c
	}
	return nil
}

// Gates returns the condition of each readiness gate, with an empty status where there is none.
func (p *Pod) Gates() []Condition { return p.Spec.Gates(p.Status.Conditions) }

// IsReady says whether the Ready condition is True.
func (p *Pod) IsReady() bool { return p.ReadyCondition() != nil }

// AvailableAt returns the virtual ms at which the pod has been Ready for minReadySeconds; ok is false
// if it is not Ready. Without minReadySeconds a Ready pod is available at once.
func (p *Pod) AvailableAt(minReadySeconds int32) (ms int64, ok bool) {
	if c := p.ReadyCondition(); c != nil {
		return c.LastTransitionTime.Milli() + int64(minReadySeconds)*1000, true
	}
	return 0, false
}

// NextAvailable returns in how many ms the next of the pods that are Ready, but not for minReadySeconds yet, will be available;
// minReadySeconds if there is no such pod (R-22b, S-34, FindMinNextPodAvailabilityCheck).
func NextAvailable(pods []*Pod, minReadySeconds int32, now int64) int64 {
	after := int64(0)
	for _, pod := range pods {
		if at, ok := pod.AvailableAt(minReadySeconds); ok && at > now && (after == 0 || at-now < after) {
			after = at - now
		}
	}
	return cmp.Or(after, int64(minReadySeconds)*1000)
}

// IsAvailable says whether the pod is available at a virtual ms.
func (p *Pod) IsAvailable(minReadySeconds int32, now int64) bool {
	at, ok := p.AvailableAt(minReadySeconds)
	return ok && (minReadySeconds == 0 || at <= now)
}
