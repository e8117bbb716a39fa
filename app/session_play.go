package app

import (
	"fmt"

	"github.com/rollplay/rollplay/engine"
)

// speeds are the virtual ms for each ms of the person's, on a 1-2-5 scale, which is near enough to logarithmic
// and has names that one can read.
var speeds = [...]float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100}

// speedNormal is 2×: a first rollout then takes about a quarter of a minute.
const speedNormal = 4

// Play moves the cursor with Tick from now on. At the end it starts over. People who asked for less motion step
// instead.
func (s *session) Play() {
	s.touched = true
	switch {
	case s.run == nil:
		return
	case s.calm:
		s.StepNext()
		return
	case s.atEnd():
		s.seek(0)
	}
	s.playing = true
	s.say("Playing.")
}

// Pause stops the cursor.
func (s *session) Pause() {
	s.playing = false
	s.say("Paused at " + clock(s.cursor.T) + ".")
}

// Toggle plays or pauses.
func (s *session) Toggle() {
	if s.playing {
		s.Pause()
		return
	}
	s.Play()
}

// SeekTo moves the cursor to virtual ms t. It goes on playing if it was.
func (s *session) SeekTo(t int64) {
	s.touched = true
	s.seek(t)
}

func (s *session) seek(t int64) {
	if s.run == nil {
		return
	}
	t = min(max(t, 0), s.end())
	s.cursor, s.frac = cursor{T: t, Record: s.run.Find(t)}, 0
}

// LookAt moves the cursor to just after record i.
func (s *session) LookAt(i int) {
	if s.run == nil || i < 0 || i >= s.run.Len() {
		return
	}
	r := s.run.Record(i)
	s.playing, s.touched, s.frac = false, true, 0
	s.cursor = cursor{T: r.T, Record: i}
	s.say(clock(r.T) + ", " + r.Actor + ": " + r.What)
}

// ToStart and ToEnd move the cursor to the first and the last moment computed.
func (s *session) ToStart() { s.leap(0, "At the start.") }
func (s *session) ToEnd()   { s.leap(s.end(), "At the end.") }

func (s *session) leap(t int64, said string) {
	s.SeekTo(t)
	s.playing = false
	s.say(said)
}

// SetSpeed takes an index of speeds.
func (s *session) SetSpeed(i int) {
	s.touched = true
	s.speed = min(max(i, 0), len(speeds)-1)
	s.say("Speed " + s.speedText() + ".")
}

func (s *session) speedText() string { return fmt.Sprintf("%g×", speeds[s.speed]) }

// Tick moves the cursor by dt ms of the person's time while playing. It waits where the run is not computed yet.
func (s *session) Tick(dt float64) {
	if !s.playing || s.run == nil || s.next != nil {
		return
	}
	s.frac += dt * speeds[s.speed]
	whole := int64(s.frac)
	rest := s.frac - float64(whole)
	s.seek(s.cursor.T + whole)
	s.frac = rest
	if s.atEnd() {
		s.playing = false
		s.say("The end: " + clock(s.cursor.T) + ".")
	}
}

// StepNext goes to the next reconcile, StepPrev to the one before. The cursor stops after the last record of the
// reconcile, so that the screen shows what it made of the cluster.
func (s *session) StepNext() {
	if s.run == nil {
		return
	}
	for i := s.cursor.Record + 1; i < s.run.Len(); i++ {
		if s.run.IsSync(i) {
			s.stop(i)
			return
		}
	}
	s.playing, s.touched = false, true
	s.seek(s.end())
	s.say("No further reconcile.")
}

// StepPrev is the way back; see StepNext.
func (s *session) StepPrev() {
	if s.run == nil {
		return
	}
	from := s.reconcile()
	if from >= 0 && s.run.At(from) < s.cursor.T {
		s.stop(from)
		return
	}
	for i := from - 1; i >= 0; i-- {
		if s.run.IsSync(i) {
			s.stop(i)
			return
		}
	}
	s.playing, s.touched = false, true
	s.seek(0)
	s.say("No earlier reconcile.")
}

// stop rests the cursor on the reconcile that begins at record i.
func (s *session) stop(i int) {
	rec := s.run.Record(i)
	s.playing, s.touched, s.frac = false, true, 0
	s.cursor = cursor{T: rec.T, Record: s.lastOf(i)}
	s.say(fmt.Sprintf("%s, %s: %s", clock(rec.T), rec.Actor, rec.What))
}

// lastOf returns the last record of the reconcile that begins at record i: up to the next one, or up to the first
// record of somebody else or of a later moment.
func (s *session) lastOf(i int) int {
	first := s.run.Record(i)
	last := i
	for j := i + 1; j < s.run.Len(); j++ {
		r := s.run.Record(j)
		if r.Kind == engine.Reconcile || r.T != first.T || (r.Kind != engine.Event && r.Actor != first.Actor) {
			break
		}
		last = j
	}
	return last
}

// reconcile returns the first record of the last reconcile at or before the cursor, -1 if there is none.
func (s *session) reconcile() int {
	for i := min(s.cursor.Record, s.run.Len()-1); i >= 0; i-- {
		if s.run.IsSync(i) {
			return i
		}
	}
	return -1
}

// atStart says that the cursor is at zero, so that nothing a person could have watched has happened.
func (s *session) atStart() bool { return s.cursor.T == 0 && !s.commandBefore(0) }

// commandBefore says whether the person gave a command at or before t.
func (s *session) commandBefore(t int64) bool { return len(upTo(s.rec.Commands, t)) > 0 }

func (s *session) atEnd() bool {
	return s.run != nil && s.next == nil && s.run.Done() && s.cursor.T >= s.end()
}
