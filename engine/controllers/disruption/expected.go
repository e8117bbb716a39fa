package disruption

import (
	"fmt"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// expectation is how many pods a budget counts on, and how many of them must stay healthy.
type expectation struct {
	pods      int32
	healthy   int32
	unmanaged bool         // there are pods that nobody controls, and they are not counted
	why       *sim.Explain // the sum of healthy
}

// expect works out how many pods there should be, and how many healthy ones (P-3, P-4). A number of pods that must be
// available is compared with the pods that exist; a percentage, or a number of pods that may be missing, with what their
// controllers want. Percentages are rounded up.
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
		e.why = why.Note("P-4", disruptionGo+"getExpectedPodCount", "neither minAvailable nor maxUnavailable is given")
	}
	return e, nil
}

// explain adds up how many pods must be healthy, with the bound of the spec and what it comes to.
func (e *expectation) explain(name string, bound *api.IntOrString, formula string, terms ...int32) {
	e.why = why.Sum("P-4", disruptionGo+"getExpectedPodCount", formula, e.healthy, terms...)
	if bound.IsString {
		e.why.Note = fmt.Sprintf("%s is %s of %d pods, rounded up", name, bound.Str, e.pods)
	}
}

// scale adds up the replicas of all the controllers of some pods (P-3).
func (c *Controller) scale(pods []*api.Pod) (sum int32, unmanaged bool, err error) {
	seen := map[string]bool{} // UIDs of what was added already
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

// scaleOf finds the controller that a reference leads to, and how many pods it wants: the Deployment of a ReplicaSet, or
// else what is referred to. No UID means that there is none.
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

// scaleSubresource asks the API server for what is not found otherwise (getScaleController). A kind without a number of
// replicas, such as a DaemonSet, makes the sync fail.
func (c *Controller) scaleSubresource(key api.Key, uid string) (string, int32, error) {
	o, err := c.client.Get(key)
	found := err == nil && o.Meta().UID == uid
	switch key.Kind {
	case api.KindDeployment:
		if found {
			return uid, *o.(*api.Deployment).Spec.Replicas, nil
		}
	case api.KindReplicaSet:
		if found {
			return uid, *o.(*api.ReplicaSet).Spec.Replicas, nil
		}
	case api.KindStatefulSet:
		if found {
			return uid, *o.(*api.StatefulSet).Spec.Replicas, nil
		}
	default:
		return "", 0, fmt.Errorf("%s does not implement the scale subresource", key.Kind.Resource())
	}
	return "", 0, nil
}

// selectorText writes a selector as Go prints the real type.
func selectorText(s *api.LabelSelector) string {
	if s == nil {
		return "nil"
	}
	keys := make([]string, 0, len(s.MatchLabels))
	for k := range s.MatchLabels {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var b strings.Builder
	b.WriteString("&LabelSelector{MatchLabels:map[string]string{")
	for _, k := range keys {
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
