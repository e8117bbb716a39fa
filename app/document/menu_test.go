package document

import (
	"strings"
	"testing"
)

// TestDamagedCurves: what the storage holds draws paths, and nothing else.
func TestDamagedCurves(t *testing.T) {
	for _, paths := range []string{"", "M0 1", `M0 1"/><script>|M0 1`, "M0 1|<"} {
		if html := curve(paths); strings.Contains(html, "script") || !strings.Contains(html, `d="M0 15"`) {
			t.Errorf("%q draws %s", paths, html)
		}
	}
	if html := curve("M0 1H48|M0 2H48"); !strings.Contains(html, `d="M0 2H48"`) {
		t.Errorf("no curve: %s", html)
	}
}
