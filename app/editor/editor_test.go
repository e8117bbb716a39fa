package editor

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/engine"
)

func TestDiagnosticsAreTextWithALine(t *testing.T) {
	html := apptest.HTML(&view{Diags: []engine.Diagnostic{
		{Line: 3, Column: 5, Field: "spec.replica", Message: "unknown field"}, {Line: 9, Message: "odd", Warning: true},
	}})
	for _, want := range []string{"line 3", "spec.replica: unknown field", "line 9", "errors: 1"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q", want)
		}
	}
}
