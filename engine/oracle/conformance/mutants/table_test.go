package mutants

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// mutant is one change of the engine.
type mutant struct {
	number         int // from 1 on
	name           string
	judges         []string
	file, function string // below the folder engine
	old, new       string
}

// readMutants reads mutants.txt.
func readMutants(t *testing.T) (list []*mutant) {
	text, err := os.ReadFile("mutants.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(string(text), "\n\n") {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		if strings.HasPrefix(lines[0], "#") {
			continue
		}
		head := strings.LastIndex(lines[0], ": ")
		if head < 0 || len(lines) < 3 || len(lines) > 4 {
			t.Fatalf("not a mutant:\n%s", block)
		}
		m := &mutant{number: len(list) + 1, name: lines[0][:head], judges: strings.Fields(lines[0][head+2:]), old: strings.TrimSpace(lines[2])}
		m.file, m.function, _ = strings.Cut(strings.TrimSpace(lines[1]), " ")
		if len(lines) == 4 {
			m.new = strings.TrimSpace(lines[3])
		}
		list = append(list, m)
	}
	return list
}

// overlay writes the changed files of the engine, and the file that maps the originals to them for the -overlay flag of the go
// command. The original files stay as they are. It returns the path of that file.
func overlay(t *testing.T, list []*mutant) string {
	engine, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	byFile := map[string][]*mutant{}
	for _, m := range list {
		byFile[m.file] = append(byFile[m.file], m)
	}
	dir, replace := t.TempDir(), map[string]string{}
	put := func(original, text string) {
		if replace[original] != "" {
			return // a package has one switch
		}
		changed := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(changed, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		replace[original] = changed
	}
	for file, mutants := range byFile {
		original := filepath.Join(engine, filepath.FromSlash(file))
		text, pkg := withMutants(t, original, mutants)
		put(original, text)
		put(filepath.Join(filepath.Dir(original), "mutant_number.go"), fmt.Sprintf(switchFile, pkg))
	}
	if t.Failed() {
		t.FailNow()
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// switchFile is added to each package with a mutant.
const switchFile = `package %s

import (
	"os"
	"strconv"
)

var mutantNumber, _ = strconv.Atoi(os.Getenv("MUTANT"))
`

// withMutants returns the text of a Go file whose mutated functions begin with a changed copy of their own body for each mutant,
// behind a condition, and the name of the package.
func withMutants(t *testing.T, file string, mutants []*mutant) (text, pkg string) {
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	type insertion struct {
		at   int
		text string
	}
	var insertions []insertion
	for _, m := range mutants {
		fn := functionOf(t, f, m)
		begin, end := int(fn.Body.Lbrace), int(fn.Body.Rbrace)-1 // positions count from 1
		body := string(source[begin:end])
		if n := strings.Count(body, m.old); n != 1 {
			t.Errorf("%s: %s of %s has %d times %q, want it once", m.name, m.function, m.file, n, m.old)
		}
		changed := strings.Replace(body, m.old, m.new, 1)
		if fn.Type.Results == nil {
			changed += "\nreturn\n"
		}
		insertions = append(insertions, insertion{begin, fmt.Sprintf("\nif mutantNumber == %d {%s\n}\n", m.number, changed)})
	}
	sort.SliceStable(insertions, func(i, j int) bool { return insertions[i].at > insertions[j].at })
	text = string(source)
	for _, i := range insertions {
		text = text[:i.at] + i.text + text[i.at:]
	}
	return text, f.Name.Name
}

func functionOf(t *testing.T, f *ast.File, m *mutant) (found *ast.FuncDecl) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == m.function {
			if found != nil {
				t.Fatalf("%s: %s has two functions %s", m.name, m.file, m.function)
			}
			found = fn
		}
	}
	if found == nil {
		t.Fatalf("%s: %s has no function %s", m.name, m.file, m.function)
	}
	return found
}
