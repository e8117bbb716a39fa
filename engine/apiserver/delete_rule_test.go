package apiserver_test

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
)

// TestGracePeriod is A-8: the grace period of a pod with 30 s; 0 means that it is removed at once.
func TestGracePeriod(t *testing.T) {
	seconds := api.Ptr[int64]
	tests := []struct {
		name  string
		grace *int64 // of the call
		node  string
		phase string
		want  int64
	}{
		{"its own", nil, "node-1", api.PodRunning, 30},
		{"that of the call", seconds(5), "node-1", api.PodRunning, 5},
		{"longer than its own", seconds(90), "node-1", api.PodRunning, 90},
		{"at once", seconds(0), "node-1", api.PodRunning, 0},
		{"negative", seconds(-7), "node-1", api.PodRunning, 1},
		{"on no node", nil, "", api.PodPending, 0},
		{"on no node, whatever the call says", seconds(90), "", api.PodPending, 0},
		{"pending on a node", nil, "node-1", api.PodPending, 30},
		{"succeeded", nil, "node-1", api.PodSucceeded, 0},
		{"failed", seconds(5), "node-1", api.PodFailed, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newRuleWorld(t)
			w.Until(1_700)
			pod := &api.Pod{ObjectMeta: api.ObjectMeta{Name: "p", Namespace: "default"}, NodeName: tt.node, Spec: &api.PodSpec{TerminationGracePeriodSeconds: 30}}
			w.Create(pod)
			pod = api.Copy(pod)
			pod.Status.Phase = tt.phase
			w.UpdateStatus(pod)
			w.Must(w.User.Delete(pod.Key(), apiserver.DeleteOptions{GracePeriodSeconds: tt.grace}, "deleted", nil))
			left := w.Pod("p")
			switch {
			case tt.want == 0 && left != nil:
				t.Errorf("it is still there: %+v", left.ObjectMeta)
			case tt.want > 0 && left == nil:
				t.Errorf("it is gone, want %d s", tt.want)
			case tt.want > 0 && (left.DeletionGracePeriodSeconds != tt.want || left.DeletionTimestamp != api.TimeAt(1_700+1000*tt.want)):
				t.Errorf("%d s until %d ms, want %d s from now", left.DeletionGracePeriodSeconds, left.DeletionTimestamp.Milli(), tt.want)
			}
		})
	}
}

// TestFinalizersOfDeletion: without a choice an object's own finalizers decide; a choice replaces them.
func TestFinalizersOfDeletion(t *testing.T) {
	for how, want := range map[apiserver.Propagation]string{apiserver.Unspecified: "[orphan other]", apiserver.Background: "[other]",
		apiserver.Foreground: "[other foregroundDeletion]", apiserver.Orphan: "[other orphan]"} {
		w := newRuleWorld(t)
		d := &api.Deployment{ObjectMeta: cluster.Meta("doomed")}
		d.Finalizers = []string{apiserver.FinalizerOrphan, "other"}
		w.Create(d)
		w.Must(w.User.Delete(d.Key(), apiserver.DeleteOptions{Propagation: how}, "deleted", nil))
		left := w.Server.Store.Get(d.Key()).Meta()
		if left.Generation != 2 {
			t.Errorf("propagation %q: generation %d, want 2", how, left.Generation)
		}
		if got := fmt.Sprint(left.Finalizers); got != want {
			t.Errorf("propagation %q: finalizers %s, want %s", how, got, want)
		}
	}
}

// TestSecondDeletion: the grace period of a terminating pod can only get shorter.
func TestSecondDeletion(t *testing.T) {
	grace := api.Ptr[int64]
	for _, tt := range []struct {
		name          string
		first, second *int64
		at            int64  // when the second one comes
		phase         string // of the pod by then
		until, left   int64
	}{
		{"without a period nothing changes", grace(60), nil, 10_000, api.PodRunning, 60_000, 60},
		{"a longer one changes nothing", grace(60), grace(90), 10_000, api.PodRunning, 60_000, 60},
		{"a shorter one counts from the first deletion", grace(60), grace(20), 10_000, api.PodRunning, 20_000, 20},
		{"one that is over by now leaves a second", grace(60), grace(5), 10_000, api.PodRunning, 10_000, 1},
		{"so does one that has been over for some ms", grace(60), grace(10), 10_300, api.PodRunning, 10_000, 1},
		{"one that ends now does not", grace(60), grace(10), 10_000, api.PodRunning, 10_000, 10},
		{"a negative one is a second", grace(60), grace(-7), 400, api.PodRunning, 1_000, 1},
		{"which changes nothing where there is only one", grace(1), grace(-7), 10_000, api.PodRunning, 1_000, 1},
		{"a pod that has failed meanwhile keeps its time", grace(60), grace(20), 10_000, api.PodFailed, 20_000, 20},
		{"no time at all", grace(60), grace(0), 10_000, api.PodRunning, 0, 0},
	} {
		w := newRuleWorld(t)
		pod := &api.Pod{ObjectMeta: api.ObjectMeta{Name: "p", Namespace: "default"}, NodeName: "n",
			Spec: &api.PodSpec{TerminationGracePeriodSeconds: 30}}
		w.Create(pod)
		remove := func(g *int64) {
			w.Must(w.User.Delete(pod.Key(), apiserver.DeleteOptions{GracePeriodSeconds: g}, "", nil))
		}
		remove(tt.first)
		w.Until(tt.at)
		changed := api.Copy(w.Pod("p"))
		changed.Status.Phase = tt.phase
		w.UpdateStatus(changed)
		remove(tt.second)
		left := w.Server.Store.Get(pod.Key())
		if left == nil || tt.left == 0 {
			if left != nil || tt.left != 0 {
				t.Errorf("%s: it is %v", tt.name, left)
			}
			continue
		}
		m := left.Meta()
		if m.DeletionTimestamp.Milli() != tt.until || m.DeletionGracePeriodSeconds != tt.left || m.Generation != 2 {
			t.Errorf("%s: until %d ms with %d s, generation %d; want %d ms, %d s, generation 2",
				tt.name, m.DeletionTimestamp.Milli(), m.DeletionGracePeriodSeconds, m.Generation, tt.until, tt.left)
		}
	}
}

// TestPodFinalizers: a pod with finalizers stays after its grace period, marked, and is removed with the last of them (A-8,
// markAsDeleting).
func TestPodFinalizers(t *testing.T) {
	for _, node := range []string{"n", ""} {
		w := newRuleWorld(t)
		pod := &api.Pod{ObjectMeta: api.ObjectMeta{Name: "p", Namespace: "default", Finalizers: []string{"example.com/keep"}}, NodeName: node,
			Spec: &api.PodSpec{TerminationGracePeriodSeconds: 30}}
		w.Create(pod)
		created := len(w.Server.Store.Log)
		for range 2 { // a second one changes nothing
			w.End(pod.Key())
		}
		left := w.Pod("p")
		if left == nil || !left.Terminating() || left.DeletionGracePeriodSeconds != 0 || left.Generation != 2 || len(w.Server.Store.Log) != created+1 {
			t.Fatalf("on node %q: %d writes, it is %+v", node, len(w.Server.Store.Log)-created, left)
		}
		freed := api.Copy(left)
		freed.Finalizers = nil
		w.Update(freed)
		if w.Server.Store.Get(pod.Key()) != nil {
			t.Errorf("on node %q it is still there", node)
		}
	}
}
