package site

import (
	"html/template"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app"
)

// galleryShell is what web/shell/gallery.html is filled in with.
type galleryShell struct {
	words
	Policy        string
	Icon          template.URL
	Style, Script string
	URL           string
	Width, Height int
	Fields        []string // that a scenario is about
	Cards         []card
}

// card is a scenario in the gallery.
type card struct {
	Name, To, Light, Dark string
	presetWords
}

// About lists the fields of the card for the script that filters.
func (c card) About() string { return strings.Join(c.Fields, " ") }

// galleryFolder is the way to the page of all scenarios in English.
const galleryFolder = "scenarios/"

// galleryName is its file in a language.
func galleryName(lang string) string { return inLang(galleryFolder, lang) + "index.html" }

// buildGallery makes the page of all scenarios, with the script that filters it. Without that it is a list of all.
func buildGallery(o Options, presets []preset, style string) ([]File, error) {
	code, err := classicScript(o, "", "gallery.js")
	if err != nil {
		return nil, err
	}
	script := later(hashed("gallery", ".js", code))
	files := []File{script}
	for _, lang := range app.Langs() {
		page, err := galleryPage(o, presets, style, script.Name, lang)
		if err != nil {
			return nil, err
		}
		files = append(files, page)
	}
	return files, nil
}

func galleryPage(o Options, presets []preset, style, script, lang string) (File, error) {
	w := wordsFor(lang, galleryFolder)
	shell := galleryShell{
		words: w, Policy: Policy, Style: w.Root + style, Script: w.Root + script, Width: posterWidth, Height: posterHeight,
	}
	for _, p := range presets {
		words := p.in(lang)
		shell.Cards = append(shell.Cards, card{p.Name, w.To(presetFolder(p.Name)), w.Root + words.Light, w.Root + words.Dark, words})
		shell.Fields = append(shell.Fields, words.Fields...)
	}
	slices.Sort(shell.Fields)
	shell.Fields = slices.Compact(shell.Fields)
	if o.URL != "" {
		shell.URL = o.URL + inLang(galleryFolder, lang)
	}
	return fill(o, "gallery.html", galleryName(lang), Policy, func(icon template.URL) any {
		shell.Icon = icon
		return shell
	})
}
