package patch

import (
	"encoding/json"
	"testing"
)

// TestSizeIsThatOfTheText: the size is counted as encoding/json would write the value.
func TestSizeIsThatOfTheText(t *testing.T) {
	all := ""
	for r := range rune(0x2100) {
		all += string(r)
	}
	for _, v := range []any{
		nil, true, 1.5, json.Number("12"), "", all, "\xff<\uFFFD>\xc3", []any{}, []any{"a", 1.0, nil}, map[string]any{},
		map[string]any{"a&b": []any{map[string]any{"c": "d\n"}}, "e": false},
	} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got := new(sizer).of(v); got != len(text) {
			t.Errorf("%.40q: %d bytes, want %d", text, got, len(text))
		}
	}
}
