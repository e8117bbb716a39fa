package numbers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/words"
)

// marked is how many of the best cells have a mark: more would say nothing.
const marked = 5

// best lists the cells of the front, those with the fewest failed requests first, then the safest, then the fastest, then those with the fewest pods.
func (p *Panel) best() (list []int) {
	for i := range p.grid.Cells {
		if p.grid.Cells[i].Front {
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
	now := slices.IndexFunc(p.grid.Cells, func(c sweep.Cell) bool { return c.Current })
	list := p.best()
	if now >= 0 && p.completes(now) {
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
	if c.Current {
		text = "numbers-answer-now"
	}
	took, short := figures[duration].text(c.Rollout.Duration()), sweep.Cell{X: first(c.X), Y: first(c.Y)}
	loses := p.lang().Say("numbers-never-below", c.Rollout.Lowest)
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
