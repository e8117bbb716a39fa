package session

import "github.com/rollplay/rollplay/scenarios"

// A lesson is a scenario with captions: sentences that belong to moments of its run. Going through it is moving the cursor
// to these moments, so there is no state of its own: where the cursor is says which caption holds.

// Caption is the index of the caption that holds at the cursor, -1 before the first one and without a lesson.
func (s *Session) Caption() int {
	if s.run == nil {
		return -1
	}
	n := -1
	for i, c := range s.run.Scenario().Captions {
		if c.At <= s.cursor.T {
			n = i
		}
	}
	return n
}

// LessonLeft says that the person has given commands before the cursor: then nobody knows whether the captions still tell
// what happens.
func (s *Session) LessonLeft() bool { return s.commandBefore(s.cursor.T) }

// LessonNext rests at the moment of the next caption, LessonBack at that of the caption before the present one.
func (s *Session) LessonNext() { s.toCaption(s.CaptionBeyond()) }
func (s *Session) LessonBack() { s.toCaption(s.CaptionBehind()) }

// CaptionBeyond is the first caption after the cursor, -1 if there is none.
func (s *Session) CaptionBeyond() int {
	if s.run == nil {
		return -1
	}
	if n := s.Caption() + 1; n < len(s.run.Scenario().Captions) {
		return n
	}
	return -1
}

// CaptionBehind is the last caption of a moment before that of the present one, -1 if there is none.
func (s *Session) CaptionBehind() int {
	now := s.Caption()
	for n := now - 1; n >= 0; n-- {
		if all := s.run.Scenario().Captions; all[n].At < all[now].At {
			return n
		}
	}
	return -1
}

// toCaption computes the run up to a caption and rests there. A run that has ended before it, because of what the person
// did, rests at its end. The strip itself is read out, so nothing else is said.
func (s *Session) toCaption(n int) {
	if n < 0 {
		return
	}
	s.SeekFar(s.run.Scenario().Captions[n].At)
	s.playing = false
	s.Say("")
}

// NextLesson is the scenario with a lesson that follows the present one in the gallery, "" after the last one and for a text
// of one's own.
func (s *Session) NextLesson() string {
	here := false
	for _, name := range scenarios.Names() {
		if here && shelvedOf(name).lesson {
			return name
		}
		here = here || name == s.preset
	}
	return ""
}
