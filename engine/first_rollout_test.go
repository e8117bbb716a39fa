package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/scenarios"
)

// TestFirstRollout asserts what the first scenario claims: 3 new pods and 8 old ones from the same sync, 5 new ones
// from the next, then one by one, never above 13 and never below 8 (D-50a to D-50g).
func TestFirstRollout(t *testing.T) {
	run := mustRun(t, scenarios.Text("first-rollout"))
	var scalings []string
	var at []int64
	for i := range run.Len() {
		if r := run.Record(i); r.Reason == "ScalingReplicaSet" && r.T >= 10_000 {
			words := strings.Fields(r.Message)
			scalings = append(scalings, words[1]+" "+strings.Join(words[len(words)-4:], " "))
			at = append(at, r.T)
		}
	}
	want := []string{"up from 0 to 3", "down from 10 to 8", "up from 3 to 5"}
	if len(scalings) < 3 || !slices.Equal(scalings[:3], want) {
		t.Fatalf("the rollout begins with %q, want %q", scalings, want)
	}
	if at[0] != at[1] || at[2] == at[1] {
		t.Errorf("the first two must come from one sync and the third from the next: at %v", at[:3])
	}
	if last := scalings[len(scalings)-1]; !strings.HasSuffix(last, "to 0") {
		t.Errorf("the rollout ends with %q", last)
	}
	frames := run.Frames("Deployment/default/nginx-deployment")
	if f := frames[len(frames)-1]; f.Updated != 10 || f.Available != 10 || f.Total != 10 || f.Terminating != 0 {
		t.Errorf("at the end: %+v", f)
	}
	for _, f := range frames {
		if f.Upper != 13 || f.Lower != 8 || f.Total > 13 || f.T >= 10_000 && f.Available < 8 {
			t.Errorf("at %d ms: %d pods, %d available, bounds %d and %d", f.T, f.Total, f.Available, f.Upper, f.Lower)
		}
	}
}

// TestJSON asserts the names that scripts rely on, and the order of the lines.
func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJSON(&b, mustRun(t, scenarios.Text("first-rollout"))); err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{
		"record": {"t", "actor", "object", "what"},
		"event":  {"t", "type", "reason", "object", "message"},
		"frame":  {"t", "workload", "desired", "total", "ready", "available", "updated", "terminating", "upper", "lower", "replicaSets"},
	}
	seen, last, sums := map[string]int{}, 0.0, 0
	for i, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		kind := fmt.Sprint(o["kind"])
		seen[kind]++
		for _, name := range names[kind] {
			if _, ok := o[name]; !ok {
				t.Errorf("line %d, a %s, has no %q: %s", i+1, kind, name, line)
			}
		}
		if now := o["t"].(float64); now < last {
			t.Errorf("line %d goes back in time: %s", i+1, line)
		} else {
			last = now
		}
		if why, ok := o["why"].(map[string]any); ok && why["rule"] == "D-52" {
			sums++
			for _, name := range []string{"formula", "value", "upstream"} {
				if _, ok := why[name]; !ok {
					t.Errorf("line %d: why has no %q", i+1, name)
				}
			}
		}
		if kind == "frame" {
			for _, rs := range o["replicaSets"].([]any) {
				for _, name := range []string{"name", "revision", "spec", "replicas", "ready", "available"} {
					if _, ok := rs.(map[string]any)[name]; !ok {
						t.Errorf("line %d: a ReplicaSet has no %q", i+1, name)
					}
				}
			}
		}
	}
	if len(seen) != 3 || seen["record"] == 0 || seen["event"] == 0 || seen["frame"] == 0 || sums == 0 {
		t.Errorf("kinds of lines: %v, sums of D-52: %d", seen, sums)
	}
}
