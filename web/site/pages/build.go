// Package pages makes the pages of the site: the playground's own, the embed, and those that people only read.
//
// Something to see comes before the program. index.html holds the page of a first visit in each language, as the program draws it (app/first.go);
// arrive.js takes one only if the program will show it. web/src/first.js moves it with the program's own scripts and a list of what changes
// (12 kB), so nobody sees the program take its place. boot.js asks for the program after the first paint, or after a second: before,
// it would compete with the style sheet. A worker compiles it. The first scenario comes with the program, the others later:
// scenarios/index.txt has every title, and in the browser only scenarios.First and scenarios.Index may be reached, or the linker keeps all texts.
//
// The service worker serves only the playground, fetches pages from the network first and hashed files from its cache, checks that
// the files of a new page exist before it serves that page, and deletes only its own older caches. It keeps visited pages for reading.
// A new version is offered, never forced: no link depends on an outdated program.
//
// An embed shows its poster first and loads the program on a click. It works with sandbox="allow-scripts" alone: memory replaces
// storage before go-app starts, nothing is kept, the address is never written. A frame with an opaque origin gets no HTTP cache in
// Chromium, so <rollplay-embed> also asks for allow-same-origin, and several embeds on a page share one download. Messages carry a
// version; the embed listens only to its parent window. The host script treats a code block as written by a stranger: it takes only
// the documented options, with values of the right form, and sandbox can only take away.
package pages

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"html/template"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/poster"
)

// Build makes all pages, with everything that they load, and the page for addresses that lead nowhere.
func Build(o pack.Options, p *pack.Program) ([]pack.File, *Missing) {
	if len(o.Embed) > 0 {
		return embedsAlone(o, p)
	}
	playground := buildPlayground(o, p)
	reading, missing, err := Reading(o)
	must.Do(err)
	embed := buildEmbed(o, p, reading)
	authors := buildAuthors(o, slices.Concat(reading, embed))
	return slices.Concat(playground, reading, embed, authors), missing
}

// Reading makes the pages that run nothing: the page of each scenario with its posters, the gallery, the lists of rules,
// of commands, of fields, of figures and of the questions of rollplay check, the page for an address that leads nowhere, and the files
// that announce them to other programs.
func Reading(o pack.Options) (files []pack.File, missing *Missing, err error) {
	defer must.Caught(&err)
	style := pack.Style(o, "pages.css")
	presets := readPresets()
	missing = &Missing{pack.Template(o, "404.html"), style.Name}
	alone := []pack.File{style, buildFidelity(o, style.Name), buildKubectl(o, style.Name), missing.file(o)}
	references := slices.Concat(buildSchema(o, style.Name), buildMeasures(o, style.Name), buildCheck(o, style.Name), buildMeasured(o, style.Name))
	return slices.Concat(buildPresets(o, presets, style.Name), references, alone, announcements(o, presets)), missing, nil
}

// Missing makes the page for an address without a page. Only the server can count the folders in that address, so a link in the
// page has to begin at the top of the site.
type Missing struct {
	template *template.Template
	style    string
}

// Page returns the page with links that begin with home, the way to the top of the site. Without a way the page has no links
// and no style.
func (m *Missing) Page(home string) []byte {
	var buf bytes.Buffer
	if err := m.template.Execute(&buf, struct{ Style, Home string }{m.style, home}); err != nil {
		panic("pages: 404.html: " + err.Error()) // the same template has made the file of the site
	}
	return buf.Bytes()
}

// file returns the page for hosts that show a file of this name. They do not adapt it to the address, so its links begin with
// the site's own address, if the build knows that.
func (m *Missing) file(o pack.Options) pack.File {
	home := ""
	if o.URL != "" {
		home = must.Have(url.Parse(o.URL)).EscapedPath()
	}
	return pack.Text("404.html", m.Page(home))
}

// announcements returns the files for programs that search for pages. All but robots.txt need absolute addresses.
func announcements(o pack.Options, presets []preset) []pack.File {
	robots := "User-agent: *\nAllow: /\n"
	if o.URL == "" {
		o.Logf("without rollplay build --url the site has no sitemap.xml, no oEmbed and no og:url, because they need an address")
		return []pack.File{pack.Text("robots.txt", robots)}
	}
	files := []pack.File{pack.Text("robots.txt", robots+"Sitemap: "+o.URL+"sitemap.xml\n"), pack.Text("sitemap.xml", sitemap(o.URL, presets))}
	for _, p := range presets {
		files = append(files, pack.Text(OEmbedName(p.Name), oEmbed(o.URL, p)))
	}
	return files
}

// sitemap lists the pages for search engines.
func sitemap(base string, presets []preset) string {
	var b strings.Builder
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	pages := []string{"", path.Dir(FidelityPage) + "/", path.Dir(KubectlPage) + "/"}
	for _, lang := range app.Langs() {
		for _, folder := range []string{GalleryFolder, AuthorsFolder, SchemaFolder, MeasuresFolder, CheckFolder, MeasuredFolder} {
			pages = append(pages, InLang(folder, lang))
		}
		for _, p := range presets {
			pages = append(pages, InLang(presetFolder(p.Name), lang))
		}
	}
	for _, page := range pages {
		fmt.Fprintf(&b, "<url><loc>%s</loc></url>\n", html.EscapeString(base+page))
	}
	b.WriteString("</urlset>\n")
	return b.String()
}

// OEmbedName returns the file for programs that show a scenario inside a page: https://oembed.com. All get the same answer, so
// it can be a file.
func OEmbedName(name string) string { return "s/" + name + "/oembed.json" }

// Size of the frame in an oEmbed answer, in the small layout. WordPress appends a fragment to the address, so the name is in the query.
const frameWidth, frameHeight = 720, 480

func oEmbed(base string, p preset) string {
	title := p.in(app.Langs()[0]).Title
	b := must.Have(json.MarshalIndent(map[string]any{
		"version": "1.0", "type": "rich", "title": title, "provider_name": "rollplay", "provider_url": base,
		"html": frame(base+"embed/?layout=compact&s="+p.Name, title), "width": frameWidth, "height": frameHeight,
		"thumbnail_url": base + p.Image, "thumbnail_width": poster.PreviewWidth, "thumbnail_height": poster.PreviewHeight, "cache_age": 86_400,
	}, "", "  "))
	return string(b) + "\n"
}

// frame is the element that shows an embed. It may run scripts, and open the playground in a window outside of the sandbox.
func frame(src, title string) string {
	return fmt.Sprintf(`<iframe src="%s" title="%s" width="%d" height="%d" `+
		`sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" loading="lazy" frameborder="0"></iframe>`,
		html.EscapeString(src), html.EscapeString(title), frameWidth, frameHeight)
}

// words holds the language of a page for reading and its place in the site.
type words struct {
	Lang  string
	Other string // the other language of the page
	Root  string // the path from the page to the top of the site: ../
	Base  string // the address of the site; empty if unknown
	Page  string // the path from there to the English page: s/first-rollout/
}

// wordsFor returns the words of a page in a language, given the path of the English page.
func wordsFor(o pack.Options, lang, page string) words {
	w := words{Lang: lang, Page: page, Base: o.URL, Root: strings.Repeat("../", strings.Count(InLang(page, lang), "/"))}
	for _, other := range app.Langs() {
		if other != lang {
			w.Other = other
		}
	}
	return w
}

func inLangs(page func(lang string) pack.File) (pages []pack.File) {
	for _, lang := range app.Langs() {
		pages = append(pages, page(lang))
	}
	return pages
}

// InLang returns the path of a page in a language. English pages have no folder for the language.
func InLang(page, lang string) string {
	if lang == app.Langs()[0] {
		return page
	}
	return page + lang + "/"
}

// FileIn returns the file of a page in a language, given the path of the English page.
func FileIn(page, lang string) string { return InLang(page, lang) + "index.html" }

// references makes a page in each language from a template of web/shell and what it is about.
func references(o pack.Options, style, template, folder string, of any) []pack.File {
	return inLangs(func(lang string) pack.File {
		w := wordsFor(o, lang, folder)
		return pack.Fill(o, template, FileIn(folder, lang), reference{w, w.Root + style, of})
	})
}

// Say returns a message of the catalogue.
func (w words) Say(key string, args ...any) string { return app.PageText(w.Lang, key, args...) }

// Langs returns the languages of the page.
func (w words) Langs() []string { return app.Langs() }

// To returns the path from this page to another in the same language.
func (w words) To(page string) string { return w.Root + InLang(page, w.Lang) }

// In returns the path from this page to itself in a language.
func (w words) In(lang string) string { return w.Root + InLang(w.Page, lang) }

// Address returns the address of this page in a language, for search engines: they want it in full. Without an address of the site it
// is a path.
func (w words) Address(lang string) string {
	if w.Base == "" {
		return w.In(lang)
	}
	return w.Base + InLang(w.Page, lang)
}

// Run returns the path from this page to a scenario in the playground.
func (w words) Run(name string) string {
	lang := w.Lang
	if lang == app.Langs()[0] {
		lang = "" // the playground takes the reader's language
	}
	return w.Root + "#" + link.Shipped(name, lang)
}
