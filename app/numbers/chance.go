package numbers

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
)

// seedsCount is how many seeds of a cell are measured.
const seedsCount = 100

// Vary measures the chosen cell with many seeds.
func (p *Panel) Vary() {
	c := p.Cell()
	if c == nil || !p.usable(c) {
		return
	}
	plan := *p.grid.Plan
	plan.Recording.Scenario = c.Text
	seeds, err := plan.NewSeeds(seedsCount)
	if err != nil {
		p.wrong = err.Error()
		return
	}
	seeds.Watch()
	p.seeds, p.about, p.drawn = seeds, p.title(c), 0
}

// varied says that all seeds are measured.
func (p *Panel) varied() bool { return p.seeds != nil && p.drawn == len(p.seeds.Outcomes) }

// FollowWorst opens the run of the worst seed, and closes the dialog.
func (p *Panel) FollowWorst() {
	if p.varied() {
		p.Close()
		p.s.OpenRun(p.seeds.Outcomes[p.seeds.Worst()].Recording)
	}
}

// chance is how the figures of a cell vary with the seed, in words.
type chance struct {
	Title, Failed string
	Done, Of      int
	Fan           string
	Worst         string
	Rows          []chanceRow
}

type chanceRow struct{ P5, P50, P95 string }

func (p *Panel) chance() chance {
	if p.seeds == nil {
		return chance{}
	}
	l := p.lang()
	out := chance{Title: l.Say("numbers-chance", seedsCount, p.about), Done: p.drawn, Of: seedsCount}
	if !p.varied() {
		return out
	}
	for i := range figures {
		f := &figures[i]
		x := p.seeds.SpreadOf(f.Of)
		out.Rows = append(out.Rows, chanceRow{f.text(x.P5), f.text(x.P50), f.text(x.P95)})
	}
	if n := p.seeds.Failed(); n > 0 {
		out.Failed = l.Say("numbers-failed", n)
	}
	out.Fan = fan(p.seeds.Fan(fanColumns))
	out.Worst = l.Say("numbers-worst-is", int(p.seeds.Seed(p.seeds.Worst())))
	return out
}

// The size of the fan chart, in units of its drawing.
const (
	fanColumns = 80
	fanWidth   = 320
	fanHeight  = 100
)

// fan draws the bands and the medians of total and available pods.
func fan(moments []sweep.Moment) string {
	most := int64(1)
	for i := range moments {
		most = max(most, moments[i].Total.P95)
	}
	total := func(m *sweep.Moment) *sweep.Spread { return &m.Total }
	available := func(m *sweep.Moment) *sweep.Spread { return &m.Available }
	var b strings.Builder
	b.WriteString(`<svg class="fan" viewBox="0 0 ` + strconv.Itoa(fanWidth) + " " + strconv.Itoa(fanHeight+2) + `" aria-hidden="true">`)
	for _, line := range []struct {
		class string
		of    func(*sweep.Moment) *sweep.Spread
	}{{"", total}, {"fan-good", available}} {
		upper := steps(moments, most, func(m *sweep.Moment) int64 { return line.of(m).P95 })
		lower := steps(moments, most, func(m *sweep.Moment) int64 { return line.of(m).P5 })
		middle := steps(moments, most, func(m *sweep.Moment) int64 { return line.of(m).P50 })
		b.WriteString(`<path class="fan-band ` + line.class + `" d="M` + strings.Join(upper, "L"))
		for i := len(lower) - 1; i >= 0; i-- {
			b.WriteString("L" + lower[i])
		}
		b.WriteString(`Z"/><path class="fan-line ` + line.class + `" d="M` + strings.Join(middle, "L") + `"/>`)
	}
	return b.String() + "</svg>"
}

// steps returns the corners of a line of steps.
func steps(moments []sweep.Moment, most int64, of func(*sweep.Moment) int64) (corners []string) {
	before := ""
	for i := range moments {
		x, y := strconv.Itoa(i*fanWidth/max(1, len(moments)-1)), strconv.FormatInt(1+fanHeight-of(&moments[i])*fanHeight/most, 10)
		if i > 0 && y != before {
			corners = append(corners, x+" "+before)
		}
		if i == 0 || y != before || i == len(moments)-1 {
			corners = append(corners, x+" "+y)
		}
		before = y
	}
	return corners
}

// chance draws the section.
func (d *dialog) chance() app.UI {
	c := &d.Chance
	return app.Elem("section").Class("numbers-chance").DataSet("act", "numbers-chance").DataSet("done", strconv.FormatBool(c.Done == c.Of)).Body(
		app.Elem("h3").Text(c.Title),
		app.If(c.Done < c.Of, func() app.UI {
			return app.Elem("progress").Attr("max", c.Of).Attr("value", c.Done).Aria("label", d.Lang.Say("numbers-progress", c.Done, c.Of))
		}),
		app.If(c.Fan != "", func() app.UI { return app.Elem("div").Body(app.Raw(c.Fan)) }),
		app.If(len(c.Rows) > 0, d.chanceTable),
		app.If(c.Fan != "", func() app.UI { return app.Elem("p").Text(d.Lang.Say("numbers-fan")) }),
		app.If(c.Failed != "", func() app.UI { return app.Elem("p").Text(c.Failed) }),
		app.If(c.Worst != "", func() app.UI {
			return &parts.Button{Act: "numbers-worst", Class: "button", Text: d.Lang.Say("numbers-worst"), Title: c.Worst, Do: act.NumbersDo, Value: "worst"}
		}),
	)
}

func (d *dialog) chanceTable() app.UI {
	rows := d.Chance.Rows
	return app.Elem("table").Body(
		app.Elem("thead").Body(app.Elem("tr").Body(app.Elem("td"), parts.Heading("p5"), parts.Heading("p50"), parts.Heading("p95"))),
		app.Elem("tbody").Body(app.Range(rows).Slice(func(i int) app.UI {
			return app.Elem("tr").Body(app.Elem("th").Attr("scope", "row").Text(d.Lang.Say(figures[i].name)),
				app.Elem("td").Text(rows[i].P5), app.Elem("td").Text(rows[i].P50), app.Elem("td").Text(rows[i].P95))
		})),
	)
}
