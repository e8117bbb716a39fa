package cluster

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
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

// Sum computes a formula: + - *, powers of two, min, max, ceil(a / b) and parentheses over the terms. But for the powers that is Go.
func Sum(e *sim.Explain) (v int64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	x, err := parser.ParseExpr(strings.ReplaceAll(e.Formula, "2 ^ ", "1 << "))
	if err != nil {
		return 0, err
	}
	return valueOf(x, e), nil
}

func valueOf(x ast.Expr, e *sim.Explain) int64 {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return valueOf(x.X, e)
	case *ast.BinaryExpr:
		a, b := valueOf(x.X, e), valueOf(x.Y, e)
		switch x.Op {
		case token.ADD:
			return a + b
		case token.SUB:
			return a - b
		case token.MUL:
			return a * b
		case token.SHL:
			return a << b
		case token.QUO: // within ceil
			return (a + b - 1) / b
		}
	case *ast.CallExpr:
		var args []int64
		for _, arg := range x.Args {
			args = append(args, valueOf(arg, e))
		}
		switch types.ExprString(x.Fun) {
		case "min":
			return slices.Min(args)
		case "max":
			return slices.Max(args)
		case "ceil":
			return args[0]
		}
	}
	name := types.ExprString(x)
	if v, ok := e.Term(name); ok {
		return v
	}
	n, err := strconv.ParseInt(name, 10, 64)
	if err != nil {
		panic("no term is called " + name)
	}
	return n
}
