package nodelife_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestWhenANodeIsLost is G-40 and G-41: the first check, every 5 s, later than 50 s after the last renewal of the lease, every 10 s
// since the registration.
func TestWhenANodeIsLost(t *testing.T) {
	for _, tt := range []struct{ registered, dies, unknown sim.Time }{
		{0, 1, 55_000}, // renewed at 0
		{0, 9_999, 55_000},
		{0, 10_000, 55_000}, // the renewal of this ms no longer takes place
		{0, 10_001, 65_000},
		{0, 58_000, 105_000},
		{3_000, 22_999, 65_000}, // renewed at 3 and 13
		{3_000, 23_001, 75_000},
		{4_999, 20_000, 65_000},
	} {
		w := newWorld(t, "other")
		if tt.registered == 0 {
			w.register("a")
		} else {
			w.At(tt.registered, func() { w.register("a") })
		}
		w.At(tt.dies, func() { w.Must(w.kubelet.Kill("a")) })
		w.Until(600_000)
		if got := w.when("is silent"); !slices.Equal(got, []sim.Time{tt.unknown}) {
			t.Errorf("registered at %d, dead at %d: Unknown at %v, want %d", tt.registered, tt.dies, got, tt.unknown)
		}
	}
}

// TestLostOneAfterTheOther: the check at which one node is noticed is too early for one whose lease expires in that very ms (G-41).
func TestLostOneAfterTheOther(t *testing.T) {
	w := newWorld(t, "a", "other")
	w.At(5_000, func() { w.register("b") })
	w.At(5_001, func() { w.Must(w.kubelet.Kill("b")) })
	w.At(10_001, func() { w.Must(w.kubelet.Kill("a")) })
	w.Until(600_000)
	if got, want := w.when("is silent"), []sim.Time{60_000, 65_000}; !slices.Equal(got, want) {
		t.Errorf("Unknown at %v, want %v", got, want)
	}
}

// TestNothingTicks: while all nodes live, nothing is scheduled.
func TestNothingTicks(t *testing.T) {
	w := newWorld(t, "a", "b")
	w.pod("p", "a", "")
	w.Until(10_000)
	if n := w.Kernel.Pending(); n != 0 {
		t.Errorf("%d events are planned", n)
	}
	w.At(20_000, func() { w.Must(w.kubelet.Kill("a")) })
	w.Until(1_000_000)
	if n := w.Kernel.Pending(); n != 0 {
		t.Errorf("%d events are planned after the pod was evicted", n)
	}
}

// TestBackInTime: a node that is back before its lease expires is never lost.
func TestBackInTime(t *testing.T) {
	w := newWorld(t, "a", "b")
	w.At(12_000, func() { w.Must(w.kubelet.Kill("a")) })
	w.At(59_000, func() { w.Must(w.kubelet.Restore("a")) })
	w.Until(600_000)
	if got := w.when("is silent"); got != nil {
		t.Errorf("it was Unknown at %v", got)
	}
}

// TestPace is G-41 and G-45: how fast the lost nodes of a zone get the taint that evicts their pods. All die at 12 s,
// so that they are Unknown from 65 s on.
func TestPace(t *testing.T) {
	for _, tt := range []struct {
		name        string
		nodes, lost []string
		want        []sim.Time
		slow        bool // it says that too much of the zone is lost
	}{
		{"one of three", names(3, "a"), names(1, "a"), []sim.Time{65_100}, false},
		{"a lone node", names(1, "a"), names(1, "a"), nil, false},
		{"all of them", names(5, "a"), names(5, "a"), nil, false},
		{"two of three are few enough", names(3, "a"), names(2, "a"), []sim.Time{65_100, 75_100}, false},
		{"three of six are less than 55 %", names(6, "a"), names(3, "a"), []sim.Time{65_100, 75_100, 85_100}, false},
		{"three of five are too many", names(5, "a"), names(3, "a"), nil, true},
		{"eleven of twenty are 55 %", names(20, "a"), names(11, "a"), nil, true},
		{"a large zone continues slowly", names(51, "a"), names(29, "a"), slowly(29), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, tt.nodes...)
			w.At(12_000, func() {
				for _, n := range tt.lost {
					w.Must(w.kubelet.Kill(n))
				}
			})
			w.Until(4_000_000)
			if got := w.when("tainted " + unreachableNoExecute); !slices.Equal(got, tt.want) {
				t.Errorf("tainted at %v, want %v", got, tt.want)
			}
			if slow := len(w.when("too much of its zone is lost")) > 0; slow != tt.slow {
				t.Errorf("it says that the zone is slow: %t", slow)
			}
			for _, n := range tt.lost {
				if !has(w.Node(n), "node.kubernetes.io/unreachable:NoSchedule") {
					t.Errorf("%s is open for new pods", n)
				}
			}
		})
	}
}

// slowly returns the times of n taints at 0.01 a second.
func slowly(n int) (list []sim.Time) {
	for i := range n {
		list = append(list, 65_100+sim.Time(i)*100_000)
	}
	return list
}

// TestZones: a zone that is lost completely is evicted at the normal pace while another one lives; each zone has its own queue
// (G-45).
func TestZones(t *testing.T) {
	w := newWorld(t, "a1@a", "a2@a", "b1@b", "b2@b", "c1@c")
	w.At(12_000, func() {
		for _, n := range []string{"a1", "a2", "b1"} {
			w.Must(w.kubelet.Kill(n))
		}
	})
	w.Until(600_000)
	if got, want := w.when("tainted "+unreachableNoExecute), []sim.Time{65_100, 65_100, 75_100}; !slices.Equal(got, want) {
		t.Errorf("tainted at %v, want %v", got, want)
	}
}

// TestMasterDisruption: when the last node is lost, the taints that evict pods are removed, which cancels the evictions; when one
// returns, the others are tainted again (G-45).
func TestMasterDisruption(t *testing.T) {
	w := newWorld(t, "a", "b")
	w.pod("p", "a", "")
	w.At(12_000, func() { w.Must(w.kubelet.Kill("a")) })
	w.At(72_000, func() { w.Must(w.kubelet.Kill("b")) })
	w.At(200_000, func() { w.Must(w.kubelet.Restore("b")) })
	w.Until(124_000)
	if !has(w.Node("a"), unreachableNoExecute) {
		t.Errorf("a has %v while b lives", w.Node("a").Spec.Taints)
	}
	w.Until(180_000)
	if has(w.Node("a"), unreachableNoExecute) || has(w.Node("b"), unreachableNoExecute) {
		t.Errorf("all are lost, and a has %v, b %v", w.Node("a").Spec.Taints, w.Node("b").Spec.Taints)
	}
	if got, want := w.when("Cancelling deletion of Pod default/p"), []sim.Time{125_001}; !slices.Equal(got, want) {
		t.Errorf("the eviction was cancelled at %v, want %v", got, want)
	}
	w.Until(400_000)
	if got, want := w.when("tainted "+unreachableNoExecute), []sim.Time{65_100, 215_000}; !slices.Equal(got, want) {
		t.Errorf("tainted at %v, want %v", got, want)
	}
	if len(w.Node("b").Spec.Taints) > 0 {
		t.Errorf("b is back and has %v", w.Node("b").Spec.Taints)
	}
}

// TestCordonTaint is P-23: the taint follows from spec.unschedulable and is removed with it. It evicts no pod.
func TestCordonTaint(t *testing.T) {
	w := newWorld(t, "a")
	w.pod("p", "a", "")
	cordon := func(on bool) {
		w.EditNode("a", func(n *api.Node) { n.Spec.Unschedulable = on })
	}
	w.At(1_000, func() { cordon(true) })
	w.Until(2_000)
	if n := w.Node("a"); !has(n, "node.kubernetes.io/unschedulable:NoSchedule") || len(n.Spec.Taints) != 1 {
		t.Errorf("cordoned: %v", n.Spec.Taints)
	}
	if why := w.Records(func(r *sim.Record) bool { return r.Kind == sim.Write && strings.Contains(r.What, "unschedulable") })[0].Why; why.Rule != "P-23" {
		t.Errorf("explained by %s: %s", why.Rule, why.Note)
	}
	w.At(3_000, func() { cordon(false) })
	w.Until(400_000)
	if n := w.Node("a"); len(n.Spec.Taints) != 0 {
		t.Errorf("uncordoned: %v", n.Spec.Taints)
	}
	if p := w.Pod("p"); p == nil || p.Terminating() || !p.IsReady() {
		t.Errorf("the pod is %+v", p)
	}
}

// TestNodesComeAndGo: the events about added and deleted nodes, at the next check.
func TestNodesComeAndGo(t *testing.T) {
	w := newWorld(t, "a")
	w.At(1_000, func() { w.register("b") })
	w.At(11_000, func() {
		w.Must(w.kubelet.Remove("b"))
	})
	w.Until(100_000)
	if got := w.when("Node b event: Registered Node b in Controller"); !slices.Equal(got, []sim.Time{5_000}) {
		t.Errorf("registered at %v", got)
	}
	if got := w.when("Node b event: Removing Node b from Controller"); !slices.Equal(got, []sim.Time{15_000}) {
		t.Errorf("removed at %v", got)
	}
	if got := w.when("Node a event"); got != nil {
		t.Errorf("a, which was there from the beginning, has events at %v", got)
	}
}

// TestConditions: the conditions of a lost node (G-41) and of its pods (G-42).
func TestConditions(t *testing.T) {
	w := newWorld(t, "a", "b")
	w.pod("p", "a", "")
	w.At(12_000, func() { w.Must(w.kubelet.Kill("a")) })
	w.Until(70_000)
	for _, kind := range []string{"Ready", "MemoryPressure", "DiskPressure", "PIDPressure"} {
		c := api.FindCondition(w.Node("a").Status.Conditions, kind)
		if c == nil || c.Status != "Unknown" || c.Reason != "NodeStatusUnknown" || c.Message != "Kubelet stopped posting node status." || c.LastTransitionTime.Milli() != 65_000 {
			t.Errorf("%s: %+v", kind, c)
		}
	}
	p := w.Pod("p")
	if c := api.FindCondition(p.Status.Conditions, "Ready"); c.Status != "False" || c.LastTransitionTime.Milli() != 65_000 {
		t.Errorf("the pod's Ready is %+v", c)
	}
	if c := api.FindCondition(p.Status.Conditions, "ContainersReady"); c.Status != "True" || !p.Status.ContainerStatuses[0].Ready {
		t.Errorf("what its containers reported last has changed: %+v", p.Status)
	}
	for _, text := range []string{"NodeNotReady Node a status is now: NodeNotReady", "NodeNotReady Node is not ready"} {
		if got := w.when(text); !slices.Equal(got, []sim.Time{65_000}) {
			t.Errorf("%q at %v", text, got)
		}
	}
}
