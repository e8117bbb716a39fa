package app

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/engine"
)

var tabNames = [...]string{"pods", "nodes", "terminal", "tables", "events", "records", "queues", "timeline"}

// tabLabels are the keys of the tabs' names in the catalogue.
var tabLabels = map[string]message{"pods": "tab-pods", "nodes": "tab-nodes", "terminal": "tab-terminal", "tables": "tab-tables", "events": "tab-events",
	"records": "tab-records", "queues": "tab-queues", "timeline": "tab-timeline"}

// detailPanels are the tabs at the lower right, and what the person has chosen in them.
type detailPanels struct {
	s *session

	tab  string // the one that is shown
	idle bool   // the list of decisions has reconciles that change nothing
	pods podsShown

	terminal terminalShown
	snap     *engine.Snapshot
	snapKey  snapKey
}

func newDetails(s *session) *detailPanels {
	d := &detailPanels{s: s, tab: tabNames[0]}
	d.pods.by = byReplicaSet
	return d
}

// tabs is the lower right: one list or set of tables at a time.
type tabs struct {
	app.Compo

	Lang     lang
	Selected string
	Body     []app.UI // components
}

func (p *detailPanels) tabsPanel() app.UI {
	return &tabs{Lang: p.s.lang, Selected: p.tab, Body: p.body()}
}

func (p *detailPanels) body() []app.UI {
	switch p.tab {
	case "pods":
		return []app.UI{p.podsPanel()}
	case "nodes":
		return []app.UI{p.nodesPanel()}
	case "terminal":
		return []app.UI{&terminalPanel{}}
	case "events":
		return []app.UI{p.eventsList()}
	case "records":
		return []app.UI{p.recordsList()}
	case "queues":
		return []app.UI{p.queuesPanel()}
	case "timeline":
		return []app.UI{p.timelineList(), p.forksList()}
	}
	return []app.UI{p.tables()}
}

// onlyTab is the panel that is shown, without the others.
func (p *detailPanels) onlyTab() app.UI {
	return app.Elem("section").Class("card tabs").Aria("label", p.s.lang.say(tabLabels[p.tab])).Body(
		app.Elem("div").Class("tabpanel").ID("panel-" + p.tab).TabIndex(0).Body(p.body()...))
}

// Render draws the tabs and the chosen panel.
func (t *tabs) Render() app.UI {
	return app.Elem("section").Class("card tabs").Aria("label", t.Lang.say("details")).Body(
		app.Elem("div").Class("tablist").Role("tablist").Body(
			app.Range(tabNames).Slice(func(i int) app.UI {
				return &tabButton{Lang: t.Lang, Name: tabNames[i], Selected: tabNames[i] == t.Selected}
			}),
		),
		app.Elem("div").Class("tabpanel").ID("panel-"+t.Selected).Role("tabpanel").TabIndex(0).Aria("labelledby", "tab-"+t.Selected).Body(t.Body...),
	)
}

// tabButton is one tab; the arrows go round among them.
type tabButton struct {
	app.Compo

	Lang     lang
	Name     string
	Selected bool
}

// Render draws the tab.
func (b *tabButton) Render() app.UI {
	index := -1
	if b.Selected {
		index = 0
	}
	return app.Elem("button").Class("tab").Attr("type", "button").Role("tab").ID("tab-"+b.Name).DataSet("act", "tab").DataSet("value", b.Name).
		Aria("selected", strconv.FormatBool(b.Selected)).Aria("controls", "panel-"+b.Name).TabIndex(index).
		OnClick(b.onClick).Text(b.Lang.say(tabLabels[b.Name]))
}

func (b *tabButton) onClick(ctx app.Context, _ app.Event) { ctx.NewActionWithValue(actTab, b.Name) }
