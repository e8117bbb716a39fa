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
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/words"
)

// Notes are the texts on the chart, at their places.
func (p *Panels) Notes() []chart.Note {
	run, plot := p.drawn(), p.drawing.plot
	if run == nil || plot.W <= 0 {
		return []chart.Note{}
	}
	frames := run.Frames(p.s.Workload())
	hidden := p.s.Lesson.Hidden()
	marks := slices.DeleteFunc(slices.Clone(p.s.Reading.Index().Marks()), func(m chart.Mark) bool { return m.T > hidden })
	notes := append([]chart.Note{}, plot.Commands(marks)...)
	if p.s.Lesson.Question() != nil {
		return notes // the bounds are the answer to many a question
	}
	notes = append(notes, p.boundNotes(run, frames)...)
	if plot.W >= roomForEnds && plot.To <= hidden {
		notes = append(notes, plot.Ends(p.ends(run, frames))...)
	}
	outages := slices.DeleteFunc(chart.Outages(frames, run.Now()), func(o chart.Span) bool { return o.To > hidden })
	notes = append(notes, plot.Outage(outages, p.outage, notes)...)
	return append(notes, p.edges(run, frames)...)
}

// Push writes the texts again if the cursor has come to other bounds.
func (p *Panels) Push() {
	run, d := p.drawn(), &p.drawing
	if run == nil || d.plot.W <= 0 {
		return
	}
	now := p.frame(run)
	if b := [3]int{now.Upper, now.Desired, now.Lower}; b != d.bounds {
		d.bounds = b
		browser.Notes(p.Notes())
	}
	c := callout{p.calloutText(), p.continues(), -1, p.s.Lesson.Hidden()}
	if p.s.Lesson.Question() != nil {
		c.asks = p.s.Lesson.Caption()
	}
	if c != d.callout {
		d.callout = c
		browser.Callout(c.text, c.onwards, c.asks >= 0, c.hidden)
	}
}

// callout is the caption of a lesson, of which the chart marks what it names. The lesson beside the chart says it; a small plot, as on a
// phone, has it above the transport while the run waits.
type callout struct {
	text    string
	onwards string // the words on the button with which the run continues, empty without one
	asks    int    // which caption waits for an answer, -1 for none
	hidden  int64  // after it the chart shows nothing
}

// calloutText is the caption at the cursor, behind how the last answer went. An embed has it above the chart.
func (p *Panels) calloutText() string {
	n := p.s.Lesson.Caption()
	if n < 0 || p.embedded || p.s.Lesson.Outdated() {
		return ""
	}
	text := words.Visible(p.s.Lang().In(p.s.Run().Scenario().Captions[n].Text))
	if told := p.s.Lesson.AnsweredText(); told != "" && p.s.Lesson.Question() == nil {
		text = words.Visible(told) + "\n" + text
	}
	return text
}

func (p *Panels) continues() string {
	if !p.s.Lesson.Held() || p.s.Lesson.NextCaption() < 0 && p.s.Lesson.Exercise() { // the goals stand in its place
		return ""
	}
	if p.s.Lesson.Question() != nil {
		return p.s.Lang().Say("bet-skip")
	}
	return p.s.Lang().Say("lesson-continue")
}

// roomForEnds is from which width on the lines are named at their ends: JavaScript leaves room there.
const roomForEnds = 520

// boundNotes are the bounds at the cursor. They begin at the left edge, or where the bounds became what they are.
func (p *Panels) boundNotes(run *engine.Run, frames []engine.Frame) []chart.Note {
	here, since := p.boundsAt(run, frames)
	if here < 0 {
		return nil
	}
	upper, lower := p.bounds(run, cursor.Place{T: frames[here].T, Record: frames[here].Record})
	at := max(p.drawing.plot.X(frames[since].T), 0) + 8
	return p.drawing.plot.Bounds(&frames[here], upper, lower, at)
}

// boundsAt returns the frame at the cursor, or at the left edge, and the first frame with the same bounds; -1 without a frame.
func (p *Panels) boundsAt(run *engine.Run, frames []engine.Frame) (here, since int) {
	if here = chart.FrameAt(frames, p.here(run)); here < 0 {
		here = chart.FrameAt(frames, placeAt(run, p.drawing.plot.From))
	}
	since = here
	for since > 0 && sameBounds(&frames[since-1], &frames[here]) {
		since--
	}
	return here, since
}

// here is where the cursor is on the run that the chart draws.
func (p *Panels) here(run *engine.Run) cursor.Place {
	if run == p.s.Run() {
		return p.s.Cursor.Place
	}
	return placeAt(run, p.s.Cursor.T)
}

// placeAt is the last place of a moment.
func placeAt(run *engine.Run, t int64) cursor.Place {
	return cursor.Place{T: t, Record: run.Past().Find(t)}
}

func sameBounds(a, b *engine.Frame) bool {
	return a.Upper == b.Upper && a.Desired == b.Desired && a.Lower == b.Lower
}

// ends names the lines at the right edge, with what they are there.
func (p *Panels) ends(run *engine.Run, frames []engine.Frame) (all []chart.End) {
	last := chart.FrameAt(frames, placeAt(run, p.drawing.plot.To))
	if last < 0 {
		return nil
	}
	add := func(id, name, color string, n int) {
		all = append(all, chart.End{ID: id, Text: name + " " + strconv.Itoa(n), Color: color, Count: n})
	}
	f, say := &frames[last], p.s.Lang().Say
	add(chart.SeriesTotal, say("total"), "total", f.Total)
	add(chart.SeriesAvailable, say("available"), "available", f.Available)
	if p.Stacked || !p.namesRevisions() { // areas, whose heights are no counts of their own, or nothing
		return all
	}
	for k, set := range p.sets(run) {
		id := chart.SeriesRSPrefix + set.Name
		if n := chart.Number(f, id); n > 0 || len(all) < endsMax {
			add(id, chart.Tag(set.Image), "rs-"+strconv.Itoa(k%chart.Colors), n)
		}
	}
	return all
}

// endsMax bounds the lines at 0 that are named.
const endsMax = 6

// Answer answers the scripts of the chart: the texts on a plot that they measured, or the numbers at a time.
func (p *Panels) Answer(what, value string) string {
	switch what {
	case "place":
		return p.place(strings.Fields(value))
	case "numbers":
		return p.numbers(value)
	case "preview":
		return p.preview(value)
	case "foresee":
		if field, pods, ok := fieldAndPods(value); ok && p.s.Preview.Foresee(field, pods) {
			return "more"
		}
	}
	return ""
}

// place takes width, height, span and highest count of the plot. A zoom that shows shorter states than before needs other lines.
func (p *Panels) place(f []string) string {
	if len(f) != 5 {
		return "[]"
	}
	number := func(i int) float64 { n, _ := strconv.ParseFloat(f[i], 64); return n }
	d := &p.drawing
	window, ticks := d.window, d.ticks()
	if d.plot.W <= 0 {
		browser.Frames(true) // what Push has kept until there is a plot
	}
	d.plot = chart.Plot{W: number(0), H: number(1), From: int64(number(2)), To: int64(number(3)), Max: number(4)}
	if d.plot.To > d.plot.From {
		d.window = chart.Window(d.plot.W / float64(d.plot.To-d.plot.From))
	}
	if window != d.window || ticks != d.ticks() {
		browser.Chart(p.View())
	}
	return browser.JSON(p.Notes())
}

// numbers are those of the legend at a virtual ms, or at the cursor: a line for each, with its id and the number.
func (p *Panels) numbers(ms string) string {
	run := p.drawn()
	if run == nil {
		return ""
	}
	at := p.here(run)
	if t, err := strconv.ParseFloat(ms, 64); err == nil {
		at = placeAt(run, int64(t))
	}
	return words.Join(p.legend(run, at), "", func(item legendItem) string { return item.ID + "\t" + item.Value + "\n" })
}

// The edges of the bands can be dragged: the upper one is maxSurge, the lower one maxUnavailable. JavaScript follows the pointer
// and gets the run that would follow from here; see web/src/edges.js.

// edges are the edges that can be dragged, with the number of pods that each stands for at the cursor. Only a Deployment that rolls
// has them. An embed has none: its readers must not change what the author shows.
func (p *Panels) edges(run *engine.Run, frames []engine.Frame) []chart.Note {
	workload, at := p.s.Workload(), p.here(run)
	here := chart.FrameAt(frames, at)
	if row, ok := run.Past().Workload(workload, at.Record); !ok || p.embedded || here < 0 || row.Kind != "Deployment" || row.MaxSurge == "" {
		return nil
	}
	f := &frames[here]
	edge := func(field string, pods, level int) chart.Note {
		return chart.Note{Kind: "edge", ID: field, Text: strconv.Itoa(pods), W: float64(max(f.Desired, 1)), Y: p.drawing.plot.Y(float64(level))}
	}
	return []chart.Note{edge("maxSurge", f.Upper-f.Desired, f.Upper), edge("maxUnavailable", f.Desired-f.Lower, f.Lower)}
}

// preview draws the run with another bound, "maxSurge 4", and the present run as its ghost; "" ends that. The answer is "more" while
// a long run is not computed to its end, else "done".
func (p *Panels) preview(value string) string {
	field, pods, ok := fieldAndPods(value)
	if !ok {
		p.s.Preview.End()
		browser.Chart(p.View())
		return "done"
	}
	run := p.s.Preview.Show(field, pods)
	browser.Chart(p.View())
	if run != nil && !run.Done() {
		return "more"
	}
	return "done"
}

// SetBound makes a dragged bound true, "maxSurge 4": from the start, before the rollout that the cursor has behind it, so that the drag
// shows what it does, or by a kubectl line at the cursor.
func (p *Panels) SetBound(value string) {
	field, pods, ok := fieldAndPods(value)
	if !ok {
		return
	}
	switch sc := p.score(); {
	case p.FromStart:
		p.s.SetBound(field, pods, 0)
	case sc.Finished && sc.Rollout.Cause != forecast.Created:
		p.s.SetBound(field, pods, sc.Rollout.Start-1)
	default:
		p.s.SetBound(field, pods, session.Here)
	}
}

func fieldAndPods(value string) (field string, pods int, ok bool) {
	field, number, _ := strings.Cut(value, " ")
	pods, err := strconv.Atoi(number)
	return field, pods, err == nil && pods >= 0 && (field == "maxSurge" || field == "maxUnavailable")
}
