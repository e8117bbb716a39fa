package picture

import (
	"math"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine/scenario"
)

// How long an animation moves and rests, in ms.
const (
	motionMin, motionMax = 6000, 10_000
	restAtEnd            = 3000
	readColumn           = 40 // for each column of a caption: a line of 90 columns takes 3.6 s
	readMin, readMax     = 1500, 5000
)

// clock maps the virtual time of a run to the time of its animation. The cursor moves evenly and rests at each caption, so
// that it can be read: captions often follow each other within a tenth of a second.
type clock struct {
	begin, end int64 // virtual
	motion     int64 // how long the cursor moves
	rests      []rest
}

// rest is where the cursor stops for a caption.
type rest struct{ t, length int64 }

func newClock(begin, end int64, captions []scenario.Caption, l lang.Lang) *clock {
	c := &clock{begin: begin, end: end, motion: min(max(end-begin, motionMin), motionMax)}
	for _, x := range captions {
		length := min(max(readColumn*int64(chart.Columns(l.In(x.Text))), readMin), readMax)
		c.rests = append(c.rests, rest{min(max(x.At, begin), end), length})
	}
	return c
}

// moved is how long the cursor has moved when it arrives at a virtual time.
func (c *clock) moved(t int64) int64 {
	return c.motion * (min(max(t, c.begin), c.end) - c.begin) / (c.end - c.begin)
}

// at is when the cursor arrives at a virtual time: with a rest of 4 s at 10 s of a run from 8 s to 16 s that moves 8 s, it is 2 s
// for 10 s, and 7 s for 11 s.
func (c *clock) at(t int64) int64 {
	at := c.moved(t)
	for _, r := range c.rests {
		if r.t < t {
			at += r.length
		}
	}
	return at
}

// arrives is when the i-th rest begins, which may be after others at the same virtual time.
func (c *clock) arrives(i int) int64 {
	at := c.moved(c.rests[i].t)
	for _, r := range c.rests[:i] {
		at += r.length
	}
	return at
}

// all is how long the animation takes.
func (c *clock) all() int64 {
	all := c.motion + restAtEnd
	for _, r := range c.rests {
		all += r.length
	}
	return all
}

// percent writes a moment of the animation as keyframes do, to a hundredth.
func (c *clock) percent(ms int64) string {
	return number(math.Round(float64(ms)*10_000/float64(c.all()))/100) + "%"
}
