package app

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Where the browser keeps things.
const (
	sessionKey = "rollplay/session"
	themeKey   = "rollplay/theme"
	langKey    = "rollplay/lang"
	startKey   = "rollplay/start" // that somebody does not want to see the panel of a first visit again
)

// page is the root component. It alone owns the session; the regions get small values and post actions.
type page struct {
	app.Compo

	s       *session
	stage   *stagePanels
	details *detailPanels
	embed   *embed // nil in the playground
	share   share
	start   start

	pace      pace
	inEditor  string // the text that CodeMirror shows
	theme     string
	fidelity  bool           // somebody asked how right this is
	kept      kept           // what was saved last
	stocked   bool           // the header knows the titles of all scenarios
	langShown lang           // of the document
	onScreen  map[string]any // of the session, when all regions last agreed with it
}

const second = 1000 // virtual ms

// OnInit opens the session before anything is drawn, and gives scripts their words before they are asked to draw.
func (p *page) OnInit() {
	p.show(newSession(prefersReducedMotion()), readEmbed(embedOptions()))
	defer p.showLang()
	if p.theme = load(themeKey); p.theme == "" {
		p.theme = themes[0]
	}
	if p.embed != nil {
		p.openEmbed()
		return
	}
	saved, fragment := load(sessionKey), fragment()
	p.s.StartIn(browserLang())
	p.s.SetLang(load(langKey))
	p.look(p.s.Begin(saved, fragment))
	p.start = start{open: firstVisit(saved, fragment, load(startKey)), runs: p.s.runs}
}

// show makes a session what the page shows.
func (p *page) show(s *session, e *embed) {
	p.s, p.embed = s, e
	p.stage, p.details = newStage(s, e != nil), newDetails(s)
}

// OnMount connects the page with the browser: keys, editor, chart and animation frames.
func (p *page) OnMount(ctx app.Context) {
	p.handle(ctx)
	p.listen(ctx)
	p.changed(ctx)
}

// kept is the part of the session that must not be lost. The cursor moves with every frame and is saved when it rests, or
// when the page goes.
type kept struct {
	runs, typed int
	text        string
}

// changed follows every action: it hands the parts that JavaScript owns their new state and wakes the frames.
func (p *page) changed(ctx app.Context) {
	if p.inEditor != p.s.text {
		p.inEditor = p.s.text
		setEditorText(p.s.text)
	}
	if now := (kept{p.s.runs, p.s.Screen().Version(), p.s.text}); p.kept != now {
		p.kept = now
		setDiagnostics(p.s.diags)
		p.save()
		p.share.due = p.s.touched && p.embed == nil
	}
	p.showLang()
	p.start.open = p.start.open && p.s.runs == p.start.runs
	p.addressSoon()
	p.pace.rendered(p.state(), time.Now())
	ctx.Defer(p.push) // after the render: the elements are there
}

func (p *page) save() {
	if data := p.s.Save(); data != "" && p.embed == nil { // an embed leaves nothing behind
		store(sessionKey, data)
	}
}

// Render names the regions.
func (p *page) Render() app.UI {
	if p.embed != nil {
		return p.renderEmbed()
	}
	return app.Elem("div").Class("page").Body(
		app.Elem("a").Class("skip").Attr("href", "#stage").Text(p.s.lang.say("skip")),
		&header{Lang: p.s.lang, Stocked: p.stocked, Preset: p.s.preset, Own: p.s.run != nil && p.s.preset == "", CanUndo: p.s.CanUndo(), CanRedo: p.s.CanRedo(), Theme: p.theme},
		app.Main().Class("main").Body(
			app.Elem("div").Class("side").Body(
				&startPanel{Lang: p.s.lang, Open: p.start.open},
				p.lesson(),
				p.editorPanel(),
			),
			app.Elem("section").Class("stage").ID("stage").Aria("label", p.s.lang.say("rollout")).Body(
				p.stage.chartPanel(),
				p.stage.transportBar(),
				p.stage.controlsPanel(),
				app.Elem("div").Class("left").Body(p.stage.diagnosisCard(), p.stage.whyPanel()),
				p.details.tabsPanel(),
			),
		),
		&helpDialog{Lang: p.s.lang},
		&fidelityDialog{Lang: p.s.lang, Open: p.fidelity},
		p.shareDialog(),
		app.Elem("p").Class("sr-only").DataSet("act", "status").Role("status").Aria("live", "polite").Text(p.s.said),
	)
}

// showLang brings the document, and what scripts write on it, in step with the language of the session.
func (p *page) showLang() {
	if p.langShown != p.s.lang {
		p.langShown = p.s.lang
		showLang(string(p.s.lang), p.s.lang.scriptWords())
	}
}
