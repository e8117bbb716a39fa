package kubelet_test

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/sim"
)

// BenchmarkLife runs pods on one node from their creation to their end, with the scheduler: as many as a rollout of
// ten replicas has, and 1,000.
func BenchmarkLife(b *testing.B) {
	for _, pods := range []int{20, 1000} {
		b.Run(fmt.Sprint(pods), func(b *testing.B) { benchmarkLife(b, pods) })
	}
}

func benchmarkLife(b *testing.B, pods int) {
	spec := specOf(b, `{"containers": [{"name": "c", "image": "nginx:1", "readinessProbe": {"httpGet": {"port": 80}}}]}`)
	b.ReportAllocs()
	records := 0
	for b.Loop() {
		w := newWorld(b, kubelet.Behaviour{Match: "*", Ready: &kubelet.Range{Min: 1000, Max: 5000}})
		names := make([]string, pods)
		for i := range names {
			names[i] = fmt.Sprint("web-", i)
			if _, err := w.user.Create(&api.Pod{ObjectMeta: api.ObjectMeta{Name: names[i], Namespace: "default"}, Spec: spec}, "created", nil); err != nil {
				b.Fatal(err)
			}
		}
		w.drain(50_000)
		for _, name := range names {
			if err := w.user.Delete(key(name), apiserver.DeleteOptions{}, "deleted", nil); err != nil {
				b.Fatal(err)
			}
		}
		w.drain(500_000)
		if n := w.server.Store.Table(api.KindPod).Len(); n != 0 {
			b.Fatalf("%d pods are left", n)
		}
		records = len(w.kernel.Trace.Records)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(pods), "ns/pod")
	b.ReportMetric(float64(records)/float64(pods), "records/pod")
}

// drain lets the time pass without checks.
func (w *world) drain(to sim.Time) {
	for {
		at, ok := w.kernel.Next()
		if !ok || at > to {
			return
		}
		w.kernel.Step()
	}
}
