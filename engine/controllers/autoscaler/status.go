package autoscaler

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// condition sets a condition of the status. Its lastTransitionTime changes only with its status (HPA-9).
func (l *look) condition(name, status, reason, message string) {
	l.hpa.Status.Conditions = api.SetPodCondition(l.hpa.Status.Conditions,
		api.Condition{Type: name, Status: status, Reason: reason, Message: message}, l.client.Timestamp())
}

func (l *look) event(kind, reason, message string) {
	l.client.Event(l.hpa.Key(), kind, reason, message)
}

// branch notes the branch of the reconcile, with its sum.
func (l *look) branch(name string, why *sim.Explain) {
	l.why = why
	l.loop.Branch(name, why)
	l.loop.Idle(fmt.Sprintf("the status is up to date, and %d replicas are right", l.hpa.Status.DesiredReplicas), why)
}

// decided records a step between the metric and the number of replicas, with its sum.
func (l *look) decided(what string, why *sim.Explain) {
	l.why = why
	l.client.Decide(l.hpa.Key(), fmt.Sprintf("%s: %d", what, why.Value), why)
}

// setStatus writes the numbers into the status (HPA-9).
func (l *look) setStatus(current, desired int32, metrics []api.MetricStatus) {
	s := &l.hpa.Status
	s.CurrentReplicas, s.DesiredReplicas, s.CurrentMetrics = current, desired, metrics
	if l.client.Since(sinceGeneration) {
		s.ObservedGeneration = &l.hpa.Generation
	}
}

// updateStatus writes the status if it has changed.
func (l *look) updateStatus() {
	if api.StatusEqual(l.hpa, l.stored) {
		return
	}
	s := &l.hpa.Status
	what := fmt.Sprintf("status: %d replicas, %d desired", s.CurrentReplicas, s.DesiredReplicas)
	for _, m := range s.CurrentMetrics {
		if m.Resource != nil {
			what += fmt.Sprintf(", %s %d%%", m.Resource.Name, *m.Resource.Current.AverageUtilization)
		}
	}
	if _, err := l.client.UpdateStatus(l.hpa, what, whyStatus); err != nil {
		l.event("Warning", "FailedUpdateStatus", err.Error())
	}
}

// failed ends a reconcile that fails. Upstream only logs the error.
func (l *look) failed(err error) {
	l.loop.Branch("fails: "+err.Error(), whyFailed)
	l.loop.Idle("the status already says so", whyFailed)
	l.updateStatus()
}

// The explanations without a sum.
var (
	whyGone   = why.Rule("HPA-1", horizontalGo+"reconcileKey")
	whyLook   = why.Rule("HPA-1", horizontalGo+"reconcileAutoscaler")
	whyZero   = why.Note("HPA-8", horizontalGo+"reconcileAutoscaler", "someone scaled it to zero on purpose")
	whyStatus = why.Rule("HPA-9", horizontalGo+"updateStatusIfNeeded")
	whyFailed = why.Note("HPA-10", horizontalGo+"reconcileAutoscaler", "the next reconcile is 15 s later")
)
