package pages

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/web/site/pack"
)

// WorkerName is the file of the service worker. Its name never changes, because browsers look for a newer one under the same
// name. It lies at the top of the site, because a worker sees only pages beside and below it.
const WorkerName = "sw.js"

// buildPlayground makes the playground's page, everything that it loads, and the worker that keeps it usable offline. The page
// carries the version of all this, and the version depends on the page without it, so the page is made twice.
func buildPlayground(o pack.Options, p *pack.Program) ([]pack.File, error) {
	code, err := pack.Minify(o, "", "offline.js") // starts the service worker, after everything else has loaded
	if err != nil {
		return nil, err
	}
	offline := pack.Hashed("offline", ".js", code)
	files := append(slices.Clone(p.Bundles), p.Wasm, p.Boot, offline)
	draft, err := playgroundPage(o, p, offline.Name, "")
	if err != nil {
		return nil, err
	}
	version := versionOf(append(slices.Clone(files), draft))
	page, err := playgroundPage(o, p, offline.Name, version)
	if err != nil {
		return nil, err
	}
	files = append(files, page)
	worker, err := buildWorker(o, version, files)
	return append(files, worker), err
}

// buildWorker makes the service worker for a version of the playground: it knows the files of the first load.
func buildWorker(o pack.Options, version string, files []pack.File) (pack.File, error) {
	list, err := json.Marshal(kept(files))
	if err != nil {
		return pack.File{}, err
	}
	code, err := pack.Minify(o, fmt.Sprintf("const version = %q, files = %s;", version, list), WorkerName)
	return pack.File{Name: WorkerName, Type: pack.TypeOf(WorkerName), Raw: code}, err
}

// kept lists the files of the first load by name, each with a digest of its content: the worker does not accept a file that a
// server has replaced by a newer one in the meantime. The page has the name under which browsers request it.
func kept(files []pack.File) [][2]string {
	files = slices.Clone(files)
	slices.SortFunc(files, pack.ByName)
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
func versionOf(files []pack.File) string {
	sum := sha256.New()
	for _, f := range kept(files) {
		fmt.Fprintln(sum, f)
	}
	return base32.StdEncoding.EncodeToString(sum.Sum(nil)[:5])
}

// playgroundShell holds the values of web/shell/index.html.
type playgroundShell struct {
	*pack.Program
	Offline     string // the script that makes the page usable offline
	Version     string // of the whole playground
	Description string // for search engines and previews
	Words       string // JSON: the words of the loader by language
}

// playgroundPage makes the page of the playground.
func playgroundPage(o pack.Options, p *pack.Program, offline, version string) (pack.File, error) {
	const description = "A playground for Kubernetes rollouts. Paste a Deployment, change it, break it, " +
		"and see step by step what the controllers do and why. It runs wholly in the browser."
	words := map[string]map[string]string{}
	for _, lang := range app.Langs() {
		words[lang] = loaderWords(lang)
	}
	said, err := json.Marshal(words)
	if err != nil {
		return pack.File{}, err
	}
	page, err := pack.Fill(o, "index.html", "index.html", playgroundShell{p, offline, version, description, string(said)})
	page.First = true
	return page, err
}
