package disruption

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const (
	// deletionTimeout is how long an evicted pod is taken for one that will go, in ms (P-9).
	deletionTimeout = 2 * 60 * 1000

	// staleTimeout is how long a pod may say that it is about to be disrupted, and live on, in ms.
	staleTimeout = 2 * 60 * 1000
)

// disruptedPods returns the evicted pods that were not seen to go yet, and when to look again: the virtual ms, or -1 for
// never (P-9). One that should be gone by now is given up.
func (c *Controller) disruptedPods(b *api.PodDisruptionBudget, pods []*api.Pod) (left map[string]api.Time, recheckAt int64) {
	left, recheckAt = map[string]api.Time{}, -1
	for _, pod := range pods {
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
		if recheckAt < 0 || due < recheckAt {
			recheckAt = due
		}
		left[pod.Name] = at
	}
	return left, recheckAt
}

// recheck is the queue of the budgets that are to be looked at again when a disrupted pod should be gone (P-9). All that it
// does is to put them into the controller's queue, as after a failure.
type recheck struct {
	loop    *sim.Loop
	budgets *sim.Loop
}

func newRecheck(k *sim.Kernel, budgets *sim.Loop) *recheck {
	r := &recheck{budgets: budgets}
	r.loop = sim.NewLoop(k, "disruption-recheck", 0, r)
	return r
}

// Sync hands a budget on.
func (r *recheck) Sync(key api.Key) error {
	delay, _ := r.budgets.AddRateLimited(key)
	r.loop.Took("asks for another look at disrupted pods", wayRecheck)
	r.loop.Idle(fmt.Sprintf("the budget is counted again in %d ms", delay), nil)
	return nil
}

// stalePods sets the condition DisruptionTarget of pods to False that were to be disrupted and were not.
type stalePods struct {
	client *apiserver.Client
	loop   *sim.Loop
	pods   *sim.Informer
}

func newStalePods(s *apiserver.Server, pods *sim.Informer) *stalePods {
	p := &stalePods{client: s.Client("stale-pod-disruption"), pods: pods}
	p.loop = sim.NewLoop(s.Kernel, p.client.Actor, 0, p)
	return p
}

// observe plans a look at a pod that says it is about to be disrupted.
func (p *stalePods) observe(pod *api.Pod) {
	if wait, ok := p.wait(pod); ok {
		p.loop.AddAfter(pod.Key(), wait)
	}
}

// wait says in how many ms the condition of a pod will be stale; ok is false if it cannot become so. What the kubelet says
// about a pod, or a pod that has finished, never does (nonTerminatingPodHasStaleDisruptionCondition).
func (p *stalePods) wait(pod *api.Pod) (ms int64, ok bool) {
	c := api.FindCondition(pod.Status.Conditions, api.DisruptionTarget)
	if c == nil || c.Status != "True" || c.Reason == "TerminationByKubelet" || pod.Terminating() || pod.Finished() {
		return 0, false
	}
	return max(0, c.LastTransitionTime.Milli()+staleTimeout-p.client.Now()), true
}

// Sync looks at one pod.
func (p *stalePods) Sync(key api.Key) error {
	p.loop.Took("looks at the pod's DisruptionTarget", wayStale)
	pod, _ := p.pods.Cache.Get(key).(*api.Pod)
	if pod == nil {
		p.loop.Idle("the pod is gone", nil)
		return nil
	}
	wait, ok := p.wait(pod)
	switch {
	case !ok:
		p.loop.Idle("nothing is stale", nil)
		return nil
	case wait > 0:
		p.loop.AddAfter(key, wait)
		p.loop.Idle("it is not stale yet", nil)
		return nil
	}
	updated := pod.CopyForStatus()
	updated.Status.Conditions = api.SetPodCondition(updated.Status.Conditions,
		api.Condition{Type: api.DisruptionTarget, Status: "False"}, p.client.Timestamp())
	_, err := p.client.UpdateStatus(updated, "DisruptionTarget is False: the pod was not disrupted after all", wayStale)
	return err
}

var (
	wayRecheck = why.Note("P-9", disruptionGo+"processNextRecheckWorkItem", "an evicted pod should be gone two minutes later")
	wayStale   = why.Note("P-9", disruptionGo+"syncStalePodDisruption",
		"a pod that was to be disrupted two minutes ago and lives on is not disrupted any more")
)
