package browser

import (
	"strings"

	"github.com/rollplay/rollplay/engine/words"
)

// visible makes JavaScript read the escape of a hidden character, not the character: in the JSON of a text, \u202e becomes
// \\u202e.
func visible(json string) string {
	json = words.Visible(json)
	var b strings.Builder
	for {
		i := strings.IndexByte(json, '\\')
		if i < 0 {
			break
		}
		b.WriteString(json[:i])
		if hides(json[i+1:]) {
			b.WriteByte('\\')
		}
		b.WriteString(json[i : i+2])
		json = json[i+2:]
	}
	if b.Len() == 0 {
		return json
	}
	return b.String() + json
}

// hides says whether a hidden character is written behind a backslash. Marshal writes \u for these and for <, > and &.
func hides(escape string) bool {
	switch escape[0] {
	case 'b', 'f', 'r':
		return true
	case 'u':
		return !strings.HasPrefix(escape, "u003") && !strings.HasPrefix(escape, "u0026") && !strings.HasPrefix(escape, "ufffd")
	}
	return false
}
