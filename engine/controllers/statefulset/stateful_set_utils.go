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

// parentAndOrdinal splits the name of a pod into that of its StatefulSet and its number. The name is empty if that of the
// pod does not end in a number; a number that is too large is -1 (S-11).
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

// ordinalOf returns the number of a pod, -1 if it has none.
func ordinalOf(pod *api.Pod) int {
	_, ordinal := parentAndOrdinal(pod.Name)
	return ordinal
}

// inRange says whether a StatefulSet shall have a pod with this number.
func inRange(set *api.StatefulSet, ordinal int) bool {
	return ordinal >= set.Start() && ordinal < set.Start()+int(*set.Spec.Replicas)
}

// podName returns the name of the pod with a number (S-5).
func podName(set *api.StatefulSet, ordinal int) string { return set.Name + "-" + strconv.Itoa(ordinal) }

// claimName returns the name of a pod's claim (S-42).
func claimName(set *api.StatefulSet, template, ordinal int) string {
	return set.Spec.VolumeClaimTemplates[template].Name + "-" + podName(set, ordinal)
}

// identityMatches says whether a pod has the name and the label that its number gives it (S-14 step 7).
func identityMatches(set *api.StatefulSet, pod *api.Pod) bool {
	parent, ordinal := parentAndOrdinal(pod.Name)
	if ordinal < 0 || parent != set.Name || pod.Labels[api.StatefulSetPodNameLabel] != pod.Name {
		return false
	}
	digits := pod.Name[len(parent)+1:]
	return len(digits) == 1 || digits[0] != '0'
}

// withIdentity returns labels with those two that a pod's number gives it (S-5).
func withIdentity(labels map[string]string, name string, ordinal int) map[string]string {
	c := make(map[string]string, len(labels)+3) // one more is the revision's
	maps.Copy(c, labels)
	c[api.StatefulSetPodNameLabel] = name
	c[api.PodIndexLabel] = strconv.Itoa(ordinal)
	return c
}

// hasUnexpectedController says whether somebody else minds a claim that a retention policy is about.
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

// ownersMatch says whether a claim's owners may stay as they are. What belongs to an earlier StatefulSet or pod of the name
// is left alone.
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

// setOwners replaces what a claim says of the StatefulSet and the pod.
func (r *round) setOwners(claim *api.PersistentVolumeClaim, pod *api.Pod, ordinal int) error {
	updated := *claim
	updated.OwnerReferences = slices.DeleteFunc(slices.Clone(claim.OwnerReferences), func(ref api.OwnerReference) bool {
		return ref.Kind == api.KindStatefulSet && ref.Name == r.set.Name || ref.Kind == api.KindPod && ref.Name == pod.Name
	})
	what := "claim belongs to nobody"
	if !r.hasUnexpectedController(claim, pod) {
		switch bySet, byPod := r.owners(ordinal); {
		case bySet:
			updated.OwnerReferences = append(updated.OwnerReferences, apiserver.ControllerRef(r.set))
			what = "claim belongs to StatefulSet " + r.set.Name
		case byPod:
			updated.OwnerReferences = append(updated.OwnerReferences, podRef(pod))
			what = "claim belongs to pod " + pod.Name
		}
	}
	policy := r.set.Spec.PersistentVolumeClaimRetentionPolicy
	_, err := r.c.client.Update(&updated, what, why.Note("S-42", utilsGo+"updateClaimOwnerRefForSetAndPod",
		"whenDeleted "+policy.WhenDeleted+", whenScaled "+policy.WhenScaled+", pod number "+strconv.Itoa(ordinal)))
	return err
}

// owners says whom the claims of a number belong to: with whenScaled Delete to the pod once it is out of range, otherwise
// with whenDeleted Delete to the StatefulSet.
func (r *round) owners(ordinal int) (bySet, byPod bool) {
	policy := r.set.Spec.PersistentVolumeClaimRetentionPolicy
	byPod = policy.WhenScaled == "Delete" && !inRange(r.set, ordinal)
	return policy.WhenDeleted == "Delete" && !byPod, byPod
}

// refers says whether an owner of a claim has this kind and name.
func refers(claim *api.PersistentVolumeClaim, kind api.Kind, name string) bool {
	return slices.ContainsFunc(claim.OwnerReferences, func(ref api.OwnerReference) bool { return ref.Kind == kind && ref.Name == name })
}

// owns says whether an owner of a claim has this UID. A pod that is not stored yet has none.
func owns(claim *api.PersistentVolumeClaim, uid string) bool {
	return uid != "" && slices.ContainsFunc(claim.OwnerReferences, func(ref api.OwnerReference) bool { return ref.UID == uid })
}

// podRef returns the reference that makes a pod the controller of its claim.
func podRef(pod *api.Pod) api.OwnerReference {
	return api.OwnerReference{APIVersion: "v1", Kind: api.KindPod, Name: pod.Name, UID: pod.UID, Controller: true, BlockOwnerDeletion: true}
}

// newClaim returns a pod's claim. It has the labels of its template and those that the selector names.
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

// isRunningAndReady says whether a pod runs and is Ready.
func isRunningAndReady(pod *api.Pod) bool { return pod.Status.Phase == api.PodRunning && pod.IsReady() }

// revisionOf returns the name of the revision that a pod was made from, empty if it does not say.
func revisionOf(pod *api.Pod) string { return pod.Labels[api.ControllerRevisionHashLabel] }

// newPod returns the pod of a number, made from a revision (S-5).
//
// Simplified: the volumes of its claims are not written into its spec, which all pods of a template share.
func newPod(set *api.StatefulSet, revision *api.ControllerRevision, ordinal int) *api.Pod {
	template := &revision.Template
	name := podName(set, ordinal)
	labels := withIdentity(template.Labels, name, ordinal)
	labels[api.ControllerRevisionHashLabel] = revision.Name
	return &api.Pod{
		ObjectMeta: api.ObjectMeta{
			Name:            name,
			GenerateName:    set.Name + "-",
			Namespace:       set.Namespace,
			Labels:          labels,
			Annotations:     template.Annotations,
			OwnerReferences: []api.OwnerReference{apiserver.ControllerRef(set)},
		},
		NodeName:  template.Spec.NodeName,
		Hostname:  name,
		Subdomain: set.Spec.ServiceName,
		Spec:      template.Spec,
		Status:    api.PodStatus{Phase: api.PodPending},
	}
}

// revisionFor returns the revision that a missing pod is made from: below the partition the current one, above it that of
// the update. An update strategy without rollingUpdate has as its border what the status counts as current (S-21).
func (r *round) revisionFor(ordinal int) *api.ControllerRevision {
	if ordinal < r.border() {
		return r.current
	}
	return r.update
}

// border is the first ordinal whose pod is made at the update revision (S-21).
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

// explainRevision says why a pod is made at the revision that it gets (S-21).
func (r *round) explainRevision(ordinal int) *sim.Explain {
	border := r.border()
	sum := why.Sum("S-21", utilsGo+"newVersionedStatefulSetPod", "ordinal - border", ordinal-border, ordinal, border)
	switch {
	case ordinal >= border:
		return sum.Noting("it is made at the update revision")
	case r.set.Spec.UpdateStrategy.RollingUpdate != nil:
		return sum.Noting("it lies below the partition: it is made at the current revision")
	}
	return sum.Noting("without rollingUpdate as many pods as the status calls current are made at the current revision")
}

// inconsistent says whether the status must be written. The count of collisions alone is no reason (S-32).
func (r *round) inconsistent() bool {
	s, have := &r.status, &r.set.Status
	return s.ObservedGeneration > have.ObservedGeneration || s.Replicas != have.Replicas || s.ReadyReplicas != have.ReadyReplicas ||
		s.CurrentReplicas != have.CurrentReplicas || s.UpdatedReplicas != have.UpdatedReplicas ||
		s.AvailableReplicas != have.AvailableReplicas || s.CurrentRevision != have.CurrentRevision ||
		s.UpdateRevision != have.UpdateRevision || !slices.Equal(s.Conditions, have.Conditions)
}

// completeUpdate makes the update revision the current one when all pods have it and are Ready (S-31).
func (r *round) completeUpdate() {
	s, want := &r.status, *r.set.Spec.Replicas
	if s.UpdatedReplicas == want && s.ReadyReplicas == want && s.Replicas == want {
		s.CurrentReplicas, s.CurrentRevision = s.UpdatedReplicas, s.UpdateRevision
	}
}

// maxUnavailable returns how many pods a rolling update may take away at a time: a percentage is rounded down, but it is
// at least one (S-18).
func maxUnavailable(set *api.StatefulSet) int {
	if r := set.Spec.UpdateStrategy.RollingUpdate; r != nil && r.MaxUnavailable != nil {
		return max(1, int(r.MaxUnavailable.Scaled(*set.Spec.Replicas, false)))
	}
	return 1
}

// Bound returns how many pods of a StatefulSet its controller itself lets be unavailable in Kubernetes 1.minor: the field
// maxUnavailable, rounded down, but at least 1 (S-18); before 1.37 always 1 (S-19); none under OnDelete.
func Bound(set *api.StatefulSet, minor int) int {
	switch {
	case set.Spec.UpdateStrategy.Type == api.OnDelete:
		return 0
	case minor < apiserver.SinceMaxUnavailable:
		return 1
	}
	return maxUnavailable(set)
}
