package forecast

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/past"
)

// owners maps each pod to its workload and adds up the requests of each workload's pods.
type owners struct {
	uids  map[string]string // of the last workload of each name; its pods may outlive it
	sets  map[string]*set   // by the UID of the ReplicaSet, or of the workload that owns its pods itself
	pods  map[api.Key]*pod
	costs map[*api.PodSpec]cost // of the specs, which pods share
}

// set is the pods of one owner.
type set struct {
	workload string // "" if no workload owns it
	pods     int
	gone     bool // the ReplicaSet was removed; with its last pod it leaves the workload
	cost
}

// pod is an existing pod that is not finished.
type pod struct {
	set *set
	cost
}

// cost is the sum of requests of pods.
type cost struct{ cpu, memory int64 }

// ownerOf returns the workload that controls an object, or "".
func (o *owners) ownerOf(m *api.ObjectMeta) string {
	name := m.ControllerKey().String()
	if !m.IsControlledBy(o.uids[name]) {
		return ""
	}
	return name
}

// setOf returns the set that a pod belongs to, nil if it has no controller.
func (o *owners) setOf(m *api.ObjectMeta) *set {
	ref := m.ControllerOf()
	if ref == nil {
		return nil
	}
	s := o.sets[ref.UID]
	if s == nil && ref.Kind != api.KindReplicaSet {
		if name := o.ownerOf(m); name != "" {
			s = &set{workload: name}
			o.sets[ref.UID] = s
		}
	}
	return s
}

// costOf returns the requests of a pod.
func (o *owners) costOf(spec *api.PodSpec) cost {
	c, known := o.costs[spec]
	if !known {
		cpu, memory := spec.Requests("cpu"), spec.Requests("memory")
		c = cost{cpu.Milli(), memory.Value()}
		o.costs[spec] = c
	}
	return c
}

// moveSet gives the pods of a ReplicaSet to the workload that owns it now.
func (f *Forecast) moveSet(record int, c *past.Change) {
	m := c.Object().Meta()
	s := f.owners.sets[m.UID]
	if s == nil {
		s = &set{}
		f.owners.sets[m.UID] = s
	}
	owner := f.owners.ownerOf(m)
	if s.gone = c.New == nil; s.gone && s.pods == 0 {
		owner = ""
	}
	if s.workload == owner {
		return
	}
	if w := f.catchUp(s.workload, record); w != nil {
		w.cpu, w.memory = w.cpu-s.cpu, w.memory-s.memory
	}
	s.workload = owner
	if w := f.catchUp(owner, record); w != nil {
		w.cpu, w.memory = w.cpu+s.cpu, w.memory+s.memory
	}
}

// pod follows a pod from its creation until it is removed or finished.
func (f *Forecast) pod(record int, c *past.Change) {
	key := c.Object().Key()
	known := f.owners.pods[key]
	now, _ := c.New.(*api.Pod)
	var s *set
	if now != nil && !now.Finished() {
		s = f.owners.setOf(&now.ObjectMeta)
	}
	if known != nil && known.set == s {
		return
	}
	if known != nil {
		delete(f.owners.pods, key)
		f.charge(known.set, record, cost{-known.cpu, -known.memory}, -1)
		if known.set.gone && known.set.pods == 0 {
			known.set.workload = ""
		}
	}
	if s == nil {
		return
	}
	p := &pod{s, f.owners.costOf(now.Spec)}
	f.owners.pods[key] = p
	if w := f.charge(s, record, p.cost, 1); c.Old == nil {
		w.count(func(f *Figures) { f.Created++ })
	}
}

// charge adds pods and their requests to a set.
func (f *Forecast) charge(s *set, record int, c cost, pods int) *work {
	s.pods += pods
	s.cpu, s.memory = s.cpu+c.cpu, s.memory+c.memory
	w := f.catchUp(s.workload, record)
	if w != nil {
		w.cpu, w.memory = w.cpu+c.cpu, w.memory+c.memory
	}
	return w
}
