package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/limits"
)

// TestTooManyOfAKindEndReading: the first object beyond a kind's limit is refused at its line, and nothing behind it is decoded. Autoscalers
// count only if the scenario has a load for their target, wherever in the text that stands.
func TestTooManyOfAKindEndReading(t *testing.T) {
	const scaler = "---\n{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h%d}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 20}}\n"
	const quota = "---\n{apiVersion: v1, kind: ResourceQuota, metadata: {name: q%d}, spec: {hard: {pods: 5}}}\n"
	items := func(n int, text string) string { // a document of two lines each
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, text, i)
		}
		return b.String()
	}
	wrong := func(text string) string { return strings.Replace(text, "spec:", "spek:", 1) } // would be reported if it were decoded
	scalers, quotas := limits.Scalers, limits.Quotas
	tests := []struct {
		name, text string
		read, line int // line 0: nothing is refused
	}{
		{"quotas", items(quotas+1, quota) + wrong(fmt.Sprintf(quota, 999)), quotas + 1, 2 * (quotas + 1)},
		{"as many quotas as may be", items(quotas, quota), quotas, 0},
		{"autoscalers", items(scalers+1, scaler) + wrong(fmt.Sprintf(scaler, 999)), scalers + 1, 2 * (scalers + 1)},
		{"as many autoscalers as may be", items(scalers, scaler), scalers, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Read(tt.text)
			_, d := r.Scenario()
			var errors []Diagnostic
			for _, x := range d {
				if !x.Warning && !strings.HasPrefix(x.Message, "no objects passed") {
					errors = append(errors, x)
				}
			}
			if len(r.objects) != tt.read {
				t.Errorf("%d objects are read, want %d", len(r.objects), tt.read)
			}
			switch {
			case tt.line == 0 && len(errors) > 0:
				t.Errorf("refused: %v", errors)
			case tt.line > 0 && (len(errors) != 1 || errors[0].Line != tt.line || !strings.HasPrefix(errors[0].Message, "rollplay simulates at most ")):
				t.Errorf("%v, want one error at line %d", errors, tt.line)
			}
			if _, d := r.Manifests(); failed(d) != (tt.line > 0) {
				t.Errorf("kubectl apply is told %v", d)
			}
		})
	}
}

// TestTooManyPods: the workloads of a text want no more pods than rollplay simulates, and a StatefulSet not more than its limit. A text
// has no room for more objects, and so none for more workloads, than there may be.
func TestTooManyPods(t *testing.T) {
	workload := func(kind, name string, replicas int) string {
		return fmt.Sprintf("---\n{apiVersion: apps/v1, kind: %s, metadata: {name: %s}, spec: {replicas: %d, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, "+
			"spec: {containers: [{name: a, image: b}]}}}}\n", kind, name, replicas)
	}
	node := strings.Replace(workload("DaemonSet", "d", 0), "replicas: 0, ", "", 1)
	const spec = "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  goal:\n"
	const nodes = "---\napiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {nodes: {count: 10}}\n"
	pod := func(n int) string {
		return "---\napiVersion: v1\nkind: List\nitems:\n" + strings.Repeat("- {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: i}]}}\n", n)
	}
	named := func(text string) string {
		for i := 0; strings.Contains(text, "name: p}"); i++ {
			text = strings.Replace(text, "name: p}", fmt.Sprintf("name: p%d}", i), 1)
		}
		return text
	}
	for _, c := range []struct{ name, text, want string }{
		{"as many pods", workload("Deployment", "a", limits.Pods-1) + workload("ReplicaSet", "b", 1), ""},
		{"one pod more", workload("Deployment", "a", limits.Pods) + workload("Deployment", "b", 1) + workload("Deployment", "c", 1),
			"document 2, line 4: rollplay simulates at most 20000 pods; up to here the workloads want 20001"},
		{"a pod of a DaemonSet on each node", nodes + workload("Deployment", "a", limits.Pods-10) + node, ""},
		{"one node too many", nodes + workload("Deployment", "a", limits.Pods-9) + node, "document 3, line 8: rollplay simulates at most 20000 pods; up to here the workloads want 20001"},
		{"as many ordinals", workload("StatefulSet", "a", limits.Ordinals), ""},
		{"one ordinal more", workload("StatefulSet", "a", limits.Ordinals+1), "document 1, line 2: rollplay simulates at most 2500 pods of a StatefulSet, not 2501"},
		{"as many objects", named(pod(limits.Objects)), ""},
		{"as many goals", spec + strings.Repeat("  - {text: a, commands: 1}\n", limits.Goals) + workload("Deployment", "a", 1), ""},
		{"one goal more", spec + strings.Repeat("  - {text: a, commands: 1}\n", limits.Goals+1) + workload("Deployment", "a", 1),
			"document 1, line 25: spec.goal: Too many: 21: must have at most 20 items"},
		{"one object more", named(pod(limits.Objects + 1)), "document 1, line 2005: the text has more than 2000 objects; rollplay reads at most that many"},
	} {
		got := ""
		if s, diagnostics := Parse(c.text); s == nil && len(diagnostics) == 1 {
			got = diagnostics[0].String()
		} else if s == nil {
			got = fmt.Sprint(len(diagnostics), " problems: ", diagnostics)
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if limits.Workloads < limits.Objects {
		t.Error("a text can have more workloads than there may be")
	}
}
