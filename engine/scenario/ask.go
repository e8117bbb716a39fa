package scenario

import (
	"math"
	"slices"

	"github.com/rollplay/rollplay/engine/limits"
)

// Ask is the question of a caption: about a count of a Frame, its extreme over a period, or one of several choices. The answer is in
// the run; see Run.Answer.
type Ask struct {
	At      int64  // the answer is there after everything of this moment
	Of      string // the workload, deployment/web; the first one if it is empty
	From    int64  // where the period of an extreme begins
	Field   string // a count by its name
	Extreme Extreme
	Choices []Choice // in place of a count
	Wrong   []Wrong  // what is wrong with other numbers than the answer, in ascending order
}

// Extreme is the value of a period that a question is about.
type Extreme uint8

// The values that a question can be about.
const (
	Exact Extreme = iota // at the moment itself
	Lowest
	Highest
)

// Choice is a possible answer. It is right if its expectation holds.
type Choice struct {
	Text Text
	Why  Text // why it is not the answer
	Is   Expect
}

// Wrong says why numbers are not the answer: those up to To that no earlier entry has.
type Wrong struct {
	To   int64
	Text Text
}

// Why says why an answer is wrong, nothing for one about which the scenario has no sentence.
func (a *Ask) Why(answer int) Text {
	if answer >= 0 && answer < len(a.Choices) {
		return a.Choices[answer].Why
	}
	for _, w := range a.Wrong {
		if int64(answer) <= w.To {
			return w.Text
		}
	}
	return Text{}
}

// Order is the order in which the choices are shown, which the seed decides: the authors put the right one second far too often.
func (a *Ask) Order(seed uint64) []int {
	h := seed
	for _, c := range a.Choices {
		for _, b := range []byte(c.Text.En) {
			h = (h ^ uint64(b)) * 1099511628211 // FNV-1a
		}
	}
	order := make([]int, len(a.Choices))
	for i := range order {
		order[i] = i
	}
	for n := len(order); n > 1; n-- {
		h = h*6364136223846793005 + 1442695040888963407
		k := int(h >> 33 % uint64(n))
		order[n-1], order[k] = order[k], order[n-1]
	}
	return order
}

func (r *specReader) ask(to **Ask) func(string, any) {
	return func(path string, v any) {
		a := &Ask{}
		choice := func(path string, v any) {
			var c Choice
			is := func(path string, v any) { r.expectation(&c.Is, path, v) }
			if r.object(path, v, fields{"text": r.inWords(&c.Text), "why": r.inWords(&c.Why), "is": is}, "text", "is") != nil {
				a.Choices = append(a.Choices, c)
			}
		}
		wrong := func(path string, v any) {
			w := Wrong{To: math.MaxInt64}
			if r.object(path, v, fields{"to": r.number(0, 1<<20, func(n int64) { w.To = n }), "text": r.inWords(&w.Text)}, "text") != nil {
				a.Wrong = append(a.Wrong, w)
			}
		}
		m := r.object(path, v, fields{
			"at": r.duration(&a.At), "of": r.text(&a.Of), "from": r.duration(&a.From),
			"choices": r.listOf(limits.Goals, choice), "wrong": r.listOf(limits.Goals, wrong),
			"field": r.countName(a, Exact), "lowest": r.countName(a, Lowest), "highest": r.countName(a, Highest),
		}, "at")
		if m == nil {
			return
		}
		if r.onlyOne(path, m, "field", "lowest", "highest", "choices") == "" {
			r.complain(path, "Required value: one of `field`, `lowest`, `highest` and `choices` must be set")
		}
		*to = a
	}
}

// countName reads the name of the count of a Frame that the question is about.
func (r *specReader) countName(a *Ask, which Extreme) func(string, any) {
	return func(path string, v any) {
		a.Extreme = which
		if r.text(&a.Field)(path, v); !slices.Contains(countNames[:], a.Field) {
			r.invalid(path, v, "must be a count: desired, total, ready, available, updated or terminating")
		}
	}
}
