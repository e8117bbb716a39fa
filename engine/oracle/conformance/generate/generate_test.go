package generate

import (
	"strings"
	"testing"
)

// TestShrink simplifies a scenario in which only one command matters.
func TestShrink(t *testing.T) {
	differs := func(s *Scenario) bool {
		for _, c := range s.commands {
			if strings.Contains(c.run, "undo") {
				return true
			}
		}
		return false
	}
	for k := range 50 {
		s := New("deployment", 5, k)
		if !differs(s) {
			continue
		}
		small := Shrink(s, differs)
		m := *small.objects[0].(*deploymentManifest)
		if len(small.commands) != 1 || len(small.images) != 0 || m != (deploymentManifest{Image: m.Image}) {
			t.Errorf("scenario %d shrinks to\n%s", k, small.withTimeline(nil))
		}
	}
}
