package pages

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/scenarios"
)

// TestCorePath: the core has ten lessons in the order of the gallery, each needs only lessons of the core before it, and the last one is an
// exercise.
func TestCorePath(t *testing.T) {
	core, last := scenarios.Core, -1
	for i, name := range core {
		at := slices.Index(scenarios.Names(), name)
		if at <= last {
			t.Errorf("%s is not a lesson, or not behind the one before it", name)
		}
		last = at
		for _, need := range scenarios.Needs(name) {
			if !slices.Contains(core[:i], need) {
				t.Errorf("%s needs %s, which is not in the core before it", name, need)
			}
		}
	}
	if len(core) != 10 || !strings.Contains(scenarios.Text(core[9]), "\n  goal:\n") {
		t.Errorf("%d lessons: %v", len(core), core)
	}
}
