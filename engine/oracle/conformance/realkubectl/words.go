package realkubectl

import (
	"strconv"
	"strings"
)

// words cuts a line as a shell does, and takes its here-document for the standard input.
func words(line string) (words []string, stdin string) {
	if first, rest, ok := strings.Cut(line, "\n"); ok {
		if before, mark, ok := strings.Cut(first, "<<"); ok {
			stdin, _, _ = strings.Cut(rest, "\n"+strings.TrimSpace(mark))
			line, stdin = before, stdin+"\n"
		}
	}
	var word strings.Builder
	inside, quoted, quote := false, false, rune(0)
	end := func() {
		if inside && quoted {
			words = append(words, word.String())
		} else if inside {
			words = append(words, expanded(word.String())...)
		}
		word.Reset()
		inside, quoted = false, false
	}
	escaped := false
	for i, c := range line {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\' && (quote == 0 || quote == '"' && i+1 < len(line) && strings.IndexByte("\"\\$`", line[i+1]) >= 0):
			escaped, inside = true, true
		case c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, inside, quoted = c, true, true
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

// expanded returns what bash makes of a word with braces: {a,b}, {1..3}.
func expanded(word string) []string {
	before, rest, open := strings.Cut(word, "{")
	inner, after, closed := strings.Cut(rest, "}")
	if !open || !closed {
		return []string{word}
	}
	list := strings.Split(inner, ",")
	if from, to, ok := strings.Cut(inner, ".."); ok && len(list) == 1 {
		n, err := strconv.Atoi(from)
		last, wrong := strconv.Atoi(to)
		for list = nil; err == nil && wrong == nil && n <= last; n++ {
			list = append(list, strconv.Itoa(n))
		}
	}
	if len(list) < 2 {
		list = []string{"{" + inner + "}"}
	}
	var words []string
	for _, text := range list {
		for _, tail := range expanded(after) {
			words = append(words, before+text+tail)
		}
	}
	return words
}

// Files are the files that every line finds beside it, by their names.
var Files = map[string]string{"given.txt": "one\ntwo\n", "given.env": "A=1\n# no\n\n  B=x=y \nC\n", "wrong.env": "A=1\n1B=2\n",
	"folder/a.txt": "a\n", "folder/b.txt": "b\n"}
