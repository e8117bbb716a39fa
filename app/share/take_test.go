package share

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/scenarios"
)

// TestTake: each button gives what its name says, of the run and the moment that the page shows.
func TestTake(t *testing.T) {
	p := New(apptest.Session(t))
	p.s.Cursor.SeekTo(12_000)
	p.moment = true
	run := p.s.Run()
	var trace bytes.Buffer
	if err := export.Trace(&trace, run); err != nil {
		t.Fatal(err)
	}
	drawn := picture.New(run, p.s.Workload(), 12_000)
	for what, want := range map[string]string{
		"yaml": p.s.Document.Text, "now": export.Manifests(run.Past(), run.Past().Find(12_000)), "json": trace.String(),
		"svg": string(drawn.SVG(picture.Light, "en")), "animated": string(drawn.Animated("en", p.links("/").URL)),
	} {
		var b bytes.Buffer
		takings[takingOf(t, what)].write(p, &b)
		if b.String() != want || want == "" {
			t.Errorf("%s: %d bytes, want %d", what, b.Len(), len(want))
		}
	}
	p.take.dark = true
	if !bytes.Equal(p.svg(), drawn.SVG(picture.Dark, "en")) {
		t.Error("the dark picture is another one")
	}
	if html := apptest.HTML(p.content()); !strings.Contains(html, "At 12 s: 10 desired") || !strings.Contains(html, "](nginx-deployment.svg)](") {
		t.Errorf("the snippet of the picture is not in %s", html)
	}
	if got := markdownPicture("u", "nginx-deployment.svg", "a]b](c"); got != `[![a\]b\](c](nginx-deployment.svg)](u)` {
		t.Errorf("got %s", got)
	}
}

// takingOf is the index of a taking.
func takingOf(t *testing.T, what string) int {
	t.Helper()
	for i := range takings {
		if takings[i].what == what {
			return i
		}
	}
	t.Fatalf("nothing is called %s", what)
	return -1
}

// TestWhatThereIsToTake: a run that is being computed has its text and its state, and without a workload there is no picture.
func TestWhatThereIsToTake(t *testing.T) {
	s := session.New(false)
	s.Document.Set(strings.Replace(scenarios.Text("first-rollout"), "replicas: 10", "replicas: 3000", 1))
	s.Restart()
	p := New(s)
	for what, want := range map[string]bool{"yaml": true, "now": true, "json": false, "svg": false, "png": false, "animated": false} {
		if takings[takingOf(t, what)].there(p) != want {
			t.Errorf("while it is computed, %s can be taken: %v", what, !want)
		}
	}
	s.Document.Set("apiVersion: v1\nkind: Node\nmetadata: {name: alone}\n")
	s.Restart()
	apptest.Compute(t, s)
	if !takings[takingOf(t, "json")].there(p) || takings[takingOf(t, "svg")].there(p) {
		t.Error("without a workload there is a picture, or no trace")
	}
	if html := apptest.HTML(p.content()); strings.Contains(html, "share-picture") {
		t.Errorf("without a workload there is a snippet of its picture: %s", html)
	}
}
