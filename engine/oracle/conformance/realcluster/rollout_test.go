package realcluster

import (
	"os"
	"testing"

	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
)

func TestMain(m *testing.M) {
	upstream.Quiet()
	os.Exit(m.Run())
}

// TestTable measures in this process how long rollouts take in a real cluster, with upstream's limits of clients. No milestone of ours may
// differ. Without the guard against stale caches (H-9), 10 replicas would take 1906 ms and 50 7203. Of 14 on one node, two requests decide when
// the rollout is complete: the second write of a ReplicaSet's status after a conflict, and the size of a ReplicaSet. Of 47 and 50, the order in which a controller's workers and its events take their tokens decides: the engine's were first
// available at 2003 ms when each sync took all its tokens before another one (H-7). Six on four nodes have no limit: the node that each pod is
// bound to, and the pods that are deleted first, decide. Of 34 on four nodes a pod of the new ReplicaSet and the status of the old one ask for
// one token in one ms, since two watches tell in it: 5203 ms without their order. Of 25 on three, which controller's request comes first.
// Of 49 on three, whether a pod that comes in the ms in which its image does finds it: all would be available 200 ms later.
func TestTable(t *testing.T) {
	for _, row := range []struct {
		Rollout
		first, last int64 // ms from the change to the end
	}{
		{Rollout{"Deployment", 6, 4}, 2_500, 2_900},
		{Rollout{"Deployment", 10, 3}, 1_700, 2_000},
		{Rollout{"Deployment", 14, 1}, 3_700, 3_900},
		{Rollout{"Deployment", 25, 3}, 3_800, 4_000},
		{Rollout{"Deployment", 34, 4}, 5_100, 5_200},
		{Rollout{"Deployment", 47, 3}, 6_300, 6_900},
		{Rollout{"Deployment", 49, 3}, 6_300, 7_300},
		{Rollout{"Deployment", 50, 3}, 6_600, 7_300},
		{Rollout{"StatefulSet", 3, 1}, 6_400, 7_200},
	} {
		t.Run(row.Rollout.String(), func(t *testing.T) {
			for _, run := range row.Runs(t) {
				if m := run.Real; m.Complete < row.first || m.Complete > row.last {
					t.Errorf("real %s, want %d to %d", m, row.first, row.last)
				}
				if run.Difference != "" {
					t.Error(run.Difference)
				}
			}
		})
	}
}

// TestKubeletLimit: the limit of a kubelet's client explains what differs of 60 pods on one node, but not another end of ours.
func TestKubeletLimit(t *testing.T) {
	for _, run := range (Rollout{"Deployment", 60, 1}).Runs(t) {
		if run.Difference == "" || run.Choice != KubeletLimit {
			t.Errorf("%s in reality, %s in ours: choice %q", run.Real, run.Ours, run.Choice)
		}
		other := run.Ours
		other.Complete += 10_000
		if run := compared(run.Real, other, func() Milestones { return run.Ours }); run.Difference == "" || run.Choice != "" {
			t.Errorf("%s in reality, %s in ours: difference %q, choice %q", run.Real, other, run.Difference, run.Choice)
		}
	}
}

// TestTeeth: a run is like itself, and one that is shifted is not.
func TestTeeth(t *testing.T) {
	real := Milestones{1304, 1910, 6734}
	if d := Compare(real, real); d != "" {
		t.Error(d)
	}
	for _, m := range []Milestones{{1315, 1910, 6734}, {1304, 1899, 6734}, {1304, 1910, 6723}, {1304, 1910, 6745}, {1304, 0, 6734}, {}} {
		if Compare(real, m) == "" {
			t.Errorf("not noticed: %s", m)
		}
	}
}
