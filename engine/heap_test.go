package engine

import (
	"math/rand"
	"runtime"
	"testing"
)

// TestHeapOfRandomRuns: the estimate that ends a run holds the heap, whatever a cluster and its commands make large.
func TestHeapOfRandomRuns(t *testing.T) {
	random, data := rand.New(rand.NewSource(1)), make([]byte, 24)
	runtime.LockOSThread() // whose time is measured
	defer runtime.UnlockOSThread()
	n := 48
	if testing.Short() {
		n = 24
	}
	for i := range n {
		random.Read(data)
		text, commands := costly(data)
		before := heapInUse()
		r, _ := Start(Recording{Scenario: text, Commands: commands})
		if r == nil {
			continue
		}
		began, events := threadTime(), 12_000
		r.AdvanceWhile(1<<40, func() bool { events--; return events > 0 && threadTime()-began < timeOfCost/2 })
		live, records := heapInUse()-before, r.Len()
		if most := 2*r.Bytes() + 10<<20; live > most {
			t.Errorf("run %d (%x): %d records keep %d kB; at most %d kB follow from the estimate", i, data, records, live>>10, most>>10)
		}
		runtime.KeepAlive(r)
	}
}

// heapInUse is the size of the heap after a collection.
func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
