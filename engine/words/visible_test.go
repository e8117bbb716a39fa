package words

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"": "",
		"plain text: 25 %\n\tübung 滚动 👩‍💻": "plain text: 25 %\n\tübung 滚动 👩‍💻",
		"nginx:1\x1b]0;PWN\a\x1b[31m":      `nginx:1\x1b]0;PWN\x07\x1b[31m`,
		"a\rb\x00\x7f":                     `a\x0db\x00\u007f`,
		"a\u0085b\u009b31m":                `a\u0085b\u009b31m`,
		"safe\u202eexe.txt\u2066\u200f":    `safe\u202eexe.txt\u2066\u200f`,
		"\xff\xc3(":                        `\xff\xc3(`,
		"tag\U000e0041":                    `tag\udb40\udc41`,
		"\ufeffmark \ufffd":                "\\ufeffmark \ufffd",
		"می\u200cخواهم":                    "می\u200cخواهم",
	} {
		if got := Visible(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestVisibleIsComplete: of the characters that Unicode calls controls or formats, none stays but those that shape letters,
// and what is visible once stays as it is.
func TestVisibleIsComplete(t *testing.T) {
	const kept = "\n\t\u200c\u200d"
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.In(r, unicode.Cc, unicode.Bidi_Control) || strings.ContainsRune(kept, r) {
			continue
		}
		got := Visible("a" + string(r) + "b")
		if strings.ContainsRune(got, r) || Visible(got) != got {
			t.Errorf("%U is shown as %q", r, got)
		}
	}
}

// TestVisibleJSON: JSON means the same afterwards.
func TestVisibleJSON(t *testing.T) {
	text := "a\x1b\x7f\u0085\u202e\u2028\U000e0041 \\ \" b"
	raw, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	if err := json.Unmarshal([]byte(Visible(string(raw))), &got); err != nil || got != text {
		t.Errorf("got %q (%v), want %q", got, err, text)
	}
}

func TestVisibleCopiesNothingWithoutNeed(t *testing.T) {
	text := strings.Repeat("nginx-deployment 滚动 ", 100)
	if n := testing.AllocsPerRun(10, func() { Visible(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
