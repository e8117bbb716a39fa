package kubelet

import (
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// Draws are random numbers for things that take time. They come from a stream for each purpose, in the order in which they are needed: one
// more pod changes those of all later pods. Keyed draws depend on their purpose instead, so that pods of two runs correspond: the
// third pod of web's second revision starts as fast in both, whatever else happens.

// identities names pods by workload, revision and number, for keyed draws.
type identities struct {
	of        map[string]string // by the UID of the pod
	revisions map[string]string // by workload and revision: the workload and 1 for the first that it had
	counts    map[string]int    // how many revisions a workload has had, or pods a name
}

// next numbers things of the same name, from 1.
func (d *identities) next(name string) string {
	d.counts[name]++
	return number(name, d.counts[name])
}

func number(name string, n int) string { return name + " " + strconv.Itoa(n) }

// follow names a pod when it is created: Deployment/default/web 2 3 is the third pod of its second revision. A StatefulSet's pod has its
// ordinal, a DaemonSet's its node.
func (k *Kubelet) follow(c *sim.Change) {
	d, p := k.identities, c.Object().(*api.Pod)
	switch {
	case c.New == nil:
		delete(d.of, p.UID)
	case d.of[p.UID] == "":
		d.of[p.UID] = d.next(k.place(p))
	}
}

// place returns the workload and the revision of a pod, with the name if the workload gives each pod a place of its own.
func (k *Kubelet) place(p *api.Pod) string {
	owner, revision, own := p.ControllerKey(), p.Labels[api.ControllerRevisionHashLabel], ""
	switch owner.Kind {
	case "":
		return p.Key().String()
	case api.KindReplicaSet:
		revision = owner.Name
		if rs := k.store.Get(owner); rs != nil && rs.Meta().ControllerOf() != nil {
			owner = rs.Meta().ControllerKey()
		}
	case api.KindStatefulSet:
		own = p.Name[max(0, strings.LastIndexByte(p.Name, '-')):]
	case api.KindDaemonSet:
		own = " " + p.TargetNode
	}
	d, named := k.identities, owner.String()+" "+revision
	if d.revisions[named] == "" {
		d.revisions[named] = d.next(owner.String())
	}
	return d.revisions[named] + own
}

// draw returns a random number of a range for a container: of its next run, or whatever the purpose is.
func (k *Kubelet) draw(c *container, purpose string, r *Range) sim.Time {
	if k.identities != nil {
		return k.keyed(purpose, number(k.identities.of[c.pod.uid]+" "+c.spec.Name, int(max(c.run-1, 0))), r)
	}
	from := k.random[purpose]
	if from == nil {
		from = sim.NewRand(k.seed, "kubelet "+purpose)
		k.random[purpose] = from
	}
	return from.Between(r.Min, r.Max)
}

// drawPull returns how long a node pulls an image.
func (k *Kubelet) drawPull(c *container) sim.Time {
	if k.identities == nil || c.traits.PullFails {
		return k.draw(c, "pull", c.traits.Pull)
	}
	return k.keyed("pull", k.identities.next(c.pod.node.name+" "+c.spec.Image), c.traits.Pull)
}

func (k *Kubelet) keyed(purpose, what string, r *Range) sim.Time {
	return sim.NewRand(k.seed, "kubelet "+purpose+" "+what).Between(r.Min, r.Max)
}
