package app

import (
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/numbers"
	"github.com/rollplay/rollplay/app/session"
)

// pace decides when to draw. A frame in which nothing changes draws
// nothing, and a page that is slow to draw (thousands of pods) is drawn less often, so that the cursor moves smoothly.
type pace struct {
	shown   drawn     // what go-app has rendered
	started time.Time // when that render began
	next    time.Time // no render before
	chart   figure    // what the chart shows
	charted time.Time
	drawing time.Duration // what the chart took the last time
}

// drawn is what a drawing depends on: the session's revision, and the little that is not in the session.
type drawn struct {
	revision  int
	figure    figure // the part of the session that the chart shows
	tab       string
	diagnosis bool // is late, and due
	notice    string
	said      string
	measured  int // settings, in the dialog that compares them
}

// figure is what a chart was drawn from.
type figure struct {
	run      int // the number of the shown run
	branches int // the number of changes of the branches, one of which may be drawn, too
	workload string
	lang     lang.Lang
	computed session.Extent
	asking   bool // a question waits: the strips end at it
}

func (p *page) state() drawn {
	s := p.s
	return drawn{
		revision: s.Revision(), tab: p.details.Tab, diagnosis: p.stage.DiagnosisDue(time.Now()), notice: p.notice.Text(), said: s.Visit.Said, measured: p.numbers.Measured(),
		figure: figure{run: s.Computed.Number, branches: s.Branches.Changes, computed: s.Computed.Extent(), workload: s.Workload(), lang: s.Lang(), asking: s.Lesson.Question() != nil},
	}
}

// Budgets of a frame. What is cheap to render is rendered in every frame.
const (
	computeLeast = 7 * time.Millisecond // of the 16 ms of a frame in time
	computeMost  = 100 * time.Millisecond
	computePart  = 16 * time.Millisecond // in one task
	cheapRender  = 3 * time.Millisecond
	dearRender   = 36 * time.Millisecond  // the rest is rendered in every third frame at most; the cursor moves in each
	chartEvery   = 250 * time.Millisecond // while a run is computed
	chartShare   = 10                     // and a chart of hundreds of lines takes at most a tenth of the time
)

// rendered notes that a render of state d begins.
func (c *pace) rendered(d drawn, now time.Time) { c.shown, c.started = d, now }

// due says whether state d is worth a render now.
func (c *pace) due(d drawn, now time.Time) bool { return d != c.shown && !now.Before(c.next) }

// finished notes the end of a render, and delays the next one by as long as an expensive one took, or by a frame.
func (c *pace) finished(now time.Time) {
	if cost := now.Sub(c.started); cost > cheapRender && !c.started.IsZero() {
		c.next = now.Add(max(cost, dearRender))
	}
	c.started = time.Time{}
}

// chartDue says whether the chart needs new data: at once for a new or finished run, at intervals while a long one
// grows.
func (c *pace) chartDue(f figure, now time.Time) bool {
	if f == c.chart {
		return false
	}
	grown := f
	grown.computed = c.chart.computed
	return grown != c.chart || f.computed.Done || now.Sub(c.charted) >= max(chartEvery, chartShare*c.drawing)
}

// frame is one animation frame: compute ahead, move the cursor, draw what changed.
func (p *page) frame(ctx app.Context, dt float64) {
	due := false
	if p.broken < brokenMax {
		p.guard(func() { due = p.move(dt) })
	}
	if !due {
		ctx.PreventUpdate()
	}
	ctx.Defer(p.push)
}

// budget is how long a frame computes, dt ms after the last one: half of the time. On a slow machine drawing would take nearly all of it.
func budget(dt float64) time.Duration {
	return min(max(time.Duration(dt*float64(time.Millisecond))/2, computeLeast), computeMost)
}

// compute computes ahead, in several tasks if there is much time.
func (p *page) compute(budget time.Duration) {
	for more := true; more && budget > 0; budget -= computePart {
		more = p.s.ComputeWhile(p.s.Computed.Until(min(budget, computePart)))
		browser.Part()
	}
}

// move is the part of a frame before the drawing. It says whether there is something to draw.
func (p *page) move(dt float64) (due bool) {
	spend := budget(dt)
	p.compute(spend)
	p.notice.Follow(time.Now())
	p.unmark()
	p.keep()
	p.numbers.Compute(max(numbers.Budget, spend))
	wasPlaying := p.s.Cursor.Playing
	p.s.Tick(dt)
	if p.start.Open && !p.s.Visit.Touched {
		p.s.Lesson.Reveal()
	}
	p.learn()
	p.speak(time.Now())
	if wasPlaying && !p.s.Cursor.Playing {
		p.document.Save()
		p.addressSoon()
	}
	now := time.Now()
	if due = p.pace.due(p.state(), now); due {
		p.tell()
		p.pace.rendered(p.state(), now)
	}
	return due
}

// push updates what go-app does not draw: the chart if the run changed, the cursor always.
func (p *page) push(ctx app.Context) {
	bugs := p.broken
	p.guard(func() { p.pushAll(ctx) })
	if p.broken > bugs && p.broken < brokenMax {
		browser.Frames(true) // pushAll did not come to that
	}
}

func (p *page) pushAll(ctx app.Context) {
	if p.broken >= brokenMax {
		return
	}
	now, d := time.Now(), p.state()
	if p.pace.chartDue(d.figure, now) {
		view := p.stage.View()
		browser.Part()
		browser.Chart(view)
		strips := p.stage.Strips()
		browser.Part()
		browser.Strips(strips)
		browser.Part()
		p.pace.chart, p.pace.charted, p.pace.drawing = d.figure, now, time.Since(now)
		if !p.s.Computing() {
			browser.Opened()
		}
	}
	if d == p.pace.shown {
		p.onScreen = p.s.Summary()
	}
	if at := p.s.Prompt.EditAt(); at > 0 {
		ctx.NewActionWithValue(act.Goto, act.Position{Line: at, Column: 1})
	}
	p.stage.Push()
	browser.Part()
	p.details.Push(now)
	browser.Part()
	browser.Cursor(p.s.Cursor.T, p.s.End(), p.s.Cursor.Pace())
	browser.Loop(p.s.Cursor.Loop.A, p.s.Cursor.Loop.B, int(p.s.Cursor.Loop.Set))
	p.tellHost()
	if !p.pace.started.IsZero() {
		if p.details.Follows {
			browser.KeepInView()
		}
		p.pace.finished(time.Now())
	}
	late := p.stage.Late() || p.details.Pods.Late || d != p.pace.shown || p.s.Branches.ComparedLate()
	browser.Frames(p.s.Cursor.Playing || late || p.marked > 0 || p.s.Computing() || p.numbers.Computing())
}

// A panic ends the program, and with it the page. So what the page does for an action, a frame or a render is guarded: a bug
// there costs the run at most, and the text stays in the editor.

// brokenMax is the number of bugs after which frames stop, because each of them would meet the same one.
const brokenMax = 3

// guard runs a piece of the page's work.
func (p *page) guard(do func()) {
	browser.Work(true)
	defer func() {
		browser.Work(false)
		if v := recover(); v != nil {
			p.broke(v)
		}
	}()
	do()
}

// guarded is a handler that is guarded.
func (p *page) guarded(do app.ActionHandler) app.ActionHandler {
	return func(ctx app.Context, a app.Action) { p.guard(func() { do(ctx, a) }) }
}

// Broke takes what the build's copy of go-app catches: a panic of a component's own Render or handler (web/site/pack/libraries.go).
func (p *page) Broke(v any) {
	if !p.connected {
		panic(v) // nobody would see a notice: the loader says that rollplay has stopped
	}
	p.broke(v)
	if p.broken < brokenMax {
		browser.Frames(true) // the next one shows the notice
	}
}

// Draws is called for each element that the build's copy of go-app draws.
func (p *page) Draws() { browser.Draw() }

// broke reports a bug. The first time the run stays. The second time the run is to blame, so the page continues without it.
func (p *page) broke(v any) {
	p.broken++
	p.s.Broke(fmt.Sprint(v), p.broken > 1)
	if p.broken >= brokenMax {
		browser.Frames(false)
	}
}
