package print

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestReadNodeStatus is the STATUS column of nodes (K-47).
func TestReadNodeStatus(t *testing.T) {
	for _, tt := range []struct {
		conditions []api.Condition
		cordoned   bool
		want       string
	}{
		{nil, false, "Unknown"},
		{nil, true, "Unknown,SchedulingDisabled"},
		{[]api.Condition{{Type: "Ready", Status: "True"}}, false, "Ready"},
		{[]api.Condition{{Type: "Ready", Status: "False"}}, false, "NotReady"},
		{[]api.Condition{{Type: "Ready", Status: "Unknown"}}, true, "NotReady,SchedulingDisabled"},
		{[]api.Condition{{Type: "DiskPressure", Status: "False"}}, false, "Unknown"},
	} {
		n := &api.Node{}
		n.Status.Conditions, n.Spec.Unschedulable = tt.conditions, tt.cordoned
		if got := NodeStatus(n); got != tt.want {
			t.Errorf("%v, cordoned %t: %s, want %s", tt.conditions, tt.cordoned, got, tt.want)
		}
	}
	n := &api.Node{}
	n.Labels = map[string]string{"node-role.kubernetes.io/worker": "", "kubernetes.io/role": "a", "x": "y"}
	if got := NodeRoles(n); got != "a,worker" {
		t.Errorf("roles: %s", got)
	}
}

// TestReadRestarts: the RESTARTS column says when the last restart was (K-52).
func TestReadRestarts(t *testing.T) {
	pod := &api.Pod{Spec: &api.PodSpec{}}
	pod.Status.ContainerStatuses = []api.ContainerStatus{
		{RestartCount: 2, LastState: api.ContainerState{Kind: api.Terminated, FinishedAt: api.TimeAt(10_000)}},
		{RestartCount: 1, LastState: api.ContainerState{Kind: api.Terminated, FinishedAt: api.TimeAt(20_000)}},
	}
	if got := rowOf(pod).text(25_400); got != "3 (5s ago)" {
		t.Error(got)
	}
	pod.Status.ContainerStatuses = pod.Status.ContainerStatuses[:0]
	if got := rowOf(pod).text(25_400); got != "0" {
		t.Error(got)
	}
}

// TestReadSelectors is how selectors are written.
func TestReadSelectors(t *testing.T) {
	for want, s := range map[string]*api.LabelSelector{
		"<none>":      nil,
		"app=web":     {MatchLabels: map[string]string{"app": "web"}},
		"app=web,z=1": {MatchLabels: map[string]string{"z": "1", "app": "web"}},
		"a,app=web,!zz": {MatchLabels: map[string]string{"app": "web"},
			MatchExpressions: []api.SelectorRequirement{{Key: "zz", Operator: "DoesNotExist"}, {Key: "a", Operator: "Exists"}}},
		"app in (a,b),tier notin (x)": {MatchExpressions: []api.SelectorRequirement{
			{Key: "tier", Operator: "NotIn", Values: []string{"x"}}, {Key: "app", Operator: "In", Values: []string{"b", "a"}}}},
	} {
		if got := SelectorText(s); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestReadSortBy: texts are compared letter by letter (sorter.go:isLess), quantities by their amount, and what is not there comes first.
func TestReadSortBy(t *testing.T) {
	for _, tt := range []struct{ less, more any }{
		{"web-10", "web-9"}, {"a", "b"}, {"1Gi", "2Gi"}, {"900m", "1"}, {"1", "a"}, {"a1b", "a1c"}, {"a001", "a01"}, {"web", "web-1"}, {2.0, 10.0},
		{nil, "a"}, {"2026-01-01T00:00:09Z", "2026-01-01T00:00:10Z"},
	} {
		less, err := valueLess(tt.less, tt.more)
		more, wrong := valueLess(tt.more, tt.less)
		if !less || more || err != nil || wrong != nil {
			t.Errorf("%v must come before %v: %v, %v", tt.less, tt.more, err, wrong)
		}
	}
	for _, path := range []string{"{}", "{.a", ".a}", "{.a}{.b}", ".a[x]"} {
		if _, text, err := ReadPath(path); err == nil {
			t.Errorf("%q is read as %q", path, text)
		}
	}
}

// TestAge is the worked list of K-51.
func TestAge(t *testing.T) {
	for seconds, want := range map[int64]string{-2: "<invalid>", -1: "0s", 0: "0s", 119: "119s", 120: "2m", 287: "4m47s", 599: "9m59s", 600: "10m",
		3 * 3600: "3h", 3*3600 + 60: "3h1m", 8 * 3600: "8h", 47 * 3600: "47h", 48 * 3600: "2d", 50 * 3600: "2d2h", 8 * 86400: "8d"} {
		if got := Age(seconds * 1000); got != want {
			t.Errorf("%d s: %s, want %s", seconds, got, want)
		}
	}
}
