package app

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	sharing "github.com/rollplay/rollplay/engine/link"
)

// An embed is the page inside the page of somebody else: the chart, the transport and what its author asked for beside
// them. It has no editor and no header, and it keeps nothing. What is before the program, and the messages to and from
// the page around, is web/shell/embed.js.

// embed is how the author wants it.
type embed struct {
	Fragment string   `json:"fragment"` // of the link that it shows
	Panels   []string `json:"panels"`   // why, controls, diagnosis, or tabs
	Speed    float64  `json:"speed"`    // 0: the usual one
	Lang     string   `json:"lang"`     // of the page around; the link's goes before it
}

// readEmbed understands what JavaScript says, nil if the page is the playground. What makes no sense is left out.
func readEmbed(options string) *embed {
	if options == "" {
		return nil
	}
	e := &embed{}
	if json.Unmarshal([]byte(options), e) != nil {
		return &embed{Panels: []string{"why"}}
	}
	return e
}

func (e *embed) has(panel string) bool { return slices.Contains(e.Panels, panel) }

// EmbedPanels names what an embed can show beside the chart and the transport.
func EmbedPanels() []string { return append([]string{"why", "controls", "diagnosis"}, tabNames[:]...) }

// tabs are the tabs among the panels, in the order of the playground.
func (e *embed) tabs() []string {
	var names []string
	for _, name := range tabNames {
		if e.has(name) {
			names = append(names, name)
		}
	}
	return names
}

// openEmbed shows the author's run, which plays at once, because somebody has clicked to see it, unless the link is one to
// a moment. Its tab and its theme are the author's to say.
func (p *page) openEmbed() {
	p.details.tab = ""
	if tabs := p.embed.tabs(); len(tabs) > 0 {
		p.details.tab = tabs[0]
	}
	p.s.StartIn(p.embed.Lang)
	p.s.Begin("", strings.TrimPrefix(p.embed.Fragment, "#"))
	if p.embed.Speed > 0 {
		p.s.setFactor(p.embed.Speed)
	}
	p.s.Quiet()
}

// onPlayground is somebody who wants to go on in the playground, from the moment that is shown here.
func (p *page) onPlayground(app.Context, app.Action) {
	l := p.s.Link()
	p.s.lookAt(&l.View)
	p.s.lookWith(&l.View)
	if fragment, err := sharing.Encode(l); err == nil {
		callPlayground("#" + fragment)
	} else {
		callPlayground(p.embed.Fragment)
	}
}

// renderEmbed draws the page of an embed.
func (p *page) renderEmbed() app.UI {
	return app.Elem("div").Class("embed").Body(
		app.If(p.s.notice.Bad, func() app.UI {
			return app.Elem("p").Class("notice bad").DataSet("act", "notice").Role("alert").Text(p.s.notice.Text)
		}),
		app.Elem("section").Class("embed-stage").ID("stage").Aria("label", p.s.lang.say("rollout")).Body(
			p.stage.chartPanel(),
			p.stage.transportBar(),
			app.If(p.embed.has("controls"), p.stage.controlsPanel),
			app.If(p.embed.has("diagnosis"), p.stage.diagnosisCard),
			app.If(p.embed.has("why"), p.stage.whyPanel),
			app.If(p.details.tab != "", p.embeddedTabs),
		),
		app.Elem("p").Class("sr-only").DataSet("act", "status").Role("status").Aria("live", "polite").Text(p.s.said),
	)
}

// embeddedTabs are all tabs if the author asked for several, and otherwise the one alone.
func (p *page) embeddedTabs() app.UI {
	if len(p.embed.tabs()) == 1 {
		return p.details.onlyTab()
	}
	return p.details.tabsPanel()
}

// tellHost tells the page around where the cursor is; JavaScript sees to it that this is not too often.
func (p *page) tellHost() {
	if p.embed == nil || p.s.run == nil {
		return
	}
	frames := p.s.run.Frames(p.s.watched())
	r := readoutAt(frames, frameAt(frames, p.s.cursor.Record))
	pushTick(p.s.cursor.T, p.s.end(), p.s.playing, p.s.atEnd(), r)
}
