package kubectl

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Tally groups verdicts by their class.
type Tally struct {
	Compared, Equal, different int
	classes                    map[string]*class
	choices, refused           map[string]map[string]*class // by the name of the choice, or the entry of the list
}

// class is a sort of difference, with the shortest line that shows it.
type class struct {
	count   int
	example *Verdict
}

// Add notes what came of some lines.
func (t *Tally) Add(list []*Verdict) {
	if t.classes == nil {
		t.classes, t.choices, t.refused = map[string]*class{}, map[string]map[string]*class{}, map[string]map[string]*class{}
	}
	t.Compared += len(list)
	for _, v := range list {
		switch {
		case v.Different():
			t.different++
			note(t.classes, v)
		case v.Refused != "":
			noteUnder(t.refused, v.Refused, v)
		case len(v.Choices) == 0:
			t.Equal++
		default:
			for _, name := range v.Choices {
				noteUnder(t.choices, name, v)
			}
		}
	}
}

func noteUnder(by map[string]map[string]*class, name string, v *Verdict) {
	if by[name] == nil {
		by[name] = map[string]*class{}
	}
	note(by[name], v)
}

func note(classes map[string]*class, v *Verdict) {
	c := classes[v.Class()]
	if c == nil {
		c = &class{example: v}
		classes[v.Class()] = c
	}
	c.count++
	if len(v.Real.Line) < len(c.example.Real.Line) {
		c.example = v
	}
}

// Different is the number of lines with a difference that nothing explains.
func (t *Tally) Different() int { return t.different }

// Refused is the number of lines that ours refuses by the list.
func (t *Tally) Refused() (n int) {
	for _, classes := range t.refused {
		n += total(classes)
	}
	return n
}

func total(classes map[string]*class) (n int) {
	for _, c := range classes {
		n += c.count
	}
	return n
}

// Print lists the classes, the most frequent first, and how many lines are equal, refused, or explained by each choice; with their
// classes, too, if they are asked for.
func (t *Tally) Print(w io.Writer, all bool) {
	printClasses(w, t.classes)
	for _, entry := range slices.Sorted(maps.Keys(t.refused)) {
		fmt.Fprintf(w, "refused by the list: %s: %d\n", entry, total(t.refused[entry]))
	}
	for _, c := range Choices {
		fmt.Fprintf(w, "choice: %s: %d lines (%s)\n", c.Name, total(t.choices[c.Name]), c.Reason)
		if all {
			printClasses(w, t.choices[c.Name])
		}
	}
	fmt.Fprintf(w, "%d lines compared: %d equal, %d refused by the list (%.1f %%), %d explained by choices, %d different in %d classes\n", t.Compared,
		t.Equal, t.Refused(), 100*float64(t.Refused())/float64(max(t.Compared, 1)), t.Compared-t.Equal-t.Refused()-t.different, t.different, len(t.classes))
}

func printClasses(w io.Writer, classes map[string]*class) {
	names := slices.SortedFunc(maps.Keys(classes), func(a, b string) int {
		return cmp.Or(classes[b].count-classes[a].count, cmp.Compare(a, b))
	})
	for _, name := range names {
		fmt.Fprintf(w, "%d × %s\n%s\n\n", classes[name].count, name, classes[name].example)
	}
}
