package lesson

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/scenarios"
)

// GuideKey is where the browser keeps whether playing stops for a reader.
const GuideKey = "rollplay/guide"

// ReadGuide returns what was chosen last; a first visit is guided.
func ReadGuide(saved string) session.Guide {
	has := func(name string) bool { return saved == "" || strings.Contains(saved, name) }
	return session.Guide{Captions: has("captions"), Idle: has("idle"), Opening: true}
}

// chooseGuide changes it. What is stored is never empty, so that a choice against everything is remembered too.
func (p *Panel) chooseGuide(change func(*session.Guide)) {
	g := p.s.Cursor.Guide
	change(&g)
	p.s.Cursor.Guide = g
	browser.Store(GuideKey, parts.Marked(parts.Marked("guide", "captions", g.Captions), "idle", g.Idle))
}

// LearnedKey is where the browser keeps the names of the lessons whose last caption was reached. The gallery reads it too.
const LearnedKey = "rollplay/progress"

// Learn notes the lesson at the cursor when its last caption is reached as it was written.
func (p *Panel) Learn() {
	s := p.s
	name := s.Document.Preset
	if name == "" || s.Run() == nil || !p.done() {
		return
	}
	if names := strings.Fields(p.Learned); !slices.Contains(names, name) {
		p.Learned = strings.Join(append(names, name), " ")
		browser.Store(LearnedKey, p.Learned)
	}
}

// done says whether the last caption is reached in the lesson's own run; or an exercise is solved, with its text as it is.
func (p *Panel) done() bool {
	s := p.s
	if len(s.Run().Scenario().Goals) > 0 {
		return s.Lesson.Tried() && !s.Lesson.Edited() && s.Lesson.Solved()
	}
	return s.Lesson.Caption() >= 0 && s.Lesson.NextCaption() < 0 && !s.Lesson.Outdated()
}

// ReadLearned keeps of what is stored the names of lessons that there are.
func ReadLearned(saved string) string {
	all := scenarios.Names()
	return strings.Join(slices.DeleteFunc(strings.Fields(saved), func(name string) bool { return !slices.Contains(all, name) }), " ")
}
