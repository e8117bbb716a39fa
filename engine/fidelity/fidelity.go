// Package fidelity knows which rules of Kubernetes the engine follows, where each is implemented and tested, what is
// simplified and what is missing.
//
// People write rules.txt (the list of the rules), results.txt (what the comparisons with the real controllers found) and
// versions.txt (what an older Kubernetes does differently). Everything else comes from the source tree, where comments cite
// the rules by their IDs, so nothing that lists files has to be kept up to date. The site shows it as a page; tests check
// that every rule is implemented and tested. No program that people run imports this package.
package fidelity

import (
	_ "embed" // the three texts
	"io/fs"
	"iter"
	"regexp"
	"strings"
)

var (
	//go:embed rules.txt
	rulesText string
	//go:embed results.txt
	resultsText string
	//go:embed versions.txt
	versionsText string
)

// Report says how far the engine follows the rules.
type Report struct {
	Upstream        string // the version of Kubernetes
	Sections        []Section
	Simplifications []Simplification
	Results         []string // one line for each comparison with the real controllers
	Versions        []string // one line for each difference of an older version
}

// Simplification is a comment in the code that says what is done differently on purpose, and why.
type Simplification struct {
	File  string
	Where string // the function, type or constant that has the comment, or the package
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

// Read scans the source tree of the project. A citation of a rule that does not exist is an error.
func Read(root fs.FS) (*Report, error) {
	r, err := Rules()
	if err == nil {
		err = r.scan(root)
	}
	return r, err
}

// Rules returns what people have written: a report that does not know yet where the rules are cited.
func Rules() (*Report, error) {
	upstream, sections, err := parseRules(rulesText)
	return &Report{Upstream: upstream, Sections: sections, Results: lines(resultsText), Versions: lines(versionsText)}, err
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
func (r *Report) All() iter.Seq[*Rule] { return all(r.Sections) }

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
