package kubectl

import (
	"encoding/json"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// texts are strings of which each is awkward for YAML in its own way.
var texts = []string{"", " ", "a", "nginx:1.19.1", "true", "y", "null", "~", "1", "1.5", "-1", "+1", "0x1f", "0b11", "1e3", "1_000", "1e999",
	".5", ".", ".inf", "<<", "1:30", "12:61", "1:30.5", "-1:30:00", "a: b", "a:", ":a", ":", "?", "? a", "- a", "-", "-a", "---", "...", "#a", "a #b",
	"a#b", "*", "&a", "!a", "|", ">", "'", "it's", `"`, `say "x"`, "%", "@", "`", "{}", "[a]", "a,b", " a", "a ", "a  b", "tab\there", "a\nb", "a\n",
	"a\n\n", "\na", "\n", " a\nb", "a \nb", "a\n b", "a\n\nb\n", "bell\a", "ümlaut", "a\u00a0b", "😀", "\r", "a\rb",
	"2026-01-01T00:00:00Z", "2026-01-01", "2026-1-1 10:00:00", "2026-13-01", "25%", "100m", "1Gi", "{\"apiVersion\":\"v1\"}\n",
	"Error creating: pods \"web-5bf9f4b6c7-abcde\" is forbidden: exceeded quota: pods-quota, requested: pods=1, used: pods=4, limited: pods=4",
	"containers with unready status: [web] and some more words to make the line long enough that it is folded at a blank",
	"one two three four five six seven eight nine ten eleven twelve thirteen  fourteen fifteen sixteen seventeen",
	"\"one\" two three four five six seven eight nine ten eleven twelve thirteen \t fourteen  fifteen sixteen seventeen"}

// sameYAML compares what is written with what kubectl's library writes.
func sameYAML(t *testing.T, tree any) {
	t.Helper()
	want, err := yaml.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	if got := yamlText(tree); got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestReadYAML: every text stands in YAML as kubectl's own library writes it, as a value, in a list and as a key.
func TestReadYAML(t *testing.T) {
	for _, s := range texts {
		sameYAML(t, s)
		sameYAML(t, map[string]any{"a": s, "b": []any{s, map[string]any{"c": s, "d": []any{[]any{s, s}}}}})
		if fair(map[string]any{s: nil}) {
			sameYAML(t, map[string]any{s: "x"})
		}
	}
	sameYAML(t, map[string]any{"n": 1.0, "f": 0.25, "t": true, "z": nil, "m": map[string]any{}, "l": []any{}, "d": []any{map[string]any{}, []any{}}})
	sameYAML(t, map[string]any{"a10": 1.0, "a2": 1.0, "a/b": 1.0, "a.b": 1.0, "ab": 1.0, "A": 1.0, "a-b": 1.0, "10": 1.0, "a100": 1.0, "a01": 1.0})
}

// FuzzReadYAML: any JSON object.
func FuzzReadYAML(f *testing.F) {
	for _, s := range texts {
		b, _ := json.Marshal(map[string]any{"a": []any{s}, s: map[string]any{"b": s}})
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, text string) {
		var tree map[string]any
		if json.Unmarshal([]byte(text), &tree) != nil || tree == nil {
			t.Skip()
		}
		if _, err := yaml.Marshal(tree); err == nil && fair(tree) {
			sameYAML(t, tree)
		}
	})
}

// fair leaves out what no object has: long keys, keys of several lines, strange line ends, and numbers that are not small.
func fair(v any) bool {
	switch v := v.(type) {
	case string:
		return !strings.ContainsAny(v, "\u0085\u2028\u2029\ufeff\ufffe\uffff")
	case float64:
		return v == float64(int32(v))
	case []any:
		for _, e := range v {
			if !fair(e) {
				return false
			}
		}
	case map[string]any:
		for k, e := range v {
			if len(k) > 100 || strings.ContainsAny(k, "\n\r") || !fair(k) || !fair(e) {
				return false
			}
		}
	}
	return true
}
