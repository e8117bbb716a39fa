package app

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/engine/past"
)

// transcript is what a command has printed by the cursor that goes on for a while: a drain.
type transcript struct {
	Command string
	Lines   []past.ReadLine
	Hidden  int // lines above those
	Goes    bool
}

// transcriptMax bounds the lines: a drain that is blocked repeats itself for ever.
const transcriptMax = 200

// lastDrain is the last drain at or before the cursor, nil if there is none.
func (p *page) lastDrain() *transcript {
	s := p.s
	x := s.index.of(s.run)
	for k := before(x.inputs, s.cursor.Record) - 1; k >= 0; k-- {
		r := s.run.Record(x.inputs[k])
		if !strings.HasPrefix(r.Command, "kubectl drain ") {
			continue
		}
		printed := s.run.Past().Transcript(x.inputs[k])
		t := &transcript{Command: r.Command}
		for _, line := range printed.Lines {
			if line.T <= s.cursor.T {
				t.Lines = append(t.Lines, line)
			}
		}
		t.Goes = printed.Open || len(t.Lines) < len(printed.Lines)
		if t.Hidden = len(t.Lines) - transcriptMax; t.Hidden > 0 {
			t.Lines = t.Lines[t.Hidden:]
		}
		return t
	}
	return nil
}

// view draws the transcript as a terminal would show it, with the moments.
func (t *transcript) view(l lang) app.UI {
	state := l.say("drain-ended")
	if t.Goes {
		state = l.say("drain-goes-on")
	}
	return app.Elem("section").Class("drain-transcript").DataSet("act", "drain-transcript").Aria("label", l.say("drain-printed")).Body(
		app.Elem("h3").Class("table-title").Body(
			app.Elem("span").Class("prompt").Aria("hidden", "true").Text("$ "), app.Text(t.Command),
			app.Elem("span").Class("muted").Text(" ("+state+")")),
		app.If(t.Hidden > 0, func() app.UI {
			return app.Elem("p").Class("list-note").Text(l.say("drain-last", len(t.Lines), t.Hidden))
		}),
		app.Elem("pre").TabIndex(0).Body(
			app.Range(t.Lines).Slice(func(i int) app.UI { return transcriptLine(t.Lines[i]) }),
		),
	)
}

func transcriptLine(l past.ReadLine) app.UI {
	class := ""
	if l.Stderr {
		class = "bad"
	}
	return app.Elem("div").Body(
		app.Elem("span").Class("at").Text(clock(l.T)+"  "), app.Elem("span").Class(class).Text(l.Text))
}
