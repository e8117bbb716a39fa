package chart

// View is what the chart needs when the run changed.
type View struct {
	Option string // for these series
	Series []Series
	End    int64 // of the time axis; the page chooses the ticks, because it can zoom
	Busy   int64 // end of the part that the chart shows first
	Count  Axis
	Marks  []Mark
	Syncs  []float64 // reconciles that decided something, for the scrubber: the time and the record of each
}

// Mark is a command on the time axis, or on the scrubber alone a condition that changed or a time in which a bound did
// not hold.
type Mark struct {
	Kind   string `json:"kind"` // command, condition or violation
	T      int64  `json:"t"`
	To     int64  `json:"to"` // the end of a violation
	Line   string `json:"line"`
	Failed bool   `json:"failed"` // a command that was refused, a bound that the rules did not let go
}
