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

// TestTable measures in this process how long rollouts take in a real cluster, with upstream's limits of clients. The known milestones of ours, which
// only get fewer, are of 50 replicas: the first is available at 1503 to 2003 ms in reality, and the rollout is complete after 6803 to 7003, since
// requests that wait for tokens have no order. Without the guard against stale caches (H-9), 10 replicas would take 1906 ms and 50 7203. Of 14 on
// one node, two requests decide when the rollout is complete: the second write of a ReplicaSet's status after a conflict, and the size of a ReplicaSet.
// Ours was complete after 3703 ms before they waited for their tokens.
func TestTable(t *testing.T) {
	for _, row := range []struct {
		Rollout
		first, last int64 // ms from the change to the end
		known       Milestones
	}{
		{Rollout{"Deployment", 10, 3}, 1_700, 2_000, Milestones{}},
		{Rollout{"Deployment", 14, 1}, 3_700, 3_900, Milestones{}},
		{Rollout{"Deployment", 50, 3}, 6_600, 7_200, Milestones{2003, 3306, 6756}},
		{Rollout{"StatefulSet", 3, 1}, 6_400, 7_200, Milestones{}},
	} {
		real, ours := row.Runs(t)
		for i, m := range real {
			if m.Complete < row.first || m.Complete > row.last {
				t.Errorf("%s: real %s, want %d to %d", row, m, row.first, row.last)
			}
			if d := Compare(m, ours[i], row.known); d != "" {
				t.Errorf("%s: %s", row, d)
			}
		}
	}
}

// TestTeeth: a run is like itself, and one that is shifted is not.
func TestTeeth(t *testing.T) {
	real := Milestones{1304, 1910, 6734}
	if d := Compare(real, real, Milestones{}); d != "" {
		t.Error(d)
	}
	for _, m := range []Milestones{{1315, 1910, 6734}, {1304, 1899, 6734}, {1304, 1910, 6723}, {1304, 1910, 6745}, {1304, 0, 6734}, {}} {
		if Compare(real, m, Milestones{}) == "" {
			t.Errorf("not noticed: %s", m)
		}
	}
	known := Milestones{Complete: 5834}
	if d := Compare(real, Milestones{1304, 1910, 5834}, known); d != "" {
		t.Error(d)
	}
	for _, m := range []Milestones{{1304, 1910, 5835}, {1304, 1910, 5833}, {1304, 1810, 5834}, {1204, 1910, 5834}, {1304, 0, 5834}, {0, 1910, 5834}} {
		if Compare(real, m, known) == "" {
			t.Errorf("not noticed beside what is known: %s", m)
		}
	}
}
