package kubelet_test

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/node/kubelet"
)

// BenchmarkLife runs pods on one node from their creation to their end, with the scheduler: as many as a rollout of
// ten replicas has, and 1,000.
func BenchmarkLife(b *testing.B) {
	for _, pods := range []int{20, 1000} {
		b.Run(fmt.Sprint(pods), func(b *testing.B) { benchmarkLife(b, pods) })
	}
}

func benchmarkLife(b *testing.B, pods int) {
	spec := cluster.Spec(b, `{"containers": [{"name": "c", "image": "nginx:1", "readinessProbe": {"httpGet": {"port": 80}}}]}`)
	b.ReportAllocs()
	records := 0
	for b.Loop() {
		w := newWorld(b, kubelet.Behaviour{Match: "*", Ready: &kubelet.Range{Min: 1000, Max: 5000}})
		names := make([]string, pods)
		for i := range names {
			names[i] = fmt.Sprint("web-", i)
			w.Create(&api.Pod{ObjectMeta: api.ObjectMeta{Name: names[i], Namespace: "default"}, Spec: spec})
		}
		w.Until(50_000)
		for _, name := range names {
			w.Delete(key(name))
		}
		w.Until(500_000)
		if n := w.Server.Store.Table(api.KindPod).Len(); n != 0 {
			b.Fatalf("%d pods are left", n)
		}
		records = len(w.Kernel.Trace.Records)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(pods), "ns/pod")
	b.ReportMetric(float64(records)/float64(pods), "records/pod")
}
