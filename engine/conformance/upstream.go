package main

import (
	"context"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"

	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/util/consistency"
)

// upstream is the real controllers, unchanged. Only what surrounds them is replaced: informers, queues, the event
// recorders and the API server.
type upstream struct {
	client      *fake.Clientset
	deployments worker
	replicaSets worker
	informers   struct{ deployments, replicaSets, pods *informer }
	expected    *controller.UIDTrackingControllerExpectations
	written     consistency.ConsistencyStore // what the ReplicaSet controller has written and must see
	stop        context.CancelFunc
}

// worker is the worker of a real controller.
type worker struct {
	queue *queue
	err   error // of the last reconcile
}

// quiet switches off what the controllers would log. The error handlers would also sleep.
func quiet() {
	klog.SetLogger(logr.Discard())
	utilruntime.ErrorHandlers = nil
}

// newUpstream starts the controllers. It must be called, and they must be stopped, inside of a bubble.
func newUpstream(s *server) *upstream {
	u := &upstream{client: &fake.Clientset{}}
	u.client.AddReactor("*", "*", s.react)
	u.informers.deployments, u.informers.replicaSets, u.informers.pods = newInformer(), newInformer(), newInformer()
	di := deploymentInformer{u.informers.deployments}
	ri := replicaSetInformer{u.informers.replicaSets}
	pi := podInformer{u.informers.pods}

	var ctx context.Context
	ctx, u.stop = context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	dc, err := deployment.NewDeploymentController(ctx, di, ri, pi, u.client)
	must(err)
	*fieldOf[record.EventRecorder](dc, "eventRecorder") = recorder{s}
	u.deployments.replace(dc)
	go dc.Run(ctx, 1)

	rsc := replicaset.NewReplicaSetController(ctx, ri, pi, u.client, replicaset.BurstReplicas)
	pods := fieldOf[controller.PodControlInterface](rsc, "podControl")
	control := (*pods).(controller.RealPodControl)
	control.Recorder = recorder{s}
	*pods = control
	u.expected = *fieldOf[*controller.UIDTrackingControllerExpectations](rsc, "expectations")
	u.written = *fieldOf[consistency.ConsistencyStore](rsc, "consistencyStore")
	u.replicaSets.replace(rsc)
	go rsc.Run(ctx, 1)
	return u
}

// replace puts a queue of ours in the place of the controller's own, and notes what its reconciles return.
func (w *worker) replace(c any) {
	w.queue = newQueue()
	q := fieldOf[workqueue.TypedRateLimitingInterface[string]](c, "queue")
	(*q).ShutDown()
	*q = w.queue
	handler := fieldOf[func(context.Context, string) error](c, "syncHandler")
	sync := *handler
	*handler = func(ctx context.Context, key string) (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("upstream panics: %v", r)
			}
			w.err = err
		}()
		return sync(ctx, key)
	}
}

// fieldOf returns the address of an unexported field of a struct.
func fieldOf[T any](ptr any, name string) *T {
	v := reflect.ValueOf(ptr).Elem().FieldByName(name)
	if !v.IsValid() || v.Type() != reflect.TypeFor[T]() {
		panic(fmt.Sprintf("conformance: %T has no field %s of type %s", ptr, name, reflect.TypeFor[T]()))
	}
	return (*T)(unsafe.Pointer(v.UnsafeAddr()))
}
