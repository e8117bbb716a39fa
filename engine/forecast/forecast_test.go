package forecast_test

import (
	"reflect"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/scenarios"
)

func finished(t testing.TB, scenario string, commands ...engine.Command) *engine.Run {
	t.Helper()
	r, diagnostics := engine.Start(engine.Recording{Scenario: scenario, Commands: commands})
	if r == nil {
		t.Fatal(diagnostics)
	}
	return r.Finish()
}

// TestFirstRollout pins the figures that the first lesson tells: at least 8 of 10 pods, 13 and 5 more that terminate.
func TestFirstRollout(t *testing.T) {
	r := finished(t, scenarios.Text("first-rollout"))
	list := forecast.New(r.Past()).Rollouts("Deployment/default/nginx-deployment")
	if len(list) != 2 {
		t.Fatalf("%d rollouts", len(list))
	}
	want := forecast.Rollout{Workload: "Deployment/default/nginx-deployment", Record: list[1].Record, Start: 10000, End: 15522,
		Cause: forecast.Template, By: "kubectl", Command: "kubectl set image deployment/nginx-deployment nginx=nginx:1.19.1",
		Result: forecast.Complete, Deadline: -1, Figures: forecast.Figures{Lowest: 8, LowestOf: 10, LowestAt: 10002, BelowDesired: 5520,
			PeakPods: 18, PeakAt: 13273, ExtraPodMs: 27309, NodeMs: 3 * 6318, Created: 10}}
	if list[1] != want {
		t.Errorf("got  %+v\nwant %+v", list[1], want)
	}
	if got := list[1].Duration(); got != 5522 || list[1].LowestPercent() != 80 || !list[1].Done() {
		t.Errorf("it takes %d ms, lowest %d %%, done %v", got, list[1].LowestPercent(), list[1].Done())
	}
	if forecast.At(list, list[1].Record) != &list[1] || forecast.At(list, list[1].Record-1) != &list[0] || forecast.At(list, 0) != nil {
		t.Error("At does not find the rollout of a record")
	}
}

// TestResults: how rollouts of the lessons end.
func TestResults(t *testing.T) {
	for _, tt := range []struct {
		scenario, workload string
		results            []forecast.Result
		outage             int64 // of the last one
	}{
		{"recreate", "Deployment/default/db", []forecast.Result{forecast.Complete, forecast.Complete}, 6421},
		{"rollover", "Deployment/default/web", []forecast.Result{forecast.Complete, forecast.Superseded, forecast.Complete}, 0},
		{"ds-on-delete", "DaemonSet/default/agent", []forecast.Result{forecast.Complete, forecast.Unfinished}, 0},
		{"sts-partition-canary", "StatefulSet/default/db", []forecast.Result{forecast.Complete, forecast.Complete, forecast.Complete}, 0},
	} {
		list := forecast.New(finished(t, scenarios.Text(tt.scenario)).Past()).Rollouts(tt.workload)
		var got []forecast.Result
		for i := range list {
			got = append(got, list[i].Result)
		}
		if !reflect.DeepEqual(got, tt.results) {
			t.Errorf("%s: %v, want %v", tt.scenario, got, tt.results)
		} else if x := list[len(list)-1].AtZero; x != tt.outage {
			t.Errorf("%s: outage %d ms, want %d", tt.scenario, x, tt.outage)
		}
	}
}

// TestGrowingRuns: a run that is read in slices has the same scorecards in the end as one that is read once, and nobody who
// reads it too often is punished for it.
func TestGrowingRuns(t *testing.T) {
	for _, name := range scenarios.Names() {
		r, _ := engine.Start(engine.Recording{Scenario: scenarios.Text(name)})
		if r == nil {
			continue
		}
		f := forecast.New(r.Past())
		for done := false; !done; {
			done = r.Advance(7)
			for _, w := range r.Workloads() {
				f.Rollouts(w)
				f.Overall(w)
			}
		}
		once := forecast.New(r.Past())
		for _, w := range r.Workloads() {
			if got, want := f.Rollouts(w), once.Rollouts(w); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: in slices %+v\nat once %+v", name, got, want)
			}
			got, _ := f.Overall(w)
			if want, _ := once.Overall(w); got != want {
				t.Errorf("%s: in slices %+v\nat once %+v", name, got, want)
			}
		}
	}
}

// TestDone: a rollout that is not finished may still complete, even after its deadline; the others have ended.
func TestDone(t *testing.T) {
	for result, want := range map[forecast.Result]bool{forecast.Complete: true, forecast.Superseded: true, forecast.Deleted: true,
		forecast.Unfinished: false, forecast.DeadlineExceeded: false} {
		if x := (forecast.Rollout{Result: result}); x.Done() != want {
			t.Errorf("%s: done %v", result, x.Done())
		}
	}
}

// TestOverall: a drain is no rollout; what it costs is in the figures of the whole run.
func TestOverall(t *testing.T) {
	f := forecast.New(finished(t, scenarios.Text("drain-blocked")).Past())
	if got, ok := f.Overall("Deployment/default/web"); !ok || got.Refused != 33 || got.LowestPercent() != 75 {
		t.Errorf("%v %+v", ok, got)
	}
	if got, ok := f.Overall("Deployment/default/other"); ok || got != (forecast.Figures{}) {
		t.Errorf("%v %+v", ok, got)
	}
}

func BenchmarkRollouts(b *testing.B) {
	r := finished(b, scenarios.Text("first-rollout"))
	b.ReportMetric(float64(r.Len()), "records")
	b.ReportAllocs()
	for b.Loop() {
		forecast.New(r.Past()).Rollouts(r.Workloads()[0])
	}
}
