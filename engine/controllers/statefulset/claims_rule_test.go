package statefulset

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// withClaims returns a change that gives a StatefulSet two claim templates and a retention policy.
func withClaims(whenDeleted, whenScaled string) func(*api.StatefulSet) {
	return func(s *api.StatefulSet) {
		s.Spec.VolumeClaimTemplates = []api.PersistentVolumeClaim{{ObjectMeta: api.ObjectMeta{Name: "data"}},
			{ObjectMeta: api.ObjectMeta{Name: "logs", Labels: map[string]string{"tier": "slow"}}}}
		s.Spec.PersistentVolumeClaimRetentionPolicy = &api.StatefulSetPVCRetentionPolicy{WhenDeleted: whenDeleted, WhenScaled: whenScaled}
	}
}

func (w *testWorld) claim(name string) *api.PersistentVolumeClaim {
	claim, _ := w.Server.Store.Get(cluster.Key(api.KindPersistentVolumeClaim, name)).(*api.PersistentVolumeClaim)
	return claim
}

// owner returns Kind/name of a claim's only owner, "nobody" without an owner.
func (w *testWorld) owner(claim string) string {
	refs := w.claim(claim).OwnerReferences
	if len(refs) == 0 {
		return "nobody"
	}
	if len(refs) > 1 || !refs[0].Controller {
		w.T.Errorf("owners of %s are %v", claim, refs)
	}
	return string(refs[0].Kind) + "/" + refs[0].Name
}

// TestClaims is S-42 and S-40: claims have their names and labels, come before their pod, and stay when it goes.
func TestClaims(t *testing.T) {
	w := newReadyWorld(t, 37, 2, withClaims("Retain", "Retain"))
	var written []string
	for _, c := range w.Server.Store.Log {
		if kind := c.Object().Key().Kind; c.Type == sim.Added && (kind == api.KindPod || kind == api.KindPersistentVolumeClaim) {
			written = append(written, c.New.Key().Name)
		}
	}
	if want := []string{"data-db-0", "logs-db-0", "db-0", "data-db-1", "logs-db-1", "db-1"}; !slices.Equal(written, want) {
		t.Errorf("created in the order %v, want %v", written, want)
	}
	if claim := w.claim("logs-db-1"); claim.Status.Phase != "Bound" || !maps.Equal(claim.Labels, map[string]string{"app": "db", "tier": "slow"}) {
		t.Errorf("the claim is %+v", claim)
	}
	want := []string{"Normal SuccessfulCreate: Create Claim data-db-0 Pod db-0 in StatefulSet db success",
		"Normal SuccessfulCreate: Create Claim logs-db-0 Pod db-0 in StatefulSet db success",
		"Normal SuccessfulCreate: Create Pod db-0 in StatefulSet db successful"}
	if got := w.events(0); !slices.Equal(got[:3], want) {
		t.Errorf("events are %v", got[:3])
	}
	uid := w.claim("data-db-1").UID
	w.scale(0)
	w.run()
	w.scale(2)
	w.run()
	if claim := w.claim("data-db-1"); claim == nil || claim.UID != uid || w.owner("data-db-1") != "nobody" {
		t.Errorf("the claim did not outlive its pod: %+v", claim)
	}
}

// TestClaimOwners is S-42: the owners of the claims of a pod in range and of a surplus pod.
func TestClaimOwners(t *testing.T) {
	for _, tt := range []struct{ whenDeleted, whenScaled, inRange, condemned string }{
		{"Retain", "Retain", "nobody", "nobody"},
		{"Delete", "Retain", "StatefulSet/db", "StatefulSet/db"},
		{"Retain", "Delete", "nobody", "Pod/db-1"},
		{"Delete", "Delete", "StatefulSet/db", "Pod/db-1"},
	} {
		w := newReadyWorld(t, 37, 2, withClaims(tt.whenDeleted, tt.whenScaled))
		if got := w.owner("data-db-1"); got != tt.inRange {
			t.Errorf("whenDeleted %s, whenScaled %s: in range it belongs to %s, want %s", tt.whenDeleted, tt.whenScaled, got, tt.inRange)
		}
		w.scale(1)
		if got := w.owner("logs-db-1"); got != tt.condemned {
			t.Errorf("whenDeleted %s, whenScaled %s: out of range it belongs to %s, want %s", tt.whenDeleted, tt.whenScaled, got, tt.condemned)
		}
		if w.update(withClaims("Retain", "Retain")); w.owner("data-db-0") != "nobody" {
			t.Errorf("S-14: after the policy changed it belongs to %s", w.owner("data-db-0"))
		}
	}
}

// TestStaleClaim is S-42: a pod is not made as long as its claim is to go with an earlier one of its name.
func TestStaleClaim(t *testing.T) {
	w := newReadyWorld(t, 37, 2, withClaims("Retain", "Delete"))
	w.scale(1)
	w.run() // db-1 is gone; there is no garbage collector that would delete its claims
	w.scale(2)
	if d := w.last(sim.Decision); d.What != "claim data-db-1 belongs to an earlier db-1: the pod waits" || d.Why.Rule != "S-42" || w.Pod("db-1") != nil {
		t.Errorf("the decision is %q, pods are %s", d.What, w.images())
	}
	for _, name := range []string{"data-db-1", "logs-db-1"} {
		w.Delete(cluster.Key(api.KindPersistentVolumeClaim, name))
	}
	w.settle()
	w.update(func(s *api.StatefulSet) { s.SetAnnotation("wake", "up") }) // no claim wakes it (S-41)
	w.run()
	if w.Pod("db-1") == nil || w.owner("data-db-1") != "nobody" {
		t.Errorf("pods are %s", w.images())
	}
}

// TestMissingClaim is S-14 step 3: a Pending pod gets a claim that was deleted; a claim that is being deleted is in the way
// of a new pod.
func TestMissingClaim(t *testing.T) {
	w := newWorld(t, 37, 1, withClaims("Retain", "Retain"))
	w.Delete(cluster.Key(api.KindPersistentVolumeClaim, "data-db-0"))
	w.settle()
	w.update(func(s *api.StatefulSet) { s.SetAnnotation("wake", "up") })
	if w.claim("data-db-0") == nil {
		t.Error("the claim of a Pending pod was not made again")
	}
	for _, event := range w.events(0) {
		if strings.HasPrefix(event, "Warning") {
			t.Errorf("an event, though nothing has failed: %s", event)
		}
	}
	claim := api.Copy(w.claim("data-db-0"))
	claim.Meta().Finalizers = []string{"kubernetes.io/pvc-protection"}
	w.Update(claim)
	w.Delete(claim.Key())
	w.settle()
	w.deletePod("db-0")
	want := "Warning FailedCreate: Create Pod db-0 in StatefulSet db failed error: pvc data-db-0 is being deleted"
	if !slices.Contains(w.events(0), want) || w.Pod("db-0") != nil {
		t.Errorf("no event %q in\n%s", want, strings.Join(w.events(0), "\n"))
	}
}

// TestMissingClaimOwned: a claim that is made again for a Pending pod gets its owner in the next sync, which sees it; nothing is said of it (S-14, S-42).
func TestMissingClaimOwned(t *testing.T) {
	w := newWorld(t, 37, 2, withClaims("Delete", "Retain"))
	from := w.records()
	w.Delete(cluster.Key(api.KindPersistentVolumeClaim, "data-db-0"))
	for _, how := range []string{"up", "again"} {
		w.update(func(s *api.StatefulSet) { s.SetAnnotation("wake", how) })
	}
	if w.claim("data-db-0") == nil || w.owner("data-db-0") != "StatefulSet/db" {
		t.Errorf("the claim is %+v", w.claim("data-db-0"))
	}
	for _, event := range w.events(from) {
		if strings.Contains(event, "Update") {
			t.Errorf("an event: %s", event)
		}
	}
}

// TestOwnersMatch is S-42: which owners of a claim are right; what another owner has is left alone, and so are the claims of an earlier StatefulSet
// or pod with the same name. db-0 is in range, db-1 is not.
func TestOwnersMatch(t *testing.T) {
	ref := func(kind api.Kind, name, uid string, controller bool) api.OwnerReference {
		return api.OwnerReference{Kind: kind, Name: name, UID: uid, Controller: controller}
	}
	set, pod := ref(api.KindStatefulSet, "db", "set", true), ref(api.KindPod, "db-0", "pod", true)
	loose := func(r api.OwnerReference) api.OwnerReference { r.Controller = false; return r }
	stranger := ref(api.KindStatefulSet, "other", "other", true)
	for _, tt := range []struct {
		name                    string
		whenDeleted, whenScaled string
		ordinal                 int
		owners                  []api.OwnerReference
		want                    bool
	}{
		{"nobody, Retain", "Retain", "Retain", 0, nil, true},
		{"nobody, Delete", "Delete", "Retain", 0, nil, false},
		{"the StatefulSet", "Delete", "Retain", 0, []api.OwnerReference{set}, true},
		{"the StatefulSet, no longer", "Retain", "Retain", 0, []api.OwnerReference{set}, false},
		{"the StatefulSet, but not as controller", "Delete", "Retain", 0, []api.OwnerReference{loose(set)}, false},
		{"the pod out of range", "Retain", "Delete", 1, []api.OwnerReference{pod}, true},
		{"the pod out of range, but not as controller", "Retain", "Delete", 1, []api.OwnerReference{loose(pod)}, false},
		{"the pod in range", "Retain", "Delete", 0, []api.OwnerReference{pod}, false},
		{"another controller", "Delete", "Retain", 0, []api.OwnerReference{stranger}, true},
		{"another controller and the StatefulSet", "Delete", "Retain", 0, []api.OwnerReference{stranger, set}, false},
		{"another controller and the pod", "Retain", "Delete", 1, []api.OwnerReference{stranger, pod}, false},
		{"another owner and the StatefulSet", "Delete", "Retain", 0, []api.OwnerReference{loose(stranger), set}, true},
		{"another pod and the pod", "Delete", "Delete", 1, []api.OwnerReference{ref(api.KindPod, "db-7", "x", false), pod}, true},
		{"an earlier StatefulSet", "Delete", "Retain", 0, []api.OwnerReference{ref(api.KindStatefulSet, "db", "old", true)}, true},
		{"an earlier pod", "Delete", "Retain", 0, []api.OwnerReference{ref(api.KindPod, "db-0", "old", true)}, true},
	} {
		s := &api.StatefulSet{ObjectMeta: api.ObjectMeta{Name: "db", UID: "set"}, Spec: api.StatefulSetSpec{Replicas: api.Ptr(int32(1))}}
		withClaims(tt.whenDeleted, tt.whenScaled)(s)
		r := &round{set: s}
		claim := &api.PersistentVolumeClaim{ObjectMeta: api.ObjectMeta{OwnerReferences: tt.owners}}
		if got := r.ownersMatch(claim, &api.Pod{ObjectMeta: api.ObjectMeta{Name: "db-0", UID: "pod"}}, tt.ordinal); got != tt.want {
			t.Errorf("%s: right is %t, want %t", tt.name, got, tt.want)
		}
	}
}

// TestOtherOwnersStay is S-42: a change of the policy touches the references to the StatefulSet and the pod alone.
func TestOtherOwnersStay(t *testing.T) {
	w := newReadyWorld(t, 37, 1, withClaims("Retain", "Retain"))
	claim := api.Copy(w.claim("data-db-0"))
	claim.OwnerReferences = []api.OwnerReference{{Kind: api.KindStatefulSet, Name: "other", UID: "s"}, {Kind: api.KindPod, Name: "other", UID: "p"}}
	w.Update(claim)
	w.update(withClaims("Delete", "Retain"))
	refs := w.claim("data-db-0").OwnerReferences
	if len(refs) != 3 || refs[0].UID != "s" || refs[1].UID != "p" || refs[2].UID != w.set().UID {
		t.Errorf("owners are %+v", refs)
	}
}

// TestMissingClaimsInParallel is S-14 step 3: the claims of all Pending pods are made again, with their owners, and the pods that are still
// missing are made, too.
func TestMissingClaimsInParallel(t *testing.T) {
	w := newWorld(t, 37, 2, both(parallel, withClaims("Delete", "Retain")))
	for _, name := range []string{"data-db-0", "data-db-1"} {
		w.Delete(cluster.Key(api.KindPersistentVolumeClaim, name))
	}
	w.scale(3)
	for _, name := range []string{"data-db-0", "data-db-1", "data-db-2"} {
		if w.claim(name) == nil || w.owner(name) != "StatefulSet/db" {
			t.Errorf("%s is %+v", name, w.claim(name))
		}
	}
}

// TestNewPodWithChangedClaims is S-14 and S-42: in parallel, the sync that creates a pod gives its claim the owner that the
// policy now requires, then reads the old claim from the cache and gets a conflict; the next sync changes nothing.
func TestNewPodWithChangedClaims(t *testing.T) {
	w := newReadyWorld(t, 37, 1, both(parallel, withClaims("Retain", "Retain")))
	w.scale(0)
	w.run()
	from := w.records()
	w.update(both(withClaims("Delete", "Retain"), func(s *api.StatefulSet) { s.Spec.Replicas = api.Ptr(int32(1)) }))
	failed := 0
	for _, event := range w.events(from) {
		if strings.HasPrefix(event, "Warning FailedUpdate: Update Pod db-0 in StatefulSet db failed error: could not update claim data-db-0 for delete policy ownerRefs: ") {
			failed++
		}
	}
	if failed != repairAttempts {
		t.Errorf("%d attempts failed, want %d: %v", failed, repairAttempts, w.events(from))
	}
	if w.run(); w.owner("data-db-0") != "StatefulSet/db" || w.owner("logs-db-0") != "StatefulSet/db" || w.set().Status.ReadyReplicas != 1 {
		t.Errorf("the claims belong to %s and %s: %+v", w.owner("data-db-0"), w.owner("logs-db-0"), w.set().Status)
	}
}
