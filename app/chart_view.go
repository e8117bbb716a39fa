package app

import "fmt"

// chartView is what the chart needs when the run changed.
type chartView struct {
	Option      string // for these series
	Series      []series
	Time, Count axis
	Marks       []mark
	Syncs       []float64 // times of reconciles, for the scrubber
}

// mark is a command on the time axis.
type mark struct {
	T      int64  `json:"t"`
	Line   string `json:"line"`
	Failed bool   `json:"failed"`
}

func (p *page) chartView() chartView {
	s := p.s
	if s.run == nil {
		return chartView{Option: baseOption(nil), Time: timeAxis(0), Count: countAxis(1)}
	}
	frames := s.run.Frames(s.deployment())
	all := chartSeries(frames, s.end())
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	return chartView{
		Option: baseOption(ids), Series: all,
		Time: timeAxis(s.end()), Count: countAxis(highest(frames)),
		Marks: p.index.of(s.run).marks(), Syncs: thin(p.index.of(s.run).syncs),
	}
}

// marks are the commands after time zero; what is applied at zero is where everything begins.
func (x *index) marks() []mark {
	all := []mark{}
	for _, i := range x.inputs {
		if r := x.run.Record(i); r.T > 0 {
			all = append(all, mark{T: r.T, Line: r.Command, Failed: r.Failed})
		}
	}
	return all
}

// syncsMax bounds the ticks on the scrubber; more than one for each pixel says nothing.
const syncsMax = 2000

func thin(syncs []float64) []float64 {
	if len(syncs) <= syncsMax {
		return syncs
	}
	var all []float64
	for i := 0; i < len(syncs); i += len(syncs)/syncsMax + 1 {
		all = append(all, syncs[i])
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
	items := []legendItem{
		{seriesTotal, "total", "pods neither finished nor terminating", number(r.Total), "sw-total"},
		{seriesAvailable, "available", "pods ready for at least minReadySeconds", number(r.Available), "sw-available"},
		{seriesUnavailable, "desired", "spec.replicas", number(r.Desired), "sw-desired"},
		{seriesTerminating, "terminating", "pods on their way out; they count in no bound", number(r.Terminating), "sw-terminating"},
	}
	return append(items, p.legendRS()...)
}

func (p *page) legendRS() []legendItem {
	workload := p.s.deployment()
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

func rsLabel(revision int, images string) string {
	if revision == 0 {
		return images
	}
	return fmt.Sprintf("rev %d · %s", revision, images)
}
