package pages

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/engine/scenario"
	rollplay "github.com/rollplay/rollplay/engine/words"
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

// shipped describes a scenario for the embed before it runs.
type shipped struct {
	En     string `json:"en"` // its title in each language
	Zh     string `json:"zh"`
	Poster bool   `json:"poster"`
}

// buildEmbed makes the page for iframes, and the script for pages that contain some. others must contain the posters.
func buildEmbed(o pack.Options, p *pack.Program, others []pack.File) []pack.File {
	script := pack.Script(o, "trusted.js", "storage.js", "player.js", "embed.js")
	host := pack.Minify(o, "", "host.js")
	style := pack.Style(o, "embed.css")
	texts := buildTexts()                        // the playground's own
	all, home := shippedScenarios(others), "../" // where links to runs lead, empty for no links
	if len(o.Embed) > 0 {
		home = o.Playground
	}
	if o.Still { // a picture is all there is
		maps.DeleteFunc(all, func(_ string, s shipped) bool { return !s.Poster })
	}
	words := wordsOfScripts(playerMessages, bootMessages, embedMessages) // of the page before the program runs
	page := pack.Fill(o, "embed.html", EmbedPage, map[string]any{        // which is one folder below the files that it names
		"Style": up(style.Name), "Script": up(script.Name), "Boot": up(p.Boot.Name),
		"Wasm": up(p.Wasm.Name), "WasmSize": len(p.Wasm.Raw), "Texts": up(texts.Name), "Main": up(p.Main), "MainStyle": up(p.Style),
		"AtOnce": rollplay.Join(p.AtOnce, " ", up), // modules that main.js imports
		"Panels": strings.Join(app.EmbedPanels(), ", "), "Shipped": string(must.Have(json.Marshal(all))),
		"Words": string(must.Have(json.Marshal(words))), "Home": home, "Still": o.Still,
	})
	return []pack.File{page, script, style, pack.Text(HostScript, host), pack.Text(HostV1, host)}
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

// The words of the scripts that run without the program, each with its message of the catalogue.
var (
	playerMessages = map[string]string{"play": "embed-play", "pause": "player-pause", "moment": "player-moment", "before": "player-before",
		"after": "player-after", "time": "player-time", "failed": "load-failed"}
	bootMessages = map[string]string{"loading": "embed-loading", "starting": "embed-starting", "reset": "load-reset", "cannot": "load-cannot",
		"cannot-why": "load-cannot-why", "missing": "load-missing", "old": "load-old", "failed-why": "load-failed-why", "again": "load-again",
		"waits": "load-waits", "stopped": "load-stopped", "stopped-why": "load-stopped-why", "stopped-where": "load-stopped-where"}
	embedMessages = map[string]string{"title": "embed-title", "play-it": "embed-play-it", "open": "open", "copy": "embed-copy",
		"no-scenario": "embed-no-scenario", "no-panel": "embed-no-panel", "bad-link": "embed-bad-link"}
)

// wordsOfScripts returns the words of some scripts in each language.
func wordsOfScripts(scripts ...map[string]string) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, lang := range app.Langs() {
		all[lang] = map[string]string{}
		for _, messages := range scripts {
			for word, message := range messages {
				all[lang][word] = app.PageText(lang, message)
			}
		}
	}
	return all
}

// embedsAlone makes a site of embeds: their page, the pictures of some scenarios and, unless only the pictures play, the program.
func embedsAlone(o pack.Options, p *pack.Program) ([]pack.File, *Missing) {
	style := pack.Style(o, "pages.css")
	missing := &Missing{pack.Template(o, "404.html"), style.Name}
	files := []pack.File{style, missing.file(o)}
	all := readPresets()
	for _, name := range o.Embed {
		i := slices.IndexFunc(all, func(p preset) bool { return p.Name == name })
		must.Be(i >= 0, "there is no scenario %s; there are %v", name, scenarios.Names())
		files = append(files, all[i].posters()...)
	}
	files = append(files, buildEmbed(o, p, files)...)
	if !o.Still {
		files = append(append(files, p.Bundles...), p.Wasm, p.Boot, buildTexts())
	}
	return files, missing
}
