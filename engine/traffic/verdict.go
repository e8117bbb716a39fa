package traffic

import (
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/words"
)

// Verdict says what the users of a Service notice, in one sentence.
func (r *Report) Verdict() string {
	failed := r.Total.Failed()
	if failed == 0 {
		if r.Total[Slow] > 0 {
			return fmt.Sprintf("No request fails, but %s of %s are tried again: %s.", number(r.Total[Slow]), number(r.Total.All()), because[Slow])
		}
		return "Your users won't notice."
	}
	from, to := int64(never), int64(0)
	for _, i := range r.Intervals {
		if i.Failed() > 0 {
			from, to = min(from, i.From), i.To
		}
	}
	return fmt.Sprintf("About %s of %s requests fail within %d s: %s.", number(failed), number(r.Total.All()), (to-from+999)/1000, because[r.worst()])
}

// Outcomes lists how many requests had each outcome. The model is named.
func (r *Report) Outcomes() string {
	text := fmt.Sprintf("model: %s served", number(r.Total[Served]))
	for o := Slow; o < outcomes; o++ {
		text += fmt.Sprintf(", %s %s", number(r.Total[o]), [outcomes]string{Slow: "slow", Early: "refused (early)", Late: "refused (late)",
			Reset: "reset", NoEndpoint: "without endpoint"}[o])
	}
	return text
}

// because has the cause of each outcome.
var because = [outcomes]string{Slow: "pods stop before the proxies know", Early: "pods are ready before they listen",
	Late: "pods stop before the proxies know", Reset: "pods end with requests in flight", NoEndpoint: "no pod is ready"}

// worst returns the outcome that most failed requests have.
func (r *Report) worst() Outcome {
	worst := Early
	for o := Early; o < outcomes; o++ {
		if r.Total[o] > r.Total[worst] {
			worst = o
		}
	}
	return worst
}

// retry is how much later a slice is written when an EndpointSlice controller has not seen its last write yet (E-4), in ms.
const retry = 1000

// PreStop returns the shortest preStop hook, in seconds, after which no proxy sends requests to a pod any more, with its sum.
func (r *Report) PreStop() (seconds int64, sum string) {
	p := paths[r.Of.Via]
	reach := p.takes + p.delay + r.Of.Delay
	seconds = (retry + p.runner.Min + reach + 999) / 1000
	return seconds, fmt.Sprintf("preStop ≥ %d s = %s (slice) + %s (proxy) + %s (%s); grace ≥ %d + %s (longest request)",
		seconds, duration(retry), duration(p.runner.Min), duration(reach), r.Of.Via, seconds, duration(r.Of.Takes))
}

func duration(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) + " s" }

func number(n int64) string { return words.Thousands(int(n)) }
