package patch

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/rollplay/rollplay/engine/breath"
)

// sizer counts how many bytes encoding/json would write for a value, without writing them: a list that doubles with each copy
// has half a million items before it is refused.
type sizer struct{ values int }

func (s *sizer) of(v any) int {
	if s.values++; s.values%1024 == 0 {
		breath.Take()
	}
	n := 2 // brackets, braces or quotes
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			n += 2 + escapedSize(k) + len(":") + s.of(e)
		}
		return n + max(0, len(v)-1)
	case []any:
		for _, e := range v {
			n += s.of(e)
		}
		return n + max(0, len(v)-1)
	case string:
		return n + escapedSize(v)
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic("patch: a value of a patch cannot be printed: " + err.Error())
	}
	return len(text)
}

// escapedSize returns how long a string is between its quotes.
func escapedSize(s string) (n int) {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch r {
		case '"', '\\', '\b', '\f', '\n', '\r', '\t':
			n += 2
		case '<', '>', '&', '\u2028', '\u2029':
			n += 6
		case utf8.RuneError:
			if n += size; size == 1 {
				n += 5
			}
		default:
			if n += size; r < ' ' {
				n += 5
			}
		}
	}
	return n
}
