package statefulset

import (
	"errors"
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/history"
	"github.com/rollplay/rollplay/engine/why"
)

// adoptOrphanRevisions makes the StatefulSet the owner of revisions that have none and that its selector matches.
func (c *Controller) adoptOrphanRevisions(set *api.StatefulSet) error {
	for o := range c.revisions.Cache.OwnedBy("") {
		if _, err := c.client.Claim(set, set.Spec.Selector, o); err != nil {
			return err
		}
	}
	return nil
}

// getRevisions finds the revision that pods are updated to, and the one that they had when the last update was complete
// (S-7). A template that was there before gets its revision back under a new number; a new one is stored. The revisions
// are sorted.
//
// What upstream asks third, whether the last revision becomes the template by defaulting, is the first question here: the
// templates of revisions have their defaults.
func (r *round) getRevisions(revisions []*api.ControllerRevision) (err error) {
	set := r.set
	var collisions int32
	if n := set.Status.CollisionCount; n != nil {
		collisions = *n
	}
	if r.update, err = r.updateRevision(revisions, &collisions); err != nil {
		return err
	}
	r.current = r.update
	for _, revision := range revisions {
		if revision.Name == set.Status.CurrentRevision {
			r.current = revision
			break
		}
	}
	r.status.CollisionCount = &collisions
	return nil
}

// updateRevision returns the revision of the present template, stored.
func (r *round) updateRevision(revisions []*api.ControllerRevision, collisions *int32) (*api.ControllerRevision, error) {
	set := r.set
	var equal *api.ControllerRevision // the last one
	for _, revision := range revisions {
		if revision.Template.Equal(&set.Spec.Template) {
			equal = revision
		}
	}
	last, next := len(revisions)-1, history.Next(revisions)
	if equal != nil && history.Equal(revisions[last], equal) {
		return revisions[last], nil
	}
	sum := why.Sum("S-7", controlGo+"getStatefulSetRevisions", "lastRevision + 1", next, next-1)
	if equal != nil {
		renumbered, err := history.SetRevision(r.c.client, equal, next,
			sum.Noting("the template is that of an earlier revision, which is the newest again"))
		if api.IsReason(err, api.ReasonConflict) {
			err = errNoName
		}
		return renumbered, err
	}
	revision := history.New(set, history.HashLabel, &set.Spec.Template, next, collisions)
	return history.Create(r.c.client, set, revision, collisions, sum.Noting("the template is a new one"))
}

// truncateHistory removes the oldest revisions beyond revisionHistoryLimit that neither a pod nor the StatefulSet names
// (S-8). The revisions are sorted.
func (r *round) truncateHistory(revisions []*api.ControllerRevision, pods []*api.Pod) error {
	limit := int(*r.set.Spec.RevisionHistoryLimit)
	if limit < 0 || len(revisions) <= limit { // with so few there is nothing to look for
		return nil
	}
	live := map[string]bool{}
	for _, revision := range [...]*api.ControllerRevision{r.current, r.update} {
		if revision != nil {
			live[revision.Name] = true
		}
	}
	for _, pod := range pods {
		live[revisionOf(pod)] = true
	}
	var old []*api.ControllerRevision
	for _, revision := range revisions {
		if !live[revision.Name] {
			old = append(old, revision)
		}
	}
	surplus := len(old) - limit
	for i := range max(0, surplus) {
		err := r.c.client.Delete(old[i].Key(), apiserver.DeleteOptions{}, fmt.Sprintf("ControllerRevision %d removed from the history", old[i].Revision),
			why.Sum("S-8", controlGo+"truncateHistory", "oldRevisions - revisionHistoryLimit", surplus, len(old), limit).
				Noting("no pod is of this revision"))
		if err != nil {
			return err
		}
	}
	return nil
}

// errNoName is what comes of a conflict over a revision's number. Upstream tries again at once, but with the empty object
// that its client returns beside the error (controller_history.go:UpdateControllerRevision).
var errNoName = errors.New("resource name may not be empty")
