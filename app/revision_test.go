package app

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/session"
)

// TestScreenFollowsTheRevision does anything that a person can do, in any order, and lets frames pass. As long as the page says that
// nothing has to be drawn, a page that is built from scratch looks like the one that was drawn last.
func TestScreenFollowsTheRevision(t *testing.T) {
	for seed := range uint64(4) {
		w := &watcher{t: t, quiet: seed%2 == 1, random: rand.New(rand.NewPCG(seed, 1)), p: pageOf(session.New(false))}
		w.p.s.Cursor.Guide = session.Guide{Captions: true, Idle: true}
		w.p.s.LoadScenario([]string{session.FirstScenario, "three-replicas", "recreate", "surge-100"}[seed])
		for range 60 {
			w.act()
			w.look()
			if w.frame(); t.Failed() {
				return
			}
		}
		if w.same < 40 || w.drawn < 30 {
			t.Errorf("seed %d: %d looks were the same and %d were drawn, want at least 40 and 30", seed, w.same, w.drawn)
		}
	}
}

// watcher draws a page as its frames do, and compares each state with what was drawn.
type watcher struct {
	t           *testing.T
	quiet       bool // nothing is said, because most actions say something, and so hide that they change the rest
	random      *rand.Rand
	p           *page
	shown       drawn
	html        string
	did         string
	same, drawn int
}

// act does one thing. Half of the actions only move the cursor, as keys do.
func (w *watcher) act() {
	s := w.p.s
	pick := func(keys []string) string { slices.Sort(keys); return keys[w.random.IntN(len(keys))] }
	switch w.random.IntN(11) {
	case 0, 1, 2:
		w.did = pick(keysOf(moves))
		moves[w.did](s)
	case 3, 4:
		w.did = pick(keysOf(keyActions))
		keyActions[w.did](s)
	case 5:
		w.did = pick(keysOf(plain))
		plain[w.did](s)
	case 6:
		w.did = pick([]string{act.Record, act.Speed, act.Bet, act.Remove})
		withNumber[w.did](s, w.random.IntN(6)-1)
	case 7:
		w.did = pick([]string{act.Branch, act.Compare, act.Compare, act.BranchDelete, act.BranchName})
		rows := s.Branches.Rows()
		if id := rows[w.random.IntN(len(rows))].ID; w.did == act.BranchName {
			s.Branches.Rename(id, fmt.Sprint("name ", w.random.IntN(9)))
		} else {
			withNumber[w.did](s, id)
		}
	case 8:
		lines := []string{command.Scale(s.Workload(), w.random.IntN(5)), "kubectl get pods -w", "kubectl get rs"}
		w.did = act.Terminal
		s.Type(lines[w.random.IntN(len(lines))])
	case 9:
		w.did = "edit"
		s.Document.Edit(strings.Replace(s.Document.Text, "replicas: 3", fmt.Sprintf("replicas: %d", w.random.IntN(6)), 1))
	case 10:
		w.did = act.StepBy
		withText[w.did](s, string(session.StepUnits[w.random.IntN(len(session.StepUnits))]))
	}
}

func keysOf[V any](m map[string]V) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	return keys
}

// frame lets some time pass.
func (w *watcher) frame() {
	for range 3 {
		w.did += ", frame"
		w.p.s.Compute(w.random.IntN(200))
		w.p.s.Tick(float64(w.random.IntN(40)))
		w.look()
	}
}

// look draws what is due, and otherwise compares.
func (w *watcher) look() {
	if w.quiet {
		w.p.s.Visit.Say("")
	}
	now, html := w.p.state(), plainHTML(pageOf(w.p.s))
	if now != w.shown {
		w.shown, w.html = now, html
		w.drawn++
		return
	}
	if w.same++; html != w.html && !w.t.Failed() {
		a, b := strings.SplitAfter(w.html, ">"), strings.SplitAfter(html, ">")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				w.t.Errorf("after %s the revision is the same, but the page has changed from\n%s\nto\n%s", w.did,
					strings.Join(a[max(i-2, 0):i+1], ""), strings.Join(b[max(i-2, 0):i+1], ""))
				return
			}
		}
	}
}

var (
	tag   = regexp.MustCompile(`<[^>]*>`)
	clock = regexp.MustCompile(`\d+(:\d\d)+\.\d{3}|\d+\.\d s`)
)

// plainHTML is the page without the fractions of seconds, which are drawn with the next record or second. The bytes of each tag are
// in order, because attributes come in any order.
func plainHTML(p *page) string {
	html := clock.ReplaceAllString(apptest.HTML(p), "TIME")
	return tag.ReplaceAllStringFunc(html, func(tag string) string {
		bytes := []byte(strings.Trim(tag, "<>"))
		slices.Sort(bytes)
		return "<" + string(bytes) + ">"
	})
}
