package export_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/scenarios"
)

func play(t *testing.T, text string) *engine.Run {
	t.Helper()
	run, diagnostics := engine.Start(engine.Recording{Scenario: text})
	if run == nil {
		t.Fatalf("%v\n%s", diagnostics, text)
	}
	return run.Finish()
}

// TestManifestsCanBeApplied: what is taken along of any lesson at any command is a scenario without a problem, and its objects are
// the same when they have been applied.
func TestManifestsCanBeApplied(t *testing.T) {
	for _, name := range scenarios.Names() {
		t.Run(name, func(t *testing.T) {
			run := play(t, scenarios.Text(name))
			for i := range run.Len() {
				if run.Past().Kind(i) != engine.Input && i+1 < run.Len() {
					continue
				}
				text := export.Manifests(run.Past(), i)
				for _, server := range []string{"\nstatus:", "\n  uid:", "resourceVersion:", "creationTimestamp:", "ownerReferences:", "deployment.kubernetes.io/", "last-applied"} {
					if strings.Contains(text, server) {
						t.Errorf("at record %d there is %q in\n%s", i, server, text)
					}
				}
				if text == "" { // everything was deleted
					continue
				}
				again, diagnostics := engine.Start(engine.Recording{Scenario: text})
				if again == nil {
					t.Fatalf("at record %d: %v\n%s", i, diagnostics, text)
				}
				again.AdvancePast(0, 1)
				if got := export.Manifests(again.Past(), again.Past().Find(0)); got != text {
					t.Errorf("at record %d, applied again:\n%s\nwant\n%s", i, got, text)
				}
			}
		})
	}
}

// TestManifestsFollowTheCommands: the state at a moment is that of the moment, not of the text.
func TestManifestsFollowTheCommands(t *testing.T) {
	run := play(t, scenarios.Text("first-rollout"))
	for at, want := range map[int64]string{9000: "image: nginx:1.18.0", 10_000: "image: nginx:1.19.1"} {
		if text := export.Manifests(run.Past(), run.Past().Find(at)); !strings.Contains(text, want) || strings.Contains(text, "kind: ReplicaSet") {
			t.Errorf("at %d there is no %q in\n%s", at, want, text)
		}
	}
}

// TestTrace: the trace is the engine's, and the scorecards follow it.
func TestTrace(t *testing.T) {
	run := play(t, scenarios.Text("first-rollout"))
	var engines, all bytes.Buffer
	if err := engine.WriteJSON(&engines, run); err != nil {
		t.Fatal(err)
	}
	if err := export.Trace(&all, run); err != nil {
		t.Fatal(err)
	}
	cards, ok := strings.CutPrefix(all.String(), engines.String())
	if !ok || strings.Count(cards, `{"kind":"rollout"`) != 2 {
		t.Errorf("the trace ends with %s", cards)
	}
}

func TestFileName(t *testing.T) {
	for workload, want := range map[string]string{"Deployment/shop/web": "web.svg", "": "rollplay.svg"} {
		if got := export.FileName(workload, ".svg"); got != want {
			t.Errorf("%s: got %s, want %s", workload, got, want)
		}
	}
}
