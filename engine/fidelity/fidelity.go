// Package fidelity knows which rules of Kubernetes the engine follows, where each is implemented and tested, what is
// simplified and what is missing.
//
// rules.txt, the list of the rules, and results.txt, what the comparisons with the real controllers found, are written by
// hand, and so is versions.txt. inventory.txt, where the tree cites each rule, and FIDELITY.md are written by `make fidelity`; a test keeps them
// up to date. Nothing is looked for at run time.
package fidelity

import (
	_ "embed" // the four texts
	"fmt"
	"iter"
	"strconv"
	"strings"
)

var (
	//go:embed rules.txt
	rulesText string
	//go:embed results.txt
	resultsText string
	//go:embed inventory.txt
	inventoryText string
	//go:embed versions.txt
	versionsText string
)

// Fidelity is how far the engine follows the rules.
type Fidelity struct {
	Upstream        string // the version of Kubernetes
	Sections        []Section
	Simplifications []Simplification
	Results         []string // one line for each comparison with the real controllers
	Versions        []string // one line for each way in which an older version is simulated otherwise
}

// Simplification is a comment in the code that says what is done differently on purpose, and why.
type Simplification struct {
	File  string
	Where string // what the comment stands at: a function, a type, a constant or the package
	Text  string
}

// Status says how far a rule is followed.
type Status uint8

// The statuses, from the best to the worst.
const (
	Done       Status = iota // implemented, and a test cites it
	Simplified               // less is done on purpose
	Untested                 // implemented, and no test cites it
	Missing                  // not implemented
)

// Statuses lists them in order.
var Statuses = []Status{Done, Simplified, Untested, Missing}

func (s Status) String() string {
	return [...]string{"implemented and tested", "simplified", "implemented, no test cites it", "not implemented"}[s]
}

// Report returns what the embedded texts say.
func Report() *Fidelity {
	upstream, sections, err := ParseRules(rulesText)
	if err != nil {
		panic("fidelity: " + err.Error()) // a test reads it
	}
	f := &Fidelity{Upstream: upstream, Sections: sections, Results: lines(resultsText), Versions: lines(versionsText)}
	if err := f.readInventory(inventoryText); err != nil {
		panic("fidelity: " + err.Error())
	}
	return f
}

// NewReport returns the report of other texts: the ones that the tree has now.
func NewReport(rules, results, inventory string) (*Fidelity, error) {
	upstream, sections, err := ParseRules(rules)
	if err != nil {
		return nil, err
	}
	f := &Fidelity{Upstream: upstream, Sections: sections, Results: lines(results), Versions: lines(versionsText)}
	return f, f.readInventory(inventory)
}

// lines returns the lines of a text that are neither empty nor comments.
func lines(text string) (out []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

// All yields the rules in order.
func (f *Fidelity) All() iter.Seq[*Rule] { return all(f.Sections) }

func all(sections []Section) iter.Seq[*Rule] {
	return func(yield func(*Rule) bool) {
		for i := range sections {
			for j := range sections[i].Rules {
				if !yield(&sections[i].Rules[j]) {
					return
				}
			}
		}
	}
}

// Count returns how many rules of a section have a status.
func (s *Section) Count(status Status) (n int) {
	for i := range s.Rules {
		if s.Rules[i].Status == status {
			n++
		}
	}
	return n
}

// readInventory takes in where rules are cited. The text has a line "file NAME" for each file, "rule ID CODE TESTS" with
// the numbers of files, comma separated, and "simplified NUMBER WHERE TEXT".
func (f *Fidelity) readInventory(text string) error {
	var files []string
	rules := map[string]*Rule{}
	for r := range f.All() {
		rules[r.ID] = r
	}
	for _, line := range lines(text) {
		word, rest, _ := strings.Cut(line, " ")
		first, second, _ := strings.Cut(rest, " ")
		var err error
		switch word {
		case "file":
			files = append(files, rest)
		case "rule":
			r := rules[first]
			if r == nil {
				return fmt.Errorf("inventory.txt has %s, which is no rule", first)
			}
			code, tests, _ := strings.Cut(second, " ")
			if r.Code, err = pick(files, code); err == nil {
				r.Tests, err = pick(files, tests)
			}
		case "simplified":
			var in []string
			if in, err = pick(files, first); err == nil {
				where, text, _ := strings.Cut(second, " ")
				f.Simplifications = append(f.Simplifications, Simplification{strings.Join(in, ""), where, text})
			}
		default:
			err = fmt.Errorf("unknown word %q", word)
		}
		if err != nil {
			return fmt.Errorf("inventory.txt: %q: %w", line, err)
		}
	}
	for r := range f.All() {
		r.Status = statusOf(r, rules)
	}
	return nil
}

// pick returns the files with the numbers of a comma separated list; "-" is none.
func pick(files []string, numbers string) ([]string, error) {
	if numbers == "-" {
		return nil, nil
	}
	var out []string
	for number := range strings.SplitSeq(numbers, ",") {
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n >= len(files) {
			return nil, fmt.Errorf("%q is not the number of a file", number)
		}
		out = append(out, files[n])
	}
	return out, nil
}

// statusOf judges a rule by its note and by where it is cited. A rule that follows from others is implemented where they
// are.
func statusOf(r *Rule, rules map[string]*Rule) Status {
	implemented := len(r.Code) > 0
	if r.Note == Follows {
		implemented = true
		for _, id := range r.From {
			from := rules[id]
			implemented = implemented && (from.Note == Simpler || statusOf(from, rules) <= Untested)
		}
	}
	switch {
	case r.Note == Simpler:
		return Simplified
	case !implemented:
		return Missing
	case len(r.Tests) == 0:
		return Untested
	}
	return Done
}
