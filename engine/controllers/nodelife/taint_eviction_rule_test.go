package nodelife_test

import (
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestTolerationTimes is the matrix of G-43: when the pods of a node are deleted that gets NoExecute taints at 10 s; 0: never. The
// controller receives the change 1 ms later.
func TestTolerationTimes(t *testing.T) {
	mine := api.Taint{Key: "k", Value: "v", Effect: api.NoExecute}
	second := api.Taint{Key: "l", Effect: api.NoExecute}
	for _, tt := range []struct {
		tolerations string
		taints      []api.Taint
		want        sim.Time
	}{
		{``, []api.Taint{mine}, 10_001},
		{`{'key': 'k', 'operator': 'Exists', 'effect': 'NoSchedule'}`, []api.Taint{mine}, 10_001},
		{`{'key': 'k', 'value': 'w', 'effect': 'NoExecute'}`, []api.Taint{mine}, 10_001},
		{`{'key': 'k', 'value': 'v', 'effect': 'NoExecute'}`, []api.Taint{mine}, 0},
		{`{'operator': 'Exists'}`, []api.Taint{mine, second}, 0},
		{`{'key': 'k', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 60}`, []api.Taint{mine}, 70_001},
		{`{'key': 'k', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 0}`, []api.Taint{mine}, 10_001},
		{`{'key': 'k', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': -5}`, []api.Taint{mine}, 10_001},
		{`{'key': 'k', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 60}`, []api.Taint{mine, second}, 10_001},
		{`{'key': 'k', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 60}, {'key': 'l', 'operator': 'Exists'}`, []api.Taint{mine, second}, 70_001},
		{`{'key': 'k', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 60},
			{'key': 'l', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 20}`, []api.Taint{mine, second}, 30_001},
		{`{'key': 'k', 'operator': 'Exists'}, {'key': 'k', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 20}`, []api.Taint{mine}, 0},
		{``, []api.Taint{{Key: "k", Effect: api.NoSchedule}}, 0},
	} {
		w := newWorld(t, "a")
		w.pod("p", "a", tt.tolerations)
		w.At(10_000, func() { w.taints("a", tt.taints...) })
		w.Until(60_000)
		w.Until(1_000_000)
		var want []sim.Time
		if tt.want != 0 {
			want = []sim.Time{tt.want}
		}
		if got := w.when("Marking for deletion Pod default/p"); !slices.Equal(got, want) {
			t.Errorf("%s with %v: deleted at %v, want %v", tt.tolerations, tt.taints, got, want)
		}
		if gone := w.Pod("p") == nil; gone != (tt.want != 0) {
			t.Errorf("%s with %v: gone %t", tt.tolerations, tt.taints, gone)
		}
	}
	// the five minutes need no toleration in the spec.
	w := newWorld(t, "a", "b")
	w.pod("p", "a", "")
	w.At(12_000, func() { w.Must(w.kubelet.Kill("a")) })
	w.Until(1_000_000)
	if got, want := w.when("Marking for deletion Pod default/p"), []sim.Time{365_101}; !slices.Equal(got, want) {
		t.Errorf("the loss of its node drives it away at %v, want %v", got, want)
	}
}

// TestDisruptionTarget: the condition of an evicted pod (G-43), which never ends on a lost node (G-44).
func TestDisruptionTarget(t *testing.T) {
	w := newWorld(t, "a", "b")
	w.pod("p", "a", "")
	w.At(12_000, func() { w.Must(w.kubelet.Kill("a")) })
	w.Until(1_000_000)
	p := w.Pod("p")
	if p == nil || !p.Terminating() {
		t.Fatalf("the pod is %+v", p)
	}
	c := api.FindCondition(p.Status.Conditions, api.DisruptionTarget)
	if c == nil || c.Status != "True" || c.Reason != "DeletionByTaintManager" || c.Message != "Taint manager: deleting due to NoExecute taint" {
		t.Errorf("the condition is %+v", c)
	}
}

// TestCancel: removing the taint in time cancels the deletion (G-43), and so does the removal of the pod by someone else.
func TestCancel(t *testing.T) {
	w := newWorld(t, "a")
	patient := `{'key': 'k', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 60}`
	w.pod("p", "a", patient)
	w.pod("q", "a", patient)
	w.At(10_000, func() { w.taints("a", api.Taint{Key: "k", Effect: api.NoExecute}) })
	w.At(20_000, func() { w.Server.Store.Remove(cluster.Key(api.KindPod, "q"), sim.Record{Actor: "kubectl"}) })
	w.At(40_000, func() { w.taints("a") })
	w.Until(1_000_000)
	if got := w.when("Cancelling deletion of Pod default/p"); !slices.Equal(got, []sim.Time{40_001}) {
		t.Errorf("cancelled at %v", got)
	}
	if got := w.when("Cancelling deletion of Pod default/q"); !slices.Equal(got, []sim.Time{20_001}) {
		t.Errorf("cancelled at %v", got)
	}
	if p := w.Pod("p"); p == nil || p.Terminating() {
		t.Errorf("the pod is %+v", p)
	}
}

// TestMoreTaints: a taint that is added later does not shorten a running timer, unless it is not tolerated at all
// (processPodOnNode).
func TestMoreTaints(t *testing.T) {
	both := `{'key': 'k', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 60},
		{'key': 'l', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 5}`
	k, l, m := api.Taint{Key: "k", Effect: api.NoExecute}, api.Taint{Key: "l", Effect: api.NoExecute}, api.Taint{Key: "m", Effect: api.NoExecute}
	for _, tt := range []struct {
		later []api.Taint
		want  sim.Time
	}{{[]api.Taint{k, l}, 70_001}, {[]api.Taint{k, m}, 20_001}} {
		w := newWorld(t, "a")
		w.pod("p", "a", both)
		w.At(10_000, func() { w.taints("a", k) })
		w.At(20_000, func() { w.taints("a", tt.later...) })
		w.Until(1_000_000)
		if got := w.when("Marking for deletion Pod default/p"); !slices.Equal(got, []sim.Time{tt.want}) {
			t.Errorf("then %v: deleted at %v, want %d", tt.later, got, tt.want)
		}
	}
}

// TestNewcomer: a pod on a tainted node is handled when it is bound.
func TestNewcomer(t *testing.T) {
	w := newWorld(t, "a")
	w.At(1_000, func() { w.taints("a", api.Taint{Key: "k", Effect: api.NoExecute}) })
	w.At(10_000, func() {
		w.pod("p", "a", `{'key': 'k', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 7}`)
	})
	w.Until(1_000_000)
	if got, want := w.when("Marking for deletion Pod default/p"), []sim.Time{17_002}; !slices.Equal(got, want) {
		t.Errorf("deleted at %v, want %v", got, want)
	}
}

// TestOrphans: the pods of a removed node are deleted 40 s after the first search for such nodes, every 20 s
// (podgc/gc_controller.go:gcOrphaned); those of a node that came back in time stay.
func TestOrphans(t *testing.T) {
	for _, tt := range []struct{ removed, again, want sim.Time }{{15_000, 0, 60_000}, {20_000, 0, 80_000}, {25_000, 0, 80_000}, {25_000, 70_000, 0}} {
		w := newWorld(t, "a", "b")
		w.pod("p", "a", "")
		w.At(tt.removed, func() { w.Must(w.kubelet.Remove("a")) })
		if tt.again != 0 {
			w.At(tt.again, func() { w.register("a") })
		}
		w.Until(200_000)
		var want []sim.Time
		if tt.want != 0 {
			want = []sim.Time{tt.want}
		}
		if got := w.when("deleted: its node is gone"); !slices.Equal(got, want) {
			t.Errorf("removed at %d, there again at %d: pod deleted at %v, want %v", tt.removed, tt.again, got, want)
		}
		if tt.want == 0 && !w.Pod("p").IsReady() {
			t.Errorf("the new machine does not run the pod: %+v", w.Pod("p").Status)
		}
	}
}

// TestBoundToNobody: a pod that is bound to a node which does not exist is deleted like the pods of a removed one, 40 s after the next check of
// the collector, every 20 s.
func TestBoundToNobody(t *testing.T) {
	w := newWorld(t, "a")
	w.pod("p", "ghost", "")
	w.Until(1_000)
	w.Must(w.User.Bind(cluster.Key(api.KindPod, "p"), "ghost", "bound", nil))
	w.Until(200_000)
	if got := w.when("deleted: its node is gone"); !slices.Equal(got, []sim.Time{60_000}) {
		t.Errorf("deleted at %v", got)
	}
}

// TestReturn is G-46: terminating pods end, the others start again and are Ready; the taints are removed.
func TestReturn(t *testing.T) {
	w := newWorld(t, "a", "b")
	w.pod("evicted", "a", "")
	w.pod("patient", "a", `{'operator': 'Exists'}`)
	w.At(12_000, func() { w.Must(w.kubelet.Kill("a")) })
	w.At(500_000, func() { w.Must(w.kubelet.Restore("a")) })
	w.Until(499_999)
	if p := w.Pod("evicted"); !p.Terminating() || p.Status.ContainerStatuses[0].State.Kind != api.Running {
		t.Errorf("before: %+v", p)
	}
	w.Until(510_000)
	if p := w.Pod("evicted"); p != nil {
		t.Errorf("the evicted pod is still there: %+v", p)
	}
	p := w.Pod("patient")
	if c := p.Status.ContainerStatuses[0]; !p.IsReady() || c.RestartCount != 1 || c.LastState.ExitCode != 255 || c.LastState.Reason != "Unknown" {
		t.Errorf("the other one: %+v", p.Status)
	}
	if n := w.Node("a"); len(n.Spec.Taints) != 0 || api.FindCondition(n.Status.Conditions, "Ready").Status != "True" {
		t.Errorf("the node: %+v", n)
	}
	for text, want := range map[string]sim.Time{"taint removed node.kubernetes.io/unreachable:NoSchedule": 500_001,
		"taint removed " + unreachableNoExecute: 505_000, "NodeReady Node a status is now: NodeReady": 500_000} {
		if got := w.when(text); !slices.Equal(got, []sim.Time{want}) {
			t.Errorf("%s at %v, want %d", text, got, want)
		}
	}
}
