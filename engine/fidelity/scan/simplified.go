package scan

import (
	"strings"

	"github.com/rollplay/rollplay/engine/fidelity"
)

const mark = "Simplified:"

// simplifications returns the paragraphs of a file's comments that begin with the mark, each in one line.
func simplifications(name string, text []byte) (out []fidelity.Simplification) {
	var words []string // of the paragraph that is being read; nil outside of one
	end := func() {
		if words != nil {
			out = append(out, fidelity.Simplification{File: name, Text: strings.Join(words, " ")})
			words = nil
		}
	}
	for line := range strings.Lines(string(text)) {
		_, comment, ok := strings.Cut(line, "//")
		if comment = strings.TrimSpace(comment); !ok || comment == "" {
			end()
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
