package diagnosis_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
)

// TestDiagnosedTruth: what is said of a situation, what is not, and that each command it offers leads to a complete workload.
func TestDiagnosedTruth(t *testing.T) {
	type command = engine.Command
	run := func(at int64, line string) command { return command{At: at, Run: line} }
	do := func(at int64, line string) command { return command{At: at, Do: line} }
	sets := func(set, daemon string) string { return texts.Sets(set, daemon, "minAvailable: 1") }
	tcp := texts.World(texts.Quick, "replicas: 3", "image: web:1, readinessProbe: {tcpSocket: {port: 80}}")
	const onDelete = "updateStrategy: {type: OnDelete}"
	for _, tt := range []struct {
		name, text string
		commands   []command
		workload   string
		moment     int64
		says, not  []string
	}{
		{"an old pod that is starting is no trap (S-22)", sets("", ""), []command{run(2000, "set image statefulset/db db=db:2")}, texts.Set, 2500,
			[]string{"moving since 2000: The rollout moves: its pods are starting"}, []string{"forced-rollback"}},
		{"an old pod that was Ready is no trap (S-22)", sets("", ""), []command{run(20_000, "set image statefulset/db db=db:2"), do(21_000, "crash pod/db-0")},
			texts.Set, 22_000, []string{"The rollout moves: a container has ended"}, []string{"forced-rollback", "never Ready"}},
		{"under OnDelete, to go back takes a deletion", sets("", onDelete), []command{run(20_000, "set image daemonset/agent agent=bad"), run(30_000, "delete pods --all")},
			texts.Daemon, 60_000, []string{"daemonset/agent && kubectl delete pods -l controller-revision-hash="}, nil},
		{"no way back to what is broken, in order", sets("", ""), []command{run(20_000, "set image statefulset/db db=bad"), run(40_000, "rollout undo statefulset/db")},
			texts.Set, 60_000, []string{"1 pod of revision 2 waits for image bad", "kubectl delete pod db-2"}, []string{"Go back"}},
		{"readiness was lost", tcp, []command{do(300_000, "fail-readiness pod/"+runs.FirstPod(t, runs.Of(t, tcp), 5000))}, texts.Web, 331_000,
			[]string{"since 321000", "its readiness probe (tcpSocket) failed 10s ago, after it had succeeded"}, []string{"has not succeeded"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := runs.Of(t, tt.text, tt.commands...)
			d := diagnosis.Of(r.Past(), tt.workload, r.Past().Find(tt.moment), tt.moment)
			text := diagnosisText(d, "")
			for _, s := range tt.says {
				if !strings.Contains(text, s) {
					t.Errorf("it does not say %q:\n%s", s, text)
				}
			}
			for _, s := range tt.not {
				if strings.Contains(text, s) {
					t.Errorf("it says %q:\n%s", s, text)
				}
			}
			for _, f := range d.Findings {
				for _, fix := range f.Fix {
					commands := slices.Clone(tt.commands)
					for _, line := range strings.Split(fix.Command, " && ") {
						commands = append(commands, run(r.ActAt(tt.moment), line))
					}
					after := runs.Of(t, tt.text, commands...)
					if d := diagnosis.Of(after.Past(), tt.workload, after.Len()-1, after.Now()); d.State != diagnosis.StateComplete {
						t.Errorf("%s does not fix it:\n%s", fix.Command, diagnosisText(d, ""))
					}
				}
			}
		})
	}
}
