// Package parts is what several regions of the page are made of: icons, buttons and rows of tables.
package parts

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
)

// Tool is a button with an icon for what a key can do.
func Tool(name, glyph, title string) *Button {
	return &Button{Act: name, Class: "tool", Glyph: glyph, Title: title, Do: act.Key, Value: name}
}

// Check is a box that posts whether it is checked.
type Check struct {
	app.Compo

	Act, Class, Text, Title string
	On, Off                 bool // checked, disabled
	Do                      string
}

// Render draws the box with its label.
func (c *Check) Render() app.UI {
	return app.Elem("label").Class(c.Class).Title(c.Title).Body(
		app.ElemSelfClosing("input").Attr("type", "checkbox").DataSet("act", c.Act).Attr("checked", c.On).Attr("disabled", c.Off).OnChange(c.onChange),
		app.Elem("span").Text(c.Text),
	)
}

func (c *Check) onChange(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(c.Do, ctx.JSSrc().Get("checked").Bool())
}

// When is an element under a condition.
func When(ok bool, ui app.UI) app.UI {
	if ok {
		return ui
	}
	return nil
}

// Shown is an element under a condition. Without it a hidden one stands there, so that its neighbours stay in place.
func Shown(ok bool, tag string, draw func() app.UI) app.UI {
	if ok {
		return draw()
	}
	return app.Elem(tag).Hidden(true)
}

// Marked adds a class, or another name, to those of an element under a condition.
func Marked(names, more string, ok bool) string {
	if ok {
		return names + " " + more
	}
	return names
}

// Rating is the class of what is bad, of what is legal although it is not good, and of what is good.
func Rating(bad, legal bool) string {
	switch {
	case bad:
		return "bad"
	case legal:
		return "legal"
	}
	return "good"
}

// Each is an element for each entry of a list.
func Each[T any](list []T, draw func(entry T) app.UI) app.UI {
	return app.Range(list).Slice(func(i int) app.UI { return draw(list[i]) })
}

// EachOf is the same for entries that are not copied.
func EachOf[T any](list []T, draw func(entry *T) app.UI) app.UI {
	return app.Range(list).Slice(func(i int) app.UI { return draw(&list[i]) })
}

// Card is a region of the stage with its name.
func Card(class, name string) app.HTMLElem {
	return app.Elem("section").Class("card "+class).Aria("label", name)
}

// Post is a handler that posts an action whose value never changes.
func Post(do string, value any) app.EventHandler {
	return func(ctx app.Context, _ app.Event) { ctx.NewActionWithValue(do, value) }
}

// Flushed is a handler that posts an action once the page has the editor's text.
func Flushed(do string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) {
		browser.FlushEditor()
		ctx.NewAction(do)
	}
}

// Entered is a handler of a field that posts its text.
func Entered(do string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) { ctx.NewActionWithValue(do, browser.InputValue(ctx)) }
}

// EnteredNumber is a handler of a field that posts its number, and nothing while it has none.
func EnteredNumber(do string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) {
		if n, err := strconv.Atoi(browser.InputValue(ctx)); err == nil {
			ctx.NewActionWithValue(do, n)
		}
	}
}

// Toggled is a handler of a details element that posts whether it is open.
func Toggled(do string) app.EventHandler {
	return func(ctx app.Context, _ app.Event) { ctx.NewActionWithValue(do, ctx.JSSrc().Get("open").Bool()) }
}

// Dialog is a dialog with a heading and a button that closes it.
func Dialog(l lang.Lang, id, class string, title lang.Message, body ...app.UI) app.HTMLElem {
	head := app.Elem("div").Class("help-head").Body(
		app.Elem("h2").ID(id+"-title").Text(l.Say(title)),
		Close(l, id+"-close", "close-esc", func(app.Context, app.Event) { browser.CloseDialog(id) }),
	)
	return app.Elem("dialog").ID(id).Class(class).DataSet("act", id+"-dialog").Aria("labelledby", id+"-title").
		Body(append([]app.UI{head}, body...)...)
}

// Menu is a button that opens a box.
func Menu(class, act string, summary app.UI, box ...app.UI) app.HTMLElem {
	return app.Elem("details").Class(class).DataSet("act", act).Body(summary, app.Elem("div").Class("menu-box").Body(box...))
}

// Options are the options of a select, with a text for each value.
func Options[T ~string](values []T, chosen T, text func(value T) string) app.UI {
	return Each(values, func(v T) app.UI {
		return app.Elem("option").Attr("value", string(v)).Attr("selected", v == chosen).Text(text(v))
	})
}

// Leave is a link to another page of the site.
func Leave(class, act, path, text string) app.HTMLElem {
	return app.Elem("a").Class(class).DataSet("act", act).DataSet("leave", true).Attr("href", path).Text(text)
}

// Title is the heading of a region whose look says what it is.
func Title(text string) app.UI { return app.Elem("h2").Class("sr-only").Text(text) }

// Close closes a dialog or a panel.
func Close(l lang.Lang, act string, title lang.Message, do app.EventHandler) app.UI {
	return app.Elem("button").Class("tool").Attr("type", "button").DataSet("act", act).Title(l.Say(title)).Aria("label", l.Say("close")).
		OnClick(do).Body(Icon("close"))
}

// Handler carries out an action with its value. It returns whether the page must follow: save, compute and draw again.
type Handler func(ctx app.Context, value any) (changed bool)

// Handlers are the actions of a region, by name. The page registers them.
type Handlers map[string]Handler

// Changed makes a Handler of a change that the page always follows.
func Changed[T any](do func(value T)) Handler {
	return func(_ app.Context, value any) bool {
		v, _ := value.(T)
		do(v)
		return true
	}
}

// Paths of other pages, seen from the playground.
const (
	FidelityPath = "fidelity/"    // the list of rules, which is in English
	LicensesPath = "licenses.txt" // the licences of everything that the page contains
	ResetPath    = "?reset"       // the page as on a first visit; boot.js clears the storage before the program starts
)

// GalleryPath is the page of all scenarios in a language.
func GalleryPath(l lang.Lang) string {
	if l == lang.English {
		return "scenarios/"
	}
	return "scenarios/" + string(l) + "/"
}

// Host is a box whose content belongs to JavaScript, which knows by its name what to put there.
type Host struct {
	app.Compo

	Class, Act, Role, Label string
}

// OnMount hands the empty box over.
func (h *Host) OnMount(ctx app.Context) { browser.Mount(h.Act, ctx.JSSrc(), lang.PodStates()) }

// Render draws the box.
func (h *Host) Render() app.UI {
	return app.Elem("div").Class(h.Class).DataSet("act", h.Act).Role(h.Role).Aria("label", h.Label)
}

// Edge is the movable edge of a pane. JavaScript moves it, and says where it is; see web/src/panes.js.
type Edge struct {
	app.Compo

	Lang  lang.Lang
	Name  string
	Label lang.Message
}

// Render draws the separator.
func (e *Edge) Render() app.UI {
	orientation, controls := "vertical", "pane-"+e.Name
	if e.Name == "tabs" {
		orientation, controls = "horizontal", "stage"
	}
	return app.Elem("div").Class("pane-edge").Role("separator").TabIndex(0).DataSet("act", "size-"+e.Name).DataSet("edge", e.Name).
		Aria("orientation", orientation).Aria("label", e.Lang.Say(e.Label)).Aria("controls", controls).Title(e.Lang.Say("size-is"))
}

// Maximize is the button that gives a pane all the room there is, or the size that it had. JavaScript listens to it, as to the edge.
func Maximize(l lang.Lang, pane string) app.UI {
	return app.Elem("button").Class("tool pane-max").Attr("type", "button").DataSet("act", "max-"+pane).DataSet("max", pane).
		Title(l.Say("size-max")).Aria("label", l.Say("size-max")).Body(Icon("maximize"))
}

// Table is a table with columns and rows of cells. Most have no caption. The caller sets the class and the name.
func Table(caption app.UI, columns []string, rows ...app.UI) app.HTMLElem {
	return app.Elem("table").Body(
		caption,
		app.Elem("thead").Body(app.Elem("tr").Body(Each(columns, Heading))),
		app.Elem("tbody").Body(rows...),
	)
}

// Heading is the head of a column.
func Heading(text string) app.UI { return app.Elem("th").Attr("scope", "col").Text(text) }

// Row is a row of a table, as plain strings: go-app compares each in each frame. A row of an object begins with a button, which covers it
// and leads to the last write of the object.
type Row struct {
	app.Compo

	Cells   string // with tabs between them
	Current bool

	Lang                lang.Lang
	Class, Name, Object string // the object as kind/namespace/name
}

// RowOf is a row of cells.
func RowOf(cells ...string) *Row { return &Row{Cells: strings.Join(cells, "\t")} }

// Render draws the cells.
func (r *Row) Render() app.UI {
	row, cells := app.Elem("tr"), Each(strings.Split(r.Cells, "\t"), func(text string) app.UI { return app.Elem("td").Text(text) })
	if r.Current {
		row = row.Aria("current", "true")
	}
	if r.Object == "" {
		return row.Body(cells)
	}
	return row.Class(r.Class).DataSet("name", r.Name).Body(app.Elem("td").Body(&Button{Act: "table-row", Class: "row-link", Text: r.Name,
		Title: r.Lang.Say("last-write", r.Name), Do: act.Object, Value: r.Object}), cells)
}

// Definition is a term of a definition list with its meaning.
func Definition(term app.UI, meaning string) app.UI {
	return app.Elem("div").Body(app.Elem("dt").Body(term), app.Elem("dd").Text(meaning))
}
