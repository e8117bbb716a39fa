// Package realkubelet runs upstream's whole kubelet in a bubble of fake time: its main loop, pod workers, PLEG, probes, images and statuses
// are the real ones. A container runtime in this process (runtime.go) follows programs instead of processes, and functions stand in for
// sockets and devices (standins.go). The API server is that of package realserver, behind a Door (door.go).
package realkubelet

import (
	"context"
	"reflect"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/prometheus/client_golang/prometheus"
	noopoteltrace "go.opentelemetry.io/otel/trace/noop"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/kubernetes"
	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/component-helpers/apimachinery/lease"
	critest "k8s.io/cri-api/pkg/apis/testing"
	"k8s.io/klog/v2"
	kubeletv1beta1 "k8s.io/kubelet/config/v1beta1"
	"k8s.io/kubernetes/pkg/kubelet"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	kubeletscheme "k8s.io/kubernetes/pkg/kubelet/apis/config/scheme"
	cadvisortest "k8s.io/kubernetes/pkg/kubelet/cadvisor/testing"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	podconfig "k8s.io/kubernetes/pkg/kubelet/config"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	containertest "k8s.io/kubernetes/pkg/kubelet/container/testing"
	kubeletopts "k8s.io/kubernetes/pkg/kubelet/kubeletconfig"
	"k8s.io/kubernetes/pkg/kubelet/oom"
	"k8s.io/kubernetes/pkg/kubelet/pluginmanager"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
	kubeletutil "k8s.io/kubernetes/pkg/kubelet/util"
	httpprobe "k8s.io/kubernetes/pkg/probe/http"
	tcpprobe "k8s.io/kubernetes/pkg/probe/tcp"
	utiloom "k8s.io/kubernetes/pkg/util/oom"
	"k8s.io/kubernetes/pkg/volume"
	"k8s.io/kubernetes/pkg/volume/configmap"
	"k8s.io/kubernetes/pkg/volume/emptydir"
	"k8s.io/kubernetes/pkg/volume/projected"
	"k8s.io/kubernetes/pkg/volume/secret"
	"k8s.io/kubernetes/pkg/volume/util/hostutil"
	"k8s.io/kubernetes/pkg/volume/util/subpath"
	"k8s.io/mount-utils"
)

// Options say what a node is like.
type Options struct {
	Name     string
	Root     string // a directory of its own
	Programs Programs
	Pull     func(image string) (takes time.Duration, err error)
	Turn     func(image string) int // see Images
	Note     func(pod, text string) // of what happens on the node
}

// Node is a machine with a real kubelet.
type Node struct {
	Runtime *Runtime

	kubelet *kubelet.Kubelet
	config  *podconfig.PodConfig
	cancel  func()
	never   chan struct{}
}

func must(err error) {
	if err != nil {
		panic("conformance: " + err.Error())
	}
}

// Start starts a kubelet, in a bubble. Its ticks count from this moment.
func Start(client kubernetes.Interface, o Options) *Node {
	ctx, cancel := context.WithCancel(context.Background())
	n := &Node{Runtime: newRuntime(o.Programs, o.Note), cancel: cancel, never: make(chan struct{})}
	wait.NeverStop = n.never // waiting on a channel from outside of the bubble would stop its clock
	freshMetrics()
	kubelet.ContainerLogsDir = o.Root + "/containers"
	must(utilfeature.DefaultMutableFeatureGate.Set("PodCertificateRequest=false")) // its queue has no end

	// Registering would sleep under a mutex that another goroutine waits for, which stops the clock for good: so the Node is there before.
	_, err := client.CoreV1().Nodes().Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: o.Name, Labels: map[string]string{
		corev1.LabelHostname: o.Name, corev1.LabelOSStable: "linux", corev1.LabelArchStable: "amd64"}}}, metav1.CreateOptions{})
	must(err)
	deps := dependencies(client, n, o)
	// The hostname is an address, so that nobody asks a DNS server.
	k, err := kubelet.NewMainKubelet(ctx, configuration(), deps, &kubeletopts.ContainerRuntimeOptions{}, "10.0.0.1", types.NodeName(o.Name), nil,
		"", "", o.Root+"/pki", o.Root, o.Root+"/logs", "", "", false, nil, nil, "", false, false, metav1.Duration{Duration: time.Minute},
		1, -1, nil, 50, false)
	must(err)
	n.kubelet, n.config = k, deps.PodConfig
	put[oom.Watcher](k, nil, "oomWatcher")
	put[pluginmanager.PluginManager](k, noPlugins{}, "pluginManager")
	put[httpprobe.Prober](k, web{n.Runtime}, "probeManager", "prober", "http")
	put[tcpprobe.Prober](k, dialer{n.Runtime}, "probeManager", "prober", "tcp")
	put[lease.Controller](k, &leaseUntil{inside(k, "nodeLeaseController").Interface().(lease.Controller), ctx}, "nodeLeaseController")
	put[kubecontainer.Runtime](k, sooner{inside(k, "pleg", "runtime").Interface().(kubecontainer.Runtime)}, "pleg", "runtime")
	settleRaces(ctx, k)

	k.BirthCry()
	// A minute later, and each minute, it must not remove the sandbox of a pod that has stopped while a relist reads it.
	time.AfterFunc(200*Instant, func() { k.StartGarbageCollection(ctx) })
	updates := make(chan kubetypes.PodUpdate)
	go forward(ctx, deps.PodConfig.Updates(), updates)
	go k.Run(ctx, updates)
	go n.forgetCalls(ctx)
	return n
}

// forward passes updates on until the context ends, which ends the kubelet's main loop; upstream's own source never ends.
func forward(ctx context.Context, from <-chan kubetypes.PodUpdate, to chan kubetypes.PodUpdate) {
	defer close(to)
	for {
		select {
		case u := <-from:
			to <- u
		case <-ctx.Done():
			return
		}
	}
}

func (n *Node) forgetCalls(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(10 * time.Second)
		n.Runtime.forget()
	}
}

// Stop ends the kubelet; within a minute its goroutines end, but for a few that nobody can end.
func (n *Node) Stop() {
	n.cancel()
	close(n.never)
	synctest.Wait()
	endLoops(n.kubelet, n.config)
}

func dependencies(client kubernetes.Interface, n *Node, o Options) *kubelet.Dependencies {
	return &kubelet.Dependencies{
		KubeClient:                client,
		HeartbeatClient:           client,
		RemoteRuntimeService:      n.Runtime,
		RemoteImageService:        &Images{FakeImageService: critest.NewFakeImageService(), Pull: o.Pull, Turn: o.Turn},
		CAdvisorInterface:         &cadvisortest.Fake{NodeName: o.Name},
		OSInterface:               &containertest.FakeOS{},
		ContainerManager:          cm.NewStubContainerManager(),
		VolumePlugins:             volumePlugins(),
		OOMAdjuster:               utiloom.NewFakeOOMAdjuster(),
		Mounter:                   mount.NewFakeMounter(nil),
		Subpather:                 &subpath.FakeSubpath{},
		HostUtil:                  hostutil.NewFakeHostUtil(nil),
		PodStartupLatencyTracker:  kubeletutil.NewPodStartupLatencyTracker(),
		NodeStartupLatencyTracker: kubeletutil.NewNodeStartupLatencyTracker(klog.Background()),
		TracerProvider:            noopoteltrace.NewTracerProvider(),
		Recorder:                  recorder{o.Note},
	}
}

// configuration is upstream's default, without what reaches for the machine.
func configuration() *kubeletconfig.KubeletConfiguration {
	scheme, _, err := kubeletscheme.NewSchemeAndCodecs()
	must(err)
	defaults, c := &kubeletv1beta1.KubeletConfiguration{}, &kubeletconfig.KubeletConfiguration{}
	scheme.Default(defaults)
	must(scheme.Convert(defaults, c, nil))
	c.CgroupsPerQOS, c.EnforceNodeAllocatable, c.EvictionHard = false, nil, nil
	c.MakeIPTablesUtilChains, c.LocalStorageCapacityIsolation, c.EnableControllerAttachDetach = false, false, false
	c.ResolverConfig, c.ClusterDNS, c.ClusterDomain = "", []string{"10.96.0.10"}, "cluster.local"
	c.ImageGCHighThresholdPercent, c.ImageGCLowThresholdPercent = 100, 99
	c.VolumeStatsAggPeriod.Duration = -time.Second
	return c
}

func volumePlugins() (all []volume.VolumePlugin) {
	for _, list := range [][]volume.VolumePlugin{emptydir.ProbeVolumePlugins(), configmap.ProbeVolumePlugins(), secret.ProbeVolumePlugins(),
		projected.ProbeVolumePlugins()} {
		all = append(all, list...)
	}
	return all
}

// freshMetrics lets the next kubelet of this process register its metrics, and lets go of those of the last one.
func freshMetrics() {
	prometheus.DefaultRegisterer = sink{prometheus.NewRegistry()}
	v := reflect.ValueOf(legacyregistry.DefaultGatherer).Elem()
	v.FieldByName("PromRegistry").Set(reflect.ValueOf(metrics.PromRegistry(sink{prometheus.NewRegistry()})))
	for _, name := range []string{"stableCollectors", "resettables"} {
		f := v.FieldByName(name)
		reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().SetZero()
	}
}

// sink is a registry that registers nothing.
type sink struct{ *prometheus.Registry }

// MustRegister implements prometheus.Registerer.
func (sink) MustRegister(...prometheus.Collector) {}
