package nodescaler

import (
	"github.com/rollplay/rollplay/engine/api"
)

// emptied notes that a node has no pods but those of DaemonSets, and looks when it may be removed.
func (s *Scaler) emptied(name string) {
	if m := s.nodes[name]; m != nil && s.busy[name] == 0 {
		m.since = s.kernel.Now()
		s.look(m.since + m.group.Idle)
	}
}

// scaleDown removes the nodes that have been empty long enough, oldest first, as long as their groups have more than they must.
func (s *Scaler) scaleDown() {
	var names []string
	for o := range s.store.Table(api.KindNode).All() {
		names = append(names, o.Key().Name)
	}
	for _, name := range names {
		m := s.nodes[name]
		switch {
		case m == nil || s.busy[name] > 0 || s.used(name) || s.size(m.group) <= m.group.Min:
			continue
		case s.kernel.Now() < m.since+m.group.Idle:
			s.look(m.since + m.group.Idle)
			continue
		}
		s.client.Event(api.Key{Kind: api.KindNode, Name: name}, "Normal", "ScaleDownEmpty", "Scale-down: removing empty node \""+name+"\"")
		delete(s.nodes, name)
		s.client.Must(nil, s.machines.Remove(name))
	}
}

// used says whether the store has a pod on a node that the cache does not show yet.
func (s *Scaler) used(name string) bool {
	for o := range s.store.Table(api.KindPod).All() {
		if p := o.(*api.Pod); p.NodeName == name && occupies(p) {
			return true
		}
	}
	return false
}
