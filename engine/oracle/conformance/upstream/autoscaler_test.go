package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/autoscaler"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestAutoscaler gives the real HorizontalPodAutoscaler controller and ours the same autoscaler, pods and metrics for ten
// minutes of fake time, and compares after every sync: the replicas of the target, the status with its conditions and times,
// the events. That covers which pods count as ready, unready, missing or ignored, tolerances, stabilization windows,
// policies with their memory of earlier changes, and the sync period (HPA-1 to HPA-10).
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
	if wrong := validate.Object(o); len(wrong) > 0 {
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

// advance lets virtual and fake time pass.
func (p *hpaPair) advance(ms int64) {
	p.now += ms
	p.kernel.Schedule(sim.Event{At: p.now, To: idle{}})
	for at, ok := p.kernel.Next(); ok && at <= p.now; at, ok = p.kernel.Next() {
		p.kernel.Step()
	}
	time.Sleep(time.Duration(ms) * time.Millisecond)
	synctest.Wait()
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
		if r := records[p.seen]; r.Kind == sim.Notice {
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
