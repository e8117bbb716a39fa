package document

import (
	"cmp"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/drafts"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/scenarios"
)

// Menu says what is shown, and leads to everything else: the drafts, the lessons, a file, an empty text.
type Menu struct {
	app.Compo

	View View

	open bool
}

// View is what the menu shows.
type View struct {
	Lang    lang.Lang
	Title   string
	Preset  string
	Learned string // names of mastered lessons
	Draft   string // the id of what is shown, "" if it is no draft
	Name    string // of the draft
	Drafts  []drafts.Head
	Now     int64
	Removed string // name of the draft that was removed last
	Forgets bool   // the browser keeps nothing
}

// View is the menu of the document, with the names of the mastered lessons.
func (p *Panel) View(learned string) View {
	m := View{Lang: p.s.Lang(), Title: p.title(), Draft: p.s.Draft.ID(), Name: p.name(), Drafts: p.Drafts, Now: p.Now, Forgets: browser.Forgets(),
		Learned: learned}
	if m.Draft == "" {
		m.Preset = p.s.Document.Preset
	}
	if p.removed != nil {
		m.Removed = cmp.Or(p.removed.Head.Name, m.Lang.Say("draft-earlier"))
	}
	return m
}

// Render draws the title; the lists are only there while the menu is open.
func (m *Menu) Render() app.UI {
	return app.Elem("details").Class("menu title-menu").DataSet("act", "scenario").DataSet("value", m.View.Preset).On("toggle", m.onToggle).Body(
		app.Elem("summary").Title(m.View.Title).Body(
			app.Elem("span").Class("sr-only").Text(m.View.Lang.Say("title-menu")),
			app.Elem("span").Class("title").DataSet("act", "title").Text(m.View.Title),
		),
		app.If(m.open, m.Box),
	)
}

// Box is the content of the open menu.
func (m *Menu) Box() app.UI {
	return app.Elem("div").Class("menu-box").DataSet("act", "title-box").Body(
		app.Elem("div").Class("title-ways").Body(
			&parts.Button{Act: "new", Class: "button", Text: m.View.Lang.Say("draft-new"), Do: act.New, Value: ""},
			app.Elem("label").Class("button file").Body(
				app.Text(m.View.Lang.Say("file-open")),
				app.ElemSelfClosing("input").Class("sr-only").Attr("type", "file").Attr("multiple", true).Attr("accept", ".yaml,.yml,.json,text/*").DataSet("act", "file"),
			),
			parts.Shown(m.View.Draft != "", "span", m.rename),
		),
		app.Elem("h2").Text(m.View.Lang.Say("recent")),
		app.Elem("p").Class("menu-note").Hidden(!m.View.Forgets).Text(m.View.Lang.Say("draft-forgets")),
		app.Elem("p").Class("menu-note").Hidden(m.View.Forgets || len(m.View.Drafts) > 0).Text(m.View.Lang.Say("recent-none")),
		parts.Shown(m.View.Removed != "", "p", m.removed),
		app.Elem("ul").DataSet("act", "recent").Body(parts.EachOf(m.View.Drafts, m.row)),
		app.Elem("h2").Text(m.View.Lang.Say("lessons")),
		app.Elem("div").Class("title-lessons").Body(m.chapters()...),
	)
}

// rename changes the name of the draft that is shown.
func (m *Menu) rename() app.UI {
	return app.Elem("label").Class("draft-name").Hidden(false).Body(
		app.Elem("span").Text(m.View.Lang.Say("draft-name")),
		app.ElemSelfClosing("input").Attr("type", "text").Attr("maxlength", 80).DataSet("act", "draft-name").Attr("value", m.View.Name).Spellcheck(false).OnChange(parts.Entered(act.DraftRename)),
	)
}

func (m *Menu) removed() app.UI {
	return app.Elem("p").Class("draft-removed").Hidden(false).Role("status").Body(
		app.Elem("span").Text(m.View.Lang.Say("draft-removed", m.View.Removed)),
		&parts.Button{Act: "draft-undo", Class: "button", Text: m.View.Lang.Say("draft-undo"), Do: act.DraftUndo, Value: ""},
	)
}

func (m *Menu) row(h *drafts.Head) app.UI {
	name := cmp.Or(h.Name, m.View.Lang.Say("draft-earlier"))
	return app.Elem("li").Class("draft").Body(
		&parts.Button{Act: "draft", Class: "menu-item", Attributes: parts.Attributes{Current: h.ID == m.View.Draft}, Do: act.Draft, Value: h.ID, Data: "value", Spans: []parts.Span{
			{Class: "curve-box", Picture: curve(h.Curve)}, {Class: "draft-title", Text: name}, {Class: "draft-ago", Text: Ago(m.View.Lang, m.View.Now, h.At)},
		}},
		&parts.Button{Act: "draft-delete", Class: "tool", Glyph: "close", Title: m.View.Lang.Say("draft-delete", name), Do: act.DraftDelete, Value: h.ID, Data: "value"},
	)
}

// chapters are the lessons in the parts of the path, with a tick at those that are mastered.
func (m *Menu) chapters() (all []app.UI) {
	learned := strings.Fields(m.View.Learned)
	for _, c := range scenarios.Chapters() {
		all = append(all, app.Elem("h3").Text(m.View.Lang.Say(lang.Message("chapter-"+c.ID))),
			app.Elem("ul").Body(parts.Each(c.Lessons, func(name string) app.UI { return m.lesson(name, slices.Contains(learned, name)) })))
	}
	return all
}

func (m *Menu) lesson(name string, learned bool) app.UI {
	class, title := parts.Marked("menu-item", "current", name == m.View.Preset), gallery.Title(m.View.Lang, name)
	if learned {
		title = "✓ " + title
	}
	return app.Elem("li").Body(&parts.Button{Act: "lesson-open", Class: class, Text: title, Do: act.Scenario, Value: name, Data: "value"})
}

func (m *Menu) onToggle(ctx app.Context, e app.Event) {
	m.open = e.Get("target").Get("open").Bool()
	if m.open {
		ctx.NewAction(act.Recent)
	}
}

// curve is the picture of a draft. What is kept may be damaged, and only a path is drawn.
func curve(paths string) string {
	total, available, ok := strings.Cut(paths, "|")
	if !ok || !isPath(total) || !isPath(available) {
		total, available = "M0 15", "M0 15"
	}
	return `<svg class="curve" viewBox="0 0 48 16" aria-hidden="true"><path class="curve-total" d="` + total + `"/><path class="curve-available" d="` + available + `"/></svg>`
}

func isPath(d string) bool { return strings.Trim(d, "MHV 0123456789") == "" }

// Ago is how long ago something was, in one unit.
func Ago(l lang.Lang, now, then int64) string {
	const minute = 60_000
	switch d := (now - then) / minute; {
	case then == 0:
		return ""
	case d < 1:
		return l.Say("ago-now")
	case d < 60:
		return l.Say("ago-minutes", d)
	case d < 60*24:
		return l.Say("ago-hours", d/60)
	default:
		return l.Count(int(d/60/24), "ago-day", "ago-days")
	}
}
