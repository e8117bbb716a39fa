package help

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
)

// TestLimitsAreListed: the help has a row for each limit, in words.
func TestLimitsAreListed(t *testing.T) {
	html := apptest.HTML(limitsTable("en"))
	for _, want := range []string{"20,000", "1.5 MiB", "pods that the workloads want", "the run ends", "2,000 characters"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(html, "limit-") {
		t.Error("a limit has no words")
	}
}
