package session_test

import (
	"testing"

	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/scenarios"
)

// TestNoQuestionIsPassed: every lesson opens at its first caption or before it, and offers each of its questions, also on a machine that
// computes one event for each slice of a frame.
func TestNoQuestionIsPassed(t *testing.T) {
	for _, name := range scenarios.Names() {
		for _, slow := range []bool{false, true} {
			s := session.New(false)
			events := 100_000
			if slow {
				hurried(s)
				events = 3
			}
			s.Cursor.Guide = session.Guide{Captions: true, Idle: true, Opening: true}
			s.LoadScenario(name)
			asked, want := 0, 0
			captions := s.Run().Scenario().Captions
			for _, c := range captions {
				if c.Ask != nil {
					want++
				}
			}
			first := true
			for !s.Cursor.AtEnd() {
				if s.Compute(events); s.Cursor.Playing {
					s.Tick(16)
				}
				if s.Cursor.Playing || s.Cursor.AtEnd() {
					continue
				}
				if first && s.Cursor.T != captions[0].At {
					t.Errorf("%s, slow %v: the first stop is at %d ms, the first caption at %d ms", name, slow, s.Cursor.T, captions[0].At)
				}
				first = false
				if s.Lesson.Question() != nil {
					asked++
					s.Lesson.Answer(0)
					continue
				}
				s.Lesson.Continue()
			}
			if asked != want {
				t.Errorf("%s, slow %v: %d of %d questions were asked", name, slow, asked, want)
			}
		}
	}
}
