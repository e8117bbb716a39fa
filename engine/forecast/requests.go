package forecast

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/traffic"
	"github.com/rollplay/rollplay/engine/words"
)

// Requests is what becomes of the requests to a workload during a rollout. All of it is a model; see package traffic.
type Requests struct {
	All    int64  `json:"all"` // 0 if no Service selects its pods
	Failed int64  `json:"failed"`
	Model  string `json:"model"` // what is assumed
}

// Text writes the failed requests for people: 120 of 12,000.
func (r *Requests) Text() string {
	if r.All == 0 {
		return "-"
	}
	return words.Thousands(int(r.Failed)) + " of " + words.Thousands(int(r.All))
}

// Rough is by how many doublings requests fail, 0 for none: less is chance, because pods end a little sooner or later after the proxies'
// rules are written.
func (r *Requests) Rough() int64 { return int64(bits.Len64(uint64(r.Failed))) }

// Ask returns rollouts of one workload with what becomes of the requests to it: from the beginning of each until those that send them know
// of its last pod, or until the next one begins. If several Services select the workload, that of which the largest share fails counts.
func Ask(p *past.Past, list []Rollout) []Rollout {
	if len(list) == 0 {
		return list
	}
	asked := traffic.For(p, list[0].Workload)
	if len(asked) == 0 {
		return list
	}
	after := traffic.After(asked)
	reports := traffic.Reports(p, asked, Until(p, &list[len(list)-1], after))
	list = slices.Clone(list)
	for i := range list {
		x := &list[i]
		until := Until(p, x, after)
		if i+1 < len(list) {
			until = min(until, list[i+1].Start)
		}
		if worst, c := traffic.Worst(reports, x.Start, until); worst != nil {
			x.Requests = Requests{c.All(), c.Failed(), worst.Model()}
		}
	}
	return list
}

// Until returns up to which moment the requests of a rollout count if no other one begins: some time after its last pod has ended.
func Until(p *past.Past, x *Rollout, after int64) int64 {
	if x.Result != Complete {
		return x.End
	}
	frames := p.Frames(x.Workload)
	i := max(1, sort.Search(len(frames), func(i int) bool { return frames[i].T > x.End })) - 1
	for i < len(frames) && frames[i].Terminating > 0 {
		i++
	}
	if i == len(frames) {
		return p.Now() + after
	}
	return max(x.End, frames[i].T) + after
}
