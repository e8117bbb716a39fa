// Package disruption is the disruption controller: it counts the healthy pods of each PodDisruptionBudget, and computes how
// many of them may be evicted. Upstream (v1.37.1) has all of it in pkg/controller/disruption/disruption.go: here that file has
// the wake-ups and the sync, expected.go getExpectedPodCount and what it calls, status.go updatePdbStatus and failSafe,
// disrupted.go buildDisruptedPodMap, the recheck queue and syncStalePodDisruption.
package disruption

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

const (
	actor        = "disruption-controller"
	staleActor   = "stale-pod-disruption"
	eventSource  = "controllermanager" // what its events say
	disruptionGo = "pkg/controller/disruption/disruption.go:"
)

// Controller keeps the status of each PodDisruptionBudget.
type Controller struct {
	client       *apiserver.Client
	events       *apiserver.Client
	loop         *sim.Loop
	recheck      *sim.Loop // see rechecker
	stale        *sim.Loop // of pods, see stalePods
	budgets      *sim.Informer
	pods         *sim.Informer
	replicaSets  *sim.Informer
	deployments  *sim.Informer
	statefulSets *sim.Informer
}

// New returns a controller that watches the server. A change of a Deployment does not wake it: it reads spec.replicas only
// when a pod or a budget changes. So after kubectl scale the budget still has the old numbers until the first pod changes.
func New(s *apiserver.Server) *Controller {
	c := &Controller{
		client:       s.Controller(actor),
		budgets:      s.Store.Informer(api.KindPodDisruptionBudget),
		pods:         s.Store.Informer(api.KindPod),
		replicaSets:  s.Store.Informer(api.KindReplicaSet),
		deployments:  s.Store.Informer(api.KindDeployment),
		statefulSets: s.Store.Informer(api.KindStatefulSet),
	}
	c.events = c.client.As(eventSource)
	c.loop = sim.NewLoop(s.Store, actor, 0, c, c.client.Limit)
	c.loop.Workers = 1 // disruption.go:Run (H-7)
	c.recheck = sim.NewLoop(s.Store, "disruption-recheck", 0, rechecker{c}, nil)
	c.stale = sim.NewLoop(s.Store, staleActor, 0, stalePods{c}, c.client.Limit)
	s.Store.Watch(c, api.KindPodDisruptionBudget, api.KindPod)
	return c
}

// OnChange wakes a changed budget, or the budget of a changed pod.
func (c *Controller) OnChange(change *sim.Change) {
	pod, isPod := change.Object().(*api.Pod)
	if !isPod {
		c.loop.Add(change.Object().Key())
		return
	}
	if b := c.budgetOf(pod); b != nil {
		c.loop.Add(b.Key())
	}
	if wait, ok := c.staleWait(pod); ok && change.New != nil {
		c.stale.AddAfter(pod.Key(), wait)
	}
}

// budgetOf returns a budget that selects a pod, nil if there is no such budget. Of several, upstream takes an arbitrary one;
// here it is the oldest (P-10).
func (c *Controller) budgetOf(pod *api.Pod) (first *api.PodDisruptionBudget) {
	several := false
	for o := range c.budgets.Cache.All() {
		switch b := o.(*api.PodDisruptionBudget); {
		case b.Namespace != pod.Namespace || !b.Spec.Selector.Matches(pod.Labels):
		case first == nil:
			first = b
		default:
			several = true
		}
	}
	if several {
		c.events.Event(pod.Key(), "Warning", "MultiplePodDisruptionBudgets", fmt.Sprintf(
			"Pod %q/%q matches multiple PodDisruptionBudgets.  Chose %q arbitrarily.", pod.Namespace, pod.Name, first.Name))
	}
	return first
}

// Sync reconciles a PodDisruptionBudget. After a conflict it retries; any other error makes the budget allow nothing (P-7).
func (c *Controller) Sync(key api.Key) error {
	b, _ := c.budgets.Cache.Get(key).(*api.PodDisruptionBudget)
	if b == nil {
		return c.loop.Skip("the PodDisruptionBudget is gone", whyGone, "nothing is left to do")
	}
	err := c.trySync(b)
	if err == nil || api.IsReason(err, api.ReasonConflict) {
		return err
	}
	return c.failSafe(b, err)
}

// trySync counts the pods of a budget and updates its status.
func (c *Controller) trySync(b *api.PodDisruptionBudget) error {
	// Pods count in whatever state (P-2).
	pods := api.Pick(c.pods.Cache.All(), func(pod *api.Pod) bool { return pod.Namespace == b.Namespace && b.Spec.Selector.Matches(pod.Labels) })
	if len(pods) == 0 {
		c.events.Event(b.Key(), "Normal", "NoPods", "No matching pods found")
	}
	e, err := c.expect(b, pods)
	if err != nil {
		c.events.Event(b.Key(), "Warning", "CalculateExpectedPodCountFailed",
			"Failed to calculate the number of expected pods: "+err.Error())
		return err
	}
	c.loop.Branch("counts healthy pods", e.why)
	if e.unmanaged {
		c.events.Event(b.Key(), "Warning", "UnmanagedPods", "Pods selected by this PodDisruptionBudget (selector: "+
			selectorText(b.Spec.Selector)+") were found to be unmanaged. As a result, the status of the PDB cannot be calculated "+
			"correctly, which may result in undefined behavior. To account for these pods please set \".spec.minAvailable\" "+
			"field of the PDB to an integer value.")
	}
	disrupted, recheckAt := c.disruptedPods(b, pods)
	healthy := countHealthy(pods, disrupted, c.client.Now())
	if err := c.updateStatus(b, &e, healthy, disrupted); err != nil {
		return err
	}
	if recheckAt > 0 {
		c.recheck.AddAfter(b.Key(), recheckAt-c.client.Now())
	}
	return nil
}

// countHealthy counts the Ready pods that are neither being deleted nor evicted (P-5). Of 5 pods with 1 not Ready, 1 terminating, and 1 Ready
// but evicted a moment ago, 2 are healthy.
func countHealthy(pods []*api.Pod, disrupted map[string]api.Time, now int64) (healthy int32) {
	for _, pod := range pods {
		at, found := disrupted[pod.Name]
		leaving := pod.Terminating() || found && at.Milli()+deletionTimeout > now
		if !leaving && pod.IsReady() {
			healthy++
		}
	}
	return healthy
}
