package session

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/scenarios"
)

// TestChangesBeforeApply: the text still has the image that the run has left, so applying it would roll back.
func TestChangesBeforeApply(t *testing.T) {
	s := New(true)
	s.LoadScenario(FirstScenario)
	for s.Compute(Slice) {
	}
	s.Cursor.ToEnd()
	if got := s.Document.Changes(s.Cursor.Record); got != "" {
		t.Errorf("an untouched text changes %q", got)
	}
	text := scenarios.Text(FirstScenario)
	for _, c := range []struct{ from, to, want string }{
		{"replicas: 10", "replicas: 4", "replicas 10 → 4, image nginx:1.19.1 → nginx:1.18.0"},
		{"maxSurge: 25%", "maxSurge: 0", "strategy.rollingUpdate.maxSurge 25% → 0, image nginx:1.19.1 → nginx:1.18.0"},
		{"        image: nginx:1.18.0", "        image: nginx:1.18.0\n        readinessProbe: {httpGet: {path: /ok, port: 80}}", "image nginx:1.19.1 → nginx:1.18.0, + readinessProbe.httpGet.path /ok, + readinessProbe.httpGet.port 80"},
		{"replicas: 10", "replicas: x", ""},
	} {
		edited := strings.Replace(text, c.from, c.to, 1)
		if edited == text {
			t.Fatalf("the lesson has no %s", c.from)
		}
		s.Document.Edit(edited)
		if got := s.Document.Changes(s.Cursor.Record); got != c.want {
			t.Errorf("%s: %q, want %q", c.to, got, c.want)
		}
	}
}

// TestChangesOfOtherObjects: a budget that changes with the image is named, too.
func TestChangesOfOtherObjects(t *testing.T) {
	s := New(true)
	s.LoadScenario("drain")
	for s.Compute(Slice) {
	}
	s.Cursor.ToEnd()
	text := strings.NewReplacer("  replicas: 3", "  replicas: 4", "  minAvailable: 2", "  minAvailable: 1").Replace(scenarios.Text("drain"))
	s.Document.Edit(text)
	if got := s.Document.Changes(s.Cursor.Record); !strings.Contains(got, "replicas 3 → 4") || !strings.Contains(got, "poddisruptionbudget/zk: minAvailable 2 → 1") {
		t.Errorf("it changes %q", got)
	}
}
