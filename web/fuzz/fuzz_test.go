package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFind: the functions of all packages of the module, but not of another module or of test data.
func TestFind(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                   "module x\n",
		"a/a_test.go":              "package a\n\nfunc FuzzOne(f *testing.F) {}\n\nfunc FuzzTwo(f *testing.F) {}\n",
		"a/a.go":                   "package a\n\nfunc FuzzNoTest() {}\n",
		"a/b/b_test.go":            "package b\n\n// FuzzText is a word.\nfunc FuzzThree(f *testing.F) {}\n",
		"a/testdata/c_test.go":     "package c\n\nfunc FuzzData(f *testing.F) {}\n",
		"a/other/go.mod":           "module y\n",
		"a/other/d_test.go":        "package d\n\nfunc FuzzOther(f *testing.F) {}\n",
		"c/e_test.go":              "package c\n\nfunc FuzzElsewhere(f *testing.F) {}\n",
		"a/node_modules/f_test.go": "package f\n\nfunc FuzzNode(f *testing.F) {}\n",
	} {
		p := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := find(root, []string{"a"})
	want := []target{{"a", "FuzzOne"}, {"a", "FuzzTwo"}, {"a/b", "FuzzThree"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v (%v), want %v", got, err, want)
	}
	if _, err := find(root, []string{"nowhere"}); err == nil {
		t.Error("a folder that does not exist is no error")
	}
}

// TestRead reads what go test prints.
func TestRead(t *testing.T) {
	a := target{"engine", "FuzzRun"}
	const passed = `fuzz: elapsed: 0s, gathering baseline coverage: 0/84 completed
fuzz: elapsed: 0s, gathering baseline coverage: 84/84 completed, now fuzzing with 2 workers
fuzz: elapsed: 3s, execs: 1200 (400/sec), new interesting: 3 (total: 87)
fuzz: elapsed: 1m2s, execs: 62000 (1000/sec), new interesting: 12 (total: 96)
PASS
ok  	example	62.1s
`
	const crashed = `fuzz: elapsed: 0s, gathering baseline coverage: 0/84 completed
fuzz: elapsed: 2s, execs: 100 (50/sec), new interesting: 0 (total: 84)
--- FAIL: FuzzRun (2.00s)
    Failing input written to testdata/fuzz/FuzzRun/1234abcd
    To re-run:
`
	for _, tt := range []struct {
		out  string
		want result
	}{
		{passed, result{target: a, execs: 62000, elapsed: 62 * time.Second, added: 12}},
		{crashed, result{target: a, execs: 100, elapsed: 2 * time.Second, file: "engine/testdata/fuzz/FuzzRun/1234abcd"}},
		{"# example\nfuzz_test.go:1: no\nFAIL\n", result{target: a}},
	} {
		if got := read(a, tt.out); got != tt.want {
			t.Errorf("got %+v, want %+v\n%s", got, tt.want, tt.out)
		}
	}
}

// TestTable: every target has a line, and one that never ran is no success.
func TestTable(t *testing.T) {
	results := []result{
		{target: target{"engine", "FuzzRun"}, execs: 62000, elapsed: 62 * time.Second, added: 12},
		{target: target{"engine/link", "FuzzDecode"}, execs: 7, elapsed: 500 * time.Millisecond, failed: true, file: "engine/link/testdata/fuzz/FuzzDecode/1"},
		{target: target{"app", "FuzzX"}, failed: true},
	}
	var b strings.Builder
	table(&b, results)
	want := `  executions  per second  new inputs  target
       62000        1000          12  engine FuzzRun: ok
           7          14           0  engine/link FuzzDecode: FAILED: engine/link/testdata/fuzz/FuzzDecode/1
           0           -           0  app FuzzX: FAILED
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	for n, want := range []int{1, 0, 1, 1} {
		if got := code(results[:n]); got != want {
			t.Errorf("the exit code of %d results is %d, want %d", n, got, want)
		}
	}
	if code([]result{{}}) != 1 {
		t.Error("a target that never ran is a success")
	}
}
