package engine

import (
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/scenarios"
)

// goldenRuns computes every run that has a golden trace: the shipped scenarios and those of testdata.
func goldenRuns(t *testing.T) iter.Seq2[string, *Run] {
	t.Helper()
	return func(yield func(string, *Run) bool) {
		for _, name := range scenarios.Names() {
			if !yield(name, mustRun(t, scenarios.Text(name))) {
				return
			}
		}
		files, err := filepath.Glob("testdata/*.txtar")
		if err != nil || len(files) == 0 {
			t.Fatalf("no golden traces: %v", err)
		}
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(file, mustRun(t, string(archive.Files[0].Data))) {
				return
			}
		}
	}
}

// TestExplanationsAddUp evaluates every explanation of every golden trace.
func TestExplanationsAddUp(t *testing.T) {
	sums := 0
	for name, run := range goldenRuns(t) {
		for i := range run.records() {
			r := run.records()[i]
			if r.Why == nil || r.Why.Formula == "" {
				continue
			}
			sums++
			if got, err := cluster.Sum(r.Why); err != nil || got != r.Why.Value {
				t.Errorf("%s at %d ms, %s %q: %s: adds up to %d (%v)", name, r.At, r.Why.Rule, r.What, r.Why, got, err)
			}
		}
	}
	if sums < 1000 {
		t.Errorf("only %d explanations have a sum", sums)
	}
}

// TestEveryWriteIsExplained: every write in every golden trace has exactly one explanation: its own, with rule and source,
// or, if kubectl wrote it, the command. The cause of a controller's write is its reconcile.
func TestEveryWriteIsExplained(t *testing.T) {
	for name, run := range goldenRuns(t) {
		for i := range run.Len() {
			r := run.Record(i)
			if r.Kind != Write {
				continue
			}
			own := r.Why != nil && r.Why.Rule != "" && r.Why.Upstream != ""
			by := run.Past().Explanation(i)
			command := by >= 0 && by != i && run.Record(by).Kind == Input
			if own == command {
				t.Errorf("%s at %d ms: %s wrote %s (%q): explained by itself %t, by a command %t", name, r.T, r.Actor, r.Object, r.What, own, command)
			}
			sync := run.Past().SyncOf(i)
			isController := slices.Contains(reconcilers, r.Actor)
			if isController != (sync >= 0) && r.Actor != admission {
				t.Errorf("%s at %d ms: %s wrote %s in reconcile %d", name, r.T, r.Actor, r.Object, sync)
			} else if isController && run.Past().Cause(i) != sync {
				t.Errorf("%s at %d ms: the cause of %q is record %d, its reconcile is %d", name, r.T, r.What, run.Past().Cause(i), sync)
			}
		}
	}
}

// reconcilers are the controllers with a queue of keys. Those of nodes and taints act on each notification; upstream's have
// separate loops.
var reconcilers = []string{"deployment-controller", "replicaset-controller", "statefulset-controller", "daemonset-controller", "disruption-controller",
	"horizontal-pod-autoscaler", "endpointslice-controller"}

// admission increments a quota during the request that uses it.
const admission = "resourcequota-controller"

// TestReconciles: every reconcile records what woke it, its branch and rule, and, if it changed nothing, the reason.
func TestReconciles(t *testing.T) {
	for name, run := range goldenRuns(t) {
		for i := range run.Len() {
			r := run.Record(i)
			if r.Kind != Reconcile {
				continue
			}
			s := run.Past().Sync(i)
			if len(s.Wakes) == 0 || s.Woken < len(s.Wakes) || s.Last < i {
				t.Errorf("%s at %d ms: reconcile %+v", name, r.T, s)
			}
			if !r.Failed && (r.What == "" || r.Why == nil || r.Why.Rule == "" || r.Why.Upstream == "") {
				t.Errorf("%s at %d ms: %s does not say which way it took: %q %v", name, r.T, r.Actor, r.What, r.Why)
			}
			if s.Writes == 0 && !r.Failed && !strings.Contains(r.What, ", changes nothing: ") {
				t.Errorf("%s at %d ms: %s changed nothing and does not say why: %q", name, r.T, r.Object, r.What)
			}
			for j := i + 1; j <= s.Last; j++ {
				if other := run.Record(j); other.Actor != r.Actor && other.Actor != admission && other.Kind != Event || other.T != r.T {
					t.Errorf("%s at %d ms: a record of %s lies in a reconcile of %s", name, r.T, other.Actor, r.Actor)
				}
			}
		}
	}
}

// TestChain follows a pod of the second revision back to the command that asked for it.
func TestChain(t *testing.T) {
	run := mustRun(t, scenarios.Text("first-rollout"))
	last := -1
	for i := range run.Len() {
		if r := run.Record(i); r.What == "pod created" && r.T > 10000 {
			last = i
		}
	}
	var chain []string
	for _, i := range run.Past().Chain(last, 20) {
		r := run.Record(i)
		chain = append(chain, r.Kind.String()+" "+r.Actor+" "+r.What)
	}
	got := strings.Join(chain, "\n")
	for _, part := range []string{"reconcile replicaset-controller creates pods", "write deployment-controller Scaled up replica set", "write kubectl", "input kubectl"} {
		if !strings.Contains(got, part) {
			t.Errorf("the chain has no %q:\n%s", part, got)
		}
	}
}
