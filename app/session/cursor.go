package session

import (
	"fmt"
	"math"
	"sort"

	"github.com/rollplay/rollplay/app/cursor"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// Cursor is the position on the run, and how it moves.
type Cursor struct {
	cursor.Place
	Playing bool
	Speed   int // index in Speeds
	Step    StepUnit
	Loop    Loop
	Guide   Guide

	looked    looked
	frac      float64 // the part of a virtual ms that Tick has not spent yet
	goal      int64   // where the cursor moves when the run is computed up to there; -1 for nowhere
	fresh     bool    // the run has just started to play by itself
	announced announced

	visit    *Visit
	computed *Run
	reading  *Reading
}

// Speeds are the virtual ms for each ms of the person's, on a 1-2-5 scale, which is near enough to logarithmic
// and has names that one can read.
var Speeds = [...]float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}

// speedNormal is 2×: a first rollout then takes about a quarter of a minute.
const speedNormal = 4

// Play lets Tick move the cursor. At the end it starts over. People who asked for less motion step
// instead.
func (c *Cursor) Play() {
	c.visit.Touched = true
	switch {
	case c.computed.shown == nil:
		return
	case c.visit.Calm:
		c.Forth(c.Step)
		return
	case c.AtEnd():
		c.seek(c.Loop.startOver(c.computed.End()))
	}
	c.Playing = true
	c.visit.Say(c.visit.Lang.Say("said-playing"))
}

// Pause stops the cursor.
func (c *Cursor) Pause() {
	c.Playing = false
	c.visit.Say(c.visit.Lang.Say("said-paused", cursor.Clock(c.T)))
}

// Toggle plays or pauses.
func (c *Cursor) Toggle() {
	if c.Playing {
		c.Pause()
		return
	}
	c.Play()
}

// SeekTo moves the cursor to virtual ms t, or as far as the run is computed; frames compute the rest. A playing run keeps
// playing.
func (c *Cursor) SeekTo(t int64) {
	c.visit.Touched, c.fresh = true, false
	c.goTo(t)
}

// Arrive puts the cursor where a page without the program has come to. It is a deed of the person's only if somebody touched that page.
func (c *Cursor) Arrive(t int64, touched bool) {
	c.Playing, c.fresh, c.visit.Touched = false, false, touched
	c.goTo(t)
}

func (c *Cursor) seek(t int64) {
	if c.computed.shown == nil {
		return
	}
	t = min(max(t, 0), c.computed.End())
	c.Place, c.frac = cursor.Place{T: t, Record: c.computed.shown.Past().Find(t)}, 0
}

// LookAt moves the cursor to just after record i.
func (c *Cursor) LookAt(i int) {
	if c.computed.shown == nil || i < 0 || i >= c.computed.shown.Len() {
		return
	}
	c.rest(c.reading.stopAt(i, i))
	c.looked.Record = true
}

// rest stops the cursor at a place and says why.
func (c *Cursor) rest(at stop) {
	c.Playing, c.visit.Touched, c.fresh, c.frac, c.goal = false, true, false, 0, -1
	c.Place, c.looked = at.Place, looked{At: at.Place}
	c.visit.Say(cursor.Clock(at.T) + ", " + at.Why)
}

// ToStart and ToEnd move the cursor to the first and the last moment computed.
func (c *Cursor) ToStart() { c.pauseAt(0, c.visit.Lang.Say("said-start")) }
func (c *Cursor) ToEnd()   { c.pauseAt(math.MaxInt64, c.visit.Lang.Say("said-end")) }

func (c *Cursor) pauseAt(t int64, said string) {
	c.SeekTo(t)
	c.Playing = false
	c.visit.Say(said)
}

// SetSpeed takes an index of speeds.
func (c *Cursor) SetSpeed(i int) {
	c.visit.Touched = true
	c.Speed = min(max(i, 0), len(Speeds)-1)
	c.visit.Say(c.visit.Lang.Say("said-speed", SpeedText(c.Speed)))
}

// Faster and Slower go to the next speed.
func (c *Cursor) Faster() { c.SetSpeed(c.Speed + 1) }
func (c *Cursor) Slower() { c.SetSpeed(c.Speed - 1) }

// SetFactor sets a speed by its factor: that one of Speeds, or the next one below.
func (c *Cursor) SetFactor(factor float64) {
	c.SetSpeed(sort.Search(len(Speeds), func(i int) bool { return Speeds[i] > factor }) - 1)
}

// SpeedText writes a speed.
func SpeedText(i int) string { return fmt.Sprintf("%g×", Speeds[i]) }

// Tick moves the cursor by dt ms of the person's time while playing: forward, or back to the start of the loop when it passes
// the end of the loop. It waits where the run is not computed yet.
func (s *Session) Tick(dt float64) {
	if s.Computed.shown == nil || s.Computed.next != nil || s.Cursor.goal >= 0 {
		return
	}
	if s.Visit.Calm {
		s.settle()
	}
	if !s.Cursor.Playing {
		return
	}
	s.Cursor.toOpening()
	pace, until := s.Cursor.pace()
	s.Cursor.frac += dt * pace
	whole := int64(s.Cursor.frac)
	rest := s.Cursor.frac - float64(whole)
	next, was := s.Lesson.nextStop(), s.Cursor.Record
	if s.Prompt.Screen().Stream() != nil {
		next = math.MaxInt64 // somebody watches a stream at the prompt
	}
	s.Cursor.seek(s.Prompt.Screen().Halt(min(s.Cursor.after(whole), until, next)))
	if s.Cursor.frac = rest; s.Cursor.T == until {
		s.Cursor.frac = 0 // at another pace it is another time
	}
	s.Cursor.announce(was, dt)
	s.carryOn()
	if s.Cursor.T == next {
		s.Cursor.Playing = false
		s.Visit.Say("")
	}
	if s.Cursor.Playing && s.Cursor.AtEnd() {
		s.Cursor.Playing = false
		s.Visit.Say(s.Visit.Lang.Say("said-finished", cursor.Clock(s.Cursor.T)))
	}
}

// after is the position of the cursor after a time. The end of a run is known when it is done, and only then may it cut
// the loop short.
func (c *Cursor) after(ms int64) int64 {
	to, end := c.T+ms, c.computed.End()
	if !c.computed.shown.Done() {
		to, end = min(to, end), math.MaxInt64
	}
	return c.Loop.wrap(c.T, to, end)
}

// AtStart says that the cursor is at zero, before anything a person could have watched.
func (c *Cursor) AtStart() bool { return c.T == 0 && !c.computed.commandBefore(0) }

func (c *Cursor) AtEnd() bool {
	return c.computed.Finished() && c.T >= c.computed.End()
}

// LookAtObject moves the cursor to the last write of an object at or before it.
func (c *Cursor) LookAtObject(object string) {
	if c.computed.shown != nil {
		c.LookAt(c.computed.shown.Past().LastWrite(object, c.Record))
	}
}

// looked is where the person put the cursor on purpose, rather than by playing or by a click on the time axis.
type looked struct {
	At     cursor.Place
	Record bool // at just this record; otherwise at the reconcile that it belongs to
}

// goTo moves the cursor as far towards a virtual ms as the run is computed. Frames compute the rest.
func (c *Cursor) goTo(t int64) {
	c.goal = -1
	if next := c.computed.next; next != nil && t > next.Now() { // a command has begun this run, which is not shown yet
		c.goal = t
		return
	}
	if r := c.computed.shown; r != nil && c.computed.next == nil && t > r.Now() && !r.Done() {
		c.computed.advance(r, c.computed.allowed(c.ahead()), c.computed.slice(sliceTime))
		if !r.Done() && r.Now() < t {
			c.goal = t
		}
	}
	c.seek(t)
}

// arrive moves the cursor to its goal once the run has got there.
func (c *Cursor) arrive() {
	if c.goal >= 0 && c.computed.next == nil && c.computed.shown != nil && (c.computed.shown.Done() || c.computed.shown.Now() >= c.goal) {
		c.seek(c.goal)
		c.goal = -1
	}
}

// ahead is up to where a run that is computed as watched is computed.
func (c *Cursor) ahead() int64 { return max(c.T+watchedAhead, c.goal) }

func (c *Cursor) describe() string {
	if c.Playing {
		return c.visit.Lang.Say("link-plays")
	}
	return c.visit.Lang.Say("link-paused", cursor.Clock(c.T))
}

// AddMoment adds the cursor to the view of a link.
func (c *Cursor) AddMoment(v *sharing.View) {
	v.Still, v.T = true, c.T
	if c.computed.shown != nil && c.Record < c.computed.shown.Past().Find(v.T) {
		v.Nth = int64(max(c.Record-c.computed.shown.Past().Find(v.T-1), 0))
	}
}

// AddPlayback adds the speed and the loop to the view of a link.
func (c *Cursor) AddPlayback(v *sharing.View) {
	if c.Speed != speedNormal {
		v.Speed = Speeds[c.Speed]
	}
	if c.Loop.Set == LoopOn {
		v.LoopA, v.LoopB = c.Loop.A, c.Loop.B
	}
}

// restore restores speed, step and loop.
func (c *Cursor) restore(v *saved) {
	if c.SetSpeed(v.Speed); v.Factor > 0 {
		c.SetFactor(v.Factor)
	}
	c.SetStep(v.Step)
	if v.Loop.valid() {
		c.Loop = v.Loop
	}
}

// Loop is a section of the run that plays repeatedly.
type Loop struct {
	A   int64     `json:"a"`
	B   int64     `json:"b"`
	Set LoopState `json:"set"`
}

// LoopState says how much of a loop is set.
type LoopState uint8

const (
	loopOff  LoopState = iota
	loopHalf           // A is set, B is not
	LoopOn
)

// valid says whether ToggleLoop can make such a loop; a saved one may be damaged.
func (l Loop) valid() bool {
	return l == Loop{} || l.A >= 0 && (l.Set == loopHalf && l.B == 0 || l.Set == LoopOn && l.A < l.B)
}

// ToggleLoop sets the loop's start at the cursor, then its end, and then removes the loop.
func (c *Cursor) ToggleLoop() {
	if c.computed.shown == nil {
		return
	}
	c.visit.Touched = true
	t := c.T
	switch {
	case c.Loop.Set == loopOff:
		c.Loop = Loop{A: t, Set: loopHalf}
		c.visit.Say(c.visit.Lang.Say("loop-starts", cursor.Clock(t)))
	case c.Loop.Set == loopHalf && t != c.Loop.A:
		c.Loop = Loop{A: min(c.Loop.A, t), B: max(c.Loop.A, t), Set: LoopOn}
		c.visit.Say(c.visit.Lang.Say("loop-goes", cursor.Clock(c.Loop.A), cursor.Clock(c.Loop.B)))
	default:
		c.Loop = Loop{}
		c.visit.Say(c.visit.Lang.Say("loop-off"))
	}
}

// wrap returns where playing from one moment to a later one ends up: back in the loop if it passes the loop's end, or the
// end of a run that does not reach it.
func (l Loop) wrap(from, to, end int64) int64 {
	b := min(l.B, end)
	if l.Set != LoopOn || l.A >= b || from > b || to < b {
		return to
	}
	return l.A + (to-b)%(b-l.A)
}

// startOver is where Play starts when the cursor is at the end of the run: at zero, or at the start of a loop
// that reaches the end.
func (l Loop) startOver(end int64) int64 {
	if l.Set == LoopOn && l.A < end && l.B >= end {
		return l.A
	}
	return 0
}
