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

// TestDiagnoseSets: the diagnoses of the other kinds, and that the command they offer works.
func TestDiagnoseSets(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		commands   []string
		workload   string
		at         int64
		state, id  string
		says       string
		fixes      bool
	}{
		{"a bad image in order", texts.Sets("", "", "minAvailable: 2"), []string{"kubectl set image statefulset/db db=bad"}, texts.Set, 50_000,
			diagnosis.StateStuck, "bad-image", "1 pod of revision 2 waits for image bad", true},
		{"the template put right does not help (S-22)", texts.Sets("", "", "minAvailable: 2"),
			[]string{"kubectl set image statefulset/db db=bad", "kubectl rollout undo statefulset/db"}, texts.Set, 80_000,
			diagnosis.StateStuck, "forced-rollback", "Pod db-2 is of revision 2 and was never Ready", true},
		{"a bad image of a DaemonSet", texts.Sets("", "", "minAvailable: 2"), []string{"kubectl set image daemonset/agent agent=bad"}, texts.Daemon, 50_000,
			diagnosis.StateStuck, "bad-image", "1 pod of revision 2 waits for image bad", true},
		{"OnDelete", texts.Sets("updateStrategy: {type: OnDelete}", "", "minAvailable: 2"), []string{"kubectl set image statefulset/db db=db:2"}, texts.Set, 50_000,
			diagnosis.StateWaiting, "on-delete", "3 pods have an earlier template", false},
		{"a partition", texts.Sets("updateStrategy: {rollingUpdate: {partition: 2}}", "", "minAvailable: 2"), []string{"kubectl set image statefulset/db db=db:2"}, texts.Set, 50_000,
			diagnosis.StateComplete, "partition", "pods from db-2 up get the new template", true},
		{"a lost node", texts.Sets("", "", "minAvailable: 2"), []string{"kill node/node-1"}, texts.Set, 120_000,
			diagnosis.StateStuck, "node-lost", "1 pod is on node-1, whose kubelet has stopped reporting", false},
		{"a budget without room", texts.Sets("", "", "minAvailable: 100%"), nil, texts.Set, 50_000,
			diagnosis.StateComplete, "budget", "PodDisruptionBudget db allows no eviction: 3 healthy − 3 that must be = 0", true},
		{"a budget that needs every pod", texts.Sets("", "", "minAvailable: 3"), nil, texts.Set, 50_000,
			diagnosis.StateComplete, "budget", "PodDisruptionBudget db allows no eviction: 3 healthy − 3 that must be = 0", true},
		{"a budget that spares no pod", texts.Sets("", "", "maxUnavailable: 0"), nil, texts.Set, 50_000,
			diagnosis.StateComplete, "budget", "PodDisruptionBudget db allows no eviction: 3 healthy − 3 that must be = 0", true},
	} {
		r := runs.Lines(t, tt.text, tt.commands...)
		d := diagnosis.Of(r.Past(), tt.workload, r.Past().Find(tt.at), tt.at)
		f := findingIn(d, tt.id)
		if d.State != tt.state || f == nil || !strings.Contains(f.Text, tt.says) {
			t.Errorf("%s:\n%s", tt.name, diagnosisText(d, ""))
			continue
		}
		if !tt.fixes {
			continue
		}
		rec := r.Recording()
		for _, fix := range f.Fix {
			commands := slices.Clone(rec.Commands)
			for _, line := range strings.Split(fix.Command, " && ") {
				commands = append(commands, engine.Command{At: tt.at + 1, Run: line})
			}
			after := runs.Of(t, rec.Scenario, commands...)
			d = diagnosis.Of(after.Past(), tt.workload, after.Len()-1, after.Now())
			if findingIn(d, tt.id) != nil || d.State != diagnosis.StateComplete {
				t.Errorf("%s: %s does not fix it:\n%s", tt.name, fix.Command, diagnosisText(d, ""))
			}
		}
	}
}
