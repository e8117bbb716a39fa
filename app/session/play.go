package session

import (
	"fmt"
	"math"
	"strings"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
)

// Speeds are the virtual ms for each ms of the person's, on a 1-2-5 scale, which is near enough to logarithmic
// and has names that one can read.
var Speeds = [...]float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}

// speedNormal is 2×: a first rollout then takes about a quarter of a minute.
const speedNormal = 4

// Play lets Tick move the cursor. At the end it starts over. People who asked for less motion step
// instead.
func (s *Session) Play() {
	s.touched = true
	switch {
	case s.run == nil:
		return
	case s.calm:
		s.StepNext()
		return
	case s.AtEnd():
		s.seek(s.loop.startOver(s.End()))
	}
	s.playing = true
	s.Say(s.lang.Say("said-playing"))
}

// Pause stops the cursor.
func (s *Session) Pause() {
	s.playing = false
	s.Say(s.lang.Say("said-paused", cursor.Clock(s.cursor.T)))
}

// Toggle plays or pauses.
func (s *Session) Toggle() {
	if s.playing {
		s.Pause()
		return
	}
	s.Play()
}

// SeekTo moves the cursor to virtual ms t, or as far as the run is computed; frames compute the rest. A playing run keeps
// playing.
func (s *Session) SeekTo(t int64) {
	s.touched, s.fresh = true, false
	s.goTo(t)
}

func (s *Session) seek(t int64) {
	if s.run == nil {
		return
	}
	t = min(max(t, 0), s.End())
	s.cursor, s.frac = cursor.Cursor{T: t, Record: s.run.Past().Find(t)}, 0
}

// LookAt moves the cursor to just after record i.
func (s *Session) LookAt(i int) {
	if s.run == nil || i < 0 || i >= s.run.Len() {
		return
	}
	s.rest(cursor.Cursor{T: s.run.Past().At(i), Record: i}, s.tell(i))
	s.looked.Record = true
}

// rest stops the cursor at a place and says why.
func (s *Session) rest(at cursor.Cursor, why string) {
	s.playing, s.touched, s.fresh, s.frac, s.goal = false, true, false, 0, -1
	s.cursor, s.looked = at, looked{At: at}
	s.Say(cursor.Clock(at.T) + ", " + why)
}

// ToStart and ToEnd move the cursor to the first and the last moment computed.
func (s *Session) ToStart() { s.leap(0, s.lang.Say("said-start")) }

func (s *Session) ToEnd() {
	s.leap(math.MaxInt64, s.lang.Say("said-end"))
}

func (s *Session) leap(t int64, said string) {
	s.SeekTo(t)
	s.playing = false
	s.Say(said)
}

// SetSpeed takes an index of speeds.
func (s *Session) SetSpeed(i int) {
	s.touched = true
	s.speed = min(max(i, 0), len(Speeds)-1)
	s.Say(s.lang.Say("said-speed", SpeedText(s.speed)))
}

// Faster and Slower go to the next speed.
func (s *Session) Faster() { s.SetSpeed(s.speed + 1) }
func (s *Session) Slower() { s.SetSpeed(s.speed - 1) }

// SetFactor sets a speed by its factor: that one of Speeds, or the next one below.
func (s *Session) SetFactor(factor float64) {
	i := 0
	for i+1 < len(Speeds) && Speeds[i+1] <= factor {
		i++
	}
	s.SetSpeed(i)
}

// SpeedText writes a speed.
func SpeedText(i int) string { return fmt.Sprintf("%g×", Speeds[i]) }

// Tick moves the cursor by dt ms of the person's time while playing: forward, or back to the start of the loop when it passes
// the end of the loop. It waits where the run is not computed yet.
func (s *Session) Tick(dt float64) {
	if !s.playing || s.run == nil || s.next != nil || s.goal >= 0 {
		return
	}
	s.begin()
	pace, until := s.pace()
	s.frac += dt * pace
	whole := int64(s.frac)
	rest := s.frac - float64(whole)
	next, was := s.captionNext(), s.cursor.Record
	s.seek(s.halt(min(s.onwards(whole), until, next)))
	s.frac = rest
	s.announce(was, dt)
	s.carryOn()
	if s.cursor.T == next {
		s.playing = false
		s.Quiet()
	}
	if s.playing && s.AtEnd() {
		s.playing = false
		s.Say(s.lang.Say("said-finished", cursor.Clock(s.cursor.T)))
	}
}

// onwards is where the cursor is after that many ms. The end of a run is known when it is done, and only then may it cut
// the loop short.
func (s *Session) onwards(ms int64) int64 {
	to, end := s.cursor.T+ms, s.End()
	if !s.run.Done() {
		to, end = min(to, end), math.MaxInt64
	}
	return s.loop.wrap(s.cursor.T, to, end)
}

// AtStart says that the cursor is at zero, before anything a person could have watched.
func (s *Session) AtStart() bool { return s.cursor.T == 0 && !s.commandBefore(0) }

// commandBefore says whether the person gave a command at or before t.
func (s *Session) commandBefore(t int64) bool { return len(upTo(s.rec.Commands, t)) > 0 }

func (s *Session) AtEnd() bool {
	return s.run != nil && s.next == nil && s.run.Done() && s.cursor.T >= s.End()
}

// LookAtObject moves the cursor to the last write of an object at or before it.
func (s *Session) LookAtObject(object string) {
	if s.run != nil {
		s.LookAt(s.run.Past().LastWrite(object, s.cursor.Record))
	}
}

// LookAtSeries moves the cursor to where the number of a line of the chart took the value that it has at the cursor.
func (s *Session) LookAtSeries(id string) {
	if s.run == nil || s.LookAtBudget(id) {
		return
	}
	frames := s.run.Frames(s.Workload())
	if k := chart.LastChange(frames, chart.FrameAt(frames, s.cursor.Record), id); k >= 0 {
		s.LookAt(frames[k].Record)
	}
}

// LookAtBudget moves the cursor to where a budget took the status that it has at the cursor.
func (s *Session) LookAtBudget(id string) bool {
	name, ok := strings.CutPrefix(id, chart.SeriesBudgetPrefix)
	if !ok {
		return false
	}
	for _, b := range s.run.Past().Budgets(s.Workload()) {
		if step, there := b.At(s.cursor.Record); b.Name == name && there {
			s.LookAt(step.Record)
		}
	}
	return true
}
