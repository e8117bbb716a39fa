package stage

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
)

// transport moves the cursor. The time, the scrubber's value and its ticks change in every frame, so they belong to
// JavaScript, and this component draws only the frame around them.
type transport struct {
	app.Compo

	Lang     lang.Lang
	Playing  bool
	Calm     bool
	Speed    int
	Step     session.StepUnit
	Loop     session.LoopState
	Hurry    bool // time in which nothing happens passes faster, as it does now if Hurrying
	Hurrying bool
	Tools    app.UI // of the chart; nil in an embed, which has them above it
	Done     bool
	Computed int64 // virtual seconds computed so far; the end is not known before
}

func (p *Panels) Transport() app.UI {
	t := &transport{Lang: p.s.Lang(), Playing: p.s.Cursor.Playing, Calm: p.s.Visit.Calm, Speed: p.s.Cursor.Speed, Step: p.s.Cursor.Step, Loop: p.s.Cursor.Loop.Set, Done: true}
	if !p.embedded {
		t.Tools = p.tools()
	}
	t.Hurry, t.Hurrying = p.s.Cursor.Guide.Idle, p.s.Cursor.Hurrying()
	if r := p.s.Computed.Latest(); r != nil && !r.Done() {
		t.Done, t.Computed = false, r.Now()/cursor.Second
	}
	return t
}

// Render draws the bar.
func (t *transport) Render() app.UI {
	return app.Elem("section").Class("card transport").Aria("label", t.Lang.Say("time")).Body(
		parts.Title(t.Lang.Say("time")),
		app.Elem("div").Class("buttons").Body(
			parts.Tool("start", "start", t.Lang.Say("to-start")),
			t.playButton(),
			parts.Tool("end", "end", t.Lang.Say("to-end")),
		),
		app.Elem("div").Class("scrubber").Body(
			app.Elem("canvas").Class("ticks").Aria("hidden", "true"),
			app.Elem("div").Class("scrub-track").Body(app.Elem("div").Class("scrub-done")),
			app.Elem("div").Class("scrub-tip").DataSet("act", "scrub-tip").Aria("hidden", "true").Hidden(true),
			app.ElemSelfClosing("input").Class("scrub").Attr("type", "range").Attr("min", 0).Attr("max", 1).Attr("step", 1).DataSet("act", "scrub").Aria("label", t.Lang.Say("run-time")),
		),
		app.Elem("div").Class("time-box").Body(
			app.Elem("span").Class("time").DataSet("act", "time"),
			app.Elem("span").Class("progress").DataSet("act", "progress").DataSet("done", strconv.FormatBool(t.Done)).Text(t.progress()),
		),
		app.Elem("label").Class("speed").Title(t.Lang.Say("speed-title")).Body(
			app.Elem("span").Class("sr-only").Text(t.Lang.Say("speed")),
			app.ElemSelfClosing("input").Attr("type", "range").Attr("min", 0).Attr("max", len(session.Speeds)-1).Attr("step", 1).Attr("value", t.Speed).DataSet("act", "speed").
				Aria("valuetext", session.SpeedText(t.Speed)).OnInput(parts.EnteredNumber(act.Speed)),
			app.Elem("span").Class("speed-text").DataSet("act", "speed-text").DataSet("hurrying", strconv.FormatBool(t.Hurrying)).Text(session.SpeedText(t.Speed)),
		),
		t.more(),
	)
}

// more is what is used less: single steps, the loop, idle time, and the chart's own tools.
func (t *transport) more() app.UI {
	label := t.Lang.Say("transport-more")
	return parts.Menu("menu ways", "transport-more", app.Elem("summary").Class("tool").Title(label).Aria("label", label).Text("⋯"),
		app.Elem("div").Class("steps").Body(
			parts.Tool("prev-moment", "prev-moment", t.Lang.Say("moment-back")),
			parts.Tool("step-prev", "prev", t.Lang.Say("step-back", session.UnitName(t.Lang, t.Step))),
			t.stepPicker(),
			parts.Tool("step-next", "next", t.Lang.Say("step-on", session.UnitName(t.Lang, t.Step))),
			parts.Tool("next-moment", "next-moment", t.Lang.Say("moment-on")),
		),
		app.Elem("div").Class("steps").Body(t.loopButton(), t.hurryButton()),
		t.Tools,
	)
}

// stepPicker chooses what a step covers.
func (t *transport) stepPicker() app.UI {
	return app.Elem("label").Class("step-by").Title(t.Lang.Say("step-by-title")).Body(
		app.Elem("span").Text(t.Lang.Say("step-by")),
		app.Elem("select").DataSet("act", "step-by").OnChange(parts.Entered(act.StepBy)).Body(
			parts.Options(session.StepUnits[:], t.Step, func(u session.StepUnit) string { return session.UnitName(t.Lang, u) })),
	)
}

var loopLabels = [...]lang.Message{"loop-none", "loop-half", "loop-on"}

// loopButton sets the start of a loop, then its end, and then removes it.
func (t *transport) loopButton() app.UI {
	text, label := [...]string{"", "A", "A–B"}[t.Loop], t.Lang.Say(loopLabels[t.Loop])
	return &parts.Button{Act: "loop", Class: "tool loop", Glyph: "loop", Spans: []parts.Span{{Text: text}}, Title: label, Label: label,
		Attributes: parts.Attributes{Pressed: strconv.FormatBool(t.Loop == session.LoopOn), Set: map[string]any{"loop": int(t.Loop)}}, Do: act.Key, Value: "loop"}
}

// hurryButton makes time in which nothing happens pass faster.
func (t *transport) hurryButton() app.UI {
	return &parts.Button{Act: "hurry", Class: "tool hurry", Glyph: "hurry", Title: t.Lang.Say("hurry-is"), Label: t.Lang.Say("hurry"),
		Attributes: parts.Attributes{Pressed: strconv.FormatBool(t.Hurry)}, Do: act.HurryIdle, Value: !t.Hurry}
}

func (t *transport) playButton() app.UI {
	glyph, label := "play", t.Lang.Say("play")
	switch {
	case t.Playing:
		glyph, label = "pause", t.Lang.Say("pause")
	case t.Calm:
		label = t.Lang.Say("play-calm")
	}
	return &parts.Button{Act: "play", Class: "tool play", Glyph: glyph, Title: label, Label: label, Attributes: parts.Attributes{Set: map[string]any{"playing": t.Playing}},
		Do: act.Key, Value: "toggle"}
}

func (t *transport) progress() string {
	if t.Done {
		return ""
	}
	return t.Lang.Say("computing", t.Computed)
}
