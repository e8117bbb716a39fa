package explain

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// TestReadExplainedFields: every field that something is said about is in the API, and nothing is said twice.
func TestReadExplainedFields(t *testing.T) {
	seen := map[string]bool{}
	for entry := range strings.Lines(explainText) {
		name, text, _ := strings.Cut(strings.TrimSuffix(entry, "\n"), " ")
		name = strings.TrimSuffix(name, "!")
		structName, field, hasField := strings.Cut(name, ".")
		switch {
		case seen[name] || text == "" || !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ")."):
			t.Errorf("twice, or no sentence: %s", entry)
		case structName == "*":
			structName = "Deployment"
		}
		seen[name] = true
		if _, _, ok := decode.FieldType(structName, field); hasField && !ok || !hasField && !slices.Contains(kinds.Stored(), api.Kind(name)) {
			t.Errorf("the API has no %s", name)
		}
	}
}
