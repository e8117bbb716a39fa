package nodescaler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// settles is how long after its registration a node still counts as booting, in ms: before that, the scheduler has had no time for it.
const settles = 100

// scaleUp adds machines for the pods that wait, oldest first. A pod that fits a machine on its way waits for that.
func (s *Scaler) scaleUp() {
	rooms := s.coming()
	for o := range s.store.Table(api.KindPod).All() {
		p := o.(*api.Pod)
		if !waits(p) || ofDaemonSet(p) || s.helped[p.UID] || !alone(p) && take(rooms, p) {
			continue
		}
		if g, why := s.groupFor(p); g != nil {
			r := s.add(g, p)
			r.take(p.Spec)
			rooms = append(rooms, r)
			s.helped[p.UID] = p.Spec.Relates()
			delete(s.refused, p.UID)
		} else if s.refused[p.UID] != why {
			s.refused[p.UID] = why
			s.client.Event(p.Key(), "Normal", "NotTriggerScaleUp", "pod didn't trigger scale-up: "+why)
		}
	}
	for _, m := range s.booting {
		s.look(m.upAt + settles) // somebody else may have taken its place, or its name
	}
}

// coming returns the room of the machines that boot, in the order in which they were added.
func (s *Scaler) coming() (rooms []*room) {
	s.booting = slices.DeleteFunc(s.booting, func(m *machine) bool { return m.upAt+settles <= s.kernel.Now() })
	for _, m := range s.booting {
		rooms = append(rooms, s.roomOf(m.group))
	}
	return rooms
}

// size counts the machines of a group, those that boot included.
func (s *Scaler) size(g *Group) (n int) {
	for _, m := range s.nodes {
		if m.group == g {
			n++
		}
	}
	return n
}

// groupFor returns the first group whose next machine would have room for a pod, or the reason why no group has.
func (s *Scaler) groupFor(p *api.Pod) (*Group, string) {
	small, full := 0, 0
	for i := range s.groups {
		g := &s.groups[i]
		switch {
		case !s.roomOf(g).has(p):
			small++
		case s.size(g) >= g.Max:
			full++
		default:
			return g, ""
		}
	}
	var why []string
	if full > 0 {
		why = append(why, strconv.Itoa(full)+" max node group size reached")
	}
	if small > 0 {
		why = append(why, strconv.Itoa(small)+" node(s) of the group would not fit the pod")
	}
	return nil, strings.Join(why, ", ")
}

// add orders a machine of a group because of a pod.
func (s *Scaler) add(g *Group, p *api.Pod) *room {
	key, size := s.name(g), s.size(g)
	up := s.kernel.Now() + g.Boot
	m := &machine{group: g, upAt: up, since: up}
	s.nodes[key.Name], s.booting = m, append(s.booting, m)
	s.kernel.Schedule(sim.Event{At: up, To: s, Op: opBoot, Key: key})
	s.client.Event(p.Key(), "Normal", "TriggeredScaleUp", fmt.Sprintf("pod triggered scale-up: [{%s %d->%d (max: %d)}]", g.Name, size, size+1, g.Max))
	return s.roomOf(g)
}

// name returns the name of the next machine of a group: web-3 after web-2, also if that is gone.
func (s *Scaler) name(g *Group) api.Key {
	for {
		s.made[g.Name]++
		key := api.Key{Kind: api.KindNode, Name: g.Name + "-" + strconv.Itoa(s.made[g.Name])}
		if s.nodes[key.Name] == nil && s.store.Get(key) == nil {
			return key
		}
	}
}

// boot registers a machine. A person may have created a node of that name meanwhile; then the machine is lost.
func (s *Scaler) boot(key api.Key) {
	m := s.nodes[key.Name]
	if m == nil || s.store.Get(key) != nil {
		return
	}
	n := api.Copy(m.group.Node)
	n.Name = key.Name
	if err := s.register(n); err != nil {
		panic("nodescaler: node " + n.Name + ": " + err.Error()) // the scenario has checked the names
	}
}

// alone says whether a pod may have to keep away from those that wait with it, so that it does not share a machine with them.
func alone(p *api.Pod) bool {
	a := p.Spec.Affinity
	return a != nil && a.PodAntiAffinity != nil && len(a.PodAntiAffinity.Required) > 0
}

// emptied notes that a node has no pods but those of DaemonSets, and looks when it may be removed.
func (s *Scaler) emptied(name string) {
	if m := s.nodes[name]; m != nil && s.busy[name] == 0 {
		m.since = s.kernel.Now()
		s.look(m.since + m.group.Idle)
	}
}

// scaleDown removes the nodes that have been empty long enough, oldest first, as long as their groups have more than they must.
func (s *Scaler) scaleDown() {
	for _, o := range slices.Collect(s.store.Table(api.KindNode).All()) { // which a removal changes
		name := o.Key().Name
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
		s.client.Must(nil, s.remove(name))
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

// room is what a machine has, and what pods need of it, those of DaemonSets first; see api.PodSpec.Needs. 0 means no limit.
type room struct {
	node       *api.Node
	size, used [3]int64
}

// roomOf returns the room of a new machine of a group.
func (s *Scaler) roomOf(g *Group) *room {
	a := g.Node.Status.Allocatable
	r := &room{node: g.Node, size: [3]int64{a["cpu"].Milli(), a["memory"].Value(), a["pods"].Value()}}
	for o := range s.store.Table(api.KindDaemonSet).All() {
		if spec := o.(*api.DaemonSet).Spec.Template.Spec; r.admits(spec, spec.Tolerations) {
			r.take(spec)
		}
	}
	return r
}

// admits says whether the labels and taints of the machine let a pod in.
func (r *room) admits(spec *api.PodSpec, tolerations []api.Toleration) bool {
	return spec.NodeName == "" && spec.MatchesNode(r.node) && !slices.ContainsFunc(r.node.Spec.Taints, func(t api.Taint) bool {
		return (t.Effect == api.NoSchedule || t.Effect == api.NoExecute) && !api.Tolerated(tolerations, &t)
	})
}

func (r *room) has(p *api.Pod) bool {
	for i, need := range p.Spec.Needs() {
		if r.size[i] > 0 && need > 0 && r.used[i]+need > r.size[i] {
			return false
		}
	}
	return r.admits(p.Spec, p.Tolerations())
}

func (r *room) take(spec *api.PodSpec) {
	for i, need := range spec.Needs() {
		r.used[i] += need
	}
}

// take puts a pod into the first room that has place for it.
func take(rooms []*room, p *api.Pod) bool {
	for _, r := range rooms {
		if r.has(p) {
			r.take(p.Spec)
			return true
		}
	}
	return false
}
