package picture

import (
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
)

// legend names the lines with their numbers at the cursor: the counts in one row, the ReplicaSets in the next.
func (s *sheet) legend() {
	f := s.moment()
	for i, row := range s.entries() {
		count := func(e *entry) int { return e.count(f) }
		s.row(342+20*float64(i), row, count, func(e *entry, x, y float64) {
			s.add(Label{x, y, "start", 11, "sans", false, "text", "", e.text(e.count(f))})
		})
	}
}

// entry is a line of the chart in the legend.
type entry struct {
	text   func(count int) string
	count  func(*engine.Frame) int
	sample steps
}

// entries are the rows of the legend.
func (s *sheet) entries() [2][]entry {
	say := func(key lang.Message) func(int) string { return func(n int) string { return s.l.Say(key, n) } }
	counts := []entry{
		{say("poster-total"), total, steps{nil, "c-total", 3.5, nil}},
		{say("poster-available"), available, steps{nil, "c-available", 2, nil}},
		{say("poster-desired"), desired, steps{nil, "c-desired", 1, pattern("dashed", 1)}},
		{say("poster-leaving"), terminating, steps{nil, "c-terminating", 1.5, pattern("dotted", 1.5)}},
	}
	var sets []entry
	for i, name := range s.replicaSets() {
		before := s.images[name] + ": "
		if r := s.revision(name); r > 0 {
			before = fmt.Sprintf("rev %d %s", r, before)
		}
		sets = append(sets, entry{func(n int) string { return before + strconv.Itoa(n) }, replicas(name), steps{nil, rsColor(i), 1.75, pattern(chart.Pattern(i), 1.75)}})
	}
	for _, b := range s.budgets {
		before := s.l.Say("must-be-healthy", b.Name) + " "
		desired := func(f *engine.Frame) int { now, _ := b.At(f.Record); return now.Desired }
		sets = append(sets, entry{func(n int) string { return before + strconv.Itoa(n) }, desired, steps{nil, "warn", 1.5, pattern("dashed", 1.5)}})
	}
	return [2][]entry{counts, sets}
}

// charWidth estimates the width of a character of 11 px.
const charWidth = 6.2

// row draws entries side by side. The width of a text depends on the reader's fonts, so row estimates it. It leaves out entries
// that do not fit, because the picture's description contains all of them.
func (s *sheet) row(y float64, entries []entry, most func(*entry) int, write func(e *entry, x, y float64)) {
	x := 16.0
	for i := range entries {
		e := &entries[i]
		width := 24 + charWidth*float64(chart.Columns(e.text(most(e))))
		if x+width > Width-8 {
			return
		}
		e.sample.points = []point{{x, y - 4}, {x + 16, y - 4}}
		s.add(e.sample)
		write(e, x+21, y)
		x += width + 10
	}
}

// highest is the largest count of an entry: the row must have room for it.
func (s *sheet) highest(e *entry) (most int) {
	for i := range s.frames {
		most = max(most, e.count(&s.frames[i]))
	}
	return most
}
