package realcluster

import (
	"context"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	schedulerapi "k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// The scheduler draws one of the nodes with the highest score, and on which node a pod is decides when its kubelet looks at it. So that runs can be
// compared, it takes the first of them by name, as the engine does: a plugin adds a little for each node, and the weights of all others are so much
// higher that it decides nothing else.
const ties, above = "Ties", 1000

type byName struct{}

// Name implements fwk.Plugin.
func (byName) Name() string { return ties }

// Score implements fwk.ScorePlugin.
func (byName) Score(_ context.Context, _ fwk.CycleState, _ *corev1.Pod, n fwk.NodeInfo) (int64, *fwk.Status) {
	number, err := strconv.ParseInt(strings.TrimPrefix(n.Node().Name, "node-"), 10, 64)
	must(err)
	return fwk.MaxNodeScore - number, nil
}

// ScoreExtensions implements fwk.ScorePlugin.
func (byName) ScoreExtensions() fwk.ScoreExtensions { return nil }

// withoutDraws are the options of the default scheduler that takes the first of equal nodes.
func withoutDraws() []scheduler.Option {
	config, err := latest.Default()
	must(err)
	plugins := &config.Profiles[0].Plugins.MultiPoint
	for i := range plugins.Enabled {
		plugins.Enabled[i].Weight = above * max(1, plugins.Enabled[i].Weight)
	}
	plugins.Enabled = append(plugins.Enabled, schedulerapi.Plugin{Name: ties, Weight: 1})
	return []scheduler.Option{scheduler.WithProfiles(config.Profiles...), scheduler.WithFrameworkOutOfTreeRegistry(frameworkruntime.Registry{
		ties: func(context.Context, runtime.Object, fwk.Handle) (fwk.Plugin, error) { return byName{}, nil }})}
}
