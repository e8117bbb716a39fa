package statefulset

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const podControlGo = "pkg/controller/statefulset/stateful_pod_control.go:"

// createPod creates the claims of a pod and then the pod, and sends an event. If the cache is behind and the pod exists
// already, that is an error without an event (S-40, CreateStatefulPod).
func (r *round) createPod(pod *api.Pod, ordinal int, why *sim.Explain) error {
	if err := r.createClaims(pod.Name, ordinal); err != nil {
		r.podEvent("Create", pod.Name, err)
		return err
	}
	_, err := r.c.loop.Wrote(r.c.client.Create(pod, "pod created", why))
	if api.IsReason(err, api.ReasonAlreadyExists) {
		return err
	}
	if err := r.tryOwnClaims(pod, ordinal); err != nil {
		return err
	}
	r.podEvent("Create", pod.Name, err)
	return err
}

// repairAttempts is how often one sync tries a repair that gets conflicts (client-go retry.DefaultBackoff).
const repairAttempts = 4

// repair sets the labels that follow from the name of a pod, and the owners of its claims (S-14 step 7, UpdateStatefulPod).
// After a conflict it tries again at once, with the same version from the cache.
func (r *round) repair(pod *api.Pod) (err error) {
	if identityMatches(r.set, pod) && r.claimsMatch(pod, ordinalOf(pod)) {
		return nil
	}
	attempted := false
	for range repairAttempts {
		var updated bool
		updated, err = r.tryRepair(pod)
		attempted = attempted || updated
		if !api.IsReason(err, api.ReasonConflict) {
			break
		}
	}
	if attempted {
		r.podEvent("Update", pod.Name, err)
	}
	return err
}

// tryRepair makes one attempt. It updates the pod even if only the claims were wrong, so that it gets a conflict if the
// pod has changed.
func (r *round) tryRepair(pod *api.Pod) (updated bool, err error) {
	ordinal := ordinalOf(pod)
	if !r.claimsMatch(pod, ordinal) {
		if err := r.tryOwnClaims(pod, ordinal); err != nil {
			return false, err
		}
	}
	repaired := api.Copy(pod)
	repaired.Name = podName(r.set, ordinal)
	repaired.Labels = withIdentity(pod.Labels, repaired.Name, ordinal)
	_, err = r.c.loop.Wrote(r.c.client.Update(repaired, "pod labelled as "+repaired.Name,
		why.Note("S-14", podControlGo+"UpdateStatefulPod", "the labels of a pod follow from its name")))
	return true, err
}

// deletePod deletes a pod and sends an event. A pod that is already gone counts as deleted (S-40, DeleteStatefulPod).
func (r *round) deletePod(name, what string, why *sim.Explain) error {
	err := r.c.client.Delete(api.Key{Kind: api.KindPod, Namespace: r.set.Namespace, Name: name}, apiserver.DeleteOptions{}, what, why)
	if api.IsReason(err, api.ReasonNotFound) {
		err = nil
	}
	r.podEvent("Delete", name, err)
	return err
}

// claim returns the cached claim of an ordinal, nil if it does not exist.
func (r *round) claim(template, ordinal int) *api.PersistentVolumeClaim {
	key := api.Key{Kind: api.KindPersistentVolumeClaim, Namespace: r.set.Namespace, Name: claimName(r.set, template, ordinal)}
	claim, _ := r.c.claims.Cache.Get(key).(*api.PersistentVolumeClaim)
	return claim
}

// claimsMatch reports whether the claims of a pod have the owners that the retention policy requires
// (ClaimsMatchRetentionPolicy).
func (r *round) claimsMatch(pod *api.Pod, ordinal int) bool {
	for i := range r.set.Spec.VolumeClaimTemplates {
		if claim := r.claim(i, ordinal); claim != nil && !r.ownersMatch(claim, pod, ordinal) {
			return false
		}
	}
	return true
}

// ownClaims sets the owners that the retention policy requires on the claims of a pod; the garbage collector later deletes
// the claims together with their owner (S-42, UpdatePodClaimForRetentionPolicy).
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

// tryOwnClaims is ownClaims with an event about an error.
func (r *round) tryOwnClaims(pod *api.Pod, ordinal int) error {
	err := r.ownClaims(pod, ordinal)
	if err != nil {
		r.podEvent("Update", pod.Name, err)
	}
	return err
}

// staleClaim returns the name of a claim that will be deleted with an earlier pod of this ordinal, "" if there is none. The
// pod must not be created before that (S-42, PodClaimIsStale).
func (r *round) staleClaim(ordinal int) string {
	if r.set.Spec.PersistentVolumeClaimRetentionPolicy.WhenScaled != "Delete" {
		return ""
	}
	name := podName(r.set, ordinal)
	for i := range r.set.Spec.VolumeClaimTemplates {
		if claim := r.claim(i, ordinal); claim != nil && refers(claim, api.KindPod, name) {
			return claim.Name // it refers to an earlier pod, because this one does not exist
		}
	}
	return ""
}

// podEvent sends an event about an attempt to create, update or delete a pod (S-40).
func (r *round) podEvent(verb, pod string, err error) {
	if err == nil {
		r.c.client.Event(r.set.Key(), "Normal", "Successful"+verb, fmt.Sprintf("%s Pod %s in StatefulSet %s successful", verb, pod, r.set.Name))
		return
	}
	r.c.client.Event(r.set.Key(), "Warning", "Failed"+verb, fmt.Sprintf("%s Pod %s in StatefulSet %s failed error: %s", verb, pod, r.set.Name, err))
}

// claimEvent sends an event about an attempt to create a claim (S-40).
func (r *round) claimEvent(claim, pod string, err error) {
	if err == nil {
		r.c.client.Event(r.set.Key(), "Normal", "SuccessfulCreate", fmt.Sprintf("Create Claim %s Pod %s in StatefulSet %s success", claim, pod, r.set.Name))
		return
	}
	r.c.client.Event(r.set.Key(), "Warning", "FailedCreate",
		fmt.Sprintf("Create Claim %s for Pod %s in StatefulSet %s failed error: %s", claim, pod, r.set.Name, err))
}

// createMissingClaims creates the claims that a Pending pod waits for (S-14 step 3).
func (r *round) createMissingClaims(pod *api.Pod) error {
	ordinal := ordinalOf(pod)
	if err := r.createClaims(pod.Name, ordinal); err != nil {
		return err
	}
	return r.tryOwnClaims(pod, ordinal)
}

// createClaims creates the missing claims of a pod. A claim that is being deleted is an error (S-42).
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
		_, err := r.c.loop.Wrote(r.c.client.Create(claim, "claim created for "+pod, why.Note("S-42", podControlGo+"createPersistentVolumeClaims",
			"a claim is created before its pod, and stays when the pod is deleted")))
		if err != nil {
			errs = append(errs, fmt.Errorf("failed to create PVC %s: %w", claim.Name, err))
		}
		if !api.IsReason(err, api.ReasonAlreadyExists) {
			r.claimEvent(claim.Name, pod, err)
		}
	}
	return api.Aggregate(errs)
}
