package recorded

import (
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// choices are the pods that recorded syncs of a tick deleted, in the order of the syncs: image -> their numbers among
// the pods of the ReplicaSet.
type choices map[string][][]int

// add notes the deletions of a recorded sync. The pods of a ReplicaSet are numbered in their names: web-7b99dd6698-00012.
func (c choices) add(writes []Write, images map[string]string) {
	list := map[string][]int{}
	for _, w := range writes {
		dash := strings.LastIndexByte(w.Name, '-')
		if w.Verb != "delete" || w.Resource != "pods" || w.Error != "" || dash < 0 {
			continue
		}
		n, err := strconv.Atoi(w.Name[dash+1:])
		if image := images[w.Name[:dash]]; err == nil && image != "" {
			list[image] = append(list[image], n)
		}
	}
	for image, numbers := range list {
		c[image] = append(c[image], numbers)
	}
}

// follow makes up for a choice that upstream leaves open: where a sync of ours deleted other pods than the recorded one
// did, and these are interchangeable, the pods that we kept become those that upstream kept. They look alike now, but
// they need not do the same later, since their futures were settled when they were created.
func (c *cluster) follow(from int, t int64) {
	deleted := map[string]bool{}
	var owner *api.ReplicaSet
	for i := range c.server.Store.Log[from:] {
		p, ok := c.server.Store.Log[from+i].Object().(*api.Pod)
		if ok && p.Terminating() {
			deleted[p.Name] = true
			owner, _ = c.server.Store.Get(replicaSetKey(p.ControllerOf().Name)).(*api.ReplicaSet)
		}
	}
	if owner == nil {
		return
	}
	image := imageOf(&owner.Spec.Template)
	if len(c.choices[image]) == 0 {
		return
	}
	numbers := c.choices[image][0]
	c.choices[image] = c.choices[image][1:]
	r := c.deletion(owner, deleted, t)
	want := c.kubelet.names(owner.Name, numbers)
	kept, lost := only(want, r.Deleted), only(r.Deleted, want)
	if len(kept) != len(lost) || !r.interchangeable(kept, lost) {
		return // a difference that will show
	}
	for i := range kept {
		c.exchange(kept[i], lost[i])
	}
}

// deletion describes a sync of ours as the recordings describe a choice.
func (c *cluster) deletion(owner *api.ReplicaSet, deleted map[string]bool, t int64) *Deletion {
	r := &Deletion{T: t, ReplicaSet: owner.Name}
	for _, l := range c.kubelet.pods {
		p := c.kubelet.pod(l)
		if p == nil {
			continue
		}
		pod := Pod{Name: p.Name, Owner: p.ControllerOf().Name, Node: p.NodeName, Phase: p.Status.Phase, Ready: -1,
			Born: secondsOf(p.CreationTimestamp), Term: p.Terminating() && !deleted[p.Name]}
		if ready := p.ReadyCondition(); ready != nil {
			pod.Ready = secondsOf(ready.LastTransitionTime)
		}
		for _, s := range p.Status.ContainerStatuses {
			pod.Restarts = s.RestartCount
		}
		r.Pods = append(r.Pods, pod)
		if deleted[p.Name] {
			r.Deleted = append(r.Deleted, p.Name)
		}
	}
	return r
}

// names returns the pods of a ReplicaSet that have these numbers.
func (k *kubelet) names(owner string, numbers []int) (names []string) {
	for _, n := range numbers {
		for _, l := range k.pods {
			if l.owner == owner && l.number == n && k.byName[l.name] == l {
				names = append(names, l.name)
			}
		}
	}
	return names
}

// exchange lets two pods change places, all but their names and their deletion.
func (c *cluster) exchange(a, b string) {
	k := c.kubelet
	p, q := *k.pod(k.byName[a]), *k.pod(k.byName[b])
	p.UID, q.UID = q.UID, p.UID
	p.CreationTimestamp, q.CreationTimestamp = q.CreationTimestamp, p.CreationTimestamp
	p.NodeName, q.NodeName = q.NodeName, p.NodeName
	p.Status, q.Status = q.Status, p.Status
	c.server.Store.Put(&p, sim.Record{Actor: setUp})
	c.server.Store.Put(&q, sim.Record{Actor: setUp})
	l, m := k.byName[a], k.byName[b]
	l.name, m.name = m.name, l.name
	k.byName[l.name], k.byName[m.name] = l, m
}
