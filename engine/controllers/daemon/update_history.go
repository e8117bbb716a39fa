package daemon

import (
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/history"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// templateGenerationAnnotation is where upstream keeps the TemplateGeneration of a DaemonSet. Its revisions copy it.
const templateGenerationAnnotation = "deprecated.daemonset.template.generation"

// constructHistory returns the revision of the current template, which it creates if it does not exist, and the old revisions
// (DS-20). After a rollback the revision exists already, and gets the next number: of revisions 1, 2 and 3, undoing to 1 turns
// 1 into 4.
func (c *Controller) constructHistory(ds *api.DaemonSet) (cur *api.ControllerRevision, old []*api.ControllerRevision, err error) {
	revisions, err := claim[*api.ControllerRevision](c, ds, &c.revisions.Cache) // controlledHistories
	if err != nil {
		return nil, nil, err
	}
	var current []*api.ControllerRevision
	for _, r := range revisions {
		if _, ok := r.Labels[api.ControllerRevisionHashLabel]; !ok {
			if r, err = c.labelRevision(r); err != nil {
				return nil, nil, err
			}
		}
		if r.Template.Equal(&ds.Spec.Template) {
			current = append(current, r)
		} else {
			old = append(old, r)
		}
	}
	next := history.Max(old) + 1
	if len(current) == 0 {
		cur, err = c.snapshot(ds, next)
		return cur, old, err
	}
	if cur, err = c.dedupCurHistories(ds, current); err != nil {
		return nil, nil, err
	}
	if cur.Revision < next {
		why := revisionSum("constructHistory", next, "an earlier template is back, so its revision becomes the newest")
		if _, err = history.SetRevision(c.client, cur, next, why); err != nil {
			return nil, nil, err
		}
	}
	return cur, old, nil
}

// revisionSum explains the number of a revision.
func revisionSum(function string, next int64, note string) *sim.Explain {
	return why.Sum("DS-20", updateGo+function, "highest + 1", next, next-1).Noting(note)
}

// cleanupHistory deletes the oldest revisions beyond the limit that no pod uses (DS-22). With a limit of 2, old revisions 1 to
// 4 and a pod at 1, 4 - 2 = 2 are deleted: 2 and 3.
func (c *Controller) cleanupHistory(r *round, old []*api.ControllerRevision) error {
	limit := int(*r.ds.Spec.RevisionHistoryLimit)
	toKill := len(old) - limit
	if toKill <= 0 {
		return nil
	}
	sum := why.Sum("DS-22", updateGo+"cleanupHistory", "old - revisionHistoryLimit", toKill, len(old), limit).
		Noting("the oldest are deleted first, but no revision that a pod uses")
	history.Sort(old)
	for _, revision := range old {
		if toKill == 0 {
			break
		}
		if r.live[revision.Labels[api.ControllerRevisionHashLabel]] > 0 {
			continue
		}
		if err := c.client.Delete(revision.Key(), apiserver.DeleteOptions{}, "ControllerRevision deleted", sum); err != nil {
			return err
		}
		toKill--
	}
	return nil
}

// dedupCurHistories returns the highest revision of the current template. If adopted revisions have the template too, all pods
// get the label of the highest, and the others are deleted.
func (c *Controller) dedupCurHistories(ds *api.DaemonSet, current []*api.ControllerRevision) (*api.ControllerRevision, error) {
	keep := current[0]
	for _, r := range current {
		if r.Revision >= keep.Revision {
			keep = r
		}
	}
	if len(current) == 1 {
		return keep, nil
	}
	if err := c.relabelPods(ds, keep.Labels[api.ControllerRevisionHashLabel]); err != nil {
		return nil, err
	}
	for _, r := range current {
		if r.Name == keep.Name {
			continue
		}
		if err := c.client.Delete(r.Key(), apiserver.DeleteOptions{}, "ControllerRevision deleted", whyDuplicate); err != nil {
			return nil, err
		}
	}
	return keep, nil
}

var whyDuplicate = why.Note("DS-20", updateGo+"dedupCurHistories", "several revisions have the current template: the highest stays")

// relabelPods sets the hash label of all pods of a DaemonSet.
func (c *Controller) relabelPods(ds *api.DaemonSet, hash string) error {
	pods, err := claim[*api.Pod](c, ds, &c.pods.Cache)
	if err != nil {
		return err
	}
	for _, pod := range pods {
		if pod.Labels[api.ControllerRevisionHashLabel] == hash {
			continue
		}
		stored, err := c.client.Get(pod.Key())
		if err != nil {
			return err
		}
		labelled := api.Copy(stored.(*api.Pod))
		labelled.Labels = api.With(labelled.Labels, api.ControllerRevisionHashLabel, hash)
		if _, err := c.client.Update(labelled, "pod labelled with the hash of the revision that stays", whyDuplicate); err != nil {
			return err
		}
	}
	return nil
}

// labelRevision sets the hash label of an adopted revision that has none. Its value is the name of the revision.
func (c *Controller) labelRevision(r *api.ControllerRevision) (*api.ControllerRevision, error) {
	labelled := api.Copy(r)
	labelled.Labels = api.With(r.Labels, api.ControllerRevisionHashLabel, r.Name)
	stored, err := c.client.Update(labelled, "ControllerRevision labelled", why.Note("DS-20", updateGo+"constructHistory",
		"the label names the template that a pod was created from"))
	return api.As[*api.ControllerRevision](stored), err
}

// snapshot creates the revision of the current template. If its name is taken by the same template, which the cache does not
// show yet, that revision is returned. If it is taken by another template, the collision is counted, and the next sync tries
// another name.
func (c *Controller) snapshot(ds *api.DaemonSet, number int64) (*api.ControllerRevision, error) {
	r := history.New(ds, api.ControllerRevisionHashLabel, &ds.Spec.Template, number, ds.Status.CollisionCount)
	r.SetAnnotation(templateGenerationAnnotation, strconv.FormatInt(ds.TemplateGeneration, 10))
	stored, err := history.CreateOrFind(c.client, r, revisionSum("snapshot", number, "no revision has the current template"))
	if api.IsReason(err, api.ReasonAlreadyExists) {
		if countErr := c.countCollision(ds); countErr != nil {
			return nil, countErr
		}
	}
	return stored, err
}

// countCollision increments status.collisionCount of the stored DaemonSet. If the stored count differs from the one that the
// name was computed with, it returns an error.
func (c *Controller) countCollision(ds *api.DaemonSet) error {
	stored, err := c.client.Get(ds.Key())
	if err != nil {
		return err
	}
	updated := api.Shallow(stored.(*api.DaemonSet))
	have, made := api.Given(updated.Status.CollisionCount), api.Given(ds.Status.CollisionCount)
	if have != made {
		return fmt.Errorf("found a stale collision count (%d, expected %d) of DaemonSet %q while processing; will retry until it is updated",
			made, have, ds.Name)
	}
	updated.Status.CollisionCount = api.Ptr(have + 1)
	_, err = c.client.UpdateStatus(updated, fmt.Sprintf("status: collisionCount %d", have+1), why.Sum("DS-20", updateGo+"snapshot",
		"collisions + 1", have+1, have).Noting("another template has the name of the revision: the count changes the hash"))
	return err
}
