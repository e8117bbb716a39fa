package kubelet_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestTermination: the containers have stopped at t + preStop + min(x, max(g−preStop, 2)) (G-30a); the pod is removed at the relist after
// that, 0.997 s later (G-30c). Everything in seconds.
func TestTermination(t *testing.T) {
	for _, tt := range []struct{ grace, preStop, stops, want int64 }{
		{grace: 30, preStop: 5, stops: 3, want: 8},
		{grace: 30, preStop: 40, stops: 10, want: 32},
		{grace: 30, preStop: 29, stops: 10, want: 31},
		{grace: 30, preStop: 0, stops: 1, want: 1},
		{grace: 30, preStop: 0, stops: 100, want: 30},
		{grace: 1, preStop: 0, stops: 100, want: 2},
		{grace: 0, preStop: 10, stops: 10, want: 0},
	} {
		w := newWorld(t, instant(kubelet.Behaviour{Stop: exact(1000 * tt.stops)}))
		w.create("web", fmt.Sprintf(`{'terminationGracePeriodSeconds': %d, 'containers': [{'name': 'c', 'image': 'a:1',
			'lifecycle': {'preStop': {'sleep': {'seconds': %d}}}}]}`, tt.grace, tt.preStop))
		w.at(10_000)
		w.Delete(key("web"))
		w.runTo(1000_000)
		want := 10_000 + 1000*tt.want
		if tt.want > 0 {
			want += sim.WatchLatency + 997 // the kubelet receives it 1 ms later
		}
		if got := w.Server.Store.Log[len(w.Server.Store.Log)-1]; got.Type != sim.Deleted || got.At-seen != want {
			t.Errorf("%+v: removed at %d ms, want %d", tt, got.At-seen, want)
		}
	}
}

// TestReadyUntilTheEnd: "Ready stays True until the container ends" and no probe kills a terminating container (G-26).
func TestReadyUntilTheEnd(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{Ready: exact(0), Stop: exact(25_000)}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'readinessProbe': {'httpGet': {'port': 80}}}]}`)
	w.at(10_000)
	w.Delete(key("web"))
	w.runTo(1000_000)
	got := w.changes(status)
	want := []string{"-2 0/1 Pending", "0 0/1 ContainerCreating", "0 0/1 Running", "0 1/1 Running", "10000 1/1 Terminating", "35001 0/1 Terminating", "35998 gone"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestTerminationOfWhatDoesNotRun: a pod without running containers is removed at the relist after its deletion; one whose image is being
// pulled stops when its container has started.
func TestTerminationOfWhatDoesNotRun(t *testing.T) {
	for _, tt := range []struct {
		b     kubelet.Behaviour
		gone  sim.Time
		phase string
	}{
		{kubelet.Behaviour{Match: "*", PullFails: true}, 10_998, api.PodFailed},
		{kubelet.Behaviour{Match: "*", Pull: exact(50_000)}, 51_998, api.PodSucceeded},
		{instant(kubelet.Behaviour{CrashAfter: exact(1000)}), 10_998, api.PodFailed},
	} {
		w := newWorld(t, tt.b)
		w.create("web", plain)
		w.at(10_000)
		w.Delete(key("web"))
		w.runTo(1000_000)
		got := w.Server.Store.Log[len(w.Server.Store.Log)-1]
		if got.Type != sim.Deleted || got.At-seen != tt.gone || got.Old.(*api.Pod).Status.Phase != tt.phase {
			t.Errorf("%+v: the last write is at %d ms, want the removal at %d", tt, got.At-seen, tt.gone)
		}
	}
}

// TestSidecarsStopInOrder: after the other containers, the last one first, each with the whole seconds that are left (G-30d). A sidecar whose
// turn does not come within the grace period gets SIGTERM then.
func TestSidecarsStopInOrder(t *testing.T) {
	for _, tt := range []struct {
		grace, main int64
		want        []string
	}{
		{30, 3, []string{"main 13 0", "s2 15 0", "s1 16 0"}},
		{4, 100, []string{"main 14 137", "s2 16 0", "s1 15 0"}}, // s2 has 2 s from 14 s on, s1 does not wait for it: its time is over, too
	} {
		w := newWorld(t, kubelet.Behaviour{Match: "main", Pull: exact(0), Start: exact(0), Stop: exact(1000 * tt.main)},
			kubelet.Behaviour{Match: "s2", Pull: exact(0), Start: exact(0), Stop: exact(2000)},
			instant(kubelet.Behaviour{Stop: exact(1000)}))
		w.create("web", fmt.Sprintf(`{'terminationGracePeriodSeconds': %d, 'initContainers': [{'name': 's1', 'image': 's1', 'restartPolicy': 'Always'},
			{'name': 's2', 'image': 's2', 'restartPolicy': 'Always'}], 'containers': [{'name': 'main', 'image': 'main'}]}`, tt.grace))
		w.at(10_000)
		w.Delete(key("web"))
		w.runTo(100_000)
		s := w.Server.Store.Log[len(w.Server.Store.Log)-1].Old.(*api.Pod).Status
		var got []string
		for _, c := range []api.ContainerStatus{s.ContainerStatuses[0], s.InitContainerStatuses[1], s.InitContainerStatuses[0]} {
			got = append(got, fmt.Sprint(c.Name, " ", c.State.FinishedAt.Milli()/1000, " ", c.State.ExitCode))
		}
		if !slices.Equal(got, tt.want) || len(w.times("Killing")) != 3 || w.times("Killing")[2] != 10_001 {
			t.Errorf("grace %d: got %q and Killing at %v, want %q", tt.grace, got, w.times("Killing"), tt.want)
		}
	}
}

// deletedTwice runs a pod whose process takes 25 s to stop: it is deleted at 10 s, and with another grace period, in seconds, at 15 s.
func deletedTwice(t *testing.T, grace int64) *world {
	t.Helper()
	w := newWorld(t, instant(kubelet.Behaviour{Stop: exact(25_000)}))
	w.create("web", plain)
	w.at(10_000)
	w.Delete(key("web"))
	w.at(15_000)
	w.Must(w.User.Delete(key("web"), apiserver.DeleteOptions{GracePeriodSeconds: &grace}, "deleted", nil))
	w.runTo(1000_000)
	return w
}

// TestShorterGrace: a second deletion with a shorter grace period cuts the first one short. The new period counts from the first
// deletion, in whole seconds (rest.BeforeDelete): 5 s of it are over by now, and what is left is the least that a container gets.
func TestShorterGrace(t *testing.T) {
	for grace, removed := range map[int64]int64{8: 23_998, 5: 17_998} {
		w := deletedTwice(t, grace)
		if got := w.Server.Store.Log[len(w.Server.Store.Log)-1]; got.Type != sim.Deleted || got.At-seen != removed {
			t.Errorf("with %d s removed at %d ms, want %d", grace, got.At-seen, removed)
		}
	}
}

// TestSameGraceAgain: a change of a pod that is being deleted leaves its grace period as it is, and the hook that runs.
func TestSameGraceAgain(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{Stop: exact(1000)}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'lifecycle': {'preStop': {'sleep': {'seconds': 10}}}}]}`)
	w.at(10_000)
	w.Delete(key("web"))
	w.at(15_000)
	pod := api.Copy(w.Pod("web"))
	pod.Labels = map[string]string{"app": "other"}
	w.Update(pod)
	w.runTo(100_000)
	if got := w.changes(status); !slices.Contains(got, "21001 0/1 Terminating") {
		t.Errorf("got %q, want the end after a hook of 10 s and 1 s", got)
	}
}

// TestRemovedWhileItRuns: the containers of a pod that is removed by force stop, as of one without a grace period (kubelet.go:HandlePodRemoves). On a
// machine that is down nothing runs.
func TestRemovedWhileItRuns(t *testing.T) {
	for down, want := range map[bool][]sim.Time{false: {10_001}, true: nil} {
		w := newWorld(t, instant(kubelet.Behaviour{}))
		w.create("web", plain)
		w.at(10_000)
		if down {
			w.Must(w.kubelet.Kill("node-1"))
		}
		w.Must(w.User.Delete(key("web"), apiserver.WithoutGrace, "deleted", nil))
		w.runTo(20_000)
		if got := w.times("Killing"); !slices.Equal(got, want) {
			t.Errorf("down %v: told to stop at %v, want %v", down, got, want)
		}
	}
}

// TestExitAsItStops: a process that exits by itself in the ms in which SIGTERM would have ended it has its own exit code.
func TestExitAsItStops(t *testing.T) {
	for deleted, want := range map[sim.Time]int32{8998: 0, 8999: 3} {
		w := newWorld(t, instant(kubelet.Behaviour{CrashAfter: exact(10_000), ExitCode: 3, Stop: exact(1000)}))
		w.create("web", plain)
		w.at(deleted)
		w.Delete(key("web"))
		w.runTo(100_000)
		last := w.Server.Store.Log[len(w.Server.Store.Log)-1].Old.(*api.Pod).Status.ContainerStatuses[0].State
		if last.ExitCode != want {
			t.Errorf("deleted at %d ms, it exits with %d, want %d", deleted, last.ExitCode, want)
		}
	}
}

// TestLostBehindASidecar: of a pod that never was Running, a container that never began is lost, unless an init container kept it from that;
// a sidecar does not (status_manager.go:TerminatePod).
func TestLostBehindASidecar(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "bad", PullFails: true}, instant(kubelet.Behaviour{}))
	w.create("web", `{'initContainers': [{'name': 's', 'image': 'a:1', 'restartPolicy': 'Always'}],
		'containers': [{'name': 'c', 'image': 'a:1'}, {'name': 'd', 'image': 'bad'}]}`)
	w.at(10_000)
	w.Delete(key("web"))
	w.runTo(100_000)
	s := w.Server.Store.Log[len(w.Server.Store.Log)-1].Old.(*api.Pod).Status.ContainerStatuses
	if s[0].State.Reason != "Completed" || s[1].State.Reason != "ContainerStatusUnknown" {
		t.Errorf("c is %+v, d is %+v", s[0].State, s[1].State)
	}
}
