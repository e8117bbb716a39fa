package deployment

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const syncGo = "pkg/controller/deployment/sync.go:"

var whyNewReplicaSet = why.Rule("D-41", syncGo+"getNewReplicaSet")

// syncStatusOnly brings the status of a terminating Deployment up to date (D-23 step 4).
func (c *Controller) syncStatusOnly(d *api.Deployment, rsList []*api.ReplicaSet) error {
	newRS, oldRSs, err := c.getAllReplicaSetsAndSyncRevision(d, rsList, false)
	if err != nil {
		return err
	}
	return c.syncDeploymentStatus(d, withNew(oldRSs, newRS), newRS)
}

// sync handles what is no rollout: a paused Deployment, and a change of spec.replicas (D-25). It makes no new ReplicaSet.
func (c *Controller) sync(d *api.Deployment, rsList []*api.ReplicaSet) error {
	newRS, oldRSs, err := c.getAllReplicaSetsAndSyncRevision(d, rsList, false)
	if err != nil {
		return err
	}
	if err := c.scale(d, newRS, oldRSs); err != nil {
		return err
	}
	if _, rollingBack := rollbackTo(d); d.Spec.Paused && !rollingBack {
		if err := c.cleanupDeployment(d, oldRSs); err != nil {
			return err
		}
	}
	return c.syncDeploymentStatus(d, withNew(oldRSs, newRS), newRS)
}

// checkPausedConditions reports pausing and resuming in the Progressing condition, so that a pause does not count as a
// lack of progress (D-24).
func (c *Controller) checkPausedConditions(d *api.Deployment) error {
	if !hasProgressDeadline(d) {
		return nil
	}
	cond := api.FindCondition(d.Status.Conditions, progressing)
	if cond != nil && cond.Reason == reasonProgressDeadlineExceeded {
		return nil
	}
	noted := cond != nil && cond.Reason == reasonDeploymentPaused
	if noted == d.Spec.Paused {
		return nil
	}
	reason, message := reasonDeploymentPaused, "Deployment is paused"
	if !d.Spec.Paused {
		reason, message = reasonDeploymentResumed, "Deployment is resumed"
	}
	setCondition(&d.Status, newCondition(c.client.Timestamp(), progressing, "Unknown", reason, message))
	return c.updateStatus(d, "status: "+message, why.Rule("D-24", syncGo+"checkPausedConditions"))
}

// isScalingEvent says whether spec.replicas changed since an active ReplicaSet was last scaled (D-26).
func (c *Controller) isScalingEvent(d *api.Deployment, rsList []*api.ReplicaSet) (bool, error) {
	newRS, oldRSs, err := c.getAllReplicaSetsAndSyncRevision(d, rsList, false)
	if err != nil {
		return false, err
	}
	for _, rs := range active(withNew(oldRSs, newRS)) {
		desired, ok := intAnnotation(rs, api.DesiredReplicasAnnotation)
		if ok && desired != *d.Spec.Replicas {
			c.loop.Decide(d.Key(), fmt.Sprintf("scales only: %s was last scaled for %d replicas", rs.Name, desired), why.Sum("D-26", syncGo+"isScalingEvent",
				"replicas - desiredReplicasOfRS", *d.Spec.Replicas-desired, *d.Spec.Replicas, desired).
				Noting("a sync that scales does nothing else; a new template waits for the next one"))
			return true, nil
		}
	}
	return false, nil
}

// getAllReplicaSetsAndSyncRevision returns the new ReplicaSet, nil if there is none and none shall be created, and the
// old ones by creation (D-41). Revisions are brought up to date on the way.
func (c *Controller) getAllReplicaSetsAndSyncRevision(d *api.Deployment, rsList []*api.ReplicaSet, create bool) (*api.ReplicaSet, []*api.ReplicaSet, error) {
	existing := findNewReplicaSet(d, rsList)
	oldRSs := findOldReplicaSets(rsList, existing)
	newRevision := maxRevision(oldRSs) + 1
	var newRS *api.ReplicaSet
	var err error
	switch {
	case existing != nil:
		newRS, err = c.syncNewReplicaSet(d, existing, newRevision)
	case create:
		newRS, err = c.createNewReplicaSet(d, oldRSs, newRevision)
	}
	if err != nil {
		return nil, nil, err
	}
	return newRS, oldRSs, nil
}

// syncNewReplicaSet brings annotations, revision and minReadySeconds of the new ReplicaSet up to date; if they are, it
// copies the revision to the Deployment (D-41 step 1).
func (c *Controller) syncNewReplicaSet(d *api.Deployment, rs *api.ReplicaSet, newRevision int64) (*api.ReplicaSet, error) {
	meta := rs.ObjectMeta
	changed := setNewReplicaSetAnnotations(d, &meta, newRevision)
	if !api.SameMap(meta.Annotations, rs.Annotations) {
		// Even if that does not count as a change: whoever scales this ReplicaSet in this sync stores it.
		rs = rs.Shallow()
		rs.ObjectMeta = meta
	}
	if changed || rs.Spec.MinReadySeconds != d.Spec.MinReadySeconds {
		updated := rs.Shallow()
		updated.Spec.MinReadySeconds = d.Spec.MinReadySeconds
		stored, err := c.client.Update(updated, fmt.Sprintf("ReplicaSet brought up to date: revision %s", updated.Annotations[api.RevisionAnnotation]),
			why.Sum("D-41", syncGo+"getNewReplicaSet", "maxOldRevision + 1", newRevision, newRevision-1))
		if err != nil {
			return nil, err
		}
		return stored.(*api.ReplicaSet), nil
	}
	changed = setDeploymentRevision(d, rs.Annotations[api.RevisionAnnotation])
	if hasProgressDeadline(d) && api.FindCondition(d.Status.Conditions, progressing) == nil {
		setCondition(&d.Status, newCondition(c.client.Timestamp(), progressing, "True", reasonFoundNewReplicaSet,
			fmt.Sprintf("Found new replica set %q", rs.Name)))
		changed = true
	}
	if !changed {
		return rs, nil
	}
	return rs, c.updateStatus(d, "status: revision "+rs.Annotations[api.RevisionAnnotation],
		whyNewReplicaSet)
}

// createNewReplicaSet makes the ReplicaSet of the present template, at the size that the surge allows at once (D-41 step 3).
func (c *Controller) createNewReplicaSet(d *api.Deployment, oldRSs []*api.ReplicaSet, newRevision int64) (*api.ReplicaSet, error) {
	rs := newReplicaSet(d)
	size, why := newRSNewReplicas(d, withNew(oldRSs, rs), rs)
	rs.Spec.Replicas = &size
	setNewReplicaSetAnnotations(d, &rs.ObjectMeta, newRevision)
	setReplicasAnnotations(rs, d)
	created, err := c.client.Create(rs, fmt.Sprintf("ReplicaSet created with %d replicas, revision %d", size, newRevision), why)
	if api.IsReason(err, api.ReasonAlreadyExists) {
		return c.resolveCollision(d, rs.Key(), newRevision, err)
	}
	if err != nil {
		return nil, c.reportCreateError(d, rs.Name, err)
	}
	if size > 0 {
		c.client.Event(d.Key(), "Normal", "ScalingReplicaSet", fmt.Sprintf("Scaled up replica set %s from 0 to %d", rs.Name, size))
	}
	setDeploymentRevision(d, strconv.FormatInt(newRevision, 10))
	if hasProgressDeadline(d) {
		setCondition(&d.Status, newCondition(c.client.Timestamp(), progressing, "True", reasonNewReplicaSetCreated,
			fmt.Sprintf("Created new replica set %q", rs.Name)))
	}
	err = c.updateStatus(d, fmt.Sprintf("status: revision %d", newRevision), whyNewReplicaSet)
	return created.(*api.ReplicaSet), err
}

// newReplicaSet returns the ReplicaSet of the present template, of size 0 and without annotations.
func newReplicaSet(d *api.Deployment) *api.ReplicaSet {
	hash := d.Spec.Template.Hash(d.Status.CollisionCount)
	template := d.Spec.Template.WithLabel(api.PodTemplateHashLabel, hash)
	return &api.ReplicaSet{
		ObjectMeta: api.ObjectMeta{
			Name:            replicaSetName(d.Name, hash),
			Namespace:       d.Namespace,
			OwnerReferences: []api.OwnerReference{apiserver.ControllerRef(d)},
			Labels:          template.Labels,
		},
		Spec: api.ReplicaSetSpec{
			Replicas:        new(int32),
			MinReadySeconds: d.Spec.MinReadySeconds,
			Selector:        d.Spec.Selector.WithLabel(api.PodTemplateHashLabel, hash),
			Template:        template,
		},
	}
}

// replicaSetName appends the hash to the Deployment's name, which is cut so that the whole has at most 253 characters.
func replicaSetName(name, hash string) string {
	return name[:min(len(name), 253-1-len(hash))] + "-" + hash
}

// resolveCollision decides what a ReplicaSet is whose name is taken: this Deployment's own, made by a sync that the
// cache had not seen, or another template with the same hash; then the next sync tries another hash (D-41).
func (c *Controller) resolveCollision(d *api.Deployment, key api.Key, newRevision int64, taken error) (*api.ReplicaSet, error) {
	rs, _ := c.replicaSets.Cache.Get(key).(*api.ReplicaSet)
	if rs == nil {
		return nil, api.NotFound(key)
	}
	if rs.IsControlledBy(d.UID) && rs.Spec.Template.EqualIgnoreHash(&d.Spec.Template) {
		if !setDeploymentRevision(d, strconv.FormatInt(newRevision, 10)) {
			return rs, nil
		}
		return rs, c.updateStatus(d, fmt.Sprintf("status: revision %d", newRevision), whyNewReplicaSet)
	}
	var count int32
	if d.Status.CollisionCount != nil {
		count = *d.Status.CollisionCount
	}
	d.Status.CollisionCount = api.Ptr(count + 1)
	// Upstream returns the first error whether or not this write succeeds; the retry comes either way.
	if err := c.updateStatus(d, "status: hash collision", why.Sum("D-41", syncGo+"getNewReplicaSet",
		"collisions + 1", count+1, count)); err != nil {
		return nil, taken
	}
	return nil, taken
}

// reportCreateError tells of a ReplicaSet that could not be created (D-41).
func (c *Controller) reportCreateError(d *api.Deployment, name string, cause error) error {
	message := fmt.Sprintf("Failed to create new replica set %q: %v", name, cause)
	if hasProgressDeadline(d) {
		setCondition(&d.Status, newCondition(c.client.Timestamp(), progressing, "False", reasonReplicaSetCreateError, message))
		if err := c.updateStatus(d, "status: "+message, whyNewReplicaSet); err != nil {
			c.loop.Decide(d.Key(), "could not write the status: "+err.Error(), nil)
		}
	}
	c.client.Event(d.Key(), "Warning", reasonReplicaSetCreateError, message)
	return cause
}

// scaleReplicaSet gives a ReplicaSet a size and notes for which Deployment size that was (D-57). Without force nothing
// happens if it has the size already. It returns the stored ReplicaSet.
func (c *Controller) scaleReplicaSet(rs *api.ReplicaSet, size int32, d *api.Deployment, force bool, why *sim.Explain) (scaled bool, _ *api.ReplicaSet, err error) {
	was := *rs.Spec.Replicas
	if !force && was == size {
		return false, rs, nil
	}
	updated := rs.Shallow()
	updated.Spec.Replicas = &size
	if !setReplicasAnnotations(updated, d) && was == size {
		return false, rs, nil
	}
	direction := "up"
	if size < was {
		direction = "down"
	}
	message := fmt.Sprintf("Scaled %s replica set %s from %d to %d", direction, rs.Name, was, size)
	what := message
	if size == was {
		what = fmt.Sprintf("noted at replica set %s for which size it was scaled", rs.Name)
	}
	stored, err := c.client.Update(updated, what, why)
	if err != nil {
		return false, nil, err
	}
	if size != was {
		c.client.Event(d.Key(), "Normal", "ScalingReplicaSet", message)
	}
	return size != was, stored.(*api.ReplicaSet), nil
}

// cleanupDeployment removes the oldest revisions beyond revisionHistoryLimit, if nothing of them is left (D-56). One
// that cannot go yet is not made up for by another one.
func (c *Controller) cleanupDeployment(d *api.Deployment, oldRSs []*api.ReplicaSet) error {
	if !hasRevisionHistoryLimit(d) {
		return nil
	}
	candidates := slices.DeleteFunc(slices.Clone(oldRSs), func(rs *api.ReplicaSet) bool { return rs.Terminating() })
	surplus := len(candidates) - int(*d.Spec.RevisionHistoryLimit)
	if surplus <= 0 {
		return nil
	}
	slices.SortStableFunc(candidates, byRevision)
	for _, rs := range candidates[:surplus] {
		if rs.Status.Replicas != 0 || *rs.Spec.Replicas != 0 || rs.Generation > rs.Status.ObservedGeneration {
			continue
		}
		err := c.client.Delete(rs.Key(), apiserver.DeleteOptions{}, "old ReplicaSet removed from the history", why.Sum("D-56", syncGo+"cleanupDeployment",
			"oldReplicaSets - revisionHistoryLimit", surplus, len(candidates), int(*d.Spec.RevisionHistoryLimit)))
		if err != nil && !api.IsReason(err, api.ReasonNotFound) {
			return err
		}
	}
	return nil
}

// byRevision orders ReplicaSets by their revision; where it is missing on one side or equal, by creation.
func byRevision(a, b *api.ReplicaSet) int {
	m, okA := revision(&a.ObjectMeta)
	n, okB := revision(&b.ObjectMeta)
	if !okA || !okB || m == n {
		return ByCreation(a, b)
	}
	return int(m - n)
}
