package disruption

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/why"
)

const (
	// deletionTimeout is how long the controller waits for the deletion of an evicted pod, in ms (P-9).
	deletionTimeout = 2 * 60 * 1000

	// staleTimeout is how long the condition DisruptionTarget of a pod stays True without a deletion, in ms.
	staleTimeout = 2 * 60 * 1000
)

// disruptedPods returns the evicted pods whose deletion the cache does not show yet, and the virtual ms of the next check, 0
// for none (P-9). It drops a pod that was not deleted in time.
//
// A pod evicted at 10 s does not count as healthy until 130 s, whatever its readiness. Then the recheck queue wakes the budget,
// and 5 ms later, at 130.005 s, the sync counts the pod again and sends the event NotDeleted.
func (c *Controller) disruptedPods(b *api.PodDisruptionBudget, pods []*api.Pod) (left map[string]api.Time, recheckAt int64) {
	left = map[string]api.Time{}
	for _, pod := range pods {
		breath.Often()
		at, found := b.Status.DisruptedPods[pod.Name]
		if !found || pod.Terminating() {
			continue
		}
		due := at.Milli() + deletionTimeout
		if due < c.client.Now() {
			c.events.Event(pod.Key(), "Warning", "NotDeleted", fmt.Sprintf( // upstream prints the namespace twice
				"Pod was expected by PDB %s/%s to be deleted but it wasn't", b.Namespace, b.Namespace))
			continue
		}
		if recheckAt == 0 || due < recheckAt {
			recheckAt = due
		}
		left[pod.Name] = at
	}
	return left, recheckAt
}

// rechecker reconciles the queue of budgets whose disrupted pods should be gone by then (P-9).
type rechecker struct{ *Controller }

// Sync passes a budget to the controller's queue, with the delay of a retry.
func (r rechecker) Sync(key api.Key) error {
	delay, _ := r.loop.AddRateLimited(key)
	return r.recheck.Skip("rechecks disrupted pods", whyRecheck, fmt.Sprintf("the budget is synced again in %d ms", delay))
}

// staleWait returns in how many ms the DisruptionTarget of a pod becomes stale; ok is false if it cannot. The kubelet's own condition
// never does, nor that of a finished pod (nonTerminatingPodHasStaleDisruptionCondition).
func (c *Controller) staleWait(pod *api.Pod) (ms int64, ok bool) {
	target := api.FindCondition(pod.Status.Conditions, api.DisruptionTarget)
	if target == nil || target.Status != "True" || target.Reason == "TerminationByKubelet" || pod.Terminating() || pod.Finished() {
		return 0, false
	}
	return max(0, target.LastTransitionTime.Milli()+staleTimeout-c.client.Now()), true
}

// stalePods sets the condition DisruptionTarget to False for pods that were not deleted after all.
type stalePods struct{ *Controller }

// Sync checks a pod.
func (p stalePods) Sync(key api.Key) error {
	const branch = "checks the pod's DisruptionTarget"
	pod, _ := p.pods.Cache.Get(key).(*api.Pod)
	if pod == nil {
		return p.stale.Skip(branch, whyStale, "the pod is gone")
	}
	wait, ok := p.staleWait(pod)
	switch {
	case !ok:
		return p.stale.Skip(branch, whyStale, "nothing is stale")
	case wait > 0:
		p.stale.AddAfter(key, wait)
		return p.stale.Skip(branch, whyStale, "it is not stale yet")
	}
	p.stale.Branch(branch, whyStale)
	updated := pod.CopyForStatus()
	updated.Status.Conditions = api.SetPodCondition(updated.Status.Conditions,
		api.Condition{Type: api.DisruptionTarget, Status: "False"}, p.client.Timestamp())
	_, err := p.client.As(staleActor).UpdateStatus(updated, "DisruptionTarget is False: the pod was not disrupted after all", whyStale)
	return err
}

var (
	whyRecheck = why.Note("P-9", disruptionGo+"processNextRecheckWorkItem", "an evicted pod should be gone two minutes later")
	whyStale   = why.Note("P-9", disruptionGo+"syncStalePodDisruption",
		"two minutes after its DisruptionTarget became True the pod still exists")
)
