package cluster

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/sim"
)

// checkSums adds up the sum of every explanation so far.
func (c *Cluster) checkSums() {
	for _, r := range c.Records(func(r *sim.Record) bool { return r.Why != nil && r.Why.Formula != "" }) {
		if got, err := Sum(r.Why); err != nil || got != r.Why.Value {
			c.T.Errorf("%s %q at %d ms: %s adds up to %d (%v)", r.Why.Rule, r.What, r.At, r.Why, got, err)
		}
	}
}

// Sum computes a formula: + - * ^, min, max, ceil(a / b) and parentheses over the terms.
func Sum(e *sim.Explain) (v int64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	p := &parser{terms: map[string]int64{}}
	for _, term := range e.Terms() {
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
	case "ceil": // of a fraction
		p.take()
		v := p.product()
		if p.take() != "/" {
			panic("ceil is of a fraction")
		}
		by := p.value()
		p.take()
		return (v + by - 1) / by
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
