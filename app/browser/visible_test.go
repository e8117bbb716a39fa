package browser

import (
	"encoding/json"
	"testing"
)

// TestJSONShowsWhatHides: JavaScript reads an escape for each hidden character, and every other text as it is.
func TestJSONShowsWhatHides(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "web": "web", `a\b"c<d>&e` + "\n\t\ufffd 滚动": `a\b"c<d>&e` + "\n\t\ufffd 滚动",
		"\x1b[31m\b\f\r\x7f": `\u001b[31m\b\f\r\u007f`, "\u202eexe\u2028\U000e0041": `\u202eexe\u2028\udb40\udc41`,
		`\u202e`: `\u202e`,
	} {
		var got []string
		if err := json.Unmarshal([]byte(JSON([]string{text})), &got); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%q: got %q (%v), want %q", text, got, err, want)
		}
	}
}
