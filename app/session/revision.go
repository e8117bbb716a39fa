package session

import (
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/engine"
)

// revision counts the states of the session that look different on the screen.
type revision struct {
	number int
	seen   model
}

// model is everything on the screen that does not follow from the rest of it. Parts that are plain data are compared whole, so a
// new field of theirs takes part without being listed here.
type model struct {
	visit Visit

	run      int // which one is shown
	extent   Extent
	asks     bool
	workload string

	cursor   Cursor
	text     [3]string // of the editor, what was applied of it, and the scenario that it came from
	draft    string
	offering bool
	branches int
	lesson   lessonPart
	prompt   [3]int // the versions of its entries and its history, and the lines that wait
	preview  *engine.Run
}

// lessonPart is where a lesson is, and how many of its questions are answered.
type lessonPart struct {
	caption, answered int
	question          bool
	hidden            int64
}

// Revision is another number whenever the screen must be drawn again. It is raised here and nowhere else: the number follows from
// the state, so an action cannot forget to raise it.
func (s *Session) Revision() int {
	if now := s.model(); now != s.revision.seen {
		s.revision.seen = now
		s.revision.number++
	}
	return s.revision.number
}

func (s *Session) model() model {
	c, l, p := &s.Computed, &s.Lesson, &s.Prompt.terminal
	return model{
		visit: s.Visit, cursor: s.Cursor.model(),
		run: c.Number, extent: c.Extent(), asks: c.Asks(), workload: c.Workload(),
		text:  [3]string{s.Document.Text, s.Document.applied, s.Document.Preset},
		draft: s.Draft.ID(), offering: s.Draft.offering, branches: s.Branches.Changes,
		lesson: lessonPart{l.Caption(), len(l.answers.given), l.Question() != nil, l.Hidden()},
		prompt: [3]int{p.Version(), p.Entered(), p.Waiting()}, preview: s.Preview.run,
	}
}

// model leaves out how the cursor moves within a second: JavaScript moves its line, and ages in tables are in seconds.
func (c *Cursor) model() Cursor {
	seen := *c
	seen.T, seen.frac, seen.goal, seen.looked.At.T = c.T/cursor.Second, 0, 0, 0
	seen.announced = announced{}
	return seen
}
