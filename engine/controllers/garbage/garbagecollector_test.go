package garbage_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/garbage"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// world is a Deployment with two ReplicaSets of two pods each, and no controllers; the pods have no node, so that they
// are removed at once.
type world struct{ *cluster.Cluster }

var (
	deployment = cluster.Key(api.KindDeployment, "web")
	oldRS      = cluster.Key(api.KindReplicaSet, "web-1")
)

func newWorld(t *testing.T) *world {
	w := &world{cluster.New(t)}
	garbage.New(w.Server)
	d := w.Create(&api.Deployment{ObjectMeta: api.ObjectMeta{Name: "web", Namespace: "default"}})
	for _, name := range []string{"web-1", "web-2"} {
		rs := w.Create(&api.ReplicaSet{ObjectMeta: owned(name, d)})
		for _, suffix := range []string{"a", "b"} {
			w.Create(&api.Pod{ObjectMeta: owned(name+"-"+suffix, rs), Spec: &api.PodSpec{TerminationGracePeriodSeconds: 30}})
		}
	}
	w.Finish()
	return w
}

func owned(name string, owner api.Object) api.ObjectMeta {
	return api.ObjectMeta{Name: name, Namespace: "default", OwnerReferences: []api.OwnerReference{
		{Kind: owner.Key().Kind, Name: owner.Key().Name, UID: owner.Meta().UID, Controller: true, BlockOwnerDeletion: true}}}
}

// delete deletes an object, and lets everything that follows from it happen.
func (w *world) delete(key api.Key, how apiserver.Propagation) {
	w.T.Helper()
	w.Must(w.User.Delete(key, apiserver.DeleteOptions{Propagation: how}, "deleted", nil))
	w.Finish()
}

// removed lists what was removed, in order, with the time.
func (w *world) removed() (list []string) {
	for _, c := range w.Server.Store.Log {
		if c.Type == sim.Deleted {
			list = append(list, fmt.Sprintf("%d %s", c.At, c.Old.Key().Name))
		}
	}
	return list
}

// says checks the explanation of why an owner waits no more.
func (w *world) says(owner api.Key, note string) {
	w.T.Helper()
	for _, r := range w.Records(func(r *sim.Record) bool { return r.Object == owner && r.What == "no longer waits for its dependents" }) {
		if r.Why.Note != note {
			w.T.Errorf("explained by %q, want %q", r.Why.Note, note)
		}
	}
}

// TestBackground: "owner vanishes at once, then its RSs are deleted, then their pods".
func TestBackground(t *testing.T) {
	w := newWorld(t)
	w.delete(deployment, apiserver.Background)
	want := []string{"1 web", "2 web-1", "2 web-2", "3 web-1-a", "3 web-1-b", "3 web-2-a", "3 web-2-b"}
	if got := w.removed(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestForeground: "owner gets deletionTimestamp + finalizer foregroundDeletion, dependents go first".
func TestForeground(t *testing.T) {
	w := newWorld(t)
	w.delete(deployment, apiserver.Foreground)
	w.says(deployment, "the owner waits until its dependents are gone")
	want := []string{"3 web-1-a", "3 web-1-b", "3 web-2-a", "3 web-2-b", "4 web-1", "4 web-2", "5 web"}
	if got := w.removed(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestForegroundOfNothing: an owner without dependents is removed after 1 ms.
func TestForegroundOfNothing(t *testing.T) {
	w := newWorld(t)
	w.Create(&api.Deployment{ObjectMeta: api.ObjectMeta{Name: "bare", Namespace: "default"}})
	w.delete(cluster.Key(api.KindDeployment, "bare"), apiserver.Foreground)
	if got, want := w.removed(), []string{"2 bare"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestForegroundWaits: the owner waits for terminating pods.
func TestForegroundWaits(t *testing.T) {
	w := newWorld(t)
	key := cluster.Key(api.KindPod, "web-1-a")
	w.Must(w.User.Bind(key, "node-1", "bound", nil))
	w.delete(deployment, apiserver.Foreground)
	if w.Server.Store.Get(deployment) == nil || w.Server.Store.Get(oldRS) == nil {
		t.Fatal("an owner is gone before its pod")
	}
	w.End(key)
	w.Finish()
	if w.Server.Store.Get(deployment) != nil || w.Server.Store.Get(oldRS) != nil {
		t.Error("an owner does not go although its pod is gone")
	}
}

// TestOrphan: "ownerReferences are removed, dependents stay".
func TestOrphan(t *testing.T) {
	w := newWorld(t)
	w.delete(deployment, apiserver.Orphan)
	if got, want := w.removed(), []string{"2 web"}; !slices.Equal(got, want) {
		t.Errorf("removed %v, want %v", got, want)
	}
	if refs := w.Server.Store.Get(oldRS).Meta().OwnerReferences; len(refs) != 0 {
		t.Errorf("the ReplicaSet still has %v", refs)
	}
	w.says(deployment, "the dependents stay")
	if pods := slices.Collect(w.Server.Store.Table(api.KindPod).OwnedBy(w.Server.Store.Get(oldRS).Meta().UID)); len(pods) != 2 {
		t.Errorf("its pods are %v", pods)
	}
}

// TestSecondDeletion: an owner that waits for a pod is deleted again, in another way: the last one counts.
func TestSecondDeletion(t *testing.T) {
	for _, tt := range []struct {
		first, second apiserver.Propagation
		removed       []string // before the pod ends
	}{
		{apiserver.Foreground, apiserver.Foreground, nil},
		{apiserver.Foreground, apiserver.Unspecified, nil},
		{apiserver.Foreground, apiserver.Background, []string{"web"}},
		{apiserver.Foreground, apiserver.Orphan, []string{"web"}},
	} {
		w := newWorld(t)
		pod := cluster.Key(api.KindPod, "web-1-a")
		w.Must(w.User.Bind(pod, "node-1", "bound", nil))
		w.delete(deployment, tt.first)
		generation, before := w.Server.Store.Get(deployment).Meta().Generation, len(w.removed())
		w.delete(deployment, tt.second)
		var removed []string
		for _, entry := range w.removed()[before:] {
			_, name, _ := strings.Cut(entry, " ")
			removed = append(removed, name)
		}
		if !slices.Equal(removed, tt.removed) {
			t.Errorf("%q after %q removes %v, want %v", tt.second, tt.first, removed, tt.removed)
		}
		if o := w.Server.Store.Get(deployment); o != nil && o.Meta().Generation != generation {
			t.Errorf("%q after %q: generation %d, want %d", tt.second, tt.first, o.Meta().Generation, generation)
		}
		orphaned := len(w.Server.Store.Get(oldRS).Meta().OwnerReferences) == 0
		if want := tt.second == apiserver.Orphan; orphaned != want {
			t.Errorf("%q after %q: the ReplicaSet is orphaned: %t", tt.second, tt.first, orphaned)
		}
	}
}

// TestLateDependent: a dependent that a controller creates for a removed owner is deleted, too.
func TestLateDependent(t *testing.T) {
	w := newWorld(t)
	rs := w.Server.Store.Get(oldRS)
	w.delete(deployment, apiserver.Background)
	w.Create(&api.Pod{ObjectMeta: owned("late", rs), Spec: &api.PodSpec{}})
	w.Finish()
	if got := w.Server.Store.Table(api.KindPod).Len(); got != 0 {
		t.Errorf("%d pods are left", got)
	}
}

// TestSets: the pods and revisions of StatefulSets and DaemonSets are deleted with them, claims only if they have an owner (S-42).
func TestSets(t *testing.T) {
	for _, kind := range []api.Kind{api.KindStatefulSet, api.KindDaemonSet} {
		for _, how := range []apiserver.Propagation{apiserver.Background, apiserver.Foreground, apiserver.Orphan} {
			w := newWorld(t)
			var set api.Object = &api.StatefulSet{ObjectMeta: api.ObjectMeta{Name: "db", Namespace: "default"}}
			if kind == api.KindDaemonSet {
				set = &api.DaemonSet{ObjectMeta: api.ObjectMeta{Name: "db", Namespace: "default"}}
			}
			set = w.Create(set)
			all := []api.Object{
				w.Create(&api.Pod{ObjectMeta: owned("db-0", set), Spec: &api.PodSpec{}}),
				w.Create(&api.ControllerRevision{ObjectMeta: owned("db-1", set)}),
				w.Create(&api.PersistentVolumeClaim{ObjectMeta: owned("gone-db-0", set)}),
			}
			kept := w.Create(&api.PersistentVolumeClaim{ObjectMeta: api.ObjectMeta{Name: "kept-db-0", Namespace: "default"}})
			w.Finish()
			w.delete(set.Key(), how)
			for _, o := range append(all, kept) {
				left := w.Server.Store.Get(o.Key())
				want := how == apiserver.Orphan || o == kept
				if (left != nil) != want || left != nil && len(left.Meta().OwnerReferences) > 0 {
					t.Errorf("%s, propagation %q: of %s is left %v", kind, how, o.Key(), left)
				}
			}
			if w.Server.Store.Get(set.Key()) != nil {
				t.Errorf("%s, propagation %q: it is still there", kind, how)
			}
		}
	}
}

// TestClaimOfPod is S-42: a claim that belongs to a pod is deleted with it; it gets its owner after its creation.
func TestClaimOfPod(t *testing.T) {
	w := newWorld(t)
	pod := w.Pod("web-1-a")
	adopt := func(name string, owner api.Object) api.Object {
		c := api.Copy(w.Create(&api.PersistentVolumeClaim{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default"}}))
		w.Finish()
		c.Meta().OwnerReferences = owned("", owner).OwnerReferences
		return w.Update(c)
	}
	claim := adopt("data-web-0", pod)
	shared := api.Copy(adopt("data-web-1", pod))
	d := w.Server.Store.Get(deployment)
	shared.Meta().OwnerReferences = append(shared.Meta().OwnerReferences, owned("", d).OwnerReferences[0])
	shared.Meta().OwnerReferences[1].Controller = false
	w.Update(shared)
	w.delete(pod.Key(), apiserver.Background)
	if w.Server.Store.Get(claim.Key()) != nil {
		t.Error("the claim must go with its pod")
	}
	left := w.Server.Store.Get(shared.Key())
	if left == nil || len(left.Meta().OwnerReferences) != 1 || left.Meta().OwnerReferences[0].UID != d.Meta().UID {
		t.Errorf("the claim of two must stay with the other one: %+v", left)
	}
	late := adopt("late", pod) // which is gone
	w.Finish()
	if w.Server.Store.Get(late.Key()) != nil {
		t.Error("a claim whose only owner is gone must go")
	}
}

// TestSlicesOfService: the EndpointSlices of a Service go with it.
func TestSlicesOfService(t *testing.T) {
	w := newWorld(t)
	service := w.Create(&api.Service{ObjectMeta: api.ObjectMeta{Name: "web", Namespace: "default"}})
	w.Create(&api.EndpointSlice{ObjectMeta: owned("web-x", service)})
	w.Finish()
	w.delete(service.Key(), apiserver.Background)
	if n := w.Server.Store.Table(api.KindEndpointSlice).Len(); n != 0 {
		t.Errorf("%d EndpointSlices are left", n)
	}
}
