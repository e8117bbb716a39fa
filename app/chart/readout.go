package chart

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// FrameAt returns the index of the frame that holds at a place, -1 if the workload is not there yet.
func FrameAt(frames []engine.Frame, at cursor.Place) int {
	return past.FrameAt(frames, at.Record, at.T)
}

// At returns the frame that holds at a place. Its Workload is empty if the workload is not there yet.
func At(frames []engine.Frame, at cursor.Place) *engine.Frame {
	if i := FrameAt(frames, at); i >= 0 {
		return &frames[i]
	}
	return &engine.Frame{}
}

// Number returns the number that a line of the chart has in a frame.
func Number(f *engine.Frame, id string) int {
	switch id {
	case SeriesTotal:
		return f.Total
	case SeriesAvailable:
		return f.Available
	case SeriesUnavailable:
		return f.Desired
	case SeriesTerminating:
		return f.Terminating
	}
	name, _ := strings.CutPrefix(id, SeriesRSPrefix)
	if rs := f.ReplicaSet(name); rs != nil {
		return rs.Replicas
	}
	return 0
}

// AtMost writes the upper bound as a sum, and where the surge comes from: at most 13 = 10 + 3 (25% of 10 = 2.5 ↑).
func AtMost(l lang.Lang, f *engine.Frame, written past.WorkloadRow) string {
	if f.Upper <= 0 {
		return ""
	}
	surge := f.Upper - f.Desired
	return l.Say("at-most", f.Upper, f.Desired, surge) + percent(l, written.MaxSurge, f.Desired, surge, false)
}

// AtLeast writes the lower bound: at least 8 = 10 − 2 (25% of 10 = 2.5 ↓).
func AtLeast(l lang.Lang, f *engine.Frame, written past.WorkloadRow) string {
	if f.Lower <= 0 {
		return ""
	}
	unavailable := f.Desired - f.Lower
	return l.Say("at-least", f.Lower, f.Desired, unavailable) + percent(l, written.MaxUnavailable, f.Desired, unavailable, written.Kind != "DaemonSet")
}

// percent explains a number that was written as a percentage, and which way it was rounded. 10% of 4 is 0.4, which is 0 rounded
// down; the controllers take 1 then, because otherwise they could not move.
func percent(l lang.Lang, written string, of, got int, down bool) string {
	digits, ok := strings.CutSuffix(written, "%")
	p, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return ""
	}
	exact := strconv.FormatFloat(float64(p*of)/100, 'f', -1, 64)
	switch rest := got*100 - p*of; {
	case rest > 0 && down:
		exact = l.Say("percent-one", exact+" ↓")
	case rest > 0:
		exact += " ↑"
	case rest < 0:
		exact += " ↓"
	}
	return l.Say("percent-of", p, of, exact)
}

// Tenths writes thousandths to one place: 13150 as 13.2.
func Tenths(n int64) string {
	t := (n + 50) / 100
	return strconv.FormatInt(t/10, 10) + "." + strconv.FormatInt(t%10, 10)
}

// Seconds writes virtual ms as 13.1 s, or as 2:05 from two minutes on.
func Seconds(ms int64) string {
	tenths := (ms + 50) / 100
	switch {
	case ms >= 120_000:
		return fmt.Sprintf("%d:%02d", ms/60_000, ms/1000%60)
	case ms < 1000 && ms%100 != 0:
		return fmt.Sprintf("%d ms", ms)
	case tenths%10 == 0:
		return fmt.Sprintf("%d s", tenths/10)
	}
	return fmt.Sprintf("%d.%d s", tenths/10, tenths%10)
}
