package statefulset

import "github.com/rollplay/rollplay/engine/sim"

// The ways that a sync may take, as far as no pod is named in them. Each has the rule that leads there.
var (
	wayGone        = way{"the StatefulSet is gone", sim.Explain{Rule: "S-41", Upstream: controllerGo + "sync"}}
	wayTerminating = way{"the StatefulSet is being deleted: only its status is kept up to date",
		sim.Explain{Rule: "S-13", Upstream: controlGo + "updateStatefulSet", Note: "its pods are the garbage collector's"}}
	wayStatus   = way{"every pod is there, none is too many", sim.Explain{Rule: "S-10", Upstream: controlGo + "updateStatefulSet"}}
	wayOnDelete = way{"OnDelete: every pod is there, none is too many", sim.Explain{Rule: "S-16", Upstream: controlGo + "updateStatefulSet",
		Note: "a pod gets the new template when somebody deletes it"}}
	wayRolling = way{"rolling update", sim.Explain{Rule: "S-17", Upstream: controlGo + "updateStatefulSetAfterInvariantEstablished"}}
)

// way is a branch of the sync, as a noun phrase.
type way struct {
	name string
	why  sim.Explain
}

func (c *Controller) took(w *way) { c.loop.Took(w.name, &w.why) }
