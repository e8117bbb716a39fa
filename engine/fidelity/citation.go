package fidelity

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// An ID is one of the twelve prefixes, a number, and perhaps a letter. The character before it must not make it part of a
// longer word.
const id = `(?:A|D|DS|E|R|S|G|H|HPA|K|P|SIM)-[0-9]+[a-z]?`

var (
	citation = regexp.MustCompile(`(?:^|[^\w-])(` + id + `)\b`)
	span     = regexp.MustCompile(`(?:^|[^\w-])(` + id + `)(?: to |…|\.\.\.?| – )(` + id + `)\b`)
)

// cited returns the rules that a text cites, each once, and what looks like a citation but names no rule. "D-8 to D-19" cites
// everything between the two in the order of the list. An ID with a letter that the list does not have cites the rule
// without it: D-61a is a part of D-61.
func (l list) cited(text string) (ids, unknown []string) {
	found := map[int]bool{}
	add := func(word string) int {
		i := l.index(word)
		if i < 0 {
			unknown = append(unknown, word)
		} else {
			found[i] = true
		}
		return i
	}
	for _, m := range citation.FindAllStringSubmatch(text, -1) {
		add(m[1])
	}
	for _, m := range span.FindAllStringSubmatch(text, -1) {
		from, to := add(m[1]), add(m[2])
		if from < 0 || to < 0 {
			continue // add has noted it
		}
		if from > to {
			unknown = append(unknown, m[0])
		}
		for i := from; i <= to; i++ {
			found[i] = true
		}
	}
	for _, i := range slices.Sorted(maps.Keys(found)) {
		ids = append(ids, l[i])
	}
	slices.Sort(unknown)
	return ids, slices.Compact(unknown)
}

// list is the IDs of the rules in their order.
type list []string

// index returns where a cited ID stands in the list, -1 if it names no rule.
func (l list) index(word string) int {
	base := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyz")
	if i := slices.Index(l, word); i >= 0 || slices.Contains(l, base+"a") {
		return i
	}
	return slices.Index(l, base)
}
