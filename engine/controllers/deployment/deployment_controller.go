// Package deployment is the Deployment controller. Each file has the name and the functions of its counterpart in
// pkg/controller/deployment of the pinned version (v1.37.1), so that the two can be read side by side; deployment_util.go
// answers to util/deployment_util.go there, and controller_utils.go to pkg/controller/controller_utils.go.
package deployment

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const (
	controllerGo = "pkg/controller/deployment/deployment_controller.go:"

	actor      = "deployment-controller"
	maxRetries = 15 // only this controller and that of EndpointSlices give up on a key (H-6)
)

// Controller scales the ReplicaSets of each Deployment towards what its strategy wants, one sync at a time.
type Controller struct {
	client      *apiserver.Client
	loop        *sim.Loop
	deployments *sim.Informer
	replicaSets *sim.Informer
	pods        *sim.Informer
}

// New returns a controller that watches the server.
func New(s *apiserver.Server) *Controller {
	c := &Controller{
		client:      s.Controller(actor),
		deployments: s.Store.Informer(api.KindDeployment),
		replicaSets: s.Store.Informer(api.KindReplicaSet),
		pods:        s.Store.Informer(api.KindPod),
	}
	c.loop = sim.NewLoop(s.Store, actor, maxRetries, c, c.client.Limit)
	s.Store.Watch(c, api.KindDeployment, api.KindReplicaSet, api.KindPod)
	return c
}

// OnChange queues the Deployments that a change affects (D-90).
func (c *Controller) OnChange(change *sim.Change) {
	switch o := change.Object().(type) {
	case *api.Deployment:
		c.loop.Add(o.Key())
	case *api.ReplicaSet:
		c.loop.AddOwners(&c.deployments.Cache, change)
	case *api.Pod:
		if change.Type == sim.Deleted {
			c.onPodDeleted(o)
		}
	}
}

// onPodDeleted queues the Deployment of a deleted pod if it waits for deletions: only Recreate does.
func (c *Controller) onPodDeleted(pod *api.Pod) {
	rs := c.replicaSets.Cache.Owner(pod.Namespace, pod.ControllerOf())
	if rs == nil {
		return
	}
	d, _ := c.deployments.Cache.Owner(pod.Namespace, rs.Meta().ControllerOf()).(*api.Deployment)
	if d != nil && d.Spec.Strategy.Type == api.Recreate {
		c.loop.Add(d.Key())
	}
}

// claimReplicaSets returns the ReplicaSets that belong to the Deployment, by creation. It adopts orphans that match the
// selector and releases ReplicaSets that no longer match (A-13, getReplicaSetsForDeployment).
func (c *Controller) claimReplicaSets(d *api.Deployment) ([]*api.ReplicaSet, error) {
	claimed := make([]*api.ReplicaSet, 0, 4) // most have no more at first
	var errs []error
	for o := range c.replicaSets.Cache.Claimable(d.UID) {
		rs := o.(*api.ReplicaSet)
		if rs.Namespace != d.Namespace {
			continue
		}
		mine, err := c.client.Claim(d, d.Spec.Selector, rs)
		if err != nil {
			errs = append(errs, err)
		}
		if mine {
			claimed = append(claimed, rs)
		}
	}
	slices.SortStableFunc(claimed, ByCreation)
	return claimed, api.Aggregate(errs)
}

// The reasons for the branches of a sync, in the order of syncDeployment (D-23).
var (
	whySync        = why.Rule("D-23", controllerGo+"syncDeployment")
	whyTerminating = why.Rule("D-23", syncGo+"syncStatusOnly")
	whyPaused      = why.Note("D-25", syncGo+"sync", "a paused Deployment makes no new ReplicaSet")
	whyRollback    = why.Rule("D-80", rollbackGo+"rollback")
	whyScaling     = why.Note("D-25", syncGo+"sync", "a sync that scales does nothing else; a new template waits for the next one")
	whyRecreate    = why.Rule("D-58", recreateGo+"rolloutRecreate")
	whyRolling     = why.Rule("D-50", rollingGo+"rolloutRolling")
)

// Sync reconciles one Deployment. Each condition that holds ends the sync, so the order of the conditions is part of the
// rule (D-23, syncDeployment).
func (c *Controller) Sync(key api.Key) error {
	cached, _ := c.deployments.Cache.Get(key).(*api.Deployment)
	if cached == nil {
		return c.loop.Skip("the Deployment is gone", whySync, "nothing to do; the garbage collector deletes its ReplicaSets")
	}
	d := api.Shallow(cached)
	if d.Spec.Selector.Empty() {
		c.loop.Branch("the selector matches everything", whySync)
		return c.refuseToSelectAll(d)
	}
	rsList, err := c.claimReplicaSets(d)
	if err != nil {
		return err
	}
	if d.Terminating() {
		c.loop.Branch("the Deployment is being deleted: only its status is kept up to date", whyTerminating)
		return c.syncStatusOnly(d, rsList)
	}
	if err := c.checkPausedConditions(d); err != nil {
		return err
	}
	if d.Spec.Paused {
		c.loop.Branch("paused: may scale, rolls nothing out", whyPaused)
		return c.sync(d, rsList)
	}
	if _, ok := rollbackTo(d); ok {
		c.loop.Branch("rollback requested by an annotation", whyRollback)
		return c.rollback(d, rsList)
	}
	scaling, err := c.isScalingEvent(d, rsList)
	if err != nil {
		return err
	}
	if scaling {
		c.loop.Branch("scaling only", whyScaling)
		return c.sync(d, rsList)
	}
	if d.Spec.Strategy.Type == api.Recreate {
		c.loop.Branch("Recreate", whyRecreate)
		return c.rolloutRecreate(d, rsList)
	}
	c.loop.Branch("rolling update", whyRolling)
	return c.rolloutRolling(d, rsList)
}

// refuseToSelectAll sends an event about a selector that matches everything, and does nothing else (D-23 step 2).
func (c *Controller) refuseToSelectAll(d *api.Deployment) error {
	c.client.Event(d.Key(), "Warning", "SelectingAll", "This deployment is selecting all pods. A non-empty selector is required.")
	if d.Status.ObservedGeneration >= d.Generation {
		return nil
	}
	d.Status.ObservedGeneration = d.Generation
	return c.updateStatus(d, "status: observed; a selector that matches everything is ignored", whySync)
}
