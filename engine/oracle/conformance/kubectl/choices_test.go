package kubectl

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
)

// TestChoicesOfTextsExplainTextsOnly: where both print the same, a choice about words explains neither what is written, nor when, nor
// the exit code.
func TestChoicesOfTextsExplainTextsOnly(t *testing.T) {
	const text = "deployment.apps/web scaled\n"
	for _, line := range []string{"scale deploy --all --replicas=2", "label deploy web a=b -o json", "describe pods", "drain node-1", "help", "wait pods --all"} {
		for _, what := range []string{"objects", "exit code", "stderr", "stream"} {
			d := Difference{What: what, Real: realkubectl.Answer{Line: line, Text: text}, Ours: realkubectl.Answer{Line: line, Text: text}}
			d.Real.Changed = map[string]json.RawMessage{"/deployments/default/web": json.RawMessage(`{"spec":{"replicas":2}}`)}
			d.Real.Lines = []realkubectl.TimedLine{{At: time.UnixMilli(0), Text: text}}
			d.Ours.Lines = []realkubectl.TimedLine{{At: time.UnixMilli(5000), Text: text}}
			if choice := choiceFor(&d); choice != "" {
				t.Errorf("%s: %q explains other %s", line, choice, what)
			}
		}
	}
}

// TestCache: each object of kubectl wait may be looked at 100 ms later than the one before.
func TestCache(t *testing.T) {
	lines := func(at ...int64) (list []realkubectl.TimedLine) {
		for i, name := range []string{"pod/a condition met", "pod/b condition met"}[:len(at)] {
			list = append(list, realkubectl.TimedLine{At: time.UnixMilli(at[i]), Text: name})
		}
		return list
	}
	gone := realkubectl.TimedLine{At: time.UnixMilli(1400), Text: `Error from server (NotFound): pods "b" not found`}
	for _, tt := range []struct {
		name string
		real []realkubectl.TimedLine
		want bool
	}{
		{"at once", lines(1000, 1000), true},
		{"each 100 ms later", lines(1100, 1200), true},
		{"too late", lines(1300, 1300), false},
		{"earlier", lines(900, 900), false},
		{"one is missing", lines(1100), false},
		{"one is gone by then", append(lines(1100), gone), true},
		{"one more", append(lines(1100, 1200), gone), false},
	} {
		d := Difference{What: "stream", Real: realkubectl.Answer{Lines: tt.real}, Ours: realkubectl.Answer{Lines: lines(1000, 1000)}}
		if got := soon(&d); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
