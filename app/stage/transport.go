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

// Transport moves the cursor. The time, the scrubber's value and its ticks change in every frame, so they belong to
// JavaScript, and go-app draws only the frame around them.
func (p *Panels) Transport() app.UI {
	say, speed, done, progress := p.s.Lang().Say, p.s.Cursor.Speed, true, ""
	if r := p.s.Computed.Latest(); r != nil && !r.Done() {
		done, progress = false, say("computing", r.Now()/cursor.Second) // the end is not known before
	}
	return app.Elem("section").Class("card transport").Aria("label", say("time")).Body(
		parts.Title(say("time")),
		app.Elem("div").Class("buttons").Body(
			parts.Tool("start", "start", say("to-start")),
			p.playButton(),
			parts.Tool("end", "end", say("to-end")),
		),
		app.Elem("div").Class("scrubber").Body(
			app.Elem("canvas").Class("ticks").Aria("hidden", "true"),
			app.Elem("div").Class("scrub-track").Body(app.Elem("div").Class("scrub-done")),
			app.Elem("div").Class("scrub-tip").DataSet("act", "scrub-tip").Aria("hidden", "true").Hidden(true),
			app.ElemSelfClosing("input").Class("scrub").Attr("type", "range").Attr("min", 0).Attr("max", 1).Attr("step", 1).DataSet("act", "scrub").Aria("label", say("run-time")),
		),
		app.Elem("div").Class("time-box").Body(
			app.Elem("span").Class("time").DataSet("act", "time"),
			app.Elem("span").Class("progress").DataSet("act", "progress").DataSet("done", strconv.FormatBool(done)).Text(progress),
		),
		app.Elem("label").Class("speed").Title(say("speed-title")).Body(
			app.Elem("span").Class("sr-only").Text(say("speed")),
			app.ElemSelfClosing("input").Attr("type", "range").Attr("min", 0).Attr("max", len(session.Speeds)-1).Attr("step", 1).Attr("value", speed).DataSet("act", "speed").
				Aria("valuetext", session.SpeedText(speed)).OnInput(parts.EnteredNumber(act.Speed)),
			app.Elem("span").Class("speed-text").DataSet("act", "speed-text").DataSet("hurrying", strconv.FormatBool(p.s.Cursor.Hurrying())).Text(session.SpeedText(speed)),
		),
		p.transportMore(),
	)
}

// transportMore is what is used less: single steps, the loop, idle time, and the chart's own tools, which an embed has above it.
func (p *Panels) transportMore() app.UI {
	l, say, step := p.s.Lang(), p.s.Lang().Say, p.s.Cursor.Step
	label := say("transport-more")
	return parts.Menu("menu ways", "transport-more", app.Elem("summary").Class("tool").Title(label).Aria("label", label).Text("⋯"),
		app.Elem("div").Class("steps").Body(
			parts.Tool("prev-moment", "prev-moment", say("moment-back")),
			parts.Tool("step-prev", "prev", say("step-back", session.UnitName(l, step))),
			p.stepPicker(),
			parts.Tool("step-next", "next", say("step-on", session.UnitName(l, step))),
			parts.Tool("next-moment", "next-moment", say("moment-on")),
		),
		app.Elem("div").Class("steps").Body(p.loopButton(), p.hurryButton()),
		app.If(!p.embedded, p.tools),
	)
}

// stepPicker chooses what a step covers.
func (p *Panels) stepPicker() app.UI {
	l := p.s.Lang()
	return app.Elem("label").Class("step-by").Title(l.Say("step-by-title")).Body(
		app.Elem("span").Text(l.Say("step-by")),
		app.Elem("select").DataSet("act", "step-by").OnChange(parts.Entered(act.StepBy)).Body(
			parts.Options(session.StepUnits[:], p.s.Cursor.Step, func(u session.StepUnit) string { return session.UnitName(l, u) })),
	)
}

var loopLabels = [...]lang.Message{"loop-none", "loop-half", "loop-on"}

// loopButton sets the start of a loop, then its end, and then removes it.
func (p *Panels) loopButton() app.UI {
	loop := p.s.Cursor.Loop.Set
	text, label := [...]string{"", "A", "A–B"}[loop], p.s.Lang().Say(loopLabels[loop])
	return &parts.Button{Act: "loop", Class: "tool loop", Glyph: "loop", Spans: []parts.Span{{Text: text}}, Title: label, Label: label,
		Attributes: parts.Attributes{Pressed: strconv.FormatBool(loop == session.LoopOn), Set: map[string]any{"loop": int(loop)}}, Do: act.Key, Value: "loop"}
}

// hurryButton makes time in which nothing happens pass faster.
func (p *Panels) hurryButton() app.UI {
	say, hurry := p.s.Lang().Say, p.s.Cursor.Guide.Idle
	return &parts.Button{Act: "hurry", Class: "tool hurry", Glyph: "hurry", Title: say("hurry-is"), Label: say("hurry"),
		Attributes: parts.Attributes{Pressed: strconv.FormatBool(hurry)}, Do: act.HurryIdle, Value: !hurry}
}

func (p *Panels) playButton() app.UI {
	playing, say := p.s.Cursor.Playing, p.s.Lang().Say
	glyph, label := "play", say("play")
	switch {
	case playing:
		glyph, label = "pause", say("pause")
	case p.s.Visit.Calm:
		label = say("play-calm")
	}
	return &parts.Button{Act: "play", Class: "tool play", Glyph: glyph, Title: label, Label: label, Attributes: parts.Attributes{Set: map[string]any{"playing": playing}},
		Do: act.Key, Value: "toggle"}
}
