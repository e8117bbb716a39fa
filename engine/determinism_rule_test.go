package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestNoClocks is SIM-1 and a part of SIM-5: nothing in the engine reads the real time, starts a goroutine, or uses random
// numbers other than sim.Rand's.
func TestNoClocks(t *testing.T) {
	eachFile(t, func(name string, text []byte) {
		if strings.HasPrefix(name, "oracle/") || strings.HasPrefix(name, "fidelity/") || strings.HasPrefix(name, "enginetest/") {
			return // a run never calls these
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		checkFile(t, set, file)
	})
}

func checkFile(t *testing.T, set *token.FileSet, file *ast.File) {
	for _, i := range file.Imports {
		switch i.Path.Value {
		case `"math/rand"`, `"math/rand/v2"`, `"crypto/rand"`, `"os"`, `"net"`, `"net/http"`:
			t.Errorf("%s: the engine must not import %s", set.Position(i.Pos()), i.Path.Value)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			t.Errorf("%s: a goroutine", set.Position(n.Pos()))
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if ok && x.Name == "time" && slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}, n.Sel.Name) {
				t.Errorf("%s: time.%s", set.Position(n.Pos()), n.Sel.Name)
			}
		}
		return true
	})
}
