package stage

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
)

// legendItem is a line of the legend with its number at the cursor.
type legendItem struct {
	ID, Label, Title string
	Value            string
	Swatch           string // class of the sample line
}

// legend is the counts of a run as they were at a place; behind them, in brackets, those of the run that it is
// compared with.
func (p *Panels) legend(run *engine.Run, at cursor.Place) []legendItem {
	frames := run.Frames(p.s.Workload())
	here := chart.FrameAt(frames, at)
	r := chart.ReadoutAt(frames, here)
	number := func(n int) string {
		if !r.Known {
			return "–"
		}
		return fmt.Sprint(n)
	}
	say := p.s.Lang().Say
	total, available := number(r.Total), number(r.Available)
	if p.s.Branches.Comparing() && run == p.s.Run() {
		there := p.s.Branches.Compared().Frames(p.s.Workload())
		r := chart.ReadoutAt(there, chart.FrameAt(there, placeAt(p.s.Branches.Compared(), at.T)))
		total, available = total+" ("+strconv.Itoa(r.Total)+")", available+" ("+strconv.Itoa(r.Available)+")"
	}
	items := []legendItem{
		{chart.SeriesTotal, say("total"), say("total-is"), total, "sw-total"},
		{chart.SeriesAvailable, say("available"), say("available-is"), available, "sw-available"},
		{chart.SeriesUnavailable, say("desired"), "spec.replicas", number(r.Desired), "sw-desired"},
		{chart.SeriesTerminating, say("terminating"), say("terminating-is"), number(r.Terminating), "sw-terminating"},
	}
	return append(append(items, p.legendRS(run, here)...), p.legendBudgets(at.Record)...)
}

func (p *Panels) legendRS(run *engine.Run, here int) []legendItem {
	frames := run.Frames(p.s.Workload())
	var items []legendItem
	for k, rs := range p.sets(run) {
		item := legendItem{
			ID: chart.SeriesRSPrefix + rs.Name, Title: rs.Name, Value: "–",
			Label:  chart.Label(rs.Revision, rs.Image),
			Swatch: fmt.Sprintf("sw-rs-%d sw-%s", k%chart.Colors, chart.Pattern(k)),
		}
		if here >= 0 {
			if f := frames[here].ReplicaSet(rs.Name); f != nil {
				item.Value, item.Label = sizeOf(f), chart.Label(f.Revision, rs.Image)
			}
		}
		if item.Value != "–" || p.s.Lesson.Hidden() > run.Now() { // else it tells of a revision that is still to come
			items = append(items, item)
		}
	}
	return items
}

// sizeOf is the number of a ReplicaSet's pods, and the desired number if it differs: 12 → 10.
func sizeOf(f *engine.RSFrame) string {
	n := strconv.Itoa(f.Replicas)
	if f.Spec != f.Replicas {
		n += " → " + strconv.Itoa(f.Spec)
	}
	return n
}

// legendBudgets are the lines' entries in the legend, with what they were after a record.
func (p *Panels) legendBudgets(record int) (items []legendItem) {
	in := p.s.Lang()
	for _, b := range p.s.Run().Past().Budgets(p.s.Workload()) {
		item := legendItem{ID: chart.SeriesBudgetPrefix + b.Name, Label: in.Say("must-be-healthy", b.Name), Value: "–", Swatch: "sw-budget",
			Title: in.Say("healthy-is", b.Name)}
		if s, ok := b.At(record); ok {
			item.Value = fmt.Sprint(s.Desired)
		}
		items = append(items, item)
	}
	return items
}

// legendRow draws the sample of the line, its name and the number at the cursor.
func legendRow(item *legendItem) app.UI {
	return app.Elem("li").Class("legend-item").DataSet("act", "legend-item").DataSet("series", item.ID).Title(item.Title).Body(
		parts.Draw(parts.Span{Class: "swatch " + item.Swatch, Sign: true}, parts.Span{Class: "legend-label", Text: item.Label},
			parts.Span{Class: "legend-value", Text: item.Value})...)
}
