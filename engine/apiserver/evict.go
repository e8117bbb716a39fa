package apiserver

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const (
	evictionGo = "pkg/registry/core/pod/storage/eviction.go:"

	// evictionActor decides about evictions and subtracts them from their budgets: the API server itself.
	evictionActor = "kube-apiserver"

	// maxDisruptedPods is how many evictions of a budget its controller may not have seen yet (P-11).
	maxDisruptedPods = 2000

	// retryUnprocessed is when to retry an eviction while the controller has not processed a changed budget, in seconds.
	retryUnprocessed = 10

	// wouldViolate is the message of every eviction that a budget rejects (P-12).
	wouldViolate = "Cannot evict pod as it would violate the pod's disruption budget."
)

// EvictOptions are the options of an eviction.
type EvictOptions struct {
	GracePeriodSeconds *int64 // nil: the pod's own
	DryRun             bool   // change nothing
}

// EvictionObserver is a sim.LoopObserver that sees evictions, too: engine/oracle/conformance compares them with upstream. It
// must not write anything.
type EvictionObserver interface {
	// EvictionBegins and EvictionEnds enclose an eviction and all its writes.
	EvictionBegins(pod api.Key, opts EvictOptions)
	EvictionEnds(pod api.Key, err error)
}

// Evict deletes a pod with its grace period, if its PodDisruptionBudget allows that (P-11). An eviction that must wait is
// rejected with TooManyRequests (P-12).
//
// Simplified: upstream retries when another writer changes the budget or the pod meanwhile, and rejects only a pod that was not
// Ready and has changed. Here an eviction ends before anything else begins.
func (c *Client) Evict(key api.Key, opts EvictOptions) error {
	observer, observed := c.server.Kernel.LoopObserver.(EvictionObserver)
	if observed {
		observer.EvictionBegins(key, opts)
	}
	err := c.evict(key, opts)
	if observed {
		observer.EvictionEnds(key, err)
	}
	return err
}

func (c *Client) evict(key api.Key, opts EvictOptions) error {
	o, err := c.Get(key)
	if err != nil {
		return err
	}
	pod := o.(*api.Pod)
	why, err := c.mayEvict(pod, opts.DryRun)
	if err != nil || opts.DryRun {
		return err
	}
	c.markDisrupted(pod)
	return c.Delete(key, DeleteOptions{GracePeriodSeconds: opts.GracePeriodSeconds}, "evicted", why)
}

// mayEvict checks the conditions of P-11 in their order, and returns why the pod may be evicted. It has subtracted the eviction
// from the budget if one allows it.
func (c *Client) mayEvict(pod *api.Pod, dryRun bool) (*sim.Explain, error) {
	if pod.Finished() || pod.Terminating() || pod.Status.Phase == api.PodPending {
		return whyIgnored, nil
	}
	budgets := api.Pick(c.server.Store.Table(api.KindPodDisruptionBudget).All(), func(b *api.PodDisruptionBudget) bool {
		return b.Namespace == pod.Namespace && b.Spec.Selector.Matches(pod.Labels)
	})
	switch len(budgets) {
	case 0:
		return whyUnguarded, nil
	case 1:
	default:
		return nil, &api.StatusError{
			Message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."}
	}
	b := budgets[0]
	if why := unhealthyMayGo(pod, b); why != nil {
		return why, nil
	}
	if refusal, sum := check(b); refusal != nil {
		if !dryRun {
			c.server.Kernel.Decide(evictionActor, pod.Key(), "not evicted: "+refusal.Cause, sum.Noting(refusal.Cause))
		}
		return nil, refusal
	}
	why := whyGranted(b)
	if dryRun {
		return why, nil
	}
	return why, c.countOff(pod, b, why)
}

// unhealthyMayGo says why a pod that is not Ready may be evicted without using its budget, nil if it may not (P-11). With
// desiredHealthy 4, a pod that is not Ready may go beside 4 or 5 healthy ones, because they stay; beside 3 it may not, because it
// is needed as soon as it becomes Ready.
func unhealthyMayGo(pod *api.Pod, b *api.PodDisruptionBudget) *sim.Explain {
	s := &b.Status
	policy := b.Spec.UnhealthyPodEvictionPolicy
	switch {
	case pod.IsReady():
		return nil
	case policy != nil && *policy == api.AlwaysAllow:
		return whyAlwaysAllow
	case s.CurrentHealthy >= s.DesiredHealthy && s.DesiredHealthy > 0:
		return why.Sum("P-11", evictionGo+"Create",
			"currentHealthy - desiredHealthy", s.CurrentHealthy-s.DesiredHealthy, s.CurrentHealthy, s.DesiredHealthy).
			Noting("the pod is not Ready and enough others are healthy, so its eviction does not use the budget")
	}
	return nil
}

// check rejects an eviction that the budget does not allow now (P-11, P-12), with the sum behind that. The numbers of healthy pods
// explain it only if they are too low: after evictions that the controller has not seen yet they are not.
func check(b *api.PodDisruptionBudget) (*api.StatusError, *sim.Explain) {
	const from = evictionGo + "checkAndDecrement"
	s := &b.Status
	sum := why.Sum("P-12", from, "disruptionsAllowed", s.DisruptionsAllowed, s.DisruptionsAllowed)
	if s.DisruptionsAllowed == 0 && s.CurrentHealthy <= s.DesiredHealthy {
		sum = why.Sum("P-12", from, "max(0, currentHealthy - desiredHealthy)", 0, s.CurrentHealthy, s.DesiredHealthy)
	}
	switch {
	case s.ObservedGeneration < b.Generation:
		return &api.StatusError{Reason: api.ReasonTooManyRequests, Message: wouldViolate, RetryAfterSeconds: retryUnprocessed,
				Cause: fmt.Sprintf("The disruption budget %s is still being processed by the server.", b.Name)},
			why.Sum("P-12", from, "generation - observedGeneration", b.Generation-s.ObservedGeneration, b.Generation, s.ObservedGeneration)
	case s.DisruptionsAllowed < 0:
		return forbidden(b, "pdb disruptions allowed is negative", "pdb disruptions allowed is negative"), sum
	case len(s.DisruptedPods) > maxDisruptedPods:
		return forbidden(b, "DisruptedPods map too big - too many evictions not confirmed by PDB controller",
			"too many pending evictions not confirmed by PDB controller"), sum
	case s.DisruptionsAllowed == 0:
		return &api.StatusError{Reason: api.ReasonTooManyRequests, Message: wouldViolate,
			Cause: "The disruption budget " + b.Name + noneAllowed(s)}, sum
	}
	return nil, nil
}

// noneAllowed says why a budget allows nothing; its name comes before that (P-12).
func noneAllowed(s *api.PodDisruptionBudgetStatus) string {
	c := api.FindCondition(s.Conditions, api.DisruptionAllowed)
	says := c != nil && c.Status == "False" && c.Message != ""
	switch {
	case says && c.Reason == api.SyncFailed: // so the numbers are old
		return " does not allow evicting pods currently because it failed sync: " + c.Message
	case s.CurrentHealthy <= s.DesiredHealthy:
		return fmt.Sprintf(" needs %d healthy pods and has %d currently", s.DesiredHealthy, s.CurrentHealthy)
	case says:
		return fmt.Sprintf(" does not allow evicting pods currently (%s): %s", c.Reason, c.Message)
	}
	return " does not allow evicting pods currently"
}

func forbidden(b *api.PodDisruptionBudget, why, cause string) *api.StatusError {
	return &api.StatusError{Reason: api.ReasonForbidden,
		Message: fmt.Sprintf("poddisruptionbudget.policy %q is forbidden: %s", b.Name, why),
		Cause:   fmt.Sprintf("The disruption budget %s does not allow evicting pods currently: %s", b.Name, cause)}
}

// countOff subtracts one disruption from the budget, before the disruption controller can see the pod terminate (P-11).
// Without it, two evictions in the same ms would both see disruptionsAllowed 1.
func (c *Client) countOff(pod *api.Pod, b *api.PodDisruptionBudget, why *sim.Explain) error {
	spent, now := api.Shallow(b), c.Timestamp()
	spent.Status.DisruptionsAllowed--
	if spent.Status.DisruptionsAllowed == 0 {
		spent.Status.SetDisruptionAllowed(now)
	}
	spent.Status.DisruptedPods = api.With(b.Status.DisruptedPods, pod.Name, now)
	what := fmt.Sprintf("%s may be evicted: disruptionsAllowed %d", pod.Name, spent.Status.DisruptionsAllowed)
	_, err := c.server.Client(evictionActor).UpdateStatus(spent, what, why)
	return err
}

// markDisrupted notes in the pod's conditions why it is deleted (P-13).
func (c *Client) markDisrupted(pod *api.Pod) {
	marked := pod.CopyForStatus()
	have := api.FindCondition(marked.Status.Conditions, api.DisruptionTarget)
	if have != nil && have.Status == "True" && have.Reason == disruption.Reason && have.Message == disruption.Message {
		return
	}
	marked.Status.Conditions = api.SetPodCondition(marked.Status.Conditions, disruption, c.Timestamp())
	c.server.Store.Put(marked, sim.Record{Actor: c.Actor, What: "marked as evicted", Why: whyMarked})
}

// disruption is the condition of an evicted pod.
var disruption = api.Condition{Type: api.DisruptionTarget, Status: "True", Reason: "EvictionByEvictionAPI",
	Message: "Eviction API: evicting"}

var (
	whyMarked      = why.Rule("P-13", evictionGo+"addConditionAndDeletePod")
	whyIgnored     = why.Note("P-11", evictionGo+"canIgnorePDB", "the pod is Pending, finished or terminating, so budgets do not apply")
	whyUnguarded   = why.Note("P-11", evictionGo+"getPodDisruptionBudgets", "no PodDisruptionBudget selects the pod")
	whyAlwaysAllow = why.Note("P-11", evictionGo+"Create",
		"the pod is not Ready, and unhealthyPodEvictionPolicy AlwaysAllow allows its eviction")
)

func whyGranted(b *api.PodDisruptionBudget) *sim.Explain {
	allowed := b.Status.DisruptionsAllowed
	return why.Sum("P-11", evictionGo+"checkAndDecrement", "disruptionsAllowed - 1", allowed-1, allowed).
		Noting("the eviction uses up one disruption of " + b.Name)
}
