package engine

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/texts"
)

// expecting is a scenario of ten replicas whose image changes at 10 s, and what it expects begins in line 7.
func expecting(expects string) string {
	return "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n" +
		"  timeline:\n  - {at: 10s, run: kubectl set image deployment/web web=nginx:1.28}\n  expect:\n" + expects + texts.Deployment("replicas: 10", `image: "nginx:1.27"`)
}

// TestCheckAccepts: expectations that hold: counts at a moment, bounds over a span, output and answers of commands.
func TestCheckAccepts(t *testing.T) {
	run := mustRun(t, expecting(`  - {at: 9s, total: 10, available: 10, desired: 10, ready: 10, updated: 10, terminating: 0, sizes: [10]}
  - {at: 10003ms, of: deployment/web, total: 13, updated: 5, sizes: [8, 5]}
  - {at: 10003ms, of: deployment/default/web, terminating: 2}
  - {from: 10s, max: {total: 13}, min: {available: 8}}
  - {to: 0s, max: {total: 0}}
  - {at: 10s, contains: deployment.apps/web image updated}
  - {at: 9s, run: kubectl get deployment web, contains: ["web 10/10 10 10"]}
  - {at: 10s, run: kubectl rollout status deployment/web, contains: successfully rolled out}
`))
	for _, d := range run.Check() {
		t.Error(d)
	}
}

// TestCheckComplains: the message for a failed expectation has its line, the expected and the actual value.
func TestCheckComplains(t *testing.T) {
	tests := []struct{ expect, want string }{
		{"{at: 9s, total: 11}", "at 9s total is 10, not 11"},
		{"{at: 9s, sizes: [9]}", "at 9s the sizes are [10], not [9]"},
		{"{at: 9s, sizes: []}", "at 9s the sizes are [10], not []"},
		{"{from: 10s, max: {total: 12}}", "at 10002ms total is 13, more than 12"},
		{"{from: 10s, min: {available: 9}}", "at 10002ms available is 8, less than 9"},
		{"{from: 9s, to: 9s, max: {total: 9}}", "total is 10, more than 9"}, // the frame that holds at 9 s began earlier
		{"{at: 9s, of: deployment/api, total: 1}", `there is no workload "deployment/api"; there are Deployment/default/web`},
		{"{at: 2h, total: 1}", "before 7200s"},
		{"{at: 9s, run: kubectl get deployment web, contains: 9/10}", `at 9s kubectl get deployment web: the output does not contain "9/10":`},
		{"{at: 9s, run: kubectl delete pod x, contains: a}", `"kubectl delete pod x" does not only read`},
		{"{at: 9s, contains: updated}", `the scenario's own commands: the output does not contain "updated"`},
	}
	for _, test := range tests {
		t.Run(test.expect, func(t *testing.T) {
			got := mustRun(t, expecting("  - {at: 9s, total: 10}\n  - "+test.expect+"\n")).Check()
			if len(got) != 1 || got[0].Line != 8 || got[0].Document != 1 || !strings.Contains(got[0].Message, test.want) {
				t.Errorf("got %v, want %q in line 8", got, test.want)
			}
		})
	}
}
