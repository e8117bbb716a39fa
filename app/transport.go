package app

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// transport moves the cursor. The time, the scrubber's value and its ticks change in every frame; they belong to
// JavaScript, and this component draws only the frame around them.
type transport struct {
	app.Compo

	Lang     lang
	Playing  bool
	Calm     bool
	Speed    int
	Step     stepUnit
	Loop     loopState
	Done     bool
	Computed int64 // virtual seconds computed so far; nobody knows the end before it is reached
}

func (p *stagePanels) transportBar() app.UI {
	t := &transport{Lang: p.s.lang, Playing: p.s.playing, Calm: p.s.calm, Speed: p.s.speed, Step: p.s.step, Loop: p.s.loop.Set, Done: true}
	if r := p.s.latest(); r != nil && !r.Done() {
		t.Done, t.Computed = false, r.Now()/second
	}
	return t
}

// Render draws the bar.
func (t *transport) Render() app.UI {
	return app.Elem("section").Class("card transport").Aria("label", t.Lang.say("time")).Body(
		app.Elem("div").Class("buttons").Body(
			toolButton("start", "start", t.Lang.say("to-start"), false, t.onStart),
			toolButton("prev-moment", "prev-moment", t.Lang.say("moment-back"), false, t.onPrevMoment),
			toolButton("step-prev", "prev", t.Lang.say("step-back", t.unit(t.Step)), false, t.onPrev),
			t.playButton(),
			toolButton("step-next", "next", t.Lang.say("step-on", t.unit(t.Step)), false, t.onNext),
			toolButton("next-moment", "next-moment", t.Lang.say("moment-on"), false, t.onNextMoment),
			toolButton("end", "end", t.Lang.say("to-end"), false, t.onEnd),
		),
		app.Elem("div").Class("ways").Body(t.stepPicker(), t.loopButton()),
		app.Elem("div").Class("scrubber").Body(
			app.Elem("canvas").Class("ticks").Aria("hidden", "true"),
			app.Elem("div").Class("scrub-tip").DataSet("act", "scrub-tip").Aria("hidden", "true").Hidden(true),
			app.ElemSelfClosing("input").Class("scrub").Attr("type", "range").Attr("min", 0).Attr("max", 1).Attr("step", 1).DataSet("act", "scrub").Aria("label", t.Lang.say("run-time")),
		),
		app.Elem("div").Class("time-box").Body(
			app.Elem("span").Class("time").DataSet("act", "time"),
			app.Elem("span").Class("progress").DataSet("act", "progress").DataSet("done", strconv.FormatBool(t.Done)).Text(t.progress()),
		),
		app.Elem("label").Class("speed").Title(t.Lang.say("speed-title")).Body(
			app.Elem("span").Class("sr-only").Text(t.Lang.say("speed")),
			app.ElemSelfClosing("input").Attr("type", "range").Attr("min", 0).Attr("max", len(speeds)-1).Attr("step", 1).Attr("value", t.Speed).DataSet("act", "speed").
				Aria("valuetext", t.speedText()).OnInput(t.onSpeed),
			app.Elem("span").Class("speed-text").DataSet("act", "speed-text").Text(t.speedText()),
		),
	)
}

// stepPicker chooses what the steps go over.
func (t *transport) stepPicker() app.UI {
	return app.Elem("label").Class("step-by").Title(t.Lang.say("step-by-title")).Body(
		app.Elem("span").Text(t.Lang.say("step-by")),
		app.Elem("select").DataSet("act", "step-by").OnChange(t.onStepBy).Body(app.Range(stepUnits).Slice(func(i int) app.UI {
			unit := stepUnits[i]
			return app.Elem("option").Attr("value", string(unit)).Attr("selected", unit == t.Step).Text(t.unit(unit))
		})),
	)
}

func (t *transport) unit(u stepUnit) string { return unitName(t.Lang, u) }

var loopLabels = [...]message{"loop-none", "loop-half", "loop-on"}

// loopButton sets the start of a loop, then its end, and then takes it away.
func (t *transport) loopButton() app.UI {
	text, label := [...]string{"", "A", "A–B"}[t.Loop], t.Lang.say(loopLabels[t.Loop])
	return app.Elem("button").Class("tool loop").Attr("type", "button").DataSet("act", "loop").DataSet("loop", strconv.Itoa(int(t.Loop))).
		Aria("pressed", strconv.FormatBool(t.Loop == loopOn)).Title(label).Aria("label", label).OnClick(t.onLoop).Body(
		icon("loop"), app.Elem("span").Text(text),
	)
}

func (t *transport) playButton() app.UI {
	glyph, label := "play", t.Lang.say("play")
	switch {
	case t.Playing:
		glyph, label = "pause", t.Lang.say("pause")
	case t.Calm:
		label = t.Lang.say("play-calm")
	}
	return app.Elem("button").Class("tool play").Attr("type", "button").DataSet("act", "play").DataSet("playing", strconv.FormatBool(t.Playing)).
		Title(label).Aria("label", label).OnClick(t.onToggle).Body(icon(glyph))
}

func (t *transport) progress() string {
	if t.Done {
		return ""
	}
	return t.Lang.say("computing", t.Computed)
}

func (t *transport) speedText() string { return speedText(t.Speed) }

func (t *transport) onStart(ctx app.Context, _ app.Event)  { move(ctx, "start") }
func (t *transport) onPrev(ctx app.Context, _ app.Event)   { move(ctx, "step-prev") }
func (t *transport) onToggle(ctx app.Context, _ app.Event) { ctx.NewActionWithValue(actKey, "toggle") }
func (t *transport) onNext(ctx app.Context, _ app.Event)   { move(ctx, "step-next") }
func (t *transport) onEnd(ctx app.Context, _ app.Event)    { move(ctx, "end") }

func (t *transport) onPrevMoment(ctx app.Context, _ app.Event) {
	move(ctx, "prev-moment")
}

func (t *transport) onNextMoment(ctx app.Context, _ app.Event) {
	move(ctx, "next-moment")
}

func (t *transport) onLoop(ctx app.Context, _ app.Event) { ctx.NewActionWithValue(actKey, "loop") }

func (t *transport) onStepBy(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(actStepBy, inputValue(ctx))
}

func (t *transport) onSpeed(ctx app.Context, _ app.Event) {
	if i, err := strconv.Atoi(inputValue(ctx)); err == nil {
		ctx.NewActionWithValue(actSpeed, i)
	}
}

// move posts an action that moves the cursor. The bar itself stays as it is.
func move(ctx app.Context, name string) {
	ctx.PreventUpdate()
	ctx.NewActionWithValue(actKey, name)
}
