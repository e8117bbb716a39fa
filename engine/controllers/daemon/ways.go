package daemon

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

// Why a sync takes a branch.
var (
	whySync     = why.Rule("DS-7", controllerGo+"syncDaemonSet")
	whyOnDelete = why.Note("DS-14", controllerGo+"updateDaemonSet",
		"a pod gets the present template only when somebody has deleted the one before it")
	whyRolling = why.Rule("DS-10", updateGo+"rollingUpdate")
	whySurging = why.Rule("DS-12", updateGo+"rollingUpdate")
	whyNode    = why.Rule("DS-33", controllerGo+"syncNodeUpdate")
)

// tookStrategy notes how a DaemonSet is updated; what is created or deleted then says more.
func (c *Controller) tookStrategy(ds *api.DaemonSet) {
	switch {
	case ds.Spec.UpdateStrategy.Type != api.RollingUpdate:
		c.loop.Took("OnDelete, looks at every node", whyOnDelete)
	case allowsSurge(ds):
		c.loop.Took("rolling update with a surge, looks at every node", whySurging)
	default:
		c.loop.Took("rolling update, looks at every node", whyRolling)
	}
}

// tookPlan notes what manage creates and deletes, and how much of it the burst allows (DS-9).
func (c *Controller) tookPlan(p *plan) {
	create, remove := len(p.create), len(p.remove)
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
	c.loop.Took(what, why.Sum("DS-8", controllerGo+"manage",
		"min(missing, burst) + min(superfluous, burst)", min(create, burstReplicas)+min(remove, burstReplicas), create, burstReplicas, remove).
		Noting(note))
}
