package sweep_test

import (
	"reflect"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// TestElsewhere: cells and seeds that were run elsewhere are those that are run here, of every lesson that has a workload, with axes
// that its kind has.
func TestElsewhere(t *testing.T) {
	problems := map[sweep.Problem]bool{}
	for _, name := range scenarios.Names() {
		plan, _, err := sweep.NewPlan(new(scenario.Library), engine.Recording{Scenario: scenarios.Text(name)}, "")
		if err != nil {
			continue
		}
		x, _ := sweep.ParseAxis("maxUnavailable=0,1,50%")
		y, _ := sweep.ParseAxis("maxSurge=0,25%")
		if _, err := plan.Outline(x, y); err != nil {
			y, _ = sweep.ParseAxis("minReadySeconds=0,30")
		}
		here, err := plan.NewGrid(new(scenario.Library), x, y)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		there, err := plan.Outline(x, y)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		hand := handOf(t, there.Task())
		library := new(scenario.Library)
		for i := len(here.Cells) - 1; i >= 0; i-- {
			here.Run(i, library)
			if err := there.Take(i, hand.Run(i)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			problems[here.Cells[i].Problem] = true
		}
		if !reflect.DeepEqual(here.Cells, there.Cells) {
			t.Errorf("%s: the cells are\n%+v\nand elsewhere\n%+v", name, here.Cells, there.Cells)
		}
		compareSeeds(t, name, plan)
	}
	for _, p := range []sweep.Problem{sweep.Fine, sweep.Invalid, sweep.Quota, sweep.NoRoom, sweep.Stalls} {
		if !problems[p] {
			t.Errorf("no cell has the problem %q, so this does not test it", p)
		}
	}
}

func compareSeeds(t *testing.T, name string, plan *sweep.Plan) {
	t.Helper()
	here, err := plan.NewSeeds(3)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	there, _ := plan.NewSeeds(3)
	here.Watch()
	there.Watch()
	hand := handOf(t, there.Task())
	library := new(scenario.Library)
	for i := range here.Outcomes {
		here.Run(i, library)
		if err := there.Take(i, hand.Run(i)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if !reflect.DeepEqual(here, there) {
		t.Errorf("%s: the seeds are\n%+v\nand elsewhere\n%+v", name, here, there)
	}
}

func handOf(t *testing.T, task string) *sweep.Hand {
	t.Helper()
	h, err := sweep.NewHand(task)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestDamagedTask: what is no task or answer is an error.
func TestDamagedTask(t *testing.T) {
	if _, err := sweep.NewHand("{"); err == nil {
		t.Error("half a task is one")
	}
	g := gridOf(t, scenarios.Text("first-rollout"), "maxSurge=1", "maxUnavailable=0")
	before := g.Cells[0]
	if err := g.Take(0, `{"Surge": "x"}`); err == nil || !reflect.DeepEqual(g.Cells[0], before) {
		t.Errorf("%v, %+v", err, g.Cells[0])
	}
}
