package print

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
)

// PodReady returns the READY column of a pod: ready containers of all (K-53).
func PodReady(pod *api.Pod) string {
	ready := 0
	for i := range pod.Status.ContainerStatuses {
		if pod.Status.ContainerStatuses[i].Ready {
			ready++
		}
	}
	return strconv.Itoa(ready) + "/" + strconv.Itoa(len(pod.Spec.Containers))
}

// PodRestarts returns the number in the RESTARTS column.
func PodRestarts(pod *api.Pod) int {
	n := 0
	for i := range pod.Status.ContainerStatuses {
		n += int(pod.Status.ContainerStatuses[i].RestartCount)
	}
	return n
}

// PodStatus returns the STATUS column of a pod (K-52).
func PodStatus(pod *api.Pod) string {
	status := cmp.Or(pod.Status.Reason, pod.Status.Phase)
	if init, waiting := initStatus(pod); waiting {
		status = init
	} else {
		status = containersStatus(pod, status)
	}
	if !pod.Terminating() || pod.Finished() {
		return status
	}
	if pod.Status.Reason == "NodeLost" {
		return "Unknown"
	}
	return "Terminating"
}

// initStatus describes the first init container that is not done; waiting is false if all are.
func initStatus(pod *api.Pod) (status string, waiting bool) {
	for i := range pod.Status.InitContainerStatuses {
		cs := &pod.Status.InitContainerStatuses[i]
		sidecar := i < len(pod.Spec.InitContainers) && pod.Spec.InitContainers[i].RestartPolicy == "Always"
		switch {
		case cs.State.Kind == api.Terminated && cs.State.ExitCode == 0, sidecar && cs.Started:
			continue
		case cs.State.Kind == api.Terminated:
			return "Init:" + terminatedReason(&cs.State), true
		case cs.State.Kind == api.Waiting && cs.State.Reason != "" && cs.State.Reason != "PodInitializing":
			return "Init:" + cs.State.Reason, true
		}
		return fmt.Sprintf("Init:%d/%d", i, len(pod.Spec.InitContainers)), true
	}
	return "", false
}

// containersStatus looks at the containers from the last to the first; the first of them by name has the last word.
func containersStatus(pod *api.Pod, status string) string {
	running := false
	for i := len(pod.Status.ContainerStatuses) - 1; i >= 0; i-- {
		cs := &pod.Status.ContainerStatuses[i]
		switch {
		case cs.State.Kind == api.Waiting && cs.State.Reason != "":
			status = cs.State.Reason
		case cs.State.Kind == api.Terminated:
			status = terminatedReason(&cs.State)
		case cs.Ready && cs.State.Kind == api.Running:
			running = true
		}
	}
	if status == "Completed" && running {
		if pod.IsReady() {
			return "Running"
		}
		return "NotReady"
	}
	return status
}

func terminatedReason(s *api.ContainerState) string {
	return cmp.Or(s.Reason, fmt.Sprintf("ExitCode:%d", s.ExitCode))
}
