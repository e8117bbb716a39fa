package past_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/scenarios"
)

// diffOf returns the diff of the first write at or after a moment, of an object of a kind, whose text has a prefix; one line
// per field.
func diffOf(t *testing.T, run *engine.Run, from int64, kind, what string) string {
	t.Helper()
	for i := range run.Len() {
		r := run.Record(i)
		if r.Kind != engine.Write || r.T < from || !strings.HasPrefix(r.Object, kind+"/") || !strings.HasPrefix(r.What, what) {
			continue
		}
		var lines []string
		for _, c := range run.Past().Diff(i) {
			lines = append(lines, fmt.Sprintf("%s %s → %s", c.Path, c.Old, c.New))
		}
		return strings.Join(lines, "\n")
	}
	t.Fatalf("no write %q of a %s", what, kind)
	return ""
}

// TestDiff reads the diffs of the first rollout: which fields a creation, a scaling, a status, a binding and a deletion
// write.
func TestDiff(t *testing.T) {
	run := runs.Of(t, scenarios.Text("first-rollout"))
	for _, tt := range []struct {
		kind, what string
		from       int64
		want       string
	}{
		{"ReplicaSet", "Scaled down", 10_000, `
spec.replicas 10 → 8
metadata.generation 1 → 2`},
		{"Deployment", "image set", 10_000, `
spec.template.spec.containers[nginx].image nginx:1.18.0 → nginx:1.19.1
metadata.generation 1 → 2`},
		{"Deployment", "status", 10_001, `
metadata.annotations[deployment.kubernetes.io/revision] 1 → 2
status.conditions[Progressing].lastUpdateTime 2026-01-01T00:00:04Z → 2026-01-01T00:00:10Z
status.conditions[Progressing].message ReplicaSet "nginx-deployment-69b4676775" has successfully progressed. → Created new replica set "nginx-deployment-6995cff995"
status.conditions[Progressing].reason NewReplicaSetAvailable → NewReplicaSetCreated`},
		{"ReplicaSet", "ReplicaSet created", 0, `
spec.replicas  → 10
spec.selector.matchLabels[app]  → nginx
spec.selector.matchLabels[pod-template-hash]  → 69b4676775
spec.template  → (13 fields)
metadata.annotations[deployment.kubernetes.io/desired-replicas]  → 10
metadata.annotations[deployment.kubernetes.io/max-replicas]  → 13
metadata.annotations[deployment.kubernetes.io/revision]  → 1
metadata.labels[app]  → nginx
metadata.labels[pod-template-hash]  → 69b4676775
metadata.ownerReferences[nginx-deployment]  → Deployment`},
		{"Pod", "bound", 0, `
spec.nodeName  → node-1
status.conditions[PodScheduled].lastTransitionTime  → 2026-01-01T00:00:00Z
status.conditions[PodScheduled].status  → True`},
		{"Pod", "pod deleted", 10_000, `
metadata.deletionGracePeriodSeconds  → 30
metadata.deletionTimestamp  → 2026-01-01T00:00:40Z
metadata.generation 1 → 2`},
	} {
		if got := diffOf(t, run, tt.from, tt.kind, tt.what); got != strings.TrimSpace(tt.want) {
			t.Errorf("%s, %s:\n%s\nwant%s", tt.kind, tt.what, got, tt.want)
		}
	}
	started := diffOf(t, run, 0, "Pod", "container started")
	for _, want := range []string{"status.phase Pending → Running", "status.containerStatuses[nginx].ready false → true",
		"status.containerStatuses[nginx].state.waiting.reason ContainerCreating → "} {
		if !strings.Contains(started+"\n", want+"\n") {
			t.Errorf("no %q in\n%s", want, started)
		}
	}
}

// TestDiffOfAScaling: scaling writes the annotations that the next sync compares (D-26) together with the replicas.
func TestDiffOfAScaling(t *testing.T) {
	run := runs.Of(t, scenarios.Text("first-rollout"), engine.Command{At: 9000, Run: "scale deployment/nginx-deployment --replicas=12"})
	want := `spec.replicas 10 → 12
metadata.annotations[deployment.kubernetes.io/desired-replicas] 10 → 12
metadata.annotations[deployment.kubernetes.io/max-replicas] 13 → 15
metadata.generation 1 → 2`
	if got := diffOf(t, run, 9001, "ReplicaSet", "Scaled up"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestDiffOfEveryWrite: every write of every shipped scenario has between one field and a screenful, each once; no other
// record has any.
func TestDiffOfEveryWrite(t *testing.T) {
	for _, name := range scenarios.Names() {
		run := runs.Of(t, scenarios.Text(name))
		for i := range run.Len() {
			r := run.Record(i)
			diff := run.Past().Diff(i)
			if (len(diff) > 0) != (r.Kind == engine.Write) || len(diff) > past.DiffMax+1 {
				t.Fatalf("%s, record %d, %s %s: %d fields", name, i, r.Object, r.What, len(diff))
			}
			seen := map[string]bool{}
			for _, c := range diff {
				if seen[c.Path] || c.Path == "" || c.Old == c.New {
					t.Errorf("%s, record %d, %s %s: %+v", name, i, r.Object, r.What, c)
				}
				seen[c.Path] = true
			}
		}
	}
}

// TestLastWrite compares the index of writes with a scan of all records, also while the run grows.
func TestLastWrite(t *testing.T) {
	run, _ := engine.Start(engine.Recording{Scenario: scenarios.Text("first-rollout")})
	for done := false; !done; {
		done = run.Advance(100)
		last := map[string]int{}
		for i := range run.Len() {
			if r := run.Record(i); r.Kind == engine.Write {
				last[r.Object] = i
			}
			if o := run.Record(i).Object; o != "" {
				want, ok := last[o]
				if !ok {
					want = -1
				}
				if got := run.Past().LastWrite(o, i); got != want {
					t.Fatalf("%s at record %d: %d, want %d", o, i, got, want)
				}
			}
		}
	}
	if got := run.Past().LastWrite("Node/node-1", run.Len()); got < 0 || run.Record(got).Object != "Node/node-1" {
		t.Errorf("an object without a namespace was last written in record %d", got)
	}
	if got := run.Past().LastWrite("Pod/default/nobody", run.Len()); got != -1 {
		t.Errorf("an object that never was has been written in record %d", got)
	}
}

// BenchmarkDiff is the diff of a Deployment's status, which changes most often.
func BenchmarkDiff(b *testing.B) {
	run := runs.Of(b, scenarios.Text("first-rollout"))
	i := run.Past().LastWrite("Deployment/default/nginx-deployment", run.Len())
	b.ReportAllocs()
	for b.Loop() {
		if len(run.Past().Diff(i)) == 0 {
			b.Fatal("nothing")
		}
	}
}
