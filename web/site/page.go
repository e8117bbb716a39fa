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

// shell is what web/shell/index.html is filled in with.
type shell struct {
	Policy      string
	Icon        template.URL
	Wasm        string
	WasmSize    int
	Boot        string
	Main        string
	Style       string
	Offline     string   // the module that makes the page usable without a connection
	Version     string   // of the whole playground
	AtOnce      []string // modules that main.js imports, which the browser should not have to find out
	Description string
}

// description is what search engines and previews show.
const description = "A playground for Kubernetes rollouts. Paste a Deployment, change it, break it, " +
	"and see step by step what the controllers do and why. It runs wholly in the browser."

// buildPage fills in the shell.
func buildPage(o Options, wasm, boot File, b bundle, offline, version string) (File, error) {
	dir := filepath.Join(o.Root, "web", "shell")
	t, err := template.ParseFiles(filepath.Join(dir, "index.html"))
	if err != nil {
		return File{}, err
	}
	icon, err := dataURL(filepath.Join(dir, "favicon.svg"))
	if err != nil {
		return File{}, err
	}
	var buf bytes.Buffer
	err = t.Execute(&buf, shell{
		Policy: Policy, Icon: icon, Wasm: wasm.Name, WasmSize: len(wasm.Raw), Boot: boot.Name,
		Main: b.main, Style: b.style, AtOnce: b.atOnce, Description: description,
		Offline: offline, Version: version,
	})
	return File{Name: "index.html", Type: typeOf("index.html"), First: true, Raw: buf.Bytes()}, err
}

// dataURL returns an SVG file as a URL that holds all of it: an icon of some hundred bytes is not worth a request.
func dataURL(name string) (template.URL, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	return template.URL("data:image/svg+xml," + url.PathEscape(string(bytes.TrimSpace(raw)))), nil
}
