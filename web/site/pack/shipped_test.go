package pack

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/web/site/pack/slim"
)

// TestShippedTraces: a wasm that is built as app.wasm is, with the changed modules, the patched runtime, its flags and the rewriter, computes
// the same traces as the native program. The collector runs often, and checks each time that it has forgotten no object (gccheckmark).
func TestShippedTraces(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil || testing.Short() {
		t.Skip("node is not installed, or this is a short run:", err)
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	modfile := withCopies(root, dir)
	goroot := goRoot()
	overlay, err := withPatches(goroot, root, dir)
	if err != nil {
		t.Fatal(err)
	}
	out, o := filepath.Join(dir, "trace.wasm"), Options{Root: root}
	args := slices.Concat([]string{"build", "-o", out}, places(modfile, overlay), wasmFlags(o), []string{"./web/tracewasm"})
	if _, err := goForWasm(o, args); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	small, err := slim.Module(raw, true)
	if err != nil {
		t.Fatal(err)
	}
	native := exec.Command("go", "run", "./web/tracewasm")
	native.Dir = root
	want, err := native.Output()
	if err != nil {
		t.Fatal(err)
	}
	play := func(module []byte) ([]byte, error) {
		if err := os.WriteFile(out, module, 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("node", "--stack-size=8192", filepath.Join(goroot, "lib", "wasm", "wasm_exec_node.js"), out)
		cmd.Env = append(os.Environ(), "GOGC=20", "GODEBUG=gccheckmark=1")
		return cmd.Output()
	}
	if got, err := play(small); err != nil || len(got) == 0 || !bytes.Equal(got, want) {
		t.Errorf("%v: %d bytes in the shipped wasm, %d natively", err, len(got), len(want))
	}
	// A wasm that differs in one letter of a reason must not pass.
	broken := bytes.Replace(small, []byte("ScalingReplicaSet"), []byte("ScalingReplicaSat"), 1)
	if got, err := play(broken); bytes.Equal(broken, small) || bytes.Equal(got, want) {
		t.Errorf("a changed wasm has the same traces: %v", err)
	}
	var exit *exec.ExitError
	if _, err := play(withoutBarriers(t, small)); !errors.As(err, &exit) || !bytes.Contains(exit.Stderr, []byte("checkmark found unmarked object")) {
		t.Errorf("without write barriers the collector forgets nothing: %v", err)
	}
}
