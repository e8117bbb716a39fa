package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// Ceilings of what a page downloads that embeds a run, in bytes as brotli -11 leaves them: the embed with the largest poster
// before anybody clicks on it, and the script for the page around.
const (
	EmbedCeiling = 60_000
	HostCeiling  = 3_000
)

// HostPolicy is the content security policy of a page of the site that embeds runs: it may show frames of the site too.
const HostPolicy = Policy + "; frame-src 'self'"

// Names of the files that the embed is made of, apart from its hashed style and script.
const (
	embedPage   = "embed/index.html"
	hostScript  = "embed/host.js"
	authorsPage = "authors/index.html"
)

// embedShell is what web/shell/embed.html is filled in with. The page lies one level below the files that it names.
type embedShell struct {
	Policy    string
	Icon      template.URL
	Style     string
	Script    string
	Boot      string
	Wasm      string
	WasmSize  int
	Main      string
	MainStyle string
	AtOnce    string // modules that main.js imports, separated by spaces
	Shipped   string // JSON: what there is to show of a scenario before it runs, by its name
	Words     string // JSON: what the page says before the program runs, by language
	Home      string
}

// shipped is what the embed knows of a scenario before it runs.
type shipped struct {
	En     string `json:"en"` // its title in each language
	Zh     string `json:"zh"`
	Poster bool   `json:"poster"`
}

// buildEmbed makes the page for iframes, and the script for pages that show some. Of the other files it wants those that
// it names, and the posters.
func buildEmbed(o Options, wasm, boot File, b bundle, others []File) ([]File, error) {
	script, err := classicScript(o, "", "storage.js", "embed.js")
	if err != nil {
		return nil, err
	}
	host, err := classicScript(o, "", "host.js")
	if err != nil {
		return nil, err
	}
	style, err := styleSheet(o, "embed.css")
	if err != nil {
		return nil, err
	}
	js, css := later(hashed("embed", ".js", script)), later(hashed("embed", ".css", style))
	known, err := json.Marshal(shippedScenarios(others))
	if err != nil {
		return nil, err
	}
	words, err := json.Marshal(embedWords())
	if err != nil {
		return nil, err
	}
	atOnce := make([]string, len(b.atOnce))
	for i, name := range b.atOnce {
		atOnce[i] = up(name)
	}
	page, err := fill(o, "embed.html", embedPage, Policy, func(icon template.URL) any {
		return embedShell{
			Policy: Policy, Icon: icon, Style: up(css.Name), Script: up(js.Name), Boot: up(boot.Name),
			Wasm: up(wasm.Name), WasmSize: len(wasm.Raw), Main: up(b.main), MainStyle: up(b.style),
			AtOnce: strings.Join(atOnce, " "), Shipped: string(known), Words: string(words), Home: "../",
		}
	})
	return []File{page, js, css, {Name: hostScript, Type: typeOf(hostScript), Raw: host}}, err
}

// up names a file for a page that lies one level below it.
func up(name string) string { return "../" + name }

// later takes a file out of the first load of the playground.
func later(f File) File {
	f.First = false
	return f
}

// posterName is the file of a scenario's poster with words in a language. The embed's script names it too: posterURL in
// web/shell/embed.js.
func posterName(scenario, theme, lang string) string {
	if lang != app.Langs()[0] {
		scenario += "-" + lang
	}
	return "posters/" + scenario + "-" + theme + ".svg"
}

// shippedScenarios tells of every scenario that ships what the embed shows before it runs.
func shippedScenarios(others []File) map[string]shipped {
	there := map[string]bool{}
	for _, f := range others {
		there[f.Name] = true
	}
	all := map[string]shipped{}
	for _, name := range scenarios.Names() {
		s := shipped{En: name, Zh: name, Poster: there[posterName(name, "light", "en")] && there[posterName(name, "dark", "en")]}
		if sc, _ := scenario.Parse(scenarios.Text(name)); sc != nil {
			s.En, s.Zh = cmp.Or(sc.Title.In("en"), name), cmp.Or(sc.Title.In("zh"), name)
		}
		all[name] = s
	}
	return all
}

// embedWords are the words of the embed's own scripts in each language.
func embedWords() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, lang := range app.Langs() {
		say := func(key string, args ...any) string { return app.PageText(lang, key, args...) }
		all[lang] = map[string]string{"title": say("embed-title"), "play": say("embed-play"), "play-it": say("embed-play-it"), "open": say("open"),
			"copy": say("embed-copy"), "loading": say("embed-loading"), "starting": say("embed-starting")}
	}
	return all
}

// styleSheet joins a style sheet of web/shell with those that it imports, and shrinks them.
func styleSheet(o Options, name string) ([]byte, error) {
	res := api.Build(api.BuildOptions{
		AbsWorkingDir: filepath.Join(o.Root, "web"), EntryPoints: []string{"shell/" + name}, Bundle: true, Target: target,
		MinifyWhitespace: true, MinifySyntax: true, Outdir: ".", AllowOverwrite: true,
	})
	if err := messages(name, res.Errors, res.Warnings); err != nil {
		return nil, err
	}
	return res.OutputFiles[0].Contents, nil
}

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

// authorsShell is what web/shell/authors.html is filled in with.
type authorsShell struct {
	Policy, HostPolicy string // of the embed and of the page itself
	Icon               template.URL
	Style, Script      string
	Embeds             []authorsEmbed
	Manifest           string // the YAML of a code block that becomes an embed
	Panels             string // what an author can choose from
}

// authorsEmbed is an embed of a shipped scenario in that page.
type authorsEmbed struct {
	Name, Title, Poster, Panels string
}

// buildAuthors makes the page that tells authors how to embed runs, and embeds some. Of the other files it wants the posters.
func buildAuthors(o Options, others []File) ([]File, error) {
	script, err := classicScript(o, "", "authors.js")
	if err != nil {
		return nil, err
	}
	style, err := styleSheet(o, "authors.css")
	if err != nil {
		return nil, err
	}
	js, css := later(hashed("authors", ".js", script)), later(hashed("authors", ".css", style))
	known := shippedScenarios(others)
	embeds := []authorsEmbed{{Name: "first-rollout", Panels: "why"}, {Name: "recreate", Panels: "pods"}}
	for i := range embeds {
		e := &embeds[i]
		if e.Title = known[e.Name].En; known[e.Name].Poster {
			e.Poster = up(posterName(e.Name, "light", "en"))
		}
	}
	page, err := fill(o, "authors.html", authorsPage, HostPolicy, func(icon template.URL) any {
		return authorsShell{
			Policy: Policy, HostPolicy: HostPolicy, Icon: icon, Style: up(css.Name), Script: up(js.Name),
			Embeds: embeds, Manifest: authorsManifest, Panels: strings.Join(app.EmbedPanels(), ", "),
		}
	})
	return []File{page, js, css}, err
}

// authorsManifest is what an author might have in a page already.
const authorsManifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: nginx:1.27
`

// embedFiles are what a browser downloads of an embed before anybody clicks on it, the largest poster last, if there is one.
func (s *Site) embedFiles() []*File {
	var all []*File
	var poster *File
	for i := range s.Files {
		f := &s.Files[i]
		switch {
		case f.Name == embedPage, path.Dir(f.Name) == "." && strings.HasPrefix(f.Name, "embed-"):
			all = append(all, f)
		case strings.HasPrefix(f.Name, "posters/") && path.Ext(f.Name) == ".svg" && (poster == nil || f.transfer() > poster.transfer()):
			poster = f
		}
	}
	if poster != nil {
		all = append(all, poster)
	}
	return all
}

// writeEmbedSizes prints what a page pays for an embed.
func (s *Site) writeEmbedSizes(b *strings.Builder) {
	all := s.embedFiles()
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%-38s %12s %12s\n", "embed before the click", "raw", "brotli")
	var raw, sent int
	for _, f := range all {
		fmt.Fprintf(b, "%-38s %12s %12s\n", f.Name, thousands(len(f.Raw)), thousands(f.transfer()))
		raw += len(f.Raw)
		sent += f.transfer()
	}
	fmt.Fprintf(b, "%-38s %12s %12s   (ceiling %s)\n", "all", thousands(raw), thousands(sent), thousands(EmbedCeiling))
	if host := s.File(hostScript); host != nil {
		fmt.Fprintf(b, "%-38s %12s %12s   (ceiling %s)\n", hostScript, thousands(len(host.Raw)), thousands(host.transfer()), thousands(HostCeiling))
	}
}

// checkEmbedSizes returns an error if an embed costs the page around too much.
func (s *Site) checkEmbedSizes() error {
	var errs []error
	sent := 0
	for _, f := range s.embedFiles() {
		sent += f.transfer()
	}
	if sent > EmbedCeiling {
		errs = append(errs, tooLarge("the embed before the click", sent, EmbedCeiling))
	}
	if host := s.File(hostScript); host != nil && host.transfer() > HostCeiling {
		errs = append(errs, tooLarge(hostScript, host.transfer(), HostCeiling))
	}
	return errors.Join(errs...)
}
