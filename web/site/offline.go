package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"
)

// workerName is the file of the service worker. Its name stays, because that is how a browser finds a newer one; its place
// at the top of the site is what lets it see the playground's page.
const workerName = "sw.js"

// buildPlayground makes the playground's page, and all that it loads and that keeps it usable without a connection. The page
// carries the version of all this, so it is made twice: what the version stands for includes the page without it.
func buildPlayground(o Options, wasm, boot File, b bundle) ([]File, error) {
	offline, err := buildOffline(o)
	if err != nil {
		return nil, err
	}
	files := append(slices.Clone(b.files), wasm, boot, offline)
	draft, err := buildPage(o, wasm, boot, b, offline.Name, "")
	if err != nil {
		return nil, err
	}
	version := versionOf(append(slices.Clone(files), draft))
	page, err := buildPage(o, wasm, boot, b, offline.Name, version)
	if err != nil {
		return nil, err
	}
	files = append(files, page)
	worker, err := buildWorker(o, version, files)
	return append(files, worker), err
}

// buildOffline makes the module that starts the service worker. It is loaded when all else is done.
func buildOffline(o Options) (File, error) {
	script, err := os.ReadFile(filepath.Join(o.Root, "web", "shell", "offline.js"))
	if err != nil {
		return File{}, err
	}
	code, err := shrink("offline.js", string(script))
	return hashed("offline", ".js", code), err
}

// buildWorker makes the service worker for a version of the playground: it knows the files of the first load.
func buildWorker(o Options, version string, files []File) (File, error) {
	script, err := os.ReadFile(filepath.Join(o.Root, "web", "shell", workerName))
	if err != nil {
		return File{}, err
	}
	list, err := json.Marshal(kept(files))
	if err != nil {
		return File{}, err
	}
	code, err := shrink(workerName, fmt.Sprintf("const version = %q, files = %s;\n%s", version, list, script))
	return File{Name: workerName, Type: typeOf(workerName), Raw: code}, err
}

// kept lists the files of the first load by name, each with a digest of its content: what a server sends that has a newer
// version by now is not accepted. The page has the name by which it is asked for.
func kept(files []File) [][2]string {
	files = slices.Clone(files)
	slices.SortFunc(files, byName)
	var all [][2]string
	for _, f := range files {
		if !f.First {
			continue
		}
		name := f.Name
		if name == "index.html" {
			name = "./"
		}
		sum := sha256.Sum256(f.Raw)
		all = append(all, [2]string{name, "sha256-" + base64.StdEncoding.EncodeToString(sum[:])})
	}
	return all
}

// versionOf names the content of files.
func versionOf(files []File) string {
	sum := sha256.New()
	for _, f := range kept(files) {
		fmt.Fprintln(sum, f)
	}
	return base32.StdEncoding.EncodeToString(sum.Sum(nil)[:5])
}

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
