package diagnosis_test

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
)

// TestDiagnoseCases: a situation each, with everything that is said about it, or with what a finding says.
func TestDiagnoseCases(t *testing.T) {
	const (
		bad      = "{match: \"web:2\", pull: fails}\n" + texts.Quick
		never    = "{match: \"*\", pull: 1s, start: 300ms, ready: never, stop: 1s}"
		update   = "{at: 10s, run: set image deployment/web web=web:2}"
		standing = "image: web:1, readinessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 5}"
	)
	quick := func(spec string, timeline ...string) string {
		return texts.World(texts.Quick, spec, "image: web:1", timeline...)
	}
	gated := func(text string) string {
		return strings.Replace(text, "      containers:", "      readinessGates: [{conditionType: a.b/c}]\n      containers:", 1)
	}
	small := func(text string) string {
		return strings.Replace(text, "spec:\n", "spec:\n  nodes: [{name: a, cpu: \"2\", pods: 20}]\n", 1)
	}
	two := texts.World("{match: \"*\", pull: 1s, start: 300ms, crash: 5s}", "replicas: 2", "image: web:1")
	two = strings.Replace(two, "- {name: web, image: web:1}", "- {name: web, image: web:1}\n      - {name: side, image: web:1}", 1)
	foreign := strings.NewReplacer("kind: Deployment", "kind: ReplicaSet", "{name: web}", "{name: old, labels: {app: web}}", "web:1", "web:0").
		Replace(texts.Deployment("replicas: 2", "image: web:1"))
	pod := runs.FirstPod(t, runs.Of(t, quick("replicas: 2")), 5000)
	crash := func(at ...int64) (list []engine.Command) {
		for _, t := range at {
			list = append(list, engine.Command{At: t, Do: "crash pod/" + pod})
		}
		return list
	}
	flapping := texts.World(texts.Quick, "replicas: 2\n  minReadySeconds: 5", "image: web:1, readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1, failureThreshold: 1}")
	var both []string
	flaps := runs.Of(t, flapping).Past()
	for _, p := range flaps.Pods(flaps.Find(2000), 2000) {
		both = append(both, strings.TrimPrefix(p.Key, "default/"))
	}
	run := func(at int64, line string) engine.Command { return engine.Command{At: at, Run: line} }
	do := func(at int64, line string) engine.Command { return engine.Command{At: at, Do: line} }
	sets := func(set string) string { return texts.Sets(set, "", "minAvailable: 2") }
	for _, tt := range []struct {
		name, text string
		commands   []engine.Command
		workload   string // Deployment web, if it is empty
		moment     int64
		id, want   string
	}{
		{name: "nothing has happened yet", text: quick("replicas: 3"), moment: 0, want: `
moving since 0: The rollout moves: the controllers are at work
[reconciling ] 0 pods of 3 are available, 0 of them new; the controllers have not finished.
> It continues on its own.`},
		{name: "created paused, and no controller has seen it", text: quick("replicas: 2\n  paused: true"), moment: 0, want: `
stuck since 0: The rollout is stuck: it is paused
[paused D-25] The Deployment was created paused: it has no ReplicaSet, and no pods.
> Until it is resumed, it only scales; no deadline runs (D-24).
$ kubectl rollout resume deployment/web // Resume it`},
		{name: "paused, with pods of a ReplicaSet that is no revision", text: quick("replicas: 2\n  paused: true") + foreign, moment: 500, id: "starting", want: `
stuck since 1: The rollout is stuck: it is paused
[starting G-1] 2 pods of ReplicaSet old are starting: 2 ContainerCreating. Nothing is wrong.
> It continues on its own.`},
		{name: "created without replicas", text: quick("replicas: 0"), moment: 5000, want: `
complete since 0: The rollout is complete: no pods are requested`},
		{name: "deleted, and its pods are gone", text: quick("replicas: 2"), commands: []engine.Command{run(5000, "delete deployment web")}, moment: 20_000, want: `
gone since 5000: The Deployment was deleted`},
		{name: "refused while it is stuck", text: texts.World(bad, "replicas: 2", "image: web:1", update), commands: []engine.Command{run(20_000, "scale deployment/web --replicas=-1")}, moment: 22_000, want: `
stuck since 12460: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 1 pod of revision 2 waits for image web:2: ErrImagePull; the kubelet is retrying.
> The kubelet keeps retrying the pull, at most 5m apart. In 9m49s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1
[refused ] 2s ago this was rejected: kubectl scale deployment/web --replicas=-1
error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0
> Nothing has changed.
[no-surge D-53] No pod can be added: the ReplicaSets add up to 3 of at most 3. None can be removed: 3 − 2 that must be available − 1 new, not yet available = 0.
> The next new pod that becomes available makes room.`},
		{name: "a quota that is gone, and nobody has tried again", text: quick("replicas: 4", "{at: 9s, run: kubectl create quota none --hard=pods=0}", update, "{at: 14900ms, run: kubectl delete quota none}"), moment: 15_000, id: "quota", want: `
stuck since 10003: The rollout is stuck: quota none is used up
[quota G-50] ReplicaSet web-6b9fd4f9f6 has 0 of its 2 pods: pods "web-6b9fd4f9f6-m4v6h" is forbidden: exceeded quota: none, requested: pods=1, used: pods=4, limited: pods=0
> The ReplicaSet controller retries with growing delays, up to 16m40s (H-5); it is not notified when the cause is gone (R-23). In 9m56s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1
$ kubectl scale deployment/web --replicas=2 // Scale down to 2, which fits`},
		{name: "a quota in a rollout with more surge", text: quick("replicas: 4\n  strategy: {rollingUpdate: {maxSurge: 50%, maxUnavailable: 0}}", update) + "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: four}\nspec: {hard: {pods: \"4\"}}\n", moment: 15_000, id: "quota", want: `
stuck since 10003: The rollout is stuck: quota four is used up
[quota G-50] ReplicaSet web-6b9fd4f9f6 has 0 of its 2 pods: pods "web-6b9fd4f9f6-m4v6h" is forbidden: exceeded quota: four, requested: pods=1, used: pods=4, limited: pods=4
> The ReplicaSet controller retries with growing delays, up to 16m40s (H-5); it is not notified when the cause is gone (R-23). In 9m56s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 1
$ kubectl scale deployment/web --replicas=2 // Scale down to 2, which fits
$ kubectl delete resourcequota four && kubectl rollout restart deployment/web // Remove the quota and restart`},
		{name: "it fitted no node before the last command", text: small(texts.World(texts.Quick, "replicas: 5", "image: web:1, resources: {requests: {cpu: 600m}}")), commands: []engine.Command{run(5000, "scale deployment/web --replicas=4")}, moment: 7000, want: `
stuck since 0: The rollout is stuck: its pods fit no node
[unschedulable G-32] 1 pod of revision 1 fits no node: 0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.
> The scheduler retries when a pod is gone or a node changes (G-33). In 9m55s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl scale deployment/web --replicas=3 // Scale down to 3, which fits`},
		{name: "not one fits", text: small(texts.World(texts.Quick, "replicas: 2", "image: web:1, resources: {requests: {cpu: 6}}")), moment: 7000, want: `
stuck since 0: The rollout is stuck: its pods fit no node
[unschedulable G-32] 2 pods of revision 1 fit no node: 0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.
> The scheduler retries when a pod is gone or a node changes (G-33). In 9m54s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.`},
		{name: "no revision was ever available", text: texts.World("{match: \"*\", pull: fails}", "replicas: 2", "image: web:1", update, "{at: 15s, run: set image deployment/web web=web:3}"), moment: 30_000, want: `
stuck since 17738: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 1 pod of revision 3 waits for image web:3: ErrImagePull; the kubelet is retrying.
> The kubelet keeps retrying the pull, at most 5m apart. In 9m46s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl rollout undo deployment/web // Go back to revision 2
[no-surge D-53] No pod can be added: the ReplicaSets add up to 3 of at most 3. None can be removed: 3 − 2 that must be available − 1 new, not yet available = 0.
> The next new pod that becomes available makes room.`},
		{name: "the image may not be pulled", text: texts.World(texts.Quick, "replicas: 2", "image: web:1, imagePullPolicy: Never"), moment: 7000, want: `
stuck since 0: The rollout is stuck: the image is missing
[bad-image G-6] 2 pods of revision 1 wait for image web:1: ErrImageNeverPull. It is not on the node, and imagePullPolicy Never forbids pulling it.
> In 9m54s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl set image deployment/web web=web:latest // Use an image that exists, for example latest`},
		{name: "the name of the image can't be read", text: texts.World(texts.Quick, "replicas: 2", "image: Web:1"), moment: 7000, want: `
stuck since 0: The rollout is stuck: the name of the image is not valid
[bad-image G-9] 2 pods of revision 1 wait for image Web:1: InvalidImageName. No kubelet can read this name: invalid reference format: repository name (library/Web) must be lowercase.
> In 9m54s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.`},
		{name: "a failed pull and a label", text: texts.World(bad, "replicas: 1", "image: web:2"), commands: []engine.Command{run(5000, "label pods --all a=b")}, moment: 6000, id: "bad-image", want: `
stuck since 1738: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 1 pod of revision 1 waits for image web:2: ErrImagePull; the next attempt is in 5s at the earliest.
> The kubelet keeps retrying the pull, at most 5m apart. In 9m55s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl set image deployment/web web=web:latest // Use an image that exists, for example latest`},
		{name: "just before the next pull", text: texts.World(bad, "replicas: 1", "image: web:2"), moment: 10_737, id: "bad-image", want: `
stuck since 1738: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 1 pod of revision 1 waits for image web:2: ErrImagePull; the next attempt is in 1s at the earliest.
> The kubelet keeps retrying the pull, at most 5m apart. In 9m51s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl set image deployment/web web=web:latest // Use an image that exists, for example latest`},
		{name: "in the moment of the next pull", text: texts.World(bad, "replicas: 1", "image: web:2"), moment: 10_738, id: "bad-image", want: `
stuck since 1738: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 1 pod of revision 1 waits for image web:2: ErrImagePull; the kubelet is retrying.
> The kubelet keeps retrying the pull, at most 5m apart. In 9m51s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.
$ kubectl set image deployment/web web=web:latest // Use an image that exists, for example latest`},
		{name: "a crash that is over", text: quick("replicas: 2"), commands: crash(5000), moment: 10_000, want: `
complete since 6038: The rollout is complete: 2 pods of revision 1 are available`},
		{name: "two crashes that are over", text: quick("replicas: 2"), commands: append(crash(5000, 8000), run(40_000, "rollout undo deployment/web")), moment: 45_000, want: `
complete since 21038: The rollout is complete: 2 pods of revision 1 are available; the last command was rejected
[refused ] 5s ago this was rejected: kubectl rollout undo deployment/web
error: no rollout history found for deployment "web"
> Nothing has changed.
[crash-loop G-11] 1 pod of revision 1 crashes: container web of pod web-569b4b85c7-b578n has ended twice, last with exit code 137; it is running again.
> The kubelet keeps restarting it, at most 5m apart. No deadline runs once a rollout has been complete, and nothing is rolled back.`},
		{name: "two crashes, ten minutes ago", text: quick("replicas: 2", "{at: 15m, run: get pods}"), commands: crash(5000, 8000), moment: 608_738, want: `
complete since 21038: The rollout is complete: 2 pods of revision 1 are available; but a container has crashed twice
[crash-loop G-11] 1 pod of revision 1 crashes: container web of pod web-569b4b85c7-b578n has ended twice, last with exit code 137; it is running again.
> The kubelet keeps restarting it, at most 5m apart. No deadline runs once a rollout has been complete, and nothing is rolled back.`},
		{name: "two crashes, more than ten minutes ago", text: quick("replicas: 2", "{at: 15m, run: get pods}"), commands: crash(5000, 8000), moment: 608_739, want: `
complete since 21038: The rollout is complete: 2 pods of revision 1 are available`},
		{name: "a crash of what runs while a new template waits", text: quick("replicas: 2", "{at: 5s, run: set image deployment/web web=web:2}", "{at: 10s, run: rollout undo deployment/web}", "{at: 15s, run: rollout pause deployment/web}",
			"{at: 16s, run: set image deployment/web web=web:3}", "{at: 17s, run: kubectl delete pods --all}"), moment: 17_500, want: `
stuck since 15001: The rollout is stuck: it is paused
[paused D-25] The Deployment is paused, and a new template waits: it has no ReplicaSet yet.
> Until it is resumed, it only scales; no deadline runs (D-24).
$ kubectl rollout resume deployment/web // Resume it
[starting G-1] 1 pod of revision 3 is starting: 1 ContainerCreating. Nothing is wrong.
> It continues on its own.`},
		{name: "all containers crash", text: two, moment: 30_000, id: "crash-loop", want: `
complete since 26427: The rollout is complete: 2 pods of revision 1 are available; but a container has crashed twice
[crash-loop G-11] 2 pods of revision 1 crash: container side of pod web-66cdf9954c-b578n has ended twice, last with exit code 1; it is running again.
> The kubelet keeps restarting it, at most 5m apart. No deadline runs once a rollout has been complete, and nothing is rolled back.`},
		{name: "just before the next start", text: two, moment: 21_999, id: "crash-loop", want: `
stuck since 6738: The recovery is stuck: its containers keep crashing
[crash-loop G-11] 2 pods of revision 1 crash: container side of pod web-66cdf9954c-b578n has ended twice, last with exit code 1; the next start is in 1s at the earliest.
> The kubelet keeps restarting it, at most 5m apart. No deadline runs once a rollout has been complete, and nothing is rolled back.`},
		{name: "in the moment of the next start", text: two, moment: 22_000, id: "crash-loop", want: `
stuck since 6738: The recovery is stuck: its containers keep crashing
[crash-loop G-11] 2 pods of revision 1 crash: container side of pod web-66cdf9954c-b578n has ended twice, last with exit code 1; the next start is at any moment.
> The kubelet keeps restarting it, at most 5m apart. No deadline runs once a rollout has been complete, and nothing is rolled back.`},
		{name: "a probe names a port that is not declared", text: texts.World(texts.Quick, "replicas: 2", "image: web:1, readinessProbe: {tcpSocket: {port: http}}"), moment: 60_000, want: `
stuck since 1000: The rollout is stuck: the readiness probe names no port of its container
[not-ready G-28] 2 pods of revision 1 are running but not Ready: the readiness probe of container web names the port http, which the container does not declare.
> Such a probe has no result, whatever the container does. In 9m1s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.`},
		{name: "a container that has not started", text: texts.World(never, "replicas: 2", "image: web:1, startupProbe: {tcpSocket: {port: 80}, periodSeconds: 2, failureThreshold: 4}"), moment: 5000, want: `
moving since 0: The rollout moves: its pods are not Ready yet
[not-ready G-22] 2 pods of revision 1 are running but not Ready: container web has run for 4s, and its startup probe (tcpSocket) has not succeeded. It probes every 2s.
> It continues on its own.`},
		{name: "not Ready, just within its patience", text: texts.World(never, "replicas: 2", standing), moment: 37_000, want: `
moving since 0: The rollout moves: its pods are not Ready yet
[not-ready G-22] 2 pods of revision 1 are running but not Ready: container web has run for 36s, and its readiness probe (tcpSocket) has not succeeded. It probes 5s after the start and then every 10s.
> It continues on its own.`},
		{name: "not Ready, just out of patience", text: texts.World(never, "replicas: 2", standing), moment: 37_001, want: `
stuck since 1000: The rollout makes no progress: the readiness probe fails
[not-ready G-22] 2 pods of revision 1 are running but not Ready: container web has run for 36s, and its readiness probe (tcpSocket) has not succeeded. It probes 5s after the start and then every 10s.
> The probe repeats every 10s; a failing readiness probe does not restart a pod (G-25). In 9m24s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.`},
		{name: "some are out of patience", text: texts.World(never, "replicas: 1", standing, "{at: 30s, run: scale deployment/web --replicas=4}"), moment: 40_000, id: "not-ready", want: `
stuck since 1000: The rollout makes no progress: the readiness probe fails
[not-ready G-22] 4 pods of revision 1 are running but not Ready: container web has run for 39s, and its readiness probe (tcpSocket) has not succeeded. It probes 5s after the start and then every 10s.
> The probe repeats every 10s; a failing readiness probe does not restart a pod (G-25). In 9m51s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.`},
		{name: "a gate, just within its patience", text: gated(quick("replicas: 2")), moment: 61_000, want: `
moving since 0: The rollout moves: its pods wait for a readiness gate
[gate G-27] 2 pods of revision 1 are running, but not Ready: the wait for the condition a.b/c, which something outside the cluster sets, has lasted 60s.
> It continues when the condition is set.`},
		{name: "a gate, just out of patience", text: gated(quick("replicas: 2")), moment: 61_001, id: "gate", want: `
stuck since 1000: The rollout makes no progress: nobody has set the readiness gate a.b/c
[gate G-27] 2 pods of revision 1 are running, but not Ready: the wait for the condition a.b/c, which something outside the cluster sets, has lasted 60s.
> It continues when the condition is set. In 9m Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.`},
		{name: "the first is not out of patience, another is", text: texts.World(never, "replicas: 2", standing), commands: []engine.Command{run(30_000, "delete pod "+runs.FirstPod(t, runs.Of(t, texts.World(never, "replicas: 2", standing)), 5000))}, moment: 40_000, id: "not-ready", want: `
stuck since 1000: The rollout makes no progress: the readiness probe fails
[not-ready G-22] 2 pods of revision 1 are running but not Ready: container web has run for 39s, and its readiness probe (tcpSocket) has not succeeded. It probes 5s after the start and then every 10s.
> The probe repeats every 10s; a failing readiness probe does not restart a pod (G-25). In 9m51s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.`},
		{name: "flapping alike", text: flapping, commands: []engine.Command{do(3000, "fail-readiness pod/"+both[0]), do(3000, "fail-readiness pod/"+both[1])}, moment: 10_000, id: "flapping", want: `
stuck since 3000: The rollout makes no progress: the readiness probe fails
[flapping G-13] 2 pods of revision 1 become Ready and lose readiness before minReadySeconds (5s) have passed: pod web-57cd6ccdc5-b578n once so far.
> The deadline restarts each time more pods are Ready (D-63). In 9m52s Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back.`},
		{name: "a stale annotation beside an old ReplicaSet", text: texts.World(texts.Quick, "replicas: 1", "image: web:0", "{at: 3s, run: set image deployment/web web=web:1}", "{at: 8s, run: scale rs/web-569b4b85c7 --replicas=2}", "{at: 8s, run: scale deployment/web --replicas=2}"), moment: 12_000, want: `
complete since 9303: The rollout is complete: 2 pods of revision 2 are available; but a stale annotation would block a new template
[stale-annotation D-27] ReplicaSet web-569b4b85c7 has size 2, which is right, but its annotation deployment.kubernetes.io/desired-replicas says 1. While the two differ, every sync only scales; the size is right, so it does nothing, and a new template never rolls out.
> Nothing happens on its own.
$ kubectl scale deployment/web --replicas=3 // Scale to another size, 3, which rewrites the annotation
$ kubectl annotate rs/web-569b4b85c7 deployment.kubernetes.io/desired-replicas=2 --overwrite // Fix the annotation`},
		{name: "only the deadline has passed", text: texts.World("{match: \"*\", pull: 1s, start: 30s}", "replicas: 2\n  progressDeadlineSeconds: 6", "image: web:1"), moment: 12_000, want: `
stuck since 7000: The rollout makes no progress: its deadline has passed
[deadline D-64] There was no progress for 6s (progressDeadlineSeconds): 2 of 2 are updated, 0 available.
> This is only a report: nothing is rolled back, and the rollout still succeeds once the cause is gone.
[starting G-1] 2 pods of revision 1 are starting: 2 ContainerCreating. Nothing is wrong.
> It continues on its own.`},
		{name: "some new pods are available", text: texts.World("{match: \"*\", pull: 1s, start: 300ms..9s, stop: 1s}", "replicas: 6\n  strategy: {rollingUpdate: {maxSurge: 2, maxUnavailable: 1}}", "image: web:1", "{at: 20s, run: set image deployment/web web=web:2}"), moment: 24_000, id: "no-surge", want: `
moving since 20000: The rollout moves: its pods are starting
[no-surge D-53] No pod can be added: the ReplicaSets add up to 8 of at most 8. None can be removed: 8 − 5 that must be available − 3 new, not yet available = 0.
> The next new pod that becomes available makes room.`},
		{name: "every new pod is there, and one of the old", text: texts.World("{match: \"*\", pull: 1s, start: 300ms..9s, stop: 1s}", "replicas: 2\n  strategy: {rollingUpdate: {maxSurge: 2, maxUnavailable: 0}}", "image: web:1", "{at: 20s, run: set image deployment/web web=web:2}"), moment: 26_500, id: "no-surge", want: `
moving since 20000: The rollout moves: its pods are starting
[no-surge D-53] No pod can be added: the ReplicaSets add up to 3 of at most 4. None can be removed: 3 − 2 that must be available − 1 new, not yet available = 0.
> The next new pod that becomes available makes room.`},
		{name: "Recreate on a node that is down", text: quick("replicas: 2\n  strategy: {type: Recreate}", update), commands: []engine.Command{do(9000, "kill node/node-1")}, moment: 41_000, want: `
waiting since 10000: The rollout waits: the old pods must be gone first
[terminating D-59] 1 old pod is still terminating. Recreate starts no new pod until the last old one is gone, at any moment at the latest: then their grace period ends.
> It continues on its own.`},

		{name: "a StatefulSet that crashes", text: sets(""), commands: []engine.Command{run(30_000, "set image statefulset/db db=db:2"), do(31_000, "crash pod/db-0"), do(35_000, "crash pod/db-0")}, workload: texts.Set, moment: 37_000, id: "crash-loop", want: `
stuck since 31738: The rollout is stuck: its containers keep crashing
[crash-loop G-11] 1 pod of revision 1 crashes: container db of pod db-0 has ended twice, last with exit code 137; the next start is in 8s at the earliest.
> The kubelet keeps restarting it, at most 5m apart. A StatefulSet has no deadline, and nothing is rolled back.`},
		{name: "two bad revisions", text: sets(""), commands: []engine.Command{run(30_000, "set image statefulset/db db=bad"), run(50_000, `patch statefulset db -p '{"spec":{"template":{"metadata":{"labels":{"a":"b"}}}}}'`)}, workload: texts.Set, moment: 70_000, want: `
stuck since 50000: The rollout is stuck: a pod of an earlier template blocks its own replacement
[forced-rollback S-22] Pod db-2 is of revision 2 and was never Ready, but the StatefulSet wants revision 3. OrderedReady touches no other pod until this one is Ready (S-14), and does not replace it either.
> Nothing happens until somebody deletes the pod.
$ kubectl delete pod db-2 // Delete the pod; it is created again from the new template
[bad-image G-6] 1 pod of revision 2 waits for image bad: ErrImagePull; the kubelet is retrying.
> The kubelet keeps retrying the pull, at most 5m apart. A StatefulSet has no deadline, and nothing is rolled back.
$ kubectl rollout undo statefulset/db --to-revision=1 && kubectl delete pod db-2 // Go back to revision 1 and delete what is broken
[budget P-6] PodDisruptionBudget db allows no eviction: 2 healthy − 2 that must be = 0.
> A drain tries again every 5s (P-21); rollouts do not ask the budget (P-14).`},
		{name: "OnDelete, one is deleted", text: sets("updateStrategy: {type: OnDelete}"), commands: []engine.Command{run(30_000, "set image statefulset/db db=db:2"), run(40_000, "delete pod db-1")}, workload: texts.Set, moment: 50_000, want: `
waiting since 30000: The rollout waits: somebody has to delete the old pods
[on-delete S-16] 2 pods have an earlier template. Under OnDelete, a pod gets the new one only after it is deleted.
> Nothing happens until a pod is deleted.
$ kubectl delete pod db-0 // Delete one of them`},
		{name: "a partition, counted from where the ordinals begin", text: sets("ordinals: {start: 4}\n  updateStrategy: {rollingUpdate: {partition: 2}}"), commands: []engine.Command{run(30_000, "set image statefulset/db db=db:2")}, workload: texts.Set, moment: 50_000, want: `
complete since 32963: The rollout is complete up to the partition: 1 of 3 pods are of revision 2; the partition holds the others back
[partition S-17] partition is 2: pods from db-6 up get the new template; those below keep the earlier one, even if they are deleted (S-21).
> Nothing more happens until the partition is lowered.
$ kubectl patch statefulset db -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}' // Update all`},
		{name: "a bad template, put right above the partition", text: sets("updateStrategy: {rollingUpdate: {partition: 2}}"), commands: []engine.Command{run(30_000, "set image statefulset/db db=bad"), run(60_000, "rollout undo statefulset/db")}, workload: texts.Set, moment: 80_000, want: `
stuck since 60000: The rollout is stuck: a pod of an earlier template blocks its own replacement
[forced-rollback S-22] Pod db-2 is of revision 2 and was never Ready, but the StatefulSet wants revision 3. OrderedReady touches no other pod until this one is Ready (S-14), and does not replace it either.
> Nothing happens until somebody deletes the pod.
$ kubectl delete pod db-2 // Delete the pod; it is created again from the new template
[bad-image G-6] 1 pod of revision 2 waits for image bad: ImagePullBackOff; the kubelet is retrying.
> The kubelet keeps retrying the pull, at most 5m apart. A StatefulSet has no deadline, and nothing is rolled back.
[partition S-17] partition is 2: pods from db-2 up get the new template; those below keep the earlier one, even if they are deleted (S-21).
> Nothing more happens until the partition is lowered.
$ kubectl patch statefulset db -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}' // Update all
[budget P-6] PodDisruptionBudget db allows no eviction: 2 healthy − 2 that must be = 0.
> A drain tries again every 5s (P-21); rollouts do not ask the budget (P-14).`},
		{name: "two lost nodes, one with a pod", text: sets("podManagementPolicy: Parallel"), commands: []engine.Command{run(30_000, "scale statefulset db --replicas=1"), do(40_000, "kill node/node-1"), do(40_000, "kill node/node-2"), do(40_000, "kill node/node-3")}, workload: texts.Set, moment: 120_000, want: `
stuck since 85000: The recovery is stuck: a node is lost
[node-lost G-41] 1 pod is on node-1, whose kubelet has stopped reporting: it counts as not Ready, whatever the containers do (G-42).
> After tolerationSeconds the pod is marked for deletion, but it keeps its name until the node is back or gone: no replacement comes (S-23).
$ kubectl delete node node-1 // Remove the node, if it will not come back
[budget P-6] PodDisruptionBudget db allows no eviction: 0 healthy − 2 that must be = -2.
> A drain tries again every 5s (P-21); rollouts do not ask the budget (P-14).`},
		{name: "a pod that leaves", text: sets(""), commands: []engine.Command{run(30_000, "delete pod db-1")}, workload: texts.Set, moment: 30_500, want: `
moving since 0: Recovering: a pod must be gone first
[leaving S-14] Pod db-1 is terminating: its replacement has the same name and waits until it is gone. Its grace period ends in 31s.
> It continues on its own.
[budget P-6] PodDisruptionBudget db allows no eviction: 2 healthy − 2 that must be = 0.
> A drain tries again every 5s (P-21); rollouts do not ask the budget (P-14).`},
		{name: "a daemon pod that leaves", text: sets(""), commands: []engine.Command{run(30_000, "set image daemonset/agent agent=agent:2")}, workload: texts.Daemon, moment: 30_500, want: `
moving since 30000: The rollout moves: a pod must be gone first
[leaving DS-8] Pod agent-b578n is terminating: its node gets a new pod when it is gone. Its grace period ends in 31s.
> It continues on its own.`},
		{name: "a node that comes to a DaemonSet without one", text: strings.NewReplacer("10m", "10m\n  nodes: {count: 3}", "spec: {containers: [{name: agent", "spec: {nodeSelector: {a: b}, containers: [{name: agent").Replace(sets("")),
			commands: []engine.Command{run(30_000, "label node node-1 a=b")}, workload: texts.Daemon, moment: 30_200, want: `
moving since 0: The rollout moves: its pods are starting
[starting G-1] 1 pod of revision 1 is starting: 1 ContainerCreating. Nothing is wrong.
> It continues on its own.`},
		{name: "below the partition, counted from where the ordinals begin", text: strings.Replace(sets("ordinals: {start: 4}\n  updateStrategy: {rollingUpdate: {partition: 2}}"), "db:1", "bad", 1),
			commands: []engine.Command{run(30_000, "set image statefulset/db db=db:2")}, workload: texts.Set, moment: 50_000, want: `
stuck since 1738: The rollout is stuck: the image cannot be pulled
[bad-image G-6] 1 pod of revision 1 waits for image bad: ImagePullBackOff; the kubelet is retrying.
> The kubelet keeps retrying the pull, at most 5m apart. A StatefulSet has no deadline, and nothing is rolled back.
[partition S-17] partition is 2: pods from db-6 up get the new template; those below keep the earlier one, even if they are deleted (S-21).
> Nothing more happens until the partition is lowered.
$ kubectl patch statefulset db -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}' // Update all
[budget P-6] PodDisruptionBudget db allows no eviction: 0 healthy − 2 that must be = -2.
> A drain tries again every 5s (P-21); rollouts do not ask the budget (P-14).`},
		{name: "a budget while a pod is missing", text: texts.Sets("", "", "minAvailable: 3"), commands: []engine.Command{run(30_000, "delete pod db-1")}, workload: texts.Set, moment: 30_500, id: "budget", want: `
moving since 0: Recovering: a pod must be gone first
[budget P-6] PodDisruptionBudget db allows no eviction: 2 healthy − 3 that must be = -1.
> A drain tries again every 5s (P-21); rollouts do not ask the budget (P-14).`},
		{name: "a budget while most pods do not exist", text: sets("minReadySeconds: 7"), workload: texts.Set, moment: 5000, want: `
waiting since 1000: The rollout waits: its pods must stay Ready
[slow R-16] 1 pod of revision 1 is Ready and must stay Ready for 7s (minReadySeconds): available in 3s.
> It continues on its own.
[budget P-6] PodDisruptionBudget db allows no eviction: 1 healthy − 2 that must be = -1.
> A drain tries again every 5s (P-21); rollouts do not ask the budget (P-14).`},
		{name: "a budget by numbers", text: texts.Sets("", "", "minAvailable: 3"), workload: texts.Set, moment: 30_000, id: "budget", want: `
complete since 4509: The rollout is complete: 3 pods of revision 1 are available
[budget P-6] PodDisruptionBudget db allows no eviction: 3 healthy − 3 that must be = 0.
> Even with every pod healthy it allows none, so a drain never finishes. A drain tries again every 5s (P-21); rollouts do not ask the budget (P-14).
$ kubectl scale statefulset/db --replicas=4 // Run one more pod than the budget demands
$ kubectl patch pdb db -p '{"spec":{"minAvailable":null,"maxUnavailable":1}}' // Let one pod be missing`},
		{name: "two budgets for the same pods", text: texts.Sets("", "", "minAvailable: 3"), commands: []engine.Command{run(20_000, "create pdb tight --selector=app=db --min-available=1")}, workload: texts.Set, moment: 30_000, id: "budget", want: `
complete since 4509: The rollout is complete: 3 pods of revision 1 are available
[budget P-6] PodDisruptionBudgets db, tight select the same pods.
> A drain fails at once (P-10); rollouts do not ask the budget (P-14).
$ kubectl delete pdb tight // Keep one budget`},
		{name: "a budget by percent", text: texts.Sets("", "", "minAvailable: 100%"), workload: texts.Set, moment: 30_000, id: "budget", want: `
complete since 4509: The rollout is complete: 3 pods of revision 1 are available
[budget P-6] PodDisruptionBudget db allows no eviction: 3 healthy − 3 that must be = 0.
> Even with every pod healthy it allows none, so a drain never finishes. A drain tries again every 5s (P-21); rollouts do not ask the budget (P-14).
$ kubectl patch pdb db -p '{"spec":{"minAvailable":null,"maxUnavailable":1}}' // Let one pod be missing`},
		{name: "a budget of a DaemonSet", text: strings.Replace(texts.Sets("", "", "minAvailable: 3"), "  minAvailable: 3\n  selector: {matchLabels: {app: db}}", "  minAvailable: 3\n  selector: {matchLabels: {app: agent}}", 1), workload: texts.Daemon, moment: 30_000, id: "budget", want: `
complete since 2504: The rollout is complete: 3 pods of revision 1 are available
[budget P-6] PodDisruptionBudget db allows no eviction: 3 healthy − 3 that must be = 0.
> A drain tries again every 5s (P-21); rollouts do not ask the budget (P-14).`},
	} {
		if tt.workload == "" {
			tt.workload = texts.Web
		}
		r := runs.Of(t, tt.text, tt.commands...)
		d := diagnosis.Of(r.Past(), tt.workload, r.Past().Find(tt.moment), tt.moment)
		if got := diagnosisText(d, tt.id); got != strings.TrimSpace(tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// TestDiagnoseWithTheRecord: a record counts from itself on, not from the next one.
func TestDiagnoseWithTheRecord(t *testing.T) {
	text := texts.World("{match: \"web:2\", pull: fails}\n"+texts.Quick, "replicas: 2", "image: web:1", "{at: 10s, run: set image deployment/web web=web:2}")
	r := runs.Of(t, text)
	seen := 0
	for i := range r.Len() {
		rec := r.Record(i)
		d := diagnosis.Of(r.Past(), texts.Web, i, rec.T)
		switch {
		case rec.Kind == engine.Write && rec.T == 10_000:
			if seen++; d.Since != 10_000 {
				t.Errorf("the command: %s", diagnosisText(d, ""))
			}
		case rec.What == "the image cannot be pulled":
			if seen++; rec.T < 15_000 && (findingIn(d, "bad-image") == nil || d.Since != rec.T) {
				t.Errorf("the failed pull at %d ms: %s", rec.T, diagnosisText(d, ""))
			}
		case strings.Contains(rec.What, "no progress within the deadline"):
			if seen++; findingIn(d, "deadline") == nil {
				t.Errorf("the deadline: %s", diagnosisText(d, ""))
			}
			before := diagnosis.Of(r.Past(), texts.Web, i-1, rec.T)
			if f := findingIn(before, "bad-image"); f == nil || !strings.Contains(f.Next, "At any moment") {
				t.Errorf("in the millisecond of the deadline: %s", diagnosisText(before, ""))
			}
		}
	}
	slow := runs.Of(t, texts.World("{match: \"*\", pull: 1s, start: 30s}", "replicas: 2\n  progressDeadlineSeconds: 6", "image: web:1"))
	for i := range slow.Len() {
		if rec := slow.Record(i); strings.Contains(rec.What, "no progress within the deadline") {
			if d := diagnosis.Of(slow.Past(), texts.Web, i, rec.T); d.Since != rec.T {
				t.Errorf("only the deadline: %s", diagnosisText(d, ""))
			}
		}
	}
	if seen < 3 {
		t.Errorf("%d records were looked at", seen)
	}
}
