package stage

import (
	"fmt"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/engine"
)

// legendBudgets are the lines' entries in the legend, with what they are at the cursor.
func (p *Panels) legendBudgets() (items []legendItem) {
	in := p.s.Lang()
	for _, b := range p.s.Run().Past().Budgets(p.s.Workload()) {
		item := legendItem{ID: chart.SeriesBudgetPrefix + b.Name, Label: in.Say("must-be-healthy", b.Name), Value: "–", Swatch: "sw-budget",
			Title: in.Say("healthy-is", b.Name)}
		if s, ok := b.At(p.s.Cursor().Record); ok {
			item.Value = fmt.Sprint(s.Desired)
		}
		items = append(items, item)
	}
	return items
}

// countTicks is how many ticks of the count axis there is room for.
const countTicks = 7

// View is what the chart draws.
func (p *Panels) View() chart.View {
	s := p.s
	if s.Run() == nil {
		return chart.View{Option: chart.Option(nil), End: chart.TimeAxis(0), Busy: chart.TimeAxis(0), Count: chart.CountAxis(1, countTicks), Marks: []chart.Mark{}}
	}
	frames := s.Run().Frames(s.Workload())
	all := append(chart.Lines(frames, s.End()), chart.BudgetLines(s.Run().Past().Budgets(s.Workload()), s.End())...)
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	return chart.View{
		Option: chart.Option(ids), Series: all,
		End: chart.TimeAxis(s.End()), Busy: chart.TimeAxis(chart.BusyEnd(p.lastChange(frames), s.End())), Count: chart.CountAxis(chart.Highest(frames), countTicks),
		Marks: append(p.s.Index().Marks(), s.JudgedMarks()...), Syncs: p.s.Index().Decisions(),
	}
}

// lastChange is when the last count changed or the last command was given.
func (p *Panels) lastChange(frames []engine.Frame) int64 {
	last := int64(0)
	if n := len(frames); n > 0 {
		last = frames[n-1].T
	}
	x := p.s.Index()
	if n := len(x.Inputs()); n > 0 {
		last = max(last, p.s.Run().Record(x.Inputs()[n-1]).T)
	}
	return last
}

// legendItem is a line of the legend with its number at the cursor.
type legendItem struct {
	ID, Label, Title string
	Value            string
	Swatch           string // class of the sample line
}

func (p *Panels) legend(r chart.Readout) []legendItem {
	if p.s.Run() == nil {
		return nil
	}
	number := func(n int) string {
		if !r.Known {
			return "–"
		}
		return fmt.Sprint(n)
	}
	say := p.s.Lang().Say
	items := []legendItem{
		{chart.SeriesTotal, say("total"), say("total-is"), number(r.Total), "sw-total"},
		{chart.SeriesAvailable, say("available"), say("available-is"), number(r.Available), "sw-available"},
		{chart.SeriesUnavailable, say("desired"), "spec.replicas", number(r.Desired), "sw-desired"},
		{chart.SeriesTerminating, say("terminating"), say("terminating-is"), number(r.Terminating), "sw-terminating"},
	}
	return append(append(items, p.legendRS()...), p.legendBudgets()...)
}

func (p *Panels) legendRS() []legendItem {
	workload := p.s.Workload()
	frames := p.s.Run().Frames(workload)
	here := chart.FrameAt(frames, p.s.Cursor().Record)
	var items []legendItem
	for k, rs := range p.replicaSets.Of(p.s.Run(), workload) {
		item := legendItem{
			ID: chart.SeriesRSPrefix + rs.Name, Title: rs.Name, Value: "–",
			Label:  chart.Label(rs.Revision, rs.Image),
			Swatch: fmt.Sprintf("sw-rs-%d sw-%s", k%chart.Colors, chart.Pattern(k)),
		}
		if here >= 0 {
			for _, f := range frames[here].ReplicaSets {
				if f.Name == rs.Name {
					item.Value, item.Label = fmt.Sprint(f.Replicas), chart.Label(f.Revision, rs.Image)
				}
			}
		}
		items = append(items, item)
	}
	return items
}
