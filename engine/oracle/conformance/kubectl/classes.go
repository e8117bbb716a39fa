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
	choices  map[string]map[string]*class // by the name of the choice
}

// class is a sort of difference, with the shortest line that shows it.
type class struct {
	count   int
	example *Difference
}

// Add notes the differences of some compared lines.
func (t *Tally) Add(lines int, list []*Difference) {
	if t.classes == nil {
		t.classes, t.choices = map[string]*class{}, map[string]map[string]*class{}
	}
	t.Compared += lines
	for _, d := range list {
		classes := t.classes
		if d.Choice != "" {
			if classes = t.choices[d.Choice]; classes == nil {
				classes = map[string]*class{}
				t.choices[d.Choice] = classes
			}
		}
		c := classes[d.Class()]
		if c == nil {
			c = &class{example: d}
			classes[d.Class()] = c
		}
		c.count++
		if len(d.Real.Line) < len(c.example.Real.Line) {
			c.example = d
		}
	}
}

// Different is the number of differences that no choice explains.
func (t *Tally) Different() int { return total(t.classes) }

func total(classes map[string]*class) (n int) {
	for _, c := range classes {
		n += c.count
	}
	return n
}

// Print lists the classes, the most frequent first, and how often each choice was met; with its classes, too, if they are asked for.
func (t *Tally) Print(w io.Writer, choices bool) {
	printClasses(w, t.classes)
	for _, c := range Choices {
		fmt.Fprintf(w, "choice: %s: %d (%s)\n", c.Name, total(t.choices[c.Name]), c.Reason)
		if choices {
			printClasses(w, t.choices[c.Name])
		}
	}
	fmt.Fprintf(w, "%d lines compared, %d different in %d classes\n", t.Compared, t.Different(), len(t.classes))
}

func printClasses(w io.Writer, classes map[string]*class) {
	names := slices.SortedFunc(maps.Keys(classes), func(a, b string) int {
		return cmp.Or(classes[b].count-classes[a].count, cmp.Compare(a, b))
	})
	for _, name := range names {
		fmt.Fprintf(w, "%d × %s\n%s\n\n", classes[name].count, name, classes[name].example)
	}
}
