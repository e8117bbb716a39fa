package statefulset

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const podControlGo = "pkg/controller/statefulset/stateful_pod_control.go:"

// createReplica makes the pod of a slot, its claims first (S-14 step 2, S-42).
func (r *round) createReplica(i int) error {
	ordinal := r.set.Start() + i
	if stale := r.staleClaim(ordinal); stale != "" {
		reason := why.Note("S-42", controlGo+"processReplica", "the claim is deleted with the pod that it belongs to")
		r.c.loop.Took("waits for claim "+stale, reason)
		r.c.loop.Decide(r.set.Key(), fmt.Sprintf("claim %s belongs to an earlier %s: the pod waits", stale, podName(r.set, ordinal)), reason)
		return nil
	}
	pod := newPod(r.set, r.revisionFor(ordinal), ordinal)
	r.tookCreate("creates " + pod.Name)
	if err := r.createPod(pod, ordinal, r.explainRevision(ordinal)); err != nil || r.monotonic {
		return err
	}
	return r.repair(pod) // in parallel the same sync looks at it again: claims whose owners it has just set meet a conflict
}

// tookCreate notes that the sync creates a pod; in parallel it creates all that are missing.
func (r *round) tookCreate(what string) {
	note := "OrderedReady: one pod at a time, the lowest first"
	if !r.monotonic {
		what, note = "creates pods", "Parallel: all pods that are missing"
	}
	n := len(r.replicas)
	r.c.loop.Took(what, why.Sum("S-14", controlGo+"processReplica", "replicas - present", n-r.present, n, r.present).Noting(note))
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

// createPod makes the claims of a pod and then the pod, and tells what came of it. The pod exists already if the cache is
// behind, which is an error, but no event (S-40).
func (r *round) createPod(pod *api.Pod, ordinal int, why *sim.Explain) error {
	if err := r.createClaims(pod.Name, ordinal); err != nil {
		r.podEvent("Create", pod.Name, err)
		return err
	}
	_, err := r.c.client.Create(pod, "pod created", why)
	if api.IsReason(err, api.ReasonAlreadyExists) {
		return err
	}
	if err := r.ownClaims(pod, ordinal); err != nil {
		r.podEvent("Update", pod.Name, err)
		return err
	}
	r.podEvent("Create", pod.Name, err)
	return err
}

// deletePod deletes a pod and tells of it; one that is gone already is as good (S-40).
func (r *round) deletePod(name, what string, why *sim.Explain) error {
	err := r.c.client.Delete(api.Key{Kind: api.KindPod, Namespace: r.set.Namespace, Name: name}, apiserver.DeleteOptions{}, what, why)
	if api.IsReason(err, api.ReasonNotFound) {
		err = nil
	}
	r.podEvent("Delete", name, err)
	return err
}

// repairAttempts is how often a repair is tried in one sync that meets conflicts (client-go retry.DefaultBackoff).
const repairAttempts = 4

// repair gives a pod the labels that its name asks for, and its claims the owners that the retention policy asks for (S-14
// step 7). What meets a conflict is tried again at once, with what the cache has: nothing newer.
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

// tryRepair makes one attempt. A pod is updated together with its claims even if only these were wrong, which finds out
// whether somebody else has changed it.
func (r *round) tryRepair(pod *api.Pod) (updated bool, err error) {
	ordinal := ordinalOf(pod)
	if !r.claimsMatch(pod, ordinal) {
		if err := r.ownClaims(pod, ordinal); err != nil {
			r.podEvent("Update", pod.Name, err)
			return false, err
		}
	}
	repaired := pod.DeepCopy()
	repaired.Name = podName(r.set, ordinal)
	repaired.Labels = withIdentity(pod.Labels, repaired.Name, ordinal)
	_, err = r.c.client.Update(repaired, "pod labelled as "+repaired.Name,
		why.Note("S-14", podControlGo+"UpdateStatefulPod", "its labels must tell its name"))
	return true, err
}

// podEvent tells what came of an attempt to create, update or delete a pod (S-40).
func (r *round) podEvent(verb, pod string, err error) {
	if err == nil {
		r.c.client.Event(r.set.Key(), "Normal", "Successful"+verb, fmt.Sprintf("%s Pod %s in StatefulSet %s successful", verb, pod, r.set.Name))
		return
	}
	r.c.client.Event(r.set.Key(), "Warning", "Failed"+verb, fmt.Sprintf("%s Pod %s in StatefulSet %s failed error: %s", verb, pod, r.set.Name, err))
}

// claimEvent tells what came of the creation of a claim (S-40).
func (r *round) claimEvent(claim, pod string, err error) {
	if err == nil {
		r.c.client.Event(r.set.Key(), "Normal", "SuccessfulCreate", fmt.Sprintf("Create Claim %s Pod %s in StatefulSet %s success", claim, pod, r.set.Name))
		return
	}
	r.c.client.Event(r.set.Key(), "Warning", "FailedCreate",
		fmt.Sprintf("Create Claim %s for Pod %s in StatefulSet %s failed error: %s", claim, pod, r.set.Name, err))
}
