package app

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/scenarios"
)

// learnedKey is where the browser keeps the names of the lessons whose last caption was reached. The gallery reads it too.
const learnedKey = "rollplay/progress"

// learn notes the lesson at the cursor when its last caption is reached as it was written.
func (p *page) learn() {
	s := p.s
	name := s.Preset()
	if p.embed != nil || name == "" || s.Caption() < 0 || s.CaptionBeyond() >= 0 || s.LessonLeft() {
		return
	}
	if names := strings.Fields(p.learned); !slices.Contains(names, name) {
		p.learned = strings.Join(append(names, name), " ")
		browser.Store(learnedKey, p.learned)
	}
}

// readLearned keeps of what is stored the names of lessons that there are.
func readLearned(saved string) string {
	all := scenarios.Names()
	return strings.Join(slices.DeleteFunc(strings.Fields(saved), func(name string) bool { return !slices.Contains(all, name) }), " ")
}

// chapters are the shipped scenarios in the parts of the path, with a tick at those that were finished.
func (m *titleMenu) chapters() app.UI {
	learned, chapters := strings.Fields(m.View.Learned), scenarios.Chapters()
	return app.Elem("div").Class("title-lessons").Body(app.Range(chapters).Slice(func(i int) app.UI {
		c := &chapters[i]
		return app.Elem("div").Body(
			app.Elem("h3").Text(m.View.Lang.Say(lang.Message("chapter-"+c.ID))),
			app.Elem("ul").Body(app.Range(c.Lessons).Slice(func(k int) app.UI {
				return m.lesson(c.Lessons[k], slices.Contains(learned, c.Lessons[k]))
			})),
		)
	}))
}

func (m *titleMenu) lesson(name string, learned bool) app.UI {
	class, title := "menu-item", session.Title(m.View.Lang, name)
	if name == m.View.Preset {
		class = "menu-item current"
	}
	if learned {
		title = "✓ " + title
	}
	return app.Elem("li").Body(&parts.Button{Act: "lesson-open", Class: class, Text: title, Do: act.Scenario, Value: name, Data: "value"})
}
