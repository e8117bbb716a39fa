package words

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Visible returns a text in which every character that hides, moves or deletes others is written as an escape: \x1b, \u202e.
// Names and texts come from strangers. A terminal obeys control characters, and a bidirectional override shows "exe.txt" for
// "txt.exe". Line breaks and tabs stay, and so do joiners, which scripts and emoji need. An invalid byte is written as \xff.
//
// All escapes but those of single bytes are also escapes of JSON with the same meaning, so JSON stays valid: it has neither
// controls nor invalid bytes.
func Visible(text string) string {
	i := hidden(text)
	if i < 0 {
		return text
	}
	var b strings.Builder
	for i >= 0 {
		b.WriteString(text[:i])
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			r = rune(text[i])
		}
		writeEscape(&b, r, size == 1 && r != 0x7f)
		text = text[i+size:]
		i = hidden(text)
	}
	b.WriteString(text)
	return b.String()
}

// hidden returns the index of the first character to escape, -1 if there is none, as in almost every text.
func hidden(text string) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 || isHidden(r) {
			return i
		}
		i += size - 1
	}
	return -1
}

// isHidden says whether a character other than a line break or a tab is a control (C0, DEL, C1) or changes the text around it
// unseen.
func isHidden(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0:
		return true
	case r < 0xad:
		return false
	}
	switch r {
	case 0xad, 0x061c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff: // soft hyphen, marks of direction, breaks, no width
		return true
	}
	return r >= 0x202a && r <= 0x202e || // embeddings and overrides
		r >= 0x2060 && r <= 0x206f || // isolates, and operators without a shape
		r >= 0xfff9 && r <= 0xfffb || r >= 0xe0000 && r <= 0xe007f // annotations, tags
}

// writeEscape writes \x1b for a byte, \u202e for a character, and two of those for one beyond U+FFFF, as JSON does.
func writeEscape(b *strings.Builder, r rune, single bool) {
	switch {
	case single:
		fmt.Fprintf(b, `\x%02x`, r)
	case r > 0xffff:
		high, low := utf16.EncodeRune(r)
		fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
}
