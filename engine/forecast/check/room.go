package check

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
)

// crowd is what a run shows about the room for the pods of a Deployment.
type crowd struct {
	Bound, Peak int    // pods on nodes, terminating ones included: now and at most
	Quota, Node string // why a pod could not be created, or fit no node
}

// noteRoom finds out whether the pods of an update found room.
func (o *outcome) noteRoom(r *engine.Run, at int64) {
	p := r.Past()
	o.Room = map[string]*crowd{}
	bound := map[api.Key]*crowd{}
	of := func(key api.Key) *crowd {
		name := key.String()
		if o.Room[name] == nil {
			o.Room[name] = &crowd{}
		}
		return o.Room[name]
	}
	changes, owners := p.ChangesAfter(-1), map[api.Key]api.Key{}
	for i := range changes {
		breath.Often()
		change := &changes[i]
		switch x := change.Object().(type) {
		case *api.Deployment:
			if c := api.FindCondition(x.Status.Conditions, "ReplicaFailure"); change.At >= at && c != nil && c.Status == "True" {
				of(x.Key()).Quota = c.Message
			}
		case *api.ReplicaSet:
			owners[x.Key()] = x.ControllerKey()
		case *api.Pod:
			key, gone := x.Key(), change.New == nil || x.Finished()
			if c := bound[key]; gone && c != nil {
				if c.Bound--; change.At < at {
					c.Peak = c.Bound
				}
				delete(bound, key)
			}
			owner := owners[x.ControllerKey()]
			if owner.Name == "" || gone {
				continue
			}
			c := of(owner)
			if x.NodeName != "" && bound[key] == nil {
				bound[key] = c
				c.Bound++
			}
			if change.At < at {
				c.Peak = c.Bound // these are there when the update begins
				continue
			}
			c.Peak = max(c.Peak, c.Bound)
			if why := api.FindCondition(x.Status.Conditions, "PodScheduled"); why != nil && why.Reason == "Unschedulable" {
				c.Node = why.Message
			}
		}
	}
}

// room answers whether the surge of a Deployment fits with every seed, if the update finishes without it.
func (a *answers) room() {
	d, ok := a.now.Object(a.key).(*api.Deployment)
	if !ok || a.n.New || a.unready[a.key.String()].Text != "" {
		return
	}
	surge, _ := deployment.Bounds(d)
	fixed := a.assumed == 0 && !strings.Contains(a.input.Nodes, "nodeGroups") // the nodes
	want, found, rule, seeds := max(a.n.LowestOf, int(replicasOf(a.new, a.key)))+int(surge), "", "", 0
	for i := range a.runs {
		c := a.runs[i].Room[a.key.String()]
		if c == nil {
			continue
		}
		why, by := c.Quota, "G-50"
		if why == "" && fixed {
			why, by = c.Node, "G-32"
		}
		if why == "" || surge == 0 || c.Peak >= want {
			continue
		}
		if seeds++; seeds == 1 {
			found, rule = fmt.Sprintf("%d of %d pods find room, terminating ones included. %s", c.Peak, want, why), by
		}
	}
	text := "The surge does not fit: "
	if seeds < len(a.runs) {
		text = fmt.Sprintf("With %d of %d seeds, the surge does not fit: ", seeds, len(a.runs))
	}
	if seeds > 0 {
		a.add("room", rule, text+found, "", "").Verdict = Fail
	}
}
