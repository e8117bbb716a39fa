package recorded

import (
	"math/bits"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/replicaset"
	"github.com/rollplay/rollplay/engine/sim"
)

// ReplayDeletion lets our ReplicaSet controller choose among the recorded pods, and returns the differences.
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

// rank holds the properties of a pod that R-9 compares, as far as they put all pods into one order: down to the power of two
// of nanoseconds that contains the age.
type rank struct {
	assigned    bool
	phase, cost string
	ready       bool
	podsOnNode  int
	restarts    int32 // of a pod that is not ready
	age         int   // the power
}

// interchangeable says whether two choices differ only in pods that upstream's order leaves open. Different ages within one
// power are ordered by UID, but equal ages by other properties; so where two pods of one rank have the same age, R-9 is not
// transitive, and the result depends on the sort: upstream's sort.Sort, which is not stable either, or ours, which falls
// back on the UIDs.
//
// An example with three pods that have been Ready for between 2^33 and 2^34 ns, that is 8.6 s to 17.2 s: c (UID 1) for 10 s,
// b (UID 2) for 12 s, a (UID 3) for 10 s. By UID c comes before b, and b before a. But a and c have the same age, so their
// restarts decide: if a has more, it comes before c, which closes a cycle.
func (r *Deletion) interchangeable(a, b []string) bool {
	count := map[rank]int{}
	for i, names := range [][]string{a, b} {
		for _, name := range names {
			p := r.pod(name)
			if p == nil {
				return false
			}
			count[r.rankOf(p)] += 1 - 2*i // equal choices add up to 0
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

// pod returns a pod by its name, nil if it does not exist.
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

// since returns the start of the age: when the pod became Ready, or when it was created if it is not Ready.
func (p *Pod) since() int64 {
	if p.Ready >= 0 {
		return p.Ready
	}
	return p.Born
}

// putPods stores the recorded pods and their ReplicaSets, and returns the ReplicaSet that has too many pods.
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
	target = api.Copy(owners[r.ReplicaSet])
	target.Spec.Replicas = api.Ptr(int32(active - len(r.Deleted)))
	s.Store.Put(target, sim.Record{Actor: setUp})
	return target
}

// object returns the pod as an API object. UIDs follow the order of creation, as in the recordings.
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

// only returns the names in a that are not in b.
func only(a, b []string) (out []string) {
	for _, name := range a {
		if !slices.Contains(b, name) {
			out = append(out, name)
		}
	}
	return out
}
