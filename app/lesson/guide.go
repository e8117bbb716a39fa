package lesson

import (
	"strings"

	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
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
