package print

import "testing"

// TestFilterComparesAsClientGo: the answers are those of k8s.io/client-go/util/jsonpath for the same JSON.
func TestFilterComparesAsClientGo(t *testing.T) {
	tree := map[string]any{
		"whole": []any{map[string]any{"x": 1.0, "y": 2.0, "n": "a"}, map[string]any{"x": 2.0, "y": 2.0, "n": "b"}, map[string]any{"n": "c"}},
		"parts": []any{map[string]any{"x": 1.5, "n": "a"}, map[string]any{"x": 2.5, "n": "b"}},
		"mixed": []any{map[string]any{"x": 1.5, "n": "a"}, map[string]any{"x": 1.0, "n": "b"}},
		"truth": []any{map[string]any{"x": true, "n": "a"}, map[string]any{"x": false, "n": "b"}},
		"trees": []any{map[string]any{"x": map[string]any{}, "n": "a"}},
	}
	const incompatible, invalid = "incompatible types for comparison", "invalid type for comparison"
	for _, c := range []struct{ path, want, err string }{
		{"{.whole[?(@.x==1)].n}", "a", ""},
		{"{.whole[?(@.x>1)].n}", "b", ""},
		{"{.whole[?(@.x >= 1)].n}", "a b", ""},
		{"{.whole[?(@.x!=1)].n}", "b", ""},
		{"{.whole[?(@.x==@.y)].n}", "b", ""},
		{"{.whole[?(@.x<@.y)].n}", "a", ""},
		{"{.whole[?(@.x)].n}", "a b", ""},
		{"{.whole[?(@.x==1.0)].n}", "", incompatible},
		{`{.whole[?(@.x=="1")].n}`, "", incompatible},
		{"{.whole[?(@.x==true)].n}", "", incompatible},
		{"{.whole[?(@.x==one)].n}", "", "unrecognized identifier one"},
		{"{.parts[?(@.x==1.5)].n}", "a", ""},
		{"{.parts[?(@.x>1.5)].n}", "b", ""},
		{"{.parts[?(@.x<=2.5)].n}", "a b", ""},
		{"{.parts[?(@.x>1)].n}", "", incompatible},
		{"{.mixed[?(@.x==1)].n}", "", incompatible},
		{"{.truth[?(@.x==true)].n}", "a", ""},
		{"{.truth[?(@.x!=true)].n}", "b", ""},
		{"{.truth[?(@.x<true)].n}", "", invalid},
		{"{.trees[?(@.x==1)].n}", "", invalid},
		{`{.whole[?(@.n>="b")].n}`, "b c", ""},
	} {
		template, err := ParseTemplate(c.path)
		got := ""
		if err == nil {
			got, err = template.Text(tree)
		}
		if err != nil && err.Error() != c.err || err == nil && (c.err != "" || got != c.want) {
			t.Errorf("%s: got %q, %v, want %q, %q", c.path, got, err, c.want, c.err)
		}
	}
}
