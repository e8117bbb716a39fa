package replicaset

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/sim"
)

// Ranked is a pod of a ReplicaSet in the order of deletion.
type Ranked struct {
	Pod *api.Pod
	Why string // why it ranks before the next pod; empty for the last
}

// DeletionOrder returns the active pods of one ReplicaSet, given in the order of creation, in the order in which the
// controller would delete them now. podsOnNode is the result of PodsByNode.
func DeletionOrder(active []*api.Pod, podsOnNode map[string]int, now sim.Time) []Ranked {
	list := standings(active, podsOnNode, now)
	rankFirst(list, len(list))
	out := make([]Ranked, len(list))
	for i := range list {
		out[i].Pod = list[i].pod
		if i+1 < len(list) {
			_, out[i].Why = compare(&list[i], &list[i+1])
			switch out[i].Why {
			case byPhase:
				out[i].Why += list[i].pod.Status.Phase
			case byNode:
				out[i].Why += strconv.Itoa(list[i].onNode)
			}
		}
	}
	return out
}

// standing is a pod with everything that R-9 compares. It is computed once, because a ranking compares each pod many times.
type standing struct {
	pod                       *api.Pod
	scheduled                 bool
	phase                     int
	ready                     bool
	cost                      int64
	onNode                    int // pods of the same owner on its node
	readyAt                   api.Time
	readyAge                  int // see ageRank
	restarts, sidecarRestarts int32
	age                       int
}

var phaseOrder = map[string]int{api.PodPending: 0, "Unknown": 1, api.PodRunning: 2}

func standings(pods []*api.Pod, podsOnNode map[string]int, now sim.Time) []standing {
	list := make([]standing, len(pods))
	for i, pod := range pods {
		breath.Often()
		s := &list[i]
		*s = standing{
			pod: pod, scheduled: pod.NodeName != "", phase: phaseOrder[pod.Status.Phase], cost: deletionCost(pod), onNode: podsOnNode[pod.NodeName],
			restarts: maxRestarts(pod.Status.ContainerStatuses), sidecarRestarts: maxRestarts(sidecars(pod)), age: ageRank(pod.CreationTimestamp, now),
		}
		if c := pod.ReadyCondition(); c != nil {
			s.ready, s.readyAt, s.readyAge = true, c.LastTransitionTime, ageRank(c.LastTransitionTime, now)
		}
	}
	return list
}

// rankFirst moves the n pods that rank first to the front, in order. Mostly no pod has restarted, and all are about as old: then
// R-9 is transitive, and sorting gives what picking gives, in n log n.
func rankFirst(list []standing, n int) {
	if !alike(list) {
		pickFirst(list, n)
		return
	}
	slices.SortFunc(list, func(a, b standing) int {
		breath.Often()
		order, _ := compare(&a, &b)
		return order
	})
}

// alike says whether the pods differ in nothing that makes R-9 intransitive. Pods that became ready in the same second are
// compared by their restarts and their ages, others by how long they are ready, in powers of two. If restarts and ages are
// equal, both come down to the same order: how long ready, then the UID.
func alike(list []standing) bool {
	for i := range list {
		a, b := &list[0], &list[i]
		if a.restarts != b.restarts || a.sidecarRestarts != b.sidecarRestarts || a.age != b.age {
			return false
		}
	}
	return true
}

// pickFirst moves the n pods that rank first to the front, in order. It picks the first of the remaining pods, again and
// again, instead of sorting: R-9 is not transitive where pods of one rank have the same age, so the outcome depends on the
// algorithm, and ours must not change with the standard library.
func pickFirst(list []standing, n int) {
	for i := range n {
		breath.Take()
		first := i
		for j := i + 1; j < len(list); j++ {
			if c, _ := compare(&list[j], &list[first]); c < 0 {
				first = j
			}
		}
		list[i], list[first] = list[first], list[i]
	}
}

// The reasons that put a pod before another: the comparisons of R-9, in their order. The phase and the number of pods follow.
const (
	onANode       = "not scheduled"
	byPhase       = "phase "
	byReadiness   = "not ready"
	byCost        = "a lower pod-deletion-cost"
	byNode        = "more pods of this owner on its node: "
	byReadyAge    = "ready for less long"
	byReadyAgeUID = "ready for about as long; the UID decides"
	byRestarts    = "more restarts"
	byAge         = "younger"
	byAgeUID      = "about as old; the UID decides"
	byUID         = "no difference; the UID decides"
)

// compare makes the nine comparisons of R-9 in order; the first in which two pods differ decides. A pod that is deleted
// first is: not scheduled before scheduled; Pending before Unknown before Running; not ready before ready; of a lower deletion
// cost; on a node with more pods of the owner; ready for less time; with more restarts; younger.
func compare(a, b *standing) (order int, why string) {
	if a.scheduled != b.scheduled {
		return boolFirst(!a.scheduled), onANode
	}
	if c := cmp.Compare(a.phase, b.phase); c != 0 {
		return c, byPhase
	}
	if a.ready != b.ready {
		return boolFirst(!a.ready), byReadiness
	}
	if c := cmp.Compare(a.cost, b.cost); c != 0 {
		return c, byCost
	}
	if c := cmp.Compare(b.onNode, a.onNode); c != 0 {
		return c, byNode
	}
	if a.ready && a.readyAt != b.readyAt {
		return compareAge(a, b, cmp.Compare(a.readyAge, b.readyAge), byReadyAge, byReadyAgeUID)
	}
	if c := cmp.Or(cmp.Compare(b.restarts, a.restarts), cmp.Compare(b.sidecarRestarts, a.sidecarRestarts)); c != 0 {
		return c, byRestarts
	}
	if a.pod.CreationTimestamp != b.pod.CreationTimestamp {
		return compareAge(a, b, cmp.Compare(a.age, b.age), byAge, byAgeUID)
	}
	return cmp.Compare(a.pod.UID, b.pod.UID), byUID // upstream does not define the order of equals (R-9 rank 9)
}

// compareAge compares ages by their power of two of nanoseconds, so that a few seconds do not decide between old pods. Within
// one power the UID decides, which is as good as random. 5 s and 8 s are both between 2^32 ns (4.3 s) and 2^33 ns (8.6 s), so
// the UID decides; 8 s and 9 s are not, so the pod of 8 s is deleted first.
func compareAge(a, b *standing, order int, age, uid string) (int, string) {
	if order != 0 {
		return order, age
	}
	return cmp.Compare(a.pod.UID, b.pod.UID), uid
}

// ageRank is the number of binary digits of an age in ns, so that ages in one power of two rank alike; 0 if it is not positive.
func ageRank(t api.Time, now sim.Time) int {
	return bits.Len64(uint64(max(0, now-t.Milli()) * 1_000_000))
}

func maxRestarts(statuses []api.ContainerStatus) (most int32) {
	for i := range statuses {
		most = max(most, statuses[i].RestartCount)
	}
	return most
}

// sidecars returns the statuses of the init containers that restart always.
func sidecars(pod *api.Pod) []api.ContainerStatus {
	var out []api.ContainerStatus
	for i := range pod.Spec.InitContainers {
		if pod.Spec.InitContainers[i].IsSidecar() && i < len(pod.Status.InitContainerStatuses) {
			out = append(out, pod.Status.InitContainerStatuses[i])
		}
	}
	return out
}

// deletionCost reads the annotation. Like upstream it accepts only the plain form of an int32; anything else is 0.
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
