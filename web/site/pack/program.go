// Package pack makes the files of the site that need tools: it compiles the wasm, bundles and shrinks JavaScript and CSS, fills
// in templates, collects licences and compresses. The pages themselves are in package pages.
//
// The wasm is built with changed copies of four modules (modules.go). go-app loses its server, encryption, device IDs, shared
// states and table of HTML entities; yaml/v2 loses structs, yaml/v3 all but nodes; both YAML modules and go-echarts lose regular
// expressions, three patterns in all. The copy of go-app also catches panics of components and handlers and reports them
// (page.Broke), and gives the thread back between two elements. None of it is committed, and a version that a change does not fit
// fails the build. TestLeftOut lists what is gone.
//
// Seven files of Go are changed (runtime.go) and bound to their hashes, so that a turn of the program is short: the collector works in
// the first 8 ms of a turn and requests another one, and a memory limit of 421 MiB balances that. A turn of more than 20 ms ends and
// waits for a task of its own; a short sleep would not do, because Go's scheduler returns to the browser only if no timer is due.
// Values of JavaScript are boxed in 128 bytes, because Go searches the finalizers of a span one by one.
//
// Packages that neither simulate events nor draw frames are compiled without inlining (wasm.go): the download is 5% smaller, a run
// takes about 6% longer.
package pack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/rollplay/rollplay/web/must"
)

// Program is the playground without its page: the wasm, the script that starts it, and the bundles of JavaScript and CSS.
type Program struct {
	Wasm, Boot  File
	First       File // the script of the page until the program is there
	Worker      File // a script that runs the wasm without a page
	Bundles     []File
	Main, Style string   // names
	AtOnce      []string // names of the files that main.js cannot run without
}

// Build compiles and bundles the program.
func Build(o Options) (p *Program, err error) {
	defer must.Caught(&err)
	must.Do(installPackages(o))
	p = &Program{Wasm: buildWasm(o), Boot: buildBoot(o), First: buildFirst(o), Worker: buildWorker(o)}
	return p, p.bundle(o)
}

// bundle runs esbuild.
func (p *Program) bundle(o Options) error {
	web := filepath.Join(o.Root, "web")
	res := api.Build(api.BuildOptions{
		AbsWorkingDir:       web, // names in the output are relative to it, so that no hash depends on the machine
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: "src/main.js", OutputPath: "main"}, {InputPath: "shell/page.css", OutputPath: "style"}},
		Bundle:              true,
		Format:              api.FormatESModule,
		Splitting:           true, // import() becomes a file of its own, which the page loads when it needs it
		Target:              target,
		MinifyWhitespace:    true,
		MinifyIdentifiers:   true,
		MinifySyntax:        true,
		LegalComments:       api.LegalCommentsNone, // licenses.txt has the full texts
		Define:              map[string]string{"process.env.NODE_ENV": `"production"`},
		Loader:              map[string]api.Loader{".svg": api.LoaderDataURL, ".woff2": api.LoaderDataURL},
		EntryNames:          "[name]-[hash]",
		ChunkNames:          "[name]-[hash]",
		Outdir:              ".",
		AllowOverwrite:      true, // esbuild writes nothing: the files stay in memory
		Metafile:            true,
	})
	if err := messages("bundling", res.Errors, res.Warnings); err != nil {
		return err
	}
	for _, f := range res.OutputFiles {
		name := filepath.Base(f.Path)
		// The page loads some modules only when somebody opens the drawer with the editor or the code to scan, or when few requests fly.
		later := strings.HasPrefix(name, "editor-") || strings.HasPrefix(name, "qr-") || strings.HasPrefix(name, "pen-")
		p.Bundles = append(p.Bundles, File{Name: name, Type: TypeOf(name), Hashed: true, First: !later, Later: later, Raw: f.Contents})
	}
	return p.readMeta(res.Metafile)
}

// readMeta finds the outputs of the entry points in esbuild's report.
func (p *Program) readMeta(meta string) error {
	var m struct {
		Outputs map[string]struct {
			EntryPoint string
			Imports    []struct{ Path, Kind string }
		}
	}
	if err := json.Unmarshal([]byte(meta), &m); err != nil {
		return fmt.Errorf("bundling: metafile: %w", err)
	}
	for name, out := range m.Outputs {
		switch out.EntryPoint {
		case "src/main.js":
			p.Main = name
			for _, i := range out.Imports {
				if i.Kind == "import-statement" {
					p.AtOnce = append(p.AtOnce, i.Path)
				}
			}
		case "shell/page.css":
			p.Style = name
		}
	}
	return nil
}

// messages joins esbuild's complaints into one error. A warning counts as an error: so far each of them was a bug.
func messages(what string, lists ...[]api.Message) error {
	var errs []error
	for _, list := range lists {
		for _, m := range list {
			if at := m.Location; at != nil {
				m.Text = fmt.Sprintf("%s:%d:%d: %s", at.File, at.Line, at.Column+1, m.Text)
			}
			errs = append(errs, fmt.Errorf("%s: %s", what, m.Text))
		}
	}
	return errors.Join(errs...)
}

// ErrNoNPM means that packages are missing and cannot be installed.
var ErrNoNPM = errors.New("npm is missing: install Node.js 20 or newer, which contains it, and try again")

// installPackages runs npm ci if packages of the lockfile are missing. The lock makes it safe for the tests of several
// packages, which run at the same time.
func installPackages(o Options) error {
	web := filepath.Join(o.Root, "web")
	if fresh(web) {
		return nil
	}
	defer must.Have(lock("npm"))()
	if fresh(web) {
		return nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return ErrNoNPM
	}
	o.Logf("installing the JavaScript packages of web/package-lock.json (npm ci)")
	cmd := exec.Command("npm", "ci")
	cmd.Dir = web
	if msg, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w\n%s", err, bytes.TrimSpace(msg))
	}
	return nil
}

// fresh reports whether npm has installed the packages since the last change of the lockfile. npm writes a lockfile of its own
// when it is done.
func fresh(web string) bool {
	want, err := os.Stat(filepath.Join(web, "package-lock.json"))
	if err != nil {
		return false
	}
	have, err := os.Stat(filepath.Join(web, "node_modules", ".package-lock.json"))
	return err == nil && !have.ModTime().Before(want.ModTime())
}
