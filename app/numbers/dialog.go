package numbers

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/words"
)

// title names a cell by its settings.
func (p *Panel) title(c *sweep.Cell) string {
	return axisText(p.lang(), p.grid.X.Name) + " " + c.X + ", " + axisText(p.lang(), p.grid.Y.Name) + " " + c.Y
}

var problems = map[sweep.Problem]lang.Message{
	sweep.Invalid: "numbers-invalid", sweep.Quota: "numbers-quota", sweep.NoRoom: "numbers-no-room", sweep.Stalls: "numbers-stalls",
	sweep.Late: "numbers-late", sweep.Unknown: "numbers-unknown",
}

// Render draws the dialog, which stays closed and empty until somebody opens it.
func (p *Panel) Render() app.UI {
	return parts.Dialog(p.lang(), "numbers", "help numbers", "numbers-heading", app.If(p.open, p.content)).On("close", parts.Post(act.NumbersClosed, nil))
}

func (p *Panel) content() app.UI {
	measuring := p.grid != nil
	return app.Elem("div").Class("numbers-body").Body(
		app.Elem("p").Class("numbers-lead").Text(p.lang().Say("numbers-lead")),
		app.Elem("div").Class("numbers-ways").Body(p.axisPicker(0, "numbers-columns"), p.axisPicker(1, "numbers-rows"), p.colorPicker()),
		parts.When(p.wrong != "", app.Elem("p").Class("notice bad").Text(p.lang().Engine(p.wrong))),
		p.answer(),
		app.If(measuring && len(p.grid.Cells) > 0, p.heat),
		app.If(measuring && len(p.grid.Cells) > 0, p.foot),
		app.If(measuring && p.seeds != nil, p.chanceView),
	)
}

func (p *Panel) axisPicker(i int, label lang.Message) app.UI {
	on := func(ctx app.Context, _ app.Event) {
		ctx.NewActionWithValue(act.NumbersAxis, act.Axis{Index: i, Name: browser.InputValue(ctx)})
	}
	return p.picker(label, on, parts.Options(p.axisNames(), p.axes[i], func(name string) string { return axisText(p.lang(), name) }))
}

func (p *Panel) colorPicker() app.UI {
	var names []string
	for i := range figures {
		if p.shows(i) {
			names = append(names, strconv.Itoa(i))
		}
	}
	return p.picker("numbers-show", parts.EnteredNumber(act.NumbersColor), parts.Options(names, strconv.Itoa(p.color), func(i string) string {
		n, _ := strconv.Atoi(i)
		return p.lang().Say(figures[n].name)
	}))
}

func (p *Panel) picker(label lang.Message, on app.EventHandler, options app.UI) app.UI {
	return app.Elem("label").Class("numbers-way").Body(
		app.Elem("span").Text(p.lang().Say(label)), app.Elem("select").DataSet("act", string(label)).OnChange(on).Body(options))
}

func (p *Panel) heat() app.UI {
	return app.Elem("div").Class("numbers-scroll").Body(
		app.Elem("table").Class("heat").Role("grid").DataSet("act", "heat").Aria("label", p.lang().Say("numbers-heading")).OnKeyDown(p.onKey).Body(
			app.Elem("thead").Body(app.Elem("tr").Body(
				app.Elem("th").Attr("scope", "col").Class("corner").Text(axisText(p.lang(), p.axes[1])+" ╲ "+axisText(p.lang(), p.axes[0])),
				parts.Each(p.grid.X.Values, func(value string) app.UI { return heading("col", value) }),
			)),
			app.Elem("tbody").Body(app.Range(p.grid.Y.Values).Slice(func(row int) app.UI {
				return app.Elem("tr").Body(
					heading("row", p.grid.Y.Values[row]),
					app.Range(p.grid.X.Values).Slice(func(column int) app.UI { return p.cell(row*len(p.grid.X.Values) + column) }),
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

func (p *Panel) cell(i int) app.UI {
	class, title, text := p.shown(i)
	return app.Elem("td").Role("gridcell").Aria("selected", strconv.FormatBool(i == p.chosen)).Body(
		&parts.Button{Act: "cell-" + strconv.Itoa(i), Class: class, Text: text, Title: title, Label: title + " " + text,
			Attributes: parts.Attributes{Focus: parts.FocusOf(i == p.chosen)},
			Do:         act.NumbersCell, Value: i, Data: "cell"})
}

// shown is what a combination shows: its marks, its settings with what is wrong with them, and its figure.
func (p *Panel) shown(i int) (class, title, text string) {
	c := &p.grid.Cells[i]
	class, title = "heat-cell", p.title(c)
	switch measured := p.cells.have[i]; {
	case measured && c.Problem != sweep.Fine:
		class, text = class+" impossible", p.lang().Say(problems[c.Problem])
		title += ": " + p.lang().Engine(c.Reason)
	case measured:
		f := &figures[p.color]
		class, text = class+" shade-"+strconv.Itoa(p.shade(i)), f.text(f.Of(&c.Rollout))
		if p.color == lowest || p.color == failed { // equally safe ones differ in their time
			text += " · " + figures[duration].text(c.Rollout.Duration())
		}
	}
	best := p.best()
	front := p.cells.have[i] && slices.Contains(best[:min(len(best), marked)], i)
	return parts.Marked(parts.Marked(class, "current", c.Current), "front", front), title, text
}

// foot has the chosen cell, what the marks mean, and how far the measuring is.
func (p *Panel) foot() app.UI {
	return app.Elem("div").Class("numbers-foot").Body(
		app.Elem("div").Class("numbers-key").Body(
			p.key("heat-cell current", "numbers-current"), p.key("heat-cell front", "numbers-front"), p.key("heat-cell impossible", "numbers-impossible"),
			p.progress("numbers-progress", p.cells.done, len(p.grid.Cells)),
		),
		app.Elem("section").Class("numbers-card").DataSet("act", "numbers-card").Aria("live", "polite").Body(p.cardView()...),
	)
}

// key says what a mark means.
func (p *Panel) key(class string, means lang.Message) app.UI {
	return app.Elem("span").Body(app.Elem("span").Class(class).Aria("hidden", "true"), app.Elem("span").Text(p.lang().Say(means)))
}

// progress says how many runs are measured, with a button that stops and continues. It keeps its place when nothing is left.
func (p *Panel) progress(name string, done, all int) app.UI {
	text, button := lang.Message("numbers-progress"), lang.Message("stop")
	if p.stopped {
		text, button = "numbers-stopped", "lesson-continue"
	}
	return app.Elem("div").Class("numbers-progress").DataSet("act", name).DataSet("done", strconv.FormatBool(done == all)).Body(
		app.Elem("progress").Attr("max", all).Attr("value", done).Aria("label", p.lang().Say(text, done, all)),
		app.Elem("span").Text(p.lang().Say(text, done, all)),
		&parts.Button{Act: name + "-stop", Class: "button", Text: p.lang().Say(button), Off: done == all, Do: act.NumbersDo, Value: "stop"},
	)
}

// cardView is the chosen cell in words, with what is assumed of requests.
func (p *Panel) cardView() []app.UI {
	c := p.Cell()
	if c == nil {
		return nil
	}
	all := []app.UI{app.Elem("h3").Text(p.title(c))}
	if c.Reason != "" {
		all = append(all, app.Elem("p").Class("numbers-reason").Text(p.lang().Engine(c.Reason)))
	}
	if c.Problem == sweep.Fine {
		all = append(all, p.figures(p.cellFigures(c)))
		if model := c.Rollout.Requests.Model; model != "" {
			all = append(all, app.Elem("p").Class("numbers-model").Text(p.lang().Engine(model)))
		}
	}
	if p.usable() != nil {
		all = append(all, app.Elem("div").Class("numbers-acts").Body(
			&parts.Button{Act: "numbers-follow", Class: "button", Text: p.lang().Say("numbers-follow"), Title: p.lang().Say("numbers-follow-is"), Do: act.NumbersDo, Value: "follow"},
			&parts.Button{Act: "numbers-use", Class: "button", Text: p.lang().Say("numbers-use"), Title: p.lang().Say("numbers-use-is"), Off: c.Current, Do: act.NumbersDo, Value: "use"},
			&parts.Button{Act: "numbers-seeds", Class: "button", Text: p.lang().Say("numbers-seeds"), Title: p.lang().Say("numbers-seeds-is"), Do: act.NumbersDo, Value: "seeds"},
		))
	}
	return all
}

func (p *Panel) cellFigures(c *sweep.Cell) []told {
	return p.tell(func(f *figure) (string, bool) { value := f.Of(&c.Rollout); return f.text(value), value == 0 })
}

func (p *Panel) figures(list []told) app.UI {
	return app.Elem("dl").Body(parts.Each(list, func(t told) app.UI {
		return parts.Definition(app.Text(p.lang().Say(t.Name)), t.Text)
	}))
}

// onKey moves through the cells as through a table.
func (p *Panel) onKey(ctx app.Context, e app.Event) {
	n, at := len(p.grid.X.Values), p.chosen
	by, ok := map[string]int{
		"ArrowLeft": -1, "ArrowRight": 1, "ArrowUp": -n, "ArrowDown": n, "Home": -(at % n), "End": n - 1 - at%n,
	}[e.Get("key").String()]
	if !ok {
		return
	}
	e.PreventDefault()
	if to := at + by; to >= 0 && to < len(p.grid.Cells) && to != at {
		ctx.NewActionWithValue(act.NumbersCell, to)
	}
}

// marked is how many of the best cells have a mark: more would say nothing.
const marked = 5

// best lists the cells of the front, none without pods: those with the fewest failed requests first, then the safest, then the fastest, then those with the fewest pods.
func (p *Panel) best() (list []int) {
	for i := range p.grid.Cells {
		if c := &p.grid.Cells[i]; c.Front && c.Rollout.PeakPods > 0 {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		x, y := &p.grid.Cells[a].Rollout, &p.grid.Cells[b].Rollout
		return cmp.Or(cmp.Compare(x.Requests.Rough(), y.Requests.Rough()), y.LowestPercent()-x.LowestPercent(), cmp.Compare(tenths(x.Duration()), tenths(y.Duration())), x.PeakPods-y.PeakPods)
	})
	return list
}

// tenths is what a person reads of a duration.
func tenths(ms int64) int64 { return (ms + 50) / 100 }

// advice is the safest cell that takes no longer than the present settings, or of all if those do not complete; -1 while that is not known.
func (p *Panel) advice() int {
	if p.grid == nil || !p.ranked {
		return -1
	}
	list := p.best()
	if now := p.current(); now >= 0 && p.completes(now) {
		most := tenths(p.grid.Cells[now].Rollout.Duration())
		list = slices.DeleteFunc(list, func(i int) bool { return tenths(p.grid.Cells[i].Rollout.Duration()) > most })
	}
	if len(list) == 0 {
		return -1
	}
	return list[0]
}

func (p *Panel) completes(i int) bool {
	c := &p.grid.Cells[i]
	return c.Problem == sweep.Fine && c.Rollout.Result == forecast.Complete
}

// answer says in a sentence which settings to use, and a button does so.
func (p *Panel) answer() app.UI {
	i := p.advice()
	if i < 0 {
		return app.Elem("p").Class("numbers-answer").Hidden(true)
	}
	c, text := &p.grid.Cells[i], lang.Message("numbers-answer")
	if now := p.current(); now < 0 || !p.completes(now) {
		text = "numbers-answer-all"
	} else if c.Current {
		text = "numbers-answer-now"
	}
	took, short := figures[duration].text(c.Rollout.Duration()), sweep.Cell{X: first(c.X), Y: first(c.Y)}
	loses := p.lang().Say("numbers-never-below", c.Rollout.Lowest)
	if c.Rollout.Lowest == 0 {
		loses = p.lang().Say("numbers-outage") + " " + figures[outage].text(figures[outage].Of(&c.Rollout))
	}
	if r := &c.Rollout.Requests; r.All > 0 {
		loses = p.lang().Say("numbers-fail", words.Thousands(int(r.Failed)), words.Thousands(int(r.All)))
	}
	return app.Elem("p").Class("numbers-answer").Hidden(false).DataSet("act", "numbers-answer").Role("status").Body(
		app.Elem("span").Text(p.lang().Say(text, p.title(&short), took, loses)),
		parts.When(!c.Current, &parts.Button{Act: "numbers-use-it", Class: "button primary", Text: p.lang().Say("numbers-use-it"),
			Title: p.lang().Say("numbers-use-is"), Do: act.NumbersDo, Value: "use-it"}))
}

// first is one of the values that mean the same: 3 of "3 (25%, 30%)".
func first(values string) string {
	values, _, _ = strings.Cut(values, " ")
	return values
}

// UseIt takes over the settings that the answer names.
func (p *Panel) UseIt() {
	if i := p.advice(); i >= 0 {
		p.Choose(i)
		p.Use()
	}
}
