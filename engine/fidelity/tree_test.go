package fidelity

import (
	"fmt"
	"testing"
	"testing/fstest"
)

// TestCited: the forms in which rules are cited.
func TestCited(t *testing.T) {
	l := list([]string{"A-1", "A-2", "A-3", "D-50", "D-50a", "D-50b", "D-50c", "D-61", "G-30a", "SIM-1"})
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

// TestScan: which files count for what.
func TestScan(t *testing.T) {
	files := fstest.MapFS{
		"engine/a.go": {Data: []byte("// F does (A-1).\n//\n// Simplified: it does\n// less.\n//\n// More.\nfunc F() {} // Simplified: here too\n}\n" +
			"// no Simplified: in the middle\n")},
		"engine/a_test.go":                  {Data: []byte("// A-2")},
		"engine/testdata/a.txtar":           {Data: []byte("It is A-3.\n-- trace.txt --\nA-4\n")},
		"engine/testdata/s/a.txt":           {Data: []byte("See A-3.\n    0.000 x // A-4\n")},
		"engine/oracle/conformance/c.go":    {Data: []byte("// A-9")},
		"engine/fidelity/f.go":              {Data: []byte("// A-9")},
		"engine/api/testdata/m.go":          {Data: []byte("// A-9")},
		"engine/api/other.md":               {Data: []byte("A-9")},
		"web/w.go":                          {Data: []byte("// A-9")},
		"engine/node/kubelet/b.go":          {Data: []byte("// A-1")},
		"engine/node/kubelet/b_test.go":     {Data: []byte("// A-1 to A-2")},
		"engine/node/kubelet/wrong_test.go": {Data: []byte("// A-7")},
	}
	r := &Report{Sections: []Section{{Rules: []Rule{{ID: "A-1"}, {ID: "A-2"}, {ID: "A-3"}, {ID: "A-4"}}}}}
	if err, want := r.scan(files), "these citations name no rule:\nengine/node/kubelet/wrong_test.go: A-7"; err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	code, tests := map[string][]string{}, map[string][]string{}
	for rule := range r.All() {
		code[rule.ID], tests[rule.ID] = rule.Code, rule.Tests
	}
	if s := fmt.Sprint(code); s != "map[A-1:[engine/a.go engine/node/kubelet/b.go] A-2:[] A-3:[] A-4:[]]" {
		t.Errorf("code: %s", s)
	}
	want := "map[A-1:[engine/node/kubelet/b_test.go] A-2:[engine/a_test.go engine/node/kubelet/b_test.go] " +
		"A-3:[engine/testdata/a.txtar engine/testdata/s/a.txt] A-4:[]]"
	if s := fmt.Sprint(tests); s != want {
		t.Errorf("tests: %s\nwant:  %s", s, want)
	}
	if s := fmt.Sprint(r.Simplifications); s != "[{engine/a.go F it does less.} {engine/a.go F here too}]" {
		t.Errorf("simplified: %s", s)
	}
}
