package picture

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/words"
)

// sentence describes the telling moment, also for people who do not see the picture.
func (p *Picture) sentence(l lang.Lang) string {
	f := p.moment()
	s := l.Say("poster-moment", chart.Seconds(p.when), f.Desired, pods(l, f.Total), f.Available)
	if f.Terminating > 0 {
		s += l.Say("poster-terminating", f.Terminating)
	}
	return s
}

// bounds describes the bounds at the telling moment. It is "" if there are none, after a Deployment has been deleted.
func (p *Picture) bounds(l lang.Lang) string {
	f := p.moment()
	var parts []string
	if f.Upper > 0 {
		parts = append(parts, l.Say("poster-at-most", pods(l, f.Upper), f.Desired, f.Upper-f.Desired))
	}
	if f.Lower > 0 {
		parts = append(parts, l.Say("poster-at-least", f.Lower, f.Desired, f.Desired-f.Lower))
	}
	return strings.Join(parts, l.Say("poster-and"))
}

// Alt is what the picture shows, in place of the picture: its title and the moment.
func (p *Picture) Alt(l lang.Lang) string {
	return words.Visible(OneLine(l.In(p.Title)) + l.Stop() + p.Description(l))
}

// commandsMax is how many commands a description lists: nobody listens to hundreds.
const commandsMax = 30

// Description describes the whole poster in words.
func (p *Picture) Description(l lang.Lang) string {
	parts := []string{l.Say("poster-pods", p.workload, chart.Seconds(p.begin), chart.Seconds(p.end)), l.Say("poster-at", p.sentence(l))}
	if b := p.bounds(l); b != "" {
		parts = append(parts, l.Say("poster-bounds", b))
	}
	for _, set := range p.sets {
		if rs := p.moment().ReplicaSet(set.Name); rs != nil {
			parts = append(parts, l.Say("poster-revision", rs.Revision, chart.ShortImages(set.Image), pods(l, rs.Replicas)))
		}
	}
	for i, c := range p.commands {
		if i == commandsMax {
			parts = append(parts, l.Say("and-more", len(p.commands)-i))
			break
		}
		parts = append(parts, l.Say("poster-command", chart.Seconds(c.T), c.Line))
	}
	return strings.Join(parts, l.Say("poster-stop")) + strings.TrimSpace(l.Say("poster-stop"))
}

func pods(l lang.Lang, n int) string { return l.Count(n, "one-pod", "n-pods") }

// OneLine writes a text of several lines as one.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

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
	for i, set := range s.sets {
		before := chart.ShortImages(set.Image) + ": "
		revision := set.Revision
		if rs := s.moment().ReplicaSet(set.Name); rs != nil {
			revision = cmp.Or(rs.Revision, revision)
		}
		if revision > 0 {
			before = fmt.Sprintf("rev %d %s", revision, before)
		}
		sets = append(sets, entry{func(n int) string { return before + strconv.Itoa(n) }, replicas(set.Name), steps{nil, rsColor(i), 1.75, pattern(chart.Pattern(i), 1.75)}})
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
