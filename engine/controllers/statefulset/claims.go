package statefulset

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/why"
)

// claimName returns the name of a pod's claim (S-42).
func claimName(set *api.StatefulSet, template, ordinal int) string {
	return set.Spec.VolumeClaimTemplates[template].Name + "-" + podName(set, ordinal)
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

// claim returns a pod's claim as the cache has it, nil if it is not there.
func (r *round) claim(template, ordinal int) *api.PersistentVolumeClaim {
	key := api.Key{Kind: api.KindPersistentVolumeClaim, Namespace: r.set.Namespace, Name: claimName(r.set, template, ordinal)}
	claim, _ := r.c.claims.Cache.Get(key).(*api.PersistentVolumeClaim)
	return claim
}

// createMissingClaims makes the claims that a Pending pod waits for (S-14 step 3).
func (r *round) createMissingClaims(pod *api.Pod) error {
	if len(r.set.Spec.VolumeClaimTemplates) == 0 {
		return nil
	}
	ordinal := ordinalOf(pod)
	if err := r.createClaims(pod.Name, ordinal); err != nil {
		return err
	}
	err := r.ownClaims(pod, ordinal)
	if err != nil {
		r.podEvent("Update", pod.Name, err)
	}
	return err
}

// createClaims makes the claims of a pod that are not there. One that is being deleted is in the way (S-42).
func (r *round) createClaims(pod string, ordinal int) error {
	var errs []error
	for i := range r.set.Spec.VolumeClaimTemplates {
		if claim := r.claim(i, ordinal); claim != nil {
			if claim.Terminating() {
				errs = append(errs, fmt.Errorf("pvc %s is being deleted", claim.Name))
			}
			continue
		}
		claim := newClaim(r.set, i, ordinal)
		_, err := r.c.client.Create(claim, "claim created for "+pod, why.Note("S-42", podControlGo+"createPersistentVolumeClaims",
			"a claim is made before its pod, and stays when the pod goes"))
		if err != nil {
			errs = append(errs, fmt.Errorf("failed to create PVC %s: %w", claim.Name, err))
		}
		if !api.IsReason(err, api.ReasonAlreadyExists) {
			r.claimEvent(claim.Name, pod, err)
		}
	}
	return api.Aggregate(errs)
}

// staleClaim returns the name of a claim that will be deleted with an earlier pod of this number, empty if there is none:
// the pod must not be made before (S-42).
func (r *round) staleClaim(ordinal int) string {
	if r.set.Spec.PersistentVolumeClaimRetentionPolicy.WhenScaled != "Delete" {
		return ""
	}
	name := podName(r.set, ordinal)
	for i := range r.set.Spec.VolumeClaimTemplates {
		if claim := r.claim(i, ordinal); claim != nil && refers(claim, api.KindPod, name) {
			return claim.Name // a pod that is not there has no UID that could be the same
		}
	}
	return ""
}

// claimsMatch says whether the claims of a pod have the owners that the retention policy asks for.
func (r *round) claimsMatch(pod *api.Pod, ordinal int) bool {
	for i := range r.set.Spec.VolumeClaimTemplates {
		if claim := r.claim(i, ordinal); claim != nil && !r.ownersMatch(claim, pod, ordinal) {
			return false
		}
	}
	return true
}

// fixClaims gives the claims of a condemned pod their owners: with whenScaled Delete it is the pod, so that they go with
// it (S-42).
func (r *round) fixClaims(i int) (stop bool, err error) {
	pod := r.condemned[i]
	ordinal := ordinalOf(pod)
	if r.claimsMatch(pod, ordinal) {
		return false, nil
	}
	return false, r.ownClaims(pod, ordinal)
}

// ownClaims gives the claims of a pod the owners that the retention policy asks for. The garbage collector does the rest
// (S-42).
func (r *round) ownClaims(pod *api.Pod, ordinal int) error {
	for i := range r.set.Spec.VolumeClaimTemplates {
		claim := r.claim(i, ordinal)
		if claim == nil {
			continue
		}
		if r.hasUnexpectedController(claim, pod) {
			r.c.client.Event(r.set.Key(), "Warning", "ConflictingController", fmt.Sprintf("PersistentVolumeClaim %s has a conflicting "+
				"OwnerReference that acts as a manging controller, the retention policy is ignored for this claim", claim.Name))
		}
		if r.ownersMatch(claim, pod, ordinal) {
			continue
		}
		if err := r.setOwners(claim, pod, ordinal); err != nil {
			return fmt.Errorf("could not update claim %s for delete policy ownerRefs: %w", claim.Name, err)
		}
	}
	return nil
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
