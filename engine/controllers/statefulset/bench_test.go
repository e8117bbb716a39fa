package statefulset

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
)

// TestQuietSyncAllocates: a reconcile that changes nothing makes no memory for each pod.
func TestQuietSyncAllocates(t *testing.T) {
	allocs := func(replicas int32) float64 {
		w := newReadyWorld(t, 37, replicas, parallel)
		return testing.AllocsPerRun(10, func() {
			w.Must(w.c.Sync(cluster.Key(api.KindStatefulSet, "db")))
		})
	}
	if few, many := allocs(10), allocs(200); many > few+5 {
		t.Errorf("%.0f allocations with 10 pods, %.0f with 200", few, many)
	}
}

// BenchmarkQuietSync is one reconcile of a thousand pods that changes nothing.
func BenchmarkQuietSync(b *testing.B) {
	w := newReadyWorld(b, 37, 1000, parallel)
	for b.Loop() {
		w.Must(w.c.Sync(cluster.Key(api.KindStatefulSet, "db")))
	}
}
