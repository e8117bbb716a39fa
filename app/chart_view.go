package app

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine"
)

// chartView is what the chart needs when the run changed.
type chartView struct {
	Option string // for these series
	Series []series
	End    int64 // of the time axis; the page chooses the ticks, because it can zoom
	Busy   int64 // end of the part that the chart shows first
	Count  axis
	Marks  []mark
	Syncs  []float64 // reconciles that decided something, for the scrubber: the time and the record of each
}

// mark is a command on the time axis, or on the scrubber alone a condition that changed or a time in which a bound did
// not hold.
type mark struct {
	Kind   string `json:"kind"` // command, condition or violation
	T      int64  `json:"t"`
	To     int64  `json:"to"` // the end of a violation
	Line   string `json:"line"`
	Failed bool   `json:"failed"` // a command that was refused, a bound that the rules did not let go
}

func (p *page) chartView() chartView {
	s := p.s
	if s.run == nil {
		return chartView{Option: baseOption(nil), End: axisEnd(0), Busy: axisEnd(0), Count: countAxis(1), Marks: []mark{}}
	}
	frames := s.run.Frames(s.watched())
	all := append(chartSeries(frames, s.end()), budgetSeries(s.run.Past().Budgets(s.watched()), s.end())...)
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	return chartView{
		Option: baseOption(ids), Series: all,
		End: axisEnd(s.end()), Busy: axisEnd(busyEnd(p.lastChange(frames), s.end())), Count: countAxis(highest(frames)),
		Marks: append(p.s.index.of(s.run).marks(), s.judgedMarks()...), Syncs: p.s.index.of(s.run).decisions(),
	}
}

// lastChange is when the last count changed or the last command was given.
func (p *page) lastChange(frames []engine.Frame) int64 {
	last := int64(0)
	if n := len(frames); n > 0 {
		last = frames[n-1].T
	}
	x := p.s.index.of(p.s.run)
	if n := len(x.inputs); n > 0 {
		last = max(last, x.run.Record(x.inputs[n-1]).T)
	}
	return last
}

// busyEnd is the end of the part of a run that is worth the chart's width. A broken image is tried again for half an
// hour, and all that moves is in the first seconds.
func busyEnd(lastChange, end int64) int64 {
	if busy := lastChange + lastChange/3 + 3000; busy*3 < end {
		return busy
	}
	return end
}

// marks are the commands after time zero; what is applied at zero is where everything begins.
func (x *index) marks() []mark {
	all := []mark{}
	for _, i := range x.inputs {
		if r := x.run.Record(i); r.T > 0 {
			all = append(all, mark{Kind: "command", T: r.T, Line: r.Command, Failed: r.Failed})
		}
	}
	return all
}

// legendItem is a line of the legend with its number at the cursor.
type legendItem struct {
	ID, Label, Title string
	Value            string
	Swatch           string // class of the sample line
}

func (p *page) legend(r readout) []legendItem {
	if p.s.run == nil {
		return nil
	}
	number := func(n int) string {
		if !r.Known {
			return "–"
		}
		return fmt.Sprint(n)
	}
	say := p.s.lang.say
	items := []legendItem{
		{seriesTotal, say("total"), say("total-is"), number(r.Total), "sw-total"},
		{seriesAvailable, say("available"), say("available-is"), number(r.Available), "sw-available"},
		{seriesUnavailable, say("desired"), "spec.replicas", number(r.Desired), "sw-desired"},
		{seriesTerminating, say("terminating"), say("terminating-is"), number(r.Terminating), "sw-terminating"},
	}
	return append(append(items, p.legendRS()...), p.legendBudgets()...)
}

func (p *page) legendRS() []legendItem {
	workload := p.s.watched()
	frames := p.s.run.Frames(workload)
	here := frameAt(frames, p.s.cursor.Record)
	var items []legendItem
	for k, rs := range p.replicaSets.of(p.s.run, workload) {
		item := legendItem{
			ID: seriesRSPrefix + rs.name, Title: rs.name, Value: "–",
			Label:  rsLabel(rs.revision, rs.image),
			Swatch: fmt.Sprintf("sw-rs-%d sw-%s", k%rsColors, rsPattern(k)),
		}
		if here >= 0 {
			for _, f := range frames[here].ReplicaSets {
				if f.Name == rs.name {
					item.Value, item.Label = fmt.Sprint(f.Replicas), rsLabel(f.Revision, rs.image)
				}
			}
		}
		items = append(items, item)
	}
	return items
}

// rsLabel names a ReplicaSet by its revision and its images, which are cut to what tells them apart: a registry's path
// and a digest are long and the same for all.
func rsLabel(revision int, images string) string {
	short := strings.Split(images, ",")
	for i, image := range short {
		image, _, _ = strings.Cut(image, "@")
		short[i] = image[strings.LastIndexByte(image, '/')+1:]
	}
	images = strings.Join(short, ", ")
	if revision == 0 {
		return images
	}
	return fmt.Sprintf("rev %d · %s", revision, images)
}
