package chart

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
)

// TestChangedSets: the lines of the ReplicaSets, for which only what changed is read, are those of a reading of everything, also for
// a ReplicaSet that goes and comes back.
func TestChangedSets(t *testing.T) {
	var commands strings.Builder
	for i := range 30 {
		fmt.Fprintf(&commands, "  - {at: %ds, run: kubectl set image deployment/web web=nginx:%d}\n", 10+i, i%7)
	}
	run, diagnostics := engine.Start(engine.Recording{Scenario: `apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  timeline:
` + commands.String() + `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 6, revisionHistoryLimit: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "nginx:1"}]}}}
`})
	if run == nil {
		t.Fatal(diagnostics)
	}
	run.Finish()
	frames := Settle(run.Frames("Deployment/default/web"), 20)
	want := map[string]points{}
	for i, f := range frames {
		here := map[string]bool{}
		for _, rs := range f.ReplicaSets {
			here[rs.Name] = true
			want[SeriesRSPrefix+rs.Name] = want[SeriesRSPrefix+rs.Name].add(f.T, rs.Replicas)
		}
		for k := 0; i > 0 && k < len(frames[i-1].ReplicaSets); k++ {
			if name := frames[i-1].ReplicaSets[k].Name; !here[name] {
				want[SeriesRSPrefix+name] = want[SeriesRSPrefix+name].add(f.T, 0)
			}
		}
	}
	got := map[string]points{}
	for _, s := range rsSeries(frames) {
		got[s.ID] = s.Points
	}
	if len(got) < 7 || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if sets := new(Sets).Of(run, "Deployment/default/web"); len(sets) < len(got) {
		t.Errorf("%d ReplicaSets, want at least %d", len(sets), len(got))
	}
}
