package session

import (
	"strconv"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
)

// bets are the answers to the questions of a lesson, by the index of the caption that asks. They belong to its text: undo and commands
// leave them alone.
type bets struct {
	of   string
	said map[int]int
	open *int64 // the cursor of a first visit, as long as it stays there
}

// here are the bets on the lesson that is shown.
func (b *bets) here(run *engine.Run) map[int]int {
	if text := run.Recording().Scenario; b.of != text || b.said == nil {
		*b = bets{of: text, said: map[int]int{}}
	}
	return b.said
}

// Question is what the caption at which the run waits asks, nil for no question or one that was answered. What was seen already is no
// longer asked.
func (s *Session) Question() *scenario.Ask {
	if open := s.bets.open; open != nil && *open == s.cursor.T {
		return nil
	}
	s.bets.open = nil
	if !s.Held() || s.run.Len() > lessonMax {
		return nil
	}
	n := s.Caption()
	ask := s.run.Scenario().Captions[n].Ask
	if _, said := s.bets.here(s.run)[n]; said {
		return nil
	}
	return ask
}

// Reveal asks nothing until the cursor moves: who comes for the first time is shown what there is.
func (s *Session) Reveal() {
	at := s.cursor.T
	s.bets.open = &at
}

// Most is the highest number that an answer can be: in its middle is the number of pods that the workload wants.
func (s *Session) Most() int {
	most := 4
	for _, f := range s.run.Frames(s.Workload()) {
		if f.T <= s.cursor.T {
			most = max(most, 2*f.Desired)
		}
	}
	return most
}

// Bet answers the question, and plays on to see.
func (s *Session) Bet(n int) {
	if s.Question() == nil {
		return
	}
	s.touched = true
	s.bets.here(s.run)[s.Caption()] = n
	s.Onwards()
}

// Told is a bet whose answer has been seen: what was asked and said, and what the run says.
type Told struct {
	Ask      *scenario.Ask
	Said, Is int
	Parts    []int // of which Is is the sum; see engine.Run.Answer
}

// Right says whether the bet was right.
func (t *Told) Right() bool { return t.Said == t.Is }

// Told is the last bet that the cursor has come past, until the caption after the next one; nil without one.
func (s *Session) Told() *Told {
	if s.run == nil || s.LessonLeft() || s.run.Len() > lessonMax {
		return nil
	}
	here, all := s.Caption(), s.run.Scenario().Captions
	for n := here; n >= 0 && n >= here-1; n-- {
		if t := s.betOn(n, all[n].Ask); t != nil {
			return t
		}
	}
	return nil
}

// ToldText says how the last bet went: You said 12. It is 13 = 8 + 5.
func (s *Session) ToldText() string {
	t := s.Told()
	if t == nil {
		return ""
	}
	said, is := strconv.Itoa(t.Said), strconv.Itoa(t.Is)
	if all := t.Ask.Choices; len(all) > 0 {
		if t.Is < 0 || t.Said < 0 || t.Said >= len(all) {
			return ""
		}
		said, is = s.lang.In(all[t.Said].Text), s.lang.In(all[t.Is].Text)
	}
	sign := " = "
	for _, n := range t.Parts {
		is += sign + strconv.Itoa(n)
		sign = " + "
	}
	if t.Right() {
		return s.lang.Say("bet-right", is)
	}
	return s.lang.Say("bet-wrong", said, is)
}

// Score counts the questions of a lesson that were answered and have been seen, and how many of these answers are right.
func (s *Session) Score() (right, answered int) {
	if s.run == nil || s.LessonLeft() || s.run.Len() > lessonMax {
		return 0, 0
	}
	for n, c := range s.run.Scenario().Captions {
		if t := s.betOn(n, c.Ask); t != nil {
			answered++
			if t.Right() {
				right++
			}
		}
	}
	return right, answered
}

// betOn is the bet on the question of one caption.
func (s *Session) betOn(n int, ask *scenario.Ask) *Told {
	said, ok := s.bets.here(s.run)[n]
	if !ok || ask == nil || s.cursor.T < ask.At {
		return nil
	}
	is, parts := s.run.Answer(ask)
	return &Told{ask, said, is, parts}
}
