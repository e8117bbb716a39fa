package daemon

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/node/scheduler"
)

// newCluster is a testWorld whose pods the real scheduler binds and real kubelets run, without a fleet. A container is
// Ready two seconds after its start, and takes three to stop.
func newCluster(t *testing.T, nodes int, edit func(*api.DaemonSet)) *testWorld {
	t.Helper()
	w := newEmptyWorld(t)
	scheduler.New(w.Server)
	exact := func(ms int64) *kubelet.Range { return &kubelet.Range{Min: ms, Max: ms} }
	kl := kubelet.New(w.Server, 1, []kubelet.Behaviour{{Match: "*", Pull: exact(0), Start: exact(0), Ready: exact(2000), Stop: exact(3000)}})
	for i := range nodes {
		if err := kl.Register(&api.Node{ObjectMeta: api.ObjectMeta{Name: nodeName(i + 1)}}); err != nil {
			t.Fatal(err)
		}
	}
	ds := newDaemonSet(t)
	if edit != nil {
		edit(ds)
	}
	ds.Spec.Template = probed(t, "v1")
	w.Create(ds)
	return w
}

// probed is a template whose container has a readiness probe.
func probed(t *testing.T, image string) (out api.PodTemplateSpec) {
	t.Helper()
	out = template(t, image+`","readinessProbe":{"httpGet":{"port":80},"periodSeconds":1},"imagePullPolicy":"IfNotPresent`)
	return out
}

// TestClusterInPlace is the trace of DS-32, which counts by DS-30 and follows the nodes' names (DS-11), with the real scheduler and
// kubelet, row for row: after the two rows of the change
// each node has the same ones, in the order of their names.
func TestClusterInPlace(t *testing.T) {
	w := newCluster(t, 4, nil)
	w.Until(20_000)
	wantEqual(t, "before", row(&w.ds().Status), "4 4 4 4")
	w.rows = nil
	w.editDS(func(ds *api.DaemonSet) { ds.Spec.Template = probed(t, "v2") })
	w.Until(90_000)
	var want []string
	want = append(want, "4 4 4 4", "4 4 0 4")
	for n := range 4 {
		want = append(want, fmt.Sprintf("3 3 %d 3", n), fmt.Sprintf("4 3 %d 3", n+1), fmt.Sprintf("4 4 %d 4", n+1))
	}
	if !slices.Equal(w.rows, want) {
		t.Errorf("want %s", strings.Join(want, ", "))
	}
}

// TestClusterSurge is T-7 with the real scheduler and kubelet: never more than two new pods wait at a time, and there is
// always an available pod on every node.
func TestClusterSurge(t *testing.T) {
	w := newCluster(t, 4, surge(2, 0))
	w.Until(20_000)
	w.editDS(func(ds *api.DaemonSet) { ds.Spec.Template = probed(t, "v2") })
	for ms := int64(20_000); ms < 60_000; ms += 100 {
		w.Until(ms)
		waiting := 0
		for i := range 4 {
			ready := 0
			for _, pod := range w.on(i + 1) {
				if pod.IsReady() {
					ready++
				} else if !pod.Terminating() {
					waiting++
				}
			}
			if ready == 0 {
				t.Fatalf("at %d ms node-%d has no pod that is Ready: %s", ms, i+1, w.images())
			}
		}
		if waiting > 2 {
			t.Fatalf("at %d ms %d new pods wait: %s", ms, waiting, w.images())
		}
	}
	wantEqual(t, "after", w.images(), "1:v2 2:v2 3:v2 4:v2")
	wantEqual(t, "status", row(&w.ds().Status), "4 4 4 4")
}
