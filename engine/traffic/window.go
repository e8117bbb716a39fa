package traffic

import (
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Of is Upto as far as the run is computed.
func Of(p *past.Past, t scenario.Traffic) Report { return Upto(p, t, p.Now()) }

// Reports returns what becomes of the requests of some entries up to a moment.
func Reports(p *past.Past, asked []scenario.Traffic, until int64) []Report {
	list := make([]Report, len(asked))
	for i, t := range asked {
		list[i] = Upto(p, t, until)
	}
	return list
}

// Worst returns the report of which the largest share of requests fails, of those that end between two moments, with these requests; nil
// if there are none. What is in flight when an update begins may fail because of it, so requests count by their end, as In says.
func Worst(list []Report, from, until int64) (worst *Report, c Counts) {
	for i := range list {
		n, _, _ := list[i].Between(list[i].In(from, until))
		if all := n.All(); all > 0 && (worst == nil || float64(n.Failed())*float64(c.All()) > float64(c.Failed())*float64(all)) {
			worst, c = &list[i], n
		}
	}
	return worst, c
}

// In returns when the requests begin that end between two moments.
func (r *Report) In(from, until int64) (first, last int64) {
	return from - r.Of.Takes.Max, until - r.Of.Takes.Max
}

// afterwards is how long requests still count after the last pod has changed, in ms, unless the way to the proxies takes longer.
const afterwards = 10_000

// After returns how long after their last pod has ended requests still count, in ms: until whatever sends them knows. It is 0 for no requests.
func After(asked []scenario.Traffic) (ms int64) {
	for _, t := range asked {
		p := pathOf(&t)
		ms = max(ms, afterwards, retry+p.runner.Min+p.takes+p.delay+max(p.joins, p.leaves))
	}
	return ms
}
