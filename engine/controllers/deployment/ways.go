package deployment

import "github.com/rollplay/rollplay/engine/sim"

// The ways that a sync may take, in the order of syncDeployment's questions (D-23). Each has the rule that leads there.
var (
	wayGone        = way{"the Deployment is gone", sim.Explain{Rule: "D-23", Upstream: controllerGo + "syncDeployment"}}
	waySelectsAll  = way{"the selector matches everything", selectsAll}
	wayTerminating = way{"the Deployment is being deleted: only its status is kept up to date",
		sim.Explain{Rule: "D-23", Upstream: syncGo + "syncStatusOnly"}}
	wayPaused = way{"paused: may scale, rolls nothing out",
		sim.Explain{Rule: "D-25", Upstream: syncGo + "sync", Note: "a paused Deployment makes no new ReplicaSet"}}
	wayRollback = way{"rollback asked for by an annotation", sim.Explain{Rule: "D-80", Upstream: rollbackGo + "rollback"}}
	wayScaling  = way{"scaling only", sim.Explain{Rule: "D-25", Upstream: syncGo + "sync",
		Note: "a sync that scales does nothing else; a new template waits for the next one"}}
	wayRecreate = way{"Recreate", sim.Explain{Rule: "D-58", Upstream: recreateGo + "rolloutRecreate"}}
	wayRolling  = way{"rolling update", sim.Explain{Rule: "D-50", Upstream: rollingGo + "rolloutRolling"}}
	wayUp       = way{"rolling update, scale up", sim.Explain{Rule: "D-51", Upstream: rollingGo + "rolloutRolling",
		Note: "a sync that scales the new ReplicaSet up leaves the old ones for the next sync"}}
	wayDown   = way{"rolling update, scale down", sim.Explain{Rule: "D-53", Upstream: rollingGo + "rolloutRolling"}}
	wayCreate = way{"rolling update, create the new ReplicaSet", sim.Explain{Rule: "D-41", Upstream: syncGo + "getNewReplicaSet"}}
	wayStatus = way{"rolling update, nothing to scale", sim.Explain{Rule: "D-60", Upstream: rollingGo + "rolloutRolling"}}
)

// way is a branch of the sync, as a noun phrase.
type way struct {
	name string
	why  sim.Explain
}

func (c *Controller) took(w *way) { c.loop.Took(w.name, &w.why) }
