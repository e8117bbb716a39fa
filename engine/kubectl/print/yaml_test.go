package print

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestYAMLIsKubectls: the text is that of kubectl's own library, byte for byte.
func TestYAMLIsKubectls(t *testing.T) {
	trees := []map[string]any{
		{},
		{"a": []any{map[string]any{"b": 1, "c": nil, "": true}, 2.5, "x: y", "- z", "<&>\u2028", "null", "1e3", "0x10"}},
		{"long": strings.Repeat("word ", 4000), "lines": "a\nb\n", "list": []any{}, "map": map[string]any{}},
		{"number": int64(1) << 53, "negative": -7, "text": "\x1b[31m\t\u202e", "nested": map[string]any{"k": []any{[]any{1, 2}}}},
	}
	for _, tree := range trees {
		want, err := yaml.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		if got := TreeText(tree, "yaml"); got != string(want) {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
