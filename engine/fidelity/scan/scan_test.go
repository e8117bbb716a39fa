package scan

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rollplay/rollplay/engine/fidelity"
)

// generate reads the real tree.
func generate(t *testing.T) (map[string]string, *fidelity.Fidelity) {
	t.Helper()
	files, report, err := Generate(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	return files, report
}

// TestUpToDate: the generated files say what the tree says now.
func TestUpToDate(t *testing.T) {
	files, _ := generate(t)
	for name, want := range files {
		got, err := os.ReadFile("../../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if line := firstDifference(string(got), want); line > 0 {
			t.Errorf("%s:%d is out of date; make fidelity writes it", name, line)
		}
	}
}

// firstDifference returns the number of the first line that differs, 0 if there is none.
func firstDifference(a, b string) int {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		if i >= len(x) || i >= len(y) || x[i] != y[i] {
			return i + 1
		}
	}
	return 0
}

// TestEveryRule: each rule is implemented and tested, or simplified for a reason, or open for a reason; what is open and
// done must not be called open any more.
func TestEveryRule(t *testing.T) {
	_, report := generate(t)
	for r := range report.All() {
		open := r.Note == fidelity.OpenRule
		switch {
		case open && r.Status == fidelity.Done:
			t.Errorf("%s is done, and rules.txt calls it open: %s", r.ID, r.Reason)
		case open:
			t.Logf("%s is open (%s): %s", r.ID, r.Status, r.Reason)
		case r.Status != fidelity.Done && r.Status != fidelity.Simplified:
			t.Errorf("%s is %s: %s (code %q, tests %q)", r.ID, r.Status, r.Title, r.Code, r.Tests)
		}
	}
}

// TestCited: the forms in which rules are cited.
func TestCited(t *testing.T) {
	l := newList([]string{"A-1", "A-2", "A-3", "D-50", "D-50a", "D-50b", "D-50c", "D-61", "G-30a", "SIM-1"})
	for text, want := range map[string]string{
		"the rule (A-1) is":               "[A-1] []",
		"A-1, A-3":                        "[A-1 A-3] []",
		"A-1 A-2 A-3":                     "[A-1 A-2 A-3] []",
		"A-1 to A-3":                      "[A-1 A-2 A-3] []",
		"D-50a…D-50c":                     "[D-50a D-50b D-50c] []",
		"D-50 to D-50b":                   "[D-50 D-50a D-50b] []",
		`Rule: "D-61"`:                    "[D-61] []",
		"D-61a, the first part of D-61":   "[D-61] []",
		"SIM-1, not MA-1 or pod-A-1 or A": "[SIM-1] []",
		"A-1x":                            "[A-1] []",
		"D-50z and A-9":                   "[] [A-9 D-50z]",
		"A-3 to A-1":                      "[A-1 A-3] [A-3 to A-1]",
		"A-11":                            "[] [A-11]",
		"T-33 is a transcript's":          "[] []",
	} {
		ids, unknown := l.cited(text)
		if got := fmt.Sprint(ids, " ", unknown); got != want {
			t.Errorf("%q cites %s, want %s", text, got, want)
		}
	}
}

// TestRead: which files count for what.
func TestRead(t *testing.T) {
	tree := fstest.MapFS{
		"engine/a.go": {Data: []byte("// F does (A-1).\n//\n// Simplified: it does\n// less.\n//\n// More.\nfunc F() {} // Simplified: here too\n}\n" +
			"// no Simplified: in the middle\n")},
		"engine/a_test.go":                  {Data: []byte("// A-2")},
		"engine/testdata/a.txtar":           {Data: []byte("It is A-3.\n-- trace.txt --\nA-4\n")},
		"engine/testdata/s/a.txt":           {Data: []byte("See A-3.\n    0.000 x // A-4\n")},
		"engine/oracle/recorded/r.go":       {Data: []byte("// A-4")},
		"engine/oracle/recorded/r_test.go":  {Data: []byte("// A-4")},
		"engine/oracle/conformance/c.go":    {Data: []byte("// A-9")},
		"engine/fidelity/f.go":              {Data: []byte("// A-9")},
		"engine/api/testdata/m.go":          {Data: []byte("// A-9")},
		"engine/api/other.md":               {Data: []byte("A-9")},
		"web/w.go":                          {Data: []byte("// A-9")},
		"engine/node/kubelet/b.go":          {Data: []byte("// A-1")},
		"engine/node/kubelet/b_test.go":     {Data: []byte("// A-1 to A-2")},
		"engine/node/kubelet/wrong_test.go": {Data: []byte("// A-7")},
	}
	got, err := Read(tree, []string{"A-1", "A-2", "A-3", "A-4"})
	if err != nil {
		t.Fatal(err)
	}
	if s := fmt.Sprint(got.Code); s != "map[A-1:[engine/a.go engine/node/kubelet/b.go]]" {
		t.Errorf("code: %s", s)
	}
	want := "map[A-1:[engine/node/kubelet/b_test.go] A-2:[engine/a_test.go engine/node/kubelet/b_test.go] " +
		"A-3:[engine/testdata/a.txtar engine/testdata/s/a.txt] A-4:[engine/oracle/recorded/r_test.go]]"
	if s := fmt.Sprint(got.Tests); s != want {
		t.Errorf("tests: %s\nwant:  %s", s, want)
	}
	if s := fmt.Sprint(got.Simplifications); s != "[{engine/a.go F it does less.} {engine/a.go F here too}]" {
		t.Errorf("simplified: %s", s)
	}
	if s := fmt.Sprint(got.Unknown); s != "[engine/node/kubelet/wrong_test.go: A-7]" {
		t.Errorf("unknown: %s", s)
	}
}

// TestPage: the page links to files that exist and to its own sections.
func TestPage(t *testing.T) {
	files, report := generate(t)
	page := files[MarkdownFile]
	for _, m := range linkTargets(page) {
		if section, ok := strings.CutPrefix(m, "#"); ok {
			if !strings.Contains(page, "\n## ") || !hasSection(report, section) {
				t.Errorf("there is no section for %s", m)
			}
		} else if _, err := os.Stat("../../../" + m); err != nil {
			t.Error(err)
		}
	}
}

func linkTargets(page string) (out []string) {
	for _, part := range strings.Split(page, "](")[1:] {
		target, _, _ := strings.Cut(part, ")")
		out = append(out, target)
	}
	return out
}

func hasSection(f *fidelity.Fidelity, name string) bool {
	for i := range f.Sections {
		if anchor(f.Sections[i].Title) == name {
			return true
		}
	}
	return false
}
