package pages

import (
	"slices"

	"github.com/rollplay/rollplay/web/site/pack"
)

// Build makes all pages, with everything that they load, and the page for addresses that lead nowhere.
func Build(o pack.Options, p *pack.Program) (files []pack.File, missing *Missing, err error) {
	defer pack.Caught(&err)
	playground := buildPlayground(o, p)
	reading, missing, err := Reading(o)
	if err != nil {
		return nil, nil, err
	}
	embed := buildEmbed(o, p, reading)
	authors := buildAuthors(o, slices.Concat(reading, embed))
	return slices.Concat(playground, reading, embed, authors), missing, nil
}

// Reading makes the pages that run nothing: the page of each scenario with its posters, the gallery, the lists of rules,
// of commands and of fields, the page for an address that leads nowhere, and the files that announce them to other programs.
func Reading(o pack.Options) (files []pack.File, missing *Missing, err error) {
	defer pack.Caught(&err)
	style := pack.Must(pack.Style(o, "pages.css"))
	presets := readPresets()
	missing = &Missing{pack.Must(pack.Template(o, "404.html")), style.Name}
	alone := []pack.File{style, buildFidelity(o, style.Name), buildKubectl(o, style.Name), missing.file(o)}
	return slices.Concat(buildPresets(o, presets, style.Name), buildSchema(o, style.Name), alone, announcements(o, presets)), missing, nil
}
