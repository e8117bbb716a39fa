package kubelet_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestSyncsWaitForRelists is G-16: node-1 lists its containers at 998 ms of each second (after the pod is seen). The liveness probe fails at 3.000 s,
// 2 ms after the relist, and the pod is synced at once. A pod that was synced since the last relist waits for the next one: the second probe
// of the run that starts at 5.000 s, at 5.000 + 1.000, asks while the two syncs that the new run itself has asked for, at 5.998 and 6.998 s, are
// still to come.
func TestSyncsWaitForRelists(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{NeverReady: true, Stop: exact(2000)}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'livenessProbe':
		{'exec': {'command': ['true']}, 'periodSeconds': 3, 'failureThreshold': 1}}]}`)
	w.runTo(20_000)
	if got, want := w.times("Killing"), []sim.Time{3000, 6998}; len(got) < 2 || !slices.Equal(got[:2], want) {
		t.Errorf("kills at %v, want %v", got, want)
	}
}

// TestDeletionWaitsForASync is G-16: a pod that is deleted while its worker waits for a relist is synced then as it was, and stops at the
// relist after that.
func TestDeletionWaitsForASync(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{Ready: exact(0)}))
	w.create("web", `{'containers': [{'name': 'c', 'image': 'a:1', 'readinessProbe': {'httpGet': {'port': 80}}}]}`)
	w.at(100)
	w.Delete(key("web"))
	w.runTo(20_000)
	if got, want := w.times("Killing"), []sim.Time{1998}; !slices.Equal(got, want) {
		t.Errorf("told to stop at %v, want %v", got, want)
	}
}

// TestDeletionInTheMsOfARelist is G-16: what a relist leads to comes first in its ms, so a pod whose deletion is told then restarts a container that
// has exited, and pulls again what is due.
func TestDeletionInTheMsOfARelist(t *testing.T) {
	for reason, image := range map[string]kubelet.Behaviour{"Started": {CrashAfter: exact(11_500)}, "Pulling": {PullFails: true}} {
		for deleted, want := range map[sim.Time][]sim.Time{11_996: {0}, 11_997: {0, 11_998}} {
			w := newWorld(t, instant(image))
			w.kubelet.SetChance(func(string) sim.Time { return 0 }, 0)
			w.create("web", plain)
			w.at(deleted)
			w.Delete(key("web"))
			w.runTo(100_000)
			if got := w.times(reason); !slices.Equal(got, want) {
				t.Errorf("deleted at %d: %s at %v, want %v", deleted, reason, got, want)
			}
		}
	}
}

// TestCaughtUpSyncs is G-15: a pod that is as it should be is synced, too, after a minute or more. That changes nothing, and is computed when it
// matters: a deletion within the second after it, or in its ms, waits for the next relist.
func TestCaughtUpSyncs(t *testing.T) {
	for first, wait := range map[sim.Time]sim.Time{60_000: 998, 60_997: 1001} {
		waits := 0
		for at := first; at < 100_000; at += 1000 {
			w := newWorld(t, instant(kubelet.Behaviour{}))
			w.create("web", plain)
			w.at(at)
			w.Delete(key("web"))
			w.runTo(200_000)
			switch got := w.times("Killing")[0]; got {
			case at + sim.WatchLatency:
			case at + wait:
				waits++
			default:
				t.Errorf("deleted at %d, told to stop at %d", at, got)
			}
		}
		if waits != 1 {
			t.Errorf("%d of 40 deletions from %d ms on wait, want 1", waits, first)
		}
	}
}

// TestSkippedRetries is the same of retries that find the back-off of a pull: in TestBackOffShows one comes at 72.998 s, so a deletion in that ms waits.
func TestSkippedRetries(t *testing.T) {
	for deleted, want := range map[sim.Time]sim.Time{71_997: 1001, 72_997: 2001, 73_997: 1001} {
		w := newWorld(t, kubelet.Behaviour{Match: "*", PullFails: true, Pull: exact(1000)})
		w.create("web", plain)
		w.at(deleted)
		w.Delete(key("web"))
		w.runTo(200_000)
		if got := w.Server.Store.Log[len(w.Server.Store.Log)-1].At - seen - deleted; got != want {
			t.Errorf("deleted at %d, gone %d ms later, want %d", deleted, got, want)
		}
	}
}

// TestMinuteOverInASync is G-15: the pod was synced last at 3 s, so it is due again at 63 s, and the kubelet looks for such pods at 64 s. A sync is
// under way then: it has begun to stop the container at 62 s, and ends when that runs again, at 72.656 s. So three syncs were asked for: by the
// end of a run, by the start of the next one, and by that look. They come at 72.656, 73 and 74 s, and the deletion at 73.7 s waits until 75 s.
func TestMinuteOverInASync(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "*", Pull: exact(2052), Start: exact(74), Stop: exact(10_580), NeverReady: true})
	w.kubelet.SetChance(func(string) sim.Time { return 0 }, 0)
	w.create("web", `{'terminationGracePeriodSeconds': 38, 'containers': [{'name': 'c', 'image': 'a:1', 'livenessProbe':
		{'exec': {'command': ['true']}, 'periodSeconds': 31, 'failureThreshold': 2}}]}`)
	w.runTo(73_700)
	w.Delete(key("web"))
	w.runTo(100_000)
	if got, want := w.times("Killing"), []sim.Time{62_000, 75_000 - seen}; !slices.Equal(got, want) {
		t.Errorf("told to stop at %v, want %v", got, want)
	}
}

// TestEndsDuringASync is G-14: d exits at 3.1 and again at 7.098 s, while a sync stops c, from 6 to 7.4 s. The relist after that sync tells of this end
// as of the end and the new start of c. So three syncs find d's back-off, the last of them also because c's readiness probe
// looks at a new run; the relist at 7.998 s tells nothing new. An exit in the ms in which the sync ends is told of as well.
func TestEndsDuringASync(t *testing.T) {
	for _, runs := range []int64{3100, 7400 - 3998} {
		w := newWorld(t, kubelet.Behaviour{Match: "c:1", Pull: exact(0), Start: exact(0), Stop: exact(1400), NeverReady: true},
			kubelet.Behaviour{Match: "d:1", Pull: exact(0), Start: exact(0), CrashAfter: exact(runs)})
		w.create("web", `{'containers': [{'name': 'c', 'image': 'c:1', 'livenessProbe':
			{'exec': {'command': ['true']}, 'initialDelaySeconds': 4, 'periodSeconds': 6, 'failureThreshold': 1},
			'readinessProbe': {'exec': {'command': ['true']}, 'periodSeconds': 100}}, {'name': 'd', 'image': 'd:1'}]}`)
		w.at(11_900)
		if got, want := w.times("BackOff"), []sim.Time{7400, 7998, 8998}; !slices.Equal(got, want) {
			t.Errorf("running %d ms: back-offs at %v, want %v", runs, got, want)
		}
	}
}

// TestExitBeforeAResync is G-14: a relist tells of an exit before the kubelet looks, in the same ms, for pods that are due again after a minute or
// more (G-15), so the container restarts at once, whenever that is.
func TestExitBeforeAResync(t *testing.T) {
	for exit := sim.Time(60_997); exit < 100_000; exit += 1000 {
		w := newWorld(t, instant(kubelet.Behaviour{CrashAfter: exact(exit)}))
		w.create("web", plain)
		w.at(exit + 1)
		if got, want := w.times("Started"), []sim.Time{0, exit + 1}; !slices.Equal(got, want) {
			t.Errorf("after an exit at %d, starts at %v, want %v", exit, got, want)
		}
	}
}

// TestNewsOfAFailedSync: the next relist tells what a sync that has failed has changed, which leads to a sync each; of a container that has started and
// ended before it, only the end (pleg/generic.go:generateEvents).
func TestNewsOfAFailedSync(t *testing.T) {
	behaviours := []kubelet.Behaviour{{Match: "bad", PullFails: true, Pull: exact(0)}, {Match: "short", Pull: exact(0), Start: exact(0), CrashAfter: exact(100)},
		{Match: "long", Pull: exact(0), Start: exact(0), CrashAfter: exact(5000)}, {Match: "second", Pull: exact(0), Start: exact(0), CrashAfter: exact(998)}}
	for images, want := range map[[2]string][]sim.Time{
		{"bad", "short"}:  {998, 1998, 2998},        // at 0.998 s: the sandbox, and the end of the second container, which starts again
		{"bad", "second"}: {998, 2998, 3998},        // at 0.998 s, the second container has not ended for the relist
		{"short", "long"}: {1998, 2998, 5998, 6998}, // at 6.998 s: the start of the second container; the first one has ended long before
	} {
		w := newWorld(t, behaviours...)
		w.create("web", fmt.Sprintf(`{'containers': [{'name': 'c', 'image': '%s'}, {'name': 'd', 'image': '%s'}]}`, images[0], images[1]))
		w.at(10_000)
		if got := w.times("BackOff"); !slices.Equal(got, want) {
			t.Errorf("%s: back-offs at %v, want %v", images, got, want)
		}
	}
}

// TestRetryDuringASync is G-15: a pull of c's image has failed at 16.040 s, so the pod is due again at 27 s. A sync is under way then: it stops d and
// starts it again, from 17 to 35.900 s. So three syncs were asked for: by the end of d, by its start, and by the retry. They come at 36, 37 and
// 39 s; the second one pulls in vain, and the third one says so.
func TestRetryDuringASync(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "bad:1", PullFails: true, Pull: exact(1040)},
		kubelet.Behaviour{Match: "d:1", Pull: exact(487), Start: exact(727), Stop: exact(18_173), NeverReady: true})
	w.kubelet.SetChance(func(string) sim.Time { return 0 }, 0)
	w.create("web", `{'containers': [{'name': 'c', 'image': 'bad:1'}, {'name': 'd', 'image': 'd:1', 'livenessProbe':
		{'exec': {'command': ['true']}, 'periodSeconds': 5, 'failureThreshold': 3}}]}`)
	w.runTo(45_000)
	got, want := w.changes(status), []string{"16998 1/2 ErrImagePull", "35998 1/2 ImagePullBackOff", "38998 1/2 ErrImagePull"}
	if !slices.Equal(got[max(0, len(got)-3):], want) {
		t.Errorf("got %q, want the end %q", got, want)
	}
}
