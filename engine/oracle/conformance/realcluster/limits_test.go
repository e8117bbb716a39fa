package realcluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"
	configv1alpha1 "k8s.io/kube-controller-manager/config/v1alpha1"
	kcm "k8s.io/kubernetes/pkg/controller/apis/config/v1alpha1"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/world"
	"github.com/rollplay/rollplay/engine/sim"
)

// step is what a controller does: it waits, or sends an event about one of two objects or a request.
type step struct {
	wait  time.Duration
	event string
}

// steps draws what a controller does: bursts with pauses between them.
func steps(seed uint64) (list []step) {
	r := rand.New(rand.NewPCG(seed, 0))
	for len(list) < 150 {
		switch r.IntN(12) {
		case 0:
			list = append(list, step{wait: time.Duration(1+r.IntN(900)) * time.Millisecond})
		case 1, 2, 3:
			list = append(list, step{event: string(rune('a' + r.IntN(2)))})
		default:
			list = append(list, step{})
		}
	}
	return list
}

// realTimes returns when upstream's bucket lets the requests pass, with upstream's sender of events beside them.
func realTimes(list []step, qps float32, burst int) []int64 {
	began, bucket := time.Now(), flowcontrol.NewTokenBucketRateLimiter(qps, burst)
	ctx, cancel := context.WithCancel(context.Background())
	events := record.NewBroadcaster(record.WithContext(ctx))
	events.StartRecordingToSink(sink{ctx, bucket})
	recorder := events.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "judge"})
	var times []int64
	for i, s := range list {
		switch {
		case s.wait > 0:
			time.Sleep(s.wait)
		case s.event != "":
			recorder.Event(&corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: s.event, UID: types.UID(s.event)}, "Normal", "Did", fmt.Sprint("it ", i))
		default:
			at := len(times)
			times = append(times, 0)
			go func() {
				must(bucket.Wait(ctx))
				times[at] = (time.Since(began) + time.Millisecond - time.Microsecond).Milliseconds()
			}()
		}
		synctest.Wait()
	}
	time.Sleep(time.Hour)
	events.Shutdown()
	cancel()
	return times
}

// sink sends events through a bucket.
type sink struct {
	ctx    context.Context
	bucket flowcontrol.RateLimiter
}

func (s sink) Create(e *corev1.Event) (*corev1.Event, error) { return e, s.bucket.Wait(s.ctx) }
func (s sink) Update(e *corev1.Event) (*corev1.Event, error) { return e, s.bucket.Wait(s.ctx) }
func (s sink) Patch(e *corev1.Event, _ []byte) (*corev1.Event, error) {
	return e, s.bucket.Wait(s.ctx)
}

// ourTimes is realTimes of the engine.
func ourTimes(list []step, c sim.ClientConnection) (times []int64) {
	k := &sim.Kernel{}
	bucket := sim.NewLimiter(k, c)
	for _, s := range list {
		switch {
		case s.wait > 0:
			k.RunTo(k.Now() + s.wait.Milliseconds())
		case s.event != "":
			bucket.Event(api.Key{Kind: api.KindPod, Namespace: "default", Name: s.event}, s.event)
			k.RunTo(k.Now())
		default:
			times = append(times, bucket.Take())
		}
	}
	return times
}

// TestLimits compares the limit of a controller's client with upstream's bucket and sender of events (H-12, H-13): its defaults, and when
// random requests pass.
func TestLimits(t *testing.T) {
	var config configv1alpha1.KubeControllerManagerConfiguration
	kcm.SetDefaults_KubeControllerManagerConfiguration(&config)
	c := config.Generic.ClientConnection
	ours := world.Start(Rollout{"Deployment", 1, 1}.text()).Server.Limits
	if ours != (sim.ClientConnection{QPS: int64(c.QPS), Burst: int64(c.Burst)}) {
		t.Errorf("defaults %+v, upstream's %v and %v", ours, c.QPS, c.Burst)
	}
	for seed := range uint64(100) {
		list := steps(seed)
		var real []int64
		synctest.Test(t, func(*testing.T) { real = realTimes(list, c.QPS, int(c.Burst)) })
		if got := ourTimes(list, ours); !slices.Equal(got, real) {
			t.Fatalf("seed %d: requests pass at\n%v, in reality at\n%v", seed, got, real)
		}
	}
}
