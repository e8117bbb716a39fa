package engine

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/sim"
)

// counts are the numbers of a frame that pods decide.
type counts struct{ total, ready, available, terminating int }

// recount counts the pods of a workload after a selection of its frames, from the objects of that moment alone.
func recount(t *testing.T, run *Run, name string) {
	t.Helper()
	frames := run.Frames(name)
	for i := 0; i < len(frames); i += 1 + len(frames)/25 {
		at, record := frames[i].T, frames[i].Record
		if i+1 < len(frames) && frames[i+1].T == at || run.Past().Find(at) != record {
			continue // not the state in which the ms ends
		}
		f := &frames[i]
		want := countPods(run, name, record, at)
		if got := (counts{f.Total, f.Ready, f.Available, f.Terminating}); got != want {
			t.Fatalf("%s at %d ms: the frame has %+v, the pods are %+v\n%s\n%+v", name, at, got, want, run.Recording().Scenario, run.Recording().Commands)
		}
	}
}

// countPods counts the pods that belong to a workload after a record, directly or through a ReplicaSet.
func countPods(run *Run, name string, record int, at int64) (n counts) {
	owners := ownersIn(run, name, record)
	for _, o := range run.Past().Objects(api.KindPod, record) {
		pod := o.(*api.Pod)
		ref := pod.ControllerOf()
		if ref == nil || pod.Finished() {
			continue
		}
		minReady, ours := owners[ref.UID]
		switch {
		case !ours:
		case pod.Terminating():
			n.terminating++
		default:
			n.total++
			if pod.IsReady() {
				n.ready++
			}
			if pod.IsAvailable(minReady, at) {
				n.available++
			}
		}
	}
	return n
}

// ownersIn returns the UIDs whose pods count for a workload, with their minReadySeconds: its own, or those of the ReplicaSets
// that it controls or, if they are gone, controlled at last.
func ownersIn(run *Run, name string, record int) map[string]int32 {
	key := past.ParseKey(name)
	owners := map[string]int32{}
	each := func(see func(c *sim.Change)) {
		for i := range run.world.server.Store.Log {
			if c := &run.world.server.Store.Log[i]; c.Record <= record {
				see(c)
			}
		}
	}
	last := ""
	each(func(c *sim.Change) {
		if c.Object().Key() == key {
			last = c.Object().Meta().UID
		}
	})
	if key.Kind != api.KindDeployment {
		each(func(c *sim.Change) {
			if c.Object().Meta().UID == last {
				owners[last] = api.MinReadySecondsOf(c.Object())
			}
		})
		return owners
	}
	each(func(c *sim.Change) {
		rs, ok := c.Object().(*api.ReplicaSet)
		if !ok {
			return
		}
		delete(owners, rs.UID)
		if ref := rs.ControllerOf(); ref != nil && ref.UID == last {
			owners[rs.UID] = rs.Spec.MinReadySeconds
		}
	})
	return owners
}
