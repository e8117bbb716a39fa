// Package upstream runs the real controllers of Kubernetes in fake time, unchanged. It replaces what surrounds them:
// informers, work queues, event recorders, and the API server, which uses the real registry's rules for a write.
//
// Everything here must be called inside of a bubble of testing/synctest.
package upstream

import (
	"context"
	"strconv"
	"strings"
	"testing/synctest"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/util/retry"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/util/consistency"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
)

// Controllers are the real controllers.
type Controllers struct {
	server    *Server
	workers   map[string]*worker // by the name of the engine's loop with the same task
	informers map[api.Kind]*informer
	expected  *controller.UIDTrackingControllerExpectations // of the ReplicaSet controller
	written   map[string]consistency.ConsistencyStore       // by loop: what the controller has written and must see (H-9)
	stop      context.CancelFunc
}

// The engine's loops whose reconciles are compared.
const (
	DeploymentLoop  = "deployment-controller"
	ReplicaSetLoop  = "replicaset-controller"
	StatefulSetLoop = "statefulset-controller"
	DaemonSetLoop   = "daemonset-controller"
	NodeLoop        = "daemonset-node-updates"
	DisruptionLoop  = "disruption-controller"
	recheckLoop     = "disruption-recheck"
	staleLoop       = "stale-pod-disruption"
)

// Kinds are the kinds that the controllers watch.
var Kinds = []api.Kind{api.KindDeployment, api.KindReplicaSet, api.KindStatefulSet, api.KindDaemonSet, api.KindControllerRevision,
	api.KindPod, api.KindNode, api.KindPersistentVolumeClaim, api.KindPodDisruptionBudget}

// errorOf is the context key for the worker that reports an error.
type errorOf struct{}

// Quiet switches off the controllers' log. Upstream's error handlers would also sleep; the handler here only notes errors
// of reconciles that a controller reports nowhere else. Retries after a conflict follow at once: the clock must not run
// ahead of the engine's, whose reconciles take no time.
func Quiet() {
	klog.SetLogger(logr.Discard())
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{func(ctx context.Context, err error, msg string, _ ...any) {
		if w, ok := ctx.Value(errorOf{}).(*worker); ok && strings.HasPrefix(msg, "Error syncing ") {
			w.err = err
		}
	}}
	retry.DefaultRetry.Duration, retry.DefaultBackoff.Duration = 0, 0
}

// Start starts the controllers of those loops that have one. They run until Stop.
func Start(s *Server, loops []string) *Controllers {
	c := &Controllers{server: s, workers: map[string]*worker{}, informers: map[api.Kind]*informer{},
		written: map[string]consistency.ConsistencyStore{}}
	for _, kind := range Kinds {
		c.informers[kind] = newInformer()
	}
	c.informers[api.KindReplicaSet].cache.alias = s.Translate
	var ctx context.Context
	ctx, c.stop = context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	for _, name := range loops {
		if start[name] != nil {
			w := &worker{}
			c.workers[name] = w
			start[name](c, context.WithValue(ctx, errorOf{}, w), w, recorder{s})
		}
	}
	return c
}

// Stop stops the controllers.
func (c *Controllers) Stop() {
	c.stop()
	synctest.Wait()
}

// Have says whether a real controller has the task of this loop.
func (c *Controllers) Have(loop string) bool { return c.workers[loop] != nil }

// Deliver brings the caches of a kind up to date and runs the event handlers. Of before and after one may be nil.
func (c *Controllers) Deliver(kind api.Kind, before, after convert.Object, version int64) {
	c.informers[kind].deliver(before, after, version)
}

// Sync lets the controller of a loop reconcile a key, and returns the reconcile's error.
func (c *Controllers) Sync(loop, key string) error {
	w := c.workers[loop]
	w.work(c.server, key)
	return w.err
}

// TakeQueued returns the keys that the controller of a loop has queued since the last call.
func (c *Controllers) TakeQueued(loop string) []string { return c.workers[loop].queue.take() }

// ExpectDeletions replaces what the ReplicaSet controller expects to see for a key: the deletion of these pods.
func (c *Controllers) ExpectDeletions(key string, pods []*corev1.Pod) {
	keys := make([]string, len(pods))
	for i, pod := range pods {
		keys[i] = controller.PodKey(pod)
	}
	c.expected.DeleteExpectations(klog.Background(), key)
	must(c.expected.ExpectDeletions(klog.Background(), key, keys))
}

// ForgetWritten drops the resourceVersions that the controller of a loop has written for a key and waits to see (H-9).
func (c *Controllers) ForgetWritten(loop string, key api.Key) {
	if store := c.written[loop]; store != nil {
		store.Clear(types.NamespacedName{Namespace: key.Namespace, Name: key.Name}, "")
	}
}

// Wrote notes that the controller of a loop has stored an object, and waits to see it before it syncs its owner again (H-9).
func (c *Controllers) Wrote(loop string, owner, o api.Object) {
	if store := c.written[loop]; store != nil {
		name := types.NamespacedName{Namespace: owner.Key().Namespace, Name: owner.Key().Name}
		store.WroteAt(name, types.UID(owner.Meta().UID), schema.ParseGroupResource(kinds.Of(o.Key().Kind).Resource()),
			strconv.FormatInt(o.Meta().ResourceVersion, 10))
	}
}

// start starts the controllers, by their main loops. A controller may have more loops than its main one.
var start = map[string]func(*Controllers, context.Context, *worker, recorder){
	DeploymentLoop:  (*Controllers).startDeployments,
	ReplicaSetLoop:  (*Controllers).startReplicaSets,
	StatefulSetLoop: (*Controllers).startStatefulSets,
	DaemonSetLoop:   (*Controllers).startDaemonSets,
	DisruptionLoop:  (*Controllers).startDisruption,
}

// must panics on an error that only a mistake in this program can cause.
func must(err error) {
	if err != nil {
		panic("conformance: " + err.Error())
	}
}
