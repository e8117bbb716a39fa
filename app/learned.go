package app

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
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
func (h *header) chapters() (groups []app.UI) {
	learned := strings.Fields(h.Learned)
	for _, c := range scenarios.Chapters() {
		var options []app.UI
		for _, name := range c.Lessons {
			if h.Stocked || name == h.Preset {
				options = append(options, h.lesson(name, slices.Contains(learned, name)))
			}
		}
		if len(options) > 0 {
			groups = append(groups, app.Elem("optgroup").Attr("label", h.Lang.Say(lang.Message("chapter-"+c.ID))).Body(options...))
		}
	}
	return groups
}

func (h *header) lesson(name string, learned bool) app.UI {
	title := session.Title(h.Lang, name)
	if learned {
		title = "✓ " + title
	}
	return app.Elem("option").Attr("value", name).Text(title).Attr("selected", name == h.Preset)
}
