package replicaset

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// rankedPod returns a pod that has been Ready for some seconds at 1,000 s; -1: it is not Ready.
func rankedPod(name string, readyFor int64, change func(*api.Pod)) *api.Pod {
	p := &api.Pod{ObjectMeta: api.ObjectMeta{Name: name, UID: name, CreationTimestamp: api.TimeAt(0)}, NodeName: "n",
		Spec: &api.PodSpec{}, Status: api.PodStatus{Phase: api.PodRunning, ContainerStatuses: []api.ContainerStatus{{}}}}
	if readyFor >= 0 {
		p.Status.Conditions = []api.Condition{{Type: "Ready", Status: "True", LastTransitionTime: api.TimeAt(1_000_000 - readyFor*1000)}}
	}
	if change != nil {
		change(p)
	}
	return p
}

func order(pods []*api.Pod, onNode map[string]int) string {
	var names []string
	for _, r := range DeletionOrder(pods, onNode, 1_000_000) {
		names = append(names, r.Pod.Name)
	}
	return strings.Join(names, " ")
}

// TestRankingExample is the worked example of R-10: 10 s and 15 s share a bucket, so the UID decides between them, and
// restarts do not matter.
func TestRankingExample(t *testing.T) {
	pods := []*api.Pod{
		rankedPod("c300", 300, nil), rankedPod("b20", 20, nil), rankedPod("d10", 10, nil), rankedPod("notready", -1, nil),
		rankedPod("a15", 15, func(p *api.Pod) { p.Status.ContainerStatuses[0].RestartCount = 5 }),
	}
	if got, want := order(pods, nil), "notready a15 d10 b20 c300"; got != want {
		t.Errorf("order is %q, want %q", got, want)
	}
}

// TestRanking checks each criterion of R-9 alone: the pod named first is deleted first.
func TestRanking(t *testing.T) {
	set := func(f func(*api.Pod)) func(*api.Pod) { return f }
	cost := func(text string) func(*api.Pod) {
		return func(p *api.Pod) { p.SetAnnotation(api.PodDeletionCostAnnotation, text) }
	}
	tests := []struct {
		name          string
		first, second *api.Pod
	}{
		{"1 without a node", rankedPod("z", 100, set(func(p *api.Pod) { p.NodeName = "" })), rankedPod("a", 100, nil)},
		{"2 Pending before Running", rankedPod("z", -1, set(func(p *api.Pod) { p.Status.Phase = api.PodPending })), rankedPod("a", -1, nil)},
		{"3 not Ready", rankedPod("z", -1, nil), rankedPod("a", 100, nil)},
		{"4 lower deletion cost", rankedPod("z", 100, cost("-5")), rankedPod("a", 100, nil)},
		{"4 a cost with a plus is none", rankedPod("a", 100, cost("+5")), rankedPod("z", 100, cost("1"))},
		{"4 a cost with leading zeros is none", rankedPod("a", 100, cost("007")), rankedPod("z", 100, cost("1"))},
		{"5 more pods of the Deployment on its node", rankedPod("z", 100, set(func(p *api.Pod) { p.NodeName = "full" })), rankedPod("a", 100, nil)},
		{"6 Ready for a shorter time", rankedPod("z", 8, nil), rankedPod("a", 9, nil)},
		{"6 in one bucket by UID", rankedPod("a", 16, nil), rankedPod("z", 9, nil)},
		{"7 more restarts", rankedPod("z", 100, set(func(p *api.Pod) { p.Status.ContainerStatuses[0].RestartCount = 1 })), rankedPod("a", 100, nil)},
		{"8 younger", rankedPod("z", 100, set(func(p *api.Pod) { p.CreationTimestamp = api.TimeAt(999_000) })), rankedPod("a", 100, nil)},
		{"9 equal: by UID", rankedPod("a", 100, nil), rankedPod("z", 100, nil)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.first.Name + " " + tt.second.Name
			if got := order([]*api.Pod{tt.second, tt.first}, map[string]int{"full": 3, "n": 1}); got != want {
				t.Errorf("order is %q, want %q", got, want)
			}
		})
	}
}
