package browser_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var update = flag.Bool("update", false, "write web/src/go.d.ts")

const (
	module    = "github.com/rollplay/rollplay/"
	typesFile = "../../web/src/go.d.ts"
)

// payloads are what other packages write as JSON before the bridge gets it: a text or any value.
var payloads = []struct{ folder, name string }{
	{"engine/scenario", "Diagnostic"}, {"app/stage", "strip"}, {"app/details", "podCard"}, {"app/details", "podGroup"}, {"app/details", "promptState"},
}

// TestScriptTypes: web/src/go.d.ts says what the program calls in JavaScript, and what it sends there. The lint checks the scripts
// against it, so a function or a field that is missing or misspelt fails the lint and not the page.
func TestScriptTypes(t *testing.T) {
	w := newTypeWriter(t)
	calls := w.calls(w.load("app/browser"))
	if len(calls) < 50 {
		t.Fatalf("only %d calls", len(calls))
	}
	for _, p := range payloads {
		named := w.load(p.folder).pkg.Scope().Lookup(p.name)
		if named == nil {
			t.Fatalf("%s has no type %s any more: change payloads", p.folder, p.name)
		}
		w.ts(named.Type())
	}
	got := w.file(calls)
	if *update {
		if err := os.WriteFile(typesFile, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(typesFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("web/src/go.d.ts is not what app/browser calls: go test ./app/browser -run ScriptTypes -update\n%s", firstChange(string(want), string(got)))
	}
}

func firstChange(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\nhas  %s\nneeds %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, needs %d", len(a), len(b))
}

// typeWriter turns Go types into TypeScript's, and collects the structs that it meets.
type typeWriter struct {
	t       *testing.T
	fset    *token.FileSet
	imports types.Importer
	structs map[string]string // the interface of each, by name
}

func newTypeWriter(t *testing.T) *typeWriter {
	w := &typeWriter{t: t, fset: token.NewFileSet(), structs: map[string]string{}}
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "./...")
	list.Dir = ".."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		importPath, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exports[importPath] = file
	}
	w.imports = importer.ForCompiler(w.fset, "gc", func(importPath string) (io.ReadCloser, error) { return os.Open(exports[importPath]) })
	return w
}

// source is a package with its syntax.
type source struct {
	files []*ast.File
	pkg   *types.Package
	info  *types.Info
}

func (w *typeWriter) load(folder string) source {
	list := exec.Command("go", "list", "-json=Dir,GoFiles", module+folder)
	out, err := list.Output()
	if err != nil {
		w.t.Fatal(err)
	}
	var of struct {
		Dir     string
		GoFiles []string
	}
	if err := json.Unmarshal(out, &of); err != nil {
		w.t.Fatal(err)
	}
	s := source{info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	for _, name := range of.GoFiles {
		file, err := parser.ParseFile(w.fset, path.Join(of.Dir, name), nil, 0)
		if err != nil {
			w.t.Fatal(err)
		}
		s.files = append(s.files, file)
	}
	config := types.Config{Importer: w.imports}
	if s.pkg, err = config.Check(module+folder, w.fset, s.files, s.info); err != nil {
		w.t.Fatal(err)
	}
	return s
}

// calls returns the signature of each function that a package calls by its name.
func (w *typeWriter) calls(s source) map[string]string {
	all := map[string]string{}
	for _, file := range s.files {
		for _, decl := range file.Decls {
			in, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(in, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				by, ok := call.Fun.(*ast.Ident)
				if !ok || !slices.Contains([]string{"call", "text", "says", "push"}, by.Name) {
					return true
				}
				name := s.info.Types[call.Args[0]].Value
				if name == nil {
					return true // inside these functions themselves
				}
				key, signature := constant.StringVal(name), w.signature(s, in, by.Name, call.Args[1:])
				if have, ok := all[key]; ok && have != signature {
					w.t.Errorf("%s is called in two ways: %s and %s", key, have, signature)
				}
				all[key] = signature
				return true
			})
		}
	}
	return all
}

// signature derives the parameters from the arguments, and the result from that of the function around.
func (w *typeWriter) signature(s source, in *ast.FuncDecl, by string, args []ast.Expr) string {
	params := make([]string, len(args))
	for i, arg := range args {
		typ := w.arg(s, arg)
		if by == "push" {
			typ = w.json(s.info.Types[arg].Type)
		}
		params[i] = nameOf(arg, i) + ": " + typ
	}
	result := "void"
	if r := in.Type.Results; by == "text" {
		result = "string"
	} else if r != nil && len(r.List) == 1 {
		result = w.ts(s.info.Types[r.List[0].Type].Type)
	}
	return fmt.Sprintf("(%s): %s", strings.Join(params, ", "), result)
}

// nameOf names a parameter after its argument, or after what a function makes it of.
func nameOf(arg ast.Expr, i int) string {
	switch arg := arg.(type) {
	case *ast.Ident:
		return arg.Name
	case *ast.SelectorExpr:
		return lower(arg.Sel.Name)
	case *ast.CallExpr:
		if len(arg.Args) == 1 {
			return nameOf(arg.Args[0], i) + map[bool]string{true: "Text"}[isCall(arg, "Clock")]
		}
	case *ast.CompositeLit:
		return "all"
	}
	return fmt.Sprint("value", i)
}

func isCall(call *ast.CallExpr, name string) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == name
}

func lower(name string) string {
	for i, r := range name {
		if !unicode.IsUpper(r) {
			return strings.ToLower(name[:max(i, 1)]) + name[max(i, 1):]
		}
	}
	return strings.ToLower(name)
}

// arg is the type of an argument of Call.
func (w *typeWriter) arg(s source, arg ast.Expr) string {
	switch arg := arg.(type) {
	case *ast.CompositeLit: // an object
		fields := make([]string, len(arg.Elts))
		for i, e := range arg.Elts {
			pair := e.(*ast.KeyValueExpr)
			fields[i] = constant.StringVal(s.info.Types[pair.Key].Value) + ": " + w.arg(s, pair.Value)
		}
		return "{\n    " + strings.Join(fields, ";\n    ") + ";\n  }"
	case *ast.CallExpr:
		switch f := arg.Fun.(type) {
		case *ast.Ident:
			switch f.Name {
			case "JSON":
				return w.json(s.info.Types[arg.Args[0]].Type)
			case "floats":
				return "Float64Array<ArrayBuffer>"
			case "bytes":
				return "Uint8Array<ArrayBuffer>"
			}
		case *ast.SelectorExpr:
			if f.Sel.Name == "FuncOf" {
				return w.callback(s, arg.Args[0])
			}
		}
	}
	return w.ts(s.info.Types[arg].Type)
}

// callback is the type of the Listener's function that a function for JavaScript calls. An answer at once may be null.
func (w *typeWriter) callback(s source, body ast.Expr) string {
	var found, otherwise string
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == "atOnce" {
			otherwise = " | null"
		}
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || s.info.Selections[sel] == nil || s.info.Selections[sel].Kind() != types.FieldVal {
			return true
		}
		if f, ok := s.info.Selections[sel].Type().Underlying().(*types.Signature); ok {
			params := make([]string, f.Params().Len())
			for i := range params {
				params[i] = f.Params().At(i).Name() + ": " + w.ts(f.Params().At(i).Type())
			}
			result := "void"
			if r := f.Results(); r.Len() == 1 && types.IsInterface(r.At(0).Type()) {
				result = "unknown"
			} else if r.Len() == 1 {
				result = w.ts(r.At(0).Type())
			}
			found = fmt.Sprintf("(%s) => %s", strings.Join(params, ", "), result)
		}
		return true
	})
	return found + otherwise
}

// json is the type of a text that holds a value, unknown for one that only its caller knows.
func (w *typeWriter) json(of types.Type) string {
	if _, ok := of.Underlying().(*types.Interface); ok {
		return "Json<unknown>"
	}
	return "Json<" + w.ts(of) + ">"
}

// ts is a type of Go as JavaScript gets it. A list or a pointer of Go may be nil, which is null in JSON.
func (w *typeWriter) ts(of types.Type) string {
	if named, ok := types.Unalias(of).(*types.Named); ok {
		obj := named.Obj()
		switch {
		case obj.Pkg().Name() == "app" && obj.Name() == "Value":
			return "HTMLElement"
		case obj.Pkg().Name() == "app" && obj.Name() == "Func":
			return "() => void"
		}
		if body, ok := named.Underlying().(*types.Struct); ok {
			return w.named(obj.Name(), body)
		}
	}
	switch of := of.Underlying().(type) {
	case *types.Basic:
		switch {
		case of.Info()&types.IsString != 0:
			return "string"
		case of.Info()&types.IsNumeric != 0:
			return "number"
		case of.Info()&types.IsBoolean != 0:
			return "boolean"
		}
	case *types.Pointer:
		return w.ts(of.Elem()) + " | null"
	case *types.Slice:
		if _, ok := of.Elem().Underlying().(*types.Interface); ok {
			return "Uint8Array<ArrayBuffer>[]" // parts of a file
		}
		return w.ts(of.Elem()) + "[] | null"
	case *types.Interface:
		return "string | null" // a text, nil for one that has not changed
	}
	w.t.Fatalf("no type of JavaScript for %s", of)
	return ""
}

// named writes a struct as an interface, once, and returns its name.
func (w *typeWriter) named(name string, of *types.Struct) string {
	name = strings.ToUpper(name[:1]) + name[1:]
	if _, ok := w.structs[name]; ok {
		return name
	}
	w.structs[name] = "" // it may have itself inside
	var b strings.Builder
	fmt.Fprintf(&b, "export interface %s {\n", name)
	for i := range of.NumFields() {
		field := of.Field(i)
		key, options, _ := strings.Cut(reflect.StructTag(of.Tag(i)).Get("json"), ",")
		if !field.Exported() || key == "-" {
			continue
		}
		if key == "" {
			key = field.Name()
		}
		typ := w.ts(field.Type())
		if strings.Contains(options, "omitempty") {
			key, typ = key+"?", strings.TrimSuffix(typ, " | null")
		}
		fmt.Fprintf(&b, "  %s: %s;\n", key, typ)
	}
	b.WriteString("}\n")
	w.structs[name] = b.String()
	return name
}

// file is the whole text, with its parts sorted by name.
func (w *typeWriter) file(calls map[string]string) []byte {
	var b bytes.Buffer
	b.WriteString("// Generated from app/browser: go test ./app/browser -run ScriptTypes -update\n\n")
	b.WriteString("/** A text that holds a value as JSON. */\nexport type Json<T> = string & { readonly holds?: T };\n\n")
	b.WriteString("/** The functions of window.rollplay that the program calls by their names. */\nexport interface Calls {\n")
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		fmt.Fprintf(&b, "  %s%s;\n", name, calls[name])
	}
	b.WriteString("}\n")
	for _, name := range slices.Sorted(maps.Keys(w.structs)) {
		b.WriteString("\n" + w.structs[name])
	}
	return b.Bytes()
}
