package stage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/judge"
	"github.com/rollplay/rollplay/engine/past"
)

// strip is a row under the chart: a condition of the workload, or whether its bounds held, over time. JavaScript draws it
// because the row follows the zoom of the chart.
type strip struct {
	Name     string         `json:"name"`  // the same in every language
	Title    string         `json:"title"` // what it is called in full
	Label    string         `json:"label"` // fits the width of the chart's own labels
	Segments []stripSegment `json:"segments"`
	Lane     bool           `json:"lane"` // of a pod or a node: drawn apart from the conditions

	Requests bool         `json:"requests"`        // right under the plot
	Dots     *requestDots `json:"dots,omitempty"`  // of few requests
	Chart    *chart.Small `json:"chart,omitempty"` // of another workload than the chosen one, in place of segments
}

// stripSegment is a stretch of a strip.
type stripSegment struct {
	From   int64  `json:"from"`
	To     int64  `json:"to"`
	Record int    `json:"record"` // where it began: a click goes there
	Kind   string `json:"kind"`   // its colour and pattern: good, busy, bad, legal or unknown
	Text   string `json:"text"`
	Title  string `json:"title"`
	Color  int    `json:"color"` // of its revision in the chart, from 1; 0 for none
	Mix    string `json:"mix"`   // of requests: the colours of the revisions that serve, as a background
}

var stripLabels = map[string]string{"Available": "Avail.", "Progressing": "Progr.", "ReplicaFailure": "Failure"}

// Strips are the rows for the chosen workload: its bounds, then its conditions.
func (p *Panels) Strips() []strip {
	workload := p.s.Workload()
	if p.s.Run() == nil || workload == "" {
		return []strip{}
	}
	rows := []strip{boundsStrip(p.s.Lang(), p.s.Reading.Judge().Verdicts(workload))}
	for _, c := range p.s.Run().Past().Conditions(workload) {
		row := strip{Name: c.Type, Title: c.Type, Label: stripLabels[c.Type], Segments: []stripSegment{}}
		for _, seg := range c.Segments {
			if seg.Status != "" {
				text := seg.Status + " " + seg.Reason
				row.Segments = append(row.Segments, stripSegment{From: seg.From, To: seg.To, Record: seg.Record, Kind: conditionKind(c.Type, seg),
					Text: text, Title: fmt.Sprintf("%s  %s %s: %s", cursor.Clock(seg.From), c.Type, text, seg.Message)})
			}
		}
		rows = append(rows, row)
	}
	for _, b := range p.s.Run().Past().Budgets(workload) {
		rows = append(rows, budgetStrip(p.s.Lang(), b, p.s.End()))
	}
	return slices.Concat(rows, p.partitionStrip(workload), p.lanes(workload), p.requestStrip(), p.smallCharts(workload))
}

func conditionKind(condition string, s past.Segment) string {
	switch {
	case s.Status == "Unknown":
		return "unknown"
	case condition == "Available" && s.Status == "False":
		return "legal"
	case condition == "ReplicaFailure", s.Status == "False":
		return "bad"
	case condition == "Progressing" && s.Reason != "NewReplicaSetAvailable":
		return "busy"
	}
	return "good"
}

// boundsStrip shows where a bound did not hold. Terminating pods break no bound and are drawn apart.
func boundsStrip(l lang.Lang, verdicts []judge.Verdict) strip {
	row := strip{Name: "Bounds", Title: l.Say("bounds"), Label: l.Say("bounds"), Segments: []stripSegment{}}
	for _, v := range verdicts {
		seg := stripSegment{From: v.From, To: v.To, Record: v.Record, Kind: verdictKind(v), Text: verdictText(l, v), Title: cursor.Clock(v.From) + "  " + plain(l.Engine(v.Text))}
		row.Segments = append(row.Segments, seg)
	}
	return row
}

func verdictKind(v judge.Verdict) string {
	switch {
	case v.Bound == "terminating":
		return "unknown"
	case v.Kind == judge.Broken:
		return "bad"
	}
	return "legal"
}

func verdictText(l lang.Lang, v judge.Verdict) string {
	switch v.Bound {
	case "lower":
		return l.Say("bound-lower", v.Worst, v.Limit)
	case "terminating":
		return l.Say("bound-terminating", v.Worst)
	}
	return l.Say("bound-upper", v.Worst, v.Limit)
}

// smallChartsMax bounds what is drawn beside the chosen workload.
const smallChartsMax = 6

// smallCharts are the other workloads, in the order of their appearance.
func (p *Panels) smallCharts(chosen string) (rows []strip) {
	for _, w := range p.s.Run().Workloads() {
		if w == chosen || len(rows) == smallChartsMax {
			continue
		}
		name := command.Kind(w) + " " + command.Name(w)
		rows = append(rows, strip{Name: name, Title: p.s.Lang().Say("strip-choose", name), Segments: []stripSegment{},
			Chart: chart.NewSmall(w, p.s.Run().Frames(w), p.s.End())})
	}
	return rows
}

// lanesMax bounds the lanes under the chart: a screen has no room for more.
const lanesMax = 24

// lanes are a row for each ordinal of a StatefulSet, the last one first as in an update, or for each node of a DaemonSet.
func (p *Panels) lanes(workload string) (rows []strip) {
	sets := p.replicaSets.Of(p.s.Run(), workload)
	words := p.s.Lang().PodWords()
	for _, lane := range p.s.Run().Past().Lanes(workload, lanesMax) {
		row := strip{Name: lane.Name, Title: lane.Name, Label: laneLabel(lane.Name), Lane: true, Segments: []stripSegment{}}
		for _, seg := range lane.Segments {
			row.Segments = append(row.Segments, laneSegment(seg, &words, sets))
		}
		rows = append(rows, row)
	}
	return rows
}

// partitionStrip shows which ordinals of a StatefulSet an update may change. Without a partition there is no strip.
func (p *Panels) partitionStrip(workload string) []strip {
	steps := p.s.Run().Past().Partition(workload)
	if steps == nil {
		return nil
	}
	row := strip{Name: "Partition", Title: "Partition", Label: "Partit.", Segments: []stripSegment{}}
	for i, s := range steps {
		to := p.s.End()
		if i+1 < len(steps) {
			to = steps[i+1].T
		}
		text := p.s.Lang().Say("partition-from", command.Name(workload), s.Partition)
		row.Segments = append(row.Segments, stripSegment{From: s.T, To: to, Record: s.Record, Kind: "good", Text: text,
			Title: p.s.Lang().Say("partition-means", cursor.Clock(s.T), s.Partition, text)})
	}
	return []strip{row}
}

// laneLabel shortens a name to the room beside the strips.
func laneLabel(name string) string {
	const fits = 7
	if r := []rune(name); len(r) > fits {
		return "…" + string(r[len(r)-fits+1:])
	}
	return name
}

func laneSegment(s past.LaneSegment, words *[past.PodStates]string, sets []chart.Set) stripSegment {
	text := words[s.State]
	if i := strings.IndexAny(text, ":："); i > 0 {
		text = text[:i]
	}
	revision, color := "", 0
	if k := slices.IndexFunc(sets, func(known chart.Set) bool { return known.Name == s.Set }); k >= 0 && s.Revision > 0 {
		revision = fmt.Sprintf("rev %d · ", s.Revision)
		color = k%chart.Colors + 1
	}
	return stripSegment{From: s.From, To: s.To, Record: s.Record, Kind: laneKinds[s.State], Text: revision + text, Color: color,
		Title: fmt.Sprintf("%s  %s: %s%s", cursor.Clock(s.From), s.Pod, revision, words[s.State])}
}

// laneKinds are the colours and patterns of the states of a pod.
var laneKinds = [past.PodStates]string{
	past.PodPending: "unknown", past.PodCreating: "busy", past.PodRunning: "busy", past.PodReady: "busy",
	past.PodAvailable: "good", past.PodImageError: "bad", past.PodCrashLoop: "bad", past.PodFinished: "unknown",
	past.PodTerminating: "legal",
}

// budgetStrip shows what a disruption budget allows: the number of evictions at each moment, and of healthy pods.
func budgetStrip(l lang.Lang, b past.Budget, end int64) strip {
	name := "PodDisruptionBudget " + b.Name
	row := strip{Name: name, Title: name, Label: "PDB", Segments: []stripSegment{}}
	for i, s := range b.Steps {
		to := end
		if i+1 < len(b.Steps) {
			to = b.Steps[i+1].T
		}
		if s.Gone {
			continue
		}
		kind := parts.Rating(s.Current < s.Desired, s.Allowed == 0)
		row.Segments = append(row.Segments, stripSegment{From: s.T, To: to, Record: s.Record, Kind: kind,
			Text: l.Say("n-allowed", s.Allowed),
			Title: l.Say("budget-means", cursor.Clock(s.T), b.Name, s.Current, s.Desired,
				l.Count(s.Allowed, "one-disruption", "n-disruptions"))})
	}
	return row
}
