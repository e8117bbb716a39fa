package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Bounds of a type that one can hold in one's head.
const (
	fieldsMax  = 15
	methodsMax = 40 // exported
)

// TestTypesAreSmall: no struct of the page has more than 15 fields, and no type more than 40 exported methods.
func TestTypesAreSmall(t *testing.T) {
	fields, methods := sizes(t)
	for name, n := range fields {
		if n > fieldsMax {
			t.Errorf("%s has %d fields, want at most %d", name, n, fieldsMax)
		}
	}
	for name, n := range methods {
		if n > methodsMax {
			t.Errorf("%s has %d exported methods, want at most %d", name, n, methodsMax)
		}
	}
	if n := methods["session.Session"]; len(fields) < 100 || n < 20 {
		t.Errorf("the test sees %d structs, and %d methods of a session", len(fields), n)
	}
}

// sizes counts the fields of the structs and the exported methods of the types of all packages of the page.
func sizes(t *testing.T) (fields, methods map[string]int) {
	fields, methods = map[string]int{}, map[string]int{}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		in := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path))+".", "..")
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok {
					fields[in+n.Name.Name] = s.Fields.NumFields()
				}
			case *ast.FuncDecl:
				if n.Recv != nil && n.Name.IsExported() {
					methods[in+receiver(n.Recv.List[0].Type)]++
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fields, methods
}

// receiver is the name of a method's type.
func receiver(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	name, _ := e.(*ast.Ident)
	return name.Name
}
