package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/site/pack/slim"
)

func TestTracesAreTheSameInWasm(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	dir := t.TempDir()
	native := output(t, exec.Command(compile(t, filepath.Join(dir, "native"))))
	wasm := compile(t, filepath.Join(dir, "trace.wasm"), "GOOS=js", "GOARCH=wasm")
	makeSlim(t, wasm)
	inNode := output(t, exec.Command("node", "--stack-size=8192", filepath.Join(goRoot(t), "lib", "wasm", "wasm_exec_node.js"), wasm))

	if n := bytes.Count(native, []byte("\n-- ")) + 1; n < len(scenarios.Names()) {
		t.Errorf("got the traces of %d scenarios, want %d", n, len(scenarios.Names()))
	}
	a, b := strings.SplitAfter(string(native), "\n"), strings.SplitAfter(string(inNode), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("line %d differs\nnative: %s\nwasm:   %s", i+1, a[i], b[i])
		}
	}
	if len(a) != len(b) {
		t.Errorf("got %d lines natively and %d in wasm", len(a), len(b))
	}
}

// compile builds this command and returns its file.
func compile(t *testing.T, out string, env ...string) string {
	t.Helper()
	cmd := exec.Command("go", "build", "-o", out, ".")
	cmd.Env = append(os.Environ(), env...)
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, msg)
	}
	return out
}

// makeSlim rewrites the file as the build of the site rewrites app.wasm.
func makeSlim(t *testing.T, name string) {
	t.Helper()
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	small, err := slim.Module(whole, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, small, 0o644); err != nil {
		t.Fatal(err)
	}
}

func output(t *testing.T, cmd *exec.Cmd) []byte {
	t.Helper()
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok {
		t.Fatalf("%s: %v\n%s", cmd, err, exit.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func goRoot(t *testing.T) string {
	return strings.TrimSpace(string(output(t, exec.Command("go", "env", "GOROOT"))))
}
