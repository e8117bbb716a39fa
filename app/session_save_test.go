package app

import (
	"strings"
	"testing"
)

func TestNothingIsLostOnReload(t *testing.T) {
	s := newTestSession(t)
	s.SeekTo(9000)
	s.Run(scaleLine(s.deployment(), 4))
	s.SeekTo(12345)
	s.SetSpeed(7)
	s.SetText(s.text + "# not applied yet\n")

	again := newSession(false)
	again.Open(s.Save())
	computeAll(t, again)
	if !sameRecording(again.rec, s.rec) || again.text != s.text || again.applied != s.applied || again.preset != s.preset {
		t.Error("recording or texts differ after a reload")
	}
	if again.cursor != s.cursor || again.speed != s.speed || again.playing {
		t.Errorf("cursor %v, speed %d, playing %v; want %v, %d, resting", again.cursor, again.speed, again.playing, s.cursor, s.speed)
	}
	if again.run.Len() != s.run.Len() {
		t.Errorf("%d records after a reload, want %d", again.run.Len(), s.run.Len())
	}
}

func TestATextThatDoesNotRunSurvivesAReload(t *testing.T) {
	s := newTestSession(t)
	s.SetText("a: [")
	s.touched = true
	again := newSession(false)
	again.Open(s.Save())
	if again.text != "a: [" || again.run == nil || again.Errors() == 0 {
		t.Errorf("text %q, run %v, %d errors; want the text, the last good run and its errors", again.text, again.run != nil, again.Errors())
	}
}

func TestDamagedSavesOpenTheFirstScenario(t *testing.T) {
	for _, data := range []string{"{", "null", `{"version":99}`, `{"version":1,"speed":-3,"t":-7,"recording":{"scenario":"a: ["}}`} {
		s := newSession(false)
		s.Open(data)
		if strings.HasPrefix(data, `{"version":1,`) {
			if s.run != nil || s.speed != 0 {
				t.Errorf("%s: run %v, speed %d; want no run and a speed that exists", data, s.run != nil, s.speed)
			}
			continue
		}
		if s.preset != firstScenario {
			t.Errorf("%s: preset %q, want %s", data, s.preset, firstScenario)
		}
	}
}

func TestTheRunOnShowStaysUntilTheNextHasCaughtUp(t *testing.T) {
	s := newTestSession(t)
	s.ToEnd()
	shown := s.run
	next, _ := startRun(t, s.rec)
	s.next = next
	s.adopt()
	if s.run != shown {
		t.Fatal("a run that is behind the cursor is shown")
	}
	s.Tick(1000)
	for s.next != nil {
		s.Compute(1)
	}
	if s.run != next || s.run.Now() < s.cursor.T {
		t.Errorf("shown run is computed to %d, cursor at %d", s.run.Now(), s.cursor.T)
	}
}
