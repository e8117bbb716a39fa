package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/past"
)

// FuzzRun gives a Deployment random bounds and random commands at random moments. Whatever they are, the run comes to rest
// with what was asked for last, keeps the invariants and the laws, and has the same bytes when it is computed again.
func FuzzRun(f *testing.F) {
	f.Add(uint64(1), []byte{3, 1, 1, 0, 0, 10, 0, 2})
	f.Add(uint64(2), []byte{10, 25, 125, 0, 0, 10, 0, 2, 3, 1, 7, 9, 4, 2})
	f.Add(uint64(3), []byte{5, 0, 1, 4, 1, 9, 1, 0, 5, 5, 5, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		text, commands := fuzzScenario(seed, data)
		run, diagnostics := Start(Recording{Scenario: text, Commands: commands})
		if run == nil {
			for _, d := range diagnostics {
				if !strings.Contains(d.Message, "may not be 0 when `maxSurge` is 0") {
					t.Fatalf("unexpected refusal: %s\n%s", d, text)
				}
			}
			return
		}
		const eventsMax = 300_000 // far above what 30 minutes of such a small world need
		if !run.Advance(eventsMax) {
			t.Fatalf("the run does not come to rest within %d events\n%s\n%v", eventsMax, text, commands)
		}
		for _, v := range violations(run) {
			t.Errorf("%s\n%s\n%v", v, text, commands)
		}
		if f, ok := unfinished(run); ok {
			t.Errorf("the run rests with %+v\n%s\n%v", f, text, commands)
		}
		if broken := brokenLaws(run); len(broken) > 0 {
			t.Error(report(broken, run.Recording()))
		}
		if seed%8 == 0 { // whatever makes two runs differ does so for many of them
			sameAgain(t, run)
		}
	})
}

// unfinished returns the last frame of a run whose Deployment does not have what it asks for, although nothing keeps it
// from that: it is not paused, and not wedged by an annotation (D-27).
func unfinished(run *Run) (Frame, bool) {
	const name = "Deployment/default/web"
	frames, last := run.Frames(name), run.Len()-1
	f := frames[len(frames)-1]
	d, _ := run.Past().ObjectAt(past.ParseKey(name), last).(*api.Deployment)
	if d == nil || d.Spec.Paused || f.Updated == f.Desired && f.Available == f.Desired && f.Total == f.Desired {
		return f, false
	}
	for _, o := range run.Past().Objects(api.KindReplicaSet, last) {
		rs := o.(*api.ReplicaSet)
		desired := rs.Annotations[api.DesiredReplicasAnnotation]
		if *rs.Spec.Replicas > 0 && rs.IsControlledBy(d.UID) && desired != fmt.Sprint(f.Desired) {
			return f, false
		}
	}
	return f, true
}

// choices consumes a byte per choice among n, and chooses the first when no byte is left.
func choices(data *[]byte) func(n int) int {
	return func(n int) int {
		if len(*data) == 0 {
			return 0
		}
		b := (*data)[0]
		*data = (*data)[1:]
		return int(b) % n
	}
}

// fuzzScenario turns bytes into a scenario and commands: each byte is one choice.
func fuzzScenario(seed uint64, data []byte) (string, []Command) {
	next := choices(&data)
	amount := func(b int) string {
		if b < 8 {
			return fmt.Sprint(b)
		}
		return fmt.Sprintf(`"%d%%"`, b%101)
	}
	replicas, surge, unavailable, minReady := next(13), amount(next(110)), amount(next(110)), next(6)
	text := fmt.Sprintf(`
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  seed: %d
  images:
  - {match: "v2", pull: 1s, start: 300ms..4s, stop: 1s..3s}
  - {match: "v3", pull: 1s, start: 1s..2s, stop: 500ms}
  - {match: "*", pull: 500ms, start: 300ms, stop: 1s}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: %d
  minReadySeconds: %d
  strategy: {rollingUpdate: {maxSurge: %s, maxUnavailable: %s}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: v1}]}
`, seed, replicas, minReady, surge, unavailable)
	var commands []Command
	at := int64(0)
	for len(data) > 0 && len(commands) < fuzzCommands {
		at += int64(next(40)) * 173
		commands = append(commands, Command{At: at, Run: fuzzCommand(next)})
	}
	return text, commands
}

// fuzzCommands is how many commands a fuzzed run has at most. Ten are enough for every pair of commands to meet; three times
// as many would take the time of two other runs.
const fuzzCommands = 10

func fuzzCommand(next func(int) int) string {
	switch next(11) {
	case 0, 1, 2:
		return fmt.Sprintf("set image deployment/web web=v%d", 1+next(4))
	case 3:
		return fmt.Sprintf("scale deployment/web --replicas=%d", next(14))
	case 4:
		return "rollout undo deployment/web"
	case 5:
		return "rollout pause deployment/web"
	case 6:
		return "rollout resume deployment/web"
	case 7:
		return fmt.Sprintf("annotate deployment/web note=%d --overwrite", next(3))
	case 8:
		return fmt.Sprintf("rollout undo deployment/web --to-revision=%d", next(5))
	case 9:
		return []string{"delete deployment/web", "delete deployment/web --cascade=orphan", "delete deployment/web --cascade=foreground"}[next(3)]
	}
	return "rollout restart deployment/web"
}
