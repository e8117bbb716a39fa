package session

import (
	"slices"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// A lesson is a scenario with captions: sentences for moments of its run. Going through it moves the cursor
// to these moments, so it needs no state: the cursor says which caption applies.

// Caption is the index of the caption at the cursor, -1 before the first caption and without a lesson.
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

// LessonLeft says that the person has given commands before the cursor, or has edited the lesson's text, so that the captions may no
// longer say what happens.
func (s *Session) LessonLeft() bool { return s.commandBefore(s.cursor.T) || s.LessonEdited() }

// rewritten remembers of a run whether it has the captions of a shipped lesson above another text.
type rewritten struct {
	of     *engine.Run
	edited bool
	try    *scenario.Try // the lesson prepared this edit; nil: it did not
}

// LessonEdited says that the run's text is that of a shipped lesson with changes, but with the lesson's captions. Whoever changes the
// captions too writes a lesson of their own.
func (s *Session) LessonEdited() bool {
	if s.rewritten.of == s.run {
		return s.rewritten.edited
	}
	name := s.Lesson()
	text := shipped(name)
	if text == "" && name != "" {
		return false // until the texts are loaded
	}
	s.rewritten = rewritten{of: s.run, edited: s.hasCaptionsOf(text)}
	if t := s.run.Scenario().Try; s.rewritten.edited && t != nil {
		sc, _ := scenario.Parse(text)
		if sc.Try != nil && sc.Try.Apply(text) == s.run.Recording().Scenario {
			s.rewritten.try = sc.Try
		}
	}
	return s.rewritten.edited
}

// Trying is the prepared edit of the lesson that runs now, nil if none does.
func (s *Session) Trying() *scenario.Try {
	if s.run == nil || !s.LessonEdited() || len(s.rec.Commands) > 0 {
		return nil
	}
	return s.rewritten.try
}

// Try makes the edit that the lesson prepared, and plays it from the start.
func (s *Session) Try() {
	if s.run == nil || s.run.Scenario().Try == nil {
		return
	}
	before, t := s.state(), s.run.Scenario().Try
	if s.start(engine.Recording{Scenario: t.Apply(s.rec.Scenario)}) {
		s.rewrite(func(text string) (string, error) { return t.Apply(text), nil })
		s.remember(before)
		s.Play()
	}
}

// hasCaptionsOf says whether the run has the captions of another text.
func (s *Session) hasCaptionsOf(text string) bool {
	if text == "" || s.run == nil || text == s.run.Recording().Scenario {
		return false
	}
	sc, _ := scenario.Parse(text)
	return sc != nil && slices.EqualFunc(sc.Captions, s.run.Scenario().Captions, scenario.Caption.Same)
}

// Lesson is the name of the shipped lesson that the run is or began as, "" if there is none.
func (s *Session) Lesson() string {
	if s.preset != "" || s.run == nil {
		return s.preset
	}
	if name := s.run.Scenario().Name; slices.Contains(scenarios.Names(), name) {
		return name
	}
	return ""
}

// LessonNext stops at the next caption, LessonBack at the previous one.
func (s *Session) LessonNext() { s.toCaption(s.CaptionBeyond()) }
func (s *Session) LessonBack() { s.toCaption(s.CaptionBehind()) }

// CaptionBeyond is the first caption after the cursor, or -1.
func (s *Session) CaptionBeyond() int {
	if s.run == nil {
		return -1
	}
	if n := s.Caption() + 1; n < len(s.run.Scenario().Captions) {
		return n
	}
	return -1
}

// CaptionBehind is the last caption of an earlier moment than the present caption's, or -1.
func (s *Session) CaptionBehind() int {
	now := s.Caption()
	for n := now - 1; n >= 0; n-- {
		if all := s.run.Scenario().Captions; all[n].At < all[now].At {
			return n
		}
	}
	return -1
}

// toCaption computes the run up to a caption and stops there, or at the end of a run that ends earlier because of what the person
// did. Screen readers read the strip itself, so nothing else is said.
func (s *Session) toCaption(n int) {
	if n < 0 {
		return
	}
	s.SeekTo(s.run.Scenario().Captions[n].At)
	s.playing = false
	s.Say("")
}

// NextLesson is the next lesson in the gallery, "" after the last one and for a person's own text.
func (s *Session) NextLesson() string {
	here := false
	for _, name := range scenarios.Names() {
		if here && shelf[name].lesson {
			return name
		}
		here = here || name == s.preset
	}
	return ""
}

// lessonMax is how many records a run may have whose goals and questions are looked at: kubectl answers some of them, for as many pods
// as there are, and the page asks again and again.
const lessonMax = 10_000

// Goals are those of an exercise with their states at the cursor, nil without an exercise.
func (s *Session) Goals() []engine.GoalState {
	if s.run == nil || len(s.run.Scenario().Goals) == 0 || s.run.Len() > lessonMax {
		return nil
	}
	return s.run.Goals(s.cursor.T)
}

// verdict is how a whole run does in its exercise.
type verdict struct {
	of       *engine.Run
	met, all int
}

// Verdict counts the goals of an exercise, and those that the whole run meets once it is computed; it is kept until another run is
// shown, because the page asks in each frame.
func (s *Session) Verdict() (met, all int) {
	v := &s.verdict
	if !s.Finished() || s.run.Len() > lessonMax {
		return 0, 0
	}
	if v.of != s.run {
		*v = verdict{of: s.run}
		for _, state := range s.run.Goals(s.End()) {
			if v.all++; state == engine.GoalMet {
				v.met++
			}
		}
	}
	return v.met, v.all
}

// Tried says that the learner has done something in an exercise, Solved that the whole run meets its goals.
func (s *Session) Tried() bool { return len(s.rec.Commands) > 0 }
func (s *Session) Solved() bool {
	met, all := s.Verdict()
	return all > 0 && met == all
}
