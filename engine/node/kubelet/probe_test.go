package kubelet_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestTimeToReady: the numbers of G-22. S is 0.
func TestTimeToReady(t *testing.T) {
	for _, tt := range []struct {
		d, p, s int
		ready   int64 // H
		startup string
		want    []string
	}{
		{d: 5, p: 10, s: 1, ready: 12_000, want: []string{"0 false", "21998 true"}}, // probes at 0, 0.998, 1.998, 11.998 and 21.998
		{d: 5, p: 10, s: 3, ready: 12_000, want: []string{"0 false", "41998 true"}},
		{d: 0, p: 10, s: 1, ready: 500, want: []string{"0 false", "998 true"}},
		{d: 0, p: 10, s: 1, ready: 0, want: []string{"0 false", "0 true"}},
		{d: 5, p: 10, s: 1, ready: 5_000, want: []string{"0 false", "11998 true"}},
		{d: 5, p: 10, s: 1, ready: 11_000, want: []string{"0 false", "11998 true"}},
		// The startup probe succeeds at U = 12; the sync that follows triggers the readiness probe, whose delay counts from S (G-23).
		{d: 5, p: 10, s: 1, ready: 11_000, startup: `'periodSeconds': 3, 'failureThreshold': 30`, want: []string{"0 false", "12000 true"}},
		{d: 1, p: 1, s: 1, ready: 11_000, startup: `'periodSeconds': 3, 'failureThreshold': 30`, want: []string{"0 false", "12000 true"}},
	} {
		w := newWorld(t, instant(kubelet.Behaviour{Ready: exact(tt.ready)}))
		startup := ""
		if tt.startup != "" {
			startup = fmt.Sprintf(`'startupProbe': {'httpGet': {'port': 80}, %s}, `, tt.startup)
		}
		w.create("web", fmt.Sprintf(`{'containers': [{'name': 'c', 'image': 'a:1', %s'readinessProbe':
			{'httpGet': {'port': 80}, 'initialDelaySeconds': %d, 'periodSeconds': %d, 'successThreshold': %d}}]}`, startup, tt.d, tt.p, tt.s))
		w.runTo(100_000)
		got := w.changes(readiness)
		if got[0] != "-2 false" || !slices.Equal(append([]string{"0 false"}, got[1:]...), tt.want) {
			t.Errorf("%+v: got %q", tt, got)
		}
	}
}

// TestDelayFromTheSecond: the container starts at 1.509 s of the run, so a delay of 1 s is over at 2 s; the relist 0.493 s after the start probes
// (G-21).
func TestDelayFromTheSecond(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "*", Pull: exact(1500), Start: exact(0), Ready: exact(0)})
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'readinessProbe': {'httpGet': {'port': 80}, 'initialDelaySeconds': 1, 'periodSeconds': 7}}]}`)
	w.runTo(100_000)
	if got, want := w.changes(readiness), []string{"-2 false", "1998 true"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestStartupOnly: without a readiness probe a pod is ready when its startup probe succeeds (G-22).
func TestStartupOnly(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{Ready: exact(7000)}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'startupProbe': {'tcpSocket': {'port': 80}, 'periodSeconds': 5}}]}`)
	w.runTo(100_000)
	got := w.changes(func(p *api.Pod) string { return status(p) + " " + readiness(p) })
	want := []string{"-2 0/1 Pending false", "0 0/1 ContainerCreating false", "0 0/1 Running false", "10000 1/1 Running true"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestPortNotDeclared: a probe that names a port which the container does not declare has no result (G-28): readiness and startup never
// pass, and nothing is restarted.
func TestPortNotDeclared(t *testing.T) {
	for probe, want := range map[string]string{"readinessProbe": "0/1 Running", "startupProbe": "0/1 Running", "livenessProbe": "1/1 Running"} {
		w := newWorld(t, instant(kubelet.Behaviour{}))
		w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'ports': [{'name': 'http', 'containerPort': 80}],
			'`+probe+`': {'httpGet': {'port': 'web'}, 'periodSeconds': 1, 'failureThreshold': 1}}]}`)
		w.runTo(100_000)
		if got := status(w.Pod("web")); got != want || len(w.times("Killing")) != 0 || len(w.times("Unhealthy")) != 1 {
			t.Errorf("%s: %s, kills at %v, events at %v", probe, got, w.times("Killing"), w.times("Unhealthy"))
		}
		w.contains(` probe errored and resulted in unknown state: port "web" not found`)
	}
}

// TestStartupKill: the probes at 5, 10 and 15 s fail (G-24), then a restart in the same sync. The back-off looks at the end of the run
// before: 10 s have passed since then each time.
func TestStartupKill(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{NeverReady: true}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'startupProbe':
		{'httpGet': {'port': 80}, 'initialDelaySeconds': 4, 'periodSeconds': 5, 'failureThreshold': 3}}]}`)
	w.runTo(60_000)
	// The process takes one second to exit.
	if got, want := w.times("Killing"), []sim.Time{15_000, 30_000, 45_000}; !slices.Equal(got, want) {
		t.Errorf("kills at %v, want %v", got, want)
	}
	if got, want := w.times("Started"), []sim.Time{0, 16_000, 31_000, 46_000}; !slices.Equal(got, want) {
		t.Errorf("starts at %v, want %v", got, want)
	}
	w.contains("Unhealthy: Startup probe failed: HTTP probe failed with statuscode: 503",
		"Killing: Container c failed startup probe, will be restarted")
}

// TestLivenessKill: the ticker began with the pod, so the first probe after the delay is at 10 s, and the third failure at 30 s (G-24).
// Here the app hangs from the beginning, and takes longer to answer than the probe allows.
func TestLivenessKill(t *testing.T) {
	for _, tt := range []struct {
		ready int64
		kills []sim.Time
	}{
		{29_999, nil}, // the probe at 30 finds it
		{30_000, nil},
		{30_001, []sim.Time{30_000}},
	} {
		w := newWorld(t, instant(kubelet.Behaviour{Ready: exact(tt.ready), Stop: exact(60_000)}))
		w.create("web", `{'terminationGracePeriodSeconds': 20, 'containers': [{'name': 'c', 'image': 'a:1', 'livenessProbe':
			{'exec': {'command': ['true']}, 'initialDelaySeconds': 5, 'periodSeconds': 10, 'failureThreshold': 3, 'terminationGracePeriodSeconds': 7}}]}`)
		w.runTo(40_000)
		if got := w.times("Killing"); !slices.Equal(got, tt.kills) {
			t.Errorf("answering at %d ms: kills at %v, want %v", tt.ready, got, tt.kills)
		}
		if tt.kills == nil {
			continue
		}
		// The probe's own grace period counts: 30 + 7 s. Until then the container is Ready, having no readiness probe.
		got := w.changes(func(p *api.Pod) string {
			c := &p.Status.ContainerStatuses
			return fmt.Sprint(status(p), " ", len(*c) > 0 && (*c)[0].LastState.ExitCode == 137)
		})
		want := []string{"-2 0/1 Pending false", "0 0/1 ContainerCreating false", "0 1/1 Running false", "37000 1/1 Running true"}
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		w.contains("Unhealthy: Liveness probe failed: ", "Killing: Container c failed liveness probe, will be restarted")
	}
}

// TestLivenessWaitsForStartup: a liveness probe runs only when the startup probe has succeeded (G-20).
func TestLivenessWaitsForStartup(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{Ready: exact(50_000)}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1',
		'startupProbe': {'httpGet': {'port': 80}, 'periodSeconds': 10, 'failureThreshold': 30},
		'livenessProbe': {'httpGet': {'port': 80}, 'periodSeconds': 1}}]}`)
	w.runTo(1000_000)
	if got := w.times("Killing"); got != nil {
		t.Errorf("kills at %v", got)
	}
}

// TestRestartUnseen: a liveness probe finds at 14 s that the process has died, and restarts it before a relist has noticed that. So the status still
// says that the container has started, until the startup probe sees the new run at 22 s. Its worker has read that status before, so it
// probes only at 33 s (G-20).
func TestRestartUnseen(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{Ready: exact(0)}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'startupProbe': {'httpGet': {'port': 80}, 'periodSeconds': 11},
		'livenessProbe': {'httpGet': {'port': 80}, 'periodSeconds': 1, 'failureThreshold': 1}}]}`)
	w.at(13_999)
	w.Must(w.kubelet.Crash(key("web")))
	w.Until(100_000)
	if got, want := w.times("Killing"), []sim.Time{14_000}; !slices.Equal(got, want) {
		t.Errorf("kills at %v, want %v", got, want)
	}
	got := w.changes(readiness)
	want := []string{"-2 false", "11998 true", "22000 false", "33000 true"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestReadinessFailure: "after f failures Ready=False", "no restart, no replacement" (G-25).
func TestReadinessFailure(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{Ready: exact(0)}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'readinessProbe':
		{'httpGet': {'port': 80}, 'periodSeconds': 5, 'failureThreshold': 3, 'successThreshold': 2}}]}`)
	for _, step := range []struct {
		at sim.Time
		do func(api.Key) error
	}{
		{21_000, w.kubelet.FailReadiness},    // fails at 25 30 35 (and 998 ms) → not ready
		{52_000, w.kubelet.RestoreReadiness}, // succeeds at 55 60 → ready
		{71_000, w.kubelet.FailReadiness},    // fails at 75 80
		{82_000, w.kubelet.RestoreReadiness}, // in time
		{91_000, w.kubelet.FailReadiness},    // fails at 95 100 105
		{106_000, w.kubelet.RestoreReadiness},
		{108_000, w.kubelet.FailReadiness}, // too soon
	} {
		w.at(step.at)
		if err := step.do(key("web")); err != nil {
			t.Fatal(err)
		}
	}
	w.runTo(1000_000)
	got := w.changes(func(p *api.Pod) string { return readiness(p) + " " + p.Status.Phase })
	want := []string{"-2 false Pending", "0 false Running", "998 true Running", "35998 false Running", "60998 true Running",
		"105998 false Running"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got, want := w.times("Unhealthy"), []sim.Time{25_998, 75_998, 95_998}; !slices.Equal(got, want) {
		t.Errorf("Unhealthy at %v, want %v", got, want)
	}
	if got := w.Pod("web").Status.ContainerStatuses[0].RestartCount; got != 0 {
		t.Errorf("%d restarts", got)
	}
}

// TestCrash: a process that is killed is restarted at the next relist the first time.
func TestCrash(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{}))
	w.create("web", plain)
	w.at(5000)
	w.Must(w.kubelet.Crash(key("web")))
	w.at(9000)
	w.Must(w.kubelet.Crash(key("web")))
	if err := w.kubelet.Crash(key("web")); err == nil || err.Error() != `container "c" of pod "web" is not running` {
		t.Errorf("a second crash: %v", err)
	}
	w.runTo(100_000)
	if got, want := w.times("Started"), []sim.Time{0, 5998, 22_998}; !slices.Equal(got, want) {
		t.Errorf("starts at %v, want %v", got, want)
	}
	if c := w.Pod("web").Status.ContainerStatuses[0]; c.LastState.ExitCode != 137 || c.LastState.Reason != "Error" || c.RestartCount != 2 {
		t.Errorf("got %+v", c)
	}
}

// TestEnvironmentErrors: the errors for what is impossible.
func TestEnvironmentErrors(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{}))
	w.create("web", plain)
	w.create("old", plain)
	w.at(5000)
	w.Delete(key("old"))
	w.at(5500)
	for _, tt := range []struct {
		err  error
		want string
	}{
		{w.kubelet.Crash(key("nope")), `pod "nope" does not run on any node`},
		{w.kubelet.Crash(key("old")), `pod "old" is being deleted`},
		{w.kubelet.FailReadiness(key("web")), `pod "web" has no readiness probe that could fail; give a container of its template a readinessProbe`},
	} {
		if tt.err == nil || tt.err.Error() != tt.want {
			t.Errorf("got %v, want %s", tt.err, tt.want)
		}
	}
}

// TestTickAfterASync is G-21: the syncs at 0.998 and 1.998 s trigger the probe, the second one while it ticks. That probe comes first, so the ticker is
// reset a moment after the sync, and the sync at 2.998 s, when d has exited, triggers the probe before it ticks: it is probed once then, and is ready at
// the sync after d's new start. An app that answers earlier is probed twice at 1.998 s.
func TestTickAfterASync(t *testing.T) {
	for ready, want := range map[int64]string{2500: "3398 true", 1500: "1998 true", 0: "998 true"} {
		w := newWorld(t, kubelet.Behaviour{Match: "c:1", Pull: exact(0), Start: exact(0), Ready: exact(ready)},
			kubelet.Behaviour{Match: "d:1", Pull: exact(0), Start: exact(400), CrashAfter: exact(2000)})
		w.create("web", `{'containers': [{'name': 'c', 'image': 'c:1', 'readinessProbe':
			{'httpGet': {'port': 80}, 'periodSeconds': 1, 'successThreshold': 2}}, {'name': 'd', 'image': 'd:1'}]}`)
		w.at(4000)
		if got, want := w.changes(firstReady), []string{"-2 false", want}; !slices.Equal(got, want) {
			t.Errorf("answering at %d ms: got %q, want %q", ready, got, want)
		}
	}
}

// firstReady says whether the first container of a pod is ready.
func firstReady(p *api.Pod) string {
	return fmt.Sprint(len(p.Status.ContainerStatuses) > 0 && p.Status.ContainerStatuses[0].Ready)
}

// TestTickBeforeASync is G-21: the probes of b and c tick together, at 6.998 s. c is ready, so the pod is synced, which triggers b's probe: the second
// time in this ms, not the third.
func TestTickBeforeASync(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{Ready: exact(4000)}))
	w.create("web", `{'containers': [{'name': 'b', 'image': 'a:1', 'readinessProbe': {'httpGet': {'port': 80}, 'periodSeconds': 5, 'successThreshold': 3}},
		{'name': 'c', 'image': 'a:1', 'readinessProbe': {'httpGet': {'port': 80}, 'periodSeconds': 5}}]}`)
	w.at(20_000)
	if got, want := w.changes(firstReady), []string{"-2 false", "11998 true"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTickOfAnEndedContainer is G-22: the probes of c and d tick together, at 15 s. c has ended and waits for its restart, so that its probe has a result at
// once. The sync that follows does not know yet that d has started; the next one comes after a relist.
func TestTickOfAnEndedContainer(t *testing.T) {
	for crash, want := range map[int64]string{5500: "15998 true", 60_000: "15000 true"} {
		w := newWorld(t, kubelet.Behaviour{Match: "c:1", Pull: exact(0), Start: exact(0), CrashAfter: exact(crash)},
			kubelet.Behaviour{Match: "d:1", Pull: exact(0), Start: exact(0), Ready: exact(13_000)})
		w.create("web", `{'containers': [{'name': 'c', 'image': 'c:1', 'livenessProbe': {'httpGet': {'port': 80}, 'periodSeconds': 5}},
			{'name': 'd', 'image': 'd:1', 'startupProbe': {'httpGet': {'port': 80}, 'periodSeconds': 5}}]}`)
		w.at(20_000)
		second := func(p *api.Pod) string {
			return fmt.Sprint(len(p.Status.ContainerStatuses) > 1 && p.Status.ContainerStatuses[1].Ready)
		}
		if got := w.changes(second); !slices.Equal(got, []string{"-2 false", want}) {
			t.Errorf("c ends after %d ms: got %q, want %s", crash, got, want)
		}
	}
}

// TestResetTickerInTheNextRun is G-21: the last sync after the startup probe, at 5 s, has reset the readiness probe's ticker. In the next run both tick at
// 30 s, the startup probe first. So the readiness probe, which has failed at 20 s, succeeds twice then: in its tick, and since a sync triggers it.
func TestResetTickerInTheNextRun(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{}))
	w.Must(w.kubelet.Kill("node-1"))
	w.Must(w.kubelet.Restore("node-1"))
	w.kubelet.SetChance(func(string) sim.Time { return seen }, 0)
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'startupProbe': {'httpGet': {'port': 80}, 'initialDelaySeconds': 4, 'periodSeconds': 2},
		'readinessProbe': {'httpGet': {'port': 80}, 'periodSeconds': 5, 'successThreshold': 2}}]}`)
	for _, step := range []struct {
		at sim.Time
		do func(api.Key) error
	}{{19_000, w.kubelet.FailReadiness}, {21_000, w.kubelet.RestoreReadiness}, {24_500, w.kubelet.Crash}} {
		w.at(step.at)
		w.Must(step.do(key("web")))
	}
	w.runTo(40_000)
	if got, want := w.changes(readiness), []string{"-2 false", "5000 true", "25000 false", "30000 true"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestStartupOfASidecar: what follows a sidecar starts when its startup probe has succeeded (kuberuntime_container.go:computeInitContainerActions).
func TestStartupOfASidecar(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{Ready: exact(4500)}))
	w.create("web", `{'initContainers': [{'name': 's', 'image': 'a:1', 'restartPolicy': 'Always', 'startupProbe': {'httpGet': {'port': 80}, 'periodSeconds': 3}}],
		'containers': [{'name': 'c', 'image': 'a:1'}]}`)
	w.runTo(20_000)
	if got, want := w.times("Started"), []sim.Time{0, 6000}; !slices.Equal(got, want) {
		t.Errorf("s and c start at %v, want %v", got, want)
	}
}

// TestProbesOfRelists is G-21: the syncs at 0.998 and 4.998 s, which relists begin, come first in their ms, and so do all ticks of the worker whose
// ticker they reset. A container that has started otherwise becomes ready, and ends, after a tick of that ms; one that such a sync has started, or a
// person has crashed, before.
func TestProbesOfRelists(t *testing.T) {
	for _, tt := range []struct {
		ready, crash int64 // or, if that is negative, when somebody crashes it
		want         []string
	}{
		{500, -998, []string{"-2 false", "2998 true"}},
		{1000, -1998, []string{"-2 false", "3998 true"}},
		{1997, 100_000, []string{"-2 false", "1998 true"}},
		{1998, 100_000, []string{"-2 false", "2998 true"}},
		{1000, 1998, []string{"-2 false", "1998 true", "2998 false"}},
		{2000, 4500, []string{"-2 false", "2998 true", "4998 false", "6998 true"}},
	} {
		app := kubelet.Behaviour{Ready: exact(tt.ready), CrashAfter: exact(tt.crash)}
		if tt.crash < 0 {
			app.CrashAfter = nil
		}
		w := newWorld(t, instant(app))
		w.At(seen+max(0, -tt.crash), func() {
			w.Kernel.SetCause(0)
			_ = w.kubelet.Crash(key("web")) // what does not run yet does not crash
		})
		w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'readinessProbe': {'exec': {'command': ['true']}, 'periodSeconds': 1, 'failureThreshold': 1}}]}`)
		w.at(7000)
		if got := w.changes(readiness); !slices.Equal(got[:min(len(got), len(tt.want))], tt.want) {
			t.Errorf("ready after %d, crash after %d: %v, want %v", tt.ready, tt.crash, got, tt.want)
		}
	}
}

// TestEndOfASyncOfARelist is the same of the sync that begins when one of a relist ends: from 1.998 to 2.498 s that starts d again, and c ends in between.
// So c starts again at 2.498 s, is ready 1.5 s later, and is probed then.
func TestEndOfASyncOfARelist(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "c:1", Pull: exact(199), Start: exact(0), Ready: exact(1500), CrashAfter: exact(2100)},
		kubelet.Behaviour{Match: "d:1", Pull: exact(1), Start: exact(500), CrashAfter: exact(1250)})
	w.create("web", `{'containers': [{'name': 'c', 'image': 'c:1', 'readinessProbe': {'exec': {'command': ['true']}, 'periodSeconds': 1, 'failureThreshold': 1}},
		{'name': 'd', 'image': 'd:1'}]}`)
	w.at(4500)
	got := w.changes(func(p *api.Pod) string {
		return fmt.Sprint(len(p.Status.ContainerStatuses) > 0 && p.Status.ContainerStatuses[0].Ready)
	})
	if want := []string{"-2 false", "1998 true", "2498 false", "3998 true"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestStopsOfRelists is the same of a container that such a sync stops: the liveness probe fails at 2 s, and the sync that kills it waits for the relist
// at 2.998 s. The process ends at 3.998 s, before the readiness probe ticks.
func TestStopsOfRelists(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "*", Pull: exact(0), Start: exact(1500), Ready: exact(1000), Stop: exact(1000)})
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'readinessProbe': {'exec': {'command': ['true']}, 'periodSeconds': 1, 'failureThreshold': 1},
		'livenessProbe': {'exec': {'command': ['true']}, 'periodSeconds': 2, 'failureThreshold': 1}}]}`)
	w.at(5000)
	if got, want := w.changes(readiness), []string{"-2 false", "2998 true", "3998 false"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
