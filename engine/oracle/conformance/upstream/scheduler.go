package upstream

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/apis/core"
	registry "k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"

	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
)

// filters are the plugins whose filters the engine has, in the order of the default profile.
var filters = []string{names.NodeName, names.NodeUnschedulable, names.TaintToleration, names.NodeAffinity, names.NodePorts,
	names.NodeResourcesFit, names.PodTopologySpread, names.InterPodAffinity}

// scores are the plugins whose scores the engine has, with their default weights.
var scores = []config.Plugin{{Name: names.PodTopologySpread, Weight: 2}, {Name: names.InterPodAffinity, Weight: 2},
	{Name: names.NodeResourcesFit, Weight: 1}, {Name: names.NodeResourcesBalancedAllocation, Weight: 1}}

// Scheduler is the real scheduling framework with these plugins.
type Scheduler struct {
	factory   informers.SharedInformerFactory
	arguments []config.PluginConfig // those of the default profile
}

// NewScheduler returns a scheduler that knows these namespaces and ReplicaSets. Close the channel to end it.
func NewScheduler(stop <-chan struct{}, objects ...runtime.Object) (*Scheduler, error) {
	metrics.Register()
	s := &Scheduler{factory: informers.NewSharedInformerFactory(fake.NewClientset(objects...), 0)}
	// The plugins ask for these listers when they are made; the informers must run before.
	s.factory.Core().V1().Namespaces().Informer()
	s.factory.Apps().V1().ReplicaSets().Informer()
	s.factory.Start(stop)
	s.factory.WaitForCacheSync(stop)
	c, err := latest.Default()
	if err != nil {
		return nil, err
	}
	for _, p := range c.Profiles[0].PluginConfig {
		if slices.Contains(filters, p.Name) || p.Name == names.NodeResourcesBalancedAllocation {
			s.arguments = append(s.arguments, p)
		}
	}
	return s, nil
}

// NodeVerdict is what the plugins say about one node.
type NodeVerdict struct {
	Reasons    []string
	Resolvable bool
	Score      int64
}

// Admit returns a pod as the API server stores it: with what matchLabelKeys and mismatchLabelKeys add to the selectors.
func Admit(pod *corev1.Pod) *corev1.Pod {
	internal := convert.ToInternal(pod.DeepCopy()).(*core.Pod)
	registry.Strategy.PrepareForCreate(context.Background(), internal)
	return convert.FromInternal(internal).(*corev1.Pod)
}

// Judge says for each node, by name, whether a pod fits there beside the bound pods.
func (s *Scheduler) Judge(nodes []*corev1.Node, bound []*corev1.Pod, pod *corev1.Pod) (map[string]NodeVerdict, error) {
	ctx, cancel := context.WithCancel(context.Background()) // ends the framework's recorder of metrics
	defer cancel()
	snapshot := cache.NewSnapshot(bound, nodes)
	f, err := frameworkruntime.NewFramework(ctx, plugins.NewInTreeRegistry(), s.profile(),
		frameworkruntime.WithSnapshotSharedLister(snapshot), frameworkruntime.WithInformerFactory(s.factory), frameworkruntime.WithParallelism(1))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	state := framework.NewCycleState()
	named, status, _ := f.RunPreFilterPlugins(ctx, state, pod)
	if !status.IsSuccess() {
		return nil, status.AsError()
	}
	out := map[string]NodeVerdict{}
	var fit []fwk.NodeInfo
	infos, err := snapshot.List()
	if err != nil {
		return nil, err
	}
	for _, info := range infos {
		name := info.Node().Name
		if !named.AllNodes() && !named.NodeNames.Has(name) {
			out[name] = NodeVerdict{Reasons: []string{"node(s) didn't satisfy plugin(s) [NodeAffinity]"}} // schedule_one.go:findNodesThatFitPod
			continue
		}
		status := f.RunFilterPlugins(ctx, state, pod, info)
		if status.Code() == fwk.Error {
			return nil, status.AsError()
		}
		if status.IsSuccess() {
			fit = append(fit, info)
			continue
		}
		out[name] = NodeVerdict{Reasons: status.Reasons(), Resolvable: status.Code() != fwk.UnschedulableAndUnresolvable}
	}
	return out, score(ctx, f, state, pod, fit, out)
}

// score adds the scores of the nodes that fit.
func score(ctx context.Context, f framework.Framework, state fwk.CycleState, pod *corev1.Pod, fit []fwk.NodeInfo, out map[string]NodeVerdict) error {
	if len(fit) == 0 {
		return nil
	}
	if status := f.RunPreScorePlugins(ctx, state, pod, fit); !status.IsSuccess() {
		return status.AsError()
	}
	list, status := f.RunScorePlugins(ctx, state, pod, fit)
	if !status.IsSuccess() {
		return status.AsError()
	}
	for _, n := range list {
		v := out[n.Name]
		v.Score = n.TotalScore
		out[n.Name] = v
	}
	return nil
}

func (s *Scheduler) profile() *config.KubeSchedulerProfile {
	enabled := func(names ...string) (set config.PluginSet) {
		for _, n := range names {
			set.Enabled = append(set.Enabled, config.Plugin{Name: n})
		}
		return set
	}
	return &config.KubeSchedulerProfile{SchedulerName: "default-scheduler", PluginConfig: s.arguments, Plugins: &config.Plugins{
		QueueSort: enabled(names.PrioritySort), Bind: enabled(names.DefaultBinder),
		PreFilter: enabled(names.NodeAffinity, names.NodePorts, names.NodeResourcesFit, names.PodTopologySpread, names.InterPodAffinity),
		Filter:    enabled(filters...),
		PreScore:  enabled(names.PodTopologySpread, names.InterPodAffinity),
		Score:     config.PluginSet{Enabled: scores},
	}}
}
