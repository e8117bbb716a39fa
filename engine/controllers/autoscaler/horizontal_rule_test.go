package autoscaler_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/controllers/autoscaler"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// world is a cluster in which only the autoscaler acts, with metrics that the test sets.
type world struct {
	*cluster.Cluster
	usage map[string]autoscaler.PodMetric
}

func newWorld(t *testing.T, minor int) *world {
	w := &world{cluster.New(t), map[string]autoscaler.PodMetric{}}
	w.Server.Minor = minor
	autoscaler.New(w.Server, w)
	return w
}

func (w *world) PodMetrics(string, string, *api.LabelSelector) (map[string]autoscaler.PodMetric, error) {
	return w.usage, nil
}

func (w *world) create(o api.Object) {
	w.T.Helper()
	decode.Default(o)
	w.Create(o)
}

// scene creates a Deployment, its autoscaler for 50 % of the cpu, and pods that request 100m each.
func (w *world) scene(replicas, low, high int32, pods int) {
	w.T.Helper()
	w.create(&api.Deployment{ObjectMeta: cluster.Meta("web"), Spec: api.DeploymentSpec{Replicas: &replicas,
		Selector: cluster.Selects("web")}})
	w.autoscaler("web", low, high)
	for i := range pods {
		w.pod(fmt.Sprintf("web-%d", i), 200)
	}
}

func (w *world) autoscaler(name string, low, high int32) {
	w.T.Helper()
	w.create(&api.HorizontalPodAutoscaler{ObjectMeta: cluster.Meta(name), Spec: api.HorizontalPodAutoscalerSpec{MinReplicas: &low, MaxReplicas: high,
		ScaleTargetRef: api.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
		Metrics: []api.MetricSpec{{Type: api.ResourceMetric, Resource: &api.ResourceMetricSource{Name: "cpu",
			Target: api.MetricTarget{Type: api.UtilizationTarget, AverageUtilization: api.Ptr(int32(50))}}}}}})
}

// pod creates a ready pod that requests 100m and uses some other amount.
func (w *world) pod(name string, milli int64) {
	w.T.Helper()
	text := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + name + `","labels":{"app":"web"}},"spec":{"containers":[{"name":"web",` +
		`"image":"nginx","resources":{"requests":{"cpu":"100m"}}}]}}`
	o, issues := decode.JSON(api.KindPod, []byte(text))
	if len(issues) > 0 {
		w.T.Fatal(issues)
	}
	w.create(o)
	pod := api.Copy(o.(*api.Pod))
	pod.Status = api.PodStatus{Phase: api.PodRunning, Conditions: []api.Condition{{Type: "PodScheduled", Status: "True", LastTransitionTime: api.TimeAt(-900_000)},
		{Type: "Ready", Status: "True", LastTransitionTime: api.TimeAt(-890_000)}}}
	w.UpdateStatus(pod)
	w.usage[name] = autoscaler.PodMetric{At: 0, Window: 30_000, Value: milli}
}

func (w *world) replicas() int32 {
	d := w.Server.Store.Get(cluster.Key(api.KindDeployment, "web")).(*api.Deployment)
	return *d.Spec.Replicas
}

func (w *world) get(name string) *api.HorizontalPodAutoscaler {
	return w.Server.Store.Get(cluster.Key(api.KindHorizontalPodAutoscaler, name)).(*api.HorizontalPodAutoscaler)
}

// looks counts the reconciles.
func (w *world) looks() (n int) {
	for _, r := range w.Kernel.Trace.Records {
		if r.Kind == sim.Reconcile {
			n++
		}
	}
	return n
}

// has says whether an event with this reason and this text in its message was sent.
func (w *world) has(reason, text string) bool {
	for _, r := range w.Kernel.Trace.Records {
		if r.Kind == sim.Notice && r.Reason == reason && strings.Contains(r.What, text) {
			return true
		}
	}
	return false
}

// HPA-1: one reconcile at once and one every 15 s; a changed spec is reconciled at once, since 1.37.
func TestPace(t *testing.T) {
	for minor, want := range map[int]int{36: 5, 37: 6} {
		w := newWorld(t, minor)
		w.scene(2, 2, 4, 2)
		w.Until(61_000)
		if n := w.looks(); n != 5 {
			t.Errorf("1.%d: %d looks in a minute, want 5", minor, n)
		}
		h := api.Copy(w.get("web"))
		h.Spec.MaxReplicas = 9
		w.Update(h)
		w.Until(62_000)
		if n := w.looks(); n != want {
			t.Errorf("1.%d: %d looks after a change, want %d", minor, n, want)
		}
		if g := w.get("web").Status.ObservedGeneration; (g != nil) != (minor >= 37) {
			t.Errorf("1.%d: observedGeneration is %v", minor, g)
		}
	}
}

// HPA-3, HPA-7, HPA-9: the usage decides, within maxReplicas, and shows in the status.
func TestScalesUp(t *testing.T) {
	w := newWorld(t, 37)
	w.scene(2, 1, 7, 2) // 200 % of 50 %: 8
	w.Until(100)
	if w.replicas() != 4 || !w.has("SuccessfulRescale", "New size: 4; reason: cpu resource utilization (percentage of request) above target") {
		t.Errorf("%d replicas", w.replicas())
	}
	s := w.get("web").Status
	if c := api.FindCondition(s.Conditions, api.ScalingLimited); c == nil || c.Status != "True" || c.Reason != "ScaleUpLimit" {
		t.Errorf("ScalingLimited is %+v", c)
	}
	if s.CurrentReplicas != 2 || s.DesiredReplicas != 4 || *s.CurrentMetrics[0].Resource.Current.AverageUtilization != 200 || s.LastScaleTime == 0 {
		t.Errorf("the status is %+v", s)
	}
}

// HPA-2, HPA-4: to scale up, a pod that is not ready counts as using nothing.
func TestUnreadyOnTheWayUp(t *testing.T) {
	w := newWorld(t, 37)
	w.scene(4, 1, 20, 2)
	for _, name := range []string{"new-0", "new-1"} {
		w.pod(name, 0)
		pod := api.Copy(w.Server.Store.Get(cluster.Key(api.KindPod, name)).(*api.Pod))
		pod.Status.Phase = api.PodPending
		w.UpdateStatus(pod)
	}
	w.Until(100)
	if w.replicas() != 8 { // 400 of 400 requested: 100 %, of 4 pods
		t.Errorf("%d replicas, want 8", w.replicas())
	}
}

// HPA-3, HPA-4, HPA-5: the table of sum.replicas, and a product that floating point rounds up.
func TestReplicas(t *testing.T) {
	for _, c := range []struct {
		pods             int
		use              int64 // of 100m
		unready, missing int
		rule             string
		want             int64
	}{
		{2, 56, 0, 0, "HPA-3", 3},
		{2, 55, 0, 0, "HPA-5", 2},
		{2, 80, 1, 0, "HPA-4", 3},
		{3, 20, 0, 1, "HPA-4", 4},
		{3, 40, 0, 2, "HPA-4", 5},
		{25, 110, 0, 0, "HPA-3", 56},
	} {
		w := newWorld(t, 37)
		all := c.pods + c.unready + c.missing
		w.scene(int32(all), 1, 100, 0)
		for i := range all {
			name := fmt.Sprint("web-", i)
			w.pod(name, c.use)
			if i >= c.pods+c.unready {
				delete(w.usage, name)
			} else if i >= c.pods {
				w.SetPhase(name, api.PodPending, false)
			}
		}
		w.Until(100)
		if why := w.Records(func(r *sim.Record) bool { return r.Kind == sim.Reconcile })[0].Why; why.Rule != c.rule || why.Value != c.want {
			t.Errorf("%+v: %s gives %d (%s)", c, why.Rule, why.Value, why.Note)
		}
	}
}

// HPA-8: bounds come first, and a target that was scaled to zero stays so.
func TestBoundsFirst(t *testing.T) {
	for _, c := range []struct {
		replicas, want int32
		reason         string
	}{{9, 7, "Current number of replicas above Spec.MaxReplicas"}, {1, 3, "Current number of replicas below Spec.MinReplicas"}, {0, 0, ""}} {
		w := newWorld(t, 37)
		w.scene(c.replicas, 3, 7, 0)
		w.Until(100)
		if w.replicas() != c.want || c.reason != "" && !w.has("SuccessfulRescale", c.reason) {
			t.Errorf("%d replicas became %d, want %d", c.replicas, w.replicas(), c.want)
		}
		if a := api.FindCondition(w.get("web").Status.Conditions, api.ScalingActive); c.replicas == 0 && (a == nil || a.Reason != "ScalingDisabled") {
			t.Errorf("ScalingActive is %+v", a)
		}
	}
}

// HPA-10: errors change nothing and are reported.
func TestErrors(t *testing.T) {
	w := newWorld(t, 37)
	w.scene(2, 2, 5, 2)
	w.autoscaler("rival", 2, 5)
	h := api.Copy(w.get("web"))
	h.Name, h.UID, h.Spec.ScaleTargetRef.Name = "lost", "", "nobody"
	w.create(h)
	d := api.Copy(w.get("web"))
	d.Name, d.UID, d.Spec.ScaleTargetRef.Kind = "daemon", "", "DaemonSet"
	w.create(d)
	w.Until(16_000)
	for _, want := range [][2]string{{"AmbiguousSelector", "pods by selector app=web are controlled by more than one HPA (e.g. [{"},
		{"FailedGetScale", `deployments.apps "nobody" not found`}, {"FailedGetScale", "the server could not find the requested resource"}} {
		if !w.has(want[0], want[1]) {
			t.Errorf("no event %s %q", want[0], want[1])
		}
	}
}

// HPA-11: the metrics server shares a load among the ready pods of a workload.
func TestMetricsServer(t *testing.T) {
	w := newWorld(t, 37)
	key := cluster.Key(api.KindDeployment, "web")
	m := autoscaler.NewMetricsServer(w.Server, []autoscaler.Load{{At: 0, Of: key, CPU: 300}, {At: 20_000, Of: key, CPU: 900}})
	w.scene(3, 3, 3, 3)
	selector := cluster.Selects("web")
	for _, c := range []struct{ at, taken, want int64 }{{16_000, 15_000, 100}, {29_000, 15_000, 100}, {31_000, 30_000, 300}} {
		w.Until(c.at)
		got, err := m.PodMetrics("cpu", "default", selector)
		if s := got["web-1"]; err != nil || len(got) != 3 || s.Value != c.want || s.At != c.taken {
			t.Errorf("at %d ms: %+v %v, want %d", c.at, got, err, c.want)
		}
	}
	if _, err := m.PodMetrics("cpu", "other", selector); err == nil {
		t.Error("there are metrics of pods that do not exist")
	}
}

// HPA-5: usage close to the target changes nothing; a behavior may set another tolerance, since 1.35.
func TestTolerance(t *testing.T) {
	for _, c := range []struct {
		minor    int
		use      int64
		behavior bool
		want     int32
	}{{37, 55, false, 2}, {37, 56, false, 3}, {37, 52, true, 3}, {34, 52, true, 2}} {
		w := newWorld(t, c.minor)
		w.scene(2, 1, 9, 0)
		w.pod("web-0", c.use)
		w.pod("web-1", c.use)
		if c.behavior {
			h := api.Copy(w.get("web"))
			zero := api.NewQuantity(0)
			h.Spec.Behavior = &api.HorizontalPodAutoscalerBehavior{ScaleUp: &api.HPAScalingRules{Tolerance: &zero}}
			decode.Default(h)
			w.Update(h)
		}
		w.Until(100)
		if w.replicas() != c.want {
			t.Errorf("1.%d: %d%% of 50%% makes %d replicas, want %d", c.minor, c.use, w.replicas(), c.want)
		}
	}
}

// HPA-6: pods are removed only when no recommendation has included them for 300 s.
func TestStabilization(t *testing.T) {
	w := newWorld(t, 37)
	w.scene(4, 1, 9, 0)
	for i := range 4 {
		w.pod(fmt.Sprintf("web-%d", i), 20) // 20 % of 50 %: 2
	}
	w.Until(310_000)
	if c := api.FindCondition(w.get("web").Status.Conditions, api.AbleToScale); w.replicas() != 4 || c.Reason != "ScaleDownStabilized" {
		t.Errorf("%d replicas after 310 s, %s", w.replicas(), c.Reason)
	}
	w.Until(316_000)
	if w.replicas() != 2 {
		t.Errorf("%d replicas after 316 s, want 2", w.replicas())
	}
}
