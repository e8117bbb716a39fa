package pack

import (
	"bytes"
	"html/template"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/rollplay/rollplay/web/must"
)

// target is the oldest JavaScript that the page needs. A browser that has no more than oldest is told so, by arrive.js.
const target, oldest = api.ES2022, api.ES2016

// buildBoot joins Go's own glue for wasm with the script that starts the page. Neither works alone, so they are one file. It
// is a classic script, so that the download of the wasm starts before the browser reads the modules.
func buildBoot(o Options) File {
	return Hashed("boot", ".js", must.Have(Minify(o, string(wasmExec()), "trusted.js", "storage.js", "program.js", "boot.js")))
}

// buildFirst bundles the script of the page until the program is there. It has its own copy of what it shares with the page's modules: for
// a moment both are drawn, each by its own.
func buildFirst(o Options) File {
	res := api.Build(api.BuildOptions{
		AbsWorkingDir: filepath.Join(o.Root, "web"), EntryPoints: []string{"src/first.js"}, Bundle: true, Format: api.FormatESModule, Target: target,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Outdir: ".", AllowOverwrite: true,
	})
	must.Do(messages("first.js", res.Errors, res.Warnings))
	return Hashed("first", ".js", res.OutputFiles[0].Contents)
}

// buildWorker joins the glue with the script of a worker. One compiles the program for the page; others measure when somebody compares
// settings.
func buildWorker(o Options) File {
	return Hashed("worker", ".js", must.Have(Minify(o, string(wasmExec()), "program.js", "worker.js")))
}

// Script joins classic scripts of web/shell, and names the file after the last of them and its content.
func Script(o Options, names ...string) (File, error) {
	code, err := Minify(o, "", names...)
	f := Hashed(strings.TrimSuffix(names[len(names)-1], ".js"), ".js", code)
	f.First = false
	return f, err
}

// Minify joins scripts of web/shell behind a text, and shrinks them.
func Minify(o Options, text string, names ...string) (code []byte, err error) {
	defer must.Caught(&err)
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
	return res.Code, messages(last, res.Errors, res.Warnings)
}

// Style joins a style sheet of web/shell with its imports, and names the file after its content.
func Style(o Options, name string) (File, error) {
	res := api.Build(api.BuildOptions{
		AbsWorkingDir: filepath.Join(o.Root, "web"), EntryPoints: []string{"shell/" + name}, Bundle: true, Target: target,
		MinifyWhitespace: true, MinifySyntax: true, Outdir: ".", AllowOverwrite: true,
	})
	if err := messages(name, res.Errors, res.Warnings); err != nil {
		return File{}, err
	}
	f := Hashed(strings.TrimSuffix(name, ".css"), ".css", res.OutputFiles[0].Contents)
	f.First = false
	return f, nil
}

// Policy is the content security policy of every page: everything comes from the site, and pages hold neither scripts nor
// styles. Compiling wasm needs 'wasm-unsafe-eval'; the icon is a data: URL. A text becomes HTML or the address of a script only
// through the policy of web/shell/trusted.js. All of it is in each page and in the header, because a static host does not send
// our headers.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; " +
	"worker-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; " +
	"require-trusted-types-for 'script'; trusted-types default"

// Template reads a template of web/shell. In it, {{policy}} is the policy above, and {{icon}} the address of the icon.
func Template(o Options, name string) (t *template.Template, err error) {
	defer must.Caught(&err)
	dir := filepath.Join(o.Root, "web", "shell")
	icon := must.Have(os.ReadFile(filepath.Join(dir, "favicon.svg")))
	funcs := template.FuncMap{"policy": func() string { return Policy }, "icon": func() template.URL { return DataURL(icon) }}
	return template.New(name).Funcs(funcs).ParseFiles(filepath.Join(dir, name))
}

// Fill makes a page from a template of web/shell.
func Fill(o Options, from, name string, values any) (f File, err error) {
	defer must.Caught(&err)
	var buf bytes.Buffer
	must.Do(must.Have(Template(o, from)).Execute(&buf, values))
	return Text(name, buf.String()), nil
}

// DataURL returns an SVG drawing as a URL that holds all of it: an icon of some hundred bytes is not worth a request.
func DataURL(svg []byte) template.URL {
	return template.URL("data:image/svg+xml," + url.PathEscape(string(bytes.TrimSpace(svg))))
}
