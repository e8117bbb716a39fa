package autoscaler

import (
	"fmt"
	"math"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// downscaleStabilization is how long a higher recommendation counts, in seconds, unless the behavior sets another time.
const downscaleStabilization = 300

// recommendation is the number of replicas that the metrics called for in a reconcile.
type recommendation struct {
	replicas int32
	at       sim.Time
}

// scaleEvent is a change of the replicas.
type scaleEvent struct {
	change   int32 // never negative
	at       sim.Time
	outdated bool // may be overwritten
}

const (
	wasHigher = "recent recommendations were higher than current one, applying the highest recent recommendation"
	wasLower  = "recent recommendations were lower than current one, applying the lowest recent recommendation"
)

// normalize turns the number that the metrics call for into the desired number: first by the recent recommendations (HPA-6), then by
// the limits of speed and range (HPA-7).
func (l *look) normalize(current, computed int32) int32 {
	b := l.hpa.Spec.Behavior
	var stable int32
	reason, message := "ScaleDownStabilized", wasHigher
	if b == nil {
		stable = l.stabilizeDown(computed)
	} else {
		if computed >= current {
			reason, message = "ScaleUpStabilized", wasLower
		}
		stable = l.stabilize(b, current, computed)
	}
	if stable == computed {
		reason, message = "ReadyForNewScale", "recommended size matches current size"
	}
	l.condition(api.AbleToScale, "True", reason, message)
	desired, reason, message := l.limit(b, current, stable)
	limited := "False"
	if desired != stable {
		limited = "True"
	}
	l.condition(api.ScalingLimited, limited, reason, message)
	return desired
}

// stabilizeDown returns the highest recommendation of the last five minutes, and notes the newest one
// (stabilizeRecommendation). If 4 was recommended at 0 s, and from 15 s on 2, the result is 4 up to and including 300 s, and
// 2 at 315 s.
func (l *look) stabilizeDown(computed int32) int32 {
	highest, cutoff := computed, l.now-downscaleStabilization*1000
	free := -1
	for i, r := range l.memory.recommendations {
		if r.at < cutoff {
			free = i
		} else {
			highest = max(highest, r.replicas)
		}
	}
	l.memory.note(free, recommendation{computed, l.now})
	if highest != computed {
		l.decided(fmt.Sprintf("keeps the highest recommendation of the last %d s", downscaleStabilization), why.Sum("HPA-6", horizontalGo+"stabilizeRecommendation",
			"max(computed, highest)", highest, computed, highest))
	}
	return highest
}

// stabilize keeps the replicas between the lowest recommendation of the window for scaling up and the highest of the one for
// scaling down, and notes the newest one (stabilizeRecommendationWithBehaviors). With 5 replicas, windows of 60 s up and 300 s
// down, and recommendations 4 (200 s ago), 9 (40 s ago) and now 8: lowest is 8, highest 9, so the result is 8. With 6 instead
// of 9, 40 s ago, lowest is 6, and the result is 6.
func (l *look) stabilize(b *api.HorizontalPodAutoscalerBehavior, current, computed int32) int32 {
	down := int32(downscaleStabilization)
	if w := b.ScaleDown.StabilizationWindowSeconds; w != nil {
		down = *w
	}
	upCutoff, downCutoff := l.now-int64(*b.ScaleUp.StabilizationWindowSeconds)*1000, l.now-int64(down)*1000
	lowest, highest, free := computed, computed, -1
	for i, r := range l.memory.recommendations {
		if r.at > upCutoff {
			lowest = min(lowest, r.replicas)
		}
		if r.at > downCutoff {
			highest = max(highest, r.replicas)
		}
		if r.at < upCutoff && r.at < downCutoff {
			free = i
		}
	}
	l.memory.note(free, recommendation{computed, l.now})
	stable := min(max(current, lowest), highest)
	if stable != computed {
		l.decided("stays within the recommendations of its stabilization windows", why.Sum("HPA-6", horizontalGo+"stabilizeRecommendationWithBehaviors",
			"min(max(currentReplicas, lowest), highest)", stable, current, lowest, highest))
	}
	return stable
}

// note keeps a recommendation, and overwrites an outdated one if there is any.
func (m *memory) note(free int, r recommendation) {
	if free >= 0 {
		m.recommendations[free] = r
		return
	}
	m.recommendations = append(m.recommendations, r)
}

// limit bounds the replicas by the range of the spec and by the speed: that of the behavior's policies, or, without a behavior, at most
// twice as many, or 4 if that is more (convertDesiredReplicasWithBehaviorRate, convertDesiredReplicasWithRules). Without one and with
// maxReplicas 10, 1 becomes at most 4, 3 at most 6, and 8 at most 10. The current number is in the range, so it is enough to look at
// both ends.
func (l *look) limit(b *api.HorizontalPodAutoscalerBehavior, current, stable int32) (desired int32, reason, message string) {
	from, slowest, fastest := "convertDesiredReplicasWithRules", int32(math.MinInt32), int32(math.Max(2*float64(current), 4))
	if b != nil {
		from = "convertDesiredReplicasWithBehaviorRate"
		slowest, fastest = min(current, l.policies(b.ScaleDown, current, true)), max(current, l.policies(b.ScaleUp, current, false))
	}
	least, most := *l.hpa.Spec.MinReplicas, l.hpa.Spec.MaxReplicas
	switch low, high := max(least, slowest), min(most, fastest); {
	case stable < low && least < slowest:
		return l.atLeast(stable, low, from), "ScaleDownLimit", tooFastDown
	case stable < low:
		return l.atLeast(stable, low, from), "TooFewReplicas", tooFew
	case stable > high && most > fastest:
		return l.atMost(stable, high, from), "ScaleUpLimit", tooFast
	case stable > high:
		return l.atMost(stable, high, from), "TooManyReplicas", tooMany
	}
	return stable, "DesiredWithinRange", withinRange
}

const (
	tooFew      = "the desired replica count is less than the minimum replica count"
	tooMany     = "the desired replica count is more than the maximum replica count"
	tooFast     = "the desired replica count is increasing faster than the maximum scale rate"
	tooFastDown = "the desired replica count is decreasing faster than the maximum scale rate"
	withinRange = "the desired count is within the acceptable range"
)

func (l *look) atMost(wanted, high int32, from string) int32 {
	l.decided("is limited", why.Sum("HPA-7", horizontalGo+from, "min(wanted, limit)", high, wanted, high))
	return high
}

func (l *look) atLeast(wanted, low int32, from string) int32 {
	l.decided("is limited", why.Sum("HPA-7", horizontalGo+from, "max(wanted, limit)", low, wanted, low))
	return low
}

// policies returns how many replicas the selected policy allows at most (calculateScaleUpLimitWithScalingRules), or, with down, keeps at
// least (calculateScaleDownLimitWithBehaviors). By the defaults, 100 % or 4 pods in 15 s whichever is more, 3 become at most
// max(6, 7) = 7, and 10 at most max(20, 14) = 20. By 10 % in 60 s, 25 become at least 22.5, rounded down to 22.
//
// Each policy counts from the replicas at the start of its period: after 3 became 6 ten seconds ago, 100 % in 60 s still counts from
// 6 - 3 = 3, and 6 is the limit for 50 s more. With down, fewer replicas are the greater change.
func (l *look) policies(r *api.HPAScalingRules, current int32, down bool) int32 {
	if *r.SelectPolicy == api.DisabledPolicy {
		return current
	}
	allowed := make([]int32, len(r.Policies)) // at least one
	for i := range r.Policies {
		p := &r.Policies[i]
		start := current - l.changed(l.memory.ups, p) + l.changed(l.memory.downs, p)
		switch {
		case p.Type == api.PodsScalingPolicy && down:
			allowed[i] = start - p.Value
		case p.Type == api.PodsScalingPolicy:
			allowed[i] = start + p.Value
		case down:
			allowed[i] = int32(float64(start) * (1 - float64(p.Value)/100))
		default:
			allowed[i] = int32(math.Ceil(float64(start) * (1 + float64(p.Value)/100)))
		}
	}
	if (*r.SelectPolicy == api.MinChangePolicy) != down {
		return slices.Min(allowed)
	}
	return slices.Max(allowed)
}

// changed adds up the changes in the period of a policy.
func (l *look) changed(events []scaleEvent, p *api.HPAScalingPolicy) (sum int32) {
	for _, e := range events {
		if e.at > l.now-int64(p.PeriodSeconds)*1000 {
			sum += e.change
		}
	}
	return sum
}

// remember keeps a change of the replicas as long as the period of any policy (storeScaleEvent).
func (m *memory) remember(b *api.HorizontalPodAutoscalerBehavior, before, after int32, now sim.Time) {
	if after > before {
		m.ups = keep(m.ups, b.ScaleUp, scaleEvent{change: after - before, at: now})
	} else {
		m.downs = keep(m.downs, b.ScaleDown, scaleEvent{change: before - after, at: now})
	}
}

func keep(events []scaleEvent, r *api.HPAScalingRules, e scaleEvent) []scaleEvent {
	longest := int32(0)
	for _, p := range r.Policies {
		longest = max(longest, p.PeriodSeconds)
	}
	free := -1
	for i := range events {
		if events[i].at < e.at-int64(longest)*1000 {
			events[i].outdated = true
		}
		if events[i].outdated {
			free = i
		}
	}
	if free >= 0 {
		events[free] = e
		return events
	}
	return append(events, e)
}
