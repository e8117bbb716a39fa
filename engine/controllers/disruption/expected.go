package disruption

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// expectation is how many pods a budget expects, and how many of them must be healthy.
type expectation struct {
	pods      int32
	healthy   int32
	unmanaged bool         // the budget also selects pods without a controller, which do not count
	why       *sim.Explain // the sum of healthy
}

// expect computes expectedPods and desiredHealthy (P-3, P-4). A number in minAvailable needs no controllers: the pods that exist
// are expected. For a percentage, and for maxUnavailable, spec.replicas of the controllers are expected. Percentages are rounded
// up in both directions, which makes maxUnavailable generous. A Deployment of 7 replicas, with 8 pods during a surge:
//
//	minAvailable: 2      expected 8                              desired 2
//	minAvailable: 50%    expected 7   50% of 7 = 3.5, up to 4    desired 4
//	maxUnavailable: 1    expected 7                              desired 7 - 1 = 6
//	maxUnavailable: 30%  expected 7   30% of 7 = 2.1, up to 3    desired 7 - 3 = 4
//	maxUnavailable: 12   expected 7                              desired 0, not 7 - 12
func (c *Controller) expect(b *api.PodDisruptionBudget, pods []*api.Pod) (e expectation, err error) {
	minimum, maximum := b.Spec.MinAvailable, b.Spec.MaxUnavailable
	switch {
	case maximum != nil:
		if e.pods, e.unmanaged, err = c.scale(pods); err != nil {
			return e, err
		}
		missing := maximum.Scaled(e.pods, true)
		e.healthy = max(0, e.pods-missing)
		e.explain("maxUnavailable", maximum, "max(0, expectedPods - maxUnavailable)", e.pods, missing)
	case minimum != nil && minimum.IsString:
		if e.pods, e.unmanaged, err = c.scale(pods); err != nil {
			return e, err
		}
		e.healthy = minimum.Scaled(e.pods, true)
		e.explain("minAvailable", minimum, "minAvailable", e.healthy)
	case minimum != nil:
		e.pods, e.healthy = int32(len(pods)), minimum.Int
		e.explain("minAvailable", minimum, "minAvailable", e.healthy)
	default:
		e.why = why.Note("P-4", disruptionGo+"getExpectedPodCount", "neither minAvailable nor maxUnavailable is set")
	}
	return e, nil
}

// explain writes the sum of desiredHealthy, with the bound of the spec in pods.
func (e *expectation) explain(name string, bound *api.IntOrString, formula string, terms ...int32) {
	e.why = why.Sum("P-4", disruptionGo+"getExpectedPodCount", formula, e.healthy, terms...)
	if bound.IsString {
		e.why.Note = fmt.Sprintf("%s is %s of %d pods, rounded up", name, bound.Str, e.pods)
	}
}

// scale adds up the replicas of all controllers of some pods (P-3). Two ReplicaSets of a Deployment count once, as that
// Deployment: in mid-rollout, with sizes 3 and 3 for replicas 5, the sum is 5.
func (c *Controller) scale(pods []*api.Pod) (sum int32, unmanaged bool, err error) {
	seen := map[string]bool{} // UIDs
	for _, pod := range pods {
		ref := pod.ControllerOf()
		if ref == nil {
			unmanaged = true
			continue
		}
		if seen[ref.UID] {
			continue
		}
		uid, replicas, err := c.scaleOf(pod.Namespace, ref)
		if err != nil {
			return 0, unmanaged, err
		}
		if uid == "" {
			return 0, unmanaged, fmt.Errorf("found no controllers for pod %q", pod.Name)
		}
		if !seen[uid] {
			seen[uid] = true
			sum += replicas
		}
	}
	return sum, unmanaged, nil
}

// scaleOf returns the UID and the replicas of a pod's controller, or of the Deployment above it. The UID is empty if neither
// exists.
func (c *Controller) scaleOf(namespace string, ref *api.OwnerReference) (uid string, replicas int32, err error) {
	switch ref.Kind {
	case api.KindReplicaSet:
		if rs, _ := c.replicaSets.Cache.Owner(namespace, ref).(*api.ReplicaSet); rs != nil {
			owner := rs.ControllerOf()
			if owner == nil || owner.Kind != api.KindDeployment {
				return rs.UID, *rs.Spec.Replicas, nil
			}
			if d, _ := c.deployments.Cache.Owner(namespace, owner).(*api.Deployment); d != nil {
				return d.UID, *d.Spec.Replicas, nil
			}
		}
	case api.KindStatefulSet:
		if set, _ := c.statefulSets.Cache.Owner(namespace, ref).(*api.StatefulSet); set != nil {
			return set.UID, *set.Spec.Replicas, nil
		}
	}
	return c.scaleSubresource(api.Key{Kind: ref.Kind, Namespace: namespace, Name: ref.Name}, ref.UID)
}

// scaleSubresource reads a controller that the caches lack from the API server (getScaleController). A kind without replicas,
// such as a DaemonSet, makes the sync fail.
func (c *Controller) scaleSubresource(key api.Key, uid string) (string, int32, error) {
	if !kinds.Of(key.Kind).Scales() {
		return "", 0, fmt.Errorf("%s does not implement the scale subresource", kinds.Of(key.Kind).Resource())
	}
	if o, err := c.client.Get(key); err == nil && o.Meta().UID == uid {
		return uid, o.(api.Scalable).Replicas(), nil
	}
	return "", 0, nil
}

// selectorText formats a selector as Go prints the real type.
func selectorText(s *api.LabelSelector) string {
	if s == nil {
		return "nil"
	}
	var b strings.Builder
	b.WriteString("&LabelSelector{MatchLabels:map[string]string{")
	for _, k := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		b.WriteString(k + ": " + s.MatchLabels[k] + ",")
	}
	b.WriteString("},MatchExpressions:[]LabelSelectorRequirement{")
	for i := range s.MatchExpressions {
		r := &s.MatchExpressions[i]
		fmt.Fprintf(&b, "LabelSelectorRequirement{Key:%s,Operator:%s,Values:%v,},", r.Key, r.Operator, r.Values)
	}
	b.WriteString("},}")
	return b.String()
}
