package chart

import (
	"math"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/past"
)

// Ids of the series that every chart has. A ReplicaSet's series has the id "rs:" and its name.
const (
	seriesLower       = "lower"       // desired - maxUnavailable; the foot of the bands
	SeriesUnavailable = "unavailable" // the band from lower to desired, stacked on lower
	seriesSurge       = "surge"       // the band from desired to upper, stacked on unavailable
	SeriesTotal       = "total"
	SeriesAvailable   = "available"
	SeriesTerminating = "terminating" // stacked on total: these pods come on top of it, and may lie above the bands
	SeriesRSPrefix    = "rs:"
	spikePrefix       = "spike:" // hairlines of total or available: moments that are too short to see
	ghostPrefix       = "ghost:" // total or available of another run, behind the lines
)

// points are x, y pairs in one flat slice, as ECharts takes typed arrays: virtual ms and a count.
type points []float64

// add appends a point if the value has changed. With step: 'end' a line needs no more.
func (p points) add(t int64, value int) points {
	if n := len(p); n > 0 && p[n-1] == float64(value) {
		return p
	}
	return append(p, float64(t), float64(value))
}

// until extends the last value to t.
func (p points) until(t int64) points {
	n := len(p)
	if n == 0 || p[n-2] >= float64(t) {
		return p
	}
	return append(p, float64(t), p[n-1])
}

func (p points) Len() int { return len(p) / 2 }

// pointsMax is more than a screen has columns of pixels. Longer lines are thinned.
const pointsMax = 3000

// thin keeps of a long line, for each of some 700 stretches of time, the first and the last point and the extremes: on a screen the
// line looks the same.
func (p points) thin(end int64) points {
	if p.Len() <= pointsMax {
		return p
	}
	width := float64(end)/(pointsMax/4) + 1
	out := make(points, 0, 2*pointsMax)
	for i := 0; i < p.Len(); {
		j, low, high := i, i, i
		for ; j < p.Len() && p[2*j]-p[2*i] < width; j++ {
			if p[2*j+1] < p[2*low+1] {
				low = j
			}
			if p[2*j+1] > p[2*high+1] {
				high = j
			}
		}
		last := -1
		for _, k := range [...]int{i, min(low, high), max(low, high), j - 1} {
			if k > last {
				out = append(out, p[2*k], p[2*k+1])
				last = k
			}
		}
		i = j
	}
	return out
}

// Series is the data of one line of the chart.
type Series struct {
	ID     string
	Points points
}

// Lines builds the chart's lines from the frames of a workload, drawn up to virtual ms end: the three of the
// bands, total, available, terminating, then the hairlines, then one for each ReplicaSet in the order in which they appear: those may be
// left out, and ECharts draws what comes back above the rest. States shorter than the window, in virtual ms, are hairlines; see Settle. Stacked
// ReplicaSets are areas, one above the other.
func Lines(frames []engine.Frame, end, window int64, stacked bool) []Series {
	short := spikeSeries(frames, window)
	breath.Take()
	frames = Settle(frames, window)
	breath.Take()
	all := append(bandSeries(frames), countSeries(frames, end)...)
	counts := len(all)
	breath.Take()
	if stacked {
		all = append(all, stackedSets(frames)...)
	} else {
		all = append(all, rsSeries(frames)...)
	}
	for i := range all {
		breath.Take()
		all[i].Points = all[i].Points.until(end)
		if id := all[i].ID; isRS(id) && !stacked || id == SeriesAvailable { // the others are stacked by index
			all[i].Points = all[i].Points.thin(end)
		}
	}
	return slices.Insert(all, counts, short...)
}

// Ghost is total and available of another run, to compare.
func Ghost(frames []engine.Frame, end int64, window int64) []Series {
	var total, available points
	for _, f := range Settle(frames, window) {
		total, available = total.add(f.T, f.Total), available.add(f.T, f.Available)
	}
	return []Series{{ghostPrefix + SeriesTotal, total.until(end).thin(end)}, {ghostPrefix + SeriesAvailable, available.until(end).thin(end)}}
}

// spikeSeries are the hairlines of total and available, at most as many as a screen has room for.
func spikeSeries(frames []engine.Frame, window int64) []Series {
	total := spikes(frames, window, func(f *engine.Frame) int { return f.Total })
	breath.Take()
	available := spikes(frames, window, func(f *engine.Frame) int { return f.Available })
	return []Series{{spikePrefix + SeriesTotal, total[:min(len(total), 6*pointsMax)]}, {spikePrefix + SeriesAvailable, available[:min(len(available), 6*pointsMax)]}}
}

// bandSeries are stacked, and ECharts stacks by index: so all three have a point wherever one of them changes.
func bandSeries(frames []engine.Frame) []Series {
	var lower, unavailable, surge points
	var last engine.Frame
	for i, f := range frames {
		if i > 0 && f.Lower == last.Lower && f.Desired == last.Desired && f.Upper == last.Upper {
			continue
		}
		last = f
		t := float64(f.T)
		foot := max(f.Lower, 0)
		lower = append(lower, t, float64(foot))
		unavailable = append(unavailable, t, float64(max(f.Desired-foot, 0)))
		surge = append(surge, t, float64(max(f.Upper-f.Desired, 0)))
	}
	return []Series{{seriesLower, lower}, {SeriesUnavailable, unavailable}, {seriesSurge, surge}}
}

// countSeries are total, available and terminating. The last is stacked on the first, so both have the same times.
func countSeries(frames []engine.Frame, end int64) []Series {
	var total, available, terminating points
	for i, f := range frames {
		available = available.add(f.T, f.Available)
		if i == 0 || f.Total != frames[i-1].Total || f.Terminating != frames[i-1].Terminating {
			total = append(total, float64(f.T), float64(f.Total))
			terminating = append(terminating, float64(f.T), float64(f.Terminating))
		}
	}
	if total.Len() > pointsMax {
		total, terminating = thinTogether(total, terminating, end)
	}
	return []Series{{SeriesTotal, total}, {SeriesAvailable, available}, {SeriesTerminating, terminating}}
}

// thinTogether thins two lines by the times at which the height of both together is first, lowest, highest or last in a
// stretch; see thin.
func thinTogether(a, b points, end int64) (thinA, thinB points) {
	sum := append(points(nil), a...)
	for i := 1; i < len(sum); i += 2 {
		sum[i] += b[i]
	}
	k := 0
	for i, kept := 0, sum.thin(end); i < kept.Len(); i++ {
		for a[2*k] != kept[2*i] || sum[2*k+1] != kept[2*i+1] {
			k++
		}
		thinA, thinB = append(thinA, a[2*k:2*k+2]...), append(thinB, b[2*k:2*k+2]...)
	}
	return thinA, thinB
}

func rsSeries(frames []engine.Frame) []Series {
	var all []Series
	at := map[string]int{}
	for i, f := range frames {
		breath.Often()
		for rs := range changed(frames, i) {
			k, ok := at[rs.Name]
			if !ok {
				k = len(all)
				at[rs.Name] = k
				all = append(all, Series{ID: SeriesRSPrefix + rs.Name})
			}
			all[k].Points = all[k].Points.add(f.T, rs.Replicas)
		}
		if i == 0 {
			continue
		}
		for k, rs := range frames[i-1].ReplicaSets {
			if k < len(f.ReplicaSets) && f.ReplicaSets[k].Name == rs.Name {
				continue
			}
			if f.ReplicaSet(rs.Name) == nil { // gone with this frame
				all[at[rs.Name]].Points = all[at[rs.Name]].Points.add(f.T, 0)
			}
		}
	}
	return all
}

// stackedSets are the lines of rsSeries with a point wherever one of them changes, because they are stacked by index.
func stackedSets(frames []engine.Frame) []Series {
	all := rsSeries(frames)
	step := len(frames)/pointsMax + 1
	for k := range all {
		all[k].Points = nil
		for i := 0; i < len(frames); i += step {
			all[k].Points = append(all[k].Points, float64(frames[i].T), float64(Number(&frames[i], all[k].ID)))
		}
	}
	return all
}

// SeriesBudgetPrefix begins the id of a disruption budget's line, before its name.
const SeriesBudgetPrefix = "pdb:"

// BudgetLines are the lines of desiredHealthy: below them the eviction API lets no more pod go (P-12). A rollout may go below.
func BudgetLines(budgets []past.Budget, end int64) (all []Series) {
	for _, b := range budgets {
		var line points
		for _, s := range b.Steps {
			desired := s.Desired
			if s.Gone {
				desired = 0
			}
			line = line.add(s.T, desired)
		}
		all = append(all, Series{ID: SeriesBudgetPrefix + b.Name, Points: line.until(end)})
	}
	return all
}

// gap ends a part of a line.
var gap = math.NaN()

// Settle keeps, of frames that follow each other within a window of virtual ms, the last one. A controller that scales one
// ReplicaSet up and another one down passes through states that no person could have seen: with a window of 20, frames at
// 100, 101, 104 and 130 ms become those at 104 and 130. A window begins at its first frame, so a steady flow of changes keeps a
// frame for each 20 ms.
func Settle(frames []engine.Frame, window int64) []engine.Frame {
	out := make([]engine.Frame, 0, len(frames))
	for i := 0; i < len(frames); {
		j := windowEnd(frames, i, window)
		out = append(out, frames[j])
		i = j + 1
	}
	return out
}

// windowEnd is the last frame of the window that begins with frame i.
func windowEnd(frames []engine.Frame, i int, window int64) int {
	j := i
	for j+1 < len(frames) && frames[j+1].T-frames[i].T < window {
		j++
	}
	return j
}

// spikes are upright hairlines, as x, y pairs with a gap after each: how far a count went within a window beyond what it was
// before and after. Of 10 → 8 → 11 that is from 10 to 8. A state of less than 1 ms does not count.
func spikes(frames []engine.Frame, window int64, count func(*engine.Frame) int) (lines points) {
	for i, before := 0, 0; i < len(frames); {
		j := windowEnd(frames, i, window)
		after := count(&frames[j])
		if i == 0 {
			before = after
		}
		low, high := min(before, after), max(before, after)
		for k := i; k < j; k++ {
			if n := count(&frames[k]); frames[k+1].T > frames[k].T && (n < low || n > high) {
				lines = append(lines, float64(frames[k].T), float64(min(max(n, low), high)), float64(frames[k].T), float64(n), gap, gap)
			}
		}
		before, i = after, j+1
	}
	return lines
}

// Window is the window for a scale: at most 20 ms, and at most what 4 pixels show. At 100 px for each second 4 px are 40 ms,
// so it is 20; at 1,000 px it is 4, of which 2 is the next round one.
func Window(pxPerMS float64) int64 {
	for _, w := range [...]int64{20, 10, 5, 2} {
		if float64(w)*pxPerMS <= 4 {
			return w
		}
	}
	return 1
}

// CurveWidth and CurveHeight are the units in which a curve is drawn.
const (
	CurveWidth  = 48
	CurveHeight = 16
)

// Curve draws the total and the available pods of a run as two paths of an SVG, with a "|" between them: a picture of a few
// hundred bytes. Each unit of the width shows the last frame of its part of the time, so a rollout of 10 s in a run of 18 s is
// 27 units wide.
func Curve(frames []engine.Frame, end int64) string {
	top := 1
	for i := range frames {
		top = max(top, frames[i].Total)
	}
	if len(frames) == 0 || end <= 0 {
		return ""
	}
	total := curve(frames, end, top, func(f *engine.Frame) int { return f.Total })
	return total + "|" + curve(frames, end, top, func(f *engine.Frame) int { return f.Available })
}

func curve(frames []engine.Frame, end int64, top int, count func(*engine.Frame) int) string {
	path, was, i := "", -1, 0
	for x := range int64(CurveWidth) {
		for i+1 < len(frames) && frames[i+1].T <= end*(x+1)/CurveWidth {
			i++
		}
		y := CurveHeight - 1 - count(&frames[i])*(CurveHeight-2)/top
		switch {
		case was < 0:
			path = "M0 " + strconv.Itoa(y)
		case y != was:
			path += "H" + strconv.FormatInt(x, 10) + "V" + strconv.Itoa(y)
		}
		was = y
	}
	return path + "H" + strconv.Itoa(CurveWidth)
}
