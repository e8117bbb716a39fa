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

// TestTable measures in this process how long rollouts take in a real cluster, with upstream's limits of clients. The known milestones of
// ours, which only get fewer, lie outside of what some three real runs span: what the real programs do in one millisecond has no order. In 27
// real runs 10 replicas were complete after 1956 to 2606 ms; of 50 the first was available at 1603 to 2153, all at 3403 to 4103, and they
// were complete after 7603 to 7803. The clients of our scheduler, kubelets and garbage collector have no limits.
func TestTable(t *testing.T) {
	for _, row := range []struct {
		Rollout
		first, last int64 // ms from the change to the end
		known       Milestones
	}{
		{Rollout{"Deployment", 10, 3}, 1_900, 2_700, Milestones{Complete: 1906}},
		{Rollout{"Deployment", 50, 3}, 6_900, 8_200, Milestones{2003, 3306, 7203}},
		{Rollout{"StatefulSet", 3, 1}, 6_300, 7_400, Milestones{}},
	} {
		real, ours := row.Runs(t), row.Ours()
		for _, m := range real {
			if m.Complete < row.first || m.Complete > row.last {
				t.Errorf("%s: real %s, want %d to %d", row, m, row.first, row.last)
			}
		}
		if d := Compare(real, ours, row.known); d != "" {
			t.Errorf("%s: %s", row, d)
		}
	}
}

// TestTeeth: a real run is like the real runs, and one that is shifted is not.
func TestTeeth(t *testing.T) {
	real := []Milestones{{1304, 1910, 6434}, {1304, 1910, 6734}, {1304, 1910, 7134}}
	if d := Compare(real, real[1], Milestones{}); d != "" {
		t.Error(d)
	}
	for _, m := range []Milestones{{1404, 1910, 6734}, {1304, 1810, 6734}, {1304, 1910, 4931}, {1304, 1910, 7634}, {1304, 0, 6734}, {}} {
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
