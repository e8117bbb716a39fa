package app

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/drafts"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
)

// ownText is a manifest of one's own.
const ownText = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 6
  selector: {matchLabels: {app: web}}
  strategy:
    rollingUpdate:
      maxSurge: 1
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "shop/web:2.4.1"}
`

// ownPage shows that manifest, at the end of its run.
func ownPage(t *testing.T) *page {
	t.Helper()
	p := pageOf(session.New(false))
	p.s.OpenText(ownText)
	apptest.Compute(t, p.s)
	p.s.ToEnd()
	return p
}

// TestFind: what a person types finds what they mean first, in both languages.
func TestFind(t *testing.T) {
	p := ownPage(t)
	p.recent.list = []drafts.Head{{ID: "x", Name: "checkout 1.9", At: 1}}
	for _, tt := range []struct {
		lang  lang.Lang
		typed string
		want  string
		do    string
	}{
		{"en", "roll out", "Roll out 2.4.2", act.Kubectl},
		{"en", "ROLL 2.4.2", "Roll out 2.4.2", act.Kubectl},
		{"en", "undo", "Undo rollout", act.Kubectl},
		{"en", "crash", "It crashes again and again", act.Break},
		{"en", "break pull", "The image cannot be pulled", act.Break},
		{"en", "drain", "Drain node-1", act.Kubectl},
		{"en", "maxsurge", "maxSurge", act.Goto},
		{"en", "mxsrg", "maxSurge", act.Goto},
		{"en", "rollingupdate maxsurge", "maxSurge", act.Goto},
		{"en", "checkout", "checkout 1.9", act.Draft},
		{"en", "percentages", "How percentages are rounded", act.Scenario},
		{"en", "queues", "Work queues", act.Tab},
		{"en", "deployment/web", "deployment/web", act.Workload},
		{"zh", "undo rollout", "回滚", act.Kubectl},
		{"zh", "腾空 node-1", "腾空节点 node-1", act.Kubectl},
		{"zh", "percentages", session.Title("zh", "rounding"), act.Scenario},
		{"en", "no such thing", "", ""},
	} {
		p.s.SetLang(string(tt.lang))
		found := find(tt.lang, p.entries(), tt.typed)
		switch {
		case tt.want == "" && len(found) > 0:
			t.Errorf("%q finds %q", tt.typed, found[0].Text)
		case tt.want != "" && (len(found) == 0 || found[0].Text != tt.want || found[0].Do != tt.do):
			t.Errorf("%s %q finds %+v, want %s", tt.lang, tt.typed, found[:min(2, len(found))], tt.want)
		}
	}
}

// TestEveryEntryHasAHandler: what the palette posts is an action of the page, with a value of its type.
func TestEveryEntryHasAHandler(t *testing.T) {
	p := ownPage(t)
	p.s.Kubectl(command.Scale(p.s.Workload(), 3))
	known := map[string]string{act.Kubectl: "string", act.Break: "Damage", act.Key: "string", act.Restart: "nil", act.New: "string", act.Share: "nil", act.Lang: "string",
		act.Theme: "nil", act.Editor: "nil", act.Pane: "string", act.Tab: "string", act.Draft: "string", act.Scenario: "string", act.Object: "string",
		act.Workload: "string", act.Goto: "Position"}
	groups := map[lang.Message]bool{}
	for _, e := range p.entries() {
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

// TestOffers: below a pasted manifest stands what to do next, until something is done.
func TestOffers(t *testing.T) {
	p := ownPage(t)
	html := apptest.HTML(p.offers())
	for _, want := range []string{"6 pods are up:", "Roll out 2.4.2", "Break it", "Drain node-1"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in %s", want, html)
		}
	}
	p.s.ToStart()
	if html := apptest.HTML(p.offers()); !strings.Contains(html, "The pods start.") {
		t.Errorf("before the pods are up: %s", html)
	}
	p.s.Kubectl(command.Scale(p.s.Workload(), 3))
	if html := apptest.HTML(p.offers()); strings.Contains(html, "button") {
		t.Errorf("after a command: %s", html)
	}
}

// TestDamagedCurves: what the storage holds draws paths, and nothing else.
func TestDamagedCurves(t *testing.T) {
	for _, paths := range []string{"", "M0 1", `M0 1"/><script>|M0 1`, "M0 1|<"} {
		if html := apptest.HTML(curve(paths)); strings.Contains(html, "script") || !strings.Contains(html, `d="M0 15"`) {
			t.Errorf("%q draws %s", paths, html)
		}
	}
	if html := apptest.HTML(curve("M0 1H48|M0 2H48")); !strings.Contains(html, `d="M0 2H48"`) {
		t.Errorf("no curve: %s", html)
	}
}
