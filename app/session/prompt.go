package session

import (
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/terminal"
	"github.com/rollplay/rollplay/engine/past"
)

// Screen is the terminal at the cursor.
func (s *Session) Screen() terminal.Screen {
	return terminal.Screen{Terminal: &s.terminal, View: terminal.View{Run: s.run, Number: s.runs, Cursor: s.cursor, Lang: s.lang, Prints: func() []int { return s.index.of(s.run).prints }}}
}

// Type takes what was typed or pasted at the prompt: a command, or several that run one after the other. It ends what
// still runs, as a person does who wants the prompt back.
func (s *Session) Type(text string) {
	lines := past.SplitLines(text)
	if len(lines) == 0 {
		return
	}
	if s.run == nil {
		s.refuse(s.lang.Say("run-no-prompt"))
		return
	}
	s.Interrupt()
	s.terminal.Enter(lines)
	s.carryOn()
}

// Interrupt is Ctrl-C at the prompt.
func (s *Session) Interrupt() {
	if s.Screen().Interrupt() {
		s.touched = true
	}
}

// ClearTerminal hides what was printed up to the cursor. A stream continues.
func (s *Session) ClearTerminal() {
	if s.run != nil {
		s.note(terminal.LineClear, "", false)
	}
}

// EditAt is a line of the editor that is to be shown, 0 for none. It answers once.
func (s *Session) EditAt() int {
	at := s.editAt
	s.editAt = 0
	return at
}

// carryOn runs the lines that wait at the prompt, as far as no stream is in front of them.
func (s *Session) carryOn() {
	for s.terminal.Waiting() > 0 && s.ready() {
		line, ok := s.Screen().Next()
		if !ok {
			return
		}
		s.enter(line)
	}
}

// halt is where the cursor stops on its way to a later moment, so that a line that waits at the prompt can run.
func (s *Session) halt(to int64) int64 {
	if s.terminal.Waiting() == 0 {
		return to
	}
	return s.Screen().Halt(to)
}

// enter carries out one line at the cursor. The run must be ready.
func (s *Session) enter(line string) {
	s.terminal.Remember(line)
	s.touched = true
	if line == terminal.LineClear || line == terminal.LineHelp {
		s.note(line, "", false)
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
		s.touched = true
		s.follow(s.Screen().Ask(c))
	case c.Edits():
		s.edit(c)
	case refused:
		s.note(line, answer, true)
	default:
		s.Kubectl(c.Text)
	}
}

// edit carries out kubectl edit: the editor opens at the object's manifest.
func (s *Session) edit(c *past.Command) {
	if object, refusal, _ := s.run.Past().Edit(c, s.cursor.Record); object == "" {
		s.note(c.Text, refusal.Text(), true)
	} else {
		s.openManifest(c.Text, object)
	}
}

func (s *Session) note(line, said string, failed bool) *terminal.Entry {
	s.touched = true
	return s.Screen().Note(line, said, failed)
}

// follow plays the run for a stream, unless the person asked for less motion or nothing more can happen.
func (s *Session) follow(e *terminal.Entry) {
	if s.Screen().Stream() == e && !s.calm && !s.AtEnd() {
		s.playing = true
	}
}

// applyTyped applies the text of the editor. If that becomes no command of the run, the page answers in its own words.
func (s *Session) applyTyped(line string) {
	before := s.rec
	s.Apply()
	if !sameRecording(before, s.rec) {
		return
	}
	said := s.notice.Text
	if said == "" {
		said = s.said
	}
	s.note(line, said, s.notice.Bad)
}

// openManifest answers kubectl edit by showing the object's manifest in the editor.
func (s *Session) openManifest(line, object string) {
	s.editAt = s.library.Read(s.text).Line(object)
	said := s.lang.Say("edit-open", command.Target(object), s.editAt)
	if s.editAt == 0 {
		said = s.lang.Say("edit-missing", command.Target(object))
	}
	s.note(line, said, s.editAt == 0)
}
