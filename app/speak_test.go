package app

import (
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/apptest"
)

// TestSpeak: a run that plays tells its counts when they have changed, five seconds apart at least and not right after a caption.
func TestSpeak(t *testing.T) {
	p := &page{}
	if err := app.NewTestEngine().Load(p); err != nil {
		t.Fatal(err)
	}
	apptest.Compute(t, p.s)
	begin := time.Now()
	p.s.Cursor.SeekTo(12_000)
	p.speak(begin)
	if p.s.Visit.Said != "" && strings.Contains(p.s.Visit.Said, "pods") {
		t.Fatalf("a run that stands says %q", p.s.Visit.Said)
	}
	p.s.Cursor.Playing = true
	p.speak(begin)
	for _, step := range []struct {
		cursor int64
		after  time.Duration
		says   string
	}{
		{12_010, 4 * time.Second, ""},
		{12_020, 6 * time.Second, "12.0 s: 13 pods, 8 available, bounds 8 to 13"},
		{12_030, 20 * time.Second, ""}, // the same counts
		{14_000, 21 * time.Second, ""}, // a caption has come
		{14_100, 25 * time.Second, ""},
		{14_100, 27 * time.Second, "14.1 s: 11 pods, 8 available"},
		{14_900, 28 * time.Second, ""},
	} {
		p.s.Visit.Said = ""
		p.s.Cursor.SeekTo(step.cursor)
		p.s.Cursor.Playing = true
		p.speak(begin.Add(step.after))
		if got := p.s.Visit.Said; !strings.HasPrefix(got, step.says) || (got == "") != (step.says == "") {
			t.Errorf("after %v it says %q, want %q", step.after, got, step.says)
		}
	}
}

// TestTellLateVerdict: a verdict that comes after the caption of its moment leaves the caption in the live region; at another moment it is told.
func TestTellLateVerdict(t *testing.T) {
	p := &page{}
	if err := app.NewTestEngine().Load(p); err != nil {
		t.Fatal(err)
	}
	apptest.Compute(t, p.s)
	p.s.Cursor.SeekTo(0)
	p.tell()
	p.s.Lesson.Next()
	p.tell()
	caption := p.lesson.Spoken()
	for _, step := range []struct {
		cursor int64
		told   bool
	}{{p.s.Cursor.T, false}, {p.s.Cursor.T + 1, true}} {
		p.s.Cursor.SeekTo(step.cursor)
		p.told.heard.verdict = "the verdict before it was computed"
		p.tell()
		if got := p.s.Visit.Said; (got == p.stage.Says()) != step.told || (got == caption) == step.told {
			t.Errorf("at %d ms it says %q", step.cursor, got)
		}
	}
}
