// Package why explains decisions. A controller attaches an Explain to everything that it writes or decides: the rule, its
// place upstream, and the sum behind the decision, or words if there is nothing to add up.
//
//	why.Rule("D-58", recreateGo+"rolloutRecreate")
//	why.Note("R-2", replicaSetGo+"syncReplicaSet", "the number of pods is right")
//	why.Sum("R-3", replicaSetGo+"manageReplicas", "active - replicas", n-desired, n, desired).Noting("pods are missing")
//
// A sum takes its result from the code that made the decision, not from the formula, so a test can evaluate the
// formula and compare. The package imports nothing of the engine, because the kernel's records hold explanations.
package why

import (
	"strconv"
	"strings"
)

// Explain is the reason for a decision.
type Explain struct {
	Rule     string // the ID of the rule, for example D-52
	Upstream string // file:function of the pinned Kubernetes version
	Formula  string // an expression over named terms, for example min(maxTotal - total, replicas - size); empty without a sum
	Value    int64  // the decision's number, which the formula must yield
	Note     string // the same in words, or the only reason if there is nothing to add up

	terms [maxTerms]int64 // in the order in which the formula first names them
}

// maxTerms is how many terms a formula may name. They are stored inside Explain, so that a sum costs one allocation.
const maxTerms = 4

// Term is a number with its name.
type Term struct {
	Name  string
	Value int64
}

// Rule explains a decision by a rule alone.
func Rule(id, upstream string) *Explain { return &Explain{Rule: id, Upstream: upstream} }

// Note explains a decision in words.
func Note(id, upstream, note string) *Explain {
	return &Explain{Rule: id, Upstream: upstream, Note: note}
}

// Sum explains a decision by a formula over at most four terms, in the order in which it first names them. value
// is the number that the decision used.
func Sum[T int | int32 | int64](id, upstream, formula string, value T, terms ...T) *Explain {
	e := &Explain{Rule: id, Upstream: upstream, Formula: formula, Value: int64(value)}
	for i, v := range terms {
		e.terms[i] = int64(v)
	}
	return e
}

// Noting adds words to an explanation that is not shared yet, and returns it.
func (e *Explain) Noting(note string) *Explain {
	e.Note = note
	return e
}

// Terms returns the terms with their names: every word of the formula that is not a function.
func (e *Explain) Terms() []Term {
	list := make([]Term, 0, maxTerms)
	for rest := e.Formula; rest != ""; {
		name := leadingWord(rest)
		rest = rest[max(1, len(name)):]
		if name == "" || strings.HasPrefix(rest, "(") {
			continue
		}
		if _, known := find(list, name); !known {
			list = append(list, Term{name, e.terms[len(list)]})
		}
	}
	return list
}

// Term returns the value of a term; ok is false if the formula has no such term.
func (e *Explain) Term(name string) (value int64, ok bool) { return find(e.Terms(), name) }

func find(list []Term, name string) (value int64, ok bool) {
	for i := range list {
		if list[i].Name == name {
			return list[i].Value, true
		}
	}
	return 0, false
}

// String returns the sum with its numbers: 3 = min(13 maxTotal - 10 total, 10 replicas - 0 size). It is empty without a
// formula.
func (e *Explain) String() string {
	if e.Formula == "" {
		return ""
	}
	terms := e.Terms()
	var b strings.Builder
	b.WriteString(strconv.FormatInt(e.Value, 10))
	b.WriteString(" = ")
	for rest := e.Formula; rest != ""; {
		word := leadingWord(rest)
		if v, ok := find(terms, word); ok {
			b.WriteString(strconv.FormatInt(v, 10))
			b.WriteByte(' ')
		}
		n := max(1, len(word))
		b.WriteString(rest[:n])
		rest = rest[n:]
	}
	return b.String()
}

// leadingWord returns the letters, digits and dots that a formula begins with, "" if it begins with something else.
func leadingWord(s string) string {
	i := 0
	for i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z' || i > 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '.')) {
		i++
	}
	return s[:i]
}
