package engine

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/scenarios"
)

// TestExplanationsAddUp walks every explanation of every shipped scenario and adds it up.
func TestExplanationsAddUp(t *testing.T) {
	sums := 0
	for _, name := range scenarios.Names() {
		run := mustRun(t, scenarios.Text(name))
		for i := range run.records() {
			r := &run.records()[i]
			if r.Why == nil || r.Why.Formula == "" {
				continue
			}
			sums++
			if got, err := evaluate(r.Why); err != nil || got != r.Why.Value {
				t.Errorf("%s at %d ms, %s %q: %s: adds up to %d (%v)", name, r.At, r.Why.Rule, r.What, r.Why, got, err)
			}
		}
	}
	if sums == 0 {
		t.Error("no explanation has a sum")
	}
}

// TestEveryWriteIsExplained: nothing in the cluster changes without a reason, apart from what a person wrote.
func TestEveryWriteIsExplained(t *testing.T) {
	for _, name := range scenarios.Names() {
		run := mustRun(t, scenarios.Text(name))
		for i := range run.Len() {
			r := run.Record(i)
			if r.Kind == Write && r.Actor != "kubectl" && (r.Why == nil || r.Why.Rule == "" || r.Why.Upstream == "") {
				t.Errorf("%s at %d ms: %s wrote %s (%q) and does not say why", name, r.T, r.Actor, r.Object, r.What)
			}
		}
	}
}

// evaluate computes a formula: + - * ^, min, max and parentheses over the terms.
func evaluate(e *sim.Explain) (v int64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	p := &parser{terms: map[string]int64{}}
	for _, term := range e.Terms {
		p.terms[term.Name] = term.Value
	}
	p.rest = strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ", ",", " , ").Replace(e.Formula))
	v = p.sum()
	if len(p.rest) > 0 {
		return v, fmt.Errorf("%q is left over", p.rest)
	}
	return v, nil
}

type parser struct {
	rest  []string
	terms map[string]int64
}

func (p *parser) next() string {
	if len(p.rest) == 0 {
		return ""
	}
	return p.rest[0]
}

func (p *parser) take() string {
	w := p.next()
	if w == "" {
		panic("the formula ends too early")
	}
	p.rest = p.rest[1:]
	return w
}

func (p *parser) sum() int64 {
	v := p.product()
	for p.next() == "+" || p.next() == "-" {
		if p.take() == "+" {
			v += p.product()
		} else {
			v -= p.product()
		}
	}
	return v
}

func (p *parser) product() int64 {
	v := p.power()
	for p.next() == "*" {
		p.take()
		v *= p.power()
	}
	return v
}

func (p *parser) power() int64 {
	v := p.value()
	if p.next() == "^" {
		p.take()
		base := v
		v = 1
		for range p.value() {
			v *= base
		}
	}
	return v
}

func (p *parser) value() int64 {
	w := p.take()
	switch w {
	case "(":
		v := p.sum()
		p.take()
		return v
	case "min", "max":
		p.take()
		v := p.sum()
		for p.take() == "," {
			if x := p.sum(); w == "min" && x < v || w == "max" && x > v {
				v = x
			}
		}
		return v
	}
	if n, err := strconv.ParseInt(w, 10, 64); err == nil {
		return n
	}
	v, ok := p.terms[w]
	if !ok {
		panic("no term is called " + w)
	}
	return v
}
