package garbage_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/garbage"
	"github.com/rollplay/rollplay/engine/sim"
)

// world is a Deployment with two ReplicaSets of two pods each, and no controllers; the pods have no node, so that they
// are removed at once.
type world struct {
	kernel *sim.Kernel
	server *apiserver.Server
	user   *apiserver.Client
}

var (
	deployment = api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}
	oldRS      = api.Key{Kind: api.KindReplicaSet, Namespace: "default", Name: "web-1"}
)

func newWorld(t *testing.T) *world {
	w := &world{kernel: &sim.Kernel{}}
	w.server = apiserver.New(w.kernel, 1)
	w.user = w.server.Client("kubectl")
	garbage.New(w.server)
	d := w.create(t, &api.Deployment{ObjectMeta: api.ObjectMeta{Name: "web", Namespace: "default"}})
	for _, name := range []string{"web-1", "web-2"} {
		rs := w.create(t, &api.ReplicaSet{ObjectMeta: owned(name, d)})
		for _, suffix := range []string{"a", "b"} {
			w.create(t, &api.Pod{ObjectMeta: owned(name+"-"+suffix, rs), Spec: &api.PodSpec{TerminationGracePeriodSeconds: 30}})
		}
	}
	w.run()
	return w
}

func owned(name string, owner api.Object) api.ObjectMeta {
	return api.ObjectMeta{Name: name, Namespace: "default", OwnerReferences: []api.OwnerReference{
		{Kind: owner.Key().Kind, Name: owner.Key().Name, UID: owner.Meta().UID, Controller: true, BlockOwnerDeletion: true}}}
}

func (w *world) create(t *testing.T, o api.Object) api.Object {
	t.Helper()
	o, err := w.user.Create(o, "created", nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (w *world) run() {
	for w.kernel.Step() {
	}
}

func (w *world) delete(t *testing.T, key api.Key, how apiserver.Propagation) {
	t.Helper()
	if err := w.user.Delete(key, apiserver.DeleteOptions{Propagation: how}, "deleted", nil); err != nil {
		t.Fatal(err)
	}
	w.run()
}

// removed lists what was removed, in order, with the time.
func (w *world) removed() (list []string) {
	for _, c := range w.server.Store.Log {
		if c.Type == sim.Deleted {
			list = append(list, fmt.Sprintf("%d %s", c.At, c.Old.Key().Name))
		}
	}
	return list
}

// TestBackground: "owner vanishes at once, then its RSs are deleted, then their pods".
func TestBackground(t *testing.T) {
	w := newWorld(t)
	w.delete(t, deployment, apiserver.Background)
	want := []string{"1 web", "2 web-1", "2 web-2", "3 web-1-a", "3 web-1-b", "3 web-2-a", "3 web-2-b"}
	if got := w.removed(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestForeground: "owner gets deletionTimestamp + finalizer foregroundDeletion, dependents go first".
func TestForeground(t *testing.T) {
	w := newWorld(t)
	w.delete(t, deployment, apiserver.Foreground)
	want := []string{"3 web-1-a", "3 web-1-b", "3 web-2-a", "3 web-2-b", "4 web-1", "4 web-2", "5 web"}
	if got := w.removed(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestForegroundOfNothing: an owner without dependents goes after a moment.
func TestForegroundOfNothing(t *testing.T) {
	w := newWorld(t)
	w.create(t, &api.Deployment{ObjectMeta: api.ObjectMeta{Name: "bare", Namespace: "default"}})
	w.delete(t, api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "bare"}, apiserver.Foreground)
	if got, want := w.removed(), []string{"2 bare"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestForegroundWaits: the owner waits for pods that terminate.
func TestForegroundWaits(t *testing.T) {
	w := newWorld(t)
	key := api.Key{Kind: api.KindPod, Namespace: "default", Name: "web-1-a"}
	if err := w.user.Bind(key, "node-1", "bound", nil); err != nil {
		t.Fatal(err)
	}
	w.delete(t, deployment, apiserver.Foreground)
	if w.server.Store.Get(deployment) == nil || w.server.Store.Get(oldRS) == nil {
		t.Fatal("an owner is gone before its pod")
	}
	if err := w.user.Delete(key, apiserver.DeleteOptions{GracePeriodSeconds: api.Ptr[int64](0)}, "stopped", nil); err != nil {
		t.Fatal(err)
	}
	w.run()
	if w.server.Store.Get(deployment) != nil || w.server.Store.Get(oldRS) != nil {
		t.Error("an owner does not go although its pod is gone")
	}
}

// TestOrphan: "ownerReferences are removed, dependents stay".
func TestOrphan(t *testing.T) {
	w := newWorld(t)
	w.delete(t, deployment, apiserver.Orphan)
	if got, want := w.removed(), []string{"2 web"}; !slices.Equal(got, want) {
		t.Errorf("removed %v, want %v", got, want)
	}
	if refs := w.server.Store.Get(oldRS).Meta().OwnerReferences; len(refs) != 0 {
		t.Errorf("the ReplicaSet still has %v", refs)
	}
	if pods := slices.Collect(w.server.Store.Table(api.KindPod).OwnedBy(w.server.Store.Get(oldRS).Meta().UID)); len(pods) != 2 {
		t.Errorf("its pods are %v", pods)
	}
}

// TestLateDependent: what a controller makes for an owner that is gone by then is deleted, too.
func TestLateDependent(t *testing.T) {
	w := newWorld(t)
	rs := w.server.Store.Get(oldRS)
	w.delete(t, deployment, apiserver.Background)
	w.create(t, &api.Pod{ObjectMeta: owned("late", rs), Spec: &api.PodSpec{}})
	w.run()
	if got := w.server.Store.Table(api.KindPod).Len(); got != 0 {
		t.Errorf("%d pods are left", got)
	}
}

// TestSets: the pods and revisions of StatefulSets and DaemonSets go with them, claims only if they have an owner (S-42).
func TestSets(t *testing.T) {
	for _, kind := range []api.Kind{api.KindStatefulSet, api.KindDaemonSet} {
		for _, how := range []apiserver.Propagation{apiserver.Background, apiserver.Foreground, apiserver.Orphan} {
			w := newWorld(t)
			var set api.Object = &api.StatefulSet{ObjectMeta: api.ObjectMeta{Name: "db", Namespace: "default"}}
			if kind == api.KindDaemonSet {
				set = &api.DaemonSet{ObjectMeta: api.ObjectMeta{Name: "db", Namespace: "default"}}
			}
			set = w.create(t, set)
			all := []api.Object{
				w.create(t, &api.Pod{ObjectMeta: owned("db-0", set), Spec: &api.PodSpec{}}),
				w.create(t, &api.ControllerRevision{ObjectMeta: owned("db-1", set)}),
				w.create(t, &api.PersistentVolumeClaim{ObjectMeta: owned("gone-db-0", set)}),
			}
			kept := w.create(t, &api.PersistentVolumeClaim{ObjectMeta: api.ObjectMeta{Name: "kept-db-0", Namespace: "default"}})
			w.run()
			w.delete(t, set.Key(), how)
			for _, o := range append(all, kept) {
				left := w.server.Store.Get(o.Key())
				want := how == apiserver.Orphan || o == kept
				if (left != nil) != want || left != nil && len(left.Meta().OwnerReferences) > 0 {
					t.Errorf("%s, propagation %d: of %s is left %v", kind, how, o.Key(), left)
				}
			}
			if w.server.Store.Get(set.Key()) != nil {
				t.Errorf("%s, propagation %d: it is still there", kind, how)
			}
		}
	}
}

// TestClaimOfPod is S-42: a claim that belongs to a pod goes with it; it gets its owner later than it is made.
func TestClaimOfPod(t *testing.T) {
	w := newWorld(t)
	pod := w.server.Store.Get(api.Key{Kind: api.KindPod, Namespace: "default", Name: "web-1-a"})
	adopt := func(name string, owner api.Object) api.Object {
		c := w.create(t, &api.PersistentVolumeClaim{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default"}}).Copy()
		c.Meta().OwnerReferences = owned("", owner).OwnerReferences
		o, err := w.user.Update(c, "owned", nil)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	claim := adopt("data-web-0", pod)
	shared := adopt("data-web-1", pod).Copy()
	d := w.server.Store.Get(deployment)
	shared.Meta().OwnerReferences = append(shared.Meta().OwnerReferences, owned("", d).OwnerReferences[0])
	shared.Meta().OwnerReferences[1].Controller = false
	if _, err := w.user.Update(shared, "owned by two", nil); err != nil {
		t.Fatal(err)
	}
	w.delete(t, pod.Key(), apiserver.Background)
	if w.server.Store.Get(claim.Key()) != nil {
		t.Error("the claim must go with its pod")
	}
	left := w.server.Store.Get(shared.Key())
	if left == nil || len(left.Meta().OwnerReferences) != 1 || left.Meta().OwnerReferences[0].UID != d.Meta().UID {
		t.Errorf("the claim of two must stay with the other one: %+v", left)
	}
	late := adopt("late", pod) // which is gone
	w.run()
	if w.server.Store.Get(late.Key()) != nil {
		t.Error("a claim whose only owner is gone must go")
	}
}
