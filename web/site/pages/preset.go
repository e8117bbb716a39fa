package pages

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/poster"
)

// preset is a shipped scenario, as its pages and the gallery show it.
type preset struct {
	Name   string
	YAML   string
	Image  string // the picture for previews of links
	Thumb  string // the picture in the gallery
	words  map[string]presetWords
	poster *picture.Picture
}

// presetWords holds the texts of a preset in one language.
type presetWords struct {
	Title    string
	Question string   // empty if it asks nothing
	Summary  string   // the first paragraph of its lesson, in one line
	Lesson   []string // the other paragraphs
	Solution []string // of an exercise, in place of them: it is folded away
	Steps    []string // its captions
	Fields   []string // of the API that the scenario is about
	Links    []presetLink
	Light    string // name of the poster's file in the site
	Dark     string
	Motion   string // name of its file in motion
	Alt      string // description of the poster
}

// presetLink is a page on which people ask the same question.
type presetLink struct{ Title, URL string }

// in returns the texts of the preset in a language.
func (p preset) in(lang string) presetWords { return p.words[lang] }

// OEmbed is the file that describes its page to other programs.
func (p preset) OEmbed() string { return OEmbedName(p.Name) }

// readPresets plays every scenario that ships, in the order of the gallery.
func readPresets() (all []preset) {
	for _, name := range scenarios.Names() {
		text := scenarios.Text(name)
		poster := must.Have(poster.New(name, text))
		parsed, _ := scenario.Parse(text) // poster.New has reported any error
		p := preset{
			Name: name, YAML: text,
			Image: "posters/" + name + ".png", Thumb: "thumbs/" + name + ".svg", words: map[string]presetWords{}, poster: poster,
		}
		for _, tag := range app.Langs() {
			words := wordsOf(parsed, tag)
			must.Be(words.Summary != "", "scenario %s has no opening comment, which is its lesson", name)
			words.Title = cmp.Or(words.Title, name)
			words.Alt = poster.Description(lang.Of(tag))
			words.Light, words.Dark = posterName(name, "light", tag), posterName(name, "dark", tag)
			words.Motion = motionName(name, tag)
			p.words[tag] = words
		}
		all = append(all, p)
	}
	return all
}

// wordsOf reads the texts of a scenario. Texts without a translation are in English.
func wordsOf(sc *scenario.Scenario, lang string) presetWords {
	w := presetWords{Title: sc.Title.In(lang), Question: sc.Question.In(lang), Fields: sc.Fields}
	if lesson := paragraphs(sc.Lesson.In(lang)); len(lesson) > 0 {
		w.Summary, w.Lesson = lesson[0], lesson[1:]
	}
	if len(sc.Goals) > 0 {
		w.Solution, w.Lesson = paragraphs(sc.Lesson.In(lang)), nil
		w.Summary = w.Question
	}
	for _, c := range sc.Captions {
		w.Steps = append(w.Steps, c.Text.In(lang))
	}
	for _, l := range sc.Links {
		w.Links = append(w.Links, presetLink{Title: l.Title.In(lang), URL: app.DocsIn(lang, l.URL)})
	}
	return w
}

// paragraphs splits a text at its empty lines, and joins the other lines. Chinese has no space at the end of a line.
func paragraphs(text string) []string {
	var all []string
	for part := range strings.SplitSeq(text, "\n\n") {
		var b strings.Builder
		for word := range strings.FieldsSeq(part) {
			last, _ := utf8.DecodeLastRuneInString(b.String())
			first, _ := utf8.DecodeRuneInString(word)
			if b.Len() > 0 && !(chart.Wide(last) && chart.Wide(first)) {
				b.WriteByte(' ')
			}
			b.WriteString(word)
		}
		if b.Len() > 0 {
			all = append(all, b.String())
		}
	}
	return all
}

// posters draws the pictures of a scenario: without words one for previews and one for the gallery, and in each language a light one, a
// dark one and one in motion. These are separate files, because a page that shows a picture with <img> chooses between them.
func (p preset) posters() []pack.File {
	files := []pack.File{pack.Text(p.Image, must.Have(poster.PNG(p.poster, picture.Light))), pack.Text(p.Thumb, p.poster.Thumb())}
	for _, tag := range app.Langs() {
		w, l := p.in(tag), lang.Of(tag)
		files = append(files, pack.Text(w.Light, p.poster.SVG(picture.Light, l)), pack.Text(w.Dark, p.poster.SVG(picture.Dark, l)),
			pack.Text(w.Motion, p.poster.Played(l)))
	}
	return files
}

// buildPresets makes the posters, a page for each scenario, and the gallery, in all languages.
func buildPresets(o pack.Options, presets []preset, style string) []pack.File {
	script := pack.Script(o, "player.js", "reading.js")
	files := append(buildGallery(o, presets, style), script)
	for i, p := range presets {
		files = append(files, p.posters()...)
		for _, name := range namesOf(p.Name) {
			files = append(files, inLangs(func(lang string) pack.File { return presetPage(o, presets, i, style, script.Name, lang, name) })...)
		}
	}
	return files
}

// lesson is a scenario in one language, as its page and its card in the gallery show it.
type lesson struct {
	words
	preset
	presetWords
	all []preset
	at  int // its place among them
}

// lessonAt returns the scenario at a place, nil beyond the ends.
func lessonAt(w words, all []preset, i int) *lesson {
	if i < 0 || i >= len(all) {
		return nil
	}
	return &lesson{w, all[i], all[i].in(w.Lang), all, i}
}

// Path leads from the page to that of the scenario.
func (s *lesson) Path() string { return s.To(presetFolder(s.Name)) }

// Before and Next are its neighbours.
func (s *lesson) Before() *lesson { return lessonAt(s.words, s.all, s.at-1) }
func (s *lesson) Next() *lesson   { return lessonAt(s.words, s.all, s.at+1) }

// presetShell holds the values of web/shell/preset.html.
type presetShell struct {
	*lesson
	Style, Script           string
	Player                  string // JSON: the words of the player
	URL                     string // of the page; empty if unknown
	Width, Height           int    // of the posters
	ImageWidth, ImageHeight int
}

// presetFolder is the path of a scenario's English page.
func presetFolder(name string) string { return "s/" + name + "/" }

// PresetName returns the file of a scenario's page in a language.
func PresetName(name, lang string) string { return FileIn(presetFolder(name), lang) }

// namesOf are the names under which a scenario has a page: its own, and those of scenarios that were joined with it.
func namesOf(name string) []string {
	names := []string{name}
	for old, now := range scenarios.Aliases() {
		if now == name {
			names = append(names, old)
		}
	}
	slices.Sort(names[1:])
	return names
}

func presetPage(o pack.Options, presets []preset, i int, style, script, lang, name string) pack.File {
	w := wordsFor(o, lang, presetFolder(name))
	shell := presetShell{
		lesson: lessonAt(w, presets, i), Style: w.Root + style, Script: script,
		Player: string(must.Have(json.Marshal(wordsOfScripts(playerMessages)[lang]))),
		Width:  poster.Width, Height: poster.Height, ImageWidth: poster.PreviewWidth, ImageHeight: poster.PreviewHeight,
	}
	if o.URL != "" {
		shell.URL = o.URL + InLang(presetFolder(shell.Name), lang)
	}
	return pack.Fill(o, "preset.html", PresetName(name, lang), shell)
}

// galleryShell holds the values of web/shell/gallery.html.
type galleryShell struct {
	words
	Style, Script string
	Width, Height int      // of the pictures
	Fields        []string // that a scenario is about
	Core          string   // the lessons of the core path
	Chapters      []chapter
}

// About lists the fields of the scenario for the script that filters.
func (s *lesson) About() string { return strings.Join(s.Fields, " ") }

// Asks are the moments at which it asks something; see gallery.Asks.
func (s *lesson) Asks() string { return strings.Join(gallery.Asks(s.Name), " ") }

// workloads are the kinds that a scenario rolls out.
var workloads = regexp.MustCompile(`(?m)^kind: (Deployment|StatefulSet|DaemonSet)\b`)

// Sorts says what it is and rolls out, for the script that filters.
func (s *lesson) Sorts() string {
	var all []string
	for _, m := range workloads.FindAllStringSubmatch(s.YAML, -1) {
		all = append(all, m[1])
	}
	if len(s.Solution) > 0 {
		all = append(all, "exercise")
	}
	if strings.HasPrefix(s.Name, "recap-") {
		all = append(all, "recap")
	}
	return strings.Join(all, " ")
}

// GalleryFolder is the path of the English page of all scenarios.
const GalleryFolder = "scenarios/"

// buildGallery makes the page of all scenarios, with the script that filters it. Without the script it lists all.
func buildGallery(o pack.Options, presets []preset, style string) []pack.File {
	script := pack.Script(o, "gallery.js")
	return append(inLangs(func(lang string) pack.File {
		w := wordsFor(o, lang, GalleryFolder)
		shell := galleryShell{
			words: w, Style: w.Root + style, Script: w.Root + script.Name, Width: picture.ThumbWidth, Height: picture.ThumbHeight,
			Core: strings.Join(scenarios.Core, " "),
		}
		var cards []*lesson
		for i := range presets {
			cards = append(cards, lessonAt(w, presets, i))
			shell.Fields = append(shell.Fields, cards[i].Fields...)
		}
		shell.Chapters = chaptersOf(w, cards)
		slices.Sort(shell.Fields)
		shell.Fields = slices.Compact(shell.Fields)
		return pack.Fill(o, "gallery.html", FileIn(GalleryFolder, lang), shell)
	}), script)
}
