package sweep_test

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

var update = flag.Bool("update", false, "rewrite the results in testdata/measured.txtar")

// TestMeasured compares grids, seeds and capacities with those in testdata/measured.txtar, of shipped scenarios and of the file's own.
func TestMeasured(t *testing.T) {
	own := map[string]string{}
	runs.Recorded(t, "testdata/measured.txtar", *update, func(name, text string) string {
		words := strings.Fields(name)
		if len(words) == 1 {
			own[name] = text
			return ""
		}
		if text = own[words[1]]; text == "" {
			text = scenarios.Text(words[1])
		}
		switch words[0] {
		case "grid":
			return gridTable(gridOf(t, text, words[2], words[3]))
		case "seeds":
			n, _ := strconv.Atoi(words[2])
			return seedsTable(t, planOf(t, text, ""), n)
		}
		return capacityTable(t, planOf(t, text, ""), words[2])
	})
}

// gridTable has a row for each cell: its bounds, whether it is the present one, on the front, or had other bounds, and its rollout.
func gridTable(g *sweep.Grid) string {
	var b strings.Builder
	for i := range g.Cells {
		c := &g.Cells[i]
		mark := ""
		for _, m := range []struct {
			set  bool
			name string
		}{{c.Current, " current"}, {c.Front, " front"}, {c.Other, " other"}} {
			if m.set {
				mark += m.name
			}
		}
		fmt.Fprintf(&b, "%s %s, %s %s = %d/%d%s: %s\n", g.X.Name, c.X, g.Y.Name, c.Y, c.Surge, c.Down, mark, outcome(&c.Outcome))
	}
	return b.String()
}

func outcome(o *sweep.Outcome) string {
	x := &o.Rollout
	if o.Problem != sweep.Fine {
		return fmt.Sprintf("%s: %s", o.Problem, o.Reason)
	}
	return fmt.Sprintf("%d..%d ms, lowest %d of %d, %d pods, %d of %d requests fail", x.Start, x.End, x.Lowest, x.LowestOf, x.PeakPods, x.Requests.Failed, x.Requests.All)
}

// seedsTable has how durations vary, the worst seed, and how the counts vary at five moments.
func seedsTable(t *testing.T, plan *sweep.Plan, n int) string {
	s, err := plan.NewSeeds(n)
	if err != nil {
		t.Fatal(err)
	}
	s.Watch()
	library := new(scenario.Library)
	for i := range s.Outcomes {
		s.Run(i, library)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "durations %+v, %d failed, the worst is seed %d: %s\n", s.Durations(), s.Failed(), s.Seed(s.Worst()),
		outcome(&s.Outcomes[s.Worst()]))
	for _, m := range s.Fan(5) {
		fmt.Fprintf(&b, "%d ms: available %v, total %v\n", m.At, m.Available, m.Total)
	}
	return b.String()
}

// capacityTable has what the rollout needs and finds, and the fewest nodes of a size.
func capacityTable(t *testing.T, plan *sweep.Plan, nodes string) string {
	c, err := plan.Capacity(alone, 5)
	if err != nil {
		return err.Error() + "\n"
	}
	size, err := sweep.ParseSize(nodes)
	if err != nil {
		t.Fatal(err)
	}
	f, err := plan.Fleet(alone, size, c.Free)
	if err != nil {
		t.Fatal(err)
	}
	with := "none"
	if f.Seeds != nil {
		with = outcome(&f.Seeds.Outcomes[f.Seeds.Worst()])
	}
	wait := c.Wait()
	return fmt.Sprintf("a pod requests %dm, %d bytes; %d beyond the desired pods; quota: %d pods, %dm, %d bytes\nfree: %s\nown: %s, with %d of 5 seeds a problem\n"+
		"%d slots, waits with %d at %d ms: %s\n%s: %d nodes, fast with %d: %s\nwith them: %s\n",
		c.CPU, c.Memory, c.Extra, c.Pods, c.PeakCPU, c.PeakMemory, outcome(&c.Free.Outcomes[c.Free.Worst()]), outcome(&c.Own.Outcomes[c.Own.Worst()]), c.Own.Failed(),
		c.Slots, c.Waiting(), wait.At, wait.For, size, f.Fewest, f.Fast, f.Reason, with)
}
