package kubectl

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Tally groups differences by their class.
type Tally struct {
	Compared int
	classes  map[string]*class
	choices  map[string]int
}

// class is a sort of difference, with the shortest line that shows it.
type class struct {
	count   int
	example *Difference
}

// Add notes the differences of some compared lines.
func (t *Tally) Add(lines int, list []*Difference) {
	if t.classes == nil {
		t.classes, t.choices = map[string]*class{}, map[string]int{}
	}
	t.Compared += lines
	for _, d := range list {
		if d.Choice != "" {
			t.choices[d.Choice]++
			continue
		}
		c := t.classes[d.Class()]
		if c == nil {
			c = &class{example: d}
			t.classes[d.Class()] = c
		}
		c.count++
		if len(d.Real.Line) < len(c.example.Real.Line) {
			c.example = d
		}
	}
}

// Different is the number of differences that no choice explains.
func (t *Tally) Different() (n int) {
	for _, c := range t.classes {
		n += c.count
	}
	return n
}

// Print lists the classes, the most frequent first, and how often each choice was met.
func (t *Tally) Print(w io.Writer) {
	names := slices.SortedFunc(maps.Keys(t.classes), func(a, b string) int {
		return cmp.Or(t.classes[b].count-t.classes[a].count, cmp.Compare(a, b))
	})
	for _, name := range names {
		fmt.Fprintf(w, "%d × %s\n%s\n\n", t.classes[name].count, name, t.classes[name].example)
	}
	for _, c := range Choices {
		fmt.Fprintf(w, "choice: %s: %d (%s)\n", c.Name, t.choices[c.Name], c.Reason)
	}
	fmt.Fprintf(w, "%d lines compared, %d different in %d classes\n", t.Compared, t.Different(), len(t.classes))
}
