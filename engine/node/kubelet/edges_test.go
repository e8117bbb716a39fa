package kubelet_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/node/scheduler"
	"github.com/rollplay/rollplay/engine/sim"
)

// newKeyedWorld returns a world with keyed draws, in which containers start after up to 90 s.
func newKeyedWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Cluster: cluster.New(t)}
	w.Server.Keyed = true
	w.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: "node-1"}})
	scheduler.New(w.Server)
	w.kubelet = kubelet.New(w.Server, 1, []kubelet.Behaviour{{Match: "*", Pull: exact(0), Start: &kubelet.Range{Min: 1, Max: 90_000}}})
	return w
}

// TestKeyedDraws: with keyed draws a pod starts as fast whatever else starts, and another pod not as fast.
func TestKeyedDraws(t *testing.T) {
	starts := func(pods ...string) (took []sim.Time) {
		w := newKeyedWorld(t)
		for _, name := range pods {
			w.create(name, plain)
			w.at(100_000 * sim.Time(1+len(took)))
			all := w.times("Started")
			took = append(took, all[len(all)-1]-100_000*sim.Time(len(took)))
		}
		return took
	}
	alone, both := starts("web"), starts("other", "web")
	near := func(a, b sim.Time) bool { return a-b < 10*seen && b-a < 10*seen }
	if !near(alone[0], both[1]) {
		t.Errorf("web starts after %d ms alone, and after %d ms behind another pod", alone[0], both[1])
	}
	if near(both[0], both[1]) {
		t.Errorf("both pods start after %d and %d ms", both[0], both[1])
	}
}

// TestKeyedRevisions: a pod of a Deployment is drawn for by the number of its revision and its own in that: in each run the second revision starts as
// in others, whatever its ReplicaSet is called and however many pods the first one had.
func TestKeyedRevisions(t *testing.T) {
	starts := func(first int) (took []sim.Time) {
		w := newKeyedWorld(t)
		owner := func(kind api.Kind, name string) []api.OwnerReference {
			return []api.OwnerReference{{Kind: kind, Name: name, UID: "uid-" + name, Controller: true}}
		}
		before, after := fmt.Sprint("old-", first), fmt.Sprint("new-", first)
		for i, rs := range append(slices.Repeat([]string{before}, first), after, after, "other") {
			meta := api.ObjectMeta{Name: rs, Namespace: "default"}
			if rs != "other" { // the ReplicaSet of other has no Deployment
				meta.OwnerReferences = owner(api.KindDeployment, "web")
			}
			if i == 0 || i == first || rs == "other" {
				w.Create(&api.ReplicaSet{ObjectMeta: meta})
			}
			at := w.Kernel.Now()
			pod := &api.Pod{ObjectMeta: api.ObjectMeta{Name: fmt.Sprint(rs, "-", i), Namespace: "default"}, Spec: cluster.Spec(t, plain)}
			pod.OwnerReferences = owner(api.KindReplicaSet, rs)
			w.Create(pod)
			w.Until(at + 100_000)
			all := w.times("Started")
			took = append(took, all[len(all)-1]-at)
		}
		return took
	}
	one, three := starts(1), starts(3)
	if !slices.Equal(one[:1], three[:1]) || !slices.Equal(one[1:], three[3:]) {
		t.Errorf("pods start after %v, behind two more of the first revision after %v", one, three)
	}
	for i := range three {
		if slices.Contains(three[:i], three[i]) {
			t.Errorf("two pods start after the same time: %v", three)
		}
	}
}

// TestDeletedWhileDown: a machine that comes back finds a pod that it has never seen, and that was deleted meanwhile. It removes it.
func TestDeletedWhileDown(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{}))
	w.at(1000)
	w.Must(w.kubelet.Kill("node-1"))
	w.create("web", plain)
	w.at(2000)
	w.Delete(key("web"))
	w.at(3000)
	w.Must(w.kubelet.Restore("node-1"))
	w.runTo(10_000)
	if w.Pod("web") != nil || w.times("Started") != nil {
		t.Errorf("the pod is still there:\n%s", w.trace())
	}
}

// TestNoSidecar: a restart policy makes only an init container a sidecar.
func TestNoSidecar(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{NeverReady: true}))
	w.create("web", `{'initContainers': [{'name': 'i', 'image': 'a:1'}], 'containers': [{'name': 'c', 'image': 'a:1', 'restartPolicy': 'Always',
		'livenessProbe': {'tcpSocket': {'port': 80}, 'periodSeconds': 1, 'failureThreshold': 1}}]}`)
	w.runTo(10_000)
	w.contains("Killing: Container c failed liveness probe, will be restarted")
}

// TestPhases: the tickers of two nodes have phases of their own, and so have those of a kubelet that starts again.
func TestPhases(t *testing.T) {
	w := newWorld(t)
	w.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: "node-2"}})
	w.at(1000)
	before, other := w.kubelet.Phase("node-1"), w.kubelet.Phase("node-2")
	w.Must(w.kubelet.Kill("node-1"))
	w.Must(w.kubelet.Restore("node-1"))
	if after := w.kubelet.Phase("node-1"); before == other || before == after {
		t.Errorf("the phases are %d, then %d, and %d of another node", before, after, other)
	}
}

// TestPullsAgainAfterDeath: a machine that dies while it pulls an image does not have it; after the pull it has.
func TestPullsAgainAfterDeath(t *testing.T) {
	for _, tt := range []struct {
		kill sim.Time
		want []string
	}{{1000, []string{"Pulling", "Pulling", "Pulled"}}, {1999, []string{"Pulling", "Pulling", "Pulled"}}, {2000, []string{"Pulling", "Pulled", "Pulled"}}} {
		w := newWorld(t, kubelet.Behaviour{Match: "*", Pull: exact(2000), Start: exact(0)})
		w.create("web", plain)
		w.at(tt.kill)
		w.Must(w.kubelet.Kill("node-1"))
		w.at(4000)
		w.Must(w.kubelet.Restore("node-1"))
		w.runTo(20_000)
		var got []string
		for _, r := range w.Kernel.Trace.Records {
			if strings.HasPrefix(r.Reason, "Pull") {
				got = append(got, r.Reason)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("down at %d ms: %v, want %v", tt.kill, got, tt.want)
		}
	}
}

// TestProbeAtTheEnd: a process that ends in the ms of a probe does not answer it any more.
func TestProbeAtTheEnd(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{Ready: exact(0), CrashAfter: exact(14_000)}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'livenessProbe': {'tcpSocket': {'port': 80}, 'periodSeconds': 1, 'failureThreshold': 1}}]}`)
	w.Until(14_500)
	if got, want := w.times("Killing"), []sim.Time{14_000}; !slices.Equal(got, want) {
		t.Errorf("kills at %v, want %v", got, want)
	}
}

// respec gives pod web another spec.
func (w *world) respec(spec string) {
	pod := api.Copy(w.Pod("web"))
	pod.Spec = cluster.Spec(w.T, spec)
	w.Update(pod)
}

// TestNewImage: a pod that is as it should be is synced when it gets another image, and says then which version of its spec it has seen (G-13).
func TestNewImage(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{}))
	w.create("web", plain)
	w.at(20_000)
	w.respec(strings.Replace(plain, "nginx:bad", "nginx:good", 1))
	w.runTo(40_000)
	w.contains("Killing: Container c definition changed, will be restarted")
	if pod := w.Pod("web"); pod.Status.ObservedGeneration != pod.Generation || pod.Status.ContainerStatuses[0].Image != "nginx:good" {
		t.Errorf("generation %d, the status is %+v", pod.Generation, pod.Status)
	}
}

// TestNewImageOfASidecar: a sidecar that gets another image stops for that reason, whether or not its startup probe has succeeded.
func TestNewImageOfASidecar(t *testing.T) {
	const spec = `{'initContainers': [{'name': 's', 'image': 'old', 'restartPolicy': 'Always', 'startupProbe': {'httpGet': {'port': 80}}}],
		'containers': [{'name': 'c', 'image': 'a:1'}]}`
	w := newWorld(t, instant(kubelet.Behaviour{}))
	w.create("web", spec)
	w.at(20_000)
	w.respec(strings.Replace(spec, "old", "new", 1))
	w.runTo(40_000)
	w.contains("Killing: Init container s definition changed")
}

// TestRebootOfAPodThatStops: the containers of a deleted pod are lost when its machine goes down, so it has failed; but it has run (G-46).
func TestRebootOfAPodThatStops(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{Stop: exact(20_000)}))
	w.create("web", `{'initContainers': [{'name': 's', 'image': 'a:1', 'restartPolicy': 'Always'}], 'containers': [{'name': 'c', 'image': 'a:1'}]}`)
	w.at(10_000)
	w.Delete(key("web"))
	w.at(12_000)
	w.Must(w.kubelet.Kill("node-1"))
	w.at(14_000)
	w.Must(w.kubelet.Restore("node-1"))
	w.runTo(20_000)
	got := w.changes(func(p *api.Pod) string { return p.Status.Phase })
	if want := []string{"-2 Pending", "0 Running", "14000 Failed", "14736 gone"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestInitializedStays: a pod whose sidecar has started is initialized, also when that sidecar ends before another container has started
// (status/generate.go:GeneratePodInitializedCondition).
func TestInitializedStays(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "bad", PullFails: true}, instant(kubelet.Behaviour{CrashAfter: exact(5000)}))
	w.create("web", `{'initContainers': [{'name': 's', 'image': 'a:1', 'restartPolicy': 'Always'}], 'containers': [{'name': 'c', 'image': 'bad'}]}`)
	w.at(60_000)
	got := w.changes(func(p *api.Pod) string {
		c := api.FindCondition(p.Status.Conditions, "Initialized")
		return fmt.Sprint(c != nil && c.Status == "True")
	})
	if want := []string{"-2 false", "0 true"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestEndOfAShorterGrace: a process that stops by itself in the ms in which a shorter grace period ends is not killed.
func TestEndOfAShorterGrace(t *testing.T) {
	for grace, code := range map[int64]int32{19: 137, 20: 0, 21: 0} {
		w := deletedTwice(t, grace)
		last := w.Server.Store.Log[len(w.Server.Store.Log)-1].Old.(*api.Pod).Status.ContainerStatuses[0].State
		if last.ExitCode != code || last.FinishedAt.Milli() != min(15_000+1000*grace, 35_000) {
			t.Errorf("with %d s it ends at %d with exit code %d, want %d", grace, last.FinishedAt.Milli(), last.ExitCode, code)
		}
	}
}

// TestBackOffShows: the status shows a failed pull at the next relist, and the back-off at the sync after that (G-7).
func TestBackOffShows(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "*", PullFails: true, Pull: exact(1000)})
	w.create("web", plain)
	w.runTo(100_000)
	got := w.changes(status)
	want := []string{"-2 0/1 Pending", "0 0/1 ContainerCreating", "1998 0/1 ErrImagePull", "14998 0/1 ImagePullBackOff", "26998 0/1 ErrImagePull",
		"38998 0/1 ImagePullBackOff", "50998 0/1 ErrImagePull", "61998 0/1 ImagePullBackOff", "99998 0/1 ErrImagePull"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestCrashLoopWithProbes: workers of probes that are not on hold find that the container does not run, and each of them asks for a sync, which the
// back-off ends at once (prober/worker.go:doProbe). A startup probe that has succeeded is on hold.
func TestCrashLoopWithProbes(t *testing.T) {
	for probe, want := range map[string][]sim.Time{"startup": {41_998, 73_998}, "readiness": {41_998, 42_998, 72_998, 73_998},
		"liveness": {41_998, 42_998, 74_998, 77_000}} {
		w := newWorld(t, instant(kubelet.Behaviour{Ready: exact(0), CrashAfter: exact(20_000)}))
		w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', '`+probe+`Probe': {'tcpSocket': {'port': 80}, 'periodSeconds': 7}}]}`)
		w.Until(100_000)
		if got := w.times("BackOff"); !slices.Equal(got, want) {
			t.Errorf("%s: back-offs at %v, want %v", probe, got, want)
		}
	}
}

// TestStatusesByName: the status lists the containers by name, whatever the order of the spec is (kubelet_pods.go:convertToAPIContainerStatuses).
func TestStatusesByName(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1'}, {'name': 'a', 'image': 'a:1'}, {'name': 'b', 'image': 'a:1'}]}`)
	w.runTo(10_000)
	s := w.Pod("web").Status.ContainerStatuses
	if s[0].Name != "a" || s[1].Name != "b" || s[2].Name != "c" {
		t.Errorf("%+v, want a, b, c", s)
	}
}

// TestKilledAsItsBackOffEnds: a container that a probe kills every 10 s restarts at once while its back-off is 10 s, counted from the end before.
func TestKilledAsItsBackOffEnds(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{NeverReady: true, Stop: exact(0)}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'livenessProbe': {'exec': {'command': ['true']}, 'periodSeconds': 10, 'failureThreshold': 1}}]}`)
	w.Until(60_000)
	if got, want := w.times("Started"), []sim.Time{0, 10_000, 20_000, 30_000}; !slices.Equal(got, want) {
		t.Errorf("starts at %v, want %v", got, want)
	}
}

// TestCrashDuringAHook: a container whose process is gone while its preStop hook runs restarts when the hook is over.
func TestCrashDuringAHook(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{NeverReady: true, Stop: exact(1000)}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'lifecycle': {'preStop': {'sleep': {'seconds': 5}}},
		'livenessProbe': {'exec': {'command': ['true']}, 'periodSeconds': 10, 'failureThreshold': 1}}]}`)
	w.Until(12_000)
	w.Must(w.kubelet.Crash(key("web")))
	w.Until(18_000)
	if got, want := w.times("Started"), []sim.Time{0, 15_000}; !slices.Equal(got, want) {
		t.Errorf("starts at %v, want %v", got, want)
	}
}

// TestExitBeforeARelist: a relist sees the exits up to the ms before it; node-1 has one at 1.998 s. The second exit has a back-off.
func TestExitBeforeARelist(t *testing.T) {
	for exit, want := range map[int64]sim.Time{1997: 1998, 1998: 2998} {
		w := newWorld(t, instant(kubelet.Behaviour{CrashAfter: exact(exit)}))
		w.create("web", plain)
		w.Until(10_000)
		if got := w.times("Started"); !slices.Equal(got, []sim.Time{0, want}) {
			t.Errorf("after an exit at %d, starts at %v, want one at %d", exit, got, want)
		}
	}
}

// TestPullAsTheBackOffEnds: a retry that comes in the ms in which the back-off of a pull is over pulls: at 180.998 s, 80 s after a failure.
func TestPullAsTheBackOffEnds(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "*", PullFails: true, Pull: exact(1000)})
	w.kubelet.SetChance(func(string) sim.Time { return 0 }, 100)
	w.create("web", plain)
	w.runTo(200_000)
	if got, want := w.times("Pulling"), []sim.Time{0, 17_998, 50_998, 99_998, 180_998}; !slices.Equal(got, want) {
		t.Errorf("pulls at %v, want %v", got, want)
	}
}
