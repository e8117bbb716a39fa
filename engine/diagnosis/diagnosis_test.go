package diagnosis_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/scenarios"
)

// at diagnoses Deployment web at a moment.
func at(run *engine.Run, t int64) *diagnosis.Diagnosis {
	return diagnosis.Of(run.Past(), texts.Web, run.Past().Find(t), t)
}

// findingIn returns the finding of an ID.
func findingIn(d *diagnosis.Diagnosis, id string) *diagnosis.Finding {
	for i := range d.Findings {
		if d.Findings[i].ID == id {
			return &d.Findings[i]
		}
	}
	return nil
}

// diagnosisText formats a diagnosis with the findings of an ID, or with all findings.
func diagnosisText(d *diagnosis.Diagnosis, id string) string {
	text := fmt.Sprintf("%s since %d: %s", d.State, d.Since, d.Title)
	for _, f := range d.Findings {
		if id != "" && f.ID != id {
			continue
		}
		text += fmt.Sprintf("\n[%s %s] %s\n> %s", f.ID, f.Rule, f.Text, f.Next)
		for _, fix := range f.Fix {
			text += fmt.Sprintf("\n$ %s // %s", fix.Command, fix.Label)
		}
	}
	return text
}

// wantFixed runs each fix of a finding at a moment, in a separate run, and asserts that the rollout completes.
func wantFixed(t *testing.T, run *engine.Run, moment int64, f *diagnosis.Finding) {
	t.Helper()
	for _, fix := range f.Fix {
		rec := run.Recording()
		act := run.ActAt(moment)
		commands, lines := slices.Clone(rec.Commands), strings.Split(fix.Command, " && ")
		for _, line := range lines {
			commands = append(commands, engine.Command{At: act, Run: line})
		}
		fixed := runs.Of(t, rec.Scenario, commands...)
		answer := ""
		for i := range fixed.Len() {
			if r := fixed.Record(i); r.Kind == engine.Input && r.T == act && r.Command == lines[0] && !r.Failed {
				answer = r.What
			}
		}
		if answer == "" {
			t.Errorf("%s: %q is rejected", f.ID, fix.Command)
		}
		if d := at(fixed, fixed.Now()); d.State != diagnosis.StateComplete {
			t.Errorf("%s: %q does not fix it:\n%s", f.ID, fix.Command, diagnosisText(d, ""))
		}
	}
}

// TestDiagnoseStuck: why a rollout is stuck, since when, and that the fixes work.
func TestDiagnoseStuck(t *testing.T) {
	const (
		bad    = "{match: \"web:2\", pull: fails}\n" + texts.Quick
		crash  = "{match: \"web:2\", pull: 1s, start: 300ms, crash: 2s, stop: 1s}\n" + texts.Quick
		never  = "{match: \"web:2\", pull: 1s, start: 300ms, ready: never, stop: 1s}\n" + texts.Quick
		update = "{at: 10s, run: set image deployment/web web=web:2}"
		probe  = "image: web:1, readinessProbe: {httpGet: {path: /, port: 80}, periodSeconds: 2}"
	)
	small := func(text string) string {
		return strings.Replace(text, "spec:\n", "spec:\n  nodes: [{name: a, cpu: \"2\", pods: 20}]\n", 1)
	}
	gated := func(text string) string {
		return strings.Replace(text, "      containers:", "      readinessGates: [{conditionType: a.b/c}]\n      containers:", 1)
	}
	four := "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: four}\nspec: {hard: {pods: \"4\"}}\n"
	for _, tt := range []struct {
		name, text string
		moment     int64
		id         string
		want       string // state, title and the finding
	}{
		{"bad image", texts.World(bad, "replicas: 3", "image: web:1", update), 25_000, "bad-image", `
stuck since 12738: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 1 pod of revision 2 waits for image web:2: ImagePullBackOff; the kubelet is retrying.
> The kubelet keeps retrying the pull, at most 5m apart. In 9m46s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"bad image that is being tried", texts.World(bad, "replicas: 3", "image: web:1", update), 23_500, "bad-image", `
stuck since 12738: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 1 pod of revision 2 waits for image web:2: ErrImagePull; the kubelet is retrying.
> The kubelet keeps retrying the pull, at most 5m apart. In 9m48s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"bad image from the start", texts.World(bad, "replicas: 3", "image: web:2"), 5_000, "bad-image", `
stuck since 1738: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 3 pods of revision 1 wait for image web:2: ErrImagePull; the next attempt is in 6s at the earliest.
> The kubelet keeps retrying the pull, at most 5m apart. In 9m56s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl set image deployment/web web=web:latest // Use an image that exists, for example latest`},
		{"bad image, then another", texts.World("{match: \"web:3\", pull: fails}\n"+bad, "replicas: 3", "image: web:1", update, "{at: 12s, run: set image deployment/web web=web:3}"), 20_000, "bad-image", `
stuck since 13827: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 1 pod of revision 3 waits for image web:3: ErrImagePull; the next attempt is in 3s at the earliest.
> The kubelet keeps retrying the pull, at most 5m apart. In 9m53s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web --to-revision=1 // Go back to revision 1`},
		{"readiness gate", gated(texts.World(texts.Quick, "replicas: 2", "image: web:1")), 70_000, "gate", `
stuck since 1000: The rollout makes no progress: nobody has set the readiness gate a.b/c
[gate G-27] 2 pods of revision 1 are running, but not Ready: the wait for the condition a.b/c, which something outside the cluster sets, has lasted 69s.
> It continues when the condition is set. In 8m51s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.`},
		{"crash loop", texts.World(crash, "replicas: 2\n  minReadySeconds: 5", "image: web:1", update), 18_000, "crash-loop", `
stuck since 13460: The rollout is stuck: its containers keep crashing
[crash-loop G-11] 1 pod of revision 2 crashes: container web of pod web-6b9fd4f9f6-sxhxt has ended twice, last with exit code 1; the next start is in 7s at the earliest.
> The kubelet keeps restarting it, at most 5m apart. In 9m56s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"flapping", texts.World(crash, "replicas: 2\n  minReadySeconds: 5", "image: web:1", update), 26_000, "flapping", `
stuck since 13460: The rollout is stuck: its containers keep crashing
[flapping G-13] 1 pod of revision 2 becomes Ready and loses readiness before minReadySeconds (5s) have passed: pod web-6b9fd4f9f6-sxhxt twice so far.
> The deadline restarts each time more pods are Ready (D-63). In 9m48s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"readiness", texts.World(never, "replicas: 4\n  progressDeadlineSeconds: 60", probe, update), 20_000, "not-ready", `
stuck since 11000: The rollout makes no progress: the readiness probe fails
[not-ready G-22] 2 pods of revision 2 are running but not Ready: container web has run for 9s, and its readiness probe (httpGet) has not succeeded. It probes every 2s.
> The probe repeats every 2s; a failing readiness probe does not restart a pod (G-25). In 51s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"deadline", texts.World(never, "replicas: 4\n  progressDeadlineSeconds: 6", probe, update), 30_000, "deadline", `
stuck since 11000: The rollout makes no progress: the readiness probe fails
[deadline D-64] There was no progress for 6s (progressDeadlineSeconds): 2 of 4 are updated, 3 available.
> This is only a report: nothing is rolled back, and the rollout still succeeds once the cause is gone.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"startup", texts.World(never, "replicas: 2", "image: web:1, startupProbe: {tcpSocket: {port: 80}, periodSeconds: 1, failureThreshold: 4}", update), 30_000, "crash-loop", `
stuck since 26460: The rollout is stuck: its containers keep crashing
[crash-loop G-11] 1 pod of revision 2 crashes: container web of pod web-7dcdfc9588-sxhxt has ended 3 times, last with exit code 0; the next start is in 16s at the earliest.
> The kubelet keeps restarting it, at most 5m apart. In 9m41s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"quota", texts.World(texts.Quick, "replicas: 6", "image: web:1") + four, 5_000, "quota", `
stuck since 3: The rollout is stuck: quota four is used up
[quota G-50] ReplicaSet web-569b4b85c7 has 4 of its 6 pods: pods "web-569b4b85c7-m4v6h" is forbidden: exceeded quota: four, requested: pods=1, used: pods=4, limited: pods=4
> The ReplicaSet controller retries with growing delays, up to 16m40s (H-5); it is not notified when the cause is gone (R-23). In 9m57s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl scale deployment/web --replicas=4 // Scale down to 4, which fits
$ kubectl delete resourcequota four && kubectl rollout restart deployment/web // Remove the quota and restart`},
		{"quota that an undo needs, too", texts.World(texts.Quick, "replicas: 4", "image: web:1", "{at: 10s, run: kubectl create quota none --hard=pods=0}", update), 15_000, "quota", `
stuck since 10003: The rollout is stuck: quota none is used up
[quota G-50] ReplicaSet web-6b9fd4f9f6 has 0 of its 2 pods: pods "web-6b9fd4f9f6-m4v6h" is forbidden: exceeded quota: none, requested: pods=1, used: pods=4, limited: pods=0
> The ReplicaSet controller retries with growing delays, up to 16m40s (H-5); it is not notified when the cause is gone (R-23). In 9m56s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl delete resourcequota none && kubectl rollout restart deployment/web // Remove the quota and restart`},
		{"quota in a rollout", texts.World(texts.Quick, "replicas: 4\n  strategy: {rollingUpdate: {maxUnavailable: 0}}", "image: web:1", update) + four, 15_000, "quota", `
stuck since 10003: The rollout is stuck: quota four is used up
[quota G-50] ReplicaSet web-6b9fd4f9f6 has 0 of its 1 pod: pods "web-6b9fd4f9f6-m4v6h" is forbidden: exceeded quota: four, requested: pods=1, used: pods=4, limited: pods=4
> The ReplicaSet controller retries with growing delays, up to 16m40s (H-5); it is not notified when the cause is gone (R-23). In 9m56s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1
$ kubectl scale deployment/web --replicas=3 // Scale down to 3, which fits
$ kubectl delete resourcequota four && kubectl rollout restart deployment/web // Remove the quota and restart`},
		{"paused", texts.World(texts.Quick, "replicas: 2\n  paused: true", "image: web:1"), 5_000, "paused", `
stuck since 1: The rollout is stuck: it is paused
[paused D-25] The Deployment was created paused: it has no ReplicaSet, and no pods.
> Until it is resumed, it only scales; no deadline runs (D-24).
$ kubectl rollout resume deployment/web // Resume it`},
		{"paused before a new template", texts.World(texts.Quick, "replicas: 2", "image: web:1", "{at: 5s, run: rollout pause deployment/web}", update), 15_000, "paused", `
stuck since 5001: The rollout is stuck: it is paused
[paused D-25] The Deployment is paused, and a new template waits: it has no ReplicaSet yet.
> Until it is resumed, it only scales; no deadline runs (D-24).
$ kubectl rollout resume deployment/web // Resume it`},
		{"paused in mid-rollout", texts.World(texts.Quick, "replicas: 4", "image: web:1", update, "{at: 10500ms, run: rollout pause deployment/web}"), 15_000, "paused", `
stuck since 10501: The rollout is stuck: it is paused
[paused D-25] The Deployment is paused in the middle of a rollout: 2 of 5 pods are updated.
> Until it is resumed, it only scales; no deadline runs (D-24).
$ kubectl rollout resume deployment/web // Resume it`},
		{"stale annotation", texts.World(texts.Quick, "replicas: 1", "image: web:1", "{at: 5s, run: scale rs/web-569b4b85c7 --replicas=2}", "{at: 5s, run: scale deployment/web --replicas=2}", update), 15_000, "stale-annotation", `
stuck since 10000: The rollout is stuck: a stale annotation blocks the new template
[stale-annotation D-27] ReplicaSet web-569b4b85c7 has size 2, which is right, but its annotation deployment.kubernetes.io/desired-replicas says 1. While the two differ, every sync only scales; the size is right, so it does nothing, and a new template never rolls out.
> Nothing happens on its own.
$ kubectl scale deployment/web --replicas=3 // Scale to another size, 3, which rewrites the annotation
$ kubectl annotate rs/web-569b4b85c7 deployment.kubernetes.io/desired-replicas=2 --overwrite // Fix the annotation`},
		{"unschedulable", small(texts.World(texts.Quick, "replicas: 3", "image: web:1, resources: {requests: {cpu: 600m}}", update)), 15_000, "unschedulable", `
stuck since 10000: The rollout is stuck: its pods fit no node
[unschedulable G-32] 1 pod of revision 2 fits no node: 0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.
> The scheduler retries when a pod is gone or a node changes (G-33). In 9m56s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1
$ kubectl scale deployment/web --replicas=2 // Scale down to 2, which fits`},
		{"unschedulable from the start", small(texts.World(texts.Quick, "replicas: 5", "image: web:1, resources: {requests: {cpu: 600m}}")), 5_000, "unschedulable", `
stuck since 0: The rollout is stuck: its pods fit no node
[unschedulable G-32] 2 pods of revision 1 fit no node: 0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.
> The scheduler retries when a pod is gone or a node changes (G-33). In 9m57s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl scale deployment/web --replicas=3 // Scale down to 3, which fits`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run := runs.Of(t, tt.text)
			d := at(run, tt.moment)
			if got := diagnosisText(d, tt.id); got != strings.TrimSpace(tt.want) {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			f := findingIn(d, tt.id)
			if f == nil || d.State != diagnosis.StateStuck {
				t.Fatalf("%s is not found: %s", tt.id, diagnosisText(d, ""))
			}
			wantFixed(t, run, tt.moment, f)
		})
	}
}

// TestDiagnosedTimes: what a finding predicts happens at the predicted time.
func TestDiagnosedTimes(t *testing.T) {
	bad := runs.Of(t, texts.World("{match: \"web:2\", pull: fails}\n"+texts.Quick, "replicas: 3\n  progressDeadlineSeconds: 100", "image: web:1", "{at: 10s, run: set image deployment/web web=web:2}"))
	crash := runs.Of(t, texts.World("{match: \"web:2\", pull: 1s, start: 300ms, crash: 2s, stop: 1s}\n"+texts.Quick, "replicas: 2\n  minReadySeconds: 5", "image: web:1", "{at: 10s, run: set image deployment/web web=web:2}"))
	ready := runs.Of(t, texts.World("{match: \"*\", pull: 1s..5s, start: 300ms, stop: 1s}", "replicas: 3\n  minReadySeconds: 20", "image: web:1"))
	old := runs.Of(t, texts.World("{match: \"*\", pull: 1s, start: 300ms, stop: 40s}", "replicas: 2\n  strategy: {type: Recreate}", "image: web:1", "{at: 10s, run: set image deployment/web web=web:2}"))
	// first returns the first moment after another one at which a record other than a reconcile has a text.
	first := func(run *engine.Run, after int64, text string) int64 {
		for i := range run.Len() {
			if r := run.Record(i); r.T > after && r.Kind != engine.Reconcile && strings.Contains(r.What+"\n"+r.Message, text) {
				return r.T
			}
		}
		return -1
	}
	told := map[bool]int{}
	for _, moment := range []int64{14_000, 25_000, 50_000, 100_000, 400_000, 700_000} {
		f := findingIn(at(bad, moment), "bad-image")
		if f == nil {
			t.Errorf("at %d ms there is no bad image", moment)
			continue
		}
		// A status shows a failed pull up to 15 s later, and the pull after its back-off comes up to 15 s later (G-15).
		_, said, _ := strings.Cut(f.Text, "the next attempt is in ")
		said, _, earliest := strings.Cut(said, " at the earliest.")
		predicted, err := time.ParseDuration(said)
		waits := time.Duration(first(bad, moment, "Pulling image")-moment) * time.Millisecond
		if earliest && (err != nil || waits < predicted-time.Second || waits > predicted+30*time.Second) ||
			!earliest && !strings.Contains(f.Text, "the kubelet is retrying.") {
			t.Errorf("at %d ms, %s before the next try: %s", moment, waits, f.Text)
		}
		told[earliest]++
		left := (first(bad, 0, "no progress within the deadline") - moment + 999) / 1000
		if left > 0 && !strings.Contains(f.Next, "In "+secondsWord(left)+" Progressing becomes False/ProgressDeadlineExceeded") {
			t.Errorf("at %d ms, %d s before the deadline is reported: %s", moment, left, f.Next)
		}
	}
	if told[true] < 3 {
		t.Errorf("%d of %d findings say when the next try is", told[true], told[true]+told[false])
	}
	for _, moment := range []int64{17_000, 20_000, 30_000, 90_000, 300_000} {
		f := findingIn(at(crash, moment), "crash-loop")
		if f == nil {
			t.Errorf("at %d ms there is no crash loop", moment)
			continue
		}
		_, said, _ := strings.Cut(f.Text, "the next start is in ")
		said, _, earliest := strings.Cut(said, " at the earliest.")
		predicted, err := time.ParseDuration(said)
		waits := time.Duration(first(crash, moment, "already present on machine")-moment) * time.Millisecond
		if !earliest || err != nil || waits < predicted-time.Second || waits > predicted+150*time.Second {
			t.Errorf("at %d ms, %s before the next start: %s", moment, waits, f.Text)
		}
	}
	f := findingIn(at(ready, 10_000), "slow")
	var available []int64
	for i, frame := range ready.Frames(texts.Web) {
		if i > 0 && frame.Available > ready.Frames(texts.Web)[i-1].Available {
			available = append(available, (frame.T-10_000+999)/1000)
		}
	}
	if want := fmt.Sprintf("available in %s, the last one in %s.", secondsWord(available[0]), secondsWord(available[len(available)-1])); f == nil || !strings.Contains(f.Text, want) {
		t.Errorf("%+v, want %s", f, want)
	}
	f = findingIn(at(old, 15_000), "terminating")
	if want := (first(old, 15_000, "removed: its containers have stopped") - 15_000 + 999) / 1000; f == nil || !strings.Contains(f.Text, "is gone, in "+secondsWord(want)+" at the latest") {
		t.Errorf("%+v, want %d s", f, want)
	}
}

// secondsWord writes seconds as kubectl does (K-51).
func secondsWord(s int64) string {
	if s < 120 {
		return fmt.Sprintf("%ds", s)
	}
	return strings.TrimSuffix(fmt.Sprintf("%dm%ds", s/60, s%60), "0s")
}

// TestDiagnoseOther: states other than stuck, and notes.
func TestDiagnoseOther(t *testing.T) {
	text := texts.World(texts.Quick, "replicas: 2", "image: web:1", "{at: 10s, run: set image deployment/web web=web:2}")
	immutable := strings.Replace(strings.TrimPrefix(texts.Deployment("replicas: 2", "image: web:1"), "---\n"), "app: web", "app: shop", 2)
	both := strings.TrimPrefix(texts.Deployment("replicas: 2\n  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}", "image: web:1"), "---\n")
	flapping := texts.World(texts.Quick, "replicas: 2\n  minReadySeconds: 5", "image: web:1, readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1, failureThreshold: 1}")
	pod := runs.FirstPod(t, runs.Of(t, flapping), 1000)
	for _, tt := range []struct {
		name     string
		run      *engine.Run
		moment   int64
		id, want string
	}{
		{"not there yet", runs.Of(t, texts.World(texts.Quick, "replicas: 2", "image: web:1")), -1, "", `gone since -1: The Deployment does not exist yet`},
		{"starting", runs.Of(t, text), 500, "", `
moving since 0: The rollout moves: its pods are starting
[starting G-1] 2 pods of revision 1 are starting: 2 ContainerCreating. Nothing is wrong.
> It continues on its own.`},
		{"complete", runs.Of(t, text), 5_000, "", `complete since 1304: The rollout is complete: 2 pods of revision 1 are available`},
		{"complete, and many records later", runs.Of(t, text), 60_000, "", `complete since 12613: The rollout is complete: 2 pods of revision 2 are available`},
		{"in mid-rollout", runs.Of(t, text), 10_500, "", `
moving since 10000: The rollout moves: its pods are starting
[starting G-1] 1 pod of revision 2 is starting: 1 ContainerCreating. Nothing is wrong.
> It continues on its own.
[no-surge D-53] No pod can be added: the ReplicaSets add up to 3 of at most 3. None can be removed: 3 − 2 that must be available − 1 new, not yet available = 0.
> The next new pod that becomes available makes room.`},
		{"nothing asked for", runs.Of(t, text, engine.Command{At: 5_000, Run: "scale deployment/web --replicas=0"}), 7_000, "", `complete since 5002: The rollout is complete: no pods are requested`},
		{"deleted", runs.Of(t, text, engine.Command{At: 5_000, Run: "delete deployment web"}), 5_500, "", `gone since 5000: The Deployment was deleted; 2 of its pods are left`},
		{"Recreate", runs.Of(t, texts.World(texts.Quick, "replicas: 2\n  strategy: {type: Recreate}", "image: web:1", "{at: 10s, run: set image deployment/web web=web:2}")), 10_500, "", `
waiting since 10000: The rollout waits: the old pods must be gone first
[terminating D-59] 2 old pods are still terminating. Recreate starts no new pod until the last old one is gone, in 31s at the latest: then their grace period ends.
> It continues on its own.`},
		{"minReadySeconds", runs.Of(t, texts.World(texts.Quick, "replicas: 2\n  minReadySeconds: 5", "image: web:1")), 3_000, "", `
waiting since 1000: The rollout waits: its pods must stay Ready
[slow R-16] 2 pods of revision 1 are Ready and must stay Ready for 5s (minReadySeconds): available in 3s.
> It continues on its own.`},
		{"not ready yet", runs.Of(t, texts.World(texts.Quick, "replicas: 2", "image: web:1, readinessProbe: {httpGet: {path: /, port: 80}, initialDelaySeconds: 5}")), 4_000, "", `
moving since 0: The rollout moves: its pods are not Ready yet
[not-ready G-22] 2 pods of revision 1 are running but not Ready: container web has run for 3s, and its readiness probe (httpGet) has not succeeded. It probes 5s after the start and then every 10s.
> It continues on its own.`},
		{"crashed once", runs.Of(t, texts.World(texts.Quick, "replicas: 2", "image: web:1"), engine.Command{At: 5_000, Do: "crash pod/" + runs.FirstPod(t, runs.Of(t, texts.World(texts.Quick, "replicas: 2", "image: web:1")), 4000)}), 5_900, "", `
moving since 5738: Recovering: a container has ended and is being restarted
[crash-loop G-11] 1 pod of revision 1 crashes: container web of pod web-569b4b85c7-b578n has ended once, last with exit code 137; the next start is at any moment.
> The first restart is immediate; only later ones are delayed.`},
		{"crashed after a change that moved no pods", runs.Of(t, texts.World(texts.Quick, "replicas: 2", "image: web:1"), engine.Command{At: 4_500, Run: "patch deployment web -p '{\"spec\":{\"progressDeadlineSeconds\":50}}'"}, engine.Command{At: 5_000, Do: "crash pod/" + runs.FirstPod(t, runs.Of(t, texts.World(texts.Quick, "replicas: 2", "image: web:1")), 4000)}), 5_900, "", `
moving since 5738: Recovering: a container has ended and is being restarted
[crash-loop G-11] 1 pod of revision 1 crashes: container web of pod web-569b4b85c7-b578n has ended once, last with exit code 137; the next start is at any moment.
> The first restart is immediate; only later ones are delayed.`},
		{"flapping without a crash", runs.Of(t, flapping, engine.Command{At: 3_000, Do: "fail-readiness pod/" + pod}, engine.Command{At: 4_500, Do: "restore-readiness pod/" + pod},
			engine.Command{At: 6_500, Do: "fail-readiness pod/" + pod}, engine.Command{At: 8_000, Do: "restore-readiness pod/" + pod}), 10_000, "", `
stuck since 3304: The rollout is stuck: its pods never stay Ready long enough
[flapping G-13] 1 pod of revision 1 becomes Ready and loses readiness before minReadySeconds (5s) have passed: pod web-57cd6ccdc5-b578n twice so far.
> The deadline restarts each time more pods are Ready (D-63). In 9m59s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.`},
		{"the selector is immutable (D-16)", runs.Of(t, text, engine.Command{At: 5_000, Apply: immutable}), 7_000, "", `
complete since 1304: The rollout is complete: 2 pods of revision 1 are available; the last command was rejected
[refused D-16] 2s ago this was rejected: kubectl apply -f -
The Deployment "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"shop"}}: field is immutable
> Nothing has changed. The selector of a Deployment is immutable. To change it, delete the Deployment and apply it again, which causes an outage. No single command does that.`},
		{"both bounds are 0 (D-8)", runs.Of(t, text, engine.Command{At: 5_000, Apply: both}), 7_000, "", "complete since 1304: The rollout is complete: 2 pods of revision 1 are available; the last command was rejected\n" +
			"[refused D-8] 2s ago this was rejected: kubectl apply -f -\n" +
			"error: document 1, line 7: spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0\n" +
			"> Nothing has changed. With no pod extra and no pod missing, a rollout could never move: set one of the two to at least 1."},
		{"undo to nothing", runs.Of(t, text, engine.Command{At: 5_000, Run: "rollout undo deployment/web"}), 7_000, "", `
complete since 1304: The rollout is complete: 2 pods of revision 1 are available; the last command was rejected
[refused ] 2s ago this was rejected: kubectl rollout undo deployment/web
error: no rollout history found for deployment "web"
> Nothing has changed.`},
		{"refused in mid-rollout", runs.Of(t, text, engine.Command{At: 10_500, Run: "scale deployment/web --replicas=-1"}), 10_600, "refused", `
moving since 10000: The rollout moves: its pods are starting
[refused ] 0s ago this was rejected: kubectl scale deployment/web --replicas=-1
error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0
> Nothing has changed.`},
		{"another command was refused", runs.Of(t, text, engine.Command{At: 5_000, Run: "delete pod nobody"}), 7_000, "", `complete since 1304: The rollout is complete: 2 pods of revision 1 are available`},
		{"paused and complete", runs.Of(t, text, engine.Command{At: 5_000, Run: "rollout pause deployment/web"}), 7_000, "", `
complete since 1304: The rollout is complete: 2 pods of revision 1 are available; it is paused
[paused D-25] The Deployment is paused: a new template would wait; scaling still works.
> Until it is resumed, it only scales; no deadline runs (D-24).
$ kubectl rollout resume deployment/web // Resume it`},
		{"no deadline (D-5)", runs.Of(t, texts.World("{match: \"*\", pull: fails}", "replicas: 1\n  progressDeadlineSeconds: 2147483647", "image: web:latest")), 5_000, "", `
stuck since 1738: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 1 pod of revision 1 waits for image web:latest: ErrImagePull; the next attempt is in 6s at the earliest.
> The kubelet keeps retrying the pull, at most 5m apart. No deadline runs, and nothing is rolled back.`},
		{"complete with a stale annotation", runs.Golden(t, "wedged"), 8_000, "", `
complete since 6303: The rollout is complete: 2 pods of revision 1 are available; but a stale annotation would block a new template
[stale-annotation D-27] ReplicaSet web-7fff9b7f6c has size 2, which is right, but its annotation deployment.kubernetes.io/desired-replicas says 1. While the two differ, every sync only scales; the size is right, so it does nothing, and a new template never rolls out.
> Nothing happens on its own.
$ kubectl scale deployment/web --replicas=3 // Scale to another size, 3, which rewrites the annotation
$ kubectl annotate rs/web-7fff9b7f6c deployment.kubernetes.io/desired-replicas=2 --overwrite // Fix the annotation`},
	} {
		d := at(tt.run, tt.moment)
		if got := diagnosisText(d, tt.id); got != strings.TrimSpace(tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// TestReason: the most important finding at the end of a run, or the state of a workload without one.
func TestReason(t *testing.T) {
	for images, want := range map[string]string{texts.Quick: "The rollout is complete: 1 pod of revision 1 is available", `{match: "*", pull: fails}`: "1 pod of revision 1 waits for image web:1"} {
		if got := diagnosis.Reason(runs.Of(t, texts.World(images, "replicas: 1", "image: web:1")).Past(), texts.Web); !strings.HasPrefix(got.Text, want) {
			t.Errorf("%s: got %+v, want %s", images, got, want)
		}
	}
}

// TestDiagnoseNamespace: the commands name the namespace.
func TestDiagnoseNamespace(t *testing.T) {
	text := strings.Replace(texts.World("{match: \"web:2\", pull: fails}\n"+texts.Quick, "replicas: 3", "image: web:1"), "metadata: {name: web}", "metadata: {name: web, namespace: shop}", 1)
	run := runs.Of(t, text, engine.Command{At: 10_000, Run: "set image deployment/web web=web:2 -n shop"})
	const workload = "Deployment/shop/web"
	f := findingIn(diagnosis.Of(run.Past(), workload, run.Past().Find(20_000), 20_000), "bad-image")
	if f == nil || len(f.Fix) != 1 || f.Fix[0].Command != "kubectl rollout undo deployment/web -n shop" {
		t.Fatalf("%+v", f)
	}
	run = runs.Of(t, text, engine.Command{At: 10_000, Run: "set image deployment/web web=web:2 -n shop"}, engine.Command{At: 20_001, Run: f.Fix[0].Command})
	if d := diagnosis.Of(run.Past(), workload, run.Len()-1, run.Now()); d.State != diagnosis.StateComplete {
		t.Errorf("the fix does not fix it: %s", diagnosisText(d, ""))
	}
}

// TestNoFalseAlarm: in shipped scenarios without a fault, no workload is ever stuck; every diagnosis has a title, and findings
// unless the workload is complete or gone.
func TestNoFalseAlarm(t *testing.T) {
	for _, name := range []string{"first-rollout", "three-replicas", "recreate", "rounding", "min-ready", "proportional",
		"scale-and-image", "rollover", "undo-twice", "history-zero", "long-goodbye", "published-2-delete",
		"published-3-scale-up", "published-4-scale-down", "published-5-scale-then-image", "published-6-shrink-then-image",
		"published-8-rollover"} {
		run := runs.Of(t, scenarios.Text(name))
		for _, workload := range run.Workloads() {
			for i := 0; i < run.Len(); i += 3 {
				d := diagnosis.Of(run.Past(), workload, i, run.Past().At(i))
				if d.State == diagnosis.StateStuck || d.Title == "" || d.State != diagnosis.StateGone && d.State != diagnosis.StateComplete && len(d.Findings) == 0 {
					t.Fatalf("%s at %d ms: %s", name, run.Past().At(i), diagnosisText(d, ""))
				}
			}
		}
	}
}

// TestDiagnoseRandomWorlds: only paused and wedged rollouts are stuck, kubectl accepts every command offered, and a run that
// has ended is complete, stuck or gone.
func TestDiagnoseRandomWorlds(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	for seed := range uint64(120) {
		data := make([]byte, 8+random.Intn(60))
		random.Read(data)
		text, commands := texts.Fuzz(seed, data)
		run, _ := engine.Start(engine.Recording{Scenario: text, Commands: commands})
		if run == nil {
			continue // both bounds are 0, which is invalid
		}
		run.Finish()
		for range 10 {
			i := run.Past().Find(run.Past().At(random.Intn(run.Len())))
			d := diagnosis.Of(run.Past(), texts.Web, i, run.Past().At(i))
			for _, f := range d.Findings {
				if d.State == diagnosis.StateStuck && findingIn(d, "paused") == nil && findingIn(d, "stale-annotation") == nil {
					t.Errorf("at %d ms: %s\n%s\n%v", run.Past().At(i), diagnosisText(d, ""), text, commands)
				}
				if len(f.Fix) > 0 {
					wantAccepted(t, run, i, f.Fix[0].Command)
				}
			}
		}
		if d := at(run, run.Now()); d.State != diagnosis.StateComplete && d.State != diagnosis.StateStuck && d.State != diagnosis.StateGone {
			t.Errorf("it rests and is said to be %s\n%s\n%v", diagnosisText(d, ""), text, commands)
		}
	}
}

// wantAccepted asserts that kubectl accepts a command after a record.
func wantAccepted(t *testing.T, run *engine.Run, record int, command string) {
	t.Helper()
	rec, act := run.Recording(), run.ActAt(run.Past().At(record))
	var commands []engine.Command
	for _, c := range rec.Commands {
		if c.At <= run.Past().At(record) {
			commands = append(commands, c)
		}
	}
	after, _ := engine.Start(engine.Recording{Scenario: rec.Scenario, Commands: append(commands, engine.Command{At: act, Run: command})})
	for after.Now() <= act && !after.Advance(1) {
	}
	for i := range after.Len() {
		if r := after.Record(i); r.Kind == engine.Input && r.Command == command && r.T == act && r.Failed {
			t.Errorf("at %d ms %q is refused: %s", act, command, r.What)
		}
	}
}
