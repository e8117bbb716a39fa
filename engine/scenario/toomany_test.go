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
