package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/scenarios"
)

// at diagnoses Deployment web at a moment.
func at(run *Run, t int64) *Diagnosis { return run.Diagnose(web, run.Find(t), t) }

// findingIn returns the finding of an ID.
func findingIn(d *Diagnosis, id string) *Finding {
	for i := range d.Findings {
		if d.Findings[i].ID == id {
			return &d.Findings[i]
		}
	}
	return nil
}

// diagnosisText writes a diagnosis down, with the findings of an ID, or with all of them.
func diagnosisText(d *Diagnosis, id string) string {
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

// wantMended gives each fix of a finding at a moment, in a run of its own, and asserts that the rollout completes.
func wantMended(t *testing.T, run *Run, moment int64, f *Finding) {
	t.Helper()
	for _, fix := range f.Fix {
		rec := run.Recording()
		act := run.ActAt(moment)
		mended := mustRun(t, rec.Scenario, append(append([]Command(nil), rec.Commands...), Command{At: act, Run: fix.Command})...)
		answer := ""
		for i := range mended.Len() {
			if r := mended.Record(i); r.Kind == Input && r.T == act && r.Command == fix.Command && !r.Failed {
				answer = r.What
			}
		}
		if answer == "" {
			t.Errorf("%s: %q is refused", f.ID, fix.Command)
		}
		if d := at(mended, mended.Now()); d.State != StateComplete {
			t.Errorf("%s: %q does not mend it:\n%s", f.ID, fix.Command, diagnosisText(d, ""))
		}
	}
}

// TestDiagnoseStuck: what a rollout is stuck at, when that began, and that the fixes mend it.
func TestDiagnoseStuck(t *testing.T) {
	const (
		bad    = "{match: \"web:2\", pull: fails}\n" + quick
		crash  = "{match: \"web:2\", pull: 1s, start: 300ms, crash: 2s, stop: 1s}\n" + quick
		never  = "{match: \"web:2\", pull: 1s, start: 300ms, ready: never, stop: 1s}\n" + quick
		update = "{at: 10s, run: set image deployment/web web=web:2}"
		probe  = "image: web:1, readinessProbe: {httpGet: {path: /, port: 80}, periodSeconds: 2}"
	)
	small := func(text string) string {
		return strings.Replace(text, "spec:\n", "spec:\n  nodes: [{name: a, cpu: \"2\", pods: 20}]\n", 1)
	}
	four := "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: four}\nspec: {hard: {pods: \"4\"}}\n"
	for _, tt := range []struct {
		name, text string
		moment     int64
		id         string
		want       string // the whole diagnosis
	}{
		{"bad image", worldText(bad, "replicas: 3", "image: web:1", update), 25_000, "bad-image", `
stuck since 12562: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 1 pod of revision 2 waits for image web:2: ImagePullBackOff; the next try is in 19s.
> The image is tried again for ever, at most 5m apart. In 9m46s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"bad image that is being tried", worldText(bad, "replicas: 3", "image: web:1", update), 22_500, "bad-image", `
stuck since 12562: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 1 pod of revision 2 waits for image web:2: ImagePullBackOff; the next try is in 1s.
> The image is tried again for ever, at most 5m apart. In 9m49s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"bad image from the start", worldText(bad, "replicas: 3", "image: web:2"), 5_000, "bad-image", `
stuck since 1560: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 3 pods of revision 1 wait for image web:2: ImagePullBackOff; the next try is in 7s.
> The image is tried again for ever, at most 5m apart. In 9m56s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl set image deployment/web web=web:latest // Take an image that exists, for example latest`},
		{"bad image, then another", worldText("{match: \"web:3\", pull: fails}\n"+bad, "replicas: 3", "image: web:1", update, "{at: 12s, run: set image deployment/web web=web:3}"), 20_000, "bad-image", `
stuck since 13073: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 1 pod of revision 3 waits for image web:3: ImagePullBackOff; the next try is in 4s.
> The image is tried again for ever, at most 5m apart. In 9m53s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web --to-revision=1 // Go back to revision 1`},
		{"crash loop", worldText(crash, "replicas: 2\n  minReadySeconds: 5", "image: web:1", update), 18_000, "crash-loop", `
stuck since 13309: The rollout is stuck: its containers crash again and again
[crash-loop G-11] 1 pod of revision 2 crashes: container web of pod web-6b9fd4f9f6-sxhxt has ended twice, last with exit code 1; the next start is in 8s.
> It is started again for ever, at most 5m apart. In 9m56s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"flapping", worldText(crash, "replicas: 2\n  minReadySeconds: 5", "image: web:1", update), 26_000, "flapping", `
stuck since 13309: The rollout is stuck: its containers crash again and again
[flapping G-13] 1 pod of revision 2 becomes Ready and loses it again before minReadySeconds (5s) have passed: pod web-6b9fd4f9f6-sxhxt twice so far.
> Each time that more pods are Ready the deadline begins anew (D-63). In 10m Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"readiness", worldText(never, "replicas: 4\n  progressDeadlineSeconds: 60", probe, update), 20_000, "not-ready", `
stuck since 11000: The rollout is stuck: the readiness probe fails
[not-ready G-22] 2 pods of revision 2 run, but are not Ready: container web has run for 9s, and its readiness probe (httpGet) has not succeeded. It looks every 2s.
> The probe goes on every 2s; a pod is not restarted because it is not Ready (G-25). In 51s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"deadline", worldText(never, "replicas: 4\n  progressDeadlineSeconds: 6", probe, update), 30_000, "deadline", `
stuck since 11000: The rollout is stuck: the readiness probe fails
[deadline D-64] There was no progress for 6s (progressDeadlineSeconds): 2 of 4 are updated, 3 available.
> This is only a report: nothing is rolled back, and the rollout still succeeds if what is wrong ends.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"startup", worldText(never, "replicas: 2", "image: web:1, startupProbe: {tcpSocket: {port: 80}, periodSeconds: 1, failureThreshold: 4}", update), 30_000, "crash-loop", `
stuck since 15309: The rollout is stuck: its containers crash again and again
[crash-loop G-11] 1 pod of revision 2 crashes: container web of pod web-7dcdfc9588-sxhxt has ended twice, last with exit code 0; it runs again.
> It is started again for ever, at most 5m apart. In 9m41s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1`},
		{"quota", worldText(quick, "replicas: 6", "image: web:1") + four, 5_000, "quota", `
stuck since 3: The rollout is stuck: quota four is used up
[quota G-50] ReplicaSet web-569b4b85c7 has 4 of the 6 pods that it shall have: pods "web-569b4b85c7-m4v6h" is forbidden: exceeded quota: four, requested: pods=1, used: pods=4, limited: pods=4
> The ReplicaSet tries again after longer and longer waits, up to 16m40s (H-5); nobody tells it when the cause is gone (R-23). In 9m57s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl scale deployment/web --replicas=4 // Scale down to 4, which fits
$ kubectl delete resourcequota four // Remove the quota`},
		{"quota in a rollout", worldText(quick, "replicas: 4\n  strategy: {rollingUpdate: {maxUnavailable: 0}}", "image: web:1", update) + four, 15_000, "quota", `
stuck since 10003: The rollout is stuck: quota four is used up
[quota G-50] ReplicaSet web-6b9fd4f9f6 has 0 of the 1 pod that it shall have: pods "web-6b9fd4f9f6-m4v6h" is forbidden: exceeded quota: four, requested: pods=1, used: pods=4, limited: pods=4
> The ReplicaSet tries again after longer and longer waits, up to 16m40s (H-5); nobody tells it when the cause is gone (R-23). In 9m56s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1
$ kubectl scale deployment/web --replicas=3 // Scale down to 3, which fits
$ kubectl delete resourcequota four // Remove the quota`},
		{"paused", worldText(quick, "replicas: 2\n  paused: true", "image: web:1"), 5_000, "paused", `
stuck since 1: The rollout is stuck: it is paused
[paused D-25] The Deployment was created paused: it has no ReplicaSet, and no pods.
> Nothing will happen by itself, apart from scaling; no deadline runs (D-24).
$ kubectl rollout resume deployment/web // Resume it`},
		{"paused before a new template", worldText(quick, "replicas: 2", "image: web:1", "{at: 5s, run: rollout pause deployment/web}", update), 15_000, "paused", `
stuck since 5001: The rollout is stuck: it is paused
[paused D-25] The Deployment is paused, and a new template waits: it has no ReplicaSet yet.
> Nothing will happen by itself, apart from scaling; no deadline runs (D-24).
$ kubectl rollout resume deployment/web // Resume it`},
		{"paused in mid-rollout", worldText(quick, "replicas: 4", "image: web:1", update, "{at: 10500ms, run: rollout pause deployment/web}"), 15_000, "paused", `
stuck since 10501: The rollout is stuck: it is paused
[paused D-25] The Deployment is paused in the middle of a rollout: 2 of 5 pods are updated.
> Nothing will happen by itself, apart from scaling; no deadline runs (D-24).
$ kubectl rollout resume deployment/web // Resume it`},
		{"stale annotation", worldText(quick, "replicas: 1", "image: web:1", "{at: 5s, run: scale rs/web-569b4b85c7 --replicas=2}", "{at: 5s, run: scale deployment/web --replicas=2}", update), 15_000, "stale-annotation", `
stuck since 10000: The rollout is stuck: an annotation is stale, and holds up the new template
[stale-annotation D-27] ReplicaSet web-569b4b85c7 has size 2, which is right, but its annotation deployment.kubernetes.io/desired-replicas says 1. As long as the two differ every sync is for scaling only, and as the size is right nothing is scaled: a new template waits for ever.
> Nothing will happen by itself.
$ kubectl scale deployment/web --replicas=3 // Scale to another size, which writes the annotation anew: 3
$ kubectl annotate rs/web-569b4b85c7 deployment.kubernetes.io/desired-replicas=2 --overwrite // Put the annotation right`},
		{"unschedulable", small(worldText(quick, "replicas: 3", "image: web:1, resources: {requests: {cpu: 600m}}", update)), 15_000, "unschedulable", `
stuck since 10000: The rollout is stuck: the nodes have no room
[unschedulable G-32] 1 pod of revision 2 fits no node: 0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.
> The scheduler tries again when a pod goes or a node changes (G-33). In 9m56s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1
$ kubectl scale deployment/web --replicas=2 // Scale down to 2, which fits`},
		{"unschedulable from the start", small(worldText(quick, "replicas: 5", "image: web:1, resources: {requests: {cpu: 600m}}")), 5_000, "unschedulable", `
stuck since 0: The rollout is stuck: the nodes have no room
[unschedulable G-32] 2 pods of revision 1 fit no node: 0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.
> The scheduler tries again when a pod goes or a node changes (G-33). In 9m57s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl scale deployment/web --replicas=3 // Scale down to 3, which fits`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run := mustRun(t, tt.text)
			d := at(run, tt.moment)
			if got := diagnosisText(d, tt.id); got != strings.TrimSpace(tt.want) {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			f := findingIn(d, tt.id)
			if f == nil || d.State != StateStuck {
				t.Fatalf("%s is not found: %s", tt.id, diagnosisText(d, ""))
			}
			wantMended(t, run, tt.moment, f)
		})
	}
}

var _ = scenarios.Names
