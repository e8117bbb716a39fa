// Package autoscaler is the HorizontalPodAutoscaler controller: every 15 s it compares the cpu that the pods of a workload
// use with what they request, and scales the workload. It follows pkg/controller/podautoscaler of the pinned version
// (v1.37.1), for metrics of type Resource with a target utilization.
//
// replica_calculator.go has upstream's name. Upstream's horizontal.go is here horizontal.go, normalize.go (from
// stabilizeRecommendation to storeScaleEvent), scale.go (the scale subresource) and status.go (conditions and status).
// metrics.go answers to metrics-server and to podautoscaler/metrics/client.go.
package autoscaler

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const (
	actor        = "horizontal-pod-autoscaler"
	horizontalGo = "pkg/controller/podautoscaler/horizontal.go:"

	resync = 15_000 // ms between two reconciles of an autoscaler (HPA-1)
)

// The first versions with a feature.
const (
	sinceTolerance  = 35 // spec.behavior may set the tolerance
	sinceGeneration = 37 // autoscalers have a generation, and a changed spec wakes the controller at once
	sinceZero       = 37 // the condition ScaledToZero
)

// Controller scales the targets of HorizontalPodAutoscalers.
type Controller struct {
	client  *apiserver.Client
	loop    *sim.Loop
	metrics Metrics
	hpas    *sim.Informer
	pods    *sim.Informer
	memory  map[api.Key]*memory
}

// memory is the state that the controller keeps about an autoscaler between two reconciles. Upstream loses it with a restart.
type memory struct {
	selector        *api.LabelSelector // of the target's pods, nil before the first reconcile
	recommendations []recommendation
	ups, downs      []scaleEvent
}

// New returns a controller that watches the server and reads metrics.
func New(s *apiserver.Server, m Metrics) *Controller {
	c := &Controller{
		client:  s.Controller(actor),
		metrics: m,
		hpas:    s.Store.Informer(api.KindHorizontalPodAutoscaler),
		pods:    s.Store.Informer(api.KindPod),
		memory:  map[api.Key]*memory{},
	}
	c.loop = sim.NewLoop(s.Store, actor, 0, c, c.client.Limit)
	c.hpas.AddHandler(c)
	return c
}

// OnChange queues an autoscaler at once if it is new or its spec has changed, else after 15 s unless it is due earlier. A removed
// one is forgotten by the next Sync (HPA-1).
func (c *Controller) OnChange(change *sim.Change) {
	o := change.Object()
	key := o.Key()
	switch {
	case change.Type == sim.Deleted:
		c.memoryOf(key).selector = nil
	case change.Type == sim.Added, c.client.Since(sinceGeneration) && change.Old.Meta().Generation != o.Meta().Generation:
		c.loop.Add(key)
	default:
		c.loop.AddAfter(key, resync)
	}
}

func (c *Controller) memoryOf(key api.Key) *memory {
	m := c.memory[key]
	if m == nil {
		m = &memory{}
		c.memory[key] = m
	}
	return m
}

// Sync reconciles an autoscaler. Whether or not it succeeds, the next reconcile is 15 s later: there are no retries (HPA-1).
func (c *Controller) Sync(key api.Key) error {
	h, _ := c.hpas.Cache.Get(key).(*api.HorizontalPodAutoscaler)
	if h == nil {
		delete(c.memory, key)
		return c.loop.Skip("the HorizontalPodAutoscaler is gone", whyGone, "its target keeps its replicas")
	}
	l := &look{Controller: c, hpa: api.Copy(h), stored: h, memory: c.memoryOf(key), now: c.client.Now()}
	c.loop.Branch("checks the target", whyLook)
	c.loop.Idle("the status is up to date", nil)
	l.reconcile()
	c.loop.AddAfter(key, resync)
	return nil
}

// look is one reconcile of an autoscaler.
type look struct {
	*Controller
	hpa    *api.HorizontalPodAutoscaler // with the new status
	stored *api.HorizontalPodAutoscaler // with the old one
	memory *memory
	now    sim.Time
	why    *sim.Explain // the last sum
}

// reconcile computes the desired number of replicas and scales the target (reconcileAutoscaler).
func (l *look) reconcile() {
	target, err := l.scale()
	if err != nil {
		l.event("Warning", "FailedGetScale", err.Error())
		l.condition(api.AbleToScale, "False", "FailedGetScale", "the HPA controller was unable to get the target's current scale: "+err.Error())
		l.failed(err)
		return
	}
	l.condition(api.AbleToScale, "True", "SucceededGetScale", "the HPA controller was able to get the target's current scale")
	current := target.Replicas()
	if l.memory.recommendations == nil {
		l.memory.recommendations = []recommendation{{current, l.now}}
	}
	desired, reason, statuses, err := l.decide(target)
	if err != nil {
		l.setStatus(current, l.hpa.Status.DesiredReplicas, statuses)
		l.failed(err)
		l.event("Warning", "FailedComputeMetricsReplicas", err.Error())
		return
	}
	if rescale := desired != current; !rescale {
		l.setStatus(current, current, statuses)
	} else if !l.rescale(target, desired, reason, statuses) {
		return
	}
	l.updateStatus()
}

// decide returns the desired number of replicas, the reason, and the metrics (HPA-8). The bounds come first: with minReplicas 3
// and maxReplicas 7, 9 replicas become 7 and 1 becomes 3 without a look at any metric. 0 stays 0.
func (l *look) decide(target api.Scalable) (desired int32, reason string, statuses []api.MetricStatus, err error) {
	current, s := target.Replicas(), &l.hpa.Spec
	switch {
	case current == 0:
		l.condition(api.ScalingActive, "False", "ScalingDisabled", "scaling is disabled since the replica count of the target is zero")
		l.branch("the target has 0 replicas, which disables scaling", whyZero)
		return 0, "", nil, nil
	case current > s.MaxReplicas:
		l.branch("there are more replicas than maxReplicas", bound("maxReplicas", s.MaxReplicas))
		return s.MaxReplicas, "Current number of replicas above Spec.MaxReplicas", nil, nil
	case current < *s.MinReplicas:
		l.branch("there are fewer replicas than minReplicas", bound("minReplicas", *s.MinReplicas))
		return *s.MinReplicas, "Current number of replicas below Spec.MinReplicas", nil, nil
	}
	metric, name, statuses, err := l.computeReplicas(target)
	if err != nil {
		return 0, "", statuses, err
	}
	desired = max(0, metric)
	if desired > current {
		reason = name + " above target"
	}
	if desired < current {
		reason = "All metrics below target"
	}
	return l.normalize(current, desired), reason, statuses, nil
}

// bound explains that a bound of the spec is the number of replicas.
func bound(name string, value int32) *sim.Explain {
	return why.Sum("HPA-8", horizontalGo+"reconcileAutoscaler", name, value, value).Noting("metrics do not matter")
}

// computeReplicas returns the largest number of replicas that any metric calls for (HPA-3). While one metric cannot be read, the
// others may only scale up (computeReplicasForMetrics).
func (l *look) computeReplicas(target api.Scalable) (replicas int32, name string, statuses []api.MetricStatus, err error) {
	if err := l.claimPods(target); err != nil {
		return 0, "", nil, err
	}
	metrics := l.hpa.Spec.Metrics
	statuses = make([]api.MetricStatus, len(metrics))
	invalid := 0
	var first error
	var unread string // the resource of the first error
	for i := range metrics {
		r := metrics[i].Resource
		found, err := l.resourceReplicas(target, r)
		if err != nil {
			err = fmt.Errorf("failed to get %s %s: %w", r.Name, measureOf(r), err)
			l.event("Warning", "FailedGetResourceMetric", err.Error())
			if invalid == 0 {
				first, unread = err, r.Name
			}
			invalid++
			continue
		}
		statuses[i] = found.status(r.Name)
		if replicas == 0 || found.replicas > replicas {
			replicas, name = found.replicas, r.Name+" resource utilization (percentage of request)"
			l.branch(fmt.Sprintf("%s is at %d%% of the requests", r.Name, found.utilization), found.why)
		}
	}
	if invalid >= len(metrics) || invalid > 0 && replicas < target.Replicas() {
		l.condition(api.ScalingActive, "False", "FailedGetResourceMetric", "the HPA was unable to compute the replica count: "+first.Error())
		return 0, "", statuses, fmt.Errorf("invalid metrics (%d invalid out of %d), first error is: failed to get %s resource metric value: %w",
			invalid, len(metrics), unread, first)
	}
	l.condition(api.ScalingActive, "True", "ValidMetricFound", "the HPA was able to successfully calculate a replica count from "+name)
	return replicas, name, statuses, nil
}

// measureOf is upstream's word for what a target measures.
func measureOf(r *api.ResourceMetricSource) string {
	if r.Target.AverageValue != nil {
		return "usage"
	}
	return "utilization"
}

// claimPods notes the pods of the autoscaler, and returns an error if another autoscaler has any of them, too (HPA-10).
func (l *look) claimPods(target api.Scalable) error {
	l.memory.selector = target.Selector()
	var rivals []string
	for o := range l.hpas.Cache.All() {
		m := l.Controller.memory[o.Key()]
		if m != nil && o.Meta().Namespace == l.hpa.Namespace && len(rivals) < 2 && l.selectsAny(m.selector, target.Selector()) {
			rivals = append(rivals, "{"+o.Meta().Name+" "+o.Meta().Namespace+"}")
		}
	}
	if len(rivals) < 2 {
		return nil
	}
	message := fmt.Sprintf("pods by selector %s are controlled by more than one HPA (e.g. [%s])", target.Selector().Text(), strings.Join(rivals, " "))
	l.event("Warning", "AmbiguousSelector", message)
	l.condition(api.ScalingActive, "False", "AmbiguousSelector", message)
	return errors.New(message)
}

// selectsAny says whether any pod matches both selectors.
func (l *look) selectsAny(one, other *api.LabelSelector) bool {
	for o := range l.pods.Cache.All() {
		m := o.Meta()
		if m.Namespace == l.hpa.Namespace && other.Matches(m.Labels) && one.Matches(m.Labels) {
			return true
		}
	}
	return false
}

// rescale writes the number of replicas to the target, and returns whether that succeeded. It has no retry after a conflict as
// upstream has, since the scale was read in this step.
func (l *look) rescale(target api.Scalable, desired int32, reason string, statuses []api.MetricStatus) bool {
	current := target.Replicas()
	if err := l.write(target, desired); err != nil {
		l.event("Warning", "FailedRescale", fmt.Sprintf("New size: %d; reason: %s; error: %v", desired, reason, err))
		l.condition(api.AbleToScale, "False", "FailedUpdateScale", "the HPA controller was unable to update the target scale: "+err.Error())
		l.setStatus(current, l.hpa.Status.DesiredReplicas, statuses)
		l.failed(err)
		return false
	}
	l.condition(api.AbleToScale, "True", "SucceededRescale", fmt.Sprintf("the HPA controller was able to update the target scale to %d", desired))
	l.event("Normal", "SuccessfulRescale", fmt.Sprintf("New size: %d; reason: %s", desired, reason))
	if l.hpa.Spec.Behavior != nil {
		l.memory.remember(l.hpa.Spec.Behavior, current, desired, l.now)
	}
	if l.client.Since(sinceZero) {
		l.condition(api.ScaledToZero, "False", "NotScaledToZero", "the HPA controller did not scale the workload to zero")
	}
	l.setStatus(current, desired, statuses)
	l.hpa.Status.LastScaleTime = l.client.Timestamp()
	return true
}
