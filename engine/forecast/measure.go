package forecast

// Unit is what a measure counts.
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
)

// Measure is a number of a scorecard by which rollouts are compared.
type Measure struct {
	Name string // as in JSON and in options
	Of   func(*Rollout) int64
	Unit Unit
	More bool // is better
}

// Measures are all of them, in the order in which they are listed.
var Measures = [...]Measure{
	{"duration", (*Rollout).Duration, Millis, false},
	{"lowestPercent", func(r *Rollout) int64 { return int64(r.LowestPercent()) }, Percent, true},
	{"belowDesired", func(r *Rollout) int64 { return r.BelowDesired }, Millis, false},
	{"belowBound", func(r *Rollout) int64 { return r.BelowBound }, Millis, false},
	{"atZero", func(r *Rollout) int64 { return r.AtZero }, Millis, false},
	{"peakPods", func(r *Rollout) int64 { return int64(r.PeakPods) }, Pods, false},
	{"peakCPU", func(r *Rollout) int64 { return r.PeakCPU }, MilliCPU, false},
	{"peakMemory", func(r *Rollout) int64 { return r.PeakMemory }, Bytes, false},
	{"extraPodMs", func(r *Rollout) int64 { return r.ExtraPodMs }, PodMillis, false},
	{"nodeMs", func(r *Rollout) int64 { return r.NodeMs }, NodeMillis, false},
	{"created", func(r *Rollout) int64 { return int64(r.Created) }, Pods, false},
	{"refused", func(r *Rollout) int64 { return int64(r.Refused) }, Pods, false},
}

// MeasureOf returns the measure of a name, nil if there is none.
func MeasureOf(name string) *Measure {
	for i := range Measures {
		if Measures[i].Name == name {
			return &Measures[i]
		}
	}
	return nil
}
