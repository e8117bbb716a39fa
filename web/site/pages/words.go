package pages

import (
	"strings"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/engine/link"
)

// words are what a page that is only read has in common with all others: its language, and where it lies.
type words struct {
	Lang  string
	Other string // the language that it can be read in too
	Root  string // the way from the page to the top of the site: ../
	Page  string // the way from there to the page in English: s/first-rollout/
}

// wordsFor is for a page in a language, by its way in English.
func wordsFor(lang, page string) words {
	w := words{Lang: lang, Page: page, Root: strings.Repeat("../", strings.Count(InLang(page, lang), "/"))}
	for _, other := range app.Langs() {
		if other != lang {
			w.Other = other
		}
	}
	return w
}

// inLang is the way to a page in a language: the first language has none of its own.
func InLang(page, lang string) string {
	if lang == app.Langs()[0] {
		return page
	}
	return page + lang + "/"
}

// Say is a message of the catalogue.
func (w words) Say(key string, args ...any) string { return app.PageText(w.Lang, key, args...) }

// Langs are the languages that the page can be read in.
func (w words) Langs() []string { return app.Langs() }

// To is the way from this page to one of the site, in the same language.
func (w words) To(page string) string { return w.Root + InLang(page, w.Lang) }

// In is the way from this page to itself in a language.
func (w words) In(lang string) string { return w.Root + InLang(w.Page, lang) }

// Run is the way from this page to a scenario in the playground.
func (w words) Run(name string) string {
	lang := w.Lang
	if lang == app.Langs()[0] {
		lang = "" // the playground knows the person's own
	}
	return w.Root + "#" + link.Shipped(name, lang)
}
