package session

import (
	"math"
	"strconv"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
)

// answers are the answers to the questions of a lesson, by the index of the caption that asks. They belong to its text: undo and commands
// leave them alone.
type answers struct {
	of    string
	given map[int]int
	noted uint64 // a bit for each that is kept

	revealed   bool // a first visit shows everything while the cursor stays there
	revealedAt int64
}

// here are the answers in the lesson that is shown.
func (b *answers) here(run *engine.Run) map[int]int {
	if text := run.Recording().Scenario; b.of != text || b.given == nil {
		*b = answers{of: text, given: map[int]int{}}
	}
	return b.given
}

// Question is what the caption at which the run waits asks, nil for no question or one that was answered. What was seen already is no
// longer asked.
func (l *Lesson) Question() *scenario.Ask {
	if l.Hidden() != l.cursor.T || !l.Held() {
		return nil
	}
	return l.captions()[l.Caption()].Ask
}

// Hidden is the moment after which the page shows nothing of the run: that of the next question without an answer; math.MaxInt64 for none.
func (l *Lesson) Hidden() int64 {
	l.answers.revealed = l.answers.revealed && l.answers.revealedAt == l.cursor.T
	if l.answers.revealed || !l.told() || !l.stops() || l.cursor.Loop.Set == LoopOn {
		return math.MaxInt64
	}
	for n, c := range l.captions() {
		if _, said := l.answers.here(l.computed.shown)[n]; c.Ask != nil && !said && c.At >= l.cursor.T {
			return c.At
		}
	}
	return math.MaxInt64
}

// told says whether the run is still the lesson's, so that its questions have answers.
func (l *Lesson) told() bool {
	return l.computed.shown != nil && !l.Outdated() && l.computed.shown.Len() <= lessonMax
}

// Reveal asks nothing until the cursor moves, because a first visit shows everything.
func (l *Lesson) Reveal() {
	l.answers.revealed, l.answers.revealedAt = true, l.cursor.T
}

// Most is the highest number that an answer can be: in its middle is the number of pods that the workload wants.
func (l *Lesson) Most(ask *scenario.Ask) int {
	most := 4
	frames, _ := l.computed.shown.FramesOf(ask.Of)
	for _, f := range frames {
		if f.T <= l.cursor.T {
			most = max(most, 2*f.Desired)
		}
	}
	return most
}

// Answer answers the question, and plays on.
func (l *Lesson) Answer(n int) {
	if l.Question() == nil {
		return
	}
	l.visit.Touched = true
	l.answers.here(l.computed.shown)[l.Caption()] = n
	l.Continue()
}

// Answered is a question whose answer has been seen, with the answers of the person and of the run.
type Answered struct {
	Question   *scenario.Ask
	Answer, Is int
	Parts      []int // of which Is is the sum; see engine.Run.Answer
}

// Right says whether the answer was right.
func (t *Answered) Right() bool { return t.Answer == t.Is }

// Answered is the last answered question before the cursor, until the caption after the next one; nil without one.
func (l *Lesson) Answered() *Answered {
	if !l.told() {
		return nil
	}
	here, all := l.Caption(), l.captions()
	for n := here; n >= 0 && n >= here-1; n-- {
		if t := l.answerTo(n, all[n].Ask); t != nil {
			return t
		}
	}
	return nil
}

// AnsweredText says how the last answer went: You said 12. It is 13 = 8 + 5.
func (l *Lesson) AnsweredText() string {
	t := l.Answered()
	if t == nil {
		return ""
	}
	said, is := strconv.Itoa(t.Answer), strconv.Itoa(t.Is)
	if all := t.Question.Choices; len(all) > 0 {
		if t.Is < 0 || t.Answer < 0 || t.Answer >= len(all) {
			return ""
		}
		said, is = l.visit.Lang.In(all[t.Answer].Text), l.visit.Lang.In(all[t.Is].Text)
	}
	sign := " = "
	for _, n := range t.Parts {
		is += sign + strconv.Itoa(n)
		sign = " + "
	}
	if t.Right() {
		return l.visit.Lang.Say("bet-right", is)
	}
	return l.visit.Lang.Say("bet-wrong", said, is, l.visit.Lang.In(t.Question.Why(t.Answer)))
}

// Score counts the questions of a lesson that were answered and have been seen, and how many of these answers are right.
func (l *Lesson) Score() (right, answered int) {
	if !l.told() {
		return 0, 0
	}
	for n, c := range l.captions() {
		if t := l.answerTo(n, c.Ask); t != nil {
			answered++
			if t.Right() {
				right++
			}
		}
	}
	return right, answered
}

// Fresh is an answer that has been seen since it was called last: the moment of the caption that asks, and whether it was right.
func (l *Lesson) Fresh() (at int64, right, ok bool) {
	if !l.told() {
		return 0, false, false
	}
	given := l.answers.here(l.computed.shown)
	for n, c := range l.captions() {
		if _, said := given[n]; !said || l.answers.noted&(1<<n) != 0 {
			continue
		}
		if t := l.answerTo(n, c.Ask); t != nil {
			l.answers.noted |= 1 << n
			return c.At, t.Right(), true
		}
	}
	return 0, false, false
}

// answerTo is the answer to the question of one caption.
func (l *Lesson) answerTo(n int, ask *scenario.Ask) *Answered {
	said, ok := l.answers.here(l.computed.shown)[n]
	if !ok || ask == nil || l.cursor.T < ask.At {
		return nil
	}
	is, parts := l.computed.shown.Answer(ask)
	return &Answered{ask, said, is, parts}
}
