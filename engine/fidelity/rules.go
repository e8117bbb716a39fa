package fidelity

import (
	"fmt"
	"slices"
	"strings"
)

// Section is a group of rules.
type Section struct {
	Title string
	Rules []Rule
}

// Rule is a rule of Kubernetes, or one of our own, and where the engine follows it.
type Rule struct {
	ID     string
	Title  string
	Note   Note     // Plain if there is nothing to say
	Reason string   // of the note
	From   []string // of a rule that Follows: the IDs of the rules that it comes from
	Status Status
	Code   []string // files that implement it, relative to the root
	Tests  []string // files that test it
}

// Note is the word in which a rule differs from the plain case.
type Note string

// The words. Each is explained at the top of rules.txt.
const (
	Plain    Note = ""
	Choice   Note = "choice"
	Simpler  Note = "simplified"
	Follows  Note = "follows"
	OpenRule Note = "open"
)

// parseRules reads rules.txt.
func parseRules(text string) (upstream string, sections []Section, err error) {
	seen := map[string]bool{}
	for n, line := range strings.Split(text, "\n") {
		fail := func(what string) (string, []Section, error) {
			return "", nil, fmt.Errorf("rules.txt:%d: %s: %q", n+1, what, line)
		}
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || line[0] == '#':
		case word == "upstream":
			upstream = rest
		case word == "section":
			sections = append(sections, Section{Title: rest})
		case line[0] == '\t':
			if !annotate(sections, strings.TrimSpace(line)) {
				return fail("expected a word, a colon and a reason, below a rule")
			}
		case len(sections) == 0 || rest == "" || seen[word]:
			return fail("expected a new ID and a title, below a section")
		default:
			seen[word] = true
			s := &sections[len(sections)-1]
			s.Rules = append(s.Rules, Rule{ID: word, Title: rest})
		}
	}
	for r := range all(sections) {
		for _, id := range r.From {
			if !seen[id] {
				return "", nil, fmt.Errorf("rules.txt: %s follows %s, which is not a rule", r.ID, id)
			}
		}
	}
	return upstream, sections, nil
}

// annotate adds an indented line to the last rule.
func annotate(sections []Section, line string) (ok bool) {
	if len(sections) == 0 || len(sections[len(sections)-1].Rules) == 0 {
		return false
	}
	rules := sections[len(sections)-1].Rules
	r := &rules[len(rules)-1]
	word, reason, _ := strings.Cut(line, ": ")
	if r.Note != Plain || reason == "" || !slices.Contains([]Note{Choice, Simpler, Follows, OpenRule}, Note(word)) {
		return false
	}
	r.Note, r.Reason = Note(word), reason
	if r.Note == Follows {
		r.From = strings.Split(reason, ", ")
	}
	return true
}
