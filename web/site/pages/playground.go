package pages

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"slices"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
)

// WorkerName is the file of the service worker. Its name never changes, because browsers look for a newer one under the same
// name. It is at the top of the site, because a worker sees only pages in and below its folder.
const WorkerName = "sw.js"

// buildPlayground makes the playground's page, everything that it loads, and the worker that keeps it usable offline. The page
// carries the version of all this, and the version depends on the page without it, so the page is made twice.
func buildPlayground(o pack.Options, p *pack.Program) []pack.File {
	offline := pack.Hashed("offline", ".js", pack.Minify(o, "", "offline.js")) // starts the service worker, after everything else
	arrive := pack.Hashed("arrive", ".js", pack.Minify(o, "", "arrive.js"))
	texts := buildTexts()
	arrivals, files := buildArrivals()
	shell := &playgroundShell{
		Program: p, Arrive: arrive.Name, Offline: offline.Name, Texts: texts.Name, Arrivals: arrivals,
		Words: string(must.Have(json.Marshal(wordsOfScripts(playerMessages, bootMessages)))),
		Description: "A playground for Kubernetes rollouts. Paste a Deployment, change it, break it, " +
			"and see step by step what the controllers do and why. It runs wholly in the browser.",
	}
	files = append(append(files, p.Bundles...), p.Wasm, p.Boot, p.First, p.Worker, texts, offline, arrive)
	page := func() pack.File {
		f := pack.Fill(o, "index.html", "index.html", shell)
		f.First = true
		return f
	}
	shell.Version = versionOf(append(slices.Clone(files), page()))
	files = append(files, page())
	return append(files, buildWorker(o, shell.Version, files))
}

// buildWorker makes the service worker for a version of the playground, with the list of files that the playground loads.
func buildWorker(o pack.Options, version string, files []pack.File) pack.File {
	words := map[string]map[string]string{}
	for _, lang := range app.Langs() {
		say := func(key string) string { return html.EscapeString(app.PageText(lang, key)) }
		words[lang] = map[string]string{"title": say("offline"), "text": say("offline-text"), "link": say("offline-link")}
	}
	list, said := must.Have(json.Marshal(kept(files))), must.Have(json.Marshal(words))
	return pack.Text(WorkerName, pack.Minify(o, fmt.Sprintf("const version = %q, files = %s, words = %s;", version, list, said), WorkerName))
}

// kept lists the files of the playground by name, each with a digest of its content: the worker does not accept a file that a
// server has replaced by a newer one in the meantime. The page has the name under which browsers request it.
func kept(files []pack.File) [][2]string {
	files = slices.Clone(files)
	slices.SortFunc(files, pack.ByName)
	var all [][2]string
	for _, f := range files {
		if !f.First && !f.Later {
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
	Arrive      string // the script that chooses among the posters
	Texts       string // the texts of the scenarios
	Offline     string // the script that makes the page usable offline
	Version     string // of the whole playground
	Description string // for search engines and previews
	Words       string // JSON: the words of the page before the program runs, by language
	Arrivals    []arrival
}

// arrival is the page that a first visit shows until the program has arrived, in one language.
type arrival struct {
	Lang   string
	Page   template.HTML
	Script string // file of what changes while it plays
}

// buildArrivals draws the page of a first visit in each language.
func buildArrivals() (all []arrival, files []pack.File) {
	for _, lang := range app.Langs() {
		first := app.FirstPage(lang)
		f := pack.Hashed("first_"+lang, ".json", first.Script)
		f.First = lang == "en" // of one language
		all, files = append(all, arrival{lang, template.HTML(first.Page), f.Name}), append(files, f)
	}
	return all, files
}

// buildTexts makes the file with the texts of the scenarios, by name, and the lists of the playground's Chinese. Together they
// compress to a third of the separate files, and the program starts without the time to read them.
func buildTexts() pack.File {
	all := map[string]string{}
	for _, name := range scenarios.Names() {
		all[name] = scenarios.Text(name)
		for _, at := range gallery.Asks(name) { // to be asked again
			all[name+":"+at] = scenarios.Text(name + ":" + at)
		}
	}
	for _, name := range lang.Lists {
		all[name] = lang.List(name)
	}
	f := pack.Hashed("scenarios", ".json", must.Have(json.Marshal(all)))
	f.First, f.Later = false, true
	return f
}
