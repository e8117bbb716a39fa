package autoscaler

import (
	"errors"
	"fmt"
	"math"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const calculatorGo = "pkg/controller/podautoscaler/replica_calculator.go:"

// The defaults of the controller manager's flags, in ms.
const (
	cpuInitializationPeriod = 300_000 // after its start, during which the cpu of a pod counts only if it is Ready (HPA-2)
	initialReadinessDelay   = 30_000  // a pod that became unready this soon after its start was never ready (HPA-2)
	defaultTolerance        = 0.1     // a ratio this far from 1 changes nothing (HPA-5)
)

// result is the answer of a metric.
type result struct {
	replicas    int32
	utilization int32 // of the pods that count, in percent of their requests
	raw         int64 // thousandths of a core or of a byte per pod
	why         *sim.Explain
}

// status formats the metric for the status.
func (r *result) status(name string) api.MetricStatus {
	average := api.NewMilliQuantity(r.raw)
	return api.MetricStatus{Type: api.ResourceMetric, Resource: &api.ResourceMetricStatus{Name: name,
		Current: api.MetricValueStatus{AverageUtilization: &r.utilization, AverageValue: &average}}}
}

// tolerance is how far from 1 the ratio of usage and target may be, below and above (HPA-5): with 0.1 and a target of 50 %,
// 45 % to 55 % change nothing, and 56 % (a ratio of 1.12) does.
type tolerance struct{ down, up float64 }

func (t tolerance) within(ratio float64) bool { return 1-t.down <= ratio && ratio <= 1+t.up }

// tolerance returns the tolerance of the behavior, or 10 %.
func (l *look) tolerance() tolerance {
	t := tolerance{defaultTolerance, defaultTolerance}
	b := l.hpa.Spec.Behavior
	if b == nil || !l.client.Since(sinceTolerance) {
		return t
	}
	if b.ScaleDown.Tolerance != nil {
		t.down = float64(b.ScaleDown.Tolerance.Milli()) * 0.001 // exactly as upstream reads a stored 70m
	}
	if b.ScaleUp.Tolerance != nil {
		t.up = float64(b.ScaleUp.Tolerance.Milli()) * 0.001
	}
	return t
}

// groups sorts the pods by how their metrics count (HPA-2).
type groups struct {
	ready            int
	unready, missing []string
}

// resourceReplicas computes how many replicas bring what the pods use of a resource to a target, in percent of their requests
// (GetResourceReplicas).
func (l *look) resourceReplicas(target api.Scalable, r *api.ResourceMetricSource) (*result, error) {
	metrics, err := l.metrics.PodMetrics(r.Name, l.hpa.Namespace, target.Selector())
	if err != nil {
		return nil, fmt.Errorf("unable to get metrics for resource %s: %w", r.Name, err)
	}
	pods := api.Pick(l.pods.Cache.All(), func(pod *api.Pod) bool {
		return pod.Namespace == l.hpa.Namespace && target.Selector().Matches(pod.Labels)
	})
	if len(pods) == 0 {
		return nil, errors.New("no pods returned by selector while calculating replica count")
	}
	g, used := group(pods, metrics, l.now)
	if len(used) == 0 {
		return nil, errors.New("did not receive metrics for targeted pods (pods might be unready)")
	}
	requests, err := requestsOf(pods, r.Name)
	if err != nil {
		return nil, err
	}
	utilization, raw, err := utilizationOf(used, requests)
	if err != nil {
		return nil, err
	}
	s := &sum{current: target.Replicas(), target: *r.Target.AverageUtilization, tolerance: l.tolerance(), groups: g, used: used, requests: requests}
	replicas, why := s.replicas(utilization)
	return &result{replicas, utilization, raw, why}, nil
}

// group sorts the pods, and returns the usage of those that count. Terminating and failed pods do not count at all. A pod that has
// not started or is not ready is unready: its cpu is that of its start, and says nothing about the load (HPA-2, groupPods).
func group(pods []*api.Pod, metrics map[string]PodMetric, now sim.Time) (g groups, used map[string]int64) {
	used = make(map[string]int64, len(metrics))
	for name, m := range metrics {
		used[name] = m.Value
	}
	for _, pod := range pods {
		m, found := metrics[pod.Name]
		switch {
		case pod.Terminating() || pod.Status.Phase == api.PodFailed:
			delete(used, pod.Name)
		case pod.Status.Phase == api.PodPending || found && unready(pod, m, now):
			g.unready = append(g.unready, pod.Name)
			delete(used, pod.Name)
		case !found:
			g.missing = append(g.missing, pod.Name)
		default:
			g.ready++
		}
	}
	return g, used
}

// unready says whether the cpu of a pod does not count yet (HPA-2). In the first 300 s after its start it counts once the pod is
// Ready and the whole window of the sample, 30 s, is after that: Ready at 12 s, the sample of 45 s is the first that counts.
func unready(pod *api.Pod, m PodMetric, now sim.Time) bool {
	ready, start := api.FindCondition(pod.Status.Conditions, "Ready"), pod.StartTime()
	switch {
	case ready == nil || start == 0:
		return true
	case start.Milli()+cpuInitializationPeriod > now:
		return ready.Status == "False" || m.At < ready.LastTransitionTime.Milli()+m.Window
	}
	return ready.Status == "False" && start.Milli()+initialReadinessDelay > ready.LastTransitionTime.Milli()
}

// requestsOf returns the requests of each pod with its sidecars, in thousandths. One container without a request is an error for all
// pods (HPA-10, calculateRequests).
func requestsOf(pods []*api.Pod, resource string) (map[string]int64, error) {
	requests := make(map[string]int64, len(pods))
	for _, pod := range pods {
		breath.Often()
		total := int64(0)
		add := func(c *api.Container) error {
			q, ok := c.Resources.Request(resource)
			if !ok {
				return fmt.Errorf("missing request for %s in container %s of Pod %s", resource, c.Name, pod.Name)
			}
			total += q.Milli()
			return nil
		}
		for i := range pod.Spec.Containers {
			if err := add(&pod.Spec.Containers[i]); err != nil {
				return nil, err
			}
		}
		for i := range pod.Spec.InitContainers {
			c := &pod.Spec.InitContainers[i]
			if !c.IsSidecar() {
				continue
			}
			if err := add(c); err != nil {
				return nil, err
			}
		}
		requests[pod.Name] = total
	}
	return requests, nil
}

// utilizationOf returns the usage of all pods together in percent of their requests, rounded down, and the usage per pod
// (metrics/utilization.go:GetResourceUtilizationRatio). 90m and 110m of 300m each are 33 %, and 100m per pod.
func utilizationOf(used, requests map[string]int64) (percent int32, raw int64, err error) {
	total, requested, n := int64(0), int64(0), int64(0)
	for name, value := range used {
		if request, ok := requests[name]; ok {
			total, requested, n = total+value, requested+request, n+1
		}
	}
	if requested == 0 {
		return 0, 0, errors.New("no metrics returned matched known pods")
	}
	return int32(total * 100 / requested), total / n, nil
}

// sum computes the number of replicas.
type sum struct {
	current, target int32
	tolerance       tolerance
	groups          groups
	used, requests  map[string]int64
}

// replicas returns the number of replicas for a utilization (HPA-3): pods * utilization / target, rounded up. If pods are not
// ready or have no metric, it computes again with a cautious guess of their usage, which must not reverse the direction (HPA-4).
// With a target of 50 %, each pod requesting 100m:
//
//	2 pods at 56 %                            56 / 50 * 2 = 2.24: 3
//	2 pods at 55 %                            1.1 is within the tolerance: 2
//	2 pods at 80 %, 1 not ready               160 of 300 = 53 %: 1.06 is within the tolerance, 3; without the guess 4
//	3 pods at 20 %, 1 without a metric        60 + 100 of 400 = 40 %: 40 / 50 * 4 = 3.2: 4; without the guess 2
//	3 pods at 40 %, 2 without a metric        120 + 200 of 500 = 64 %: would scale up although 40 % < 50 %, so it stays 5
func (s *sum) replicas(utilization int32) (int32, *sim.Explain) {
	ratio := float64(utilization) / float64(s.target)
	upWithUnready := len(s.groups.unready) > 0 && ratio > 1
	if !upWithUnready && len(s.groups.missing) == 0 {
		if s.tolerance.within(ratio) {
			return s.current, s.stays("HPA-5", utilization, "that is within the tolerance")
		}
		return s.ceil("HPA-3", "readyPods", s.groups.ready, utilization, "")
	}
	note := s.guess(ratio, upWithUnready)
	guessed, _, err := utilizationOf(s.used, s.requests)
	if err != nil {
		panic("autoscaler: pods have lost their requests") // the first call had some
	}
	again := float64(guessed) / float64(s.target)
	switch {
	case s.tolerance.within(again):
		return s.current, s.stays("HPA-4", guessed, note+"that is within the tolerance")
	case ratio < 1 && again > 1 || ratio > 1 && again < 1:
		return s.current, s.stays("HPA-4", guessed, note+"that would reverse the direction")
	}
	n, why := s.ceil("HPA-4", "pods", len(s.used), guessed, note)
	if again < 1 && n > s.current || again > 1 && n < s.current {
		return s.current, s.stays("HPA-4", guessed, note+"that would reverse the direction")
	}
	return n, why
}

// guess fills in the unknown usage of pods: to scale down, their requests, or the target if that is more; to scale up, 0. It
// returns a note about that.
func (s *sum) guess(ratio float64, upWithUnready bool) (note string) {
	if n := len(s.groups.missing); n > 0 && ratio != 1 {
		percent := int32(0)
		if ratio < 1 {
			percent = max(100, s.target)
		}
		for _, name := range s.groups.missing {
			s.used[name] = s.requests[name] * int64(percent) / 100
		}
		note = fmt.Sprintf("%d without a metric count as %d%%; ", n, percent)
	}
	if upWithUnready {
		for _, name := range s.groups.unready {
			s.used[name] = 0
		}
		note += fmt.Sprintf("%d not ready count as 0%%; ", len(s.groups.unready))
	}
	return note
}

// stays explains why the number of replicas stays.
func (s *sum) stays(rule string, utilization int32, note string) *sim.Explain {
	return why.Sum(rule, calculatorGo+"GetResourceReplicas", "currentReplicas", s.current, s.current).
		Noting(fmt.Sprintf("%d%% of a target of %d%%: %s", utilization, s.target, note))
}

// ceil returns pods * utilization / target, rounded up in floating point, as upstream: 110 / 50 * 25 is a little more than 55, so
// it gives 56. Formulas of explanations are exact, so that case is explained in words.
func (s *sum) ceil(rule, name string, pods int, utilization int32, note string) (int32, *sim.Explain) {
	n := int32(math.Ceil(float64(utilization) / float64(s.target) * float64(pods)))
	exact := (int64(pods)*int64(utilization) + int64(s.target) - 1) / int64(s.target)
	if exact != int64(n) {
		inexact := why.Note(rule, calculatorGo+"GetResourceReplicas",
			note+fmt.Sprintf("ceil(%d / %d * %d) in floating point", utilization, s.target, pods))
		inexact.Value = int64(n)
		return n, inexact
	}
	return n, why.Sum(rule, calculatorGo+"GetResourceReplicas",
		"ceil("+name+" * utilization / target)", n, int32(pods), utilization, s.target).Noting(note)
}
