package start

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/stage"
)

// TestFirstVisit: a visit by a link, a later visit and one after the panel was closed do not get the panel.
func TestFirstVisit(t *testing.T) {
	for _, c := range []struct {
		saved, fragment, seen string
		want                  bool
	}{
		{"", "", "", true},
		{"", "stage", "", true}, // a place in the page
		{"{}", "", "", false},
		{"", "s=recreate", "", false},
		{"", "1.rAAAA", "", false}, // a damaged link is one, too
		{"", "", "seen", false},
	} {
		if got := FirstVisit(c.saved, c.fragment, c.seen); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

// TestOffers: below a pasted manifest stands what to do next, until something is done.
func TestOffers(t *testing.T) {
	s := session.New(false)
	s.NewText(apptest.OwnText)
	apptest.Compute(t, s)
	s.Cursor.ToEnd()
	on := stage.New(s, false)
	html := apptest.HTML(Offers(s, on))
	for _, want := range []string{"6 pods are up:", "Roll out 2.4.2", "Break it", "Drain node-1"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in %s", want, html)
		}
	}
	s.Cursor.ToStart()
	if html := apptest.HTML(Offers(s, on)); !strings.Contains(html, "The pods start.") {
		t.Errorf("before the pods are up: %s", html)
	}
	s.Kubectl(command.Scale(s.Workload(), 3))
	if html := apptest.HTML(Offers(s, on)); strings.Contains(html, "button") {
		t.Errorf("after a command: %s", html)
	}
}
