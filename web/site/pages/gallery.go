package pages

import (
	"regexp"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
)

// galleryShell holds the values of web/shell/gallery.html.
type galleryShell struct {
	words
	Style, Script string
	URL           string
	Width, Height int      // of the pictures
	Fields        []string // that a scenario is about
	Core          string   // the lessons of the core path
	Chapters      []chapter
}

// card is a scenario in the gallery.
type card struct {
	Name, To, Picture string
	Minutes           int
	Search            string // words for the search, besides those that it shows
	Sorts             string // see sortsOf
	Asks              string // see gallery.Asks
	Needs             []neighbour
	presetWords
}

// About lists the fields of the card for the script that filters.
func (c card) About() string { return strings.Join(c.Fields, " ") }

// workloads are the kinds that a scenario rolls out.
var workloads = regexp.MustCompile(`(?m)^kind: (Deployment|StatefulSet|DaemonSet)\b`)

// sortsOf says what a scenario is and rolls out, for the script that filters.
func sortsOf(p preset, w presetWords) string {
	var all []string
	for _, m := range workloads.FindAllStringSubmatch(p.YAML, -1) {
		all = append(all, m[1])
	}
	if len(w.Solution) > 0 {
		all = append(all, "exercise")
	}
	if strings.HasPrefix(p.Name, "recap-") {
		all = append(all, "recap")
	}
	return strings.Join(all, " ")
}

// GalleryFolder is the path of the English page of all scenarios.
const GalleryFolder = "scenarios/"

// buildGallery makes the page of all scenarios, with the script that filters it. Without the script it lists all.
func buildGallery(o pack.Options, presets []preset, style string) []pack.File {
	script := must.Have(pack.Script(o, "gallery.js"))
	return append(inLangs(func(lang string) pack.File { return galleryPage(o, presets, style, script.Name, lang) }), script)
}

func galleryPage(o pack.Options, presets []preset, style, script, lang string) pack.File {
	w := wordsFor(lang, GalleryFolder)
	shell := galleryShell{
		words: w, Style: w.Root + style, Script: w.Root + script, Width: picture.ThumbWidth, Height: picture.ThumbHeight,
		Core: strings.Join(scenarios.Core, " "),
	}
	var cards []card
	for _, p := range presets {
		words := p.in(lang)
		cards = append(cards, card{p.Name, w.To(presetFolder(p.Name)), w.Root + p.Thumb,
			minutesFor(words), searchWords(p, words), sortsOf(p, words), strings.Join(gallery.Asks(p.Name), " "), w.needsOf(presets, p.Name), words})
		shell.Fields = append(shell.Fields, words.Fields...)
	}
	shell.Chapters = chaptersOf(w, cards)
	slices.Sort(shell.Fields)
	shell.Fields = slices.Compact(shell.Fields)
	if o.URL != "" {
		shell.Base = o.URL
		shell.URL = o.URL + InLang(GalleryFolder, lang)
	}
	return must.Have(pack.Fill(o, "gallery.html", FileIn(GalleryFolder, lang), shell))
}
