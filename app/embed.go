package app

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/details"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/notice"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/share"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// An embed is the page inside somebody else's page: the chart, the transport and the panels that its author chose. It has no header, an
// editor only if the author wants one, and it saves nothing. web/shell/embed.js has the cover before the program starts, and the messages
// to and from the page around.

// embed is what the author chose.
type embed struct {
	Fragment string   `json:"fragment"` // of the link that it shows
	Panels   []string `json:"panels"`   // why, controls, diagnosis, yaml, or tabs
	Speed    float64  `json:"speed"`    // 0: the usual one
	Stops    bool     `json:"stops"`    // at captions; else a run is as slow as they are read
	Lang     string   `json:"lang"`     // of the page around; the link's goes before it
}

// readEmbed reads the options from JavaScript, nil in the playground. What makes no sense is left out.
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
func EmbedPanels() []string {
	return append(append([]string{"requests", "why", "controls", "diagnosis"}, details.TabNames[:]...), "yaml")
}

// tabs are the tabs among the panels, in the order of the playground.
func (e *embed) tabs() []string {
	return slices.DeleteFunc(slices.Clone(details.TabNames[:]), func(name string) bool { return !e.has(name) })
}

// openEmbed shows the author's run. It plays at once, because somebody has clicked to see it, unless the link opens at
// a moment. The author chooses its tab and its theme, not the link.
func (p *page) openEmbed() {
	p.details.Tab = ""
	if tabs := p.embed.tabs(); len(tabs) > 0 {
		p.details.Tab = tabs[0]
	}
	p.s.Visit.Lang = lang.Pick(p.embed.Lang)
	p.s.Cursor.Guide = session.Guide{Captions: p.embed.Stops, Reads: !p.embed.Stops}
	p.s.Open(session.Kept{}, strings.TrimPrefix(p.embed.Fragment, "#"))
	if p.embed.Speed > 0 {
		p.s.Cursor.SetFactor(p.embed.Speed)
	}
	p.s.Visit.Say("")
}

// onPlayground continues in the playground, at the moment that the embed shows.
func (p *page) onPlayground(app.Context, any) bool {
	l := p.s.Link()
	p.s.Cursor.AddMoment(&l.View)
	p.s.Cursor.AddPlayback(&l.View)
	if fragment, err := sharing.Encode(l); err == nil {
		browser.OpenPlayground("#" + fragment)
	} else {
		browser.OpenPlayground(p.embed.Fragment)
	}
	return false
}

// renderEmbed draws the page of an embed.
func (p *page) renderEmbed() app.UI {
	return app.Main().Class("embed").Body(
		app.Elem("h1").Class("sr-only").Text(share.OneLine(p.s.Computed.Title())),
		parts.When(p.s.Visit.Notice.Bad && !notice.Owns(p.s.Visit.Notice) && !p.embed.has("yaml"),
			app.Elem("p").Class("notice bad").DataSet("act", "notice").Role("alert").Text(p.s.Visit.Notice.Text)),
		app.Elem("section").Class("embed-stage").ID("stage").Aria("label", p.s.Lang().Say("rollout")).Body(
			p.stage.Chart(),
			p.lesson.Waits(),
			p.stage.Transport(),
			p.stage.Comparison(),
			app.If(len(p.embed.Panels) > 0, p.embeddedPanels),
		),
		p.notice.View(),
		app.Elem("p").Class("sr-only").DataSet("act", "status").Role("status").Aria("live", "polite").Text(p.s.Visit.Said),
	)
}

// embeddedPanels are the panels that the author chose. The small layout scrolls them in what it leaves of its height.
func (p *page) embeddedPanels() app.UI {
	return app.Elem("div").Class("embed-panels").Body(
		app.If(p.embed.has("requests"), p.stage.Requests),
		app.If(p.embed.has("yaml"), p.editor.View),
		app.If(p.embed.has("controls"), p.stage.Controls),
		app.If(p.embed.has("diagnosis"), p.stage.Diagnosis),
		app.If(p.embed.has("why"), p.stage.Why),
		app.If(p.details.Tab != "", p.embeddedTabs),
	)
}

// embeddedTabs is the tab bar if the author chose several tabs, otherwise the panel alone.
func (p *page) embeddedTabs() app.UI {
	if len(p.embed.tabs()) == 1 {
		return p.details.OnlyTab()
	}
	return app.Elem("div").Class("embed-tabs").Body(p.details.Bar(), p.details.Tabs())
}

// tellHost sends the cursor to the page around; JavaScript limits how often.
func (p *page) tellHost() {
	if p.embed == nil || p.s.Run() == nil {
		return
	}
	frames := p.s.Run().Frames(p.s.Workload())
	browser.Tick(p.s.Cursor.T, p.s.End(), p.s.Cursor.Playing, p.s.Cursor.AtEnd(), chart.At(frames, p.s.Cursor.Place))
}
