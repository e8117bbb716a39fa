// Package realcluster runs a whole cluster of upstream's programs in a bubble of fake time: the API server's code, the scheduler, the
// controllers with kube-controller-manager's limits of clients, and kubelets. It compares rollouts with the engine's.
package realcluster

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
	"k8s.io/kubernetes/pkg/controller/podgc"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/statefulset"
	"k8s.io/kubernetes/pkg/scheduler"

	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubelet"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realserver"
)

// The goroutine that serves signals belongs to whoever asks first; inside of a bubble it would stop the clock.
func init() { signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR2) }

// The limits of clients: those of each controller, and those of the scheduler and of each kubelet.
// Simplified: events of the scheduler and heartbeats have clients of their own upstream.
const (
	controllerQPS, controllerBurst = 20, 30
	machineQPS, machineBurst       = 50, 100
)

// watchLatency is how long a watch takes, as in the engine: what is stored about a full ms is told at the next one.
const watchLatency = time.Millisecond

// cluster is a running cluster.
type cluster struct {
	server *realserver.Server
	client kubernetes.Interface // without limits and latency
	nodes  []*realkubelet.Node
	cancel func()
}

func must(err error) {
	if err != nil {
		panic("conformance: " + err.Error())
	}
}

func (c *cluster) config(qps float32, burst int) *restclient.Config {
	return &restclient.Config{Host: "http://judge", QPS: qps, Burst: burst,
		Transport: &realkubelet.Door{Server: c.server.Transport, Latency: watchLatency, Grid: watchLatency}}
}

func clientFor(config *restclient.Config) kubernetes.Interface {
	client, err := kubernetes.NewForConfig(config)
	must(err)
	return client
}

// start starts a cluster. The kubelets start one after the other, so that their ticks differ.
func start(root string, nodes int, apart time.Duration, uids identities, kubeletQPS float32, node realkubelet.Options) *cluster {
	server, err := realserver.Start(false)
	must(err)
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logr.Discard()))
	c := &cluster{server: server, cancel: cancel}
	c.client = clientFor(&restclient.Config{Host: "http://judge", QPS: -1, Transport: &realkubelet.Door{Server: server.Transport}})
	_, err = c.client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}}, metav1.CreateOptions{})
	must(err)
	c.startControllers(ctx, uids)
	c.startScheduler(ctx)
	for i := range nodes {
		o := node
		o.Name, o.Root = fmt.Sprintf("node-%d", i+1), fmt.Sprint(root, "/", i)
		c.nodes = append(c.nodes, realkubelet.Start(clientFor(c.config(kubeletQPS, machineBurst)), o))
		time.Sleep(apart)
	}
	return c
}

// stop ends what can be ended.
func (c *cluster) stop() {
	c.cancel()
	for _, n := range c.nodes {
		n.Stop()
	}
	time.Sleep(time.Minute)
}

// startControllers starts the controllers with upstream's numbers of workers, each with a client of its own.
func (c *cluster) startControllers(ctx context.Context, uids identities) {
	watching := c.config(controllerQPS, controllerBurst)
	watching.Transport.(*realkubelet.Door).InTurn = true
	f := informers.NewSharedInformerFactory(clientFor(watching), 12*time.Hour)
	client := func() kubernetes.Interface {
		config := c.config(controllerQPS, controllerBurst)
		config.RateLimiter = bucket{flowcontrol.NewTokenBucketRateLimiterWithClock(config.QPS, config.Burst, wholeMs{})}
		config.Transport = slow{config.Transport}
		return clientFor(config)
	}
	apps, core := f.Apps().V1(), f.Core().V1()
	deployments, err := deployment.NewDeploymentController(ctx, apps.Deployments(), apps.ReplicaSets(), core.Pods(), client())
	must(err)
	replicaSets := replicaset.NewReplicaSetController(ctx, apps.ReplicaSets(), core.Pods(), client(), replicaset.BurstReplicas)
	statefulSets := statefulset.NewStatefulSetController(ctx, core.Pods(), apps.StatefulSets(), core.PersistentVolumeClaims(),
		apps.ControllerRevisions(), client())
	daemonSets, err := daemon.NewDaemonSetsController(ctx, apps.DaemonSets(), apps.ControllerRevisions(), core.Pods(), core.Nodes(), client(),
		flowcontrol.NewBackOff(time.Second, 15*time.Minute))
	must(err)
	for i, of := range []any{deployments, replicaSets, statefulSets, daemonSets} {
		realkubelet.Wrap(of, func(q queue) queue { return &late{queue: q, first: time.Duration(i) * controllersApart} }, "queue")
	}
	realkubelet.Wrap(deployments, func(r record.EventRecorder) record.EventRecorder { return behind{r} }, "eventRecorder")
	realkubelet.Wrap(replicaSets, func(p controller.PodControlInterface) controller.PodControlInterface {
		of := p.(controller.RealPodControl)
		of.Recorder = behind{of.Recorder}
		return of
	}, "podControl")
	realkubelet.Wrap(replicaSets, func(i cache.Indexer) cache.Indexer {
		v := &victims{Indexer: i, uids: uids, names: map[string][]string{}}
		_, err := core.Pods().Informer().AddEventHandler(v)
		must(err)
		return v
	}, "podIndexer")
	podGC := podgc.NewPodGC(ctx, client(), core.Pods(), core.Nodes(), 12500)
	garbage := c.garbageCollector(ctx, f)
	f.Start(ctx.Done())
	go deployments.Run(ctx, 5)
	go replicaSets.Run(ctx, 5)
	go statefulSets.Run(ctx, 5)
	go daemonSets.Run(ctx, 2)
	go podGC.Run(ctx)
	go garbage()
}

func (c *cluster) garbageCollector(ctx context.Context, f informers.SharedInformerFactory) (run func()) {
	config := c.config(controllerQPS, controllerBurst)
	objects, err := metadata.NewForConfig(config)
	must(err)
	client := clientFor(config)
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(c.client.Discovery()))
	meta, started := metadatainformer.NewSharedInformerFactory(objects, 12*time.Hour), make(chan struct{})
	gc, err := garbagecollector.NewGarbageCollector(ctx, client, objects, mapper, garbagecollector.DefaultIgnoredResources(),
		informerfactory.NewInformerFactory(f, meta), started)
	must(err)
	return func() {
		meta.Start(ctx.Done())
		close(started)
		go gc.Sync(ctx, c.client.Discovery(), 30*time.Second)
		gc.Run(ctx, 20, 30*time.Second)
	}
}

func (c *cluster) startScheduler(ctx context.Context) {
	client := clientFor(c.config(machineQPS, machineBurst))
	f := scheduler.NewInformerFactory(client, 0, nil)
	d, err := dynamic.NewForConfig(c.config(machineQPS, machineBurst))
	must(err)
	others := dynamicinformer.NewFilteredDynamicSharedInformerFactory(d, 0, corev1.NamespaceAll, nil)
	recorders := events.NewEventBroadcasterAdapter(client)
	s, err := scheduler.New(ctx, client, f, others, func(name string) events.EventRecorderLogger { return recorders.NewRecorder(name) },
		withoutDraws()...)
	must(err)
	podsInOrder(s)
	recorders.StartRecordingToSink(ctx.Done())
	context.AfterFunc(ctx, recorders.Shutdown)
	f.Start(ctx.Done())
	others.Start(ctx.Done())
	go func() {
		f.WaitForCacheSync(ctx.Done())
		must(s.WaitForHandlersSync(ctx))
		s.Run(ctx)
	}()
}
