package kubelet_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestEventsNameTheirContainer: the object of an event is a container of the pod, an init container, or the pod (G-4).
func TestEventsNameTheirContainer(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{}))
	w.create("web", `{'initContainers': [{'name': 'i', 'image': 'a:1'}], 'containers': [{'name': 'c', 'image': 'a:1'}, {'name': 'd', 'image': 'a:1'}]}`)
	w.at(10_000)
	w.Must(w.kubelet.Kill("node-1"))
	w.Must(w.kubelet.Restore("node-1"))
	w.at(20_000)
	var got []string
	for _, r := range w.Kernel.Trace.Records {
		if r.Kind == sim.Notice && (r.Reason == "Started" || r.Reason == "SandboxChanged") {
			got = append(got, r.Reason+" "+r.Field)
		}
	}
	starts := []string{"Started spec.initContainers{i}", "Started spec.containers{c}", "Started spec.containers{d}"}
	if want := slices.Concat(starts, []string{"SandboxChanged "}, starts); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestLostContainers: a pod that is deleted before it runs fails, and says of its containers that they could not be found, unless an init
// container has kept them from running (status_manager.go:TerminatePod).
func TestLostContainers(t *testing.T) {
	crash, fails, slow := kubelet.Behaviour{Match: "crash", Pull: exact(0), Start: exact(0), CrashAfter: exact(100)}, kubelet.Behaviour{Match: "fails", PullFails: true}, kubelet.Behaviour{Match: "slow", Pull: exact(0), Start: exact(0), CrashAfter: exact(90_000)}
	for _, tt := range []struct{ inits, containers, want string }{
		{"", "fails", "Failed, fails0 ContainerStatusUnknown 137"},
		{"", "fails fails", "Failed, fails0 ContainerStatusUnknown 137, fails1 ContainerStatusUnknown 137"},
		{"ok", "fails", "Failed, ok0 Completed 0, fails0 ContainerStatusUnknown 137"},
		{"ok ok", "fails", "Failed, ok0 Completed 0, ok1 Completed 0, fails0 ContainerStatusUnknown 137"},
		{"fails", "ok", "Failed, fails0 ContainerStatusUnknown 137, ok0 PodInitializing 0"},
		{"fails ok", "ok ok", "Failed, fails0 ContainerStatusUnknown 137, ok1 PodInitializing 0, ok0 PodInitializing 0, ok1 PodInitializing 0"},
		{"ok fails", "ok", "Failed, ok0 Completed 0, fails1 PodInitializing 0, ok0 PodInitializing 0"},
		{"crash", "ok", "Failed, crash0 Error 1, ok0 PodInitializing 0"},
		{"crash ok", "ok", "Failed, crash0 Error 1, ok1 PodInitializing 0, ok0 PodInitializing 0"},
		{"ok crash", "ok", "Failed, ok0 Completed 0, crash1 Error 1, ok0 PodInitializing 0"},
		{"side", "fails", "Failed, side0 Completed 0, fails0 PodInitializing 0"},
		{"side fails", "ok", "Failed, side0 Completed 0, fails1 PodInitializing 0, ok0 PodInitializing 0"},
		{"side ok", "fails fails", "Failed, side0 Completed 0, ok1 Completed 0, fails0 ContainerStatusUnknown 137, fails1 ContainerStatusUnknown 137"},
		{"ok side", "fails", "Failed, ok0 Completed 0, side1 Completed 0, fails0 PodInitializing 0"},
		{"slow ok", "ok", "Failed, slow0 Completed 0, ok1 PodInitializing 0, ok0 PodInitializing 0"},
	} {
		w := newWorld(t, crash, fails, slow, instant(kubelet.Behaviour{}))
		list := func(images string) string {
			var out []string
			for i, image := range strings.Fields(images) {
				more := ""
				if image == "side" {
					more = ", 'restartPolicy': 'Always'"
				}
				out = append(out, fmt.Sprintf("{'name': '%s%d', 'image': '%s'%s}", image, i, image, more))
			}
			return strings.Join(out, ", ")
		}
		w.create("web", fmt.Sprintf("{'initContainers': [%s], 'containers': [%s]}", list(tt.inits), list(tt.containers)))
		w.at(20_000)
		w.Delete(key("web"))
		w.runTo(200_000)
		s := w.Server.Store.Log[len(w.Server.Store.Log)-1].Old.(*api.Pod).Status
		got := s.Phase
		for _, c := range slices.Concat(s.InitContainerStatuses, s.ContainerStatuses) {
			got += fmt.Sprintf(", %s %s %d", c.Name, c.State.Reason, c.State.ExitCode)
		}
		if got != tt.want {
			t.Errorf("%q %q: got %q, want %q", tt.inits, tt.containers, got, tt.want)
		}
	}
}

// TestSidecarsHaveWhatIsLeft: of the grace period a sidecar has what is left when it is its turn, and at least two seconds (G-30d).
func TestSidecarsHaveWhatIsLeft(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "main", Pull: exact(0), Start: exact(0), Stop: exact(10_000)},
		kubelet.Behaviour{Match: "s2", Pull: exact(0), Start: exact(0), Stop: exact(100_000)}, instant(kubelet.Behaviour{Stop: exact(1000)}))
	w.create("web", `{'terminationGracePeriodSeconds': 30, 'initContainers': [{'name': 's1', 'image': 's1', 'restartPolicy': 'Always'},
		{'name': 's2', 'image': 's2', 'restartPolicy': 'Always'}, {'name': 's3', 'image': 's3', 'restartPolicy': 'Always'}], 'containers': [{'name': 'main', 'image': 'main'}]}`)
	w.at(10_000)
	w.Delete(key("web"))
	w.runTo(100_000)
	s := w.Server.Store.Log[len(w.Server.Store.Log)-1].Old.(*api.Pod).Status
	var got []string
	for _, c := range slices.Concat(s.ContainerStatuses, s.InitContainerStatuses) {
		got = append(got, fmt.Sprint(c.Name, " ", c.State.FinishedAt.Milli()/1000, " ", c.State.ExitCode))
	}
	if want := []string{"main 20 0", "s1 41 0", "s2 40 137", "s3 21 0"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestPhaseAtTheEnd: a pod has succeeded if each of its containers has exited with 0, whatever its init containers did (G-2).
func TestPhaseAtTheEnd(t *testing.T) {
	for images, want := range map[string]string{"'a', 'b'": api.PodSucceeded, "'a', 'stubborn'": api.PodFailed, "'stubborn', 'stubborn'": api.PodFailed} {
		w := newWorld(t, kubelet.Behaviour{Match: "stubborn", Pull: exact(0), Start: exact(0), Stop: exact(90_000)}, instant(kubelet.Behaviour{}))
		first, second, _ := strings.Cut(images, ", ")
		w.create("web", fmt.Sprintf(`{'initContainers': [{'name': 'i', 'image': 'a'}], 'containers': [{'name': 'c', 'image': %s}, {'name': 'd', 'image': %s}]}`, first, second))
		w.at(10_000)
		w.Delete(key("web"))
		w.runTo(200_000)
		if got := w.Server.Store.Log[len(w.Server.Store.Log)-1].Old.(*api.Pod).Status.Phase; got != want {
			t.Errorf("%s: %s, want %s", images, got, want)
		}
	}
}

// TestLongerGraceChangesNothing: a second deletion whose period ends later than the container does not keep it.
func TestLongerGraceChangesNothing(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{Stop: exact(25_000)}))
	w.create("web", plain)
	w.at(10_000)
	w.Delete(key("web"))
	w.at(15_000)
	grace := int64(28)
	w.Must(w.User.Delete(key("web"), apiserver.DeleteOptions{GracePeriodSeconds: &grace}, "deleted", nil))
	w.runTo(1000_000)
	if got := w.Server.Store.Log[len(w.Server.Store.Log)-1]; got.Type != sim.Deleted || got.At-seen != 35_998 {
		t.Errorf("removed at %d ms", got.At-seen)
	}
}

// TestTickersBegin: a kubelet that has begun at 0.3 s lists its containers at 0.3 s of each second (G-14), and half of the most that a
// retry may be late is a quarter of its period (G-15).
func TestTickersBegin(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "*", PullFails: true, Pull: exact(0)})
	w.Must(w.kubelet.Kill("node-1"))
	w.Must(w.kubelet.Restore("node-1"))
	w.kubelet.SetChance(func(string) sim.Time { return 300 }, 50)
	w.create("web", plain)
	w.runTo(60_000)
	if got, want := fmt.Sprint(w.times("Pulling")), "[0 13298 39298]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestSilentFailuresCount: a probe fails in its period whatever else happens in the pod: the third failure in a row makes it not Ready, also
// if a container beside it crashes after the second.
func TestSilentFailuresCount(t *testing.T) {
	for _, crashes := range []sim.Time{90_000, 11_000, 12_000, 13_000, 14_000, 15_000} {
		w := newWorld(t, kubelet.Behaviour{Match: "side", Pull: exact(0), Start: exact(0), CrashAfter: exact(crashes)}, instant(kubelet.Behaviour{}))
		w.create("web", `{'containers': [{'name': 'c', 'image': 'a', 'readinessProbe': {'httpGet': {'port': 80}, 'periodSeconds': 2, 'failureThreshold': 3}}, {'name': 's', 'image': 'side'}]}`)
		w.at(10_000)
		w.Must(w.kubelet.FailReadiness(key("web")))
		w.at(30_000)
		got := w.changes(func(p *api.Pod) string {
			if len(p.Status.ContainerStatuses) == 0 {
				return "none"
			}
			return fmt.Sprint(p.Status.ContainerStatuses[0].Ready)
		})
		if want := []string{"-2 none", "0 false", "0 true", "14000 false"}; !slices.Equal(got, want) {
			t.Errorf("a crash at %d: got %q, want %q", crashes, got, want)
		}
	}
}
