// Package pack makes the files of the site that need tools: it compiles the wasm, bundles and shrinks JavaScript and CSS, fills
// in templates, collects licences and compresses. The pages themselves are in package pages.
//
// The wasm is built with changed copies of five modules (modules.go). go-app loses its server, encryption, device IDs, shared
// states and table of HTML entities; yaml/v2 and sigs.k8s.io/yaml lose structs, yaml/v3 all but nodes; yaml/v2, yaml/v3 and go-echarts lose regular
// expressions, three patterns in all. The copy of go-app also catches panics of components and handlers and reports them
// (page.Broke), and gives the thread back between two elements. None of it is committed, and a version that a change does not fit
// fails the build. TestLeftOut lists what is gone.
//
// Fourteen files of Go are changed (runtime.go) and bound to their hashes. One place sorts all slices, in the order of Go's own functions, which
// the compiler repeats for each type: that saves 12 kB; shorter functions that insert and delete save 3 kB more,
// and no moment is printed as Go source. The other changes make a turn of the program short: the collector works in
// the first 8 ms of a turn and requests another one, and a memory limit of 421 MiB balances that. A turn of more than 20 ms ends and
// waits for a task of its own; a short sleep would not do, because Go's scheduler returns to the browser only if no timer is due.
// Values of JavaScript are boxed in 128 bytes, because Go searches the finalizers of a span one by one.
//
// Packages that do not simulate events are compiled without inlining (wasm.go): 5% less to download, and runs take about 6% longer.
package pack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/url"
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
func Build(o Options) *Program {
	installPackages(o)
	p := &Program{Wasm: buildWasm(o), Boot: buildBoot(o), First: buildFirst(o), Worker: buildWorker(o)}
	p.bundle(o)
	return p
}

// esbuild joins files below web with those that they import.
func esbuild(o Options, what string, b api.BuildOptions) api.BuildResult {
	b.AbsWorkingDir = filepath.Join(o.Root, "web") // names in the output are relative to it, so that no hash depends on the machine
	b.Bundle, b.Target, b.MinifyWhitespace, b.MinifySyntax = true, target, true, true
	b.Outdir, b.AllowOverwrite = ".", true // esbuild writes nothing: the files stay in memory
	res := api.Build(b)
	must.Do(messages(what, res.Errors, res.Warnings))
	return res
}

// bundle makes the modules and the style sheet of the playground.
func (p *Program) bundle(o Options) {
	res := esbuild(o, "bundling", api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: "src/main.js", OutputPath: "main"}, {InputPath: "shell/page.css", OutputPath: "style"}},
		Format:              api.FormatESModule,
		Splitting:           true, // import() becomes a file of its own, which the page loads when it needs it
		MinifyIdentifiers:   true,
		LegalComments:       api.LegalCommentsNone, // licenses.txt has the full texts
		Define:              map[string]string{"process.env.NODE_ENV": `"production"`},
		Loader:              map[string]api.Loader{".svg": api.LoaderDataURL, ".woff2": api.LoaderDataURL},
		EntryNames:          "[name]-[hash]",
		ChunkNames:          "[name]-[hash]",
		Metafile:            true,
	})
	for _, f := range res.OutputFiles {
		name := filepath.Base(f.Path)
		// The page loads some modules only when somebody opens the drawer with the editor or the code to scan, or when few requests fly.
		later := strings.HasPrefix(name, "editor-") || strings.HasPrefix(name, "qr-") || strings.HasPrefix(name, "pen-")
		p.Bundles = append(p.Bundles, File{Name: name, Type: TypeOf(name), Hashed: true, First: !later, Later: later, Raw: f.Contents})
	}
	p.readMeta(res.Metafile)
}

// readMeta finds the outputs of the entry points in esbuild's report.
func (p *Program) readMeta(meta string) {
	var m struct {
		Outputs map[string]struct {
			EntryPoint string
			Imports    []struct{ Path, Kind string }
		}
	}
	must.Wrap(json.Unmarshal([]byte(meta), &m), "bundling: metafile")
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
}

// messages joins esbuild's complaints into one error. A warning counts as an error: so far each of them was a bug.
func messages(what string, wrong, warnings []api.Message) error {
	var errs []error
	for _, m := range append(wrong, warnings...) {
		if at := m.Location; at != nil {
			m.Text = fmt.Sprintf("%s:%d:%d: %s", at.File, at.Line, at.Column+1, m.Text)
		}
		errs = append(errs, fmt.Errorf("%s: %s", what, m.Text))
	}
	return errors.Join(errs...)
}

// installPackages runs npm ci if packages of the lockfile are missing. The lock makes it safe for the tests of several
// packages, which run at the same time.
func installPackages(o Options) {
	web := filepath.Join(o.Root, "web")
	if fresh(web) {
		return
	}
	defer lock("npm")()
	if fresh(web) {
		return
	}
	_, err := exec.LookPath("npm")
	must.Be(err == nil, "npm is missing: install Node.js 20 or newer, which contains it, and try again")
	o.Logf("installing the JavaScript packages of web/package-lock.json (npm ci)")
	cmd := exec.Command("npm", "ci")
	cmd.Dir = web
	msg, err := cmd.CombinedOutput()
	must.Be(err == nil, "npm ci: %w\n%s", err, bytes.TrimSpace(msg))
}

// fresh reports whether npm has installed the packages since the last change of the lockfile. npm writes a lockfile of its own
// when it is done.
func fresh(web string) bool {
	want, err := os.Stat(filepath.Join(web, "package-lock.json"))
	have, err2 := os.Stat(filepath.Join(web, "node_modules", ".package-lock.json"))
	return err == nil && err2 == nil && !have.ModTime().Before(want.ModTime())
}

// target is the oldest JavaScript that the page needs. A browser that has no more than oldest is told so, by arrive.js.
const target, oldest = api.ES2022, api.ES2016

// buildBoot joins Go's own glue for wasm with the script that starts the page. Neither works alone, so they are one file. It
// is a classic script, so that the download of the wasm starts before the browser reads the modules.
func buildBoot(o Options) File {
	return Hashed("boot", ".js", Minify(o, wasmExec(), "trusted.js", "storage.js", "program.js", "boot.js"))
}

// buildFirst bundles the script of the page until the program is there. It has its own copy of what it shares with the page's modules: for
// a moment both are drawn, each by its own.
func buildFirst(o Options) File {
	res := esbuild(o, "first.js", api.BuildOptions{EntryPoints: []string{"src/first.js"}, Format: api.FormatESModule, MinifyIdentifiers: true})
	return Hashed("first", ".js", res.OutputFiles[0].Contents)
}

// buildWorker joins the glue with the script of a worker. One compiles the program for the page; others measure when somebody compares
// settings.
func buildWorker(o Options) File {
	return Hashed("worker", ".js", Minify(o, wasmExec(), "program.js", "worker.js"))
}

// Script joins classic scripts of web/shell, and names the file after the last of them and its content.
func Script(o Options, names ...string) File {
	f := Hashed(strings.TrimSuffix(names[len(names)-1], ".js"), ".js", Minify(o, "", names...))
	f.First = false
	return f
}

// Minify joins scripts of web/shell behind a text, and shrinks them.
func Minify(o Options, text string, names ...string) []byte {
	last := names[len(names)-1]
	for _, name := range names {
		text += "\n" + string(must.Have(os.ReadFile(filepath.Join(o.Root, "web", "shell", name))))
	}
	written := target
	if last == "arrive.js" {
		written = oldest
	}
	res := api.Transform(text, api.TransformOptions{
		Target: written, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Sourcefile: last,
	})
	must.Do(messages(last, res.Errors, res.Warnings))
	return res.Code
}

// Style joins a style sheet of web/shell with its imports, and names the file after its content.
func Style(o Options, name string) File {
	res := esbuild(o, name, api.BuildOptions{EntryPoints: []string{"shell/" + name}})
	f := Hashed(strings.TrimSuffix(name, ".css"), ".css", res.OutputFiles[0].Contents)
	f.First = false
	return f
}

// Policy is the content security policy of every page: everything comes from the site, and pages hold neither scripts nor
// styles. Compiling wasm needs 'wasm-unsafe-eval'; the icon is a data: URL. A text becomes HTML or the address of a script only
// through the policy of web/shell/trusted.js. All of it is in each page and in the header, because a static host does not send
// our headers.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; " +
	"worker-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; " +
	"require-trusted-types-for 'script'; trusted-types default"

// Template reads a template of web/shell. In it, {{policy}} is the policy above, and {{icon}} the address of the icon.
func Template(o Options, name string) *template.Template {
	dir := filepath.Join(o.Root, "web", "shell")
	icon := must.Have(os.ReadFile(filepath.Join(dir, "favicon.svg")))
	funcs := template.FuncMap{"policy": func() string { return Policy }, "icon": func() template.URL { return DataURL(icon) }}
	return must.Have(template.New(name).Option("missingkey=error").Funcs(funcs).ParseFiles(filepath.Join(dir, name)))
}

// Fill makes a page from a template of web/shell.
func Fill(o Options, from, name string, values any) File {
	var buf bytes.Buffer
	must.Do(Template(o, from).Execute(&buf, values))
	return Text(name, buf.Bytes())
}

// DataURL returns an SVG drawing as a URL that holds all of it: an icon of some hundred bytes is not worth a request.
func DataURL(svg []byte) template.URL {
	return template.URL("data:image/svg+xml," + url.PathEscape(string(bytes.TrimSpace(svg))))
}
