package pages

import (
	"strings"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
)

// words holds the language of a page for reading and its place in the site.
type words struct {
	Lang  string
	Other string // the other language of the page
	Root  string // the path from the page to the top of the site: ../
	Base  string // the address of the site; empty if unknown
	Page  string // the path from there to the English page: s/first-rollout/
}

// wordsFor returns the words of a page in a language, given the path of the English page.
func wordsFor(lang, page string) words {
	w := words{Lang: lang, Page: page, Root: strings.Repeat("../", strings.Count(InLang(page, lang), "/"))}
	for _, other := range app.Langs() {
		if other != lang {
			w.Other = other
		}
	}
	return w
}

// inLangs makes a page in each language.
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

// references makes a page in each language from a template of web/shell. Its values begin with the reference.
func references(o pack.Options, style, template, folder string, values func(r reference) any) []pack.File {
	return inLangs(func(lang string) pack.File {
		w := wordsFor(lang, folder)
		return must.Have(pack.Fill(o, template, FileIn(folder, lang), values(reference{w, w.Root + style})))
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
