package site

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

// preset is a scenario that ships, as its page and the gallery show it.
type preset struct {
	Name    string
	Title   string
	Summary string   // the first paragraph of its lesson, in one line
	Lesson  []string // the other paragraphs
	YAML    string
	Alt     string // what the poster shows, in words
	Light   string // name of a poster's file in the site
	Dark    string
	Image   string // of the one for previews of links
	poster  *poster
}

// readPresets plays every scenario that ships, in the order of the gallery.
func readPresets() ([]preset, error) {
	var all []preset
	for _, name := range scenarios.Names() {
		text := scenarios.Text(name)
		p, err := newPoster(name, text)
		if err != nil {
			return nil, err
		}
		parsed, _ := engine.ParseScenario(text) // newPoster has complained if there is anything wrong
		paragraphs := paragraphs(parsed.Lesson)
		if len(paragraphs) == 0 {
			return nil, fmt.Errorf("scenario %s has no opening comment, which is its lesson", name)
		}
		all = append(all, preset{
			Name: name, Title: p.title, Summary: paragraphs[0], Lesson: paragraphs[1:], YAML: text, Alt: p.description(),
			Light: posterName(name, "light"), Dark: posterName(name, "dark"), Image: "posters/" + name + ".png", poster: p,
		})
	}
	return all, nil
}

// paragraphs cuts a text at its empty lines, and joins the other ones.
func paragraphs(text string) []string {
	var all []string
	for part := range strings.SplitSeq(text, "\n\n") {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			all = append(all, part)
		}
	}
	return all
}

// posters writes the three pictures of a scenario. Light and dark are files of their own, because where a page shows one
// with <img>, the page decides which.
func (p preset) posters(light, dark theme) ([]File, error) {
	png, err := p.poster.png(light)
	if err != nil {
		return nil, err
	}
	return []File{
		{Name: p.Light, Type: typeOf(p.Light), Raw: p.poster.svg(light)},
		{Name: p.Dark, Type: typeOf(p.Dark), Raw: p.poster.svg(dark)},
		{Name: p.Image, Type: typeOf(p.Image), Raw: png},
	}, nil
}

// buildPresets makes the posters, a page for each scenario, and the gallery.
func buildPresets(o Options, presets []preset, style string) ([]File, error) {
	light, dark, err := readThemes(o.Root)
	if err != nil {
		return nil, err
	}
	gallery, err := galleryPage(o, presets, style)
	if err != nil {
		return nil, err
	}
	files := []File{gallery}
	for i, p := range presets {
		posters, err := p.posters(light, dark)
		if err != nil {
			return nil, err
		}
		page, err := presetPage(o, presets, i, style)
		if err != nil {
			return nil, err
		}
		files = append(append(files, posters...), page)
	}
	return files, nil
}

// presetShell is what web/shell/preset.html is filled in with. The page lies two levels down.
type presetShell struct {
	preset
	Policy                  string
	Icon                    template.URL
	Style                   string
	URL                     string // of the page; empty if nobody knows
	OEmbed                  string // the address of the page's oEmbed answer; empty if there is none
	Width, Height           int    // of the posters
	ImageWidth, ImageHeight int
	Before, Next            *preset
}

// presetName is the file of a scenario's page.
func presetName(name string) string { return "s/" + name + "/index.html" }

func presetPage(o Options, presets []preset, i int, style string) (File, error) {
	p := presets[i]
	shell := presetShell{
		preset: p, Policy: Policy, Style: "../../" + style, Width: posterWidth, Height: posterHeight,
		ImageWidth: pngWidth, ImageHeight: pngHeight, Before: at(presets, i-1), Next: at(presets, i+1),
	}
	shell.Light, shell.Dark, shell.Image = "../../"+p.Light, "../../"+p.Dark, "../../"+p.Image
	if o.URL != "" {
		shell.URL, shell.Image = o.URL+"s/"+p.Name+"/", o.URL+p.Image
		shell.OEmbed = o.URL + oEmbedName(p.Name)
	}
	return fill(o, "preset.html", presetName(p.Name), Policy, func(icon template.URL) any {
		shell.Icon = icon
		return shell
	})
}

// at returns a neighbour, nil beyond the ends.
func at(presets []preset, i int) *preset {
	if i < 0 || i >= len(presets) {
		return nil
	}
	return &presets[i]
}

// galleryShell is what web/shell/gallery.html is filled in with. The page lies one level down.
type galleryShell struct {
	Policy        string
	Icon          template.URL
	Style         string
	URL           string
	Summary       string
	Width, Height int
	Presets       []preset
}

// galleryName is the file of the page of all scenarios.
const galleryName = "scenarios/index.html"

const gallerySummary = "Kubernetes rollouts to look at, to play, and to change. Each is a short text with a question in it."

func galleryPage(o Options, presets []preset, style string) (File, error) {
	shell := galleryShell{
		Policy: Policy, Style: up(style), Summary: gallerySummary, Width: posterWidth, Height: posterHeight, Presets: presets,
	}
	if o.URL != "" {
		shell.URL = o.URL + "scenarios/"
	}
	return fill(o, "gallery.html", galleryName, Policy, func(icon template.URL) any {
		shell.Icon = icon
		return shell
	})
}
