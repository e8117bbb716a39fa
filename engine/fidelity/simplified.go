package fidelity

import (
	"regexp"
	"strings"
)

const mark = "Simplified:"

// declaration matches the start of anything with a name: a function, a method, a type, a constant, a variable, the package.
var declaration = regexp.MustCompile(`^(?:func (?:\([^)]*\) )?|type |const |var |package )(\w+)`)

// simplifications returns each paragraph of a file's comments that begins with the mark, as one line.
func simplifications(name string, text []byte) (out []Simplification) {
	inside, nameless := "-", 0 // the last declaration; the first comment that still waits for the declaration below it
	var words []string         // of the current paragraph; nil outside of one
	end := func() {
		if words != nil {
			out = append(out, Simplification{File: name, Where: inside, Text: strings.Join(words, " ")})
			words = nil
		}
	}
	for line := range strings.Lines(string(text)) {
		before, comment, ok := strings.Cut(line, "//")
		if m := declaration.FindStringSubmatch(before); m != nil {
			end()
			inside = m[1]
			for ; nameless < len(out); nameless++ {
				out[nameless].Where = inside
			}
		}
		if comment = strings.TrimSpace(comment); !ok || comment == "" {
			end()
			if strings.TrimSpace(before) != "" || !ok {
				nameless = len(out) // the comment does not belong to a declaration
			}
			continue
		}
		if rest, marked := strings.CutPrefix(comment, mark); marked {
			end()
			words = []string{}
			comment = rest
		}
		if words != nil {
			words = append(words, strings.Fields(comment)...)
		}
	}
	end()
	return out
}
