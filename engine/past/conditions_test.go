package past_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/scenarios"
)

// stripRows formats a strip of a workload: start, status and reason of each segment.
func stripRows(run *engine.Run, workload, conditionType string) []string {
	var rows []string
	for _, s := range run.Past().Conditions(workload) {
		for _, x := range s.Segments {
			if s.Type == conditionType {
				rows = append(rows, strings.TrimSpace(fmt.Sprintf("%d %s %s", x.From, x.Status, x.Reason)))
			}
		}
	}
	return rows
}

// TestConditions: the conditions of known rollouts, and when each begins (D-24, D-60 to D-67).
func TestConditions(t *testing.T) {
	for _, tt := range []struct {
		name, conditionType string
		run                 *engine.Run
		workload            string
		want                []string
	}{
		{"first-rollout", "Progressing", runs.Of(t, scenarios.Text("first-rollout")), "Deployment/default/nginx-deployment", []string{
			"0", "1 True NewReplicaSetCreated", "4 True ReplicaSetUpdated", "4253 True NewReplicaSetAvailable",
			"10001 True NewReplicaSetCreated", "10004 True ReplicaSetUpdated", "15524 True NewReplicaSetAvailable"}},
		{"deadline", "Progressing", runs.Golden(t, "deadline"), texts.Web, []string{
			"0", "1 True NewReplicaSetCreated", "4 True ReplicaSetUpdated", "3001 True NewReplicaSetAvailable",
			"10001 True NewReplicaSetCreated", "10004 True ReplicaSetUpdated", "17000 False ProgressDeadlineExceeded",
			"20003 True ReplicaSetUpdated", "22001 True NewReplicaSetAvailable"}},
		{"deadline", "Available", runs.Golden(t, "deadline"), texts.Web, []string{
			"0", "2 False MinimumReplicasUnavailable", "3001 True MinimumReplicasAvailable"}},
		{"quota", "ReplicaFailure", runs.Golden(t, "quota"), texts.Web, []string{"0", "3 True FailedCreate", "43448"}},
		{"paused", "Progressing", runs.Golden(t, "paused"), texts.Web, []string{
			"0", "1 Unknown DeploymentPaused", "2001 Unknown DeploymentResumed", "2004 True ReplicaSetUpdated", "3306 True NewReplicaSetAvailable",
			"10001 Unknown DeploymentPaused", "16001 Unknown DeploymentResumed", "16004 True ReplicaSetUpdated", "19921 True NewReplicaSetAvailable"}},
		{"adopted", "Available", runs.Golden(t, "adopted"), texts.Web, []string{
			"0", "2 False MinimumReplicasUnavailable", "1306 True MinimumReplicasAvailable", "5001", "8002 True MinimumReplicasAvailable"}},
		{"published-2-delete", "Available", runs.Of(t, scenarios.Text("published-2-delete")), texts.Web, []string{
			"0", "2 False MinimumReplicasUnavailable", "3764 True MinimumReplicasAvailable", "12000"}},
	} {
		if got := stripRows(tt.run, tt.workload, tt.conditionType); !slices.Equal(got, tt.want) {
			t.Errorf("%s, %s:\n got %q\nwant %q", tt.name, tt.conditionType, got, tt.want)
		}
	}
}

// TestConditionTypes: Available and Progressing always have a strip, ReplicaFailure only if it ever appeared.
func TestConditionTypes(t *testing.T) {
	types := func(run *engine.Run) (list []string) {
		for _, s := range run.Past().Conditions(texts.Web) {
			list = append(list, s.Type)
		}
		return list
	}
	for name, want := range map[string][]string{"quota": {"Available", "Progressing", "ReplicaFailure"}, "deadline": {"Available", "Progressing"}} {
		if got := types(runs.Golden(t, name)); !slices.Equal(got, want) {
			t.Errorf("%s has %q", name, got)
		}
	}
	never := runs.Of(t, texts.World(texts.Quick, "progressDeadlineSeconds: 2147483647", "image: web:1"))
	if got := stripRows(never, texts.Web, "Progressing"); !slices.Equal(types(never), []string{"Available", "Progressing"}) || !slices.Equal(got, []string{"0"}) {
		t.Errorf("without a deadline (D-5) Progressing is %q", got)
	}
	if got := never.Past().Conditions("Deployment/default/nobody"); got != nil {
		t.Errorf("nobody has %+v", got)
	}
}

// TestConditionsGrow: segments have no gaps up to now, each begins with a write of the Deployment with that condition, and
// reading during the run changes nothing.
func TestConditionsGrow(t *testing.T) {
	text := runs.Golden(t, "quota").Recording().Scenario
	run, _ := engine.Start(engine.Recording{Scenario: text})
	for done := false; !done; {
		done = run.Advance(5)
		for _, s := range run.Past().Conditions(texts.Web) {
			for i, x := range s.Segments {
				if i > 0 && x.From != s.Segments[i-1].To || i+1 == len(s.Segments) && x.To != run.Now() {
					t.Fatalf("%s at %d ms: %+v", s.Type, run.Now(), s.Segments)
				}
				if r := run.Record(x.Record); r.Kind != engine.Write || r.Object != texts.Web || r.T != x.From {
					t.Fatalf("%s begins with %+v", s.Type, r)
				}
			}
		}
	}
	whole := runs.Of(t, text)
	for _, conditionType := range past.ConditionTypes {
		if got, want := stripRows(run, texts.Web, conditionType), stripRows(whole, texts.Web, conditionType); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", conditionType, got, want)
		}
	}
	failure := whole.Past().Conditions(texts.Web)[2].Segments[1]
	if !strings.Contains(failure.Message, "exceeded quota: four") || failure.To != 43_448 {
		t.Errorf("ReplicaFailure is %+v", failure)
	}
}
