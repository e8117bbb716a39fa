package pack

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack/slim"
)

// hot lists the packages in which simulated events spend their time. Everything else is compiled without inlining, which makes the
// download 5 % smaller: most of the code runs once per click or paste, if ever. Of go-app, sync and syscall/js it saves 8 kB, and no
// drawn frame takes longer (13 ms of the processor on average, 15 with inlining).
var hot = []string{
	"runtime/...", "internal/runtime/...", "internal/abi", "internal/bytealg",
	"github.com/rollplay/rollplay/engine/sim",
}

// buildWasm compiles ./wasm for the browser.
func buildWasm(o Options) File {
	o.Logf("building app.wasm")
	dir := must.Have(os.MkdirTemp("", "rollplay-wasm-"))
	defer os.RemoveAll(dir)
	modfile := withCopies(o.Root, dir)
	overlay := must.Have(runtimeOverlay(o, goRoot(), dir))
	inputs := wasmInputs(o, modfile, overlay)
	link := func() ([]byte, error) { return linkWasm(o, modfile, overlay, filepath.Join(dir, "app.wasm")), nil }
	return Hashed("app", ".wasm", must.Have(o.kept("wasm", inputs, link)))
}

// wasmInputs returns everything that decides about the bytes of app.wasm: the compiled packages and those of the rewriter by their
// build IDs, and the flags. Go's own cache answers this in a second, where linking and rewriting take many.
func wasmInputs(o Options, modfile, overlay string) []byte {
	list := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.BuildID}}"}
	packages := must.Have(goForWasm(o, slices.Concat(list, places(modfile, overlay), wasmFlags(o), []string{"./wasm"})))
	rewriter := exec.Command("go", append(list, "./web/site/pack/slim")...)
	rewriter.Dir = o.Root
	return fmt.Appendf(packages, "%s%q", must.Have(rewriter.Output()), wasmFlags(o))
}

// linkWasm compiles, links and rewrites app.wasm.
func linkWasm(o Options, modfile, overlay, out string) []byte {
	must.Do(compile(o, modfile, overlay, out))
	raw := must.Have(os.ReadFile(out))
	if o.Debug {
		return raw
	}
	small, err := slim.Module(raw, overlay != "")
	must.Wrap(err, "app.wasm")
	return small
}

// compile compiles ./wasm below the root. Neither the folder nor that of the modfile may leave a trace in the file, or equal sources
// would have another name in each build, and every visitor download them again.
func compile(o Options, modfile, overlay, out string) error {
	_, err := goForWasm(o, slices.Concat([]string{"build", "-o", out}, places(modfile, overlay), wasmFlags(o), []string{"./wasm"}))
	return err
}

// goForWasm runs the go command for the platform of the browser and returns its output.
func goForWasm(o Options, args []string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = o.Root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("building app.wasm: %w\n%s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// places returns the flags that name files of this build. They leave no trace in app.wasm.
func places(modfile, overlay string) []string {
	flags := []string{"-modfile", modfile}
	if overlay != "" {
		flags = append(flags, "-overlay", overlay)
	}
	return flags
}

// wasmFlags returns the flags that decide about the contents of app.wasm.
func wasmFlags(o Options) []string {
	// Without the state of the repository the same sources give the same bytes, and so the same name.
	flags := []string{"-trimpath", "-buildvcs=false", "-gcflags=all=-l"}
	if !o.Debug {
		// The symbol table and the DWARF data are a third of the file, and no browser shows them.
		flags = append(flags, "-ldflags", "-s -w")
	}
	for _, pkg := range hot {
		flags = append(flags, "-gcflags="+pkg+"=")
	}
	return flags
}

// wasmExec returns the wasm_exec.js of the compiling Go: their versions must match.
func wasmExec() string {
	return string(must.Have(os.ReadFile(filepath.Join(goRoot(), "lib", "wasm", "wasm_exec.js"))))
}

// goRoot returns the folder of the Go that go build uses.
func goRoot() string {
	return strings.TrimSpace(string(must.Have(exec.Command("go", "env", "GOROOT").Output())))
}
