package pack

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// copyPatched copies the files that are patched, and returns the folder that stands in for GOROOT.
func copyPatched(t *testing.T) string {
	t.Helper()
	goroot := goRoot()
	dir := t.TempDir()
	for _, p := range goPatches {
		text, err := os.ReadFile(filepath.Join(goroot, "src", p.file))
		if err == nil {
			err = write(filepath.Join(dir, "src", p.file), string(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestOtherRuntime checks that a release fails if one of the patched files of Go differs from the patched version, even in a comment, and that
// other builds log it and continue.
func TestOtherRuntime(t *testing.T) {
	if len(goPatches) != 14 {
		t.Errorf("%d files are patched", len(goPatches))
	}
	var logged []string
	options := func(speed Speed, debug bool) Options {
		return Options{Root: t.TempDir(), Speed: speed, Debug: debug, Log: func(line string) { logged = append(logged, line) }}
	}
	if overlay, err := runtimeOverlay(options(Small, false), copyPatched(t), t.TempDir()); err != nil || overlay == "" || logged != nil {
		t.Fatalf("the files of this Go: %q, %v, %q", overlay, err, logged)
	}
	for _, p := range goPatches {
		goroot := copyPatched(t)
		name := filepath.Join(goroot, "src", p.file)
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, append(text, "// another version\n"...), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = runtimeOverlay(options(Small, false), goroot, t.TempDir())
		if !errors.Is(err, ErrRuntime) || !strings.Contains(err.Error(), p.file) || !strings.Contains(err.Error(), "GOTOOLCHAIN=auto") {
			t.Errorf("%s: a release gets %v", p.file, err)
		}
		for _, o := range []Options{options(Fast, false), options(Small, true)} {
			logged = nil
			if overlay, err := runtimeOverlay(o, goroot, t.TempDir()); err != nil || overlay != "" || len(logged) != 1 || !strings.Contains(logged[0], p.file) {
				t.Errorf("%s: %q, %v, %q", p.file, overlay, err, logged)
			}
		}
	}
}
