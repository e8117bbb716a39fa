// Package details is the pods in their place below the chart, and the tabs below the figure: pods, the log, the terminal and
// the history.
package details

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/past"
)

// TabNames are the views by the names that links and embeds have for them. The first one is what an untouched page shows.
var TabNames = [...]string{"pods", "nodes", "terminal", "tables", "events", "records", "queues", "timeline", "log"}

// TabLabels are the keys of the views' names in the catalogue.
var TabLabels = map[string]lang.Message{"pods": "tab-pods", "nodes": "tab-nodes", "terminal": "tab-terminal", "tables": "tab-tables", "events": "tab-events",
	"records": "tab-records", "queues": "tab-queues", "timeline": "tab-timeline", "log": "tab-log"}

// group is one of the four tabs, with the views that its chips choose among.
type group struct {
	name  string
	label lang.Message
	views []string
}

// groups in the order of the tabs. The first view is what a tab opens.
var groups = [...]group{
	{"pods", "tab-pods", []string{"tables", "nodes"}},
	{"log", "tab-log", []string{"log", "events", "records", "queues"}},
	{"terminal", "tab-terminal", nil},
	{"timeline", "tab-history", nil},
}

// groupOf is the tab that has a view.
func groupOf(view string) int {
	return max(0, slices.IndexFunc(groups[:], func(g group) bool { return g.name == view || slices.Contains(g.views, view) }))
}

// Panels are the pods, the tabs, and what the person has chosen in them.
type Panels struct {
	s *session.Session

	Tab     string // the view that is shown
	Idle    bool   // the list of decisions has reconciles that change nothing
	Pods    podsShown
	InPlace bool // the pods stand below the chart and not in a tab
	Follows bool // the view has a row of the cursor, which is kept in sight

	terminal terminalShown
	away     bool         // the view is scrolled out of sight
	shown    []past.Table // with shownKey
	shownKey tablesKey
}

// New returns the panels of a session.
func New(s *session.Session) *Panels {
	return &Panels{s: s, Tab: TabNames[0], Pods: podsShown{sets: map[string]*chart.Sets{}}}
}

// Handlers are the choices of a person in the panels.
func (p *Panels) Handlers() parts.Handlers {
	return parts.Handlers{
		act.Tab: func(_ app.Context, v any) bool {
			p.Open(v.(string))
			browser.Reveal(".tabs")
			return true
		},
		act.TerminalFocus: func(ctx app.Context, _ any) bool {
			p.Open("terminal")
			ctx.Defer(func(app.Context) { browser.FocusTerminal() })
			return true
		},
		act.View:       parts.Changed(func(view string) { p.Tab = view }),
		act.OutOfSight: parts.Changed(func(away string) { p.away = away == "true" }),
		act.PodsBy:     parts.Changed(func(by string) { p.Pods.By = by }),
		act.PodsOrder:  parts.Changed(func(on bool) { p.Pods.Order = on }),
		act.Idle:       parts.Changed(func(on bool) { p.Idle = on }),
	}
}

// Open shows a view, or the view of a tab that was open last.
func (p *Panels) Open(name string) {
	if name != p.Group() {
		p.Tab = name
	}
}

// Group is the name of the tab that is open.
func (p *Panels) Group() string { return groups[groupOf(p.Tab)].name }

// Tabs is the panel below the row of tabs: a view, and above it the chips that choose another one of the same tab.
func (p *Panels) Tabs() app.UI {
	g, lines, say := &groups[groupOf(p.Tab)], p.presets(), p.s.Lang().Say
	return parts.Card("tabs", say("details")).Body(
		parts.Title(say("details")),
		parts.Maximize(p.s.Lang(), "tabs"),
		app.Elem("div").Class("chips").Role("group").Aria("label", say("views")).Hidden(len(g.views)+len(lines) == 0).Body(
			app.Range(g.views).Slice(func(i int) app.UI { return p.chip(g.views, i) }),
			parts.Each(lines, preset),
			app.If(p.InPlace && g.name == "pods", p.podsBar)),
		app.Elem("div").Class("tabpanel").ID("panel-"+p.Tab).Role("tabpanel").TabIndex(0).Aria("labelledby", "tab-"+g.name).Body(p.body()...),
	)
}

// chip chooses a view. A tab that was opened by its own name shows its first one.
func (p *Panels) chip(views []string, i int) app.UI {
	on := p.Tab == views[i] || i == 0 && !slices.Contains(views, p.Tab)
	label := TabLabels[views[i]]
	if views[i] == "log" {
		label = "log-all"
	}
	return &parts.Button{Act: "view", Class: "button chip", Text: p.s.Lang().Say(label),
		Attributes: parts.Attributes{Pressed: strconv.FormatBool(on)}, Do: act.View, Value: views[i], Data: "value"}
}

// bodies draw the views. The tables also stand where nothing else does.
var bodies = map[string]func(*Panels) app.UI{
	"pods": (*Panels).podsPanel, "nodes": (*Panels).nodesPanel, "tables": (*Panels).tables, "queues": (*Panels).queuesPanel,
	"terminal": func(*Panels) app.UI { return &parts.Host{Class: "terminal", Act: "terminal"} }, // see pushTerminal
	"log":      (*Panels).logList, "events": (*Panels).eventsList, "records": (*Panels).recordsList,
	"timeline": (*Panels).timelineList,
}

func (p *Panels) body() []app.UI {
	draw := bodies[p.Tab]
	p.Follows = false
	if draw == nil || p.Tab == "pods" && p.InPlace {
		draw = (*Panels).tables
	}
	if p.Tab == "timeline" {
		return []app.UI{draw(p), p.branchesList()}
	}
	return []app.UI{draw(p)}
}

// OnlyTab is the panel that is shown, without the others.
func (p *Panels) OnlyTab() app.UI {
	return app.Elem("section").Class("card tabs").Aria("label", p.s.Lang().Say("details")).Body(
		parts.Title(p.s.Lang().Say(TabLabels[p.Tab])),
		app.Elem("div").Class("tabpanel").ID("panel-"+p.Tab).TabIndex(0).Body(p.body()...))
}

// Bar is the row of the four tabs, with what the page puts before them. It stays in sight at the lower edge of the window.
func (p *Panels) Bar(before ...app.UI) app.UI {
	l := p.s.Lang()
	return app.Elem("div").Class("bar").Body(
		parts.When(len(before) > 0, &parts.Edge{Lang: l, Name: "tabs", Label: "size-tabs"}),
		app.Elem("div").Class("pane-buttons").Hidden(len(before) == 0).Body(before...),
		app.Elem("div").Class("tablist").Role("tablist").Aria("label", l.Say("details")).Body(
			parts.EachOf(groups[:], p.tab)),
	)
}

// tab is one tab; the arrows go round among them.
func (p *Panels) tab(g *group) app.UI {
	selected := g.name == p.Group()
	aria := map[string]string{"selected": strconv.FormatBool(selected)}
	if selected {
		aria["controls"] = "panel-" + p.Tab
	}
	return &parts.Button{Act: "tab", Class: "tab", Attributes: parts.Attributes{Role: "tab", ID: "tab-" + g.name, Aria: aria, Focus: parts.FocusOf(selected)},
		Spans: []parts.Span{{Tag: "text", Text: p.s.Lang().Say(g.label)}}, Do: act.Tab, Value: g.name, Data: "value"}
}
