// Package details is the tabs at the lower right of the page: pods, nodes, the terminal, tables, events, decisions, work
// queues and the timeline.
package details

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/past"
)

var TabNames = [...]string{"pods", "nodes", "terminal", "tables", "events", "records", "queues", "timeline"}

// TabLabels are the keys of the tabs' names in the catalogue.
var TabLabels = map[string]lang.Message{"pods": "tab-pods", "nodes": "tab-nodes", "terminal": "tab-terminal", "tables": "tab-tables", "events": "tab-events",
	"records": "tab-records", "queues": "tab-queues", "timeline": "tab-timeline"}

// Panels are the tabs at the lower right, and what the person has chosen in them.
type Panels struct {
	s *session.Session

	Tab  string // the one that is shown
	Idle bool   // the list of decisions has reconciles that change nothing
	Pods podsShown

	terminal terminalShown
	snap     *past.Snapshot
	snapKey  snapKey
}

func New(s *session.Session) *Panels {
	d := &Panels{s: s, Tab: TabNames[0]}
	d.Pods.By = ByReplicaSet
	return d
}

// tabs is the lower right: one list or set of tables at a time.
type tabs struct {
	app.Compo

	Lang     lang.Lang
	Selected string
	Body     []app.UI // components
}

func (p *Panels) Tabs() app.UI {
	return &tabs{Lang: p.s.Lang(), Selected: p.Tab, Body: p.body()}
}

func (p *Panels) body() []app.UI {
	switch p.Tab {
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

// OnlyTab is the panel that is shown, without the others.
func (p *Panels) OnlyTab() app.UI {
	return app.Elem("section").Class("card tabs").Aria("label", p.s.Lang().Say(TabLabels[p.Tab])).Body(
		app.Elem("div").Class("tabpanel").ID("panel-" + p.Tab).TabIndex(0).Body(p.body()...))
}

// Render draws the tabs and the chosen panel.
func (t *tabs) Render() app.UI {
	return app.Elem("section").Class("card tabs").Aria("label", t.Lang.Say("details")).Body(
		app.Elem("div").Class("tablist").Role("tablist").Body(
			app.Range(TabNames).Slice(func(i int) app.UI {
				return &tabButton{Lang: t.Lang, Name: TabNames[i], Selected: TabNames[i] == t.Selected}
			}),
		),
		app.Elem("div").Class("tabpanel").ID("panel-"+t.Selected).Role("tabpanel").TabIndex(0).Aria("labelledby", "tab-"+t.Selected).Body(t.Body...),
	)
}

// tabButton is one tab; the arrows go round among them.
type tabButton struct {
	app.Compo

	Lang     lang.Lang
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
		OnClick(b.onClick).Text(b.Lang.Say(TabLabels[b.Name]))
}

func (b *tabButton) onClick(ctx app.Context, _ app.Event) { ctx.NewActionWithValue(act.Tab, b.Name) }
