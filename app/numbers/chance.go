package numbers

import (
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/chart"
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
	p.seeds, p.about, p.draws = seeds, p.title(c), p.newWork(seeds, seedsCount)
	if p.stopped {
		p.Stop()
	}
	p.handOver()
}

// varied says that all seeds are measured.
func (p *Panel) varied() bool { return p.draws != nil && p.draws.whole() }

// FollowWorst opens the run of the worst seed, and closes the dialog.
func (p *Panel) FollowWorst() {
	if p.varied() {
		p.Close()
		p.s.OpenRun(p.seeds.Outcomes[p.seeds.Worst()].Recording)
	}
}

// chance is how the figures of a cell vary with the seed, in words.
type chance struct {
	Title, Note string
	Done        int
	Fan         string
	Most, End   string // what the edges of the fan mean
	Worst       string
	Figures     []told // percentiles
}

func (p *Panel) chance() chance {
	if p.seeds == nil {
		return chance{}
	}
	l := p.lang()
	out := chance{Title: l.Say("numbers-chance", seedsCount, p.about), Done: p.draws.done}
	if !p.varied() {
		return out
	}
	out.Figures = p.tell(func(f *figure) (string, bool) {
		x := p.seeds.SpreadOf(f.Of)
		return f.text(x.P5) + " · " + f.text(x.P50) + " · " + f.text(x.P95), x.P95 == 0
	})
	out.Note = l.Say("numbers-fan")
	if n := p.seeds.Failed(); n > 0 {
		out.Note += " " + l.Say("numbers-failed", n)
	}
	moments := p.seeds.Fan(fanColumns)
	most := highest(moments)
	out.Fan, out.Most, out.End = fan(moments, most), strconv.FormatInt(most, 10), chart.Seconds(moments[fanColumns-1].At)
	out.Worst = l.Say("numbers-worst-is", int(p.seeds.Seed(p.seeds.Worst())))
	return out
}

// The size of the fan chart, in units of its drawing.
const (
	fanColumns = 80
	fanWidth   = 320
	fanHeight  = 100
)

// highest returns the most pods that a band reaches.
func highest(moments []sweep.Moment) int64 {
	most := int64(1)
	for i := range moments {
		most = max(most, moments[i].Total.P95)
	}
	return most
}

// fan draws the bands and the medians of total and available pods.
func fan(moments []sweep.Moment, most int64) string {
	var lines [6][]string // the upper edge, the lower edge and the median of both
	for i := range moments {
		m := &moments[i]
		for k, value := range [...]int64{m.Total.P95, m.Total.P5, m.Total.P50, m.Available.P95, m.Available.P5, m.Available.P50} {
			lines[k] = append(lines[k], strconv.FormatInt(1+fanHeight-value*fanHeight/most, 10))
		}
	}
	svg := `<svg class="fan" viewBox="0 0 ` + strconv.Itoa(fanWidth) + " " + strconv.Itoa(fanHeight+2) + `" aria-hidden="true">`
	for k, class := range [...]string{"", "fan-good"} {
		of := lines[3*k:]
		upper, lower, middle := steps(of[0]), steps(of[1]), steps(of[2])
		slices.Reverse(lower)
		svg += `<path class="fan-band ` + class + `" d="M` + strings.Join(append(upper, lower...), "L") + `Z"/><path class="` + class + `" d="M` + strings.Join(middle, "L") + `"/>`
	}
	return svg + "</svg>"
}

// steps returns the corners of a line of steps with these heights.
func steps(heights []string) (corners []string) {
	for i, y := range heights {
		x := strconv.Itoa(i*fanWidth/(fanColumns-1)) + " "
		if i > 0 && y != heights[i-1] {
			corners = append(corners, x+heights[i-1])
		}
		if i == 0 || y != heights[i-1] || i == len(heights)-1 {
			corners = append(corners, x+y)
		}
	}
	return corners
}

// chanceView draws the section.
func (p *Panel) chanceView() app.UI {
	c := p.chance()
	all := []app.UI{app.Elem("h3").Text(c.Title)}
	if c.Fan == "" {
		all = append(all, p.progress("numbers-seeds-progress", c.Done, seedsCount))
	} else {
		all = append(all, p.fan(&c), p.figures(c.Figures), app.Elem("p").Text(c.Note),
			&parts.Button{Act: "numbers-worst", Class: "button", Text: p.lang().Say("numbers-worst"), Title: c.Worst, Do: act.NumbersDo, Value: "worst"})
	}
	return app.Elem("section").Class("numbers-card numbers-chance").DataSet("act", "numbers-chance").DataSet("done", strconv.FormatBool(c.Fan != "")).Body(all...)
}

// fan draws the chart with its edges, and says what its lines are.
func (p *Panel) fan(c *chance) app.UI {
	return app.Elem("div").Class("fan-chart").Body(
		app.Elem("div").Class("fan-edge fan-high").Body(app.Elem("span").Text(c.Most), app.Elem("span").Text("0")),
		app.Elem("div").Class("fan-plot").Body(app.Raw(c.Fan)),
		app.Elem("div").Class("fan-edge fan-time").Body(app.Elem("span").Text("0 s"), app.Elem("span").Text(c.End)),
		app.Elem("div").Class("numbers-key").Body(p.key("fan-line", "total"), p.key("fan-line fan-good", "available")),
	)
}
