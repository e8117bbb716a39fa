package replicaset

import (
	"cmp"
	"math/bits"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// ranking orders pods for deletion, the first to go first.
type ranking struct {
	now        sim.Time
	podsOnNode map[string]int
}

var phaseOrder = map[string]int{api.PodPending: 0, "Unknown": 1, api.PodRunning: 2}

// compare asks R-9's nine questions in order; the first one that tells two pods apart decides.
func (r *ranking) compare(a, b *api.Pod) int {
	if (a.NodeName == "") != (b.NodeName == "") {
		return boolFirst(a.NodeName == "")
	}
	if c := cmp.Compare(phaseOrder[a.Status.Phase], phaseOrder[b.Status.Phase]); c != 0 {
		return c
	}
	readyA, readyB := a.ReadyCondition(), b.ReadyCondition()
	if (readyA == nil) != (readyB == nil) {
		return boolFirst(readyA == nil)
	}
	if c := cmp.Compare(deletionCost(a), deletionCost(b)); c != 0 {
		return c
	}
	if c := cmp.Compare(r.podsOnNode[b.NodeName], r.podsOnNode[a.NodeName]); c != 0 {
		return c
	}
	if readyA != nil && readyA.LastTransitionTime != readyB.LastTransitionTime {
		return r.compareAge(readyA.LastTransitionTime, readyB.LastTransitionTime, a, b)
	}
	if c := compareRestarts(a, b); c != 0 {
		return c
	}
	if a.CreationTimestamp != b.CreationTimestamp {
		return r.compareAge(a.CreationTimestamp, b.CreationTimestamp, a, b)
	}
	return cmp.Compare(a.UID, b.UID) // upstream leaves the order of equals open (R-9 rank 9)
}

// compareAge compares ages by the power of two of nanoseconds that they fall into, so that a few seconds do not decide
// between old pods; within one power the UID decides, which is as good as by chance.
func (r *ranking) compareAge(timeA, timeB api.Time, a, b *api.Pod) int {
	if c := cmp.Compare(r.ageRank(timeA), r.ageRank(timeB)); c != 0 {
		return c
	}
	return cmp.Compare(a.UID, b.UID)
}

// ageRank is the binary logarithm of an age in ns, rounded down; -1 if there is no age.
func (r *ranking) ageRank(t api.Time) int {
	ns := (r.now - t.Milli()) * 1_000_000
	if ns <= 0 {
		return -1
	}
	return bits.Len64(uint64(ns)) - 1
}

// compareRestarts puts the pod whose worst container restarted more often first, ties by its sidecars.
func compareRestarts(a, b *api.Pod) int {
	if c := cmp.Compare(maxRestarts(b.Status.ContainerStatuses), maxRestarts(a.Status.ContainerStatuses)); c != 0 {
		return c
	}
	return cmp.Compare(maxRestarts(sidecars(b)), maxRestarts(sidecars(a)))
}

func maxRestarts(statuses []api.ContainerStatus) (most int32) {
	for i := range statuses {
		most = max(most, statuses[i].RestartCount)
	}
	return most
}

// sidecars returns the statuses of the init containers that keep running.
func sidecars(pod *api.Pod) []api.ContainerStatus {
	var out []api.ContainerStatus
	for i, c := range pod.Spec.InitContainers {
		if c.RestartPolicy == "Always" && i < len(pod.Status.InitContainerStatuses) {
			out = append(out, pod.Status.InitContainerStatuses[i])
		}
	}
	return out
}

// deletionCost reads the annotation; like upstream it accepts only the plain spelling of an int32, anything else is 0.
func deletionCost(pod *api.Pod) int64 {
	text, ok := pod.Annotations[api.PodDeletionCostAnnotation]
	if !ok {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || strconv.FormatInt(n, 10) != text {
		return 0
	}
	return n
}

func boolFirst(first bool) int {
	if first {
		return -1
	}
	return 1
}
