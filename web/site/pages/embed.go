package pages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
)

// Names of the embed's files, apart from its hashed style and script.
const (
	EmbedPage  = "embed/index.html"
	HostScript = "embed/host.js"
	HostV1     = "embed/v1/host.js" // the same, under the address that authors should use: its interface stays
)

// embedShell holds the values of web/shell/embed.html. The page is one folder below the files that it names.
type embedShell struct {
	Style     string
	Script    string
	Boot      string
	Wasm      string
	WasmSize  int
	Texts     string
	Main      string
	MainStyle string
	AtOnce    string // modules that main.js imports, separated by spaces
	Shipped   string // JSON: the shipped value of each scenario
	Panels    string // the panels that an author can choose from
	Words     string // JSON: the words of the page before the program runs, by language
	Home      string // where links to runs lead, empty for no links
	Still     bool   // there is no program
}

// shipped describes a scenario for the embed before it runs.
type shipped struct {
	En     string `json:"en"` // its title in each language
	Zh     string `json:"zh"`
	Poster bool   `json:"poster"`
}

// buildEmbed makes the page for iframes, and the script for pages that contain some. others must contain the posters.
func buildEmbed(o pack.Options, p *pack.Program, others []pack.File) []pack.File {
	script := must.Have(pack.Script(o, "trusted.js", "storage.js", "player.js", "embed.js"))
	host := must.Have(pack.Minify(o, "", "host.js"))
	style := must.Have(pack.Style(o, "embed.css"))
	texts := buildTexts() // the playground's own
	all, home := shippedScenarios(others), "../"
	if len(o.Embed) > 0 {
		home = o.Playground
	}
	if o.Still { // a picture is all there is
		maps.DeleteFunc(all, func(_ string, s shipped) bool { return !s.Poster })
	}
	known := must.Have(json.Marshal(all))
	words := must.Have(json.Marshal(embedWords()))
	atOnce := make([]string, len(p.AtOnce))
	for i, name := range p.AtOnce {
		atOnce[i] = up(name)
	}
	page := must.Have(pack.Fill(o, "embed.html", EmbedPage, embedShell{
		Style: up(style.Name), Script: up(script.Name), Boot: up(p.Boot.Name),
		Wasm: up(p.Wasm.Name), WasmSize: len(p.Wasm.Raw), Texts: up(texts.Name), Main: up(p.Main), MainStyle: up(p.Style),
		AtOnce: strings.Join(atOnce, " "), Shipped: string(known),
		Panels: strings.Join(app.EmbedPanels(), ", "), Words: string(words), Home: home, Still: o.Still,
	}))
	return []pack.File{page, script, style, pack.Text(HostScript, string(host)), pack.Text(HostV1, string(host))}
}

// up names a file for a page one level below it.
func up(name string) string { return "../" + name }

// posterName returns the file of a scenario's poster in a language. The embed's script has this name too: posterURL in
// web/shell/embed.js.
func posterName(scenario, theme, lang string) string {
	if lang != app.Langs()[0] {
		scenario += "-" + lang
	}
	return "posters/" + scenario + "-" + theme + ".svg"
}

// motionName returns the file of a scenario's picture in motion; motionURL in web/shell/embed.js.
func motionName(scenario, lang string) string { return "motions/" + scenario + "-" + lang + ".svg" }

// shippedScenarios returns the descriptions of all scenarios, by their present and former names.
func shippedScenarios(others []pack.File) map[string]shipped {
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
	for old, now := range scenarios.Aliases() {
		all[old] = shipped{En: all[now].En, Zh: all[now].Zh} // its poster has the present name
	}
	return all
}

// playerWords are the words of player.js in a language.
func playerWords(lang string) map[string]string {
	say := func(key string) string { return app.PageText(lang, key) }
	return map[string]string{"play": say("embed-play"), "pause": say("player-pause"), "moment": say("player-moment"),
		"before": say("player-before"), "after": say("player-after"), "time": say("player-time"), "failed": say("load-failed")}
}

// loaderWords are the words of player.js and boot.js in each language.
func loaderWords() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, lang := range app.Langs() {
		say := func(key string) string { return app.PageText(lang, key) }
		all[lang] = playerWords(lang)
		maps.Copy(all[lang], map[string]string{"loading": say("embed-loading"), "starting": say("embed-starting"), "reset": say("load-reset"),
			"cannot": say("load-cannot"), "cannot-why": say("load-cannot-why"), "missing": say("load-missing"), "old": say("load-old"),
			"failed": say("load-failed"), "failed-why": say("load-failed-why"), "again": say("load-again"), "waits": say("load-waits"),
			"stopped": say("load-stopped"), "stopped-why": say("load-stopped-why"), "stopped-where": say("load-stopped-where")})
	}
	return all
}

// embedWords are the words of the embed's own scripts in each language.
func embedWords() map[string]map[string]string {
	all := loaderWords()
	for lang, words := range all {
		for key, message := range map[string]string{
			"title": "embed-title", "play-it": "embed-play-it", "open": "open", "copy": "embed-copy",
			"no-scenario": "embed-no-scenario", "no-panel": "embed-no-panel", "bad-link": "embed-bad-link"} {
			words[key] = app.PageText(lang, message)
		}
	}
	return all
}

// embedsAlone makes a site of embeds: their page, the pictures of some scenarios and, unless only the pictures play, the program.
func embedsAlone(o pack.Options, p *pack.Program) ([]pack.File, *Missing) {
	style := must.Have(pack.Style(o, "pages.css"))
	missing := &Missing{must.Have(pack.Template(o, "404.html")), style.Name}
	files := []pack.File{style, missing.file(o)}
	all := readPresets()
	for _, name := range o.Embed {
		i := slices.IndexFunc(all, func(p preset) bool { return p.Name == name })
		if i < 0 {
			must.Do(fmt.Errorf("there is no scenario %s; there are %v", name, scenarios.Names()))
		}
		files = append(files, all[i].posters()...)
	}
	files = append(files, buildEmbed(o, p, files)...)
	if !o.Still {
		files = append(append(files, p.Bundles...), p.Wasm, p.Boot, buildTexts())
	}
	return files, missing
}
