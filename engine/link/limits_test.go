package link

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

// TestLimits: what is exactly as long as allowed is read, and one more is refused.
func TestLimits(t *testing.T) {
	if _, e := fails(t, strings.Repeat("x", fragmentMax)); !strings.Contains(e.Message, "not a rollplay link") {
		t.Errorf("a fragment of the greatest length: %v", e)
	}
	empty := checksum(nil)
	for _, tt := range []struct {
		what string
		body []byte
		want string // of the message; "" opens
	}{
		{"a body of the greatest length", bodyOf(bodyMax), ""},
		{"one byte more", bodyOf(bodyMax + 1), "more than 1048576 bytes"},
		{"a scenario that is only a checksum", append([]byte{keyScenario, sumSize}, empty[:]...), "the checksum of its scenario does not match"},
		{"a shipped scenario that is only a checksum", append([]byte{keyPreset, sumSize}, empty[:]...), "its scenario has no name"},
		{"a name of the greatest length", named(wordMax - sumSize), "which this rollplay does not have"},
		{"one letter more", named(wordMax - sumSize + 1), "its scenario has no name"},
	} {
		for _, fragment := range []string{pack(tagRaw, tt.body), pack(tagDeflate, deflate(tt.body))} {
			_, err := Decode(fragment, scenarios.Text)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%s as %c: got %v, want %q", tt.what, fragment[2], err, tt.want)
			}
		}
	}
	longest := deflate(bodyOf(bodyMax))
	if _, e := fails(t, pack(tagDeflate, append(longest, longest...))); !strings.Contains(e.Message, "is damaged") {
		t.Errorf("something behind a body of the greatest length: %v", e)
	}
}

// bodyOf is a body of n bytes, with a draft.
func bodyOf(n int) []byte {
	const length = 3 // bytes of its number
	return append([]byte{keyDraft, byte(n-1-length) | 0x80, byte((n-1-length)>>7) | 0x80, byte((n - 1 - length) >> 14)}, strings.Repeat("x", n-1-length)...)
}

// named is a shipped scenario with a name of n letters.
func named(n int) []byte {
	size := sumSize + n
	return append([]byte{keyPreset, byte(size) | 0x80, byte(size >> 7), 0, 0, 0, 0}[:3+sumSize], strings.Repeat("x", n)...)
}

// TestLanguageTags: a tag has letters and hyphens, at most as many as a word.
func TestLanguageTags(t *testing.T) {
	long := strings.Repeat("z", wordMax)
	for _, tag := range []string{"az", "AZ", "zh-Hant", long} {
		if l, err := Decode("s=recreate"+langOption+tag, scenarios.Text); err != nil || l.Lang != tag {
			t.Errorf("%.20q: got %.20q, %v", tag, l.Lang, err)
		}
	}
	for _, tag := range []string{"a`", "a{", "a@", "a[", "a1", "zh-", long + "z"} {
		if isTag(tag) {
			t.Errorf("%.20q is a tag", tag)
		}
	}
}

// TestCutOffAfter: the message of a link that is cut off says how many characters there are, also if their number makes no whole byte.
func TestCutOffAfter(t *testing.T) {
	own := encode(t, Link{Recording: engine.Recording{Scenario: ownText}})
	for _, n := range []int{4, 5, 6} {
		if _, e := fails(t, own[:n]); !strings.Contains(e.Message, fmt.Sprintf("cut off: it ends after %d characters", n)) {
			t.Errorf("%d characters: %v", n, e)
		}
	}
}
