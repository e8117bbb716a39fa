package app

import (
	"maps"
	"math"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/details"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/numbers"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/stage"
)

// Where the browser keeps things.
const (
	themeKey = "rollplay/theme"
	langKey  = "rollplay/lang"
	markKey  = "rollplay/unfinished" // what was begun to compute, until it is done
	startKey = "rollplay/start"      // that somebody does not want to see the panel of a first visit again
)

// page is the root component. It alone owns the session; the regions get small values and post actions.
type page struct {
	app.Compo

	s       *session.Session
	stage   *stage.Panels
	details *details.Panels
	embed   *embed // nil in the playground
	share   share
	numbers *numbers.Panel
	start   start
	panes   panes
	recent  recent
	found   []entry // by the palette, none while it is closed

	presenting presenting

	pace      pace
	inEditor  string // the text that CodeMirror shows
	theme     string
	kept      kept      // what was saved last
	learned   string    // names of the lessons that were finished
	langShown lang.Lang // of the document
	progress  progress
	marked    int // frames until the mark of what is computed is taken back
	markedAt  time.Time
	finding   bool           // the palette is about to open
	connected bool           // the browser's reports reach the page
	broken    int            // how many bugs were caught
	onScreen  map[string]any // of the session, when all regions last agreed with it
}

// OnInit opens the session before anything is drawn, and gives scripts their words before they draw.
func (p *page) OnInit() {
	p.show(session.New(browser.PrefersReducedMotion()), readEmbed(browser.EmbedOptions()))
	defer p.showLang()
	p.guard(p.open)
}

func (p *page) open() {
	p.s.UseClock(time.Now)
	if p.theme = browser.Load(themeKey); p.theme == "" {
		p.theme = themes[0]
	}
	if p.embed != nil {
		p.openEmbed()
		return
	}
	fragment := browser.Fragment()
	p.recent = newRecent()
	kept := p.recent.kept(fragment)
	p.s.StartIn(browser.BrowserLang())
	p.s.SetLang(browser.Load(langKey))
	p.s.Suspect(browser.Load(markKey))
	p.s.OnStart(p.mark)
	p.s.UseGuide(readGuide(browser.Load(guideKey)))
	p.look(p.s.Begin(kept, fragment))
	p.learned = readLearned(browser.Load(learnedKey))
	p.panes = readPanes(browser.Load(panesKey), browser.Wide())
	p.start = start{open: firstVisit(kept.Data, fragment, browser.Load(startKey)), runs: p.s.Runs()}
}

// show makes a session what the page shows.
func (p *page) show(s *session.Session, e *embed) {
	p.s, p.embed = s, e
	p.stage, p.details, p.numbers = stage.New(s, e != nil), details.New(s), numbers.New(s)
}

// OnMount connects the page with the browser: keys, editor, chart and animation frames.
func (p *page) OnMount(ctx app.Context) {
	p.handle(ctx)
	p.listen(ctx)
	p.connected = true
	p.changed(ctx)
}

// kept is the part of the session that is saved at once. The cursor moves in every frame and is saved when it stops, or
// when the page closes.
type kept struct {
	starts, runs, typed int
	text                string
}

// changed follows every action: it updates what JavaScript draws and wakes the frames.
func (p *page) changed(ctx app.Context) {
	p.s.Compute(0) // what follows from what has been computed
	if p.inEditor != p.s.Text() {
		p.inEditor = p.s.Text()
		browser.Part()
		browser.SetEditorText(p.s.Text())
		browser.Part()
	}
	p.keep()
	p.learn()
	p.showLang()
	p.start.open = p.start.open && p.s.Runs() == p.start.runs
	p.addressSoon()
	p.pace.rendered(p.state(), time.Now())
	ctx.Defer(p.push) // after the render: the elements are there
}

// keep saves what has changed: by an action, or because a run that it started is there.
func (p *page) keep() {
	now := kept{p.s.Starts(), p.s.Runs(), p.s.Screen().Version(), p.s.Text()}
	if p.kept == now {
		return
	}
	if now.runs != p.kept.runs && p.s.Touched() && p.embed == nil {
		browser.ShowChart()
	}
	p.kept = now
	browser.Part() // each step may take long with a long text
	browser.SetDiagnostics(p.s.Diagnostics())
	browser.Part()
	p.save()
	browser.Part()
	p.share.due = (p.s.Touched() || p.s.CanUndo()) && p.embed == nil
	p.addressSoon()
}

// markFrames is how many frames a run must have been on the screen for before the mark goes; a page that answered for
// markTime has not died of it either.
const (
	markFrames = 3
	markTime   = time.Minute
)

// mark notes what begins to be computed, so that a page that dies of it is not opened with it again.
func (p *page) mark(what string) {
	browser.Store(markKey, what)
	p.marked, p.markedAt = markFrames, time.Now()
}

// unmark takes the mark back when the run is there.
func (p *page) unmark() {
	if p.marked == 0 {
		return
	}
	if !p.s.Computing() {
		p.marked--
	}
	if p.marked == 0 || time.Since(p.markedAt) > markTime {
		p.leave()
	}
}

// leave is for a page that is closed while it answers, too.
func (p *page) leave() {
	if p.marked, p.markedAt = 0, (time.Time{}); p.embed == nil {
		browser.Store(markKey, "")
	}
}

// Render draws the page. If the run can't be drawn, it draws the page without one.
func (p *page) Render() (ui app.UI) {
	p.guard(func() { ui = p.render() })
	for range brokenMax {
		if ui == nil {
			p.guard(func() { ui = p.render() })
		}
	}
	return ui
}

// render names the regions.
func (p *page) render() app.UI {
	if p.embed != nil {
		return p.renderEmbed()
	}
	lesson := p.lesson()
	return app.Elem("div").Class("page").Class(lesson.marks()).Body(
		app.Elem("a").Class("skip").Attr("href", "#stage").Text(p.s.Lang().Say("skip")),
		&header{Lang: p.s.Lang(), Title: p.titleView(), CanUndo: p.s.CanUndo(), CanRedo: p.s.CanRedo(), Theme: p.theme, Version: p.s.Version()},
		app.Main().Class("main").Body(
			p.drawer("code", p.panes.code, p.editorPanel(), p.edge("code", "size-code")),
			app.Elem("section").Class("stage").ID("stage").TabIndex(-1).Aria("label", p.s.Lang().Say("rollout")).Body(
				&startPanel{Lang: p.s.Lang(), Open: p.start.open},
				p.stage.Status(),
				p.noticeRow(),
				p.offers(),
				p.stage.Chart(),
				p.stage.Transport(),
				p.stage.Branches(),
				p.stage.Comparison(),
				app.Elem("div").Class("place").Body(p.details.PodsInPlace(), lesson),
				p.stage.Controls(),
				p.stage.Diagnosis(),
				p.stage.ChartFoot(),
				p.details.Bar(p.paneButtons()...),
				p.details.Tabs(),
				p.presenter(),
			),
			p.drawer("why", p.panes.why, p.stage.Why(), p.edge("why", "size-why")),
		),
		&helpDialog{Lang: p.s.Lang()},
		p.shareDialog(),
		&palette{Lang: p.s.Lang(), Entries: p.found},
		p.numbers.Render(),
		p.runNotice(),
		app.Elem("p").Class("sr-only").DataSet("act", "status").Role("status").Aria("live", "polite").Text(p.s.Said()),
	)
}

// showLang gives the document and its scripts the language of the session.
func (p *page) showLang() {
	if p.langShown != p.s.Lang() {
		p.langShown = p.s.Lang()
		browser.ShowLang(string(p.s.Lang()), p.s.Lang().ScriptWords())
	}
}

// shownState is what the screen shows of the session, and whether the session is ahead of it.
func (p *page) shownState() map[string]any {
	if p.onScreen != nil {
		delete(p.onScreen, "late")
		p.onScreen["late"] = !maps.Equal(p.onScreen, p.s.Summary())
	}
	return p.onScreen
}

// listen connects the page with what the browser reports.
func (p *page) listen(ctx app.Context) {
	browser.Listen(browser.Listener{
		Report:   func(action, value string) { p.report(ctx, action, value) },
		Frame:    func(dt float64) { ctx.Dispatch(func(ctx app.Context) { p.frame(ctx, dt) }) },
		State:    func() any { return p.shownState() },
		Describe: p.s.Describe,
		Ask:      p.details.Ask,
		Chart:    func(what, value string) string { return p.stage.Answer(what, value) },
	})
}

// report takes an action by its name, with a string that is a number for some of them.
func (p *page) report(ctx app.Context, action, value string) {
	switch action {
	case act.Seek:
		ctx.NewActionWithValue(action, parseMS(value))
	case act.Record:
		ctx.NewActionWithValue(action, int(parseMS(value)))
	case "hide": // the tab is closed or put away
		ctx.Dispatch(func(app.Context) { p.guard(p.save) })
	case "leave": // it is closed: what is dispatched now may never happen
		p.leave()
	default:
		ctx.NewActionWithValue(action, value)
	}
}

func parseMS(s string) int64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) {
		return 0
	}
	return int64(f)
}
