package pack

import (
	"bytes"
	"html/template"
	"net/url"
	"os"
	"path/filepath"

	"github.com/rollplay/rollplay/web/must"
)

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
