package statefulset

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const utilsGo = "pkg/controller/statefulset/stateful_set_utils.go:"

// parentAndOrdinal splits the name of a pod into the name of its StatefulSet and the ordinal: db-3 into db and 3. For a name
// that does not end in a number it returns "" and -1; an ordinal that is too large becomes -1 (S-11).
func parentAndOrdinal(name string) (parent string, ordinal int) {
	dash := strings.LastIndexByte(name, '-')
	if dash < 0 || dash == len(name)-1 {
		return "", -1
	}
	for _, digit := range []byte(name[dash+1:]) {
		if digit < '0' || digit > '9' {
			return "", -1
		}
		if ordinal = ordinal*10 + int(digit-'0'); ordinal > math.MaxInt32 {
			return name[:dash], -1
		}
	}
	return name[:dash], ordinal
}

// ordinalOf returns the ordinal of a pod, -1 if it has none.
func ordinalOf(pod *api.Pod) int {
	_, ordinal := parentAndOrdinal(pod.Name)
	return ordinal
}

// inRange reports whether a StatefulSet should have a pod with this ordinal.
func inRange(set *api.StatefulSet, ordinal int) bool {
	return ordinal >= set.Start() && ordinal < set.Start()+int(*set.Spec.Replicas)
}

// podName returns the name of the pod with an ordinal (S-5).
func podName(set *api.StatefulSet, ordinal int) string { return set.Name + "-" + strconv.Itoa(ordinal) }

// claimName returns the name of a pod's claim (S-42).
func claimName(set *api.StatefulSet, template, ordinal int) string {
	return set.Spec.VolumeClaimTemplates[template].Name + "-" + podName(set, ordinal)
}

// identityMatches reports whether a pod has the name and the label that follow from its ordinal (S-14 step 7).
func identityMatches(set *api.StatefulSet, pod *api.Pod) bool {
	parent, ordinal := parentAndOrdinal(pod.Name)
	if ordinal < 0 || parent != set.Name || pod.Labels[api.StatefulSetPodNameLabel] != pod.Name {
		return false
	}
	digits := pod.Name[len(parent)+1:]
	return len(digits) == 1 || digits[0] != '0'
}

// withIdentity returns labels together with the two that follow from the ordinal of a pod (S-5).
func withIdentity(labels map[string]string, name string, ordinal int) map[string]string {
	c := make(map[string]string, len(labels)+3) // two, and the label of the revision
	maps.Copy(c, labels)
	c[api.StatefulSetPodNameLabel] = name
	c[api.PodIndexLabel] = strconv.Itoa(ordinal)
	return c
}

// hasUnexpectedController reports whether a claim under a retention policy has another controller.
func (r *round) hasUnexpectedController(claim *api.PersistentVolumeClaim, pod *api.Pod) bool {
	if policy := r.set.Spec.PersistentVolumeClaimRetentionPolicy; policy.WhenDeleted != "Delete" && policy.WhenScaled != "Delete" {
		return false
	}
	for _, ref := range claim.OwnerReferences {
		switch {
		case ref.Kind == api.KindStatefulSet && ref.Name == r.set.Name:
			if ref.UID != r.set.UID {
				return true
			}
		case ref.Kind == api.KindPod && ref.Name == pod.Name:
			if ref.UID != pod.UID {
				return true
			}
		case ref.Controller:
			return true
		}
	}
	return false
}

// ownersMatch reports whether the owners of a claim are right. A claim of an earlier StatefulSet or pod with the same name
// is left alone (isClaimOwnerUpToDate).
func (r *round) ownersMatch(claim *api.PersistentVolumeClaim, pod *api.Pod, ordinal int) bool {
	ofSet, ofPod := owns(claim, r.set.UID), owns(claim, pod.UID)
	switch {
	case !ofSet && refers(claim, api.KindStatefulSet, r.set.Name), !ofPod && refers(claim, api.KindPod, pod.Name):
		return true
	case r.hasUnexpectedController(claim, pod):
		return !ofSet && !ofPod
	}
	for _, ref := range claim.OwnerReferences {
		if (ref.UID == r.set.UID || ref.UID == pod.UID) && !ref.Controller {
			return false
		}
	}
	bySet, byPod := r.owners(ordinal)
	return ofSet == bySet && ofPod == byPod
}

// setOwners replaces the references of a claim to the StatefulSet and the pod (updateClaimOwnerRefForSetAndPod).
func (r *round) setOwners(claim *api.PersistentVolumeClaim, pod *api.Pod, ordinal int) error {
	updated := *claim
	updated.OwnerReferences = slices.DeleteFunc(slices.Clone(claim.OwnerReferences), func(ref api.OwnerReference) bool {
		return ref.Kind == api.KindStatefulSet && ref.Name == r.set.Name || ref.Kind == api.KindPod && ref.Name == pod.Name
	})
	what := "claim has no owner"
	if !r.hasUnexpectedController(claim, pod) {
		switch bySet, byPod := r.owners(ordinal); {
		case bySet:
			updated.OwnerReferences = append(updated.OwnerReferences, apiserver.ControllerRef(r.set))
			what = "claim belongs to StatefulSet " + r.set.Name
		case byPod:
			updated.OwnerReferences = append(updated.OwnerReferences, apiserver.ControllerRef(pod))
			what = "claim belongs to pod " + pod.Name
		}
	}
	policy := r.set.Spec.PersistentVolumeClaimRetentionPolicy
	_, err := r.c.loop.Wrote(r.c.client.Update(&updated, what, why.Note("S-42", utilsGo+"updateClaimOwnerRefForSetAndPod",
		"whenDeleted "+policy.WhenDeleted+", whenScaled "+policy.WhenScaled+", pod number "+strconv.Itoa(ordinal))))
	return err
}

// owners returns which object owns the claims of an ordinal:
//
//	whenDeleted  whenScaled  ordinal in range  ordinal out of range
//	Retain       Retain      none              none
//	Retain       Delete      none              the pod
//	Delete       Retain      the StatefulSet   the StatefulSet
//	Delete       Delete      the StatefulSet   the pod
func (r *round) owners(ordinal int) (bySet, byPod bool) {
	policy := r.set.Spec.PersistentVolumeClaimRetentionPolicy
	byPod = policy.WhenScaled == "Delete" && !inRange(r.set, ordinal)
	return policy.WhenDeleted == "Delete" && !byPod, byPod
}

// refers reports whether a claim has an owner with this kind and name (hasStaleOwnerRef compares its UID as well).
func refers(claim *api.PersistentVolumeClaim, kind api.Kind, name string) bool {
	return slices.ContainsFunc(claim.OwnerReferences, func(ref api.OwnerReference) bool { return ref.Kind == kind && ref.Name == name })
}

// owns reports whether a claim has an owner with this UID. A pod that is not stored yet has no UID.
func owns(claim *api.PersistentVolumeClaim, uid string) bool {
	return uid != "" && slices.ContainsFunc(claim.OwnerReferences, func(ref api.OwnerReference) bool { return ref.UID == uid })
}

// newClaim returns a claim of a pod. It has the labels of its template and those of the selector.
func newClaim(set *api.StatefulSet, template, ordinal int) *api.PersistentVolumeClaim {
	t := &set.Spec.VolumeClaimTemplates[template]
	labels := make(map[string]string, len(t.Labels)+len(set.Spec.Selector.MatchLabels))
	maps.Copy(labels, t.Labels)
	maps.Copy(labels, set.Spec.Selector.MatchLabels)
	return &api.PersistentVolumeClaim{
		ObjectMeta: api.ObjectMeta{Name: claimName(set, template, ordinal), Namespace: set.Namespace, Labels: labels, Annotations: t.Annotations},
		Spec:       t.Spec,
		Status:     api.PersistentVolumeClaimStatus{Phase: "Bound"},
	}
}

// isRunningAndReady reports whether a pod is running and Ready.
func isRunningAndReady(pod *api.Pod) bool { return pod.Status.Phase == api.PodRunning && pod.IsReady() }

// revisionOf returns the name of the revision that a pod was created from, "" if it has no such label.
func revisionOf(pod *api.Pod) string { return pod.Labels[api.ControllerRevisionHashLabel] }

// newPod returns the pod of an ordinal, created from a revision (S-5).
//
// Simplified: the volumes of its claims are not written into its spec, which all pods of a template share.
func newPod(set *api.StatefulSet, revision *api.ControllerRevision, ordinal int) *api.Pod {
	pod := apiserver.PodFromTemplate(set, &revision.Template)
	pod.Name = podName(set, ordinal)
	pod.Hostname, pod.Subdomain = pod.Name, set.Spec.ServiceName
	pod.Labels = withIdentity(pod.Labels, pod.Name, ordinal)
	pod.Labels[api.ControllerRevisionHashLabel] = revision.Name
	return pod
}

// revisionFor returns the revision that a missing pod is created from: below the border the current one, from the border on
// the update revision (S-21, newVersionedStatefulSetPod).
func (r *round) revisionFor(ordinal int) *api.ControllerRevision {
	if ordinal < r.border() {
		return r.current
	}
	return r.update
}

// border is the first ordinal whose pod is created at the update revision (S-21): the partition, or, if the strategy has no
// rollingUpdate, the number of pods that the status counts as current. With start 2 and partition 3 the border is 5: db-2 to
// db-4 are created at the current revision.
func (r *round) border() int {
	strategy := &r.set.Spec.UpdateStrategy
	switch {
	case strategy.RollingUpdate != nil:
		return r.set.Start() + r.set.Partition()
	case strategy.Type == api.RollingUpdate:
		return r.set.Start() + int(r.set.Status.CurrentReplicas)
	}
	return 0
}

// explainRevision explains the revision that a pod is created from (S-21).
func (r *round) explainRevision(ordinal int) *sim.Explain {
	border := r.border()
	sum := why.Sum("S-21", utilsGo+"newVersionedStatefulSetPod", "ordinal - border", ordinal-border, ordinal, border)
	switch {
	case ordinal >= border:
		return sum.Noting("the pod gets the update revision")
	case r.set.Spec.UpdateStrategy.RollingUpdate != nil:
		return sum.Noting("below the partition the pod gets the current revision")
	}
	return sum.Noting("without rollingUpdate, as many pods as status.currentReplicas get the current revision")
}

// inconsistent reports whether the status has to be written. A changed collisionCount alone is not a reason (S-32,
// inconsistentStatus).
func (r *round) inconsistent() bool {
	s, have := &r.status, &r.set.Status
	return s.ObservedGeneration > have.ObservedGeneration || s.Replicas != have.Replicas || s.ReadyReplicas != have.ReadyReplicas ||
		s.CurrentReplicas != have.CurrentReplicas || s.UpdatedReplicas != have.UpdatedReplicas ||
		s.AvailableReplicas != have.AvailableReplicas || s.CurrentRevision != have.CurrentRevision ||
		s.UpdateRevision != have.UpdateRevision || !slices.Equal(s.Conditions, have.Conditions)
}

// completeUpdate makes the update revision the current one once all pods have it and are Ready (S-31).
func (r *round) completeUpdate() {
	s, want := &r.status, *r.set.Spec.Replicas
	if s.UpdatedReplicas == want && s.ReadyReplicas == want && s.Replicas == want {
		s.CurrentReplicas, s.CurrentRevision = s.UpdatedReplicas, s.UpdateRevision
	}
}

// maxUnavailable returns how many pods may be unavailable during a rolling update. A percentage is rounded down, but at least
// one pod may always be unavailable (S-18): 25% of 10 is 2, and of 3 it is 0.75, so 1.
func maxUnavailable(set *api.StatefulSet) int {
	if r := set.Spec.UpdateStrategy.RollingUpdate; r != nil && r.MaxUnavailable != nil {
		return max(1, int(r.MaxUnavailable.Scaled(*set.Spec.Replicas, false)))
	}
	return 1
}

// Bound returns how many pods of a StatefulSet the controller lets be unavailable in Kubernetes 1.minor: maxUnavailable
// (S-18), before 1.37 always 1 (S-19), and under OnDelete none, because the controller deletes none.
func Bound(set *api.StatefulSet, minor int) int {
	switch {
	case set.Spec.UpdateStrategy.Type == api.OnDelete:
		return 0
	case minor < apiserver.SinceMaxUnavailable:
		return 1
	}
	return maxUnavailable(set)
}
