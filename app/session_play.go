package app

import (
	"fmt"
	"math"
)

// speeds are the virtual ms for each ms of the person's, on a 1-2-5 scale, which is near enough to logarithmic
// and has names that one can read.
var speeds = [...]float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}

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
		s.seek(s.loop.startOver(s.end()))
	}
	s.playing = true
	s.say(s.lang.say("said-playing"))
}

// Pause stops the cursor.
func (s *session) Pause() {
	s.playing = false
	s.say(s.lang.say("said-paused", clock(s.cursor.T)))
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
	s.cursor, s.frac = cursor{T: t, Record: s.run.Past().Find(t)}, 0
}

// LookAt moves the cursor to just after record i.
func (s *session) LookAt(i int) {
	if s.run == nil || i < 0 || i >= s.run.Len() {
		return
	}
	s.rest(cursor{T: s.run.Past().At(i), Record: i}, s.tell(i))
	s.looked.Record = true
}

// rest stops the cursor at a place, and says why there.
func (s *session) rest(at cursor, why string) {
	s.playing, s.touched, s.frac = false, true, 0
	s.cursor, s.looked = at, looked{At: at}
	s.say(clock(at.T) + ", " + why)
}

// ToStart and ToEnd move the cursor to the first and the last moment computed.
func (s *session) ToStart() { s.leap(0, s.lang.say("said-start")) }
func (s *session) ToEnd()   { s.leap(s.end(), s.lang.say("said-end")) }

func (s *session) leap(t int64, said string) {
	s.SeekTo(t)
	s.playing = false
	s.say(said)
}

// SetSpeed takes an index of speeds.
func (s *session) SetSpeed(i int) {
	s.touched = true
	s.speed = min(max(i, 0), len(speeds)-1)
	s.say(s.lang.say("said-speed", s.speedText()))
}

// setFactor takes one of speeds, or the one that comes next below.
func (s *session) setFactor(factor float64) {
	i := 0
	for i+1 < len(speeds) && speeds[i+1] <= factor {
		i++
	}
	s.SetSpeed(i)
}

func (s *session) speedText() string { return fmt.Sprintf("%g×", speeds[s.speed]) }

// Tick moves the cursor by dt ms of the person's time while playing: on, or back to the start of the loop when it passes
// the loop's end. It waits where the run is not computed yet.
func (s *session) Tick(dt float64) {
	if !s.playing || s.run == nil || s.next != nil {
		return
	}
	s.frac += dt * speeds[s.speed]
	whole := int64(s.frac)
	rest := s.frac - float64(whole)
	s.seek(s.halt(s.onwards(whole)))
	s.frac = rest
	s.carryOn()
	if s.atEnd() {
		s.playing = false
		s.say(s.lang.say("said-finished", clock(s.cursor.T)))
	}
}

// onwards is where the cursor comes to in so many ms. The end of a run is known when it is done, and only then may it cut
// the loop short.
func (s *session) onwards(ms int64) int64 {
	to, end := s.cursor.T+ms, s.end()
	if !s.run.Done() {
		to, end = min(to, end), math.MaxInt64
	}
	return s.loop.wrap(s.cursor.T, to, end)
}

// atStart says that the cursor is at zero, so that nothing a person could have watched has happened.
func (s *session) atStart() bool { return s.cursor.T == 0 && !s.commandBefore(0) }

// commandBefore says whether the person gave a command at or before t.
func (s *session) commandBefore(t int64) bool { return len(upTo(s.rec.Commands, t)) > 0 }

func (s *session) atEnd() bool {
	return s.run != nil && s.next == nil && s.run.Done() && s.cursor.T >= s.end()
}
