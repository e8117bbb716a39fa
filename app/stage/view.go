package stage

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
)

// drawing is what the chart draws, and where.
type drawing struct {
	plot      chart.Plot // as the page measured it
	window    int64      // see chart.Settle
	bounds    [3]int     // upper, desired and lower where the texts were written
	callout   callout
	scenario  string // whose part of the time axis was chosen
	key       int    // counts the scenarios
	previewed chart.Sets
	option    session.Memo[string, string] // of the chart, by its series
}

// drawn is the run that the chart draws.
func (p *Panels) drawn() *engine.Run {
	if run := p.s.Preview.Run(); run != nil {
		return run
	}
	return p.s.Run()
}

// sets are the ReplicaSets of the present run, or of the previewed one.
func (p *Panels) sets(run *engine.Run) []chart.Set {
	if run != p.s.Run() {
		return p.drawing.previewed.Of(run, p.s.Workload())
	}
	return p.replicaSets.Of(run, p.s.Workload())
}

// View is what the chart draws.
func (p *Panels) View() chart.View {
	s, run := p.s, p.drawn()
	if run == nil {
		return chart.View{Option: chart.Option(nil, false), End: chart.TimeAxis(0), Open: chart.Span{To: chart.TimeAxis(0)}, Count: chart.CountAxis(1, 7), Marks: []chart.Mark{}}
	}
	if d := &p.drawing; d.scenario != s.Recording().Scenario {
		d.scenario = s.Recording().Scenario
		d.key++
	}
	frames, shown := run.Frames(s.Workload()), s.Run().Frames(s.Workload())
	top, end := chart.Highest(frames), chart.TimeAxis(s.End())
	to := run.Now()
	var all []chart.Series
	if run != s.Run() {
		if run.Done() {
			to = max(to, s.End()) // nothing happens after its end
		}
		all, top = chart.Ghost(shown, s.End(), p.drawing.window), max(top, chart.Highest(shown))
	}
	open := s.Reading.Opening()
	if beside := s.Branches.Compared(); beside != nil && run == s.Run() {
		frames := beside.Frames(s.Workload())
		all, top = chart.Ghost(frames, beside.Now(), p.drawing.window), max(top, chart.Highest(frames))
		end = max(end, chart.TimeAxis(beside.Now()))
		open.To = max(open.To, min(chart.Opening(frames, open.To, end).To, open.From+3*(open.To-open.From))) // a stuck run goes on for half an hour
	}
	lines := chart.Lines(frames, to, p.drawing.window, p.Stacked)
	if !p.namesRevisions() {
		lines = slices.DeleteFunc(lines, func(s chart.Series) bool { return strings.HasPrefix(s.ID, chart.SeriesRSPrefix) })
	}
	all = append(all, lines...)
	all = append(all, chart.BudgetLines(run.Past().Budgets(s.Workload()), run.Now())...)
	return chart.View{
		Option: p.option(all), Series: all, Count: chart.CountAxis(top, p.drawing.ticks()),
		End: end, Open: open, Key: p.drawing.key,
		Marks: p.marks(run), Syncs: s.Reading.Index().Decisions(),
	}
}

// revisionsKey is where the browser keeps how the revisions are drawn.
const revisionsKey = "rollplay/revisions"

// Stack draws the revisions as areas, or as lines again. The browser remembers it.
func (p *Panels) Stack(on bool) {
	p.Stacked = on
	value := "lines"
	if on {
		value = "stacked"
	}
	browser.Store(revisionsKey, value)
	browser.Chart(p.View())
}

// ShowRevisions draws a line for each revision, or none: their pods have its colour.
func (p *Panels) ShowRevisions(on bool) {
	p.Revisions = on
	browser.Chart(p.View())
	browser.Notes(p.Notes())
}

func (p *Panels) namesRevisions() bool { return p.Revisions || p.Stacked || p.embedded }

// option is the chart's option for these lines, which takes longer to write than the lines and seldom changes.
func (p *Panels) option(all []chart.Series) string {
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	key := strconv.FormatBool(p.Stacked) + " " + strings.Join(ids, " ")
	return session.Recall(&p.drawing.option, key, func() string { return chart.Option(ids, p.Stacked) })
}

// ticks is how many ticks of the count axis there is room for: one for each 26 px.
func (d *drawing) ticks() int { return min(max(int(d.plot.H/26), 3), 7) }

// marks are those of the session, and the times without an available pod.
func (p *Panels) marks(run *engine.Run) []chart.Mark {
	all := p.s.Reading.Index().Marks()
	if run == p.s.Run() {
		all = append(all, p.s.Reading.JudgedMarks()...)
		all = append(all, p.branchMarks()...)
	}
	for _, o := range chart.Outages(run.Frames(p.s.Workload()), run.Now()) {
		all = append(all, chart.Mark{Kind: "outage", T: o.From, To: o.To, Line: p.outage(o.To - o.From), Failed: true})
	}
	return all
}

func (p *Panels) outage(ms int64) string { return p.s.Lang().Say("outage", chart.Seconds(ms)) }

// bounds are the two bounds of the workload as sums.
func (p *Panels) bounds(run *engine.Run, at cursor.Place) (upper, lower string) {
	f := chart.At(run.Frames(p.s.Workload()), at)
	written, _ := run.Past().Workload(p.s.Workload(), at.Record)
	return chart.AtMost(p.s.Lang(), f, written), chart.AtLeast(p.s.Lang(), f, written)
}
