package stage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/session"
)

// TestCountsFollowTheCursor: a person who does not see the chart hears what the frame at the cursor has. While a question waits
// the bounds are kept back.
func TestCountsFollowTheCursor(t *testing.T) {
	s, p := lesson(t, "first-rollout")
	for i, f := range s.Run().Frames(s.Workload()) {
		s.Cursor.SeekTo(f.T)
		frames := s.Run().Frames(s.Workload())
		if last := i+1 == len(frames) || frames[i+1].T > f.T; !last {
			continue
		}
		want := fmt.Sprintf("%s s: %d pods, %d available, bounds %d to %d", chart.Tenths(f.T), f.Total, f.Available, f.Lower, f.Upper)
		if got := p.Counts(); got != want {
			t.Errorf("%d ms: %q, want %q", f.T, got, want)
		}
		if html := apptest.HTML(p.Chart()); !strings.Contains(html, want+"\"") {
			t.Errorf("%d ms: the picture's text does not end with %q", f.T, want)
		}
	}
	s.Cursor.Guide = session.Guide{Captions: true}
	s.LoadScenario("first-rollout")
	apptest.Compute(t, s)
	s.Cursor.SeekTo(9000)
	for s.Cursor.Play(); s.Cursor.Playing; {
		s.Tick(16)
	}
	if got := p.Counts(); s.Lesson.Question() == nil || !strings.Contains(got, "available") || strings.Contains(got, "bounds") {
		t.Errorf("%d ms: the question is %v, and it says %q", s.Cursor.T, s.Lesson.Question(), got)
	}
}
