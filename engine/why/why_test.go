package why

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestExplain: a sum is printed with its numbers.
func TestExplain(t *testing.T) {
	e := Sum("D-52", "rolling.go:reconcileNewReplicaSet", "newRS + max(0, min(cap - total, replicas - newRS))", 3, 0, 13, 10, 10)
	want := "3 = 0 newRS + max(0, min(13 cap - 10 total, 10 replicas - 0 newRS))"
	if got := e.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if v, ok := e.Term("cap"); v != 13 || !ok {
		t.Errorf("cap is %d, %t", v, ok)
	}
	if v, ok := e.Term("min"); ok {
		t.Errorf("the function min is a term of value %d", v)
	}
}

// TestNoSum: without a formula there are no terms and no numbers.
func TestNoSum(t *testing.T) {
	for _, e := range []*Explain{Rule("D-23", "sync.go:sync"), Note("D-23", "sync.go:sync", "in words")} {
		if e.String() != "" || len(e.Terms()) != 0 {
			t.Errorf("%+v has the sum %q", e, e)
		}
	}
}

// TestSumsGiveEveryTerm reads the engine: a call of Sum whose formula is a constant gives a value to each of its terms.
func TestSumsGiveEveryTerm(t *testing.T) {
	calls := 0
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, formula := sumCall(n); call != nil {
				calls++
				names := (&Explain{Formula: formula}).Terms()
				if given := len(call.Args) - 4; given != len(names) {
					t.Errorf("%s: %q has %d terms, %d are given", set.Position(call.Pos()), formula, len(names), given)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || calls < 30 {
		t.Errorf("%d calls were found (%v)", calls, err)
	}
}

// sumCall returns a node that is a call of why.Sum with a constant formula.
func sumCall(n ast.Node) (call *ast.CallExpr, formula string) {
	call, _ = n.(*ast.CallExpr)
	if call == nil || len(call.Args) < 4 || call.Ellipsis.IsValid() {
		return nil, ""
	}
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || fun.Sel.Name != "Sum" {
		return nil, ""
	}
	literal, ok := call.Args[2].(*ast.BasicLit)
	if pkg, isIdent := fun.X.(*ast.Ident); !ok || !isIdent || pkg.Name != "why" {
		return nil, ""
	}
	formula, err := strconv.Unquote(literal.Value)
	if err != nil {
		return nil, ""
	}
	return call, formula
}
