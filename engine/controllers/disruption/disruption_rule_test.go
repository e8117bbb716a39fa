package disruption_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

func minAvailable(v *api.IntOrString) api.PodDisruptionBudgetSpec {
	return api.PodDisruptionBudgetSpec{MinAvailable: v}
}

func maxUnavailable(v *api.IntOrString) api.PodDisruptionBudgetSpec {
	return api.PodDisruptionBudgetSpec{MaxUnavailable: v}
}

// TestNumbers is the table of P-8, and more rows for P-3 to P-6: expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed.
func TestNumbers(t *testing.T) {
	seven := func(w *world) { w.pods(w.deployment("web", 7), "web", 7, true) }
	tests := []struct {
		name  string
		spec  api.PodDisruptionBudgetSpec
		setup func(w *world)
		want  [4]int32
	}{
		{"P-8 min 50 %", minAvailable(api.Str("50%")), seven, [4]int32{7, 7, 4, 3}},
		{"P-8 max 30 %", maxUnavailable(api.Str("30%")), seven, [4]int32{7, 7, 4, 3}},
		{"P-8 max 1", maxUnavailable(api.Int(1)), seven, [4]int32{7, 7, 6, 1}},
		{"P-8 min 0", minAvailable(api.Int(0)), seven, [4]int32{7, 7, 0, 7}},
		{"P-8 min 100 %", minAvailable(api.Str("100%")), seven, [4]int32{7, 7, 7, 0}},
		{"P-8 max 0", maxUnavailable(api.Int(0)), seven, [4]int32{7, 7, 7, 0}},
		{"P-8 min 9", minAvailable(api.Int(9)), seven, [4]int32{7, 7, 9, 0}},
		{"P-8 min 2 of 3", minAvailable(api.Int(2)), func(w *world) { w.pods(w.deployment("web", 3), "web", 3, true) }, [4]int32{3, 3, 2, 1}},
		{"P-1 no bound allows nothing", api.PodDisruptionBudgetSpec{}, seven, [4]int32{0, 7, 0, 0}},
		{"P-4 max above all", maxUnavailable(api.Int(12)), seven, [4]int32{7, 7, 0, 7}},
		{"P-2 no pods", minAvailable(api.Int(2)), func(*world) {}, [4]int32{0, 0, 2, 0}},
		{"P-3 a surge counts for a number", minAvailable(api.Int(6)), func(w *world) {
			w.pods(w.deployment("web", 6), "web", 8, true)
		}, [4]int32{8, 8, 6, 2}},
		{"P-3 a surge does not count for a percentage", maxUnavailable(api.Str("50%")), func(w *world) {
			w.pods(w.deployment("web", 6), "web", 8, true)
		}, [4]int32{6, 8, 3, 5}},
		{"P-3 two ReplicaSets of one Deployment", maxUnavailable(api.Int(1)), func(w *world) {
			d := w.owner(api.KindDeployment, "web", 5, nil)
			w.pods(w.owner(api.KindReplicaSet, "web-1", 3, d), "old", 3, true)
			w.pods(w.owner(api.KindReplicaSet, "web-2", 3, d), "new", 3, true)
		}, [4]int32{5, 6, 4, 2}},
		{"P-3 two controllers", maxUnavailable(api.Int(1)), func(w *world) {
			w.pods(w.owner(api.KindReplicaSet, "rs", 2, nil), "rs", 2, true)
			w.pods(w.owner(api.KindStatefulSet, "db", 3, nil), "db", 3, true)
		}, [4]int32{5, 5, 4, 1}},
		{"P-3 a ReplicaSet whose Deployment is gone", maxUnavailable(api.Int(1)), func(w *world) {
			gone := &api.OwnerReference{Kind: api.KindDeployment, Name: "gone", UID: "gone", Controller: true}
			w.pods(w.owner(api.KindReplicaSet, "rs", 4, gone), "rs", 4, true)
		}, [4]int32{4, 4, 3, 1}},
		{"P-5 who is healthy", minAvailable(api.Int(1)), func(w *world) {
			rs := w.deployment("web", 3)
			w.pods(rs, "ready", 3, true)
			w.pods(rs, "unready", 2, false)
			w.Must(w.User.Evict(podKey("ready-0"), evictOptions))
		}, [4]int32{5, 2, 1, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			tt.setup(w)
			w.budget("web", tt.spec)
			w.settle()
			b := w.get("web")
			if got := numbers(b); got != tt.want {
				t.Errorf("expected, healthy, desired, allowed are %v, want %v", got, tt.want)
			}
			want := api.Condition{Type: "DisruptionAllowed", Status: "False", Reason: "InsufficientPods", LastTransitionTime: api.TimeAt(0)}
			if tt.want[3] > 0 {
				want.Status, want.Reason = "True", "SufficientPods"
			}
			if !slices.Equal(b.Status.Conditions, []api.Condition{want}) || b.Status.ObservedGeneration != 1 {
				t.Errorf("conditions %+v, observedGeneration %d", b.Status.Conditions, b.Status.ObservedGeneration)
			}
		})
	}
}

// TestExplained: the reconcile has the sum of desiredHealthy, and its write that of disruptionsAllowed (P-4, P-6).
func TestExplained(t *testing.T) {
	w := newWorld(t)
	w.pods(w.deployment("web", 7), "web", 7, true)
	w.budget("web", maxUnavailable(api.Str("30%")))
	w.settle()
	var sums []string
	for _, r := range w.Kernel.Trace.Records {
		if r.Object.Kind == api.KindPodDisruptionBudget && r.Why != nil {
			sums = append(sums, r.Why.Rule+" "+r.Why.String())
		}
	}
	want := []string{"P-4 4 = max(0, 7 expectedPods - 3 maxUnavailable)", "P-6 3 = max(0, 7 currentHealthy - 4 desiredHealthy)"}
	if len(sums) < 2 || !slices.Equal(sums[:2], want) {
		t.Errorf("sums %q, want %q first", sums, want)
	}
}

// TestEvents: the events for budgets without pods, pods without a controller, pods that cannot be counted, and pods with several
// budgets (P-2, P-3, P-10).
func TestEvents(t *testing.T) {
	t.Run("NoPods", func(t *testing.T) {
		w := newWorld(t)
		w.budget("web", minAvailable(api.Int(1)))
		w.settle()
		if got := w.events(budgetKey("web")); len(got) == 0 || got[0] != "Normal NoPods No matching pods found" {
			t.Errorf("events %q", got)
		}
	})
	t.Run("UnmanagedPods", func(t *testing.T) {
		w := newWorld(t)
		w.pods(nil, "lone", 2, true)
		w.pods(w.deployment("web", 3), "web", 3, true)
		w.budget("web", maxUnavailable(api.Int(1)))
		w.settle()
		got := w.events(budgetKey("web"))
		const want = "Warning UnmanagedPods Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: web,}," +
			"MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated " +
			"correctly, which may result in undefined behavior. To account for these pods please set \".spec.minAvailable\" field of the PDB to an integer value."
		if len(got) == 0 || got[0] != want {
			t.Errorf("events %q", got)
		}
		if n := numbers(w.get("web")); n != [4]int32{3, 5, 2, 3} {
			t.Errorf("numbers %v", n)
		}
	})
	t.Run("DaemonSet", func(t *testing.T) {
		w := newWorld(t)
		w.pods(w.owner(api.KindDaemonSet, "agent", 0, nil), "agent", 2, true)
		w.budget("web", maxUnavailable(api.Int(1)))
		w.settle()
		const failure = "daemonsets.apps does not implement the scale subresource"
		got := w.events(budgetKey("web"))
		if len(got) == 0 || got[0] != "Warning CalculateExpectedPodCountFailed Failed to calculate the number of expected pods: "+failure {
			t.Errorf("events %q", got)
		}
		c := api.FindCondition(w.get("web").Status.Conditions, "DisruptionAllowed")
		if c == nil || c.Status != "False" || c.Reason != "SyncFailed" || c.Message != failure {
			t.Errorf("condition %+v", c)
		}
		if o := w.get("web").Status.ObservedGeneration; o != 0 {
			t.Errorf("a failed sync has observed generation %d", o)
		}
	})
	for _, kind := range []api.Kind{api.KindReplicaSet, api.KindStatefulSet} {
		t.Run("no "+string(kind), func(t *testing.T) {
			w := newWorld(t)
			w.pods(&api.OwnerReference{Kind: kind, Name: "gone", UID: "gone", Controller: true}, "web", 1, true)
			w.budget("web", maxUnavailable(api.Int(1)))
			w.settle()
			got := w.events(budgetKey("web"))
			if len(got) == 0 || !strings.HasSuffix(got[0], `found no controllers for pod "web-0"`) {
				t.Errorf("events %q", got)
			}
		})
	}
	t.Run("MultiplePodDisruptionBudgets", func(t *testing.T) {
		w := newWorld(t)
		w.budget("first", minAvailable(api.Int(1)))
		w.budget("second", minAvailable(api.Int(1)))
		w.settle()
		w.pods(w.deployment("web", 1), "web", 1, true)
		w.settle()
		got := w.events(podKey("web-0"))
		const want = `Warning MultiplePodDisruptionBudgets Pod "default"/"web-0" matches multiple PodDisruptionBudgets.  Chose "first" arbitrarily.`
		if len(got) == 0 || got[0] != want {
			t.Errorf("events %q, want %q", got, want)
		}
		if first, second := numbers(w.get("first")), numbers(w.get("second")); first != [4]int32{1, 1, 1, 0} || second != [4]int32{0, 0, 1, 0} {
			t.Errorf("the first has %v, the second, which is not woken, %v", first, second)
		}
	})
}

// TestFailSafe: a failed sync allows nothing and leaves the other numbers; the next successful one allows disruptions again (P-7).
func TestFailSafe(t *testing.T) {
	w := newWorld(t)
	w.pods(w.deployment("web", 4), "web", 4, true)
	w.budget("web", maxUnavailable(api.Int(1)))
	w.settle()
	w.pods(w.owner(api.KindDaemonSet, "agent", 0, nil), "agent", 1, true)
	w.settle()
	if n := numbers(w.get("web")); n != [4]int32{4, 4, 3, 0} {
		t.Errorf("after the failure: %v", n)
	}
	w.End(podKey("agent-0"))
	w.settle()
	if n := numbers(w.get("web")); n != [4]int32{4, 4, 3, 1} {
		t.Errorf("when the pod is gone: %v", n)
	}
}

// TestWakeUps: pods and budgets wake the controller, the replicas of a Deployment do not.
func TestWakeUps(t *testing.T) {
	w := newWorld(t)
	w.pods(w.deployment("web", 4), "web", 4, true)
	w.budget("web", maxUnavailable(api.Int(1)))
	w.settle()
	d := api.Copy(w.Server.Store.Get(cluster.Key(api.KindDeployment, "web")).(*api.Deployment))
	d.Spec.Replicas = api.Ptr[int32](8)
	w.Update(d)
	w.settle()
	if n := numbers(w.get("web")); n != [4]int32{4, 4, 3, 1} {
		t.Errorf("the scale woke the controller: %v", n)
	}
	w.SetPhase("web-0", api.PodRunning, false)
	w.settle()
	if n := numbers(w.get("web")); n != [4]int32{8, 3, 7, 0} {
		t.Errorf("a pod did not wake the controller: %v", n)
	}
	b := api.Copy(w.get("web"))
	b.Spec.MaxUnavailable = api.Int(6)
	w.Update(b)
	w.settle()
	if b = w.get("web"); numbers(b) != [4]int32{8, 3, 2, 1} || b.Generation != 2 || b.Status.ObservedGeneration != 2 {
		t.Errorf("the budget did not wake the controller: %v, generation %d, observed %d", numbers(b), b.Generation, b.Status.ObservedGeneration)
	}
	before := len(w.Server.Store.Log)
	w.SetPhase("web-1", api.PodRunning, true)
	w.settle()
	if n := len(w.Server.Store.Log) - before; n != 0 {
		t.Errorf("%d writes although nothing has changed", n)
	}
}

// TestNothingChanged: a sync that finds the numbers as they are sends no request (P-6).
func TestNothingChanged(t *testing.T) {
	w := newWorld(t)
	w.pods(w.deployment("web", 4), "web", 4, true)
	w.budget("web", maxUnavailable(api.Int(1)))
	w.settle()
	pod := api.Copy(w.Pod("web-0"))
	pod.SetAnnotation("a", "b")
	w.Update(pod)
	w.settle()
	syncs := w.Records(func(r *sim.Record) bool { return r.Kind == sim.Reconcile && r.Object == budgetKey("web") })
	if last := syncs[len(syncs)-1]; !strings.HasSuffix(last.What, "changes nothing: the status is up to date") {
		t.Errorf("the last sync %s", last.What)
	}
}

// TestConflict: a status computed from an old version of the budget is rejected, and computed again 5 ms later; it isn't a
// failure that makes the budget allow nothing (P-7, H-5).
func TestConflict(t *testing.T) {
	w := newWorld(t)
	w.pods(w.deployment("web", 3), "web", 3, true)
	w.budget("web", minAvailable(api.Int(1)))
	w.settle()
	at := w.Kernel.Now() + sim.WatchLatency
	w.At(at, func() {
		b := api.Copy(w.get("web"))
		b.Meta().SetAnnotation("a", "b")
		w.Update(b)
	}) // in the ms of the sync, before it
	w.SetPhase("web-0", api.PodRunning, false)
	w.Until(at)
	last := w.Kernel.Trace.Records[len(w.Kernel.Trace.Records)-2]
	if b := w.get("web"); last.Kind != sim.Reconcile || !last.Failed || numbers(b) != [4]int32{3, 3, 1, 2} {
		t.Errorf("after the conflict: %v %t, numbers %v", last.Kind, last.Failed, numbers(b))
	}
	w.Until(at + 5)
	if n := numbers(w.get("web")); n != [4]int32{3, 2, 1, 1} {
		t.Errorf("5 ms later: %v", n)
	}
}

// TestDisruptedPods: an evicted pod that is not deleted counts as healthy again after two minutes, with an event (P-9).
func TestDisruptedPods(t *testing.T) {
	w := newWorld(t)
	w.pods(w.deployment("web", 3), "web", 3, true)
	w.budget("web", minAvailable(api.Int(2)))
	w.settle()
	w.Until(10_300)
	b := api.Copy(w.get("web"))
	b.Status.DisruptedPods = map[string]api.Time{"web-1": api.TimeAt(10_300), "nobody": api.TimeAt(10_300)}
	w.UpdateStatus(b)
	w.settle()
	if b = w.get("web"); numbers(b) != [4]int32{3, 2, 2, 0} || len(b.Status.DisruptedPods) != 1 {
		t.Errorf("numbers %v, disrupted %v", numbers(b), b.Status.DisruptedPods)
	}
	w.Until(130_004)
	if b = w.get("web"); b.Status.DisruptionsAllowed != 0 {
		t.Errorf("the pod is given up too early")
	}
	w.Until(130_006)
	if b = w.get("web"); numbers(b) != [4]int32{3, 3, 2, 1} || len(b.Status.DisruptedPods) != 0 {
		t.Errorf("after two minutes: numbers %v, disrupted %v", numbers(b), b.Status.DisruptedPods)
	}
	const want = "Warning NotDeleted Pod was expected by PDB default/default to be deleted but it wasn't"
	if got := w.events(podKey("web-1")); len(got) != 1 || got[0] != want {
		t.Errorf("events %q", got)
	}
}

// TestDisruptedPodsInTime: of three evicted pods the one evicted first is due first. Two minutes after its eviction, to the ms, it
// counts as healthy, and is given up a ms later at the earliest (P-5, P-9).
func TestDisruptedPodsInTime(t *testing.T) {
	w := newWorld(t)
	w.pods(w.deployment("web", 4), "web", 4, true)
	w.budget("web", minAvailable(api.Int(2)))
	w.Until(20_000)
	b := api.Copy(w.get("web"))
	b.Status.DisruptedPods = map[string]api.Time{"web-0": api.TimeAt(20_000), "web-1": api.TimeAt(10_000), "web-2": api.TimeAt(15_000)}
	w.UpdateStatus(b)
	w.At(130_000-sim.WatchLatency, func() { w.SetPhase("web-3", api.PodRunning, false) })
	for _, tt := range []struct {
		at            sim.Time
		healthy, left int
	}{{129_999, 1, 3}, {130_000, 1, 3}, {130_006, 1, 2}, {135_006, 2, 1}, {140_006, 3, 0}} {
		w.Until(tt.at)
		if b = w.get("web"); int(b.Status.CurrentHealthy) != tt.healthy || len(b.Status.DisruptedPods) != tt.left {
			t.Errorf("at %d ms: %d healthy, %d disrupted; want %d and %d", tt.at, b.Status.CurrentHealthy, len(b.Status.DisruptedPods), tt.healthy, tt.left)
		}
	}
}

// TestStalePodDisruption: the DisruptionTarget of a pod that still exists becomes False after two minutes. The kubelet's own
// condition stays.
func TestStalePodDisruption(t *testing.T) {
	w := newWorld(t)
	w.pods(nil, "lone", 2, true)
	for name, reason := range map[string]string{"lone-0": "DeletionByTaintManager", "lone-1": "TerminationByKubelet"} {
		pod := api.Copy(w.Pod(name))
		pod.Status.Conditions = append(pod.Status.Conditions, api.Condition{Type: "DisruptionTarget", Status: "True", Reason: reason, LastTransitionTime: api.TimeAt(0)})
		w.UpdateStatus(pod)
	}
	w.Until(119_999)
	if c := api.FindCondition(w.Pod("lone-0").Status.Conditions, "DisruptionTarget"); c.Status != "True" {
		t.Errorf("too early: %+v", c)
	}
	w.Until(121_000)
	if c := api.FindCondition(w.Pod("lone-0").Status.Conditions, "DisruptionTarget"); c.Status != "False" || c.Reason != "" {
		t.Errorf("it is stale: %+v", c)
	}
	if c := api.FindCondition(w.Pod("lone-1").Status.Conditions, "DisruptionTarget"); c.Status != "True" {
		t.Errorf("the kubelet's: %+v", c)
	}
}
