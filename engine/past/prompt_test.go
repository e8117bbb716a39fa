package past_test

import (
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/scenarios"
)

// TestPrompt: lines are completed from the cluster at a moment, and what changes nothing can be told before it is run.
func TestPrompt(t *testing.T) {
	run := runs.Of(t, scenarios.Text("first-rollout"))
	end := run.Past().Find(run.Now())
	for _, c := range []struct {
		typed  string
		record int
		kept   string
		want   []string
	}{
		{"get deploy ng", end, "get deploy ", []string{"nginx-deployment"}},
		{"get deploy ng", -1, "get deploy ", nil},
		{"set image deployment/nginx-deployment n", end, "set image deployment/nginx-deployment ", []string{"nginx="}},
		{"get pods -n ", end, "get pods -n ", []string{"default"}},
		{"rollout und", end, "rollout ", []string{"undo"}},
	} {
		if kept, got := run.Past().Complete(c.typed, c.record); kept != c.kept || !slices.Equal(got, c.want) {
			t.Errorf("%q after record %d: %q and %q, want %q and %q", c.typed, c.record, kept, got, c.kept, c.want)
		}
	}
	if object, a := run.Past().Edit(past.Parse("kubectl edit deploy nginx-deployment"), end); object != "Deployment/default/nginx-deployment" || a.Failed {
		t.Errorf("edit is about %q, %+v", object, a)
	}
	if object, a := run.Past().Edit(past.Parse("edit deploy/none"), end); object != "" || !a.Failed {
		t.Errorf("edit of nothing is about %q, %+v", object, a)
	}
	if past.Parse("get pods").Edits() {
		t.Error("get edits")
	}
	for line, want := range map[string]bool{"frobnicate": true, "scale --bogus": true, "scale deploy/none --replicas=1": false, "get pods": false} {
		if answer, refused := past.Parse(line).Refused(); refused != want || refused != (answer != "") {
			t.Errorf("%q: %q, %t", line, answer, refused)
		}
	}
}
