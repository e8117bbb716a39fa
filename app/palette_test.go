package app

import (
	"testing"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
)

// TestEveryEntryHasAHandler: what the palette posts is an action of the page, with a value of its type.
func TestEveryEntryHasAHandler(t *testing.T) {
	p := pageOf(session.New(false))
	p.s.NewText(apptest.OwnText)
	apptest.Compute(t, p.s)
	p.s.Cursor.ToEnd()
	p.s.Kubectl(command.Scale(p.s.Workload(), 3))
	known := map[string]string{act.Kubectl: "string", act.Break: "Damage", act.Key: "string", act.Restart: "nil", act.New: "string", act.Share: "nil", act.Lang: "string",
		act.Theme: "nil", act.Sound: "nil", act.Editor: "nil", act.Pane: "string", act.Tab: "string", act.Draft: "string", act.Scenario: "string", act.Object: "string",
		act.Workload: "string", act.Goto: "Position"}
	groups := map[lang.Message]bool{}
	for _, e := range p.palette.List(p.findable()) {
		groups[e.Group] = true
		kind := "nil"
		switch v := e.With.(type) {
		case string:
			kind = "string"
			if e.Do == act.Key && keyActions[v] == nil {
				t.Errorf("%s: there is no key %s", e.Text, v)
			}
		case act.Damage:
			kind = "Damage"
		case act.Position:
			kind = "Position"
		}
		if known[e.Do] != kind {
			t.Errorf("%s posts %s with a value of %s, want %q", e.Text, e.Do, kind, known[e.Do])
		}
	}
	if len(groups) < 6 {
		t.Errorf("only %d kinds of entries: %v", len(groups), groups)
	}
}
