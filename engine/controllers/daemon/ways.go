package daemon

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// The ways that a sync may take, in the order of syncDaemonSet's questions (DS-7). Each has the rule that leads there.
var (
	wayGone        = way{"the DaemonSet is gone", sim.Explain{Rule: "DS-7", Upstream: controllerGo + "syncDaemonSet"}}
	waySelectsAll  = way{"the selector matches everything", sim.Explain{Rule: "DS-7", Upstream: controllerGo + "syncDaemonSet"}}
	wayTerminating = way{"the DaemonSet is being deleted: nothing is done for it",
		sim.Explain{Rule: "DS-7", Upstream: controllerGo + "syncDaemonSet"}}
	wayOnDelete = way{"OnDelete, looks at every node", sim.Explain{Rule: "DS-14", Upstream: controllerGo + "updateDaemonSet",
		Note: "a pod gets the present template only when somebody has deleted the one before it"}}
	wayRolling = way{"rolling update, looks at every node", sim.Explain{Rule: "DS-10", Upstream: updateGo + "rollingUpdate"}}
	waySurging = way{"rolling update with a surge, looks at every node", sim.Explain{Rule: "DS-12", Upstream: updateGo + "rollingUpdate"}}

	wayNode = sim.Explain{Rule: "DS-33", Upstream: controllerGo + "syncNodeUpdate"}
)

// way is a branch of the sync, as a noun phrase.
type way struct {
	name string
	why  sim.Explain
}

func (c *Controller) took(w *way) { c.loop.Took(w.name, &w.why) }

// tookStrategy notes how a DaemonSet is updated; what is created or deleted then says more.
func (c *Controller) tookStrategy(ds *api.DaemonSet) {
	switch {
	case ds.Spec.UpdateStrategy.Type != api.RollingUpdate:
		c.took(&wayOnDelete)
	case allowsSurge(ds):
		c.took(&waySurging)
	default:
		c.took(&wayRolling)
	}
}

// tookPlan notes what manage creates and deletes, and how much of it the burst allows (DS-9).
func (c *Controller) tookPlan(p *plan) {
	create, remove := int64(len(p.create)), int64(len(p.remove))
	what := "creates pods"
	switch {
	case create > 0 && remove > 0:
		what = "creates and deletes pods"
	case remove > 0:
		what = "deletes pods"
	}
	note := ""
	if left := max(0, create-burstReplicas) + max(0, remove-burstReplicas); left > 0 {
		note = fmt.Sprintf("%d more are left for the next sync", left)
	}
	c.loop.Took(what, &sim.Explain{
		Rule: "DS-8", Formula: "min(missing, burst) + min(superfluous, burst)",
		Value: min(create, burstReplicas) + min(remove, burstReplicas), Upstream: controllerGo + "manage", Note: note,
		Terms: []sim.Term{{Name: "missing", Value: create}, {Name: "superfluous", Value: remove}, {Name: "burst", Value: burstReplicas}},
	})
}
