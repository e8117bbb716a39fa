package pack

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rollplay/rollplay/web/site/pack/slim"
)

// hot lists the packages in which simulated events and drawn frames spend their time. Everything else is compiled without
// inlining, which makes the download 5 % smaller: most of the code runs once per click or paste, if ever.
var hot = []string{
	"runtime/...", "internal/runtime/...", "internal/abi", "internal/bytealg", "sync/...",
	"syscall/js", "github.com/maxence-charriere/go-app/v10/...",
	"github.com/rollplay/rollplay/engine/sim", "github.com/rollplay/rollplay/engine/controllers/deployment",
	"github.com/rollplay/rollplay/engine/controllers/replicaset",
}

// buildWasm compiles ./wasm for the browser.
func buildWasm(o Options) (File, error) {
	o.Logf("building app.wasm")
	dir, err := os.MkdirTemp("", "rollplay-wasm-")
	if err != nil {
		return File{}, err
	}
	defer os.RemoveAll(dir)

	modfile, err := withCopies(o.Root, dir)
	if err != nil {
		return File{}, err
	}
	goroot, err := goRoot()
	if err != nil {
		return File{}, err
	}
	overlay, err := runtimeOverlay(o, goroot, dir)
	if err != nil {
		return File{}, err
	}
	out := filepath.Join(dir, "app.wasm")
	if err := compile(o, modfile, overlay, out); err != nil {
		return File{}, err
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		return File{}, err
	}
	if !o.Debug {
		if raw, err = slim.Module(raw); err != nil {
			return File{}, fmt.Errorf("app.wasm: %w", err)
		}
	}
	return Hashed("app", ".wasm", raw), nil
}

// compile compiles ./wasm below the root. Neither the folder nor that of the modfile may leave a trace in the file, or equal sources
// would have another name in each build, and every visitor download them again.
func compile(o Options, modfile, overlay, out string) error {
	// The symbol table and the DWARF data are a third of the file, and no browser shows them. Without the state of the
	// repository the same sources give the same bytes, and so the same name.
	args := []string{"build", "-modfile", modfile, "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-o", out}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	if !o.Debug {
		args = append(args, "-ldflags", "-s -w")
	}
	for _, pkg := range hot {
		args = append(args, "-gcflags="+pkg+"=")
	}
	cmd := exec.Command("go", append(args, "./wasm")...)
	cmd.Dir = o.Root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building app.wasm: %w\n%s", err, bytes.TrimSpace(msg))
	}
	return nil
}

// wasmExec returns the wasm_exec.js of the compiling Go: their versions must match.
func wasmExec() ([]byte, error) {
	goroot, err := goRoot()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
}

// goRoot returns the folder of the Go that go build uses.
func goRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
