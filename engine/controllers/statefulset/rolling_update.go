package statefulset

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// budget is what a rolling update may do in this sync (S-17).
type budget struct {
	slots                    []slot
	partition                int
	maxUnavailable           int
	unavailable              int // of all slots
	outdated                 int // pods from the partition on that are old and not about to go
	unavailableNeedingUpdate int // of those, in parallel, the ones that are not available
}

// slot is a pod as the update sees it. One that this very sync has created is not available yet.
type slot struct {
	name        string
	old         bool // not of the update revision
	available   bool // Ready for long enough
	terminating bool
}

// rollingUpdate deletes pods of an old revision, from the top down to the partition, as many as may be unavailable (S-17).
// The next syncs make them anew.
func (r *round) rollingUpdate() error {
	b := r.newBudget()
	if b.outdated == 0 {
		r.nothingToUpdate(b)
		return nil
	}
	if b.unavailable >= b.maxUnavailable && b.unavailableNeedingUpdate == 0 {
		r.c.loop.Took("rolling update", whyRolling)
		r.c.loop.Decide(r.set.Key(), fmt.Sprintf("no pod may go: %d of %d are unavailable", b.unavailable, len(b.slots)), b.explain())
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
		"it is of an old revision and not available: in parallel such a pod goes at once, whatever maxUnavailable is")
)

// rollingUpdateOneByOne is the update before 1.37: the highest old pod goes if no pod above it is unavailable (S-19).
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
			r.c.loop.Took("rolling update, waits for "+s.name, whyHighestFirst)
			r.c.loop.Decide(r.set.Key(), s.name+" is not available: the update waits", whyHighestFirst)
			return nil
		}
	}
	return nil
}

// newBudget counts the slots.
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
		b.add(s, i, !r.monotonic)
	}
	return b
}

func (b *budget) add(s *slot, i int, parallel bool) {
	unavailable, outdated := !s.available || s.terminating, s.old && !s.terminating && i >= b.partition
	if unavailable {
		b.unavailable++
	}
	if outdated {
		b.outdated++
	}
	if unavailable && outdated && parallel { // below the partition they would change nothing
		b.unavailableNeedingUpdate++
	}
}

// nothingToUpdate says why no pod is replaced.
func (r *round) nothingToUpdate(b *budget) {
	if r.update.Name != r.current.Name && b.partition > 0 {
		r.c.loop.Idle(fmt.Sprintf("the partition keeps %d pods as they are, the others are of the update revision or about to go", min(b.partition, len(b.slots))),
			whyRolling)
	}
}

// deleteOld deletes old pods of a sort, from the top down to the partition, at most so many.
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

// deleteForUpdate deletes a pod so that it comes back at the update revision. It counts as current no more (S-17).
func (r *round) deleteForUpdate(s *slot, why *sim.Explain) error {
	r.c.loop.Took("rolling update, deletes "+s.name, why)
	if err := r.deletePod(s.name, "pod deleted: it is of an old revision", why); err != nil {
		return err
	}
	r.status.CurrentReplicas--
	return nil
}

// explain gives the number of pods that may go.
func (b *budget) explain() *sim.Explain {
	return why.Sum("S-17", whyRolling.Upstream,
		"maxUnavailable - unavailable", b.maxUnavailable-b.unavailable, b.maxUnavailable, b.unavailable).
		Noting("so many pods of an old revision may go in this sync, the highest first")
}
