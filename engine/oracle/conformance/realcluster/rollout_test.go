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
// the rollout is complete: the second write of a ReplicaSet's status after a conflict, and the size of a ReplicaSet. Of 47 and 50, the order in
// which a controller's workers and its events take their tokens decides: the engine's were first available at 2003 ms when each sync took all
// its tokens before another one (H-7). Six on four nodes have no limit: the node that each pod is bound to, and the pods that are deleted
// first, decide. Which of a controller's workers gets the last tokens is a matter of the machine: of 50 pods the real one needs 7103 ms on
// some and 7203 in two of three phases on others, and of 47 and 50 all are available 200 ms later at times. The rows say how much later it may be.
func TestTable(t *testing.T) {
	for _, row := range []struct {
		Rollout
		first, last int64 // ms from the change to the end
		later       int64 // ms by which a milestone of the real one may come after ours, in steps of 100
	}{
		{Rollout{"Deployment", 6, 4}, 2_500, 2_900, 0},
		{Rollout{"Deployment", 10, 3}, 1_700, 2_000, 0},
		{Rollout{"Deployment", 14, 1}, 3_700, 3_900, 0},
		{Rollout{"Deployment", 47, 3}, 6_300, 6_900, 200},
		{Rollout{"Deployment", 50, 3}, 6_600, 7_300, 200},
		{Rollout{"StatefulSet", 3, 1}, 6_400, 7_200, 0},
	} {
		real, ours := row.Runs(t)
		for i, m := range real {
			if m.Complete < row.first || m.Complete > row.last {
				t.Errorf("%s: real %s, want %d to %d", row.Rollout, m, row.first, row.last)
			}
			if d := Compare(sooner(m, ours[i], row.later), ours[i]); d != "" {
				t.Errorf("%s: %s", row.Rollout, d)
			}
		}
	}
}

// sooner takes back by how much milestones of the real run come later than ours, if that is a multiple of 100 ms and no more than is allowed.
func sooner(real, ours Milestones, most int64) Milestones {
	shift := func(real *int64, ours int64) {
		if late := *real - ours; late > 0 && late <= most && late%100 == 0 {
			*real = ours
		}
	}
	shift(&real.All, ours.All)
	shift(&real.Complete, ours.Complete)
	return real
}

// TestTeeth: a run is like itself, and one that is shifted is not.
func TestTeeth(t *testing.T) {
	real := Milestones{1304, 1910, 6734}
	if d := Compare(real, real); d != "" {
		t.Error(d)
	}
	if late := (Milestones{1304, 2110, 6834}); sooner(late, real, 200) != real || sooner(late, real, 100) == real || sooner(real, late, 200) != real {
		t.Error("a milestone that is later than allowed, or sooner, counts as equal")
	}
	for _, m := range []Milestones{{1315, 1910, 6734}, {1304, 1899, 6734}, {1304, 1910, 6723}, {1304, 1910, 6745}, {1304, 0, 6734}, {}} {
		if Compare(real, m) == "" {
			t.Errorf("not noticed: %s", m)
		}
	}
}
