package chart

import "github.com/rollplay/rollplay/engine"

// Span is a stretch of virtual time.
type Span struct{ From, To int64 }

// Outages are the times without an available pod although some are desired. Before the first pod was available there was nothing
// that could fail. A state that lasts less than 1 ms does not count.
func Outages(frames []engine.Frame, end int64) (all []Span) {
	served := false
	for i := range frames {
		f, to := &frames[i], end
		if i+1 < len(frames) {
			to = frames[i+1].T
		}
		if f.Available > 0 && to > f.T {
			served = true
		}
		if !served || f.Available > 0 || f.Desired == 0 || to <= f.T {
			continue
		}
		if n := len(all); n > 0 && all[n-1].To == f.T {
			all[n-1].To = to
		} else {
			all = append(all, Span{f.T, to})
		}
	}
	return all
}
