package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/traffic"
	"github.com/rollplay/rollplay/engine/words"
)

// requests is what becomes of the requests to a workload while it is updated. All of it is a model; see package traffic.
type requests struct {
	Failed, All  int64
	Says, Assume string
}

// ask counts the requests of a run from the update on. It plays on until the proxies know what has become of the last pods.
func (s *setting) ask(r *engine.Run, o *outcome) {
	if len(r.Past().Objects(api.KindService, r.Len()-1)) == 0 {
		return
	}
	last := s.at
	for _, change := range r.Past().ChangesAfter(-1) {
		if _, ok := change.Object().(*api.Pod); ok {
			last = max(last, change.At) // a run may go on for a day after the last one
		}
	}
	o.Requests = map[string]requests{}
	for _, key := range s.updated {
		asked := traffic.For(r.Past(), key.String())
		until := last + traffic.After(asked)
		for !r.Done() && r.Now() < until {
			r.Advance(1 << 5)
		}
		report, counts := traffic.Worst(traffic.Reports(r.Past(), asked, until), s.at, until)
		if report == nil {
			continue
		}
		x := requests{counts.Failed(), counts.All(), report.Verdict(report.In(s.at, until)), report.Model()}
		if cause, lost := report.Worst(report.In(s.at, until)); lost {
			x.Says += " " + report.Helps(cause, r.Past().ObjectAt(key, r.Len()-1))
		}
		o.Requests[key.String()] = x
	}
}

// asked returns the requests to a workload in the seed in which the largest share of them fails; all is 0 if none are known.
func (s *setting) asked(key api.Key) (worst requests) {
	for i := range s.runs {
		x, ok := s.runs[i].Requests[key.String()]
		if ok && (worst.All == 0 || float64(x.Failed)*float64(worst.All) > float64(worst.Failed)*float64(x.All)) {
			worst = x
		}
	}
	return worst
}

// requests answers whether too many requests fail, if somebody asks or some are known.
func (a *answers) requests() {
	limit := a.limits.MaxFailed
	switch {
	case a.sent.All > 0:
		value := fmt.Sprintf("%s of %s", words.Thousands(int(a.sent.Failed)), words.Thousands(int(a.sent.All)))
		most, percent, ok := shareOf(limit)
		if percent {
			most *= float64(a.sent.All) / 100
		}
		if f := a.add("requests", "", a.sent.Says, value, limit); ok && float64(a.sent.Failed) > most {
			f.Verdict = Fail
		}
	case limit == "":
	case slices.ContainsFunc(a.serving(a.key), func(s *api.Service) bool { return s.Spec.ClusterIP == api.HeadlessIP }):
		a.add("requests", "", "Its Service is headless: clients find the pods themselves, so it is not known what they notice.", "", limit).Verdict = Unknown
	case slices.ContainsFunc(a.runs, func(o outcome) bool { return o.Requests != nil }):
		a.add("requests", "", "No Service has an endpoint of its pods, so no requests are counted.", "", limit)
	default:
		a.add("requests", "", "There is no Service, so it is not known who sends requests.", "", limit).Verdict = Unknown
	}
}

// shareOf reads a limit of requests: a number, or a percentage of all.
func shareOf(limit string) (n float64, percent, ok bool) {
	text, percent := strings.CutSuffix(limit, "%")
	n, err := strconv.ParseFloat(text, 64)
	return n, percent, err == nil && strings.Trim(text, "0123456789.") == ""
}
