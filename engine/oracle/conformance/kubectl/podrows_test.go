package kubectl

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/printers"
	"k8s.io/kubernetes/pkg/printers/internalversion"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// TestPodRows compares the columns of 20,000 random pods with init containers and sidecars in all states with those of the server's printer.
func TestPodRows(t *testing.T) {
	const most = 20_000
	table := printers.NewTableGenerator().With(internalversion.AddHandlers)
	synctest.Test(t, func(t *testing.T) {
		now := int64(30 * 24 * time.Hour / time.Millisecond)
		time.Sleep(time.Until(time.Unix(int64(api.TimeAt(now)), 0)))
		r, seen := rand.New(rand.NewPCG(1, 1)), map[string]int{}
		for range most {
			pod := drawPod(r, now)
			text, _ := json.Marshal(print.Served(pod))
			var real corev1.Pod
			var internal core.Pod
			if err := json.Unmarshal(text, &real); err != nil {
				t.Fatal(err)
			}
			if err := legacyscheme.Scheme.Convert(&real, &internal, nil); err != nil {
				t.Fatal(err)
			}
			want, err := table.GenerateTable(&internal, printers.GenerateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got := print.FormatOf(api.KindPod).Cells(pod, now, false)
			seen[got[2]]++
			if row := fmt.Sprint(want.Rows[0].Cells); row != fmt.Sprint(got) {
				t.Fatalf("%s\ngot  %s\nwant %s", text, got, row)
			}
		}
		t.Log(seen)
		if len(seen) < 30 {
			t.Errorf("only %d texts of STATUS", len(seen))
		}
	})
}

// drawPod draws a pod whose containers may be in any state that the API allows.
func drawPod(r *rand.Rand, now int64) *api.Pod {
	pod, spec := &api.Pod{}, &api.PodSpec{}
	pod.Name, pod.Namespace, pod.CreationTimestamp = "web", "default", api.TimeAt(1000)
	pod.Status.Phase = pick(r, "Pending", "Running", "Running", "Succeeded", "Failed")
	pod.Status.Reason = pick(r, "", "", "", "NodeLost", "Evicted")
	if r.IntN(4) == 0 {
		pod.DeletionTimestamp = api.TimeAt(now)
	}
	for _, kind := range []string{"Initialized", "Ready"} {
		pod.Status.Conditions = append(pod.Status.Conditions, api.Condition{Type: kind, Status: pick(r, "True", "False")})
	}
	for i := range r.IntN(4) {
		c := api.Container{Name: fmt.Sprint("i", i), Image: "a:1", RestartPolicy: pick(r, "", "Always")}
		spec.InitContainers = append(spec.InitContainers, c)
		pod.Status.InitContainerStatuses = append(pod.Status.InitContainerStatuses, drawStatus(r, c.Name, now))
	}
	for i := range 1 + r.IntN(3) {
		c := api.Container{Name: fmt.Sprint("c", i), Image: "a:1"}
		spec.Containers = append(spec.Containers, c)
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, drawStatus(r, c.Name, now))
	}
	text, _ := json.Marshal(map[string]any{"initContainers": spec.InitContainers, "containers": spec.Containers})
	var tree map[string]any
	_ = json.Unmarshal(text, &tree)
	pod.Spec = api.NewPodSpec(spec, tree)
	return pod
}

func drawStatus(r *rand.Rand, name string, now int64) api.ContainerStatus {
	s := api.ContainerStatus{Name: name, Image: "a:1", Ready: r.IntN(2) == 0, Started: r.IntN(2) == 0}
	s.State.Kind = pick(r, api.Waiting, api.Running, api.Running, api.Terminated, api.Terminated)
	switch s.State.Kind {
	case api.Waiting:
		s.State.Reason = pick(r, "", "PodInitializing", "CrashLoopBackOff", "ErrImagePull")
	case api.Running:
		s.State.StartedAt = api.TimeAt(2000)
	case api.Terminated:
		s.State.ExitCode = pick(r, int32(0), 0, 3, 137)
		s.State.Reason = pick(r, "", "Completed", "Completed", "Error", "OOMKilled")
	}
	if s.RestartCount = int32(r.IntN(3)); s.RestartCount > 0 {
		s.LastState = api.ContainerState{Kind: api.Terminated, Reason: "Error", ExitCode: 1, FinishedAt: api.TimeAt(r.Int64N(now))}
	}
	return s
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }
