package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/judge"
	"github.com/rollplay/rollplay/engine/past"
)

// setsText is a StatefulSet db, a DaemonSet agent and a budget for db on three nodes; more is put into their specs.
func setsText(set, daemon, budget string) string {
	return fmt.Sprintf(`
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  images:
  - {match: "bad", pull: fails}
  - {match: "*", pull: 1s, start: 500ms, stop: 1s}
  duration: 10m
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 3
  %s
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "db:1"}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  %s
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: "agent:1"}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: db}
spec:
  %s
  selector: {matchLabels: {app: db}}
`, set, daemon, budget)
}

const (
	theSet    = "StatefulSet/default/db"
	theDaemon = "DaemonSet/default/agent"
)

func run(t *testing.T, text string, commands ...string) *Run {
	t.Helper()
	var list []Command
	for i, line := range commands {
		c := Command{At: int64(30_000 * (i + 1)), Run: line}
		if strings.HasPrefix(line, "kill ") {
			c.Run, c.Do = "", line
		}
		list = append(list, c)
	}
	return mustRun(t, text, list...)
}

// TestSetFrames: the counts and bounds of the other kinds. A StatefulSet has no surge and misses one pod at a time (S-18),
// a DaemonSet counts the nodes that should run it (DS-3).
func TestSetFrames(t *testing.T) {
	r := run(t, setsText("podManagementPolicy: Parallel", "", "minAvailable: 2"),
		"kubectl set image statefulset/db db=db:2", "kubectl set image daemonset/agent agent=agent:2",
		"kubectl taint nodes node-1 gpu=yes:NoSchedule")
	for _, workload := range []string{theSet, theDaemon} {
		least, most := 99, 0
		for _, f := range r.Frames(workload) {
			if f.T > 20_000 && f.T < 89_000 {
				least, most = min(least, f.Available), max(most, f.Total)
				if f.Upper != 3 || f.Lower != 2 || f.Desired != 3 {
					t.Fatalf("%s at %d: %+v", workload, f.T, f)
				}
			}
		}
		if least != 2 || most != 3 {
			t.Errorf("%s: between %d available and %d pods", workload, least, most)
		}
	}
	frames := r.Frames(theDaemon)
	if f := frames[len(frames)-1]; f.Desired != 2 || f.Upper != 2 || f.Lower != 1 || f.Total != 3 {
		t.Errorf("with a taint on one node: %+v", f)
	}
	if f := r.Frames(theSet); len(f[len(f)-1].ReplicaSets) != 2 || f[len(f)-1].ReplicaSets[1].Revision != 2 {
		t.Errorf("revisions: %+v", f[len(f)-1])
	}
	if images := r.Past().Images(theSet, frames[0].Workload); images != "" {
		t.Errorf("images of no revision: %q", images)
	}
	last := r.Frames(theSet)[len(r.Frames(theSet))-1]
	if got := r.Past().Images(theSet, last.ReplicaSets[0].Name) + " " + r.Past().Images(theSet, last.ReplicaSets[1].Name); got != "db:1 db:2" {
		t.Errorf("images %q", got)
	}
}

// TestLanes: the lanes of a StatefulSet are its ordinals from the last one down, those of a DaemonSet its nodes; with a surge
// a node has two for a while.
func TestLanes(t *testing.T) {
	r := run(t, setsText("updateStrategy: {rollingUpdate: {partition: 2}}", "updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}", "minAvailable: 2"),
		"kubectl set image statefulset/db db=db:2", "kubectl set image daemonset/agent agent=agent:2")
	names := func(lanes []past.Lane) (list []string) {
		for _, l := range lanes {
			var revisions []string
			for _, s := range l.Segments {
				if text := fmt.Sprintf("%d", s.Revision); s.State == past.PodAvailable && !slices.Contains(revisions, text) {
					revisions = append(revisions, text)
				}
			}
			list = append(list, l.Name+":"+strings.Join(revisions, ","))
		}
		return list
	}
	if got, want := strings.Join(names(r.Past().Lanes(theSet, 9)), " "), "db-2:1,2 db-1:1 db-0:1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := strings.Join(names(r.Past().Lanes(theSet, 1)), " "), "db-2:1,2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := strings.Join(names(r.Past().Lanes(theDaemon, 9)), " "), "node-1:1 node-1:2 node-2:1 node-2:2 node-3:1 node-3:2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if steps := r.Past().Partition(theSet); len(steps) != 1 || steps[0].Partition != 2 {
		t.Errorf("partition %v", steps)
	}
	if r.Past().Partition(theDaemon) != nil || r.Past().Lanes("Deployment/default/web", 9) != nil {
		t.Error("a DaemonSet has a partition, or a Deployment that is not there has lanes")
	}
}

// TestBudgets: a budget is shown with the workload that its selector matches, and the judge says that a rollout does not ask
// it (P-14).
func TestBudgets(t *testing.T) {
	r := run(t, setsText("", "", "minAvailable: 100%"), "kubectl rollout restart statefulset/db")
	if len(r.Past().Budgets(theDaemon)) != 0 {
		t.Error("the budget of db is shown with the DaemonSet")
	}
	budgets := r.Past().Budgets(theSet)
	if len(budgets) != 1 || budgets[0].Name != "db" {
		t.Fatalf("%+v", budgets)
	}
	if s, ok := budgets[0].At(r.Len() - 1); !ok || s.Desired != 3 || s.Current != 3 || s.Allowed != 0 {
		t.Errorf("at the end: %+v", s)
	}
	short := false
	j := judge.New(r.Past())
	for _, f := range r.Frames(theSet) {
		if f.T < 30_000 || f.T > 40_000 {
			continue
		}
		_, line := j.Line(theSet, f.Record)
		short = short || strings.Contains(line, "PodDisruptionBudget db wants 3 healthy and has 2: it limits only evictions, not rollouts (P-14).")
	}
	if !short {
		t.Error("the judge never says that the rollout ignores the budget")
	}
}

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
		{"a bad image in order", setsText("", "", "minAvailable: 2"), []string{"kubectl set image statefulset/db db=bad"}, theSet, 50_000,
			diagnosis.StateStuck, "bad-image", "1 pod of revision 2 waits for image bad", false},
		{"the template put right does not help (S-22)", setsText("", "", "minAvailable: 2"),
			[]string{"kubectl set image statefulset/db db=bad", "kubectl rollout undo statefulset/db"}, theSet, 80_000,
			diagnosis.StateStuck, "forced-rollback", "Pod db-2 is of revision 2 and was never Ready", true},
		{"a bad image of a DaemonSet", setsText("", "", "minAvailable: 2"), []string{"kubectl set image daemonset/agent agent=bad"}, theDaemon, 50_000,
			diagnosis.StateStuck, "bad-image", "1 pod of revision 2 waits for image bad", true},
		{"OnDelete", setsText("updateStrategy: {type: OnDelete}", "", "minAvailable: 2"), []string{"kubectl set image statefulset/db db=db:2"}, theSet, 50_000,
			diagnosis.StateWaiting, "on-delete", "3 pods have an earlier template", false},
		{"a partition", setsText("updateStrategy: {rollingUpdate: {partition: 2}}", "", "minAvailable: 2"), []string{"kubectl set image statefulset/db db=db:2"}, theSet, 50_000,
			diagnosis.StateComplete, "partition", "pods from db-2 up get the new template", true},
		{"a lost node", setsText("", "", "minAvailable: 2"), []string{"kill node/node-1"}, theSet, 120_000,
			diagnosis.StateStuck, "node-lost", "1 pod is on node-1, whose kubelet has stopped reporting", false},
		{"a budget without room", setsText("", "", "minAvailable: 100%"), nil, theSet, 50_000,
			diagnosis.StateComplete, "budget", "PodDisruptionBudget db allows no eviction: 3 healthy − 3 that must be = 0", true},
		{"a budget that needs every pod", setsText("", "", "minAvailable: 3"), nil, theSet, 50_000,
			diagnosis.StateComplete, "budget", "PodDisruptionBudget db allows no eviction: 3 healthy − 3 that must be = 0", true},
		{"a budget that spares no pod", setsText("", "", "maxUnavailable: 0"), nil, theSet, 50_000,
			diagnosis.StateComplete, "budget", "PodDisruptionBudget db allows no eviction: 3 healthy − 3 that must be = 0", true},
	} {
		r := run(t, tt.text, tt.commands...)
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
			after := mustRun(t, rec.Scenario, append(slices.Clone(rec.Commands), Command{At: tt.at + 1, Run: fix.Command})...)
			d = diagnosis.Of(after.Past(), tt.workload, after.Len()-1, after.Now())
			if findingIn(d, tt.id) != nil || d.State != diagnosis.StateComplete {
				t.Errorf("%s: %s does not fix it:\n%s", tt.name, fix.Command, diagnosisText(d, ""))
			}
		}
	}
}

// TestNodes: what the node view shows.
func TestNodes(t *testing.T) {
	r := run(t, setsText("", "", "minAvailable: 2"), "kubectl cordon node-2", "kill node/node-3")
	rows, all := r.Past().Nodes(r.Past().Find(40_000), 2)
	if all != 3 || len(rows) != 2 || rows[1].Status != "Ready,SchedulingDisabled" || !rows[1].Cordoned || rows[0].Pods != 2 ||
		rows[1].Taints != "node.kubernetes.io/unschedulable:NoSchedule" {
		t.Errorf("%d nodes: %+v", all, rows)
	}
	if r.Past().IsDown("node-3", r.Past().Find(50_000)) || !r.Past().IsDown("node-3", r.Past().Find(61_000)) || r.Past().IsDown("node-1", r.Len()-1) {
		t.Error("node-3 is down from 60 s on, and no other one")
	}
	rows, _ = r.Past().Nodes(r.Past().Find(200_000), 9)
	if rows[2].Ready || !strings.HasPrefix(rows[2].Status, "NotReady") {
		t.Errorf("the killed node: %+v", rows[2])
	}
}

// TestApplyMerged: what is wrong with a manifest is told with the values that the merge gives, as the server tells it: they have the
// default bounds of the stored object. A new object has only its own.
func TestApplyMerged(t *testing.T) {
	const manifest = "apiVersion: apps/v1\nkind: %s\nmetadata: {name: %s}\nspec:\n  updateStrategy: {type: Foo}\n  selector: {matchLabels: {app: x}}\n" +
		"  template:\n    metadata: {labels: {app: x}}\n    spec: {containers: [{name: x, image: x}]}\n"
	for _, tt := range []struct{ kind, name, want string }{
		{"StatefulSet", "db", `Invalid value: {"Type":"Foo","RollingUpdate":{"Partition":0,"MaxUnavailable":1}}: must be 'RollingUpdate' or 'OnDelete'`},
		{"StatefulSet", "new", `Invalid value: {"Type":"Foo","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`},
		{"DaemonSet", "agent", `Unsupported value: {"Type":"Foo","RollingUpdate":{"MaxUnavailable":1,"MaxSurge":0}}: supported values: "RollingUpdate", "OnDelete"`},
	} {
		for _, verb := range []string{"apply", "diff"} {
			command := verb + " -f - <<EOF\n" + fmt.Sprintf(manifest, tt.kind, tt.name) + "EOF"
			r := run(t, setsText("", "", "maxUnavailable: 1"), command)
			record := r.Past().LastInput(r.Past().Find(30_000))
			got := r.Past().Transcript(record).Text()
			if want := "error: document 1, line 5: spec.updateStrategy: " + tt.want; got != want {
				t.Errorf("%s of %s/%s: %s, want %s", verb, tt.kind, tt.name, got, want)
			}
		}
	}
}
