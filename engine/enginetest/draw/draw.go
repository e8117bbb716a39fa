// Package draw makes random texts for tests that compare ours with the real thing.
package draw

import (
	"math/rand/v2"
	"regexp"
)

// Grammar has the choices of each part of a text. A name in angle quotes, «name», is a part that is drawn in its place.
type Grammar map[string][]string

// deepest is how far parts may be within parts. Beyond it, the first choice is taken: it must lead to an end.
const deepest = 8

var part = regexp.MustCompile(`«\w+»`)

// Text draws a part. A name that the grammar does not have panics.
func (g Grammar) Text(r *rand.Rand, name string) string { return g.text(r, name, 0) }

func (g Grammar) text(r *rand.Rand, name string, depth int) string {
	choices := g[name]
	if depth > deepest {
		choices = choices[:1]
	}
	return part.ReplaceAllStringFunc(choices[r.IntN(len(choices))], func(found string) string {
		return g.text(r, found[len("«"):len(found)-len("»")], depth+1)
	})
}
