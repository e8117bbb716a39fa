package past_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/scenarios"
)

// TestPodState: each thing that a pod's status can say has its state.
func TestPodState(t *testing.T) {
	waiting := func(reason string) api.ContainerStatus {
		return api.ContainerStatus{State: api.ContainerState{Kind: api.Waiting, Reason: reason}}
	}
	runs := api.ContainerStatus{State: api.ContainerState{Kind: api.Running}}
	ended := func(code int32) api.ContainerStatus {
		return api.ContainerStatus{State: api.ContainerState{Kind: api.Terminated, ExitCode: code}}
	}
	ready := func(p *api.Pod) {
		p.Status.Conditions = []api.Condition{{Type: "Ready", Status: "True", LastTransitionTime: api.TimeAt(10_000)}}
	}
	tests := []struct {
		name   string
		change func(*api.Pod)
		inits  []api.ContainerStatus
		others []api.ContainerStatus
		want   past.PodState
	}{
		{"no node", func(p *api.Pod) { p.NodeName = "" }, nil, nil, past.PodPending},
		{"bound, not seen by its node", nil, nil, nil, past.PodCreating},
		{"creating", nil, nil, []api.ContainerStatus{waiting("ContainerCreating")}, past.PodCreating},
		{"one runs, one is created", nil, nil, []api.ContainerStatus{runs, waiting("ContainerCreating")}, past.PodCreating},
		{"an init container runs", nil, []api.ContainerStatus{runs}, []api.ContainerStatus{waiting("PodInitializing")}, past.PodCreating},
		{"an init container is done", nil, []api.ContainerStatus{ended(0)}, []api.ContainerStatus{runs}, past.PodRunning},
		{"an init container crashed", nil, []api.ContainerStatus{ended(1)}, []api.ContainerStatus{waiting("PodInitializing")}, past.PodCrashLoop},
		{"pull failed", nil, nil, []api.ContainerStatus{waiting("ErrImagePull")}, past.PodImageError},
		{"pull waits, the other runs", nil, nil, []api.ContainerStatus{runs, waiting("ImagePullBackOff")}, past.PodImageError},
		{"never pulled", nil, nil, []api.ContainerStatus{waiting("ErrImageNeverPull")}, past.PodImageError},
		{"running", nil, nil, []api.ContainerStatus{runs}, past.PodRunning},
		{"just ended, even well", nil, nil, []api.ContainerStatus{ended(0)}, past.PodCrashLoop},
		{"waits for its restart", nil, nil, []api.ContainerStatus{waiting("CrashLoopBackOff")}, past.PodCrashLoop},
		{"ready for 4 s of 5", ready, nil, []api.ContainerStatus{runs}, past.PodReady},
		{"completed", func(p *api.Pod) { p.Status.Phase = api.PodSucceeded }, nil, []api.ContainerStatus{ended(0)}, past.PodFinished},
		{"terminating, ready or not", func(p *api.Pod) { ready(p); p.DeletionTimestamp = api.TimeAt(12_000) }, nil, []api.ContainerStatus{runs}, past.PodTerminating},
	}
	for _, tt := range tests {
		pod := &api.Pod{NodeName: "n", Status: api.PodStatus{Phase: api.PodRunning, InitContainerStatuses: tt.inits, ContainerStatuses: tt.others}}
		if tt.change != nil {
			tt.change(pod)
		}
		if got := past.StateOf(pod, 5, 14_999); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	pod := &api.Pod{NodeName: "n"}
	if ready(pod); past.StateOf(pod, 5, 15_000) != past.PodAvailable || past.StateOf(pod, 0, 10_000) != past.PodAvailable {
		t.Error("a pod that is ready for minReadySeconds is available (R-16)")
	}
}

// slow is a Deployment whose pods are ready for three seconds before they are available; that becomes eight meanwhile.
const slow = `apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 40s
  images: [{match: "*", pull: 500ms, start: 700ms, stop: 1s}]
  timeline:
  - {at: 10s, apply: "%s"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  minReadySeconds: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: v1}]}
`

func slowScenario() string {
	_, manifest, _ := strings.Cut(slow, "---\n")
	manifest = strings.Replace(manifest, "minReadySeconds: 3", "minReadySeconds: 20", 1)
	return fmt.Sprintf(slow, strings.ReplaceAll(manifest, "\n", `\n`))
}

// TestPodLife: a pod is pending, created, ready for a while, available, and not available any more when minReadySeconds
// is raised in the middle.
func TestPodLife(t *testing.T) {
	run := runs.Of(t, slowScenario())
	key := run.Past().Pods(run.Past().Find(20_000), 20_000)[0].Key
	var got []string
	for _, s := range run.Past().PodLife(key) {
		got = append(got, fmt.Sprintf("%d-%d %s", s.From, s.To, s.State))
	}
	want := []string{"2-3 pending", "3-1204 creating", "1204-4000 ready", "4000-10001 available", "10001-21000 ready", "21000-40000 available"}
	if !slices.Equal(got, want) {
		t.Errorf("the life is %q, want %q", got, want)
	}
	if life := run.Past().PodLife("default/nobody"); life != nil {
		t.Errorf("a pod that never was has the life %v", life)
	}
}

// seam says whether two parts of a life do not belong one behind the other. A pod of a StatefulSet comes again under its name:
// then there is a gap behind the end of the first, and the second begins at the beginning.
func seam(a, b *past.LifeSegment) bool {
	if b.State == past.PodPending && a.State != past.PodPending {
		return b.From < a.To
	}
	return b.From != a.To || b.State == a.State
}

// TestLivesAgree: at any moment the pods of the pod view, their lives and the frames of the chart say the same.
func TestLivesAgree(t *testing.T) {
	texts := map[string]string{"slow": slowScenario()}
	for _, name := range scenarios.Names() {
		texts[name] = scenarios.Text(name)
	}
	for name, text := range texts {
		run := runs.Of(t, text)
		lives, orphans := map[string][]past.LifeSegment{}, orphanedSets(run)
		var moments []int64
		for i := range run.Len() {
			for _, p := range run.Past().Pods(i, run.Past().At(i)) {
				if lives[p.Key] == nil {
					lives[p.Key] = run.Past().PodLife(p.Key)
				}
			}
		}
		for key, life := range lives {
			for i, s := range life {
				if i > 0 && seam(&life[i-1], &s) || s.To < s.From {
					t.Errorf("%s: the life of %s has a seam: %v", name, key, life)
				}
				moments = append(moments, s.From, (s.From+s.To)/2, s.To-1)
			}
		}
		for _, at := range moments {
			available := 0
			for _, p := range run.Past().Pods(run.Past().Find(at), at) {
				life := lives[p.Key]
				i := slices.IndexFunc(life, func(s past.LifeSegment) bool { return s.From <= at && at < s.To })
				if i >= 0 && life[i].State != p.State {
					t.Errorf("%s at %d: %s is %s, its life says %s", name, at, p.Key, p.State, life[i].State)
				}
				if since, orphan := orphans[p.Owner]; p.State == past.PodAvailable && p.Owner != "" && !(orphan && at >= since) {
					available++
				}
			}
			if want := availableAt(run, at); available != want {
				t.Errorf("%s at %d: %d pods are available, the frames say %d", name, at, available, want)
			}
		}
	}
}

// orphanedSets returns since when ReplicaSets have been nobody's. No frame counts their pods.
func orphanedSets(run *engine.Run) map[string]int64 {
	since := map[string]int64{}
	for i := range run.Len() {
		for _, o := range run.Past().Objects(api.KindReplicaSet, i) {
			if _, known := since[o.Meta().Name]; !known && o.Meta().ControllerOf() == nil {
				since[o.Meta().Name] = run.Past().At(i)
			}
		}
	}
	return since
}

func availableAt(run *engine.Run, at int64) int {
	sum := 0
	for _, w := range run.Workloads() {
		last := 0
		for _, f := range run.Frames(w) {
			if f.T <= at {
				last = f.Available
			}
		}
		sum += last
	}
	return sum
}

// TestDeletionOrder is R-9 in whole runs: the pods that the controller deletes are those that stand first in the order of
// deletion as it was when the controller looked, a watch's latency before.
func TestDeletionOrder(t *testing.T) {
	deletions := 0
	for _, name := range scenarios.Names() {
		run := runs.Of(t, scenarios.Text(name))
		for i := range run.Len() {
			s := run.Past().Sync(i)
			if s == nil || run.Record(i).What != "deletes pods" {
				continue
			}
			rs := strings.TrimPrefix(run.Record(i).Object, "ReplicaSet/")
			at := run.Past().At(i)
			order := run.Past().DeletionOrder(rs, run.Past().Find(at-sim.WatchLatency), at)
			var gone []string
			for j := i; j <= s.Last; j++ {
				if r := run.Record(j); r.What == "pod deleted" {
					gone = append(gone, strings.TrimPrefix(r.Object, "Pod/"))
				}
			}
			if len(gone) == len(order) {
				continue // all go, in no order
			}
			deletions += len(gone)
			for k, key := range gone {
				if key != order[k].Key {
					t.Errorf("%s at %d: %s goes, want %s", name, at, key, order[k].Key)
				}
			}
			for k := range order {
				if (order[k].Why == "") != (k == len(order)-1) {
					t.Errorf("%s at %d: pod %d of %d goes because %q", name, at, k, len(order), order[k].Why)
				}
			}
		}
	}
	if deletions < 20 {
		t.Errorf("only %d ranked deletions", deletions)
	}
	run := runs.Of(t, scenarios.Text(scenarios.Names()[0]))
	if order := run.Past().DeletionOrder("default/nobody", run.Len()-1, 0); order != nil {
		t.Errorf("a ReplicaSet that is not there ranks %v", order)
	}
}

// BenchmarkPods is a frame of the pod view with a thousand pods.
func BenchmarkPods(b *testing.B) {
	text := strings.Replace(scenarios.Text("first-rollout"), "replicas: 10", "replicas: 1000", 1)
	run := runs.Of(b, text)
	record, at := run.Len()-1, run.Now()
	pods := run.Past().Pods(record, at)
	rs := "default/" + pods[0].Owner
	b.Run("tiles", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			run.Past().Pods(record, at)
		}
	})
	b.Run("order", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			run.Past().DeletionOrder(rs, record, at)
		}
	})
	b.Run("life", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			run.Past().PodLife(pods[0].Key)
		}
	})
}
