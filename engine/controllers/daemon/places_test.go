package daemon

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestKeptPlaces: whatever happens to nodes, pods and the DaemonSet, what a sync keeps of the last one is what it would read.
func TestKeptPlaces(t *testing.T) {
	kept := 0
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		w := newTestWorld(t, 6, func(ds *api.DaemonSet) {
			switch seed % 4 {
			case 1:
				surge(2, 0)(ds)
			case 2:
				ds.Spec.MinReadySeconds = 2
			case 3:
				ds.Spec.Template = template(t, "v1", `"nodeSelector":{"disk":"ssd"}`)
			}
		})
		w.fleet.start, w.fleet.stop = 300, 400
		w.fleet.fails = func(*api.Pod) bool { return rnd.IntN(9) == 0 }
		nodes := 6
		for range 60 {
			w.upset(rnd, &nodes)
			for range rnd.IntN(8) {
				w.Advance(int64(rnd.IntN(300)))
				if w.checkKept(t, seed) {
					kept++
				}
			}
		}
	}
	if kept < 1000 {
		t.Errorf("places were kept %d times only", kept)
	}
}

// upset does something to the world.
func (w *testWorld) upset(rnd *rand.Rand, nodes *int) {
	some := 1 + rnd.IntN(*nodes)
	pods := w.pods()
	switch rnd.IntN(9) {
	case 0:
		w.image(fmt.Sprint("v", rnd.IntN(3)))
	case 1:
		w.taint(some, api.Taint{Key: "k", Effect: []string{api.NoSchedule, api.NoExecute}[rnd.IntN(2)]})
	case 2:
		w.taint(some)
	case 3:
		w.editNode(some, func(n *api.Node) { n.Labels = map[string]string{"disk": []string{"ssd", "hdd"}[rnd.IntN(2)]} })
	case 4:
		if len(pods) > 0 {
			if pod := pods[rnd.IntN(len(pods))]; !pod.Terminating() {
				w.Delete(pod.Key())
			}
		}
	case 5:
		if len(pods) > 0 {
			relabelled := api.Copy(pods[rnd.IntN(len(pods))])
			relabelled.Labels = map[string]string{"app": []string{"agent", "other"}[rnd.IntN(2)]}
			w.Update(relabelled)
		}
	case 6:
		*nodes++
		w.addNode(*nodes, map[string]string{"disk": "ssd"})
	case 7:
		w.editDS(func(ds *api.DaemonSet) { ds.Spec.MinReadySeconds = int32(rnd.IntN(3)) })
	}
}

// checkKept compares what is kept with what would be read, and says whether anything is kept.
func (w *testWorld) checkKept(t *testing.T, seed uint64) bool {
	t.Helper()
	r := w.c.rounds[w.ds().UID]
	if r == nil {
		return false
	}
	for o := range w.c.pods.Cache.OwnedBy(r.ds.UID) {
		if !r.ds.Spec.Selector.Matches(o.Meta().Labels) {
			t.Fatalf("seed %d at %d ms: places are kept although a pod must be released", seed, w.Kernel.Now())
		}
	}
	for range w.c.pods.Cache.OwnedBy("") {
		return false // the next sync reads again
	}
	r.now = w.c.client.Now()
	delete(w.c.rounds, r.ds.UID)
	fresh, err := w.c.newRound(r.ds, r.hash)
	w.Must(err)
	w.c.rounds[r.ds.UID] = r
	for i := range fresh.places {
		a, b := &r.places[i], &fresh.places[i]
		x, y := *r.look(a), *fresh.look(b)
		if a.name != b.name || a.node != b.node || !slices.Equal(a.pods, b.pods) || x != y {
			t.Fatalf("seed %d at %d ms: kept %+v, read %+v", seed, w.Kernel.Now(), a, b)
		}
	}
	for hash, n := range r.live {
		if fresh.live[hash] != n {
			t.Fatalf("seed %d at %d ms: %d live pods of %s, want %d", seed, w.Kernel.Now(), n, hash, fresh.live[hash])
		}
	}
	return true
}
