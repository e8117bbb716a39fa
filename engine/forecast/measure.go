package forecast

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/words"
)

// Unit is the unit of a measure's values.
type Unit uint8

// The units.
const (
	Pods Unit = iota
	Millis
	Percent
	MilliCPU
	Bytes
	PodMillis
	NodeMillis
	Count
)

// Text writes a value for people: 5.3s, 80%, 500m, 1.5Gi. A measure of pod-seconds or node-hours has the unit in its heading.
func (u Unit) Text(value int64) string {
	switch u {
	case Millis:
		return tenths(value) + "s"
	case Percent:
		return strconv.FormatInt(value, 10) + "%"
	case MilliCPU:
		if value != 0 {
			return words.Cores(value)
		}
		return "-"
	case Bytes:
		return bytesText(value)
	case PodMillis:
		return tenths(value)
	case NodeMillis: // two nodes for half an hour are 1.0000
		return fmt.Sprintf("%.4f", float64(value)/3_600_000)
	case Count:
		return words.Thousands(int(value))
	}
	return strconv.FormatInt(value, 10)
}

// tenths writes thousandths with one decimal.
func tenths(thousandths int64) string { return fmt.Sprintf("%.1f", float64(thousandths)/1000) }

// bytesText writes an amount of memory with the largest binary suffix that leaves at most one decimal of error, and - for 0.
func bytesText(n int64) string {
	if n == 0 {
		return "-"
	}
	units := []string{"", "Ki", "Mi", "Gi", "Ti", "Pi"}
	x, i := float64(n), 0
	for x >= 1024 && i < len(units)-1 {
		x, i = x/1024, i+1
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") + units[i]
}

// Measure is a number of a scorecard by which rollouts are compared.
type Measure struct {
	Name    string // in JSON, CSV and options
	Heading string // of a column for people
	Of      func(*Rollout) int64
	Unit    Unit
	More    bool // a larger value is better
	Extreme bool // the value of one moment, so that it is known of a rollout that is not complete
}

// Text writes the value that a rollout has.
func (m *Measure) Text(r *Rollout) string { return m.Unit.Text(m.Of(r)) }

// Measures lists all measures in the order in which they are shown. The last one is shown only where requests are known; see Known.
var Measures = [...]Measure{
	{"duration", "TOOK", (*Rollout).Duration, Millis, false, false},
	{"lowestPercent", "LOWEST", func(r *Rollout) int64 { return int64(r.LowestPercent()) }, Percent, true, true},
	{"belowDesired", "BELOW DESIRED", func(r *Rollout) int64 { return r.BelowDesired }, Millis, false, false},
	{"belowBound", "BELOW BOUND", func(r *Rollout) int64 { return r.BelowBound }, Millis, false, false},
	{"atZero", "OUTAGE", func(r *Rollout) int64 { return r.AtZero }, Millis, false, false},
	{"peakPods", "PEAK PODS", func(r *Rollout) int64 { return int64(r.PeakPods) }, Pods, false, true},
	{"peakCPU", "PEAK CPU", func(r *Rollout) int64 { return r.PeakCPU }, MilliCPU, false, true},
	{"peakMemory", "PEAK MEMORY", func(r *Rollout) int64 { return r.PeakMemory }, Bytes, false, true},
	{"extraPodMs", "EXTRA POD-S", func(r *Rollout) int64 { return r.ExtraPodMs }, PodMillis, false, false},
	{"nodeMs", "NODE-HOURS", func(r *Rollout) int64 { return r.NodeMs }, NodeMillis, false, false},
	{"created", "CREATED", func(r *Rollout) int64 { return int64(r.Created) }, Pods, false, false},
	{"refused", "REFUSED", func(r *Rollout) int64 { return int64(r.Refused) }, Pods, false, false},
	{"failedRequests", "FAILED REQUESTS", func(r *Rollout) int64 { return r.Requests.Failed }, Count, false, false},
}

// Known lists the measures that say something, with or without requests.
func Known(requests bool) []Measure {
	if requests {
		return Measures[:]
	}
	return Measures[:len(Measures)-1]
}

// MeasureOf returns the measure with this name, or nil.
func MeasureOf(name string) *Measure {
	for i := range Measures {
		if Measures[i].Name == name {
			return &Measures[i]
		}
	}
	return nil
}
