// Package web tests the scripts of this folder.
package web

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fakeGo stands in for the go command: FuzzOne passes, FuzzTwo finds a failing input, and the others never run.
const fakeGo = `#!/usr/bin/env bash
case "$*" in
*'-fuzz ^FuzzOne$'*)
	echo 'fuzz: elapsed: 0s, gathering baseline coverage: 0/84 completed'
	echo 'fuzz: elapsed: 3s, execs: 1200 (400/sec), new interesting: 3 (total: 87)'
	echo 'fuzz: elapsed: 1m2s, execs: 62000 (1000/sec), new interesting: 12 (total: 96)' ;;
*'-fuzz ^FuzzTwo$'*)
	echo '--- FAIL: FuzzTwo (2.00s)'
	echo '    Failing input written to testdata/fuzz/FuzzTwo/1234abcd'
	exit 1 ;;
*) echo 'fuzz: elapsed: 0s, gathering baseline coverage: 0/84 completed' ;;
esac
`

// TestFuzz checks that fuzz.sh runs the functions of all packages of the module, but not of another module or of test data, and that
// a function that never ran is no success.
func TestFuzz(t *testing.T) {
	script, err := filepath.Abs("fuzz.sh")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	root := t.TempDir()
	for name, text := range map[string]string{
		"bin/go":                   fakeGo,
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
		if err := os.WriteFile(p, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		target, folder, want string
		fails                bool
	}{
		{"FuzzOne", "a", "ok      a FuzzOne: elapsed: 1m2s, execs: 62000 (1000/sec), new interesting: 12 (total: 96)\n1 functions, 0 failed\n", false},
		{"a FuzzT", "a", "FAILED  a FuzzTwo: a/testdata/fuzz/FuzzTwo/1234abcd\n1 functions, 1 failed\n", true},
		{"a/b", "a", "FAILED  a/b FuzzThree: it did not run\n1 functions, 1 failed\n", true},
		{"", "a", "3 functions, 2 failed\n", true},
		{"", "c", "1 functions, 1 failed\n", true},
		{"FuzzNothing", "a", "0 functions, 0 failed\n", true},
		{"", "nowhere", "0 functions, 0 failed\n", true},
	} {
		cmd := exec.Command(script, tt.folder)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "TARGET="+tt.target, "PATH="+filepath.Join(root, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) || (err != nil) != tt.fails || !strings.HasSuffix(string(out), tt.want) {
			t.Errorf("TARGET=%q in %s: %v\n%s\nwant %s", tt.target, tt.folder, err, out, tt.want)
		}
	}
}
