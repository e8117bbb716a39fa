package app

import (
	"strings"

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
	lines  []printed
	of     *printed // where they begin in the scrollback that they are from
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

// pushTerminal hands JavaScript what changed, if it can be seen, and the editor the line that kubectl edit is about.
func (p *page) pushTerminal() {
	if at := p.s.terminal.editAt; at > 0 {
		p.s.terminal.editAt = 0
		gotoLine(at, 1)
	}
	if p.tab != "terminal" || app.IsServer {
		return
	}
	v := &p.terminal
	lines := p.s.printedLines()
	keep := v.keeps(lines)
	same := keep == len(v.lines) && keep == len(lines)
	v.lines, v.of = lines, first(lines)
	if prompt := p.promptNews(); prompt != nil || !same {
		callTerminal(keep, encodeLines(lines[keep:]), prompt)
	}
}

// promptNews returns how the prompt is, nil if JavaScript knows.
func (p *page) promptNews() any {
	t := &p.s.terminal
	key := promptKey{waiting: len(t.waiting), entered: t.entered}
	if e := p.s.stream(); e != nil {
		key.running = e.Line
	}
	if key == p.terminal.prompt {
		return nil
	}
	p.terminal.prompt = key
	return marshal(promptState{Running: key.running, Waiting: key.waiting, History: t.history})
}

// keeps returns how many of the lines that JavaScript has are right. While time goes on they come from the same list.
func (v *terminalShown) keeps(lines []printed) int {
	n := min(len(v.lines), len(lines))
	if first(lines) == v.of {
		return n
	}
	for i := range n {
		if a, b := &v.lines[i], &lines[i]; a.kind != b.kind || a.text != b.text || a.at.T != b.at.T {
			return i
		}
	}
	return n
}

func first(lines []printed) *printed {
	if len(lines) == 0 {
		return nil
	}
	return &lines[0]
}

// encodeLines writes lines for JavaScript: a letter for the kind, the time that stands beside a command, a tab, the text.
func encodeLines(lines []printed) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteByte(byte(l.kind))
		if l.kind == printedCommand {
			b.WriteString(clock(l.at.T))
		}
		b.WriteByte('\t')
		b.WriteString(l.text)
	}
	return b.String()
}

// completion is how a line may go on: what is kept of it, and what may stand behind that.
type completion struct {
	Kept       string   `json:"kept"`
	Candidates []string `json:"candidates"`
}

// askTerminal answers at once: how a line goes on, or all that was printed.
func (p *page) askTerminal(what, value string) string {
	s := p.s
	if s.run == nil {
		return ""
	}
	if what == "transcript" {
		return s.transcript()
	}
	kept, candidates := s.run.Past().Complete(value, s.cursor.Record)
	return marshal(completion{kept, candidates})
}

func (p *page) onTerminal(ctx app.Context, a app.Action) {
	p.s.Type(a.Value.(string))
	p.changed(ctx)
}

func (p *page) onTerminalStop(ctx app.Context, _ app.Action) {
	p.s.Interrupt()
	p.changed(ctx)
}

func (p *page) onTerminalClear(ctx app.Context, _ app.Action) {
	p.s.ClearTerminal()
	p.changed(ctx)
}

func (p *page) onTerminalFocus(ctx app.Context, _ app.Action) {
	p.tab = "terminal"
	ctx.Defer(p.push)
	ctx.Defer(func(app.Context) { focusTerminal() })
}
