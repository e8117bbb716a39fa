package compare

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
	"github.com/rollplay/rollplay/engine/sim"
)

// evictionWorld is a set of pods and budgets whose evictions are compared.
type evictionWorld struct {
	generate.Random
	kernel *sim.Kernel
	server *apiserver.Server
	client *apiserver.Client
	judged evictions
	ways   map[string]int // how often evictions ended in which way
}

func newEvictionWorld(seed uint64) *evictionWorld {
	w := &evictionWorld{Random: generate.Random{Rand: rand.New(rand.NewPCG(seed, 11))}, kernel: &sim.Kernel{}, ways: map[string]int{}}
	w.server = apiserver.New(w.kernel, 1)
	w.client = w.server.Client("kubectl")
	w.judged = unattached(w.kernel, w.server.Store).evictions
	w.advance(int64(w.IntN(5000)))
	return w
}

// evictionPods and evictionBudgets are the most pods and budgets in a namespace.
const evictionPods, evictionBudgets = 4, 4

// advance lets time pass on both sides.
func (w *evictionWorld) advance(ms int64) {
	w.kernel.Schedule(sim.Event{At: w.kernel.Now() + ms, To: evictionWaker{}})
	w.kernel.Step()
	catchUp(w.kernel)
}

func (w *evictionWorld) wall() time.Time { return convert.WallTime(w.kernel.Now()) }

type evictionWaker struct{}

func (evictionWaker) Handle(sim.Event) {}

// put stores an object as it is, even if no client could write it.
func (w *evictionWorld) put(o api.Object) { w.server.Store.Put(o, sim.Record{Actor: "environment"}) }

// change draws what has happened since the last eviction: often nothing.
func (w *evictionWorld) change() {
	w.advance(generate.Pick[int64](w.Random, 0, 0, 1, 300, 999, 1000, 2500, 31_000))
	if w.Chance(20) {
		return
	}
	space := w.namespace()
	for i := range evictionPods {
		if key := podKey(space, i); w.server.Store.Get(key) == nil || w.Chance(60) {
			w.put(w.pod(key))
		}
	}
	for i := range evictionBudgets {
		key := api.Key{Kind: api.KindPodDisruptionBudget, Namespace: space, Name: fmt.Sprintf("b-%d", i)}
		switch {
		case w.Chance(35):
			w.put(w.budget(key))
		case w.Chance(70) && w.server.Store.Get(key) != nil:
			w.server.Store.Remove(key, sim.Record{Actor: "environment"})
		}
	}
}

func podKey(space string, i int) api.Key {
	return api.Key{Kind: api.KindPod, Namespace: space, Name: fmt.Sprintf("p-%d", i)}
}

func (w *evictionWorld) namespace() string {
	return generate.Pick(w.Random, "default", "default", "default", "default", "other")
}

// meta returns the metadata of an object. All objects of one name are the same one.
func (w *evictionWorld) meta(name string, generation int64) api.ObjectMeta {
	return api.ObjectMeta{Namespace: "default", Name: name, UID: "uid-" + name, Generation: generation, CreationTimestamp: api.TimeAt(0)}
}

// readyPod stores a pod that is Ready.
func (w *evictionWorld) readyPod(name string) api.Key {
	pod := &api.Pod{ObjectMeta: w.meta(name, 1), Spec: evictedSpec(30), NodeName: "n"}
	pod.Status = api.PodStatus{Phase: api.PodRunning,
		Conditions: []api.Condition{{Type: "Ready", Status: "True", LastTransitionTime: api.TimeAt(0)}}}
	w.put(pod)
	return pod.Key()
}

// evictedSpecs are what the pods are drawn from.
var evictedSpecs = []*api.PodSpec{evictedSpec(0), evictedSpec(1), evictedSpec(5), evictedSpec(30), evictedSpec(30)}

// evictedSpec is the spec of a pod with this many seconds of grace.
func evictedSpec(grace int64) *api.PodSpec {
	const text = `{"spec": {"containers": [{"name": "app", "image": "app:1"}], "terminationGracePeriodSeconds": %d}}`
	t, err := decode.Template(fmt.Appendf(nil, text, grace))
	if err != nil {
		panic(err)
	}
	return t.Spec
}

// pod draws a pod in any state.
func (w *evictionWorld) pod(key api.Key) *api.Pod {
	pod := &api.Pod{ObjectMeta: w.meta(key.Name, 1), Spec: generate.Pick(w.Random, evictedSpecs...), NodeName: "n"}
	pod.Namespace = key.Namespace
	pod.Labels = generate.Pick(w.Random, map[string]string{"app": "web"}, map[string]string{"app": "web"}, map[string]string{"app": "db"},
		map[string]string{"app": "web", "tier": "front"}, nil)
	pod.Status.Phase = generate.Pick(w.Random, api.PodRunning, api.PodRunning, api.PodRunning, api.PodRunning, api.PodRunning,
		api.PodRunning, api.PodPending, api.PodSucceeded, api.PodFailed, "Unknown")
	if pod.Status.Phase == api.PodPending && w.Chance(50) {
		pod.NodeName = ""
	}
	if w.Chance(15) {
		pod.Finalizers = []string{"example.com/keep"}
	}
	then := w.client.Timestamp() - api.Time(w.IntN(100))
	if ready := generate.Pick(w.Random, "True", "True", "True", "False", "Unknown", ""); ready != "" {
		pod.Status.Conditions = []api.Condition{{Type: "Ready", Status: ready, LastTransitionTime: then}}
	}
	switch w.IntN(10) {
	case 0, 1:
		pod.Status.Conditions = append(pod.Status.Conditions, api.Condition{Type: api.DisruptionTarget, Status: "True",
			Reason:             generate.Pick(w.Random, "EvictionByEvictionAPI", "EvictionByEvictionAPI", "DeletionByTaintManager"),
			Message:            generate.Pick(w.Random, "Eviction API: evicting", "Eviction API: evicting", "Taint manager: deleting due to NoExecute taint"),
			LastTransitionTime: then})
	case 2:
		pod.Status.Conditions = append(pod.Status.Conditions, api.Condition{Type: api.DisruptionTarget, Status: "False",
			LastTransitionTime: then})
	}
	if pod.NodeName != "" && w.Chance(15) {
		grace := generate.Pick[int64](w.Random, 1, 5, 30, 60)
		if len(pod.Finalizers) > 0 && w.Chance(40) {
			grace = 0 // only they are left
		}
		pod.DeletionGracePeriodSeconds, pod.Generation = grace, 2
		pod.DeletionTimestamp = w.client.Timestamp() + api.Time(grace-int64(w.IntN(40)))
	}
	return pod
}

// budget draws a budget, with a status that fits or does not.
func (w *evictionWorld) budget(key api.Key) *api.PodDisruptionBudget {
	b := &api.PodDisruptionBudget{ObjectMeta: w.meta(key.Name, int64(1+w.IntN(3)))}
	b.Namespace = key.Namespace
	b.Spec.Selector = w.selector()
	b.Spec.MinAvailable = api.Int(1)
	b.Spec.UnhealthyPodEvictionPolicy = generate.Pick(w.Random, nil, nil, api.Ptr(api.IfHealthyBudget), api.Ptr(api.AlwaysAllow))
	s := &b.Status
	s.ObservedGeneration = b.Generation
	if w.Chance(12) {
		s.ObservedGeneration = int64(w.IntN(5)) // it may even be ahead
	}
	s.DisruptionsAllowed = generate.Pick[int32](w.Random, 0, 0, 0, 0, 1, 1, 2, 3, -1)
	s.CurrentHealthy, s.DesiredHealthy, s.ExpectedPods = int32(w.IntN(5)), int32(w.IntN(4)), int32(w.IntN(6))
	if condition := w.budgetCondition(); condition != nil {
		s.Conditions = []api.Condition{*condition}
	}
	s.DisruptedPods = w.disruptedPods(w.IntN(3))
	if w.Chance(5) {
		s.DisruptionsAllowed, s.ObservedGeneration, s.DisruptedPods = 1, b.Generation, w.disruptedPods(1999+w.IntN(3))
	}
	return b
}

// selector draws the pods that a budget selects; nil selects none, an empty selector all of its namespace.
func (w *evictionWorld) selector() *api.LabelSelector {
	labels := func(m map[string]string) *api.LabelSelector { return &api.LabelSelector{MatchLabels: m} }
	where := func(r api.SelectorRequirement) *api.LabelSelector {
		return &api.LabelSelector{MatchExpressions: []api.SelectorRequirement{r}}
	}
	return generate.Pick(w.Random, nil, labels(nil), labels(map[string]string{"app": "web"}), labels(map[string]string{"app": "web"}),
		labels(map[string]string{"app": "db"}), labels(map[string]string{"app": "none"}),
		labels(map[string]string{"app": "web", "tier": "front"}),
		where(api.SelectorRequirement{Key: "app", Operator: generate.Pick(w.Random, "In", "NotIn"), Values: []string{"db", "x"}}),
		where(api.SelectorRequirement{Key: "tier", Operator: generate.Pick(w.Random, "Exists", "DoesNotExist")}))
}

func (w *evictionWorld) budgetCondition() *api.Condition {
	c := &api.Condition{Type: api.DisruptionAllowed, Status: "False", LastTransitionTime: w.client.Timestamp() - api.Time(w.IntN(50))}
	switch w.IntN(8) {
	case 0, 1:
		return nil
	case 2:
		c.Status, c.Reason = "True", api.SufficientPods
	case 3:
		c.Reason = api.InsufficientPods
	case 4:
		c.Reason, c.Message = api.SyncFailed, "found no controller ref for pod"
	case 5:
		c.Reason = api.SyncFailed
	case 6:
		c.Reason, c.Message = "Because", "of this"
	case 7:
		c.Status, c.Reason, c.Message = generate.Pick(w.Random, "True", "Unknown"), generate.Pick(w.Random, api.SyncFailed, "Because"), "of that"
	}
	return c
}

// disruptedPods are evictions that the budget's controller has not seen yet.
func (w *evictionWorld) disruptedPods(n int) map[string]api.Time {
	pods := make(map[string]api.Time, n)
	for i := range n {
		pods[fmt.Sprintf("p-%d", i)] = w.client.Timestamp() - 50
	}
	return pods
}
