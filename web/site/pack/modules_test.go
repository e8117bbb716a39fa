package pack

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestLeftOut: what the copies of the modules are for. Without them every one of these is part of the program.
func TestLeftOut(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	modfile := withCopies(root, t.TempDir())
	all, without := dependencies(t, root), dependencies(t, root, "-modfile", modfile)
	for _, pkg := range []string{"net/http", "crypto/tls", "crypto/aes", "crypto/rand", "math/big", "github.com/google/uuid", "regexp", "regexp/syntax", "html"} {
		if !slices.Contains(all, pkg) {
			t.Errorf("%s is not part of the program anyway", pkg)
		}
		if slices.Contains(without, pkg) {
			t.Errorf("%s is still part of the program", pkg)
		}
	}
}

func dependencies(t *testing.T, root string, flags ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append(append([]string{"list", "-deps"}, flags...), "./wasm")...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// TestOtherModule: a version of a module that the changes do not fit is an error, and old files of a copy go.
func TestOtherModule(t *testing.T) {
	for text, fits := range map[string]bool{"a b c": true, "a c": false, "a b b c": false} {
		if _, err := replaceOnce([]byte(text), [][2]string{{"b", "x"}}); (err == nil) != fits {
			t.Errorf("%q: %v", text, err)
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"kept.go", "old.go", "notes.txt"} {
		if err := write(filepath.Join(dir, name), name); err != nil {
			t.Fatal(err)
		}
	}
	removeOthers(dir, map[string][]byte{"kept.go": []byte("kept.go")})
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 2 || filepath.Base(left[0]) != "kept.go" {
		t.Errorf("left: %v, %v", left, err)
	}
}
