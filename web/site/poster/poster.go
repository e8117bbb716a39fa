// Package poster plays scenarios for the site and makes their pictures: SVG for pages and PNG for previews, without a browser.
package poster

import (
	"fmt"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/engine"
)

// Ceiling is the largest size of an SVG in bytes, before compression: many hosts do not compress images.
const Ceiling = 15_000

// Width and Height are the size of an SVG.
const Width, Height = picture.Width, picture.Height

// Poster is the picture of a scenario's first workload, with the cursor at the most telling moment.
type Poster struct{ *picture.Picture }

// New plays a scenario.
func New(name, text string) (*Poster, error) {
	run, diagnostics := engine.Start(engine.Recording{Scenario: text})
	if run == nil {
		return nil, fmt.Errorf("scenario %s: %s", name, diagnostics[0].Message)
	}
	p := picture.New(run.Finish(), "", picture.Telling)
	if p == nil {
		return nil, fmt.Errorf("scenario %s has no workload to draw", name)
	}
	if run.Scenario().Title.En == "" {
		p.Title.En = name
	}
	return &Poster{p}, nil
}

// SVG draws the poster with words in the language of a tag.
func (p *Poster) SVG(t picture.Theme, tag string) []byte { return p.Picture.SVG(t, lang.Of(tag)) }

// Played draws the run in motion for a player, for both themes.
func (p *Poster) Played(tag string) []byte { return p.Picture.Played(lang.Of(tag)) }

// Description describes the poster in the language of a tag.
func (p *Poster) Description(tag string) string { return p.Picture.Description(lang.Of(tag)) }
