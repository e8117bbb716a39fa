package app

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

var tabNames = [...]string{"pods", "nodes", "terminal", "tables", "events", "records", "queues", "timeline"}

// tabLabels are the keys of the tabs' names in the catalogue.
var tabLabels = map[string]message{"pods": "tab-pods", "nodes": "tab-nodes", "terminal": "tab-terminal", "tables": "tab-tables", "events": "tab-events",
	"records": "tab-records", "queues": "tab-queues", "timeline": "tab-timeline"}

// tabs is the lower right: one list or set of tables at a time.
type tabs struct {
	app.Compo

	Lang     lang
	Selected string
	Body     []app.UI // components
}

func (p *page) tabsPanel() app.UI {
	t := &tabs{Lang: p.s.lang, Selected: p.tab}
	switch p.tab {
	case "pods":
		t.Body = []app.UI{p.podsPanel()}
	case "nodes":
		t.Body = []app.UI{p.nodesPanel()}
	case "terminal":
		t.Body = []app.UI{&terminalPanel{}}
	case "events":
		t.Body = []app.UI{p.eventsList()}
	case "records":
		t.Body = []app.UI{p.recordsList()}
	case "queues":
		t.Body = []app.UI{p.queuesPanel()}
	case "timeline":
		t.Body = []app.UI{p.timelineList(), p.forksList()}
	default:
		t.Body = []app.UI{p.tables()}
	}
	return t
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
