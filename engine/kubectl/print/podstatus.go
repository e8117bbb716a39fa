package print

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
)

// podRow is what a table says of the containers of a pod (printers.go:printPod). A sidecar counts like a container, other init containers
// only until the pod is initialized.
type podRow struct {
	ready, all int // K-53
	restarted
	status string // K-52
}

// restarted says how often containers were started again, and when the last one of them had ended.
type restarted struct {
	times int
	last  api.Time // 0 if nothing was restarted
}

func (r *restarted) add(s *api.ContainerStatus) {
	r.times += int(s.RestartCount)
	r.last = max(r.last, s.LastState.FinishedAt)
}

// text is the RESTARTS column.
func (r restarted) text(now int64) string {
	text := strconv.Itoa(r.times)
	if r.times == 0 || r.last == 0 {
		return text
	}
	return text + " (" + Since(r.last, now) + " ago)"
}

func PodRestarts(pod *api.Pod) int { return rowOf(pod).times }

func PodStatus(pod *api.Pod) string { return rowOf(pod).status }

func rowOf(pod *api.Pod) (r podRow) {
	r.all, r.status = len(pod.Spec.Containers), cmp.Or(pod.Status.Reason, pod.Status.Phase)
	for i := range pod.Spec.InitContainers {
		if pod.Spec.InitContainers[i].IsSidecar() {
			r.all++
		}
	}
	initialized := api.FindCondition(pod.Status.Conditions, "Initialized")
	if sidecars, done := r.initialize(pod); done || initialized != nil && initialized.Status == "True" {
		r.restarted = sidecars
		r.run(pod)
	}
	switch {
	case !pod.Terminating():
	case pod.Status.Reason == "NodeLost":
		r.status = "Unknown"
	case !pod.Finished():
		r.status = "Terminating"
	}
	return r
}

func isSidecar(pod *api.Pod, i int) bool {
	return i < len(pod.Spec.InitContainers) && pod.Spec.InitContainers[i].IsSidecar()
}

// initialize looks at the init containers up to the first that is not done, and returns the restarts of the sidecars among them.
func (r *podRow) initialize(pod *api.Pod) (sidecars restarted, done bool) {
	for i := range pod.Status.InitContainerStatuses {
		s := &pod.Status.InitContainerStatuses[i]
		r.add(s)
		if isSidecar(pod, i) {
			sidecars.add(s)
		}
		switch {
		case s.State.Kind == api.Terminated && s.State.ExitCode == 0:
			continue
		case isSidecar(pod, i) && s.Started:
			if s.Ready {
				r.ready++
			}
			continue
		case s.State.Kind == api.Terminated:
			r.status = "Init:" + terminatedReason(&s.State)
		case s.State.Kind == api.Waiting && s.State.Reason != "" && s.State.Reason != "PodInitializing":
			r.status = "Init:" + s.State.Reason
		default:
			r.status = fmt.Sprintf("Init:%d/%d", i, len(pod.Spec.InitContainers))
		}
		return sidecars, false
	}
	return sidecars, true
}

// run looks at the containers from the last to the first; the first of them by name has the last word.
func (r *podRow) run(pod *api.Pod) {
	running, failed := false, ""
	for i := len(pod.Status.ContainerStatuses) - 1; i >= 0; i-- {
		s := &pod.Status.ContainerStatuses[i]
		r.add(s)
		switch {
		case s.State.Kind == api.Waiting && s.State.Reason != "":
			r.status = s.State.Reason
		case s.State.Kind == api.Terminated:
			r.status = terminatedReason(&s.State)
			if s.State.ExitCode != 0 {
				failed = r.status
			}
		case s.Ready && s.State.Kind == api.Running:
			running = true
			r.ready++
		}
	}
	switch {
	case r.status != "Completed":
	case running && pod.IsReady():
		r.status = "Running"
	case failed != "":
		r.status = failed
	case running:
		r.status = "NotReady"
	}
}

func terminatedReason(s *api.ContainerState) string {
	return cmp.Or(s.Reason, fmt.Sprintf("ExitCode:%d", s.ExitCode))
}
