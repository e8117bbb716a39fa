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
			if got += fmt.Sprintf(", %s %s %d", c.Name, c.State.Reason, c.State.ExitCode); c.RestartCount < 0 {
				t.Errorf("%s has %d restarts", c.Name, c.RestartCount)
			}
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

// TestLongerGraceChangesNothing: a second deletion whose period ends with the container, or later, neither keeps nor kills it.
func TestLongerGraceChangesNothing(t *testing.T) {
	for _, grace := range []int64{25, 28} { // counted from the first deletion
		w := deletedTwice(t, grace)
		got := w.Server.Store.Log[len(w.Server.Store.Log)-1]
		if code := got.Old.(*api.Pod).Status.ContainerStatuses[0].State.ExitCode; got.At-seen != 35_998 || code != 0 {
			t.Errorf("with %d s removed at %d ms, exit code %d", grace, got.At-seen, code)
		}
	}
}

// TestSidecarBehindAnInitContainer: the order in which sidecars stop leaves out the init containers between them (G-30d).
func TestSidecarBehindAnInitContainer(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{Stop: exact(2000)}))
	w.create("web", `{'initContainers': [{'name': 's1', 'image': 'a', 'restartPolicy': 'Always'}, {'name': 'i', 'image': 'a'},
		{'name': 's2', 'image': 'a', 'restartPolicy': 'Always'}, {'name': 'j', 'image': 'a'}], 'containers': [{'name': 'main', 'image': 'a'}]}`)
	w.at(10_000)
	w.Delete(key("web"))
	w.runTo(100_000)
	s := w.Server.Store.Log[len(w.Server.Store.Log)-1].Old.(*api.Pod).Status
	got := fmt.Sprint(s.ContainerStatuses[0].State.FinishedAt.Milli(), " ", s.InitContainerStatuses[2].State.FinishedAt.Milli(), " ", s.InitContainerStatuses[0].State.FinishedAt.Milli())
	if got != "12000 14000 16000" {
		t.Errorf("main, s2 and s1 end at %s", got)
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

// TestSilentFailuresCount: a probe fails in its period whatever else happens in the pod: the tenth failure in a row makes it not Ready, also
// if a container beside it crashes before, or is killed by its own probe in the ms of one of the failures.
func TestSilentFailuresCount(t *testing.T) {
	for _, tt := range []struct {
		crashes sim.Time
		more    string
	}{{90_000, ""}, {11_000, ""}, {15_000, ""}, {16_000, ""}, {17_000, ""}, {25_000, ""},
		{90_000, ", 'livenessProbe': {'tcpSocket': {'port': 80}, 'periodSeconds': 2, 'failureThreshold': 8}"}} {
		side := kubelet.Behaviour{Match: "side", Pull: exact(0), Start: exact(0), CrashAfter: exact(tt.crashes), NeverReady: true}
		w := newWorld(t, side, instant(kubelet.Behaviour{}))
		w.create("web", `{'containers': [{'name': 'c', 'image': 'a', 'readinessProbe': {'httpGet': {'port': 80}, 'periodSeconds': 2, 'failureThreshold': 10}}, {'name': 's', 'image': 'side'`+tt.more+`}]}`)
		w.at(10_000)
		w.Must(w.kubelet.FailReadiness(key("web")))
		w.at(30_000)
		got := w.changes(func(p *api.Pod) string {
			if len(p.Status.ContainerStatuses) == 0 {
				return "none"
			}
			return fmt.Sprint(p.Status.ContainerStatuses[0].Ready)
		})
		if want := []string{"-2 none", "0 false", "0 true", "28000 false"}; !slices.Equal(got, want) {
			t.Errorf("a crash at %d%s: got %q, want %q", tt.crashes, tt.more, got, want)
		}
	}
}

// TestImageJustThere: an image is on the node from the millisecond on in which its pull ends.
func TestImageJustThere(t *testing.T) {
	for at, want := range map[sim.Time]int{999: 2, 1000: 1, 1001: 1} {
		w := newWorld(t, kubelet.Behaviour{Match: "*", Pull: exact(1000)})
		w.create("one", plain)
		w.runTo(at)
		w.create("two", plain)
		w.runTo(10_000)
		if got := len(w.times("Pulling")); got != want {
			t.Errorf("the second pod at %d ms: %d pulls, want %d", at, got, want)
		}
	}
}

// TestPullsEndWithTheMachine: what a machine was pulling when it went down is pulled again; what it had is still there.
func TestPullsEndWithTheMachine(t *testing.T) {
	for at, want := range map[sim.Time]int{500: 2, 5000: 1} {
		w := newWorld(t, kubelet.Behaviour{Match: "*", Pull: exact(1000)})
		w.create("web", `{'containers': [{'name': 'c', 'image': 'nginx:1', 'imagePullPolicy': 'IfNotPresent'}]}`)
		w.at(at)
		w.Must(w.kubelet.Kill("node-1"))
		w.at(8000)
		w.Must(w.kubelet.Restore("node-1"))
		w.at(20_000)
		if got := len(w.times("Pulling")); got != want {
			t.Errorf("down at %d ms: %d pulls, want %d", at, got, want)
		}
	}
}

// TestNodeReadyIsAnEvent: a node that was lost is Ready again, which is an event; the readiness of a node that nobody missed is not (G-46).
func TestNodeReadyIsAnEvent(t *testing.T) {
	for _, missed := range []bool{false, true} {
		w := newWorld(t)
		w.create("web", plain)
		w.runTo(1000)
		w.Must(w.kubelet.Kill("node-1"))
		w.Must(w.kubelet.Restore("node-1")) // the first report of this node
		w.Must(w.kubelet.Kill("node-1"))
		if missed {
			node := api.Copy(w.Server.Store.Get(api.Key{Kind: api.KindNode, Name: "node-1"}).(*api.Node))
			node.Status.Conditions = []api.Condition{{Type: "Ready", Status: "Unknown"}}
			w.User.Must(w.User.UpdateStatus(node, "lost", nil))
		}
		w.Must(w.kubelet.Restore("node-1"))
		if got := len(w.times("NodeReady")) == 1; got != missed {
			t.Errorf("missed %v: an event %v", missed, got)
		}
	}
}

// TestTimersOfAnEarlierPod: a pod with fewer containers has the name of one whose second container is being started.
func TestTimersOfAnEarlierPod(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "slow", Pull: exact(0), Start: exact(5000)}, instant(kubelet.Behaviour{}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a'}, {'name': 'd', 'image': 'slow'}]}`)
	w.at(1000)
	w.Must(w.User.Delete(key("web"), apiserver.WithoutGrace, "deleted", nil))
	w.create("web", plain)
	w.runTo(20_000)
	if p := w.Server.Store.Get(key("web")).(*api.Pod); !p.IsReady() || len(p.Status.ContainerStatuses) != 1 {
		t.Errorf("the new pod: %+v", p.Status)
	}
}

// TestUnhealthyAgain: the first failure of a probe after another event of its container is an event, so there is one for each run.
func TestUnhealthyAgain(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{NeverReady: true, CrashAfter: exact(20_000)}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a', 'readinessProbe': {'httpGet': {'port': 80}}}]}`)
	w.runTo(120_000)
	if started, unhealthy := len(w.times("Started")), len(w.times("Unhealthy")); started < 3 || unhealthy < started {
		t.Errorf("%d runs, %d events about the probe", started, unhealthy)
	}
}

// TestEndedSidecarWaits: a sidecar that has ended with 0 shows that, and not that it waits for its restart; another container shows the wait
// (kubelet_pods.go:convertToAPIContainerStatuses).
func TestEndedSidecarWaits(t *testing.T) {
	const probe = "'livenessProbe': {'httpGet': {'port': 80}, 'periodSeconds': 1, 'failureThreshold': 1}"
	for spec, want := range map[string]string{
		`{'initContainers': [{'name': 's', 'image': 'bad', 'restartPolicy': 'Always', ` + probe + `}], 'containers': [{'name': 't', 'image': 'a'}]}`: "Completed",
		`{'containers': [{'name': 's', 'image': 'bad', ` + probe + `}, {'name': 't', 'image': 'a'}]}`:                                                "CrashLoopBackOff",
	} {
		w := newWorld(t, instant(kubelet.Behaviour{NeverReady: true, Stop: exact(0)}))
		w.create("web", spec)
		w.runTo(9000)
		s := w.Server.Store.Get(key("web")).(*api.Pod).Status
		if got := slices.Concat(s.InitContainerStatuses, s.ContainerStatuses)[0].State.Reason; got != want {
			t.Errorf("%s: %s, want %s", spec, got, want)
		}
	}
}

// TestCauseOfACrash: a crash that somebody ordered has that order as its cause; one of its own has none.
func TestCauseOfACrash(t *testing.T) {
	for _, ordered := range []bool{true, false} {
		b := kubelet.Behaviour{}
		if !ordered {
			b.CrashAfter = exact(9000)
		}
		w := newWorld(t, instant(b))
		w.create("web", plain)
		w.at(5000)
		order := w.Kernel.LastRecord()
		if ordered {
			w.Kernel.SetCause(order)
			w.Must(w.kubelet.Crash(key("web")))
		}
		w.at(12_000)
		for _, r := range w.Kernel.Trace.Records[order+1:] {
			if r.What == "container exited" && (r.Cause == order) != ordered || !ordered && r.Cause >= 0 {
				t.Errorf("ordered %v: the cause of %q is record %d, the order was %d", ordered, r.What, r.Cause, order)
			}
		}
	}
}

// TestInitContainerWithoutImage: an init container whose image cannot be pulled says so, as any other container.
func TestInitContainerWithoutImage(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "*", PullFails: true})
	w.create("web", `{'initContainers': [{'name': 'i', 'image': 'a'}], 'containers': [{'name': 'c', 'image': 'a'}]}`)
	w.runTo(5000)
	if got := w.Server.Store.Get(key("web")).(*api.Pod).Status.InitContainerStatuses[0].State.Reason; got != "ErrImagePull" {
		t.Errorf("it waits because of %s", got)
	}
}

// TestAdoptedNode: a Node that a person creates gets a machine, which reports that it is Ready (G-40).
func TestAdoptedNode(t *testing.T) {
	w := newWorld(t)
	w.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: "node-2"}})
	w.runTo(1000)
	n := w.Server.Store.Get(api.Key{Kind: api.KindNode, Name: "node-2"}).(*api.Node)
	if c := api.FindCondition(n.Status.Conditions, "Ready"); c == nil || c.Status != "True" {
		t.Errorf("%+v", n.Status.Conditions)
	}
}

// TestRegister: the kubelet of a new machine stores its Node, which is Ready (G-40); a second machine of that name is refused.
func TestRegister(t *testing.T) {
	w := newWorld(t)
	w.Must(w.kubelet.Register(&api.Node{ObjectMeta: api.ObjectMeta{Name: "node-2"}}))
	if c := api.FindCondition(w.Node("node-2").Status.Conditions, "Ready"); c == nil || c.Status != "True" {
		t.Errorf("%+v", w.Node("node-2").Status.Conditions)
	}
	if w.kubelet.Register(&api.Node{ObjectMeta: api.ObjectMeta{Name: "node-2"}}) == nil {
		t.Error("a second node-2 is stored")
	}
}

// TestRebootOfAnotherNode: a machine that comes back starts only its own pods again (G-46).
func TestRebootOfAnotherNode(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{}))
	w.Must(w.kubelet.Register(&api.Node{ObjectMeta: api.ObjectMeta{Name: "node-2"}}))
	w.create("web", plain)
	w.at(10_000)
	w.Must(w.kubelet.Kill("node-2"))
	w.Must(w.kubelet.Restore("node-2"))
	w.runTo(20_000)
	if got, on := w.times("Started"), w.Pod("web").NodeName; !slices.Equal(got, []sim.Time{0}) || on != "node-1" {
		t.Errorf("on %s: starts at %v, want one", on, got)
	}
}
