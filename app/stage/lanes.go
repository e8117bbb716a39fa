package stage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine/past"
)

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
		kind := "good"
		switch {
		case s.Current < s.Desired:
			kind = "bad"
		case s.Allowed == 0:
			kind = "legal"
		}
		row.Segments = append(row.Segments, stripSegment{From: s.T, To: to, Record: s.Record, Kind: kind,
			Text: l.Say("n-allowed", s.Allowed),
			Title: l.Say("budget-means", cursor.Clock(s.T), b.Name, s.Current, s.Desired,
				l.Count(s.Allowed, "one-disruption", "n-disruptions"))})
	}
	return row
}
