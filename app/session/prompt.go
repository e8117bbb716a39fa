package session

import (
	"cmp"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/terminal"
	"github.com/rollplay/rollplay/engine/past"
)

// Prompt is the kubectl prompt.
type Prompt struct {
	terminal terminal.Terminal
	editAt   int // a line of the editor that is to be shown, 0 for none

	visit    *Visit
	computed *Run
	cursor   *Cursor
	reading  *Reading
}

// Screen is the terminal at the cursor.
func (p *Prompt) Screen() terminal.Screen {
	return terminal.Screen{Terminal: &p.terminal, Run: p.computed.shown, Number: p.computed.Number, Cursor: p.cursor.Place, Lang: p.visit.Lang,
		Prints: func() []int { return p.reading.Index().prints }}
}

// Type takes what was typed or pasted at the prompt: a command, or several that run one after the other. It ends what
// still runs, as a person does who wants the prompt back.
func (s *Session) Type(text string) {
	lines := past.SplitLines(text)
	if len(lines) == 0 {
		return
	}
	if s.Computed.shown == nil {
		s.Visit.refuse(s.Visit.Lang.Say("run-no-prompt"))
		return
	}
	s.Prompt.Interrupt()
	s.Prompt.terminal.Enter(lines)
	s.carryOn()
}

// Interrupt is Ctrl-C at the prompt.
func (p *Prompt) Interrupt() {
	if p.Screen().Interrupt() {
		p.visit.Touched = true
	}
}

// Clear hides what was printed up to the cursor. A stream continues.
func (p *Prompt) Clear() {
	if p.computed.shown != nil {
		p.visit.Touched = true
		p.Screen().Note(terminal.LineClear, "", false)
	}
}

// EditAt is a line of the editor that is to be shown, 0 for none. It answers once.
func (p *Prompt) EditAt() int {
	at := p.editAt
	p.editAt = 0
	return at
}

// carryOn runs the lines that wait at the prompt, as far as no stream is in front of them.
func (s *Session) carryOn() {
	for s.Prompt.terminal.Waiting() > 0 && s.ready(s.Cursor.T) {
		line, ok := s.Prompt.Screen().Next()
		if !ok {
			return
		}
		s.enter(line)
	}
}

// enter carries out one line at the cursor. The run must be ready.
func (s *Session) enter(line string) {
	s.Prompt.terminal.Remember(line)
	s.Visit.Touched = true
	if line == terminal.LineClear || line == terminal.LineHelp {
		s.Prompt.Screen().Note(line, "", false)
		return
	}
	c := past.Parse(line)
	answer, refused := c.Refused()
	if late := s.tooLate(); late != "" && !refused {
		answer, refused = late, true
	}
	switch {
	case c.WantsManifest():
		s.applyTyped(c.Text)
	case c.Reads():
		asked := s.Prompt.Screen().Ask(c)
		if s.Prompt.Screen().Stream() == asked && !s.Visit.Calm && !s.Cursor.AtEnd() {
			s.Cursor.Playing = true // for the stream
		}
	case c.Edits():
		s.edit(c)
	case refused:
		s.Prompt.Screen().Note(line, answer, true)
	default:
		s.Kubectl(c.Text)
	}
}

// edit carries out kubectl edit: the editor opens at the object's manifest.
func (s *Session) edit(c *past.Command) {
	object, refusal := s.Computed.shown.Past().Edit(c, s.Cursor.Record)
	if object == "" {
		s.Prompt.Screen().Note(c.Text, refusal.Text(), true)
		return
	}
	s.Prompt.editAt = s.library.Read(s.Document.Text).Line(object)
	said := s.Visit.Lang.Say("edit-open", command.Target(object), s.Prompt.editAt)
	if s.Prompt.editAt == 0 {
		said = s.Visit.Lang.Say("edit-missing", command.Target(object))
	}
	s.Prompt.Screen().Note(c.Text, said, s.Prompt.editAt == 0)
}

// applyTyped applies the text of the editor. If that becomes no command of the run, the page answers in its own words.
func (s *Session) applyTyped(line string) {
	before := s.Computed.rec
	s.Apply()
	if !sameRecording(before, s.Computed.rec) {
		return
	}
	s.Prompt.Screen().Note(line, cmp.Or(s.Visit.Notice.Text, s.Visit.Said), s.Visit.Notice.Bad)
}
