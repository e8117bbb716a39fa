package realkubectl

import "strings"

// words cuts a line as a shell does, and takes its here-document for the standard input.
func words(line string) (words []string, stdin string) {
	if first, rest, ok := strings.Cut(line, "\n"); ok {
		if before, mark, ok := strings.Cut(first, "<<"); ok {
			stdin, _, _ = strings.Cut(rest, "\n"+strings.TrimSpace(mark))
			line, stdin = before, stdin+"\n"
		}
	}
	var word strings.Builder
	inside, quote := false, rune(0)
	end := func() {
		if inside {
			words = append(words, word.String())
			word.Reset()
		}
		inside = false
	}
	for _, c := range line {
		switch {
		case c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, inside = c, true
		case c == ' ' || c == '\n':
			end()
		default:
			word.WriteRune(c)
			inside = true
		}
	}
	end()
	return words, stdin
}
