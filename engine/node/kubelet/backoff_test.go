package kubelet_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/sim"
)

const plain = `{'containers': [{'name': 'c', 'image': 'nginx:bad'}]}`

// seconds turns ms into whole seconds.
func seconds(list []sim.Time) (out []sim.Time) {
	for _, ms := range list {
		out = append(out, ms/1000)
	}
	return out
}

// TestImagePullBackOff: the pulls would be at t = 0, 10, 30, 70, 150, 310, 610 and 910 s (G-6), but the pod is synced only every ten to fifteen
// seconds (G-15), and the back-off counts from the last failure.
func TestImagePullBackOff(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{PullFails: true}))
	w.create("web", plain)
	w.runTo(1000_000)
	if got, want := seconds(w.times("Pulling")), []sim.Time{0, 13, 36, 81, 168, 333, 638, 949}; !slices.Equal(got, want) {
		t.Errorf("pulls at %v, want %v", got, want)
	}
}

// TestImagePullTexts: the next relist shows ErrImagePull, the sync after that one ImagePullBackOff (G-4 to G-7); the pod stays Pending (G-2).
func TestImagePullTexts(t *testing.T) {
	const cause = `rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:bad": failed to resolve ` +
		`reference "docker.io/library/nginx:bad": docker.io/library/nginx:bad: not found`
	w := newWorld(t, kubelet.Behaviour{Match: "nginx:b*", Pull: exact(500), PullFails: true})
	w.create("web", plain)
	w.runTo(14_000)
	want := `0 [0/1 Pending] created
1 [0/1 Pending] bound to node-1
1 Scheduled: Successfully assigned default/web to node-1
2 [0/1 ContainerCreating] seen by its node
2 Pulling: Pulling image "nginx:bad"
502 Failed: Failed to pull image "nginx:bad": ` + cause + `
502 Failed: Error: ErrImagePull
1000 [0/1 ErrImagePull] the image cannot be pulled
1000 BackOff: Back-off pulling image "nginx:bad"
1000 Failed: Error: ImagePullBackOff
14000 [0/1 ImagePullBackOff] waits for the next pull
14000 Pulling: Pulling image "nginx:bad"
`
	if got := w.trace(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	p := w.Pod("web")
	if got, want := p.Status.ContainerStatuses[0].State.Message, `Back-off pulling image "nginx:bad": ErrImagePull: `+cause; got != want {
		t.Errorf("message %q\nwant    %q", got, want)
	}
	if p.Status.Phase != api.PodPending {
		t.Errorf("phase %s, want Pending", p.Status.Phase)
	}
}

// TestReference: image names as the container runtime spells them out.
func TestReference(t *testing.T) {
	digest := "sha256:" + strings.Repeat("12", 32)
	for image, want := range map[string]string{
		"nginx":                 "docker.io/library/nginx:latest",
		"nginx:1.2":             "docker.io/library/nginx:1.2",
		"acme/web:2":            "docker.io/acme/web:2",
		"registry.example/a/b":  "registry.example/a/b:latest",
		"localhost/a@" + digest: "localhost/a@" + digest,
		"localhost:5000/web":    "localhost:5000/web:latest",
	} {
		w := newWorld(t, kubelet.Behaviour{Match: "*", PullFails: true})
		w.create("web", strings.Replace(plain, "nginx:bad", image, 1))
		w.runTo(10_000)
		if !strings.Contains(w.trace(), `unpack image "`+want+`"`) {
			t.Errorf("%s is not spelled out as %s", image, want)
		}
	}
}

// TestNeverPulled: with the policy Never a missing image is not pulled.
func TestNeverPulled(t *testing.T) {
	w := newWorld(t)
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'imagePullPolicy': 'Never'}]}`)
	w.runTo(1000_000)
	if got := status(w.Pod("web")); got != "0/1 ErrImageNeverPull" || w.times("Pulling") != nil || len(w.times("ErrImageNeverPull")) != 1 {
		t.Errorf("%s, pulls at %v, said at %v", got, w.times("Pulling"), w.times("ErrImageNeverPull"))
	}
}

// TestUnreadable: an image whose name cannot be read is never pulled, and the status and the events say why (G-9).
func TestUnreadable(t *testing.T) {
	w := newWorld(t)
	w.create("web", `{'containers': [{'name': 'c', 'image': 'Nginx:1'}]}`)
	w.runTo(1000_000)
	const why = `Failed to apply default image tag "Nginx:1": couldn't parse image name "Nginx:1": invalid reference format: ` +
		`repository name (library/Nginx) must be lowercase`
	p := w.Pod("web")
	if got := p.Status.ContainerStatuses[0].State.Message; status(p) != "0/1 InvalidImageName" || got != why || p.Status.Phase != api.PodPending {
		t.Errorf("%s, %s, %s", status(p), got, p.Status.Phase)
	}
	if w.times("Pulling") != nil || len(w.times("InspectFailed")) != 1 || !strings.Contains(w.trace(), "Error: InvalidImageName") {
		t.Errorf("pulls at %v, inspections at %v", w.times("Pulling"), w.times("InspectFailed"))
	}
}

// TestCrashLoop: a container that dies 2 s after each start waits 0, 10, 20, 40, 80, 160 and 300 s from its end (G-11). Its kubelet
// notices the end at its next relist (G-14), and syncs the pod again when the wait is over, or after a minute, and up to half of what was
// left later (G-15): real starts are at 0, 2.9, 15.9–20.9, 38.9–53.9, 82.9–115.9 s.
func TestCrashLoop(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{CrashAfter: exact(2000)}))
	w.create("web", plain)
	w.runTo(930_000)
	if got, want := seconds(w.times("Started")), []sim.Time{0, 2, 15, 46, 103, 190, 353, 657}; !slices.Equal(got, want) {
		t.Errorf("starts at %v, want %v", got, want)
	}
	if got := w.Pod("web").Status.ContainerStatuses[0].RestartCount; got != 7 {
		t.Errorf("%d restarts, want 7", got)
	}
}

// TestCrashLoopForgets: a container that has run for more than ten minutes since its last start is restarted at once,
// and its back-off starts again (G-10).
func TestCrashLoopForgets(t *testing.T) {
	for _, tt := range []struct {
		runs sim.Time
		want []sim.Time
	}{
		{600_000, []sim.Time{0, 600, 1211, 1836}}, // not more: 10 s, 20 s, and what G-15 adds
		{600_001, []sim.Time{0, 600, 1201, 1802}},
	} {
		w := newWorld(t, instant(kubelet.Behaviour{CrashAfter: exact(tt.runs)}))
		w.create("web", plain)
		w.runTo(2000_000)
		if got := seconds(w.times("Started")); !slices.Equal(got, tt.want) {
			t.Errorf("running %d ms: starts at %v, want %v", tt.runs, got, tt.want)
		}
	}
}

// TestCrashLoopStatus: Error until the pod is synced again, without a probe just before its restart, then CrashLoopBackOff; the phase stays Running, and without a probe
// the pod is Ready whenever it runs (G-2, G-10, G-13).
func TestCrashLoopStatus(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{CrashAfter: exact(2000), ExitCode: 3}))
	w.create("web", plain)
	w.runTo(47_500)
	got := w.changes(func(p *api.Pod) string { return status(p) + " " + p.Status.Phase + " ready " + readiness(p) })
	want := []string{
		"-2 0/1 Pending Pending ready false",
		"0 0/1 ContainerCreating Pending ready false",
		"0 1/1 Running Running ready true",
		"2998 0/1 Error Running ready false",
		"2998 1/1 Running Running ready true",
		"5998 0/1 Error Running ready false",
		"15998 0/1 CrashLoopBackOff Running ready false",
		"15998 1/1 Running Running ready true",
		"18998 0/1 Error Running ready false",
		"46998 0/1 CrashLoopBackOff Running ready false",
		"46998 1/1 Running Running ready true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	log := w.Server.Store.Log
	p := log[len(log)-2].New.(*api.Pod)
	c := p.Status.ContainerStatuses[0]
	name := "web_default(" + p.UID + ")"
	if want := "back-off 20s restarting failed container=c pod=" + name; c.State.Message != want {
		t.Errorf("message %q\nwant    %q", c.State.Message, want)
	}
	if want := "Back-off restarting failed container c in pod " + name; !strings.Contains(w.trace(), "BackOff: "+want) {
		t.Errorf("no event %q", want)
	}
	if c.LastState.Kind != api.Terminated || c.LastState.ExitCode != 3 || c.RestartCount != 2 {
		t.Errorf("last state %+v, %d restarts", c.LastState, c.RestartCount)
	}
}

// TestInitCrashLoop: an init container that fails is restarted with the same back-off, and nothing behind it starts.
func TestInitCrashLoop(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "bad*", Pull: exact(0), Start: exact(0), CrashAfter: exact(1000)})
	w.create("web", `{'initContainers': [{'name': 'i', 'image': 'bad:1'}], 'containers': [{'name': 'c', 'image': 'good:1'}]}`)
	w.runTo(100_000)
	if got, want := seconds(w.times("Started")), []sim.Time{0, 1, 13, 43, 99}; !slices.Equal(got, want) {
		t.Errorf("starts at %v, want %v", got, want)
	}
	p := w.Pod("web")
	if got := fmt.Sprint(p.Status.Phase, " ", p.Status.InitContainerStatuses[0].State.Reason); got != "Pending " {
		t.Errorf("got %s", got)
	}
}

// TestOnePullAtATime: two images that take 3 s each are there after 3 and 6 s; the text says what of it was waiting (G-8). A pull that fails
// takes its turn, too.
func TestOnePullAtATime(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "bad:*", PullFails: true, Pull: exact(4000)}, kubelet.Behaviour{Match: "*", Pull: exact(3000), Start: exact(0)})
	w.create("a", `{'containers': [{'name': 'c', 'image': 'a:1'}]}`)
	w.create("b", `{'containers': [{'name': 'c', 'image': 'b:1'}]}`)
	w.create("bad", `{'containers': [{'name': 'c', 'image': 'bad:1'}]}`)
	w.create("late", `{'containers': [{'name': 'c', 'image': 'c:1'}]}`)
	w.runTo(15_000)
	if got, want := w.times("Started"), []sim.Time{3000, 6000, 13_000}; !slices.Equal(got, want) {
		t.Errorf("starts at %v, want %v", got, want)
	}
	w.contains(`Successfully pulled image "a:1" in 3s (3s including waiting)`, `Successfully pulled image "b:1" in 3s (6s including waiting)`,
		`Successfully pulled image "c:1" in 3s (13s including waiting)`)
}

// TestBackOffEndsInASync is G-10: a sync at a relist, at 21.998 s, kills c, which ends at 24.998 s, a moment later in the ms. Its back-off is 10 s, so
// it is not over for the sync at the relist at 34.998 s, to which the readiness of d leads.
func TestBackOffEndsInASync(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "c:1", Pull: exact(0), Start: exact(0), Stop: exact(3000), NeverReady: true},
		instant(kubelet.Behaviour{Ready: exact(30_000)}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'c:1', 'startupProbe':
		{'httpGet': {'port': 80}, 'periodSeconds': 7, 'failureThreshold': 1}},
		{'name': 'd', 'image': 'd:1', 'startupProbe': {'httpGet': {'port': 80}, 'periodSeconds': 17},
		'readinessProbe': {'httpGet': {'port': 80}}}]}`)
	w.kubelet.SetChance(func(string) sim.Time { return w.kubelet.Phase("node-1") }, 100)
	w.at(36_000)
	started := slices.DeleteFunc(w.times("Started"), func(at sim.Time) bool { return at == 0 })
	if want := []sim.Time{10_998, 17_998, 35_998}; !slices.Equal(started, want) {
		t.Errorf("started again at %v, want %v", started, want)
	}
}
