package engine

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/controllers/replicaset"
	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/kubectl"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestSmallWorlds enumerates small rollouts completely: 0 to 4 replicas, all bounds out of {0, 1, 2, 25%, 50%, 100%}, any
// number of old pods ready when the image changes, and all orders in which further pods of the old and of the new
// ReplicaSet become ready. After every change the invariants hold
// (SIM-9), and every order ends with a complete rollout.
func TestSmallWorlds(t *testing.T) {
	amounts := []string{"0", "1", "2", `"25%"`, `"50%"`, `"100%"`}
	worlds := 0
	for replicas := range 5 {
		for _, surge := range amounts {
			for _, unavailable := range amounts {
				if surge == "0" && unavailable == "0" {
					continue // refused (D-8)
				}
				for ready := range replicas + 1 {
					w := smallWorld{t: t, replicas: replicas, ready: ready, surge: surge, unavailable: unavailable}
					w.explore(nil)
					worlds += w.ended
				}
			}
		}
	}
	t.Logf("%d orders", worlds)
	if worlds < 1000 {
		t.Errorf("only %d orders", worlds)
	}
}

// smallWorld is one Deployment whose image changes when some of its pods are ready. Nothing in it becomes ready by itself: choices says whose pod
// comes next.
type smallWorld struct {
	t                  *testing.T
	replicas, ready    int
	surge, unavailable string
	ended              int
}

// explore tries every continuation of a list of choices.
func (w *smallWorld) explore(choices []int) {
	const choicesMax = 16 // four old pods, and four new ones, and some more that are replaced
	waiting := w.play(choices)
	if waiting == nil {
		w.ended++
		return
	}
	if len(choices) == choicesMax {
		w.t.Fatalf("%d replicas, surge %s, unavailable %s: no end after %v", w.replicas, w.surge, w.unavailable, choices)
	}
	for i := range waiting {
		w.explore(append(choices[:len(choices):len(choices)], i))
	}
}

// play runs the world with some choices and returns the ReplicaSets that have a pod which is not ready, oldest first.
func (w *smallWorld) play(choices []int) (waiting []*api.ReplicaSet) {
	k := &sim.Kernel{}
	s := apiserver.New(k, 1)
	c := frames.New(k, s.Store, s.Minor)
	s.Store.Follow(c)
	deployment.New(s)
	replicaset.New(s)
	person := kubectl.New(s)
	manifests, diagnostics := scenario.Read(fmt.Sprintf(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: %d
  strategy: {rollingUpdate: {maxSurge: %s, maxUnavailable: %s}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: old}]}
`, w.replicas, w.surge, w.unavailable)).Manifests()
	if len(diagnostics) > 0 {
		w.t.Fatal(diagnostics)
	}
	person.Apply(manifests)
	w.settle(k)
	for range w.ready {
		makeReady(w.t, s, unready(s)[0])
		w.settle(k)
	}
	person.Run(line.Parse("set image deployment/web web=new"))
	for i := 0; ; i++ {
		w.settle(k)
		if waiting = unready(s); i == len(choices) || waiting == nil {
			break
		}
		makeReady(w.t, s, waiting[choices[i]])
	}
	w.check(k, c, choices)
	if waiting == nil {
		f := c.Frames("Deployment/default/web")
		if last := f[len(f)-1]; last.Updated != w.replicas || last.Available != w.replicas || last.Total != w.replicas {
			w.t.Errorf("%d replicas, surge %s, unavailable %s, order %v ends with %+v", w.replicas, w.surge, w.unavailable, choices, last)
		}
	}
	return waiting
}

// settle runs the controllers until they have nothing to do but wait for a deadline.
func (w *smallWorld) settle(k *sim.Kernel) {
	limit := k.Now() + 5000
	for n := 0; ; n++ {
		at, ok := k.Next()
		if !ok || at > limit {
			return
		}
		if n > 10_000 {
			w.t.Fatalf("%d replicas, surge %s, unavailable %s: the controllers do not come to rest", w.replicas, w.surge, w.unavailable)
		}
		k.Step()
	}
}

// check asserts the invariants over all frames.
func (w *smallWorld) check(k *sim.Kernel, c *frames.Counter, choices []int) {
	frames := c.Frames("Deployment/default/web")
	for i := 1; i < len(frames); i++ {
		was, is := &frames[i-1], &frames[i]
		if sizes(is) > is.Upper || is.Total > is.Upper {
			w.t.Errorf("%d replicas, surge %s, unavailable %s, order %v, at %d ms: sizes %d, pods %d, bound %d",
				w.replicas, w.surge, w.unavailable, choices, is.T, sizes(is), is.Total, is.Upper)
		}
		if is.Available < was.Available && is.Available < is.Lower {
			w.t.Errorf("%d replicas, surge %s, unavailable %s, order %v, at %d ms: %d available, bound %d",
				w.replicas, w.surge, w.unavailable, choices, is.T, is.Available, is.Lower)
		}
	}
}

// unready returns the ReplicaSets that have a pod which is not ready, in the order of creation.
func unready(s *apiserver.Server) (out []*api.ReplicaSet) {
	for o := range s.Store.Table(api.KindReplicaSet).All() {
		rs := o.(*api.ReplicaSet)
		for p := range s.Store.Table(api.KindPod).OwnedBy(rs.UID) {
			if !p.(*api.Pod).IsReady() {
				out = append(out, rs)
				break
			}
		}
	}
	return out
}

// makeReady makes the oldest pod of a ReplicaSet ready that is not.
func makeReady(t *testing.T, s *apiserver.Server, rs *api.ReplicaSet) {
	client := s.Client("test")
	for o := range s.Store.Table(api.KindPod).OwnedBy(rs.UID) {
		if pod := o.(*api.Pod); !pod.IsReady() {
			pod = pod.CopyForStatus()
			pod.Status.Phase = api.PodRunning
			pod.Status.Conditions = []api.Condition{{Type: "Ready", Status: "True", LastTransitionTime: client.Timestamp()}}
			if _, err := client.UpdateStatus(pod, "ready", nil); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
}
