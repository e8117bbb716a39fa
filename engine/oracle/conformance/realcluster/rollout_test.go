package realcluster

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
)

func TestMain(m *testing.M) {
	upstream.Quiet()
	os.Exit(m.Run())
}

// TestTable measures in this process how long rollouts take in a real cluster, with upstream's limits of clients. testdata/known.txt lists
// the rollouts in which ours lies outside of what the real runs span, or at its edge: what the real programs do in one millisecond has no
// order, so that some of their runs are near enough. The list only shrinks.
func TestTable(t *testing.T) {
	known, err := os.ReadFile("testdata/known.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		Rollout
		first, last int64 // ms from the change to the end
	}{
		{Rollout{"Deployment", 10, 3}, 1_900, 2_700},
		{Rollout{"Deployment", 50, 3}, 6_900, 8_200},
		{Rollout{"StatefulSet", 3, 1}, 6_300, 7_400},
	} {
		real, ours := row.Runs(t), row.Ours()
		for _, m := range real {
			if m.Complete < row.first || m.Complete > row.last {
				t.Errorf("%s: real %s, want %d to %d", row, m, row.first, row.last)
			}
		}
		if d := Compare(real, ours); d != "" {
			t.Logf("%s: %s", row, d)
			if !slices.Contains(strings.Split(string(known), "\n"), row.String()) {
				t.Error("testdata/known.txt does not list it")
			}
		}
	}
}

// TestTeeth: a real run is like the real runs, and one that is shifted is not.
func TestTeeth(t *testing.T) {
	real := []Milestones{{1304, 1910, 6434}, {1304, 1910, 6734}, {1304, 1910, 7134}}
	if d := Compare(real, real[1]); d != "" {
		t.Error(d)
	}
	for _, m := range []Milestones{{1404, 1910, 6734}, {1304, 1810, 6734}, {1304, 1910, 4931}, {1304, 1910, 7634}, {1304, 0, 6734}, {}} {
		if Compare(real, m) == "" {
			t.Errorf("not noticed: %s", m)
		}
	}
}
