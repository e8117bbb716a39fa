package daemon

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
)

// tolerated are the taints that every pod of a DaemonSet tolerates (DS-5), the last one only on the host network.
var tolerated = [...]api.Taint{
	{Key: api.TaintNodeNotReady, Effect: api.NoExecute},
	{Key: api.TaintNodeUnreachable, Effect: api.NoExecute},
	{Key: "node.kubernetes.io/disk-pressure", Effect: api.NoSchedule},
	{Key: "node.kubernetes.io/memory-pressure", Effect: api.NoSchedule},
	{Key: "node.kubernetes.io/pid-pressure", Effect: api.NoSchedule},
	{Key: api.TaintNodeUnschedulable, Effect: api.NoSchedule},
	{Key: "node.kubernetes.io/network-unavailable", Effect: api.NoSchedule},
}

// daemonTolerations returns the tolerations of a template and those of DS-5, which replace tolerations of the template that
// differ only in tolerationSeconds (AddOrUpdateDaemonPodTolerations).
func daemonTolerations(template *api.PodSpec) []api.Toleration {
	list := slices.Clone(template.Tolerations)
	for i := range tolerated {
		if i == len(tolerated)-1 && !template.HostNetwork {
			break
		}
		add := api.Toleration{Key: tolerated[i].Key, Operator: "Exists", Effect: tolerated[i].Effect}
		found := false
		for j := range list {
			have := &list[j]
			if have.Key == add.Key && have.Operator == add.Operator && have.Effect == add.Effect && have.Value == "" {
				*have, found = add, true
			}
		}
		if !found {
			list = append(list, add)
		}
	}
	return list
}

// allowsSurge reports whether a node may have two pods for a while (DS-4).
func allowsSurge(ds *api.DaemonSet) bool { return surgeCount(ds, 1) > 0 }

// surgeCount returns on how many of the desired nodes a new pod may run beside the old one (DS-3).
func surgeCount(ds *api.DaemonSet, desired int) int {
	if u := ds.Spec.UpdateStrategy; u.Type == api.RollingUpdate && u.RollingUpdate != nil {
		return int(u.RollingUpdate.MaxSurge.Scaled(int32(desired), true))
	}
	return 0
}

// Bounds returns maxSurge and maxUnavailable in nodes (DS-3). Both percentages round up, unlike those of a Deployment; if both
// are 0, one node may be without an available pod.
//
//	desired  maxSurge  maxUnavailable  surge  unavailable
//	      9         0             25%      0            3  2.25 is rounded up
//	      9       25%               0      3            0
//	      5         0             10%      0            1  0.5 is rounded up
//	      5         0              0%      0            1  0 and 0 would stop the update
//	      0         0               0      0            0  nothing to update
func Bounds(ds *api.DaemonSet, desired int) (maxSurge, maxUnavailable int) {
	maxSurge = surgeCount(ds, desired)
	if u := ds.Spec.UpdateStrategy; u.Type == api.RollingUpdate && u.RollingUpdate != nil {
		maxUnavailable = int(u.RollingUpdate.MaxUnavailable.Scaled(int32(desired), true))
	}
	if desired > 0 && maxSurge == 0 && maxUnavailable == 0 {
		maxUnavailable = 1
	}
	return maxSurge, maxUnavailable
}

// isPodUpdated reports whether a pod has the current template: by its hash, or by the older count of templates.
func isPodUpdated(pod *api.Pod, hash string, generation int64) bool {
	return hash != "" && pod.Labels[api.ControllerRevisionHashLabel] == hash ||
		pod.Labels[api.PodTemplateGenerationLabel] == strconv.FormatInt(generation, 10)
}

// targetNode returns the node that a pod runs on or waits for.
func targetNode(pod *api.Pod) string { return cmp.Or(pod.NodeName, pod.TargetNode) }
