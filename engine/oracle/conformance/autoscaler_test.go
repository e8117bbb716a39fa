package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	autoscalingclient "k8s.io/client-go/kubernetes/typed/autoscaling/v2"
	v1core "k8s.io/client-go/kubernetes/typed/core/v1"
	autoscalinglisters "k8s.io/client-go/listers/autoscaling/v2"
	corelisters "k8s.io/client-go/listers/core/v1"
	scaleclient "k8s.io/client-go/scale"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	ours "github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/autoscaler"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestAutoscaler lets the real HorizontalPodAutoscaler controller and ours look at the same autoscaler, pods and metrics for
// some minutes of fake time, and compares after every look: the replicas of the target, the status with its conditions and
// times, the events. That covers who is ready, unready, missing or ignored, tolerances, stabilization windows, policies with
// their memory of earlier changes, and the pace of the looks (HPA-1 to HPA-10).
func TestAutoscaler(t *testing.T) {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	worlds, looks, rescales := 250, 0, 0
	if testing.Short() {
		worlds = 60
	}
	for seed := range worlds {
		var wrong string
		synctest.Test(t, func(t *testing.T) {
			p := newHPAPair(uint64(seed))
			for range 40 {
				p.change()
				p.look()
				looks++
				if wrong = p.differ(); wrong != "" {
					break
				}
			}
			rescales += p.rescales
			p.stop()
		})
		if wrong != "" {
			t.Fatalf("seed %d: %s", seed, wrong)
		}
	}
	t.Logf("%d looks in %d worlds, %d of them changed the replicas; 0 different", looks, worlds, rescales)
	if rescales < looks/20 {
		t.Errorf("only %d of %d looks changed the replicas", rescales, looks)
	}
}

// hpaPair is the real controller and ours, over the same world.
type hpaPair struct {
	random *rand.Rand
	start  time.Time // the virtual 0 in the bubble's time
	now    int64     // virtual ms

	target int32 // replicas that the real controller sees
	pods   map[string]*hpaPod
	usage  map[string]hpaUsage
	next   int

	hpas, podCache *hpaInformer
	version        int64
	hpa            *autoscalingv2.HorizontalPodAutoscaler // as it is stored
	written        *autoscalingv2.HorizontalPodAutoscaler // by the last look, still to be delivered
	events         *record.FakeRecorder
	cancel         context.CancelFunc
	rescales       int

	kernel *sim.Kernel
	server *apiserver.Server
	seen   int // records that were compared
}

// hpaPod is a pod as both sides get it. Times are virtual ms.
type hpaPod struct {
	name, phase, ready string // ready is empty if there is no such condition
	start, transition  int64
	started, deleted   bool
	request, sidecar   string // cpu; empty if there is none
}

type hpaUsage struct{ at, window, value int64 }

// PodMetrics gives ours what both are told.
func (p *hpaPair) PodMetrics(string, *api.LabelSelector) (map[string]autoscaler.PodMetric, error) {
	if len(p.usage) == 0 {
		return nil, fmt.Errorf("no metrics returned from resource metrics API")
	}
	out := map[string]autoscaler.PodMetric{}
	for name, u := range p.usage {
		out[name] = autoscaler.PodMetric{At: u.at, Window: u.window, Value: u.value}
	}
	return out, nil
}

// hpaMetrics gives the real controller the same.
type hpaMetrics struct {
	metrics.MetricsClient
	pair *hpaPair
}

func (m hpaMetrics) GetResourceMetric(context.Context, corev1.ResourceName, string, labels.Selector, string) (metrics.PodMetricsInfo, time.Time, error) {
	if len(m.pair.usage) == 0 {
		return nil, time.Time{}, fmt.Errorf("no metrics returned from resource metrics API")
	}
	out := metrics.PodMetricsInfo{}
	for name, u := range m.pair.usage {
		out[name] = metrics.PodMetric{Timestamp: m.pair.time(u.at), Window: time.Duration(u.window) * time.Millisecond, Value: u.value}
	}
	return out, m.pair.time(m.pair.now), nil
}

func (p *hpaPair) time(ms int64) time.Time { return p.start.Add(time.Duration(ms) * time.Millisecond) }

// hpaScales is the scale subresource.
type hpaScales struct {
	scaleclient.ScaleInterface
	pair *hpaPair
}

func (s hpaScales) Scales(string) scaleclient.ScaleInterface { return s }

func (s hpaScales) Get(_ context.Context, _ schema.GroupResource, name string, _ metav1.GetOptions) (*autoscalingv1.Scale, error) {
	return &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}, Spec: autoscalingv1.ScaleSpec{Replicas: s.pair.target},
		Status: autoscalingv1.ScaleStatus{Replicas: s.pair.target, Selector: "app=web"}}, nil
}

func (s hpaScales) Update(_ context.Context, _ schema.GroupResource, scale *autoscalingv1.Scale, _ metav1.UpdateOptions) (*autoscalingv1.Scale, error) {
	s.pair.target = scale.Spec.Replicas
	s.pair.rescales++
	return scale, nil
}

// hpaWriter takes the statuses that the real controller writes.
type hpaWriter struct {
	autoscalingclient.HorizontalPodAutoscalerInterface
	pair *hpaPair
}

func (w hpaWriter) HorizontalPodAutoscalers(string) autoscalingclient.HorizontalPodAutoscalerInterface {
	return w
}

func (w hpaWriter) UpdateStatus(_ context.Context, h *autoscalingv2.HorizontalPodAutoscaler, _ metav1.UpdateOptions) (*autoscalingv2.HorizontalPodAutoscaler, error) {
	h = h.DeepCopy()
	h.Spec = w.pair.hpa.Spec
	w.pair.version++
	h.ResourceVersion = strconv.FormatInt(w.pair.version, 10)
	w.pair.written = h
	return h, nil
}

// hpaEvents is never asked: the recorder is replaced.
type hpaEvents struct{ v1core.EventsGetter }

func (hpaEvents) Events(string) v1core.EventInterface { return nil }

// hpaInformer is an informer of either kind.
type hpaInformer struct{ *informer }

func (i *hpaInformer) AddEventHandlerWithResyncPeriod(h cache.ResourceEventHandler, _ time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandler(h)
}

type hpaLister struct{ *hpaInformer }

func (l hpaLister) Informer() cache.SharedIndexInformer { return l.hpaInformer }
func (l hpaLister) Lister() autoscalinglisters.HorizontalPodAutoscalerLister {
	return autoscalinglisters.NewHorizontalPodAutoscalerLister(l.cache)
}

type hpaPodLister struct{ *hpaInformer }

func (l hpaPodLister) Informer() cache.SharedIndexInformer { return l.hpaInformer }
func (l hpaPodLister) Lister() corelisters.PodLister       { return corelisters.NewPodLister(l.cache) }

func newHPAPair(seed uint64) *hpaPair {
	p := &hpaPair{random: rand.New(rand.NewPCG(seed, 7)), start: time.Now(), pods: map[string]*hpaPod{}, usage: map[string]hpaUsage{},
		hpas: &hpaInformer{newInformer()}, podCache: &hpaInformer{newInformer()}, events: record.NewFakeRecorder(1000)}
	p.target = int32(p.random.IntN(12))
	mapper := apimeta.NewDefaultRESTMapper([]schema.GroupVersion{{Group: "apps", Version: "v1"}})
	mapper.Add(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, apimeta.RESTScopeNamespace)
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), klog.Background()))
	p.cancel = cancel
	c := podautoscaler.NewHorizontalController(ctx, hpaEvents{}, hpaScales{pair: p}, hpaWriter{pair: p}, mapper, hpaMetrics{pair: p},
		hpaLister{p.hpas}, hpaPodLister{p.podCache}, 15*time.Second, 5*time.Minute, 0.1, 5*time.Minute, 30*time.Second)
	*fieldOf[record.EventRecorder](c, "eventRecorder") = p.events
	go c.Run(ctx, 1)
	synctest.Wait()

	p.kernel = &sim.Kernel{}
	p.server = apiserver.New(p.kernel, 1)
	autoscaler.New(p.server, p)
	p.create()
	return p
}

// create makes the target and the autoscaler on both sides.
func (p *hpaPair) create() {
	user := p.server.Client("user")
	replicas := p.target
	_, err := user.Create(&api.Deployment{ObjectMeta: api.ObjectMeta{Name: "web", Namespace: "default"}, Spec: api.DeploymentSpec{Replicas: &replicas,
		Selector: &api.LabelSelector{MatchLabels: map[string]string{"app": "web"}}}}, "created", nil)
	must(err)
	text, err := json.Marshal(p.manifest())
	must(err)
	o, issues := decode.JSON(api.KindHorizontalPodAutoscaler, text)
	if len(issues) > 0 {
		panic(issues[0].Message)
	}
	if wrong := ours.Object(o); len(wrong) > 0 {
		panic(wrong[0].Error())
	}
	stored, err := user.Create(o, "created", nil)
	must(err)
	text, err = json.Marshal(stored.(*api.HorizontalPodAutoscaler).Spec)
	must(err)
	p.hpa = &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", UID: "1", Generation: 1, ResourceVersion: "1"}}
	must(json.Unmarshal(text, &p.hpa.Spec))
	p.version = 1
	p.advance(1)
	p.hpas.deliver(nil, p.hpa, 1)
	synctest.Wait()
	p.deliver()
}

func (p *hpaPair) chance(percent int) bool { return p.random.IntN(100) < percent }

// manifest is a random autoscaler.
func (p *hpaPair) manifest() map[string]any {
	low := 1 + p.random.IntN(4)
	spec := map[string]any{"maxReplicas": low + p.random.IntN(25),
		"scaleTargetRef": map[string]any{"kind": "Deployment", "name": "web", "apiVersion": "apps/v1"}}
	if p.chance(80) {
		spec["minReplicas"] = low
	}
	if p.chance(90) {
		metric := func() map[string]any {
			return map[string]any{"type": "Resource", "resource": map[string]any{"name": "cpu",
				"target": map[string]any{"type": "Utilization", "averageUtilization": 10 + p.random.IntN(130)}}}
		}
		list := []any{metric()}
		if p.chance(10) {
			list = append(list, metric())
		}
		spec["metrics"] = list
	}
	if p.chance(65) {
		behavior := map[string]any{}
		for _, direction := range []string{"scaleUp", "scaleDown"} {
			if p.chance(75) {
				behavior[direction] = p.rules()
			}
		}
		spec["behavior"] = behavior
	}
	return map[string]any{"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
		"metadata": map[string]any{"name": "web", "namespace": "default"}, "spec": spec}
}

func (p *hpaPair) rules() map[string]any {
	rules := map[string]any{}
	if p.chance(60) {
		rules["stabilizationWindowSeconds"] = p.random.IntN(5) * 30
	}
	if p.chance(60) {
		rules["selectPolicy"] = []string{"Max", "Max", "Min", "Min", "Disabled"}[p.random.IntN(5)]
	}
	if p.chance(30) {
		rules["tolerance"] = []string{"0", "0.05", "70m", "0.3", "1.5"}[p.random.IntN(5)]
	}
	if p.chance(70) {
		var list []any
		for range 1 + p.random.IntN(3) {
			policy := map[string]any{"type": "Pods", "value": 1 + p.random.IntN(6), "periodSeconds": 15 * (1 + p.random.IntN(8))}
			if p.chance(50) {
				policy["type"], policy["value"] = "Percent", 5+p.random.IntN(150)
			}
			list = append(list, policy)
		}
		rules["policies"] = list
	}
	return rules
}

// change makes the pods, what they use and sometimes the target something else.
func (p *hpaPair) change() {
	if p.chance(3) {
		p.setTarget(int32(p.random.IntN(30)))
	} else if p.target == 0 && p.chance(60) {
		p.setTarget(int32(1 + p.random.IntN(8)))
	}
	for name, pod := range p.pods {
		if p.chance(8) {
			p.podCache.deliver(pod.real(p), nil, 0)
			p.server.Store.Remove(api.Key{Kind: api.KindPod, Namespace: "default", Name: name}, sim.Record{Actor: "user"})
			delete(p.pods, name)
		}
	}
	for len(p.pods) < int(min(p.target, 20)) && p.chance(85) {
		p.next++
		p.put(&hpaPod{name: "web-" + strconv.Itoa(p.next)})
	}
	for _, name := range p.names() {
		if pod := p.pods[name]; pod.phase == "" || p.chance(25) {
			p.put(p.randomPod(name))
		}
	}
	p.usage = map[string]hpaUsage{}
	if p.chance(3) {
		return
	}
	level := []int{1, 30, 90, 100, 110, 200, 400}[p.random.IntN(7)]
	for _, name := range p.names() {
		if p.chance(93) {
			p.usage[name] = hpaUsage{p.now - int64(p.random.IntN(40_000)), 30_000, int64(p.random.IntN(level+1) + level/2)}
		}
	}
	if p.chance(5) {
		p.usage["stranger"] = hpaUsage{p.now, 30_000, 100}
	}
}

// names lists the pods by creation.
func (p *hpaPair) names() (names []string) {
	for i := range p.next + 1 {
		if name := "web-" + strconv.Itoa(i); p.pods[name] != nil {
			names = append(names, name)
		}
	}
	return names
}

func (p *hpaPair) randomPod(name string) *hpaPod {
	second := func(n int) int64 { return (p.now/1000 - int64(p.random.IntN(n))) * 1000 }
	pod := &hpaPod{name: name, phase: "Running", ready: "True", start: second(700), started: p.chance(97), request: strconv.Itoa(50+p.random.IntN(200)) + "m",
		deleted: p.chance(4)}
	pod.transition = pod.start + int64(p.random.IntN(120))*1000
	if p.chance(15) {
		pod.ready = "False"
	} else if p.chance(3) {
		pod.ready = ""
	}
	switch p.random.IntN(14) {
	case 0:
		pod.phase = "Pending"
	case 1:
		pod.phase = "Failed"
	case 2:
		pod.phase = "Succeeded"
	}
	if p.chance(10) {
		pod.sidecar = strconv.Itoa(10+p.random.IntN(50)) + "m"
	}
	if p.chance(1) {
		pod.request = ""
	}
	return pod
}

// put stores a pod on both sides.
func (p *hpaPair) put(pod *hpaPod) {
	var before object
	if old := p.pods[pod.name]; old != nil {
		before = old.real(p)
	}
	p.pods[pod.name] = pod
	p.podCache.deliver(before, pod.real(p), 0)
	p.server.Store.Put(pod.ours(), sim.Record{Actor: "user"})
}

// real is the pod as the real controller gets it.
func (o *hpaPod) real(p *hpaPair) *corev1.Pod {
	pod := &corev1.Pod{}
	tree := map[string]any{"metadata": map[string]any{"name": o.name, "namespace": "default", "labels": map[string]any{"app": "web"}}, "spec": o.spec()}
	text, err := json.Marshal(tree)
	must(err)
	must(json.Unmarshal(text, pod))
	pod.Status.Phase = corev1.PodPhase(o.phase)
	if o.started {
		at := metav1.NewTime(p.time(o.start))
		pod.Status.StartTime = &at
	}
	if o.ready != "" {
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionStatus(o.ready), LastTransitionTime: metav1.NewTime(p.time(o.transition))}}
	}
	if o.deleted {
		at := metav1.NewTime(p.time(o.start))
		pod.DeletionTimestamp = &at
	}
	return pod
}

func (o *hpaPod) spec() map[string]any {
	container := func(name, cpu string) map[string]any {
		c := map[string]any{"name": name, "image": "nginx"}
		if cpu != "" {
			c["resources"] = map[string]any{"requests": map[string]any{"cpu": cpu}}
		}
		return c
	}
	spec := map[string]any{"containers": []any{container("web", o.request)}}
	if o.sidecar != "" {
		side := container("side", o.sidecar)
		side["restartPolicy"] = "Always"
		spec["initContainers"] = []any{side, container("init", "3")}
	}
	return spec
}

// ours is the pod as our controller gets it.
func (o *hpaPod) ours() *api.Pod {
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": o.name, "namespace": "default", "labels": map[string]any{"app": "web"}}, "spec": o.spec()})
	must(err)
	decoded, issues := decode.JSON(api.KindPod, text)
	if len(issues) > 0 {
		panic(issues[0].Message)
	}
	pod := decoded.(*api.Pod)
	pod.Status.Phase = o.phase
	if o.started {
		pod.Status.Conditions = append(pod.Status.Conditions, api.Condition{Type: "PodScheduled", Status: "True", LastTransitionTime: api.TimeAt(o.start)})
	}
	if o.ready != "" {
		pod.Status.Conditions = append(pod.Status.Conditions, api.Condition{Type: "Ready", Status: o.ready, LastTransitionTime: api.TimeAt(o.transition)})
	}
	if o.deleted {
		pod.DeletionTimestamp = api.TimeAt(o.start)
	}
	return pod
}

// setTarget scales the target, as a person would.
func (p *hpaPair) setTarget(n int32) {
	user, key := p.server.Client("user"), api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}
	p.target = n
	o, err := user.Get(key)
	must(err)
	d := o.Copy().(*api.Deployment)
	d.Spec.Replicas = &n
	_, err = user.Update(d, "scaled", nil)
	must(err)
}

// advance lets virtual and fake time pass.
func (p *hpaPair) advance(ms int64) {
	p.now += ms
	p.kernel.Schedule(sim.Event{At: p.now, To: idle{}})
	for at, ok := p.kernel.Next(); ok && at <= p.now; at, ok = p.kernel.Next() {
		p.kernel.Step()
	}
	letPass(time.Duration(ms) * time.Millisecond)
}

// idle does nothing: an event for it lets time pass.
type idle struct{}

func (idle) Handle(sim.Event) {}

// look lets time pass until both have looked once more.
func (p *hpaPair) look() {
	p.advance(15_000)
	p.deliver()
}

// deliver brings the status that was written into the real controller's cache: it does not look before it has seen that.
func (p *hpaPair) deliver() {
	if p.written != nil {
		p.hpas.deliver(p.hpa, p.written, p.version)
		p.hpa, p.written = p.written, nil
		synctest.Wait()
	}
}

func (p *hpaPair) stop() {
	p.cancel()
	synctest.Wait()
}

// differ says what the two have done differently.
func (p *hpaPair) differ() string {
	stored := p.server.Store.Get(api.Key{Kind: api.KindHorizontalPodAutoscaler, Namespace: "default", Name: "web"}).(*api.HorizontalPodAutoscaler)
	d := p.server.Store.Get(api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}).(*api.Deployment)
	if *d.Spec.Replicas != p.target {
		return fmt.Sprintf("at %d ms ours scales to %d, the real one to %d", p.now, *d.Spec.Replicas, p.target)
	}
	ours, real := p.tree(stored.Status, api.Epoch), p.tree(p.hpa.Status, p.start.Unix())
	if !reflect.DeepEqual(ours, real) {
		return fmt.Sprintf("at %d ms the status is\nours %v\nreal %v", p.now, ours, real)
	}
	var our, theirs []string
	records := p.kernel.Trace.Records
	for ; p.seen < len(records); p.seen++ {
		if r := &records[p.seen]; r.Kind == sim.Notice {
			our = append(our, r.Type+" "+r.Reason+" "+r.What)
		}
	}
	for len(p.events.Events) > 0 {
		theirs = append(theirs, <-p.events.Events)
	}
	if !reflect.DeepEqual(our, theirs) {
		return fmt.Sprintf("at %d ms the events are\nours %q\nreal %q", p.now, our, theirs)
	}
	return ""
}

// tree returns a status as JSON has it, with times counted from the beginning.
func (p *hpaPair) tree(status any, epoch int64) any {
	text, err := json.Marshal(status)
	must(err)
	var v any
	must(json.Unmarshal(text, &v))
	return sinceEpoch(v, epoch)
}

func sinceEpoch(v any, epoch int64) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = sinceEpoch(x, epoch)
		}
	case []any:
		for i := range v {
			v[i] = sinceEpoch(v[i], epoch)
		}
	case string:
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return at.Unix() - epoch
		}
	}
	return v
}
