package deployment

import (
	"errors"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestFoundNewReplicaSet is D-41 step 1: the new ReplicaSet gets the Deployment's annotations, except six, and its minReadySeconds; if
// they are up to date, the Deployment gets the revision and a condition.
func TestFoundNewReplicaSet(t *testing.T) {
	w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
	w.addReplicaSet("image-new", size{3, 3})
	w.change(0, func(rs *api.ReplicaSet) { rs.SetAnnotation("mine", "stays") })
	for _, name := range []string{"a", api.LastAppliedAnnotation, api.RevisionHistoryAnnotation, api.DesiredReplicasAnnotation, api.MaxReplicasAnnotation} {
		w.d.SetAnnotation(name, "copied?")
	}
	w.d.Spec.MinReadySeconds = 7
	w.put()
	if _, _, err := w.c.getAllReplicaSetsAndSyncRevision(api.Shallow(w.d), w.claimed(), false); err != nil {
		t.Fatal(err)
	}
	rs := w.setAt(0)
	if rs.Annotations["a"] != "copied?" || rs.Annotations["mine"] != "stays" || rs.Spec.MinReadySeconds != 7 {
		t.Errorf("annotations are %v, minReadySeconds is %d", rs.Annotations, rs.Spec.MinReadySeconds)
	}
	for name, value := range rs.Annotations {
		if value == "copied?" && name != "a" {
			t.Errorf("%s must not be copied", name)
		}
	}
	if c := api.FindCondition(w.stored().Status.Conditions, progressing); c != nil {
		t.Errorf("a sync that has written the ReplicaSet must write nothing else: %+v", c)
	}
	w.c.replicaSets.Cache.Put(rs)
	if _, _, err := w.c.getAllReplicaSetsAndSyncRevision(api.Shallow(w.d), w.claimed(), false); err != nil {
		t.Fatal(err)
	}
	c := api.FindCondition(w.stored().Status.Conditions, progressing)
	if c == nil || c.Status != "True" || c.Reason != reasonFoundNewReplicaSet || c.Message != `Found new replica set "`+rs.Name+`"` {
		t.Errorf("the condition is %+v", c)
	}
	if got := w.stored().Annotations[api.RevisionAnnotation]; got != "1" {
		t.Errorf("the Deployment's revision is %q, want 1", got)
	}
}

// TestOldestIsNew is D-32: of two ReplicaSets with the present template the oldest is the new one.
func TestOldestIsNew(t *testing.T) {
	w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
	w.addReplicaSet("image-other", size{})
	w.addReplicaSet("image-new", size{})
	twin := api.Copy(w.setAt(1))
	twin.Name, twin.UID, twin.CreationTimestamp = "a-twin", "twin", twin.CreationTimestamp+5
	w.c.replicaSets.Cache.Put(twin)
	sets := w.claimed()
	if got := findNewReplicaSet(w.d, sets); got == nil || got.Name != w.setAt(1).Name {
		t.Errorf("the new one is %v", got)
	}
	if got := findOldReplicaSets(sets, w.setAt(1)); len(got) != 2 || got[1].Name != "a-twin" {
		t.Errorf("the old ones are %d, the twin among them", len(got))
	}
}

// TestCreatedReplicaSet is D-41 step 3: what a new ReplicaSet looks like, and what is said of it.
func TestCreatedReplicaSet(t *testing.T) {
	w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
	w.d.Spec.MinReadySeconds = 4
	w.d.SetAnnotation("a", "b")
	w.put()
	w.sync()
	rs := w.setAt(0)
	hash := w.d.Spec.Template.Hash(nil)
	if rs.Name != "web-"+hash || rs.Labels["app"] != "web" {
		t.Errorf("it is named %s and labelled %v", rs.Name, rs.Labels)
	}
	for what, labels := range map[string]map[string]string{"labels": rs.Labels, "selector": rs.Spec.Selector.MatchLabels, "template": rs.Spec.Template.Labels} {
		if labels[api.PodTemplateHashLabel] != hash {
			t.Errorf("%s have no hash: %v", what, labels)
		}
	}
	if ref := rs.ControllerOf(); ref == nil || ref.UID != w.d.UID || !ref.BlockOwnerDeletion || rs.Spec.MinReadySeconds != 4 || *rs.Spec.Replicas != 3 || rs.Annotations["a"] != "b" {
		t.Errorf("got %+v", rs)
	}
	if got, want := w.events(), "Normal ScalingReplicaSet: Scaled up replica set "+rs.Name+" from 0 to 3"; len(got) != 1 || got[0] != want {
		t.Errorf("events %q, want %q", got, want)
	}
	c := api.FindCondition(w.stored().Status.Conditions, progressing)
	if c == nil || c.Status != "True" || c.Reason != reasonNewReplicaSetCreated || c.Message != `Created new replica set "`+rs.Name+`"` {
		t.Errorf("the condition is %+v", c)
	}
	if got := replicaSetName(strings.Repeat("x", 253), "5bbdfb5879"); len(got) != 253 || !strings.HasSuffix(got, "x-5bbdfb5879") {
		t.Errorf("a long name is cut to %d characters: %s", len(got), got)
	}
}

// TestCollision is D-41: the name is taken by the Deployment's own ReplicaSet, which is used, or by another's, after which
// the next sync takes another hash.
func TestCollision(t *testing.T) {
	w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
	w.addReplicaSet("image-new", size{3, 3})
	rs, _, err := w.c.getAllReplicaSetsAndSyncRevision(api.Shallow(w.d), nil, true) // the list does not have it yet
	if err != nil || rs == nil || rs.Name != w.sets[0] || len(w.events()) != 0 {
		t.Errorf("its own: %v, %v, events %q", rs, err, w.events())
	}
	w = newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
	w.addReplicaSet("image-new", size{3, 3})
	w.change(0, func(rs *api.ReplicaSet) { rs.OwnerReferences[0].UID = "another" })
	if _, _, err := w.c.getAllReplicaSetsAndSyncRevision(api.Shallow(w.d), nil, true); !api.IsReason(err, api.ReasonAlreadyExists) {
		t.Errorf("another's: %v", err)
	}
	if n := w.stored().Status.CollisionCount; n == nil || *n != 1 || w.d.Spec.Template.Hash(n) == w.d.Spec.Template.Hash(nil) {
		t.Errorf("collisionCount is %v, and the hash must be another one", n)
	}
}

// TestCreateError is D-41: a failed creation leads to a condition and an event, and the sync fails with its error.
func TestCreateError(t *testing.T) {
	w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
	cause := errors.New("no room")
	if err := w.c.reportCreateError(api.Shallow(w.d), "web-1", cause); err != cause {
		t.Errorf("the error is %v", err)
	}
	const message = `Failed to create new replica set "web-1": no room`
	c := api.FindCondition(w.stored().Status.Conditions, progressing)
	if c == nil || c.Status != "False" || c.Reason != reasonReplicaSetCreateError || c.Message != message {
		t.Errorf("the condition is %+v", c)
	}
	if got := w.events(); len(got) != 1 || got[0] != "Warning ReplicaSetCreateError: "+message {
		t.Errorf("events %q", got)
	}
}

// TestUnlimited is D-4 and D-5: the largest number keeps every old ReplicaSet, and means no deadline and no condition.
func TestUnlimited(t *testing.T) {
	w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
	w.d.Spec.RevisionHistoryLimit, w.d.Spec.ProgressDeadlineSeconds = api.Ptr[int32](unlimited), api.Ptr[int32](unlimited)
	w.put()
	for _, image := range []string{"image-1", "image-2", "image-3"} {
		w.addReplicaSet(image, size{})
	}
	if err := w.c.cleanupDeployment(w.d, w.claimed()); err != nil || len(w.names()) != 3 {
		t.Errorf("%d are left, %v", len(w.names()), err)
	}
	w.sync()
	if c := api.FindCondition(w.stored().Status.Conditions, progressing); c != nil {
		t.Errorf("there is a condition %+v", c)
	}
}

// TestFinishedPodsDoNotRun is D-59: finished pods of an old ReplicaSet hold nothing up, terminating ones do, and so does an
// old status.
func TestFinishedPodsDoNotRun(t *testing.T) {
	for _, tt := range []struct {
		name        string
		phase       string
		terminating bool
		status      int32
		image       string
		want        bool
	}{
		{"running", api.PodRunning, false, 0, "image-old", true},
		{"terminating", api.PodRunning, true, 0, "image-old", true},
		{"failed", api.PodFailed, false, 0, "image-old", false},
		{"succeeded", api.PodSucceeded, false, 0, "image-old", false},
		{"failed, but the status counts it", api.PodFailed, false, 1, "image-old", true},
		{"of the new ReplicaSet", api.PodRunning, false, 0, "image-new", false},
	} {
		w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
		w.addReplicaSet(tt.image, size{})
		w.change(0, func(rs *api.ReplicaSet) { rs.Status.Replicas = tt.status })
		pod := &api.Pod{ObjectMeta: api.ObjectMeta{Name: "p", Namespace: "default", OwnerReferences: []api.OwnerReference{
			{Kind: api.KindReplicaSet, Name: w.sets[0], UID: w.setAt(0).UID, Controller: true}}}, Status: api.PodStatus{Phase: tt.phase}}
		if tt.terminating {
			pod.DeletionTimestamp = api.TimeAt(0)
		}
		w.c.pods.Cache.Put(pod)
		sets := w.claimed()
		newRS := findNewReplicaSet(w.d, sets)
		if got := w.c.oldPodsRunning(w.d, newRS, findOldReplicaSets(sets, newRS), sets); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}

// TestWakeUps is D-90: which changes of a ReplicaSet wake the Deployment web.
func TestWakeUps(t *testing.T) {
	w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
	ref := []api.OwnerReference{{Kind: api.KindDeployment, Name: "web", UID: w.d.UID, Controller: true}}
	stranger := []api.OwnerReference{{Kind: api.KindDeployment, Name: "web", UID: "another", Controller: true}}
	rs := func(owner []api.OwnerReference, label string) *api.ReplicaSet {
		return &api.ReplicaSet{ObjectMeta: api.ObjectMeta{Name: "rs", Namespace: "default", OwnerReferences: owner, Labels: map[string]string{"app": label}}}
	}
	for _, tt := range []struct {
		name     string
		old, new *api.ReplicaSet
		want     bool
	}{
		{"mine is added", nil, rs(ref, "web"), true},
		{"mine changes", rs(ref, "web"), rs(ref, "web"), true},
		{"mine is gone", rs(ref, "web"), nil, true},
		{"mine is released", rs(ref, "db"), rs(nil, "db"), true},
		{"one of my predecessor", nil, rs(stranger, "web"), false},
		{"an orphan that I select", nil, rs(nil, "web"), true},
		{"an orphan that I do not select", nil, rs(nil, "db"), false},
		{"an orphan gets my labels", rs(nil, "db"), rs(nil, "web"), true},
		{"an orphan is gone", rs(nil, "web"), nil, false},
	} {
		for w.Kernel.Step() { // until nothing is queued
		}
		c := &sim.Change{Type: sim.Modified}
		switch {
		case tt.old == nil:
			c.Type, c.New = sim.Added, tt.new
		case tt.new == nil:
			c.Type, c.Old = sim.Deleted, tt.old
		default:
			c.Old, c.New = tt.old, tt.new
		}
		w.c.OnChange(c)
		if _, got := w.Kernel.Next(); got != tt.want {
			t.Errorf("%s: woken is %t, want %t", tt.name, got, tt.want)
		}
	}
	for w.Kernel.Step() {
	}
	if w.c.OnChange(&sim.Change{Type: sim.Deleted, Old: w.d}); w.Kernel.Pending() == 0 {
		t.Error("the Deployment itself must wake its key")
	}
	if w.c.loop.MaxRetries != 15 {
		t.Errorf("it gives up after %d retries, want 15 (H-6)", w.c.loop.MaxRetries)
	}
}
