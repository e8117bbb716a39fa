package engine

import (
	"os"
	"strings"
	"testing"
)

// TestSurvivors: every mutant that testdata/survivors.txt excuses still has its line in the code, and a reason.
func TestSurvivors(t *testing.T) {
	list, err := os.ReadFile("testdata/survivors.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, entry := range strings.Split(string(list), "\n") {
		if entry == "" || entry[0] == '#' {
			continue
		}
		fields := strings.Split(entry, " | ")
		if len(fields) != 4 || fields[3] == "" {
			t.Errorf("line %d: a file, a part of a line, its change and the reason are wanted: %s", i+1, entry)
		} else if code, err := os.ReadFile(fields[0]); err != nil || !strings.Contains(string(code), fields[1]) {
			t.Errorf("line %d: %s has no %q (%v)", i+1, fields[0], fields[1], err)
		}
	}
}
