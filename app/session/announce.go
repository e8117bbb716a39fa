package session

import (
	"sort"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/engine/words"
)

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
