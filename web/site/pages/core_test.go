package pages

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/scenarios"
)

// TestCorePath: the gallery's core path has ten lessons in the order of the page, and the last one is an exercise.
func TestCorePath(t *testing.T) {
	text, err := os.ReadFile("../../shell/gallery.html")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`data-names="([^"]*)"`).FindSubmatch(text)
	if m == nil {
		t.Fatal("there is no core path")
	}
	names, last := strings.Fields(string(m[1])), -1
	for _, name := range names {
		at := slices.Index(scenarios.Names(), name)
		if at <= last {
			t.Errorf("%s is not a lesson, or not behind the one before it", name)
		}
		last = at
	}
	if len(names) != 10 || !strings.Contains(scenarios.Text(names[9]), "\n  goal:\n") {
		t.Errorf("%d lessons: %v", len(names), names)
	}
}
