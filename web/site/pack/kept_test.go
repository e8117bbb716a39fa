package pack

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestKept: equal inputs are computed once, other inputs again, and an error is not kept.
func TestKept(t *testing.T) {
	o := Options{Root: t.TempDir()}
	made := 0
	get := func(inputs string) string {
		got, err := o.kept("test", []byte(inputs), func() ([]byte, error) { made++; return fmt.Append(nil, "made ", made), nil })
		if err != nil {
			t.Fatal(err)
		}
		return string(got)
	}
	if got := []string{get("a"), get("b"), get("a")}; !slices.Equal(got, []string{"made 1", "made 2", "made 1"}) {
		t.Errorf("got %q", got)
	}
	broken := errors.New("broken")
	if _, err := o.kept("test", []byte("c"), func() ([]byte, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if got := get("c"); got != "made 3" {
		t.Errorf("after an error: got %q", got)
	}
	for i := range 2 * keptMost {
		get(fmt.Sprint(i))
	}
	dir := filepath.Join(o.Root, "web", "node_modules", ".cache", "test")
	if files, err := os.ReadDir(dir); err != nil || len(files) != keptMost {
		t.Errorf("%d results are left, %v; want %d", len(files), err, keptMost)
	}
}

// TestWasmInputs: what changes app.wasm changes the inputs, and nothing else does.
func TestWasmInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles Go's runtime for wasm")
	}
	root := t.TempDir()
	rewriter := "web/site/pack/slim/slim.go"
	files := maps.Clone(tiny)
	files[rewriter] = "package slim\n\nconst Version = 1\n"
	for name, text := range files {
		if err := write(filepath.Join(root, filepath.FromSlash(name)), text); err != nil {
			t.Fatal(err)
		}
	}
	inputs := func(o Options) []byte {
		t.Helper()
		dir := t.TempDir()
		modfile := modfileWith(root, dir, "\nreplace example.org/dep => ./cache/dep\n")
		o.Root = root
		got := wasmInputs(o, modfile, "")
		return got
	}
	before := inputs(Options{})
	if again := inputs(Options{}); !bytes.Equal(before, again) {
		t.Errorf("two folders for the modfile give different inputs:\n%s\n%s", before, again)
	}
	if debug := inputs(Options{Debug: true}); bytes.Equal(before, debug) {
		t.Error("a build for debugging has the same inputs")
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(root, "cache", "dep", "dep.go"), later, later); err != nil {
		t.Fatal(err)
	}
	if again := inputs(Options{}); !bytes.Equal(before, again) {
		t.Error("the time of a file is part of the inputs")
	}
	for name, text := range map[string]string{
		"cache/dep/dep.go": "package dep\n\nfunc Name() string { return where() }\n\nfunc where() string { panic(\"other\") }\n",
		rewriter:           "package slim\n\nconst Version = 2\n",
	} {
		if err := write(filepath.Join(root, filepath.FromSlash(name)), text); err != nil {
			t.Fatal(err)
		}
		after := inputs(Options{})
		if bytes.Equal(before, after) {
			t.Errorf("%s is not part of the inputs", name)
		}
		before = after
	}
}
