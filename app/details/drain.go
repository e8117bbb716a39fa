package details

import (
	"sort"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/past"
)

// transcript is what a long-running command, a drain, has printed by the cursor.
type transcript struct {
	Command string
	Lines   []past.ReadLine
	Hidden  int // lines above those
	Goes    bool
}

// transcriptMax bounds the lines: a blocked drain keeps repeating itself.
const transcriptMax = 200

// lastDrain is the last drain at or before the cursor, or nil.
func (p *Panels) lastDrain() *transcript {
	s, of := p.s, p.s.Run().Past()
	for i := of.LastInput(s.Cursor.Record); i >= 0; i = of.LastInput(i - 1) {
		if c := of.Command(i); c == nil || !c.Drains() {
			continue
		}
		printed := of.Transcript(i)
		seen := sort.Search(len(printed.Lines), func(k int) bool { return printed.Lines[k].T > s.Cursor.T })
		t := &transcript{Command: s.Run().Record(i).Command, Lines: printed.Lines[:seen], Goes: printed.Open || seen < len(printed.Lines)}
		if t.Hidden = len(t.Lines) - transcriptMax; t.Hidden > 0 {
			t.Lines = t.Lines[t.Hidden:]
		}
		return t
	}
	return nil
}

// view draws the transcript as a terminal would, with times.
func (t *transcript) view(l lang.Lang) app.UI {
	state := l.Say("drain-ended")
	if t.Goes {
		state = l.Say("drain-goes-on")
	}
	return app.Elem("section").Class("drain-transcript").DataSet("act", "drain-transcript").Aria("label", l.Say("drain-printed")).Body(
		app.Elem("h3").Class("table-title").Body(
			app.Elem("span").Class("prompt").Aria("hidden", "true").Text("$ "), app.Text(t.Command),
			app.Elem("span").Class("muted").Text(" ("+state+")")),
		parts.When(t.Hidden > 0, app.Elem("p").Class("list-note").Text(l.Say("drain-last", len(t.Lines), t.Hidden))),
		app.Elem("pre").TabIndex(0).Body(app.Range(t.Lines).Slice(func(i int) app.UI { return transcriptLine(&t.Lines[i]) })),
	)
}

func transcriptLine(l *past.ReadLine) app.UI {
	class := ""
	if l.Stderr {
		class = "bad"
	}
	return app.Elem("div").Body(
		app.Elem("span").Class("at").Text(cursor.Clock(l.T)+"  "), app.Elem("span").Class(class).Text(l.Text))
}
