package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// exercise is the scenario of expecting with goals instead, and captions with questions.
func exercise(goals string) string {
	return strings.Replace(expecting(goals), "  expect:\n", "  goal:\n", 1)
}

// TestGoals: how goals stand before, at and after the moment that decides them.
func TestGoals(t *testing.T) {
	commands := []Command{{At: 9000, Run: "kubectl scale deployment/web --replicas=9"}, {At: 30_000, Run: "kubectl delete pod web-0"}, {At: 31_000, Do: "add node/x"}}
	tests := []struct{ goal, want string }{
		{"from: 11s, by: 20s, updated: 9, available: 9", "8s open, 12s open, 19s met, 20s met, 90s met"},
		{"by: 5s, available: 10", "0s open, 5s met, 20s met"},
		{"by: 11s, updated: 9, available: 9", "11s missed, 20s missed"},
		{"from: 10s, by: 60s, updated: 9, run: kubectl get deployment web -o wide, contains: nginx:1.28", "9s open, 19s met"},
		{"from: 10s, by: 20s, updated: 9, run: kubectl get deployment web -o wide, contains: nginx:9", "19s open, 20s missed"},
		{"from: 9s, min: {available: 7}", "5s open, 20s open, 90s met"},
		{"from: 9s, min: {available: 9}", "9s open, 11s missed, 90s missed"},
		{"from: 9s, to: 20s, max: {total: 12}", "9s open, 20s met, 90s met"},
		{"of: deployment/other, from: 9s, max: {total: 12}", "9s missed"},
		{`from: 9s, run: "kubectl get deployment web -o jsonpath={.spec.replicas}", equals: '9'`, "8s open, 9s open, 90s met"},
		{`from: 5s, run: "kubectl get deployment web -o jsonpath={.spec.replicas}", equals: '9'`, "4s open, 5s missed, 90s missed"},
		{`from: 5s, to: 8s, run: "kubectl get deployment web -o jsonpath={.spec.replicas}", equals: ['10', '11']`, "7s open, 8s met, 90s met"},
		{`from: 5s, run: "kubectl get deployment web -o jsonpath={.spec.replicas}", equals: '10'`, "8s open, 9s missed, 90s missed"},
		{`from: 10s, by: 60s, updated: 9, run: "kubectl get deployment web -o jsonpath={.spec.replicas}", equals: '90'`, "9s open, 60s missed"},
		{"commands: 2", "8s open, 30s open, 31s missed"},
		{"commands: 3", "31s open, 90s met"},
		{"without: [delete, scale]", "8s open, 9s missed"},
		{"without: [rollout undo]", "20s open, 90s met"},
		{"from: 10s, extra: 1m", "20s open, 90s met"},
		{"from: 10s, extra: 1s", "10s open, 20s missed"},
	}
	for _, test := range tests {
		run, diagnostics := Start(Recording{Scenario: exercise("  - {text: a, " + test.goal + "}\n"), Commands: commands})
		if run == nil {
			t.Fatalf("%s: %v", test.goal, diagnostics)
		}
		run.Finish()
		var got []string
		for _, want := range strings.Split(test.want, ", ") {
			at, _, _ := strings.Cut(want, " ")
			ms, err := scenario.ParseDuration(at)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(at, " ", run.Goals(ms)[0]))
		}
		if got := strings.Join(got, ", "); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.goal, got, test.want)
		}
		if solved := run.Solved(); solved != strings.HasSuffix(test.want, " met") {
			t.Errorf("%s: solved is %v", test.goal, solved)
		}
	}
	if mustRun(t, expecting("  - {at: 9s, total: 10}\n")).Solved() {
		t.Error("a scenario without goals is solved")
	}
}

// TestWithoutDelete: whatever takes an object away counts as a delete, if a command of the learner did it; an eviction, a controller and what
// the scenario itself does never count.
func TestWithoutDelete(t *testing.T) {
	for line, deletes := range map[string]bool{
		"get pods -o yaml | kubectl replace --force -f -": true, "drain node-1 --disable-eviction": true, "taint node node-1 a=b:NoExecute": true,
		"get deployment web -o yaml | kubectl replace --force -f -": true, "delete pods --all --grace-period=0 --force": true, "delete pod none": true,
		"drain node-1": false, "scale deployment/web --replicas=2": false, "taint node node-1 a=b:NoSchedule": false,
		"set image deployment/web web=nginx:1.30": false, "label pods --all app-": false,
	} {
		goal, command := exercise("  - {text: a, without: [delete]}\n"), Command{At: 29_999, Run: "kubectl " + line}
		own := strings.Replace(goal, "  goal:\n", "  - {at: 29999ms, run: '"+command.Run+"'}\n  goal:\n", 1)
		run, _ := Start(Recording{Scenario: goal, Commands: []Command{command}})
		if before, solved := run.Finish().Goals(29_998)[0], run.Solved(); before != GoalOpen || solved == deletes {
			t.Errorf("%s: before %s, then solved %v", line, before, solved)
		}
		if !mustRun(t, own).Finish().Solved() {
			t.Errorf("%s: the scenario's own command counts", line)
		}
	}
}

// TestExtra: two pods more for 3 s, and one that terminates for 1 s; what is below the desired number saves nothing. Neither does a learner
// who raises that number, unlike what came before the first command.
func TestExtra(t *testing.T) {
	frames := []Frame{{T: 0, Total: 4, Desired: 4}, {T: 1000, Total: 6, Desired: 4}, {T: 4000, Total: 4, Terminating: 1, Desired: 4}, {T: 5000, Total: 2, Desired: 4}}
	raised := []Frame{{T: 0, Total: 2, Desired: 2}, {T: 1000, Total: 4, Desired: 4}, {T: 2000, Total: 6, Desired: 6}, {T: 3000, Total: 6, Desired: 3}, {T: 4000}}
	for _, test := range []struct {
		frames                []Frame
		from, to, first, want int64
	}{
		{frames, 0, 10_000, 99_000, 7000}, {frames, 2000, 10_000, 0, 5000}, {frames, 0, 2500, 99_000, 3000}, {frames, 6000, 9000, 0, 0},
		{raised, 0, 9000, 99_000, 3000}, {raised, 0, 9000, 2000, 5000}, {raised, 0, 9000, 1000, 9000 + 1000},
	} {
		if got := extra(test.frames, test.from, test.to, test.first); got != test.want {
			t.Errorf("from %d to %d, first command at %d: got %d, want %d", test.from, test.to, test.first, got, test.want)
		}
	}
}

// TestAnswer: the run answers a question for a count, for an extreme of a while, and for the right one of several choices.
func TestAnswer(t *testing.T) {
	tests := []struct{ ask, want string }{
		{"at: 10003ms, field: total", "13 [8 5]"},
		{"at: 10003ms, field: updated", "5 []"},
		{"at: 9s, field: total", "10 []"},
		{"at: 60s, from: 10s, lowest: available", "8 []"},
		{"at: 60s, from: 10s, highest: total", "13 [10 3]"},
		{"at: 9s, from: 8s, highest: total", "10 []"},
		{"at: 9s, from: 8s, lowest: total", "10 []"},
		{"at: 60s, of: deployment/web, field: ready", "10 []"},
		{"at: 11s, choices: [{text: a, is: {at: 11s, updated: 9}}, {text: b, is: {at: 11s, updated: 5}}]", "1 []"},
		{"at: 11s, choices: [{text: a, is: {at: 11s, updated: 9}}]", "-1 []"},
	}
	for _, test := range tests {
		text := strings.Replace(expecting(""), "  expect:\n", "  captions:\n  - {at: 8s, text: a, ask: {"+test.ask+"}}\n", 1)
		run := mustRun(t, text)
		n, parts := run.Answer(run.Scenario().Captions[0].Ask)
		if got := fmt.Sprint(n, " ", parts); got != test.want {
			t.Errorf("%s: got %s, want %s", test.ask, got, test.want)
		}
	}
}
