package main

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unsafe"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/client-go/util/retry"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"

	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/disruption"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/statefulset"
	"k8s.io/kubernetes/pkg/controller/util/consistency"

	"github.com/rollplay/rollplay/engine/api"
)

// upstream is the real controllers, unchanged. Only what surrounds them is replaced: informers, queues, the event
// recorders and the API server.
type upstream struct {
	client    *fake.Clientset
	workers   map[string]*worker // by the name of the engine's loop that has the same task
	informers map[api.Kind]*informer
	expected  *controller.UIDTrackingControllerExpectations // of the ReplicaSet controller
	written   map[string]consistency.ConsistencyStore       // by loop: what the controller has written and must see (H-9)
	stop      context.CancelFunc
}

// The engine's loops whose reconciles are compared.
const (
	deploymentLoop  = "deployment-controller"
	replicaSetLoop  = "replicaset-controller"
	statefulSetLoop = "statefulset-controller"
	daemonSetLoop   = "daemonset-controller"
	nodeLoop        = "daemonset-node-updates"
	disruptionLoop  = "disruption-controller"
	recheckLoop     = "disruption-recheck"
	staleLoop       = "stale-pod-disruption"
)

// worker is the worker of a real controller.
type worker struct {
	queue *queue
	err   error // of the last reconcile
}

// errorOf is the key of a context under which the worker stands that an error belongs to.
type errorOf struct{}

// quiet switches off what the controllers would log. The error handlers would also sleep; ours only notes the errors of
// reconciles that a controller tells nobody else. What is tried again after a conflict is tried at once: the clock must
// not run ahead of the engine's, whose reconciles take no time.
func quiet() {
	klog.SetLogger(logr.Discard())
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{func(ctx context.Context, err error, msg string, _ ...any) {
		if w, ok := ctx.Value(errorOf{}).(*worker); ok && strings.HasPrefix(msg, "Error syncing ") {
			w.err = err
		}
	}}
	retry.DefaultRetry.Duration, retry.DefaultBackoff.Duration = 0, 0
}

// newUpstream starts the controllers of these loops. It must be called, and they must be stopped, inside of a bubble.
func newUpstream(s *server, loops []string) *upstream {
	u := &upstream{client: &fake.Clientset{}, workers: map[string]*worker{}, informers: map[api.Kind]*informer{},
		written: map[string]consistency.ConsistencyStore{}}
	u.client.AddReactor("*", "*", s.react)
	for _, kind := range []api.Kind{api.KindDeployment, api.KindReplicaSet, api.KindStatefulSet, api.KindDaemonSet,
		api.KindControllerRevision, api.KindPod, api.KindNode, api.KindPersistentVolumeClaim, api.KindPodDisruptionBudget} {
		u.informers[kind] = newInformer()
	}
	var ctx context.Context
	ctx, u.stop = context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	for _, name := range loops {
		if !minor[name] {
			w := &worker{}
			u.workers[name] = w
			start[name](u, context.WithValue(ctx, errorOf{}, w), w, recorder{s})
		}
	}
	return u
}

// start starts the controllers, by their main loops.
var start = map[string]func(*upstream, context.Context, *worker, recorder){
	deploymentLoop:  (*upstream).startDeployments,
	replicaSetLoop:  (*upstream).startReplicaSets,
	statefulSetLoop: (*upstream).startStatefulSets,
	daemonSetLoop:   (*upstream).startDaemonSets,
	disruptionLoop:  (*upstream).startDisruption,
}

// minor are loops that belong to a controller with another main loop.
var minor = map[string]bool{nodeLoop: true, recheckLoop: true, staleLoop: true}

func (u *upstream) startDeployments(ctx context.Context, w *worker, r recorder) {
	c, err := deployment.NewDeploymentController(ctx, deploymentInformer{u.informers[api.KindDeployment]},
		replicaSetInformer{u.informers[api.KindReplicaSet]}, podInformer{u.informers[api.KindPod]}, u.client)
	must(err)
	*fieldOf[record.EventRecorder](c, "eventRecorder") = r
	w.replaceQueue(c)
	w.noteErrors(c)
	go c.Run(ctx, 1)
}

func (u *upstream) startReplicaSets(ctx context.Context, w *worker, r recorder) {
	c := replicaset.NewReplicaSetController(ctx, replicaSetInformer{u.informers[api.KindReplicaSet]},
		podInformer{u.informers[api.KindPod]}, u.client, replicaset.BurstReplicas)
	replacePodRecorder(c, r)
	u.expected = *fieldOf[*controller.UIDTrackingControllerExpectations](c, "expectations")
	u.written[replicaSetLoop] = *fieldOf[consistency.ConsistencyStore](c, "consistencyStore")
	w.replaceQueue(c)
	w.noteErrors(c)
	go c.Run(ctx, 1)
}

func (u *upstream) startStatefulSets(ctx context.Context, w *worker, r recorder) {
	c := statefulset.NewStatefulSetController(ctx, podInformer{u.informers[api.KindPod]},
		statefulSetInformer{u.informers[api.KindStatefulSet]}, claimInformer{u.informers[api.KindPersistentVolumeClaim]},
		revisionInformer{u.informers[api.KindControllerRevision]}, u.client)
	replacePodRecorder(c, r)
	u.written[statefulSetLoop] = *fieldOf[consistency.ConsistencyStore](c, "consistencyStore")
	control := *fieldOf[statefulset.StatefulSetControlInterface](c, "control")
	pods := fieldOf[*statefulset.StatefulPodControl](control, "podControl")
	*fieldOf[record.EventRecorder](*pods, "recorder") = r
	manager := fieldOf[statefulset.StatefulPodControlObjectManager](*pods, "objectMgr")
	*manager = statefulPods{*manager, r.server}
	w.replaceQueue(c)
	go c.Run(ctx, 1)
}

func (u *upstream) startDaemonSets(ctx context.Context, w *worker, r recorder) {
	c, err := daemon.NewDaemonSetsController(ctx, daemonSetInformer{u.informers[api.KindDaemonSet]},
		revisionInformer{u.informers[api.KindControllerRevision]}, podInformer{u.informers[api.KindPod]},
		nodeInformer{u.informers[api.KindNode]}, u.client, flowcontrol.NewBackOff(time.Second, 15*time.Minute))
	must(err)
	*fieldOf[record.EventRecorder](c, "eventRecorder") = r
	replacePodRecorder(c, r)
	pods := fieldOf[controller.PodControlInterface](c, "podControl")
	*pods = daemonPods{*pods, r.server}
	w.replaceQueue(c)
	w.noteErrors(c)
	u.written[daemonSetLoop] = *fieldOf[consistency.ConsistencyStore](c, "consistencyStore")
	u.workers[nodeLoop] = &worker{queue: newQueue()}
	replaceQueue[workqueue.TypedRateLimitingInterface[string]](c, "nodeUpdateQueue", u.workers[nodeLoop].queue)
	go c.Run(ctx, 1)
}

func (u *upstream) startDisruption(ctx context.Context, w *worker, r recorder) {
	c := disruption.NewDisruptionController(ctx, podInformer{u.informers[api.KindPod]},
		budgetInformer{u.informers[api.KindPodDisruptionBudget]}, rcInformer{newInformer()},
		replicaSetInformer{u.informers[api.KindReplicaSet]}, deploymentInformer{u.informers[api.KindDeployment]},
		statefulSetInformer{u.informers[api.KindStatefulSet]}, u.client, restMapper(), scales{server: r.server}, discoverer{})
	*fieldOf[record.EventRecorder](c, "recorder") = r
	w.replaceQueue(c)
	u.workers[recheckLoop], u.workers[staleLoop] = &worker{queue: newQueue()}, &worker{queue: newQueue()}
	replaceQueue[workqueue.TypedDelayingInterface[string]](c, "recheckQueue", u.workers[recheckLoop].queue)
	replaceQueue[workqueue.TypedRateLimitingInterface[string]](c, "stalePodDisruptionQueue", u.workers[staleLoop].queue)
	go c.Run(ctx, 1)
}

// replacePodRecorder puts our event recorder into the part of a controller that creates and deletes pods.
func replacePodRecorder(c any, r recorder) {
	pods := fieldOf[controller.PodControlInterface](c, "podControl")
	control := (*pods).(controller.RealPodControl)
	control.Recorder = r
	*pods = control
}

// replaceQueue puts a queue of ours in the place of the controller's own.
func (w *worker) replaceQueue(c any) {
	w.queue = newQueue()
	replaceQueue[workqueue.TypedRateLimitingInterface[string]](c, "queue", w.queue)
}

func replaceQueue[Q interface{ ShutDown() }](c any, name string, with Q) {
	q := fieldOf[Q](c, name)
	(*q).ShutDown()
	*q = with
}

// noteErrors notes what the reconciles of a controller return.
func (w *worker) noteErrors(c any) {
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

// work lets the controller reconcile a key, and returns when it has.
func (w *worker) work(s *server, key string) {
	w.err = nil
	w.queue.keys <- key
	if s.store.Table(api.KindResourceQuota).Len() > 0 {
		s.attend(w.queue.done)
	} else {
		<-w.queue.done
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
