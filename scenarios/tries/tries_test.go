package tries

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/scenarios"
)

// played is a try, played to its end.
func played(t *testing.T, exercise string, commands ...engine.Command) *engine.Run {
	t.Helper()
	run, diagnostics := engine.Start(engine.Recording{Scenario: scenarios.Text(exercise), Commands: commands})
	if run == nil {
		t.Fatalf("%s: %v", exercise, diagnostics)
	}
	return run.Finish()
}

// TestTries: a recorded solution meets all goals, a wrong try does not, and neither does somebody who does nothing. Each exercise has
// both tries, and their commands are carried out.
func TestTries(t *testing.T) {
	tried := map[string][2]int{}
	for _, try := range All() {
		run := played(t, try.Exercise, try.Commands...)
		if got := run.Solved(); got != try.Solves {
			t.Errorf("%s %v: solved %v, goals %v", try.Exercise, try.Commands, got, run.Goals(math.MaxInt64))
		}
		n := tried[try.Exercise]
		if try.Solves {
			n[0]++
			failed(t, run, try)
		} else {
			n[1]++
		}
		tried[try.Exercise] = n
	}
	exercises := 0
	for _, name := range scenarios.Names() {
		run := played(t, name)
		if len(run.Scenario().Goals) == 0 {
			continue
		}
		exercises++
		if run.Solved() {
			t.Errorf("%s solves itself", name)
		}
		if n := tried[name]; n[0] == 0 || n[1] < 4 {
			t.Errorf("%s has %d solutions and %d wrong tries, it needs one and four", name, n[0], n[1])
		}
	}
	if exercises != len(tried) || exercises < 10 {
		t.Errorf("%d exercises, tries of %d", exercises, len(tried))
	}
}

// failed complains about commands of a solution that were refused.
func failed(t *testing.T, run *engine.Run, try Try) {
	t.Helper()
	for i := range run.Len() {
		if r := run.Record(i); r.Kind == engine.Input && r.Failed && slices.ContainsFunc(try.Commands, func(c engine.Command) bool { return c.At == r.T }) {
			t.Errorf("%s: %s: %s", try.Exercise, r.Command, r.What)
		}
	}
}

// TestQuotaBefore: a quota that is raised before the release and lowered again while the new pods start does not stay as it is.
func TestQuotaBefore(t *testing.T) {
	const name = "fix-quota"
	_, objects, _ := strings.Cut(scenarios.Text(name), "\n---\n")
	objects = strings.NewReplacer(`pods: "8"`, `pods: "16"`, "maxSurge: 2", "maxSurge: 8").Replace(objects)
	run := played(t, name, engine.Command{At: 5000, Apply: objects}, engine.Command{At: 10_900, Run: `kubectl patch quota team -p '{"spec":{"hard":{"pods":"8"}}}'`})
	if goals := run.Goals(math.MaxInt64); goals[0] != engine.GoalMet || run.Solved() {
		t.Errorf("solved %v: %v", run.Solved(), goals)
	}
}

// TestGoalsGrow: a goal that is met or missed for good while the run is watched agrees with the end, and goals that must hold throughout
// are not met before it.
func TestGoalsGrow(t *testing.T) {
	for _, try := range All() {
		run := played(t, try.Exercise, try.Commands...)
		end := run.Goals(math.MaxInt64)
		for at := int64(0); at <= run.Now(); at += 1000 {
			for i, state := range run.Goals(at) {
				g := run.Scenario().Goals[i]
				throughout := g.Always || g.Commands >= 0 || g.Extra >= 0 || len(g.Without)+len(g.Max)+len(g.Min) > 0
				if throughout && state == engine.GoalMissed && end[i] != engine.GoalMissed || throughout && state == engine.GoalMet && at < run.Now() && g.To < 0 {
					t.Errorf("%s, goal %d at %d ms: %s, in the end %s", try.Exercise, i, at, state, end[i])
				}
			}
		}
	}
}

// TestCheapest: of all surges and unavailables from 0 to 4, those that pass the exercise cost least among those that keep its limits.
func TestCheapest(t *testing.T) {
	const name = "choose-surge"
	cheapest, passed := int64(math.MaxInt64), []string{}
	costs := map[string]int64{}
	for surge := range 5 {
		for unavailable := range 5 {
			pair := fmt.Sprintf("%d/%d", surge, unavailable)
			run := played(t, name, engine.Command{At: 10_000, Run: fmt.Sprintf(
				`patch deployment web -p '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":%d,"maxUnavailable":%d}}}}'`, surge, unavailable)})
			cost := extraOf(run)
			if states := run.Goals(math.MaxInt64); states[0] == engine.GoalMet && states[1] == engine.GoalMet && states[2] == engine.GoalMet {
				costs[pair] = cost
				cheapest = min(cheapest, cost)
			}
			if run.Solved() {
				passed = append(passed, pair)
			}
		}
	}
	for pair, cost := range costs {
		if (cost == cheapest) != slices.Contains(passed, pair) {
			t.Errorf("%s costs %d pod-ms, the cheapest %d, passed %v", pair, cost, cheapest, passed)
		}
	}
	if len(costs) < 2 || len(passed) == 0 || len(passed) == len(costs) {
		t.Errorf("no choice: %v keep the limits, %v pass", costs, passed)
	}
}

// extraOf recounts the extra pods from the pods themselves, not from frames.
func extraOf(run *engine.Run) (sum int64) {
	const begin, step = 20_000, 100
	for at := int64(begin); at < run.Now(); at += step {
		reading, _ := run.Past().Read(past.Parse("get pods --no-headers -o name"), run.Past().Find(at), at)
		sum += step * int64(max(0, len(reading.Lines)-10))
	}
	return sum
}
