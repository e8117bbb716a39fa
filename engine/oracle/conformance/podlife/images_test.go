package podlife

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// images are behaviours of images that pods get one after the other.
const images = "  - {match: \"a:1\", pull: 1s, start: 300ms, stop: 2500ms, ready: 1s}\n  - {match: \"a:2\", pull: 700ms, start: 200ms, stop: 1s, ready: 3s}\n" +
	"  - {match: \"bad:1\", pull: fails}\n  - {match: \"crash:1\", pull: 500ms, start: 100ms, stop: 1s, crash: 3s}\n"

const (
	plain1c = "  containers:\n  - {name: c, image: \"c:1\"}\n"
	plain1  = "  containers:\n  - {name: c, image: \"a:1\"}\n"
	probed1 = "  containers:\n  - {name: c, image: \"a:1\", readinessProbe: {httpGet: {path: /p/c, port: 80}, periodSeconds: 4},\n" +
		"     livenessProbe: {httpGet: {path: /p/c, port: 80}, periodSeconds: 10, terminationGracePeriodSeconds: 1}}\n"
	starts  = "  - {name: %s, image: \"%s:1\", startupProbe: {exec: {command: [r]}, periodSeconds: 1, failureThreshold: 90}}\n"
	initial = "  initContainers:\n  - {name: init, image: %q}\n" + plain1
	changes = "  - {at: 20300ms, run: kubectl set image pod/p c=a:2}\n"
)

// changed are pods whose images change while they run, and drawn ones that have differed once.
var changed = map[string]string{
	"a-retry-while-another-pulls":                         Draw(291, 11),
	"a-retry-while-another-stops":                         Draw(261127, 15),
	"a-tick-that-takes-back-that-a-container-has-started": Draw(281127, 16),
	"a-result-of-a-probe-is-a-status-of-its-own":          Draw(271129, 17),
	"a-minute-is-over-while-a-sync-stops-a-container":     Draw(912735, 18),
	"a-retry-is-due-when-a-relist-tells-of-an-exit":       Draw(912735, 125),
	"a-hook-ends-when-a-relist-begins":                    Draw(912735, 194),
	"a-retry-and-an-exit-of-another-container":            Draw(912735, 288),
	"an-exit-is-told-after-the-sync-that-waits":           Draw(482915, 62),
	"a-probe-ticks-when-a-relist-tells-of-an-exit":        Draw(482915, 114),
	"a-container-starts-before-its-end-is-told":           Draw(482915, 197),
	"a-gate-opens-while-a-sync-waits-for-another":         Draw(482915, 246),
	"an-end-is-told-while-another-container-is-probed":    Draw(482915, 252),
	"two-probes-fail-at-once":                             Draw(482915, 311),
	"two-probes-fail-at-once-again":                       Draw(271191, 266),
	"a-retry-is-due-while-the-next-sync-is-under-way":     Draw(271191, 111),
	"a-probe-ticks-after-those-that-led-to-its-reset":     Draw(271191, 198),
	"a-container-counts-as-started-once-a-sync-has-begun": Draw(271191, 491),
	"a-back-off-is-over-in-the-ms-of-a-sync":              Draw(271195, 10),
	"a-ticker-was-reset-after-a-probe":                    Draw(271195, 14),
	"a-relist-after-a-sync-tells-of-another-end":          Draw(271195, 151),
	"a-gate-opens-while-a-deleted-pod-restarts":           Draw(55117, 13),
	"a-back-off-is-over-in-the-ms-of-a-kill":              Draw(271301, 30),
	"a-gate-opens-before-a-deletion":                      Draw(271301, 53),
	"a-container-starts-and-ends-between-two-relists":     Draw(271311, 314),
	"a-crash-in-the-ms-of-a-probe":                        Draw(271311, 549),
	"a-container-is-ready-in-the-ms-of-a-relist":          Draw(280911, 854),
	"a-relist-tells-of-an-exit-in-the-ms-of-a-deletion":   Draw(280911, 884),
	"a-container-comes-in-the-ms-of-a-relist":             Draw(281192, 500),
	"an-ended-container-is-probed-while-it-is-stopped":    Draw(281811, 404),
	"a-probe-ticks-when-a-grace-period-is-over":           Draw(281811, 485),
	"a-back-off-is-over-when-a-probe-ticks":               Draw(281811, 673),
	"an-ended-container-is-probed-as-another-has-started": Draw(291102, 344),
	"an-ended-container-is-probed-as-another-fails":       Draw(291102, 234),
	"a-back-off-after-a-command-is-over-when-a-probe-ticks": pod("  - {match: \"c:1\", pull: 1s, start: 300ms, stop: 1s}\n"+
		"  - {match: \"d:1\", pull: 1s, start: 300ms, stop: 1s, ready: 37200ms}\n  - {match: \"e:1\", pull: 1s, start: 300ms, stop: 1s, ready: 61s}\n",
		"  - {at: 20001ms, do: crash pod/p}\n  - {at: 30001ms, do: crash pod/p}\n  - {at: 45001ms, do: crash pod/p}\n", "30",
		plain1c+fmt.Sprintf(starts, "d", "d")+fmt.Sprintf(starts, "e", "e")),
	"a-container-ends-in-the-ms-of-a-relist": pod("  - {match: \"bad:1\", pull: fails}\n  - {match: \"d:1\", pull: 0s, start: 0s, crash: 59ms}\n",
		"", "30", "  containers:\n  - {name: bad, image: \"bad:1\"}\n  - {name: d, image: \"d:1\"}\n"),
	"of-containers-whose-names-are-not-in-order": pod(images, changes, "30", plain1+"  - {name: b, image: \"bad:1\"}\n"),
	"a-pull-is-due-again-while-another-stops": pod("  - {match: \"bad:1\", pull: fails}\n  - {match: \"d:1\", pull: 487ms, start: 727ms, stop: 18173ms, ready: never}\n",
		"", "30", "  containers:\n  - {name: c, image: \"bad:1\"}\n"+
			"  - {name: d, image: \"d:1\", livenessProbe: {exec: {command: [r]}, periodSeconds: 5, failureThreshold: 3}}\n"),
	"a-container-restarts-in-the-ms-of-its-probes": pod("  - {match: \"c:1\", pull: 1s, start: 0s, stop: 0s, ready: never}\n", "", "30",
		"  containers:\n  - {name: c, image: \"c:1\", livenessProbe: {exec: {command: [r]}, periodSeconds: 1, failureThreshold: 3},\n"+
			"     readinessProbe: {exec: {command: [r]}, periodSeconds: 1, failureThreshold: 3}}\n"),
	"a-minute-is-over-when-a-relist-tells-of-an-exit": pod(fmt.Sprintf(one, ""), "  - {at: 61500ms, do: crash pod/p}\n", "30", plain1c),
	"without-a-grace-period":                          pod(images, fmt.Sprintf(at, "20s", ""), "0", probed1),
	"a-running-container":                             pod(images, changes, "30", plain1),
	"a-grace-period-of-2-s":                           pod(images, changes, "1", plain1),
	"with-probes":                                     pod(images, changes, "30", probed1),
	"one-of-two":                                      pod(images, changes, "30", plain1+"  - {name: d, image: \"a:1\"}\n"),
	"to-what-cannot-be-pulled":                        pod(images, "  - {at: 20300ms, run: kubectl set image pod/p c=bad:1}\n  - {at: 61700ms, run: kubectl set image pod/p c=a:2}\n", "30", plain1),
	"twice":                                           pod(images, changes+"  - {at: 21100ms, run: kubectl set image pod/p c=a:1}\n", "30", plain1),
	"while-it-is-pulled":                              pod(images, "  - {at: 600ms, run: kubectl set image pod/p c=a:2}\n", "30", plain1),
	"of-a-crash-loop":                                 pod(images, "  - {at: 30300ms, run: kubectl set image pod/p c=a:2}\n", "30", "  containers:\n  - {name: c, image: \"crash:1\"}\n"),
	"to-a-crash-loop":                                 pod(images, "  - {at: 20300ms, run: kubectl set image pod/p c=crash:1}\n", "30", plain1),
	"of-a-sidecar":                                    pod(images, "  - {at: 20300ms, run: kubectl set image pod/p s=a:2}\n", "30", "  initContainers:\n  - {name: s, image: \"a:1\", restartPolicy: Always}\n"+plain1),
	"while-it-is-deleted":                             pod(images, "  - {at: 20s, run: kubectl delete pod p --wait=false}\n"+changes, "30", plain1),
	"and-deleted-at-once":                             pod(images, changes+"  - {at: 20600ms, run: kubectl delete pod p --wait=false}\n", "30", plain1),

	"whose-probes-name-ports-that-are-not-declared": pod(images, "  - {at: 35s, do: crash pod/p}\n", "30",
		"  containers:\n  - {name: c, image: \"a:1\", readinessProbe: {httpGet: {path: /p/c, port: web}, periodSeconds: 2},\n"+
			"     livenessProbe: {tcpSocket: {port: web}, periodSeconds: 1}}\n"+
			"  - {name: d, image: \"a:2\", ports: [{containerPort: 80, name: http}], startupProbe: {httpGet: {path: /p/d, port: https}, periodSeconds: 1},\n"+
			"     readinessProbe: {httpGet: {path: /p/d, port: http}}}\n"+
			"  - {name: e, image: \"a:2\", ports: [{containerPort: 80, name: http}], readinessProbe: {httpGet: {path: /p/e, port: http}}}\n"),

	// Images that are not pulled.
	"to-a-name-that-cannot-be-read": pod(images, "  - {at: 20300ms, run: kubectl set image pod/p c=A:1}\n"+
		"  - {at: 61700ms, run: kubectl set image pod/p c=a:2}\n", "30", plain1),
	"of-an-init-container-that-has-not-run":    pod(images, "  - {at: 30s, run: kubectl set image pod/p init=a:1}\n", "30", fmt.Sprintf(initial, "bad:1")),
	"of-an-init-container-that-cannot-be-read": pod(images, "  - {at: 30s, run: kubectl set image pod/p init=a:1}\n", "30", fmt.Sprintf(initial, "B")),
	"that-must-not-be-pulled":                  pod(images, "", "30", "  initContainers:\n  - {name: init, image: \"b:1\", imagePullPolicy: Never}\n"+plain1),
	"with-names-that-cannot-be-read": pod(images, "", "30", "  initContainers:\n  - {name: s, image: \"a:1\", restartPolicy: Always}\n"+
		"  containers:\n  - {name: c, image: \"ko://a.b/c\"}\n  - {name: d, image: \"a:1\"}\n  - {name: e, image: \"a:1:2\"}\n"),
}

// TestImages: a pod whose image changes is what the real kubelet makes of it, for each chance.
func TestImages(t *testing.T) {
	var equal strings.Builder
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if v := Scenario(t, changed[name]); v.Difference != nil {
			t.Errorf("%s: %s", name, v.Difference.Text)
		} else if v.Shifted {
			t.Errorf("%s is no tie: it was equal without a shifted run", name)
		}
		fmt.Fprintln(&equal, name, sum(changed[name]))
	}
	checkKnown(t, "testdata/judged-images.txt", equal.String())
}
