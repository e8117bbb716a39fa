package app

import (
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// terminalPanel is the tab with the prompt. All that is in it belongs to JavaScript (web/src/terminal.js), which is told
// what is printed (see pushTerminal).
type terminalPanel struct{ app.Compo }

// OnMount hands the empty box to JavaScript.
func (c *terminalPanel) OnMount(ctx app.Context) { mountTerminal(ctx.JSSrc()) }

// Render draws the box.
func (c *terminalPanel) Render() app.UI {
	return app.Elem("div").Class("terminal").DataSet("act", "terminal")
}

// terminalShown is what JavaScript has of the terminal.
type terminalShown struct {
	lines  []Line
	of     *Line // where they begin in the scrollback that they are from
	prompt promptKey
}

// promptKey is what the prompt depends on.
type promptKey struct {
	running          string
	waiting, entered int
}

// promptState is how the prompt is.
type promptState struct {
	Running string   `json:"running"` // the command that still prints, empty if the prompt is free
	Waiting int      `json:"waiting"` // pasted lines behind it
	History []string `json:"history"`
}

// push hands JavaScript what changed of the tab that is shown, if JavaScript draws it.
func (p *detailPanels) push(now time.Time) {
	p.pushPods(now)
	p.pushTerminal()
}

func (p *detailPanels) pushTerminal() {
	if p.tab != "terminal" || app.IsServer {
		return
	}
	v := &p.terminal
	lines := p.s.Screen().Lines()
	keep := v.keeps(lines)
	same := keep == len(v.lines) && keep == len(lines)
	v.lines, v.of = lines, first(lines)
	if prompt := p.promptNews(); prompt != nil || !same {
		callTerminal(keep, encodeLines(lines[keep:]), prompt)
	}
}

// promptNews returns how the prompt is, nil if JavaScript knows.
func (p *detailPanels) promptNews() any {
	t := p.s.Screen()
	key := promptKey{waiting: t.Waiting(), entered: t.Entered()}
	if e := t.Stream(); e != nil {
		key.running = e.Line
	}
	if key == p.terminal.prompt {
		return nil
	}
	p.terminal.prompt = key
	return marshal(promptState{Running: key.running, Waiting: key.waiting, History: t.History()})
}

// keeps returns how many of the lines that JavaScript has are right. While time goes on they come from the same list.
func (v *terminalShown) keeps(lines []Line) int {
	n := min(len(v.lines), len(lines))
	if first(lines) == v.of {
		return n
	}
	for i := range n {
		if a, b := &v.lines[i], &lines[i]; a.Kind != b.Kind || a.Text != b.Text || a.At.T != b.At.T {
			return i
		}
	}
	return n
}

func first(lines []Line) *Line {
	if len(lines) == 0 {
		return nil
	}
	return &lines[0]
}

// encodeLines writes lines for JavaScript: a letter for the kind, the time that stands beside a command, a tab, the text.
func encodeLines(lines []Line) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteByte(byte(l.Kind))
		if l.Kind == KindCommand {
			b.WriteString(clock(l.At.T))
		}
		b.WriteByte('\t')
		b.WriteString(l.Text)
	}
	return b.String()
}

// completion is how a line may go on: what is kept of it, and what may stand behind that.
type completion struct {
	Kept       string   `json:"kept"`
	Candidates []string `json:"candidates"`
}

// askTerminal answers at once: how a line goes on, or all that was printed.
func (p *detailPanels) askTerminal(what, value string) string {
	s := p.s
	if s.run == nil {
		return ""
	}
	if what == "transcript" {
		return s.Screen().Transcript()
	}
	kept, candidates := s.run.Complete(value, s.cursor.Record)
	return marshal(completion{kept, candidates})
}
