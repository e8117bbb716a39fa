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
	c := p.usable()
	if c == nil {
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

// percentiles are the figures of all seeds in words.
func (p *Panel) percentiles() []told {
	return p.tell(func(f *figure) (string, bool) {
		x := p.seeds.SpreadOf(f.Measure)
		if x == nil {
			return "-", true
		}
		return f.text(x.P5) + " · " + f.text(x.P50) + " · " + f.text(x.P95), x.P95 == 0
	})
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

// chanceView draws how the figures of a cell vary with the seed.
func (p *Panel) chanceView() app.UI {
	say := p.lang().Say
	all := []app.UI{app.Elem("h3").Text(say("numbers-chance", seedsCount, p.about))}
	if !p.varied() {
		all = append(all, p.progress("numbers-seeds-progress", p.draws.done, seedsCount))
	} else {
		note := say("numbers-fan")
		if n := p.seeds.Failed(); n > 0 {
			note += " " + say("numbers-failed", n)
		}
		all = append(all, p.fan(), p.figures(p.percentiles()), app.Elem("p").Text(note),
			&parts.Button{Act: "numbers-worst", Class: "button", Text: say("numbers-worst"), Title: say("numbers-worst-is", int(p.seeds.Seed(p.seeds.Worst()))),
				Do: act.NumbersDo, Value: "worst"})
	}
	return app.Elem("section").Class("numbers-card numbers-chance").DataSet("act", "numbers-chance").DataSet("done", strconv.FormatBool(p.varied())).Body(all...)
}

// fan draws the chart with its edges, and says what its lines are.
func (p *Panel) fan() app.UI {
	moments := p.seeds.Fan(fanColumns)
	most := highest(moments)
	return app.Elem("div").Class("fan-chart").Body(
		app.Elem("div").Class("fan-edge fan-high").Body(app.Elem("span").Text(strconv.FormatInt(most, 10)), app.Elem("span").Text("0")),
		app.Elem("div").Class("fan-plot").Body(app.Raw(fan(moments, most))),
		app.Elem("div").Class("fan-edge fan-time").Body(app.Elem("span").Text("0 s"), app.Elem("span").Text(chart.Seconds(moments[fanColumns-1].At))),
		app.Elem("div").Class("numbers-key").Body(p.key("fan-line", "total"), p.key("fan-line fan-good", "available")),
	)
}
