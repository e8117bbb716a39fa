package pages

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/poster"
)

// galleryShell is what web/shell/gallery.html is filled in with.
type galleryShell struct {
	words
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
const GalleryFolder = "scenarios/"

// galleryName is its file in a language.
func GalleryName(lang string) string { return InLang(GalleryFolder, lang) + "index.html" }

// buildGallery makes the page of all scenarios, with the script that filters it. Without that it is a list of all.
func buildGallery(o pack.Options, presets []preset, style string) ([]pack.File, error) {
	script, err := pack.Script(o, "gallery.js")
	if err != nil {
		return nil, err
	}
	files := []pack.File{script}
	for _, lang := range app.Langs() {
		page, err := galleryPage(o, presets, style, script.Name, lang)
		if err != nil {
			return nil, err
		}
		files = append(files, page)
	}
	return files, nil
}

func galleryPage(o pack.Options, presets []preset, style, script, lang string) (pack.File, error) {
	w := wordsFor(lang, GalleryFolder)
	shell := galleryShell{
		words: w, Style: w.Root + style, Script: w.Root + script, Width: poster.Width, Height: poster.Height,
	}
	for _, p := range presets {
		words := p.in(lang)
		shell.Cards = append(shell.Cards, card{p.Name, w.To(presetFolder(p.Name)), w.Root + words.Light, w.Root + words.Dark, words})
		shell.Fields = append(shell.Fields, words.Fields...)
	}
	slices.Sort(shell.Fields)
	shell.Fields = slices.Compact(shell.Fields)
	if o.URL != "" {
		shell.URL = o.URL + InLang(GalleryFolder, lang)
	}
	return pack.Fill(o, "gallery.html", GalleryName(lang), shell)
}
