package recorded

import (
	"math/bits"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/replicaset"
	"github.com/rollplay/rollplay/engine/sim"
)

// ReplayDeletion lets our ReplicaSet controller choose among the recorded pods, and returns in what its choice differs.
func ReplayDeletion(r *Deletion) []string {
	k, s := newServer(r.T)
	c := replicaset.New(s)
	rs := putPods(s, r)
	if rs == nil {
		return []string{"no pod belongs to " + r.ReplicaSet}
	}
	deliver(s)
	setClock(k, r.T*1000)
	from := len(s.Store.Log)

	err := c.Sync(rs.Key())

	var d differ
	if err != nil {
		d.add("error", "", err.Error())
	}
	var got []string
	for i := range s.Store.Log[from:] {
		if key := s.Store.Log[from+i].Object().Key(); key.Kind == api.KindPod {
			got = append(got, key.Name)
		}
	}
	if missing, wrong := only(r.Deleted, got), only(got, r.Deleted); !r.interchangeable(missing, wrong) {
		d.add("deleted pods of "+r.ReplicaSet, missing, wrong)
	}
	return d.found
}

// rank is what R-9 asks of a pod, as far as the answers put all pods into one order: up to the power of two of
// nanoseconds that the age falls into.
type rank struct {
	assigned    bool
	phase, cost string
	ready       bool
	podsOnNode  int
	restarts    int32 // of a pod that is not ready
	age         int   // the power
}

// interchangeable says whether two choices differ only in pods between which upstream's order is open. Ages of the same
// power are ordered by UID if they differ, but by other questions if they are the same; so as soon as two pods of one
// rank have the same age, R-9 is not transitive, and the outcome depends on the way of sorting: upstream's sort.Sort,
// which is not stable either, or ours, which goes by the UIDs in the end.
func (r *Deletion) interchangeable(a, b []string) bool {
	count := map[rank]int{}
	for i, names := range [][]string{a, b} {
		for _, name := range names {
			p := r.pod(name)
			if p == nil {
				return false
			}
			count[r.rankOf(p)] += 1 - 2*i // equal choices add up to nothing
		}
	}
	for k, n := range count {
		if n != 0 || !r.hasTwins(k) {
			return false
		}
	}
	return true
}

// hasTwins says whether two pods of the ReplicaSet with this rank have the same age.
func (r *Deletion) hasTwins(k rank) bool {
	ages := map[int64]bool{}
	for i := range r.Pods {
		p := &r.Pods[i]
		if p.Owner != r.ReplicaSet || p.Term || r.rankOf(p) != k {
			continue
		}
		if ages[p.since()] {
			return true
		}
		ages[p.since()] = true
	}
	return false
}

// pod returns a pod by its name, nil if there is none.
func (r *Deletion) pod(name string) *Pod {
	i := slices.IndexFunc(r.Pods, func(p Pod) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &r.Pods[i]
}

func (r *Deletion) rankOf(p *Pod) rank {
	k := rank{assigned: p.Node != "", phase: p.Phase, cost: p.Cost, ready: p.Ready >= 0,
		age: bits.Len64(uint64(r.T-p.since()) * 1_000_000_000)}
	if !k.ready {
		k.restarts = p.Restarts
	}
	for i := range r.Pods {
		if o := &r.Pods[i]; o.Node == p.Node && !o.Term && o.Phase != api.PodFailed {
			k.podsOnNode++
		}
	}
	return k
}

// since returns the moment from which the age counts: that of readiness, or that of creation for a pod that is not ready.
func (p *Pod) since() int64 {
	if p.Ready >= 0 {
		return p.Ready
	}
	return p.Born
}

// putPods stores the recorded pods and their ReplicaSets, and returns the one that has pods too many.
func putPods(s *apiserver.Server, r *Deletion) (target *api.ReplicaSet) {
	t := templates{}
	owners := map[string]*api.ReplicaSet{}
	active := 0
	for i := range r.Pods {
		p := &r.Pods[i]
		rs := owners[p.Owner]
		if rs == nil {
			rs = t.replicaSet(&ReplicaSet{Name: p.Owner, Image: p.Image})
			owners[p.Owner] = rs
			s.Store.Put(rs, sim.Record{Actor: setUp})
		}
		o := p.object(rs)
		if p.Owner == r.ReplicaSet && o.Active() {
			active++
		}
		s.Store.Put(o, sim.Record{Actor: setUp})
	}
	if owners[r.ReplicaSet] == nil {
		return nil
	}
	target = owners[r.ReplicaSet].DeepCopy()
	target.Spec.Replicas = api.Ptr(int32(active - len(r.Deleted)))
	s.Store.Put(target, sim.Record{Actor: setUp})
	return target
}

// object returns the pod itself. UIDs follow the order of creation, as in the recordings.
func (p *Pod) object(rs *api.ReplicaSet) *api.Pod {
	o := pod(rs, p.Name)
	o.NodeName, o.Status.Phase, o.CreationTimestamp = p.Node, p.Phase, seconds(p.Born)
	o.Status.ContainerStatuses = []api.ContainerStatus{{Name: containerName, RestartCount: p.Restarts}}
	if p.Ready >= 0 {
		o.Status.Conditions = []api.Condition{{Type: "Ready", Status: "True", LastTransitionTime: seconds(p.Ready)}}
	}
	if p.Term {
		o.DeletionTimestamp, o.DeletionGracePeriodSeconds = seconds(p.Born), 30
	}
	if p.Cost != "" {
		o.Annotations = map[string]string{api.PodDeletionCostAnnotation: p.Cost}
	}
	return o
}

// only returns what is in a and not in b.
func only(a, b []string) (out []string) {
	for _, name := range a {
		if !slices.Contains(b, name) {
			out = append(out, name)
		}
	}
	return out
}
