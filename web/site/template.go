package site

import (
	"bytes"
	"html/template"
	"net/url"
	"os"
	"path/filepath"
)

// Policy is the content security policy of every page: everything comes from the site, and neither scripts nor styles
// are written into a page. 'wasm-unsafe-eval' is what compiling wasm needs; the icon is a data: URL. The policy goes
// into each page as well as into the header, because a static host sends no header of ours.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; " +
	"style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"

// fill makes a page of a template of web/shell, from values that may need the icon.
func fill(o Options, from, name, policy string, values func(icon template.URL) any) (File, error) {
	dir := filepath.Join(o.Root, "web", "shell")
	t, err := template.ParseFiles(filepath.Join(dir, from))
	if err != nil {
		return File{}, err
	}
	icon, err := dataURL(filepath.Join(dir, "favicon.svg"))
	if err != nil {
		return File{}, err
	}
	var buf bytes.Buffer
	err = t.Execute(&buf, values(icon))
	return File{Name: name, Type: typeOf(name), Policy: policy, Raw: buf.Bytes()}, err
}

// dataURL returns an SVG file as a URL that holds all of it: an icon of some hundred bytes is not worth a request.
func dataURL(name string) (template.URL, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	return template.URL("data:image/svg+xml," + url.PathEscape(string(bytes.TrimSpace(raw)))), nil
}
