package app

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/scenarios"
)

// learnedKey is where the browser keeps the names of the lessons whose last caption was reached. The gallery reads it too.
const learnedKey = "rollplay/progress"

// learn notes the lesson at the cursor when its last caption is reached as it was written.
func (p *page) learn() {
	s := p.s
	name := s.Preset()
	if p.embed != nil || name == "" || s.Run() == nil || !p.lessonDone() {
		return
	}
	if names := strings.Fields(p.learned); !slices.Contains(names, name) {
		p.learned = strings.Join(append(names, name), " ")
		browser.Store(learnedKey, p.learned)
	}
}

// lessonDone says whether the last caption is reached in the lesson's own run; or an exercise is solved, with its text as it is.
func (p *page) lessonDone() bool {
	s := p.s
	if len(s.Run().Scenario().Goals) > 0 {
		return s.Tried() && !s.LessonEdited() && s.Solved()
	}
	return s.Caption() >= 0 && s.CaptionBeyond() < 0 && !s.LessonLeft()
}

// readLearned keeps of what is stored the names of lessons that there are.
func readLearned(saved string) string {
	all := scenarios.Names()
	return strings.Join(slices.DeleteFunc(strings.Fields(saved), func(name string) bool { return !slices.Contains(all, name) }), " ")
}
