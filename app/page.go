// Package app is the page: go-app components around a plain session. The session holds the recording, the run
// that the engine makes of it, and the cursor on that run; the components draw it and post actions to the root,
// which alone changes it.
package app

import (
	"cmp"
	"maps"
	"math"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/details"
	"github.com/rollplay/rollplay/app/document"
	"github.com/rollplay/rollplay/app/editor"
	"github.com/rollplay/rollplay/app/header"
	"github.com/rollplay/rollplay/app/help"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/lesson"
	"github.com/rollplay/rollplay/app/notice"
	"github.com/rollplay/rollplay/app/numbers"
	"github.com/rollplay/rollplay/app/palette"
	"github.com/rollplay/rollplay/app/panes"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/presenter"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/share"
	"github.com/rollplay/rollplay/app/stage"
	"github.com/rollplay/rollplay/app/start"
)

// Main registers the page for every path, so that the site works under any prefix, and runs it in the browser.
func Main() {
	app.RouteWithRegexp(".*", func() app.Composer { return &page{} })
	app.RunWhenOnBrowser()
}

// Langs and PageText are what the pages need that are only read.
func Langs() []string { return lang.Tags() }

// PageText is a message of these pages, in the language of a tag.
func PageText(tag, key string, args ...any) string { return lang.PageText(tag, key, args...) }

// DocsIn returns the address of a page of documentation in the language of a tag.
func DocsIn(tag, address string) string { return lang.Of(tag).Docs(address) }

// Where the browser keeps things.
const (
	themeKey = "rollplay/theme"
	langKey  = "rollplay/lang"
	markKey  = "rollplay/unfinished" // what was begun to compute, until it is done
)

// page is the root component. It alone owns the session; the regions get small values and post actions.
type page struct {
	app.Compo

	s     *session.Session
	embed *embed // nil in the playground
	panels

	pace       pace
	told       told
	theme      string
	saved      document.Version // the version that was saved last
	addressDue bool             // the address bar needs an update when the cursor stops
	langShown  lang.Lang        // of the document
	marked     int              // frames until the mark of what is computed is taken back
	markedAt   time.Time
	connected  bool           // the browser's reports reach the page
	broken     int            // how many bugs were caught
	onScreen   map[string]any // of the session, when all regions last agreed with it
}

// panels are the regions of the page, each with a small model of its own.
type panels struct {
	stage     *stage.Panels
	details   *details.Panels
	document  *document.Panel
	editor    *editor.Panel
	lesson    *lesson.Panel
	notice    *notice.Panel
	numbers   *numbers.Panel
	palette   *palette.Panel
	panes     *panes.Panel
	presenter *presenter.Panel
	share     *share.Panel
	start     *start.Panel
}

// OnInit opens the session before anything is drawn, and gives scripts their words before they draw.
func (p *page) OnInit() {
	p.show(session.New(browser.PrefersReducedMotion()), readEmbed(browser.EmbedOptions()))
	defer p.showLang()
	p.guard(p.open)
}

func (p *page) open() {
	p.s.Computed.UseClock(time.Now)
	p.theme = cmp.Or(browser.Load(themeKey), header.Themes[0])
	if p.embed != nil {
		p.openEmbed()
		return
	}
	fragment := browser.Fragment()
	kept := p.document.Kept(fragment)
	p.s.Visit.Lang = lang.Pick(browser.BrowserLang()) // until somebody chooses one
	p.s.Visit.SetLang(browser.Load(langKey))
	p.s.Unfinished.Suspect = browser.Load(markKey)
	p.s.Unfinished.Mark = p.mark
	p.s.Cursor.Guide = lesson.ReadGuide(browser.Load(lesson.GuideKey))
	p.look(p.s.Open(kept, fragment))
	p.lesson.Load()
	*p.panes = panes.Read(browser.Load(panes.Key), browser.Wide())
	p.start.Show(start.FirstVisit(kept.Data, fragment, browser.Load(start.Key)))
}

// show makes a session what the page shows.
func (p *page) show(s *session.Session, e *embed) {
	p.s, p.embed = s, e
	p.stage, p.details, p.document = stage.New(s, e != nil), details.New(s), document.New(s, e != nil)
	p.editor, p.lesson, p.notice, p.numbers = editor.New(s), lesson.New(s), notice.New(s), numbers.New(s)
	p.palette, p.panes, p.presenter, p.share, p.start = palette.New(s), &panes.Panel{}, presenter.New(s, e != nil), share.New(s), start.New(s)
}

// OnMount connects the page with the browser: keys, editor, chart and animation frames.
func (p *page) OnMount(ctx app.Context) {
	p.handle(ctx)
	p.listen(ctx)
	p.connected = true
	p.changed(ctx)
}

// changed follows every action: it updates what JavaScript draws and wakes the frames.
func (p *page) changed(ctx app.Context) {
	p.s.Compute(0) // what follows from what has been computed
	p.editor.Show()
	p.keep()
	p.learn()
	p.showLang()
	p.start.Follow()
	p.tell()
	p.addressSoon()
	p.pace.rendered(p.state(), time.Now())
	ctx.Defer(p.push) // after the render: the elements are there
}

// keep saves what has changed: by an action, or because a run that it started is there.
func (p *page) keep() {
	now := p.document.Version()
	if p.saved == now {
		return
	}
	if now.Runs != p.saved.Runs && p.s.Visit.Touched && p.embed == nil {
		browser.ShowChart()
	}
	p.saved = now
	browser.Part() // each step may take long with a long text
	browser.SetDiagnostics(p.s.Document.Diagnostics)
	browser.Part()
	p.document.Save()
	browser.HoldDraft(p.s.Draft.ID())
	browser.Part()
	p.addressDue = (p.s.Visit.Touched || p.s.History.CanUndo()) && p.embed == nil
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
	for range 1 + brokenMax {
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
	l := p.s.Lang()
	p.share.Look = p.lookNow()
	return app.Elem("div").Class("page").Class(p.lesson.Marks(p.start.Open)).Body(
		app.Elem("a").Class("skip").Attr("href", "#stage").Text(p.s.Lang().Say("skip")),
		&header.Bar{Lang: l, Title: p.document.View(p.lesson.Mastered), CanRedo: p.s.History.CanRedo(),
			Theme: p.theme, Version: p.s.Computed.Version()},
		app.Main().Class("main").Body(
			p.panes.DrawCode(l, p.editor.View()),
			app.Elem("section").Class("stage").ID("stage").TabIndex(-1).DataSet("tab", p.details.Group()).Aria("label", p.s.Lang().Say("rollout")).Body(
				p.stage.Status(p.start.View(), start.Offers(p.s, p.stage)),
				p.editor.NoticeRow(p.panes.Code),
				app.Elem("div").Class("figure").Body(
					app.Elem("div").Class(parts.Marked("figure-main", "asked", p.stage.Asked())).Body(p.stage.Chart(), p.stage.Requests(), p.details.PodsInPlace(), p.stage.Transport()),
					p.lesson.Strip(p.stage.Hinted()),
				),
				p.stage.Controls(),
				p.stage.Branches(),
				p.stage.Comparison(),
				p.stage.Diagnosis(),
				p.details.Bar(p.panes.Buttons(l)...),
				p.stage.ChartFoot(),
				p.details.Tabs(),
				p.presenter.View(),
			),
			p.panes.DrawWhy(l, p.stage.Why),
		),
		&help.Dialog{Lang: l},
		p.share.Dialog(),
		p.palette.Dialog(),
		p.numbers.Render(),
		p.notice.View(),
		app.Elem("p").Class("sr-only").DataSet("act", "status").Role("status").Aria("live", "polite").Text(p.s.Visit.Said),
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

// learn notes a finished lesson. An embed leaves nothing behind.
func (p *page) learn() {
	if p.embed == nil {
		p.lesson.Learn()
	}
}

// listen connects the page with what the browser reports.
func (p *page) listen(ctx app.Context) {
	browser.Listen(browser.Listener{
		Report:   func(action, value string) { p.report(ctx, action, value) },
		Frame:    func(dt float64) { ctx.Dispatch(func(ctx app.Context) { p.frame(ctx, dt) }) },
		State:    func() any { return p.shownState() },
		Describe: p.s.Reading.Describe,
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
		save := func() {
			p.guard(func() {
				p.editor.Typed(value)
				p.document.Save()
			})
		}
		if !browser.AtOnce(save) {
			ctx.Dispatch(func(app.Context) { save() })
			browser.Hurry() // there may be no other turn
		}
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
