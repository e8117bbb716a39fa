package recorded

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
)

// budget is the model of a PodDisruptionBudget over all pods, of its controller and of the eviction API, as far as the
// recordings of Deployments need them (P-3 to P-12).
type budget struct {
	spec      PDBSpec
	synced    bool // the controller has seen the present spec
	expected  int32
	healthy   int32
	desired   int32
	allowed   int32
	disrupted map[string]int64 // evicted pods -> when
}

// disruptionTimeout is how long an evicted pod is taken for one that will go, in seconds (P-9).
const disruptionTimeout = 120

// sync counts anew and says whether anything changed.
func (b *budget) sync(s *apiserver.Server, t int64) (changed bool) {
	before := *b
	disrupted := map[string]int64{}
	b.synced, b.healthy = true, 0
	var pods int32
	for o := range s.Store.Table(api.KindPod).All() {
		p := o.(*api.Pod)
		pods++
		at, ok := b.disrupted[p.Name]
		ok = ok && !p.Terminating() && t-at < disruptionTimeout
		if ok {
			disrupted[p.Name] = at
		}
		if p.IsReady() && !p.Terminating() && !ok {
			b.healthy++
		}
	}
	b.count(s, pods)
	b.allowed = 0
	if b.expected > 0 {
		b.allowed = max(0, b.healthy-b.desired)
	}
	changed = !before.synced || before.expected != b.expected || before.healthy != b.healthy || before.desired != b.desired ||
		before.allowed != b.allowed || len(before.disrupted) != len(disrupted)
	b.disrupted = disrupted
	return changed
}

// count works out how many pods there should be, and how many of them healthy (P-3, P-4). Both percentages round up.
func (b *budget) count(s *apiserver.Server, pods int32) {
	b.expected = pods
	if minimum := b.spec.MinAvailable; minimum != nil && !minimum.IsString {
		b.desired = minimum.Int
		return
	}
	b.expected = 0
	if d, ok := s.Store.Get(deploymentKey).(*api.Deployment); ok && pods > 0 {
		b.expected = *d.Spec.Replicas
	}
	if set, ok := s.Store.Get(statefulSetKey).(*api.StatefulSet); ok && pods > 0 {
		b.expected = *set.Spec.Replicas
	}
	switch {
	case b.spec.MinAvailable != nil:
		b.desired = b.spec.MinAvailable.Scaled(b.expected, true)
	case b.spec.MaxUnavailable != nil:
		b.desired = max(0, b.expected-b.spec.MaxUnavailable.Scaled(b.expected, true))
	default:
		b.expected, b.desired = 0, 0
	}
}

// admit decides about the eviction of a pod: "" lets it go, anything else is the refusal (P-11). A pod that the budget
// is charged for is noted.
func (b *budget) admit(p *api.Pod, t int64) string {
	if p.Status.Phase == api.PodPending || p.Finished() || p.Terminating() {
		return ""
	}
	if !p.IsReady() && (b.spec.UnhealthyPodEvictionPolicy == "AlwaysAllow" || b.healthy >= b.desired && b.desired > 0) {
		return ""
	}
	const refusal = "429 Cannot evict pod as it would violate the pod's disruption budget. The disruption budget " + workload
	switch {
	case !b.synced:
		return refusal + " is still being processed by the server."
	case b.allowed == 0 && b.healthy <= b.desired:
		return refusal + fmt.Sprintf(" needs %d healthy pods and has %d currently", b.desired, b.healthy)
	case b.allowed == 0:
		return refusal + " does not allow evicting pods currently"
	}
	b.allowed--
	b.disrupted[p.Name] = t
	return ""
}
