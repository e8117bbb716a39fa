package details

import (
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/terminal"
	"github.com/rollplay/rollplay/engine/words"
)

// terminalShown is what JavaScript has of the terminal.
type terminalShown struct {
	lines  []terminal.Line
	of     *terminal.Line // where they begin in the scrollback that they are from
	prompt promptKey
}

// promptKey is what the prompt depends on.
type promptKey struct {
	running          string
	waiting, entered int
}

type promptState struct {
	Running string   `json:"running"` // the command that still prints, empty if the prompt is free
	Waiting int      `json:"waiting"` // pasted lines behind it
	History []string `json:"history"`
}

// Push hands JavaScript what changed of the tab that is shown, if JavaScript draws it.
func (p *Panels) Push(now time.Time) {
	p.pushPods(now)
	p.pushTerminal()
}

func (p *Panels) pushTerminal() {
	if p.Tab != "terminal" || app.IsServer {
		return
	}
	v := &p.terminal
	lines := p.s.Prompt.Screen().Lines()
	keep := v.keeps(lines)
	same := keep == len(v.lines) && keep == len(lines)
	v.lines, v.of = lines, first(lines)
	if prompt := p.promptNews(); prompt != nil || !same {
		browser.Terminal(keep, encodeLines(lines[keep:]), prompt)
	}
}

// presets are lines that people type first; a press types them at the prompt.
func (p *Panels) presets() []string {
	if p.Tab != "terminal" || p.s.Run() == nil {
		return nil
	}
	lines := []string{"kubectl get all -o wide", "kubectl get events"}
	if w := p.s.Workload(); w != "" {
		target, in := command.Target(w), command.InNamespace(w)
		lines = []string{"kubectl get " + target + " -o wide" + in, "kubectl get pods -o wide" + in, "kubectl describe " + target + in,
			"kubectl rollout status " + target + in, "kubectl rollout history " + target + in, "kubectl get events" + in, "kubectl get nodes"}
		if command.Kind(w) == "Deployment" {
			lines = slices.Insert(lines, 1, "kubectl get rs -o wide"+in)
		}
	}
	return lines
}

func preset(line string) app.UI {
	return &parts.Button{Act: "preset-line", Class: "button chip", Text: strings.TrimPrefix(line, "kubectl "), Title: line, Do: act.Terminal, Value: line, Data: "line"}
}

// promptNews returns the state of the prompt, nil if JavaScript has it.
func (p *Panels) promptNews() any {
	t := p.s.Prompt.Screen()
	key := promptKey{waiting: t.Waiting(), entered: t.Entered()}
	if e := t.Stream(); e != nil {
		key.running = e.Line
	}
	if key == p.terminal.prompt {
		return nil
	}
	p.terminal.prompt = key
	return browser.JSON(promptState{Running: key.running, Waiting: key.waiting, History: t.History()})
}

// keeps returns how many lines of JavaScript's are still right. While a run plays they come from the same list.
func (v *terminalShown) keeps(lines []terminal.Line) int {
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

func first(lines []terminal.Line) *terminal.Line {
	if len(lines) == 0 {
		return nil
	}
	return &lines[0]
}

// encodeLines writes lines for JavaScript: a letter for the kind, the time of a command, a tab, the text.
func encodeLines(lines []terminal.Line) string {
	return words.Join(lines, "\n", func(l terminal.Line) string {
		at := ""
		if l.Kind == terminal.KindCommand {
			at = cursor.Clock(l.At.T)
		}
		return string(rune(l.Kind)) + at + "\t" + l.Text
	})
}

// completion is how a line can continue: the part to keep, and the candidates after it.
type completion struct {
	Kept       string   `json:"kept"`
	Candidates []string `json:"candidates"`
}

// Ask answers at once: the completion of a line, or all that was printed.
func (p *Panels) Ask(what, value string) string {
	s := p.s
	if s.Run() == nil {
		return ""
	}
	if what == "transcript" {
		return s.Prompt.Screen().Transcript()
	}
	kept, candidates := s.Run().Past().Complete(value, s.Cursor.Record)
	return browser.JSON(completion{kept, candidates})
}
