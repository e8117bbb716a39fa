package session

import (
	"strings"
	"testing"
	"unicode"

	"github.com/rollplay/rollplay/scenarios"
)

// frameMS is how long a frame of a screen takes.
const frameMS = 16

func guided(t *testing.T, name string, g Guide) *Session { return guidedWith(t, name, g, false) }

func guidedWith(t *testing.T, name string, g Guide, calm bool) *Session {
	t.Helper()
	s := New(calm)
	s.Cursor.Guide = g
	s.LoadScenario(name)
	for s.Compute(Slice) {
	}
	return s
}

// playOn plays until the session stops by itself, and returns how many ms of the person's time that took.
func playOn(t *testing.T, s *Session) int {
	t.Helper()
	for spent := 0; ; spent += frameMS {
		if !s.Cursor.Playing {
			return spent
		}
		if spent > 10*60_000 {
			t.Fatalf("still playing at %d ms after ten minutes", s.Cursor.T)
		}
		s.Tick(frameMS)
	}
}

// readingTime is how many ms a person takes for a text, at 200 words or 300 Han characters a minute.
func readingTime(text string) int {
	han, words := 0, 0
	for _, word := range strings.Fields(text) {
		n := 0
		for _, c := range word {
			if unicode.Is(unicode.Han, c) {
				n++
			}
		}
		if han += n; n == 0 {
			words++
		}
	}
	return words*60_000/200 + han*60_000/300
}

// TestNoCaptionPassesUnread: playing stops exactly at each caption of each lesson, waits there for as long as it takes to read it in
// either language, and goes on when asked.
func TestNoCaptionPassesUnread(t *testing.T) {
	for _, name := range scenarios.Names() {
		s := guided(t, name, Guide{Captions: true, Idle: true, Opening: true})
		all := s.Computed.shown.Scenario().Captions
		for s.Cursor.Playing {
			playOn(t, s)
			if n := s.Lesson.Caption(); !s.Cursor.AtEnd() && (n < 0 || all[n].At != s.Cursor.T || !s.Lesson.Held()) {
				t.Fatalf("%s stops at %d ms, where no caption begins", name, s.Cursor.T)
			}
			if n := s.Lesson.NextCaption(); n > 0 && s.Lesson.Caption() != n-1 {
				t.Errorf("%s: caption %d was passed", name, n-1)
			}
			if n := s.Lesson.Caption(); n >= 0 {
				at := s.Cursor.T
				for spent := max(readingTime(all[n].Text.En), readingTime(all[n].Text.Zh)); spent > 0; spent -= frameMS {
					s.Tick(frameMS)
				}
				if s.Cursor.T != at || s.Lesson.Caption() != n {
					t.Errorf("%s: caption %d was there too short to be read", name, n)
				}
			}
			if !s.Cursor.AtEnd() {
				s.Lesson.Continue()
			}
		}
		if len(all) > 0 && s.Lesson.Caption() != len(all)-1 {
			t.Errorf("%s ends at caption %d of %d", name, s.Lesson.Caption()+1, len(all))
		}
	}
}

// TestAStreamPassesCaptions: playing does not stop at captions while a command prints at the prompt.
func TestAStreamPassesCaptions(t *testing.T) {
	s := guided(t, "first-rollout", Guide{Captions: true})
	s.Cursor.SeekTo(9_500)
	s.Type("get rs -w")
	playOn(t, s)
	if !s.Cursor.AtEnd() {
		t.Errorf("playing stops at %d ms, although the command still prints", s.Cursor.T)
	}
}

// TestIdleTimePassesFaster: between two changes no more than idleMax passes, and nothing is skipped.
func TestIdleTimePassesFaster(t *testing.T) {
	for _, name := range []string{"deadline", "min-ready", "first-rollout"} {
		s := guided(t, name, Guide{Idle: true})
		x, waited, shown := s.Reading.Index(), 0, 0
		for s.Cursor.Playing {
			before := s.Cursor.Record
			s.Tick(frameMS)
			waited += frameMS
			if s.Cursor.Record == before {
				continue
			}
			if waited > idleMax+2*frameMS && before >= 0 {
				t.Errorf("%s: nothing happens for %d ms before %d ms of the run", name, waited, s.Cursor.T)
			}
			waited = 0
		}
		for _, i := range x.shown {
			if i <= s.Cursor.Record {
				shown++
			}
		}
		if shown != len(x.shown) {
			t.Errorf("%s: %d of %d changes were shown", name, shown, len(x.shown))
		}
	}
}

// TestPlayingBeginsAtTheOpening: the first thing that moves is the rollout that the chart shows, and whoever goes back sees the rest.
func TestPlayingBeginsAtTheOpening(t *testing.T) {
	s := guided(t, "first-rollout", Guide{Opening: true})
	s.Tick(frameMS)
	if from := s.Reading.Opening().From; from == 0 || s.Cursor.T < from || s.Cursor.T > from+100 {
		t.Errorf("playing begins at %d ms, the chart opens at %d ms", s.Cursor.T, from)
	}
	if s.Lesson.Caption() > 0 || s.Cursor.T > s.Run().Scenario().Captions[0].At {
		t.Errorf("playing begins at %d ms, after the first caption", s.Cursor.T)
	}
	s.Cursor.ToStart()
	s.Cursor.Play()
	s.Tick(frameMS)
	if s.Cursor.T > 100 {
		t.Errorf("after going back to the start it plays at %d ms", s.Cursor.T)
	}
}

// TestLessMotionStandsWhereOthersStop: with less motion a lesson stands where playing first stops, and one without captions where playing
// begins. It moves once only.
func TestLessMotionStandsWhereOthersStop(t *testing.T) {
	for _, name := range scenarios.Names() {
		g := Guide{Captions: true, Idle: true, Opening: true}
		calm, other := guidedWith(t, name, g, true), guided(t, name, g)
		want := other.Reading.Opening().From
		if len(other.Run().Scenario().Captions) > 0 {
			playOn(t, other)
			want = other.Cursor.T
		}
		calm.Tick(frameMS)
		if calm.Cursor.T != want || calm.Cursor.Playing {
			t.Errorf("%s: it stands at %d ms, others first stop at %d ms", name, calm.Cursor.T, want)
		}
		calm.Cursor.ToStart()
		if calm.Tick(frameMS); calm.Cursor.T != 0 {
			t.Errorf("%s: after going back to the start it moves to %d ms", name, calm.Cursor.T)
		}
	}
}
