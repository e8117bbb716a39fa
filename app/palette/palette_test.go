package palette

import (
	"testing"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/drafts"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/stage"
)

// TestFind: what a person types finds what they mean first, in both languages.
func TestFind(t *testing.T) {
	s := session.New(false)
	s.NewText(apptest.OwnText)
	apptest.Compute(t, s)
	s.Cursor.ToEnd()
	p, on := New(s), stage.New(s, false)
	for _, tt := range []struct {
		lang  lang.Lang
		typed string
		want  string
		do    string
	}{
		{"en", "roll out", "Roll out 2.4.2", act.Kubectl},
		{"en", "ROLL 2.4.2", "Roll out 2.4.2", act.Kubectl},
		{"en", "undo", "Undo rollout", act.Kubectl},
		{"en", "crashes again and", "It crashes again and again", act.Break},
		{"en", "break pull", "The image cannot be pulled", act.Break},
		{"en", "drain", gallery.Title("en", "drain"), act.Scenario},
		{"en", "crash", gallery.Title("en", "crash-loop"), act.Scenario},
		{"en", "drain node-1", "Drain node-1", act.Kubectl},
		{"en", "maxsurge", "maxSurge", act.Goto},
		{"en", "mxsrg", "maxSurge", act.Goto},
		{"en", "rollingupdate maxsurge", "maxSurge", act.Goto},
		{"en", "checkout", "checkout 1.9", act.Draft},
		{"en", "percentages", "How percentages are rounded", act.Scenario},
		{"en", "queues", "Work queues", act.Tab},
		{"en", "deployment/web", "deployment/web", act.Workload},
		{"zh", "undo rollout", "回滚", act.Kubectl},
		{"zh", "腾空 node-1", "腾空节点 node-1", act.Kubectl},
		{"zh", "percentages", gallery.Title("zh", "rounding"), act.Scenario},
		{"en", "no such thing", "", ""},
	} {
		s.Visit.SetLang(string(tt.lang))
		found := find(tt.lang, p.List(Page{Ways: on.Ways(), Drafts: []drafts.Head{{ID: "x", Name: "checkout 1.9", At: 1}}, NextTheme: "light"}), tt.typed)
		switch {
		case tt.want == "" && len(found) > 0:
			t.Errorf("%q finds %q", tt.typed, found[0].Text)
		case tt.want != "" && (len(found) == 0 || found[0].Text != tt.want || found[0].Do != tt.do):
			t.Errorf("%s %q finds %+v, want %s", tt.lang, tt.typed, found[:min(2, len(found))], tt.want)
		}
	}
}
