package statefulset

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// budget says how many pods a rolling update can delete in this sync (S-17).
type budget struct {
	slots                    []slot
	partition                int
	maxUnavailable           int
	unavailable              int // slots, whatever their revision
	outdated                 int // pods at or above the partition that are old and not terminating
	unavailableNeedingUpdate int // of the outdated pods, in parallel, those that are not available
}

// slot is a pod as the update sees it. A pod that this sync has created is not available.
type slot struct {
	name        string
	old         bool // not at the update revision
	available   bool // Ready for minReadySeconds
	terminating bool
}

// rollingUpdate deletes pods of an old revision, from the highest ordinal down to the partition, while at most
// maxUnavailable pods are unavailable (S-17, updateStatefulSetAfterInvariantEstablished). Later syncs create them again.
//
// Five replicas, all old and available, with maxUnavailable 2:
//
//   - partition 0: 2 - 0 = 2, so db-4 and db-3 are deleted. OrderedReady waits until both are available again. Parallel
//     continues once the first of them is: 2 - 1 = 1, and db-2 is deleted.
//   - partition 3: only db-4 and db-3 are deleted. db-0 to db-2 stay old until the partition is lowered.
//   - db-1 is not available: OrderedReady waits for it. Parallel deletes db-1 at once, because that costs no availability, and
//     2 - 1 = 1 other pod, db-4.
func (r *round) rollingUpdate() error {
	b := r.newBudget()
	if b.outdated == 0 {
		r.nothingToUpdate(b)
		return nil
	}
	if b.unavailable >= b.maxUnavailable && b.unavailableNeedingUpdate == 0 {
		r.c.loop.Branch("rolling update", whyRolling)
		r.c.loop.Decide(r.set.Key(), fmt.Sprintf("no pod may be deleted: %d of %d are unavailable", b.unavailable, len(b.slots)), b.explain())
		return nil
	}
	if r.monotonic {
		return r.deleteOld(b, b.maxUnavailable-b.unavailable, func(s *slot) bool { return !s.terminating })
	}
	if err := r.deleteOld(b, len(b.slots), func(s *slot) bool { return !s.available && !s.terminating }); err != nil {
		return err
	}
	return r.deleteOld(b, b.maxUnavailable-b.unavailable, func(s *slot) bool { return s.available && !s.terminating })
}

var (
	whyHighestFirst    = why.Note("S-19", controlGo+"updateStatefulSet", "one pod at a time, the highest first")
	whyUnavailableGoes = why.Note("S-17", whyRolling.Upstream,
		"Parallel: an old pod that is not available is deleted at once, whatever maxUnavailable is")
)

// rollingUpdateOneByOne is the update before 1.37: it deletes the highest old pod if no pod above it is unavailable (S-19).
func (r *round) rollingUpdateOneByOne() error {
	b := r.newBudget()
	b.maxUnavailable = 1
	if b.outdated == 0 {
		r.nothingToUpdate(b)
		return nil
	}
	for i := len(b.slots) - 1; i >= b.partition; i-- {
		s := &b.slots[i]
		if s.old && !s.terminating {
			return r.deleteForUpdate(s, whyHighestFirst)
		}
		if s.terminating || !s.available {
			r.c.loop.Branch("rolling update, waits for "+s.name, whyHighestFirst)
			r.c.loop.Decide(r.set.Key(), s.name+" is not available: the update waits", whyHighestFirst)
			return nil
		}
	}
	return nil
}

// newBudget counts the pods that are unavailable or outdated.
func (r *round) newBudget() *budget {
	b := &budget{slots: make([]slot, len(r.replicas)), partition: r.set.Partition(), maxUnavailable: maxUnavailable(r.set)}
	for i, pod := range r.replicas {
		s := &b.slots[i]
		if pod != nil {
			*s = slot{name: pod.Name, old: revisionOf(pod) != r.update.Name, terminating: pod.Terminating(),
				available: pod.IsAvailable(r.set.Spec.MinReadySeconds, r.now)}
		} else {
			ordinal := r.set.Start() + i
			*s = slot{name: podName(r.set, ordinal), old: r.revisionFor(ordinal).Name != r.update.Name}
		}
		unavailable, outdated := !s.available || s.terminating, s.old && !s.terminating && i >= b.partition
		if unavailable {
			b.unavailable++
		}
		if outdated {
			b.outdated++
		}
		if unavailable && outdated && !r.monotonic { // below the partition they are not updated
			b.unavailableNeedingUpdate++
		}
	}
	return b
}

// nothingToUpdate says why no pod is replaced.
func (r *round) nothingToUpdate(b *budget) {
	if r.update.Name != r.current.Name && b.partition > 0 {
		r.c.loop.Idle(fmt.Sprintf("the partition keeps %d pods as they are, the others are at the update revision or terminating", min(b.partition, len(b.slots))),
			whyRolling)
	}
}

// deleteOld deletes at most `most` old pods that satisfy a condition, from the highest ordinal down to the partition.
func (r *round) deleteOld(b *budget, most int, which func(*slot) bool) error {
	for i := len(b.slots) - 1; i >= b.partition && most > 0; i-- {
		s := &b.slots[i]
		if !s.old || !which(s) {
			continue
		}
		reason := b.explain()
		if !r.monotonic && !s.available {
			reason = whyUnavailableGoes
		}
		if err := r.deleteForUpdate(s, reason); err != nil {
			return err
		}
		most--
	}
	return nil
}

// deleteForUpdate deletes a pod, so that it is created again at the update revision. The status no longer counts it as
// current (S-17).
func (r *round) deleteForUpdate(s *slot, why *sim.Explain) error {
	r.c.loop.Branch("rolling update, deletes "+s.name, why)
	if err := r.deletePod(s.name, "pod deleted: it has an old revision", why); err != nil {
		return err
	}
	r.status.CurrentReplicas--
	return nil
}

// explain explains the number of pods that can be deleted.
func (b *budget) explain() *sim.Explain {
	return why.Sum("S-17", whyRolling.Upstream,
		"maxUnavailable - unavailable", b.maxUnavailable-b.unavailable, b.maxUnavailable, b.unavailable).
		Noting("this sync deletes at most this many pods of an old revision, the highest first")
}
