package numbers

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
)

// dialog draws the panel. Cells are written out before, so that go-app sees what has changed.
type dialog struct {
	app.Compo

	Lang    lang.Lang
	Open    bool
	Wrong   string // why nothing can be compared
	Axes    [2]string
	Names   []string // of the axes that the workload has
	Color   int
	Columns []string
	Rows    []string
	Cells   []cell
	Done    int
	Stopped bool
	Chosen  int
	Card    card
	Chance  chance
}

// cell is what one combination shows.
type cell struct {
	Text, Title    string
	Shade          int // -1: not measured yet, or nothing to compare
	Problem        bool
	Current, Front bool
}

// card is the chosen cell in words.
type card struct {
	Title   string
	Reason  string
	Figures []told
	Usable  bool
	Current bool
}

// Render returns the dialog.
func (p *Panel) Render() app.UI {
	d := &dialog{Lang: p.lang(), Open: p.open, Wrong: p.lang().Engine(p.wrong), Axes: p.axes, Names: p.axisNames(), Color: p.color, Stopped: p.stopped, Chosen: p.chosen}
	if !p.open || p.grid == nil {
		return d
	}
	d.Done = p.cells.done
	d.Columns, d.Rows = p.grid.X.Values, p.grid.Y.Values
	for i := range p.grid.Cells {
		d.Cells = append(d.Cells, p.cell(i))
	}
	d.Card, d.Chance = p.card(), p.chance()
	return d
}

func (p *Panel) cell(i int) cell {
	c := &p.grid.Cells[i]
	out := cell{Shade: -1, Current: c.Current, Title: p.title(c)}
	switch {
	case !p.cells.have[i]:
	case c.Problem != sweep.Fine:
		out.Problem, out.Text = true, p.lang().Say(problems[c.Problem])
		out.Title += ": " + p.lang().Engine(c.Reason)
	default:
		f := &figures[p.color]
		out.Text, out.Shade, out.Front = f.text(f.Of(&c.Rollout)), p.shade(i), c.Front
	}
	return out
}

// title names a cell by its settings.
func (p *Panel) title(c *sweep.Cell) string {
	return axisText(p.lang(), p.grid.X.Name) + " " + c.X + ", " + axisText(p.lang(), p.grid.Y.Name) + " " + c.Y
}

var problems = map[sweep.Problem]lang.Message{
	sweep.Invalid: "numbers-invalid", sweep.Quota: "numbers-quota", sweep.NoRoom: "numbers-no-room", sweep.Stalls: "numbers-stalls",
}

func (p *Panel) card() card {
	c := p.Cell()
	if c == nil {
		return card{}
	}
	out := card{Title: p.title(c), Reason: p.lang().Engine(c.Reason), Usable: p.usable(c), Current: c.Current}
	if c.Problem == sweep.Fine {
		out.Figures = tell(func(f *figure) (string, bool) { value := f.Of(&c.Rollout); return f.text(value), value == 0 })
	}
	return out
}

// Render draws the dialog, which stays closed and empty until somebody opens it.
func (d *dialog) Render() app.UI {
	return parts.Dialog(d.Lang, "numbers", "help numbers", "numbers-heading", app.If(d.Open, d.content)).On("close", parts.Post(act.NumbersClosed, nil))
}

func (d *dialog) content() app.UI {
	return app.Elem("div").Class("numbers-body").Body(
		app.Elem("p").Class("numbers-lead").Text(d.Lang.Say("numbers-lead")),
		app.Elem("div").Class("numbers-ways").Body(
			d.axisPicker(0, "numbers-columns"), d.axisPicker(1, "numbers-rows"), d.colorPicker(),
		),
		parts.When(d.Wrong != "", app.Elem("p").Class("notice bad").Text(d.Wrong)),
		app.If(len(d.Cells) > 0, d.heat),
		app.If(len(d.Cells) > 0, d.foot),
		app.If(d.Chance.Title != "", d.chance),
	)
}

func (d *dialog) axisPicker(i int, label lang.Message) app.UI {
	on := [...]app.EventHandler{d.onColumns, d.onRows}[i]
	return d.picker(label, on, parts.Options(d.Names, d.Axes[i], func(name string) string { return axisText(d.Lang, name) }))
}

func (d *dialog) colorPicker() app.UI {
	var names []string
	for i := range figures {
		names = append(names, strconv.Itoa(i))
	}
	return d.picker("numbers-show", d.onColor, parts.Options(names, strconv.Itoa(d.Color), func(i string) string {
		return d.Lang.Say(figures[slices.Index(names, i)].name)
	}))
}

func (d *dialog) picker(label lang.Message, on app.EventHandler, options app.UI) app.UI {
	return app.Elem("label").Class("numbers-way").Body(
		app.Elem("span").Text(d.Lang.Say(label)), app.Elem("select").DataSet("act", string(label)).OnChange(on).Body(options))
}

// heat is the table of all cells.
func (d *dialog) heat() app.UI {
	return app.Elem("div").Class("numbers-scroll").Body(
		app.Elem("table").Class("heat").Role("grid").DataSet("act", "heat").Aria("label", d.Lang.Say("numbers-heading")).OnKeyDown(d.onKey).Body(
			app.Elem("thead").Body(app.Elem("tr").Body(
				app.Elem("th").Attr("scope", "col").Class("corner").Text(axisText(d.Lang, d.Axes[1])+" ╲ "+axisText(d.Lang, d.Axes[0])),
				app.Range(d.Columns).Slice(func(i int) app.UI { return heading("col", d.Columns[i]) }),
			)),
			app.Elem("tbody").Body(app.Range(d.Rows).Slice(func(row int) app.UI {
				return app.Elem("tr").Body(
					heading("row", d.Rows[row]),
					app.Range(d.Columns).Slice(func(column int) app.UI { return d.cell(row*len(d.Columns) + column) }),
				)
			})),
		),
	)
}

// heading writes 3 (25%, 30%): what means the same is smaller, and on a phone below.
func heading(scope, value string) app.UI {
	first, same, _ := strings.Cut(value, " ")
	return app.Elem("th").Attr("scope", scope).Body(app.Elem("span").Text(first), app.Elem("span").Class("same").Text(same))
}

func (d *dialog) cell(i int) app.UI {
	c := &d.Cells[i]
	class := "heat-cell"
	switch {
	case c.Problem:
		class += " impossible"
	case c.Shade >= 0:
		class += " shade-" + strconv.Itoa(c.Shade)
	}
	if c.Current {
		class += " current"
	}
	if c.Front {
		class += " front"
	}
	return app.Elem("td").Role("gridcell").Aria("selected", strconv.FormatBool(i == d.Chosen)).Body(
		&parts.Button{Act: "cell-" + strconv.Itoa(i), Class: class, Text: c.Text, Title: c.Title, Label: c.Title + " " + c.Text, Attributes: parts.Attributes{Focus: parts.FocusOf(i == d.Chosen)},
			Do: act.NumbersCell, Value: i, Data: "cell"})
}

// foot has the chosen cell, what the marks mean, and how far the measuring is.
func (d *dialog) foot() app.UI {
	return app.Elem("div").Class("numbers-foot").Body(
		app.Elem("div").Class("numbers-key").Body(
			d.key("heat-cell current", "numbers-current"), d.key("heat-cell front", "numbers-front"), d.key("heat-cell impossible", "numbers-impossible"),
			d.progress("numbers-progress", d.Done, len(d.Cells)),
		),
		app.Elem("section").Class("numbers-card").DataSet("act", "numbers-card").Aria("live", "polite").Body(d.card()...),
	)
}

// key says what a mark means.
func (d *dialog) key(class string, means lang.Message) app.UI {
	return app.Elem("span").Body(app.Elem("span").Class(class).Aria("hidden", "true"), app.Elem("span").Text(d.Lang.Say(means)))
}

// progress says how many runs are measured, with a button that stops and continues. It keeps its place when nothing is left.
func (d *dialog) progress(name string, done, all int) app.UI {
	text, button := lang.Message("numbers-progress"), lang.Message("stop")
	if d.Stopped {
		text, button = "numbers-stopped", "lesson-continue"
	}
	return app.Elem("div").Class("numbers-progress").DataSet("act", name).DataSet("done", strconv.FormatBool(done == all)).Body(
		app.Elem("progress").Attr("max", all).Attr("value", done).Aria("label", d.Lang.Say(text, done, all)),
		app.Elem("span").Text(d.Lang.Say(text, done, all)),
		&parts.Button{Act: name + "-stop", Class: "button", Text: d.Lang.Say(button), Off: done == all, Do: act.NumbersDo, Value: "stop"},
	)
}

func (d *dialog) card() []app.UI {
	c := &d.Card
	if c.Title == "" {
		return nil
	}
	all := []app.UI{app.Elem("h3").Text(c.Title)}
	if c.Reason != "" {
		all = append(all, app.Elem("p").Class("numbers-reason").Text(c.Reason))
	}
	all = append(all, d.figures(c.Figures))
	if c.Usable {
		all = append(all, app.Elem("div").Class("numbers-acts").Body(
			&parts.Button{Act: "numbers-follow", Class: "button", Text: d.Lang.Say("numbers-follow"), Title: d.Lang.Say("numbers-follow-is"), Do: act.NumbersDo, Value: "follow"},
			&parts.Button{Act: "numbers-use", Class: "button primary", Text: d.Lang.Say("numbers-use"), Title: d.Lang.Say("numbers-use-is"), Off: c.Current, Do: act.NumbersDo, Value: "use"},
			&parts.Button{Act: "numbers-seeds", Class: "button", Text: d.Lang.Say("numbers-seeds"), Title: d.Lang.Say("numbers-seeds-is"), Do: act.NumbersDo, Value: "seeds"},
		))
	}
	return all
}

// figures lists them.
func (d *dialog) figures(list []told) app.UI {
	return app.Elem("dl").Body(app.Range(list).Slice(func(i int) app.UI {
		return parts.Definition(app.Text(d.Lang.Say(list[i].Name)), list[i].Text)
	}))
}

// onKey moves through the cells as through a table.
func (d *dialog) onKey(ctx app.Context, e app.Event) {
	n, at := len(d.Columns), d.Chosen
	by, ok := map[string]int{
		"ArrowLeft": -1, "ArrowRight": 1, "ArrowUp": -n, "ArrowDown": n, "Home": -(at % n), "End": n - 1 - at%n,
	}[e.Get("key").String()]
	if !ok {
		return
	}
	e.PreventDefault()
	if to := at + by; to >= 0 && to < len(d.Cells) && to != at {
		ctx.NewActionWithValue(act.NumbersCell, to)
	}
}

func (d *dialog) onColumns(ctx app.Context, _ app.Event) { d.setAxis(ctx, 0) }
func (d *dialog) onRows(ctx app.Context, _ app.Event)    { d.setAxis(ctx, 1) }

func (d *dialog) setAxis(ctx app.Context, i int) {
	ctx.NewActionWithValue(act.NumbersAxis, act.Axis{Index: i, Name: browser.InputValue(ctx)})
}

func (d *dialog) onColor(ctx app.Context, _ app.Event) {
	if i, err := strconv.Atoi(browser.InputValue(ctx)); err == nil {
		ctx.NewActionWithValue(act.NumbersColor, i)
	}
}
