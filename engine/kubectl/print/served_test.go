package print

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestServedLost: nobody knows when a container that was lost began and ended. The API server says null.
func TestServedLost(t *testing.T) {
	pod := &api.Pod{ObjectMeta: api.ObjectMeta{Name: "web"}, Spec: &api.PodSpec{}}
	pod.Status.ContainerStatuses = []api.ContainerStatus{{Name: "web", State: api.ContainerState{Kind: api.Terminated, Reason: "ContainerStatusUnknown", ExitCode: 137}}}
	ended := ContainerStatuses(api.Fields(Served(pod)).Object("status"))[0].Object("state").Object("terminated")
	for _, field := range []string{"startedAt", "finishedAt"} {
		if when, ok := ended[field]; !ok || when != nil {
			t.Errorf("%s is %v, %v", field, when, ok)
		}
	}
}
