package upstream

import (
	"context"
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/disruption"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/statefulset"
	"k8s.io/kubernetes/pkg/controller/util/consistency"

	"github.com/rollplay/rollplay/engine/api"
)

func (c *Controllers) startDeployments(ctx context.Context, w *worker, r recorder) {
	real, err := deployment.NewDeploymentController(ctx, deploymentInformer{c.informers[api.KindDeployment]},
		replicaSetInformer{c.informers[api.KindReplicaSet]}, podInformer{c.informers[api.KindPod]}, c.server.client)
	must(err)
	*fieldOf[record.EventRecorder](real, "eventRecorder") = r
	w.replaceQueue(real)
	w.noteErrors(real)
	go real.Run(ctx, 1)
}

func (c *Controllers) startReplicaSets(ctx context.Context, w *worker, r recorder) {
	real := replicaset.NewReplicaSetController(ctx, replicaSetInformer{c.informers[api.KindReplicaSet]},
		podInformer{c.informers[api.KindPod]}, c.server.client, replicaset.BurstReplicas)
	replacePodRecorder(real, r)
	c.expected = *fieldOf[*controller.UIDTrackingControllerExpectations](real, "expectations")
	c.written[ReplicaSetLoop] = *fieldOf[consistency.ConsistencyStore](real, "consistencyStore")
	w.replaceQueue(real)
	w.noteErrors(real)
	go real.Run(ctx, 1)
}

func (c *Controllers) startStatefulSets(ctx context.Context, w *worker, r recorder) {
	real := statefulset.NewStatefulSetController(ctx, podInformer{c.informers[api.KindPod]},
		statefulSetInformer{c.informers[api.KindStatefulSet]}, claimInformer{c.informers[api.KindPersistentVolumeClaim]},
		revisionInformer{c.informers[api.KindControllerRevision]}, c.server.client)
	replacePodRecorder(real, r)
	c.written[StatefulSetLoop] = *fieldOf[consistency.ConsistencyStore](real, "consistencyStore")
	control := *fieldOf[statefulset.StatefulSetControlInterface](real, "control")
	pods := fieldOf[*statefulset.StatefulPodControl](control, "podControl")
	*fieldOf[record.EventRecorder](*pods, "recorder") = r
	manager := fieldOf[statefulset.StatefulPodControlObjectManager](*pods, "objectMgr")
	*manager = statefulPods{*manager, r.server}
	w.replaceQueue(real)
	go real.Run(ctx, 1)
}

func (c *Controllers) startDaemonSets(ctx context.Context, w *worker, r recorder) {
	real, err := daemon.NewDaemonSetsController(ctx, daemonSetInformer{c.informers[api.KindDaemonSet]},
		revisionInformer{c.informers[api.KindControllerRevision]}, podInformer{c.informers[api.KindPod]},
		nodeInformer{c.informers[api.KindNode]}, c.server.client, flowcontrol.NewBackOff(time.Second, 15*time.Minute))
	must(err)
	*fieldOf[record.EventRecorder](real, "eventRecorder") = r
	replacePodRecorder(real, r)
	pods := fieldOf[controller.PodControlInterface](real, "podControl")
	*pods = daemonPods{*pods, r.server}
	w.replaceQueue(real)
	w.noteErrors(real)
	c.written[DaemonSetLoop] = *fieldOf[consistency.ConsistencyStore](real, "consistencyStore")
	c.workers[NodeLoop] = &worker{queue: newQueue()}
	replaceQueue[workqueue.TypedRateLimitingInterface[string]](real, "nodeUpdateQueue", c.workers[NodeLoop].queue)
	go real.Run(ctx, 1)
}

func (c *Controllers) startDisruption(ctx context.Context, w *worker, r recorder) {
	real := disruption.NewDisruptionController(ctx, podInformer{c.informers[api.KindPod]},
		budgetInformer{c.informers[api.KindPodDisruptionBudget]}, rcInformer{newInformer()},
		replicaSetInformer{c.informers[api.KindReplicaSet]}, deploymentInformer{c.informers[api.KindDeployment]},
		statefulSetInformer{c.informers[api.KindStatefulSet]}, c.server.client, restMapper(), scales{server: r.server}, discoverer{})
	*fieldOf[record.EventRecorder](real, "recorder") = r
	w.replaceQueue(real)
	c.workers[recheckLoop], c.workers[staleLoop] = &worker{queue: newQueue()}, &worker{queue: newQueue()}
	replaceQueue[workqueue.TypedDelayingInterface[string]](real, "recheckQueue", c.workers[recheckLoop].queue)
	replaceQueue[workqueue.TypedRateLimitingInterface[string]](real, "stalePodDisruptionQueue", c.workers[staleLoop].queue)
	go real.Run(ctx, 1)
}

// replacePodRecorder replaces the event recorder in the part of a controller that creates and deletes pods.
func replacePodRecorder(c any, r recorder) {
	pods := fieldOf[controller.PodControlInterface](c, "podControl")
	control := (*pods).(controller.RealPodControl)
	control.Recorder = r
	*pods = control
}

// fieldOf returns the address of an unexported field of a struct.
func fieldOf[T any](ptr any, name string) *T {
	v := reflect.ValueOf(ptr).Elem().FieldByName(name)
	if !v.IsValid() || v.Type() != reflect.TypeFor[T]() {
		panic(fmt.Sprintf("conformance: %T has no field %s of type %s", ptr, name, reflect.TypeFor[T]()))
	}
	return (*T)(unsafe.Pointer(v.UnsafeAddr()))
}
