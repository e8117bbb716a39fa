package stage

import (
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/engine"
)

// inWords is the chart in words, which are kept while it shows the same.
type inWords struct {
	run      *engine.Run
	workload string
	lang     lang.Lang
	text     string
}

// namedMax bounds the records of a run that is described within a frame.
const namedMax = 20_000

// Counts is what the chart shows at the cursor, for people who do not see it.
func (p *Panels) Counts() string {
	if p.s.Run() == nil {
		return ""
	}
	l, r := p.s.Lang(), p.readout(p.s.Run())
	at := l.Say("status-seconds", chart.Tenths(p.s.Cursor.T))
	if !r.Known {
		return l.Say("counts-none", at)
	}
	text := l.Say("counts", at, l.Count(r.Total, "one-pod", "n-pods"), r.Available)
	if r.Upper > 0 && p.s.Lesson.Question() == nil { // a bound may be its answer
		text += l.Say("counts-bounds", r.Lower, r.Upper)
	}
	return text
}

// CountsNow are the two numbers that the bounds limit, at the cursor.
func (p *Panels) CountsNow() (total, available int) {
	r := p.readout(p.s.Run())
	return r.Total, r.Available
}

// chartName is what the chart shows, in the words of its poster.
func (p *Panels) chartName() string {
	l, run := p.s.Lang(), p.s.Run()
	if !p.s.Computed.Finished() || run.Len() > namedMax || p.s.Lesson.Hidden() <= run.Now() {
		return l.Say("chart-image")
	}
	now := inWords{run: run, workload: p.s.Workload(), lang: l}
	if n := &p.inWords; n.run != now.run || n.workload != now.workload || n.lang != now.lang {
		now.text = l.Say("chart-image")
		if drawn := picture.New(run, now.workload, picture.Telling); drawn != nil {
			now.text = drawn.Alt(l) + " " + now.text
		}
		*n = now
	}
	return p.inWords.text
}
