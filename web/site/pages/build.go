package pages

import (
	"cmp"
	"slices"

	"github.com/rollplay/rollplay/web/site/pack"
)

// Build makes all pages, with everything that they load, and the page for addresses that lead nowhere.
func Build(o pack.Options, p *pack.Program) ([]pack.File, *Missing, error) {
	playground, err := buildPlayground(o, p)
	if err != nil {
		return nil, nil, err
	}
	reading, missing, err := Reading(o)
	if err != nil {
		return nil, nil, err
	}
	embed, err := buildEmbed(o, p, reading)
	if err != nil {
		return nil, nil, err
	}
	authors, err := buildAuthors(o, slices.Concat(reading, embed))
	return slices.Concat(playground, reading, embed, authors), missing, err
}

// Reading makes the pages that run nothing: the page of each scenario with its posters, the gallery, the lists of rules,
// of commands and of fields, the page for an address that leads nowhere, and the files that announce them to other programs.
func Reading(o pack.Options) ([]pack.File, *Missing, error) {
	style, err := pack.Style(o, "pages.css")
	if err != nil {
		return nil, nil, err
	}
	presets, err := readPresets()
	if err != nil {
		return nil, nil, err
	}
	files, err := buildPresets(o, presets, style.Name)
	if err != nil {
		return nil, nil, err
	}
	rules, wrongRules := buildFidelity(o, style.Name)
	commands, wrongCommands := buildKubectl(o, style.Name)
	reference, wrongReference := buildSchema(o, style.Name)
	missing, err := newMissing(o, style.Name)
	if err := cmp.Or(wrongRules, wrongCommands, wrongReference, err); err != nil {
		return nil, nil, err
	}
	page, err := missing.file(o)
	return slices.Concat(files, reference, []pack.File{style, rules, commands, page}, announcements(o, presets)), missing, err
}
