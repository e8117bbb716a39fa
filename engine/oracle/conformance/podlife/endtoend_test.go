package podlife

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// promise is a time that one of upstream's end-to-end tests demands of every kubelet: from one moment in the life of a pod to another.
// If there is no other one, the first must never come.
type promise struct {
	test        string // its file, and what it says
	scenario    string
	from, to    event
	least, most int64 // ms
}

// event is the n-th entry that contains a text.
type event struct {
	text string
	n    int
}

var (
	started = event{"Container started", 1}
	restart = event{"Container started", 2}
	ready   = event{" Ready=True", 1}
	deleted = event{" terminating(", 1}
	ended   = event{"c terminated:", 1}
	removed = event{gone, 1}
)

// endToEnd is a scenario with a pod whose container c runs an image that behaves so.
func endToEnd(duration, image, timeline, grace, fields string) string {
	text := pod("  - {match: \"c:1\", pull: 1s, start: 0s, "+image+"}\n", timeline, grace, "  containers:\n  - {name: c, image: \"c:1\""+fields+"}\n")
	return strings.Replace(text, "duration: 160s", "duration: "+duration, 1)
}

const (
	deleteIt  = "  - {at: 20s, run: kubectl delete pod p --wait=false}\n"
	sleeps50s = ", lifecycle: {preStop: {sleep: {seconds: 50}}}"
)

// promises are translated into scenarios with the same delays, periods, thresholds and grace periods.
var promises = []promise{
	{"common/node/container_probe.go: with readiness probe should not be ready before initial delay and never restart",
		endToEnd("60s", "stop: 0s", "", "30", ", readinessProbe: {httpGet: {port: 80}, initialDelaySeconds: 15}"),
		started, ready, 15_000, 59_000},
	{"common/node/container_probe.go: should be restarted startup probe fails",
		endToEnd("260s", "stop: 100s, ready: never", "", "30", ", startupProbe: {exec: {command: [s]}, initialDelaySeconds: 15, failureThreshold: 3}"),
		started, restart, 15_000, 240_000},
	{"common/node/container_probe.go: should *not* be restarted by liveness probe because startup probe delays it",
		endToEnd("260s", "stop: 100s, ready: never", "", "30", ",\n     livenessProbe: {exec: {command: [l]}, initialDelaySeconds: 15, failureThreshold: 1},\n"+
			"     startupProbe: {exec: {command: [s]}, initialDelaySeconds: 15, failureThreshold: 60}"),
		restart, event{}, 0, 0},
	{"common/node/container_probe.go: should be ready immediately after startupProbe succeeds",
		endToEnd("100s", "stop: 0s, ready: 32s", "", "30", ",\n     readinessProbe: {exec: {command: [r]}, periodSeconds: 30},\n"+
			"     startupProbe: {exec: {command: [s]}, failureThreshold: 120, periodSeconds: 5}"),
		event{"started=true", 1}, ready, 0, 25_000},
	{"common/node/container_probe.go: should override timeoutGracePeriodSeconds when LivenessProbe field is set",
		endToEnd("100s", "stop: 1000s, ready: never", "", "500", ",\n     livenessProbe: {httpGet: {path: /healthz, port: 8080}, initialDelaySeconds: 10, "+
			"failureThreshold: 1, terminationGracePeriodSeconds: 5}"),
		started, restart, 15_000, 30_000},
	{"common/node/container_probe.go: should override timeoutGracePeriodSeconds when StartupProbe field is set",
		endToEnd("100s", "stop: 1000s, ready: never", "", "500", ",\n     startupProbe: {exec: {command: [s]}, initialDelaySeconds: 10, "+
			"failureThreshold: 1, terminationGracePeriodSeconds: 5}"),
		started, restart, 15_000, 30_000},
	{"common/node/lifecycle_hook.go: valid prestop hook using sleep action",
		endToEnd("160s", "stop: 0s", deleteIt, "100", sleeps50s), deleted, ended, 50_000, 100_000},
	{"common/node/lifecycle_hook.go: reduce GracePeriodSeconds during runtime",
		endToEnd("160s", "stop: 0s", strings.Replace(deleteIt, "}", " --grace-period=30}", 1), "100", sleeps50s), deleted, ended, 30_000, 50_000},
	{"e2e_node/container_lifecycle_test.go: should respect termination grace period seconds",
		endToEnd("160s", "stop: 10000s", deleteIt, "30", ""), deleted, removed, 30_000, 60_000},
	{"e2e_node/container_lifecycle_test.go: should terminate gracefully when restartPolicy=Always",
		pod("  - {match: \"*\", pull: 1200ms, start: 100ms, stop: 10s}\n", "  - {at: 20s, run: kubectl delete pod p --wait=false --grace-period=180}\n"+
			"  - {at: 20100ms, run: kubectl set image pod/p side-2=other:2}\n", "180",
			"  initContainers:\n  - {name: init-1, image: \"i:1\"}\n  - {name: side-2, image: \"s:2\", restartPolicy: Always}\n"+
				"  - {name: side-3, image: \"s:3\", restartPolicy: Always}\n  containers:\n  - {name: c, image: \"c:1\"}\n"),
		deleted, removed, 30_000, 70_000},
	{"common/node/pods.go: should have their auto-restart back-off timer reset on image update", // at most twice the delay before: 80 s
		endToEnd("600s", "crash: 5s}\n  - {match: \"c:2\", pull: 1s, start: 0s, crash: 5s", "  - {at: 400s, run: kubectl set image pod/p c=c:2}\n", "30", ""),
		event{`Successfully pulled image "c:2"`, 1}, event{`image "c:2" already present`, 1}, 5_000, 5_000 + 2*80_000},
	{"common/node/pods.go: should cap back-off at MaxContainerBackOff", // of 300 s, and 30 % more
		endToEnd("1400s", "crash: 5s", "", "30", ""), event{"Container started", 8}, event{"Container started", 9}, 5_000 + 300_000, 5_000 + 390_000},
}

// TestEndToEnd: what these tests demand holds with the real kubelet and with ours, and both do the same in their scenarios. It would be noticed
// if it did not hold.
func TestEndToEnd(t *testing.T) {
	for _, p := range promises {
		_, name, _ := strings.Cut(p.test, ": ")
		t.Run(name, func(t *testing.T) {
			s, diagnostics := scenario.Parse(p.scenario)
			if s == nil {
				t.Fatal(diagnostics)
			}
			for _, c := range Chances[:2] { // with the least jitter, and with the most
				v := inChance(t, s, p.scenario, c)
				if why := p.broken(v.Real); why != "" {
					t.Errorf("the real kubelet: %s\n%s", why, v.Real)
				}
				if why := p.broken(v.Ours); why != "" {
					t.Errorf("ours: %s\n%s", why, v.Ours)
				} else if p.broken(p.spoiled(v.Ours)) == "" {
					t.Error("not noticed: a promise that is broken")
				}
				if v.Difference != nil {
					t.Error(v.Difference.Text)
				}
			}
		})
	}
}

// broken says how a timeline breaks a promise, if it does.
func (p *promise) broken(list Timeline) string {
	from, to := moment(list, p.from.text, p.from.n), moment(list, p.to.text, p.to.n)
	switch {
	case p.to.text == "" && from >= 0:
		return fmt.Sprintf("%q at %d ms, want never", p.from.text, from)
	case p.to.text != "" && (from < 0 || to < 0 || to-from < p.least || to-from > p.most):
		return fmt.Sprintf("%q at %d ms, %q at %d ms, want it %d to %d ms later", p.from.text, from, p.to.text, to, p.least, p.most)
	}
	return ""
}

// spoiled is a timeline in which what is promised comes too late, or though it never should.
func (p *promise) spoiled(list Timeline) Timeline {
	if p.to.text == "" {
		return slices.Concat(list, slices.Repeat(Timeline{{Text: p.from.text}}, p.from.n))
	}
	list = slices.Clone(list)
	list[nth(list, p.to.text, p.to.n)].At += p.most + 1
	return list
}
