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
		takeYAML: p.s.Document.Text, takeNow: export.Manifests(run.Past(), run.Past().Find(12_000)), takeTrace: trace.String(),
		takeSVG: string(drawn.SVG(picture.Light, "en")), takeAnimated: string(drawn.Animated("en", p.links("/").URL)),
	} {
		var b bytes.Buffer
		p.write(what, &b)
		if b.String() != want || want == "" {
			t.Errorf("%s: %d bytes, want %d", what, b.Len(), len(want))
		}
	}
	p.take.dark = true
	if !bytes.Equal(p.svg(), drawn.SVG(picture.Dark, "en")) {
		t.Error("the dark picture is another one")
	}
	part := p.takePart()
	if !part.Drawn || part.File != "nginx-deployment.svg" || !strings.Contains(part.Alt, "At 12 s: 10 desired") {
		t.Errorf("%+v", part)
	}
	part.Alt = "a]b](c"
	if got := markdownPicture(links{URL: "u"}, part); got != `[![a\]b\](c](nginx-deployment.svg)](u)` {
		t.Errorf("got %s", got)
	}
}

// TestWhatThereIsToTake: a run that is being computed has its text and its state, and without a workload there is no picture.
func TestWhatThereIsToTake(t *testing.T) {
	s := session.New(false)
	s.Document.Set(strings.Replace(scenarios.Text("first-rollout"), "replicas: 10", "replicas: 3000", 1))
	s.Restart()
	p := New(s)
	for what, want := range map[string]bool{takeYAML: true, takeNow: true, takeTrace: false, takeSVG: false, takePNG: false, takeAnimated: false} {
		part := p.takePart()
		if part.has(what) != want {
			t.Errorf("while it is computed, %s can be taken: %v", what, !want)
		}
	}
	s.Document.Set("apiVersion: v1\nkind: Node\nmetadata: {name: alone}\n")
	s.Restart()
	apptest.Compute(t, s)
	if part := p.takePart(); !part.has(takeTrace) || part.has(takeSVG) || part.File != "" {
		t.Errorf("without a workload: %+v", part)
	}
}
