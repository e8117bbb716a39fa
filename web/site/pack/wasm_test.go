package pack

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// tiny is a program with a module that is replaced by a copy beside it, as go-app is.
var tiny = map[string]string{
	"go.mod":           "module github.com/rollplay/rollplay\n\ngo 1.26\n\nrequire example.org/dep v1.0.0\n",
	"go.sum":           "",
	"wasm/main.go":     "package main\n\nimport \"example.org/dep\"\n\nfunc main() { println(dep.Name()) }\n",
	"cache/dep/go.mod": "module example.org/dep\n",
	"cache/dep/dep.go": "package dep\n\nfunc Name() string { return where() }\n\nfunc where() string { panic(\"a panic holds the path of its file\") }\n",
}

// TestSameBytesInAnyFolder compiles a small program twice, as the build compiles the real one.
func TestSameBytesInAnyFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles Go's runtime for wasm")
	}
	first, second := compileIn(t, filepath.Join(t.TempDir(), "a")), compileIn(t, filepath.Join(t.TempDir(), "another", "and a longer folder"))
	if !bytes.Equal(first, second) {
		t.Errorf("two folders give files of %d and %d bytes, which differ", len(first), len(second))
	}
	if !bytes.Contains(first, []byte("./cache/dep")) {
		t.Error("the module info is missing, so this tests nothing")
	}
}

func compileIn(t *testing.T, root string) []byte {
	t.Helper()
	for name, text := range tiny {
		p := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	modfile := modfileWith(root, dir, "\nreplace example.org/dep => ./cache/dep\n")
	goroot := goRoot()
	overlay, err := withPatches(goroot, root, dir)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "app.wasm")
	if err := compile(Options{Root: root}, modfile, overlay, out); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{root, dir} {
		if bytes.Contains(raw, []byte(path)) {
			t.Errorf("the file contains the path %s", path)
		}
	}
	return raw
}
