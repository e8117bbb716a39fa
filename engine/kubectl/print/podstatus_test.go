package print

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestPodColumns is READY, which counts the containers' own flags and not the pod's condition (K-53), and STATUS, where the
// first container that has something to say has the last word (K-52).
func TestPodColumns(t *testing.T) {
	state := func(kind, reason string) api.ContainerState { return api.ContainerState{Kind: kind, Reason: reason} }
	running := api.ContainerStatus{Ready: true, State: state(api.Running, "")}
	for _, tt := range []struct {
		name          string
		containers    []api.ContainerStatus
		condition     string // of Ready
		terminating   bool
		ready, status string
	}{
		{"both ready", []api.ContainerStatus{running, running}, "True", false, "2/2", "Running"},
		{"the pod's condition does not count", []api.ContainerStatus{running, running}, "False", false, "2/2", "Running"},
		{"one waits", []api.ContainerStatus{running, {State: state(api.Waiting, "CrashLoopBackOff")}}, "False", false, "1/2", "CrashLoopBackOff"},
		{"the first one has the last word", []api.ContainerStatus{{State: state(api.Waiting, "ErrImagePull")}, {State: state(api.Waiting, "ContainerCreating")}},
			"False", false, "0/2", "ErrImagePull"},
		{"an exit without a reason", []api.ContainerStatus{running, {State: api.ContainerState{Kind: api.Terminated, ExitCode: 3}}},
			"False", false, "1/2", "ExitCode:3"},
		{"one is done, the other goes on", []api.ContainerStatus{{State: state(api.Terminated, "Completed")}, running}, "True", false, "1/2", "Running"},
		{"on its way out", []api.ContainerStatus{running, running}, "True", true, "2/2", "Terminating"},
	} {
		pod := &api.Pod{Status: api.PodStatus{Phase: api.PodRunning, ContainerStatuses: tt.containers,
			Conditions: []api.Condition{{Type: "Ready", Status: tt.condition}}}}
		pod.Spec = &api.PodSpec{Containers: make([]api.Container, 2)}
		if tt.terminating {
			pod.DeletionTimestamp = api.TimeAt(1000)
		}
		if row := podCells(pod, 0, false); row[1] != tt.ready || row[2] != tt.status {
			t.Errorf("%s: %s %s, want %s %s", tt.name, row[1], row[2], tt.ready, tt.status)
		}
	}
}
