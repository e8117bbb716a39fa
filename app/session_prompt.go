package app

import (
	"github.com/rollplay/rollplay/engine"
)

// Screen is the terminal at the cursor.
func (s *session) Screen() Screen {
	return Screen{Terminal: &s.terminal, View: View{Run: s.run, Number: s.runs, Cursor: s.cursor, Lang: s.lang, Prints: s.index.of(s.run).prints}}
}

// Type takes what was typed or pasted at the prompt: a command, or several that run one after the other. It ends what
// still runs, as a person does who wants the prompt back.
func (s *session) Type(text string) {
	lines := engine.SplitLines(text)
	if len(lines) == 0 {
		return
	}
	if s.run == nil {
		s.refuse(s.lang.say("run-no-prompt"))
		return
	}
	s.Interrupt()
	s.terminal.Enter(lines)
	s.carryOn()
}

// Interrupt is Ctrl-C at the prompt.
func (s *session) Interrupt() {
	if s.Screen().Interrupt() {
		s.touched = true
	}
}

// ClearTerminal hides what was printed up to the cursor. A stream continues.
func (s *session) ClearTerminal() {
	if s.run != nil {
		s.note(LineClear, "", false)
	}
}

// EditAt is a line of the editor that is to be shown, 0 for none. It answers once.
func (s *session) EditAt() int {
	at := s.editAt
	s.editAt = 0
	return at
}

// carryOn runs the lines that wait at the prompt, as far as no stream is in front of them.
func (s *session) carryOn() {
	for s.terminal.Waiting() > 0 {
		line, ok := s.Screen().Next()
		if !ok {
			return
		}
		s.enter(line)
	}
}

// halt is where the cursor stops on its way to a later moment, for the sake of a line that waits at the prompt.
func (s *session) halt(to int64) int64 {
	if s.terminal.Waiting() == 0 {
		return to
	}
	return s.Screen().Halt(to)
}

// enter carries out one line at the cursor.
func (s *session) enter(line string) {
	s.catchUp()
	s.terminal.Remember(line)
	s.touched = true
	if line == LineClear || line == LineHelp {
		s.note(line, "", false)
		return
	}
	full := WithKubectl(line)
	object, refusal, edits := s.run.Edit(full, s.cursor.Record)
	_, reads := s.run.Read(full, s.cursor.Record, s.cursor.T)
	answer, refused := engine.Refused(full)
	switch {
	case AppliesEditor(full):
		s.applyTyped(full)
	case reads:
		s.follow(s.note(full, "", false))
	case edits && object == "":
		s.note(full, refusal.Text(), true)
	case edits:
		s.openManifest(full, object)
	case refused:
		s.note(line, answer, true)
	default:
		s.Run(full)
	}
}

func (s *session) note(line, said string, failed bool) *Entry {
	s.touched = true
	return s.Screen().Note(line, said, failed)
}

// follow lets time go on for a stream, unless the person asked for less motion or nothing more can come.
func (s *session) follow(e *Entry) {
	if s.Screen().Stream() == e && !s.calm && !s.atEnd() {
		s.playing = true
	}
}

// catchUp shows the run of the present recording, computed up to the cursor: a line is about the cluster that is there.
func (s *session) catchUp() {
	for r := s.latest(); r.Now() <= s.cursor.T && !r.Advance(slice); {
	}
	s.adopt()
}

// applyTyped applies the text of the editor. What makes no command of the run is answered in the page's own words.
func (s *session) applyTyped(line string) {
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

// openManifest leads kubectl edit to the object's manifest in the editor.
func (s *session) openManifest(line, object string) {
	s.editAt = lineOf(s.text, object)
	said := s.lang.say("edit-open", target(object), s.editAt)
	if s.editAt == 0 {
		said = s.lang.say("edit-missing", target(object))
	}
	s.note(line, said, s.editAt == 0)
}
