package scan

import (
	"regexp"
	"strings"

	"github.com/rollplay/rollplay/engine/fidelity"
)

const mark = "Simplified:"

// declaration is the beginning of something with a name: a function, a method, a type, a constant, a variable, the package.
var declaration = regexp.MustCompile(`^(?:func (?:\([^)]*\) )?|type |const |var |package )(\w+)`)

// simplifications returns the paragraphs of a file's comments that begin with the mark, each in one line.
func simplifications(name string, text []byte) (out []fidelity.Simplification) {
	inside, nameless := "-", 0 // what was declared last; from where on the name is still to come
	var words []string         // of the paragraph that is being read; nil outside of one
	end := func() {
		if words != nil {
			out = append(out, fidelity.Simplification{File: name, Where: inside, Text: strings.Join(words, " ")})
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
