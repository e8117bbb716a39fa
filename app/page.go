package app

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// page is the root component. It alone owns the session; the regions get small values and post actions.
type page struct {
	app.Compo

	s              *session
	replicaSets    replicaSets
	pace           pace
	pods           podsShown
	terminal       terminalShown
	snap           *past.Snapshot
	snapKey        snapKey
	inEditor       string // the text that CodeMirror shows
	tab            string
	theme          string
	showViolations bool // the list of violations is open
	dataTable      bool // the table beside the chart is open
	diagnosed      diagnosed
	kept           kept     // what was saved last
	idle           bool     // the list of decisions has reconciles that change nothing
	why            whyCache // what the why panel says
	embed          *embed   // nil in the playground
	share          share
	start          start
	stocked        bool           // the header knows the titles of all scenarios
	langShown      lang           // of the document
	onScreen       map[string]any // of the session, when all regions last agreed with it
}

// snapshot is the cluster at the cursor, made once for all regions that show it.
func (p *page) snapshot() *past.Snapshot {
	s := p.s
	if s.run == nil {
		return &past.Snapshot{}
	}
	key := snapKey{s.run, s.cursor.Record, s.cursor.T / second}
	if p.snap == nil || p.snapKey != key {
		p.snap, p.snapKey = s.run.Past().SnapshotAt(s.cursor.Record, s.cursor.T, podsMax), key
	}
	return p.snap
}

// snapKey is what a snapshot's rows depend on; ages are in whole seconds.
type snapKey struct {
	run     *engine.Run
	record  int
	seconds int64
}

const second = 1000 // virtual ms

// OnInit opens the session before anything is drawn, and gives scripts their words before they are asked to draw.
func (p *page) OnInit() {
	p.s = newSession(prefersReducedMotion())
	defer p.showLang()
	p.tab, p.theme, p.pods.by = tabNames[0], currentTheme(), byReplicaSet
	if p.embed = readEmbed(embedOptions()); p.embed != nil {
		p.openEmbed()
		return
	}
	saved, fragment := load(sessionKey), fragment()
	p.s.lang = pickLang(browserLang())
	p.s.SetLang(load(langKey))
	p.look(p.s.Begin(saved, fragment))
	p.start = start{open: firstVisit(saved, fragment, load(startKey)), runs: p.s.runs}
}

// OnMount connects the page with the browser: keys, editor, chart and animation frames.
func (p *page) OnMount(ctx app.Context) {
	p.handle(ctx)
	listen(listener{ctx: ctx, page: p})
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
	if now := (kept{p.s.runs, p.s.terminal.version, p.s.text}); p.kept != now {
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
	if p.embed == nil { // an embed leaves nothing behind
		storeSession(p.s.Save())
	}
}

// Render names the regions.
func (p *page) Render() app.UI {
	if p.embed != nil {
		return p.renderEmbed()
	}
	return app.Elem("div").Class("page").Body(
		app.Elem("a").Class("skip").Attr("href", "#stage").Text(p.s.lang.say("skip")),
		&header{Lang: p.s.lang, Stocked: p.stocked, Preset: p.s.preset, Own: p.s.run != nil && p.s.preset == "", CanUndo: len(p.s.past) > 0, CanRedo: len(p.s.future) > 0, Theme: p.theme},
		app.Main().Class("main").Body(
			app.Elem("div").Class("side").Body(
				&startPanel{Lang: p.s.lang, Open: p.start.open},
				p.lesson(),
				p.editorPanel(),
			),
			app.Elem("section").Class("stage").ID("stage").Aria("label", p.s.lang.say("rollout")).Body(
				p.chartPanel(),
				p.transportBar(),
				p.controlsPanel(),
				app.Elem("div").Class("left").Body(p.diagnosisCard(), p.whyPanel()),
				p.tabsPanel(),
			),
		),
		&helpDialog{Lang: p.s.lang},
		p.shareDialog(),
		app.Elem("p").Class("sr-only").DataSet("act", "status").Role("status").Aria("live", "polite").Text(p.s.said),
	)
}
