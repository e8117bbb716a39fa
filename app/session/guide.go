package session

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
)

// Guide is how playing treats a person who reads along. The zero Guide plays evenly from the first moment to the last.
type Guide struct {
	Captions bool // playing stops at each caption of a lesson
	Idle     bool // time in which nothing happens passes faster
	Opening  bool // a run that starts to play begins where the chart opens
	Reads    bool // a caption applies for as long as it takes to read
}

// idleMax is how many ms of the person's time may pass without a change on the screen.
const idleMax = 1500

// pace is how many virtual ms pass for each ms of the person's, and until when that holds.
func (c *Cursor) pace() (pace float64, until int64) {
	pace, until = Speeds[c.Speed], math.MaxInt64
	if c.Guide.Reads {
		slow, to := c.readingPace()
		return min(pace, slow), to
	}
	if c.Guide.Idle && c.Loop.Set != LoopOn {
		from, to := c.quiet()
		if need := float64(to-from) / idleMax; need > pace {
			return need, to
		}
	}
	return pace, until
}

// readingPace is the pace at which the caption at the cursor can be read before the next one, and when that comes.
func (c *Cursor) readingPace() (pace float64, until int64) {
	all := c.computed.shown.Scenario().Captions
	next := slices.IndexFunc(all, func(x scenario.Caption) bool { return x.At > c.T })
	switch {
	case next < 0:
		return math.Inf(1), math.MaxInt64
	case next == 0:
		return math.Inf(1), all[0].At
	}
	here := &all[next-1]
	return float64(all[next].At-here.At) / readingMS(c.visit.Lang.In(here.Text)), all[next].At
}

// readingMS is how many ms a text takes to read: 180 words, or 300 Chinese characters, a minute.
func readingMS(text string) float64 {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Han, r) })
	others := strings.FieldsFunc(text, func(r rune) bool { return !unicode.Is(unicode.Han, r) })
	return 60_000 * (float64(len(words))/180 + float64(utf8.RuneCountInString(strings.Join(others, "")))/300)
}

// Pace is how many virtual ms pass for each ms of the person's now: 0 at rest.
func (c *Cursor) Pace() float64 {
	if !c.Playing || c.computed.shown == nil {
		return 0
	}
	pace, _ := c.pace()
	return pace
}

// Hurrying says that nothing happens at the cursor, so that playing goes faster than its speed.
func (c *Cursor) Hurrying() bool { return c.Pace() > Speeds[c.Speed] }

// quiet is the time around the cursor between two changes. A run that is still computed has none after its last record.
func (c *Cursor) quiet() (from, to int64) {
	x := c.reading.Index()
	k := cursor.Upto(x.shown, c.Record)
	if k > 0 {
		from = c.computed.shown.Past().At(x.shown[k-1])
	}
	switch {
	case k < len(x.shown):
		to = c.computed.shown.Past().At(x.shown[k])
	case c.computed.shown.Done():
		to = c.computed.End()
	}
	return from, to
}

// openingWait is up to which virtual ms a run that starts to play looks for its opening.
const openingWait = 1000

// toOpening moves the cursor of a run that starts to play to where the chart opens, once that is known.
func (c *Cursor) toOpening() {
	if !c.fresh {
		return
	}
	from := c.reading.Opening().From
	c.fresh = from == 0 && !c.computed.shown.Done() && c.T < openingWait
	if from > c.T {
		c.seek(from)
	}
}

// settle moves the cursor of a run that has just begun to where it would first stop if it played: people who asked for less motion see
// what others see.
func (s *Session) settle() {
	if !s.Cursor.fresh {
		return
	}
	at := s.Lesson.nextStop()
	if at == math.MaxInt64 {
		at = s.Reading.Opening().From
	}
	s.Cursor.fresh = !s.Computed.shown.Done() && (at == 0 || at > s.Computed.End())
	if !s.Cursor.fresh {
		s.Cursor.seek(at)
	}
}

// captionMargin is how many ms of the run the chart shows before the first caption.
const captionMargin = 500

// announced is what playing has said so far.
type announced struct {
	record int     // moments up to it are said
	at     int     // the cursor's record when playing moved it last
	ago    float64 // ms of the person's time since something was said
}

const (
	announceEvery = 2000   // ms of the person's time: a screen reader needs them for a sentence
	announceMax   = 3      // moments in a sentence
	announceRun   = 20_000 // records of a run whose moments are found within a frame
)

// announce says what the cursor has passed while playing, for people who do not see it: commands, broken bounds, conditions.
func (c *Cursor) announce(was int, dt float64) {
	a := &c.announced
	if was != a.at { // the person moved it
		*a = announced{record: was}
	}
	a.at, a.record = c.Record, min(a.record, c.Record) // a loop begins again
	a.ago += dt
	if a.ago < announceEvery || !c.computed.shown.Done() || c.computed.shown.Len() > announceRun {
		return
	}
	all := c.reading.Moments()
	k := sort.Search(len(all), func(i int) bool { return all[i].Record > a.record })
	end := k
	for end < len(all) && all[end].Record <= c.Record && end < k+announceMax {
		end++
	}
	a.record = c.Record
	if end > k {
		a.ago = 0
		c.visit.Say(words.Join(all[k:end], "; ", func(m stop) string { return cursor.Clock(m.T) + ", " + m.Why }))
	}
}
