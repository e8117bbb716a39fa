package deployment

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const syncGo = "pkg/controller/deployment/sync.go:"

var whyNewReplicaSet = why.Rule("D-41", syncGo+"getNewReplicaSet")

// syncStatusOnly updates the status of a terminating Deployment (D-23 step 4).
func (c *Controller) syncStatusOnly(d *api.Deployment, rsList []*api.ReplicaSet) error {
	newRS, oldRSs, err := c.getAllReplicaSetsAndSyncRevision(d, rsList, false)
	if err != nil {
		return err
	}
	return c.syncDeploymentStatus(d, withNew(oldRSs, newRS), newRS)
}

// sync handles a paused Deployment and a change of spec.replicas (D-25). It creates no ReplicaSet.
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

// getAllReplicaSetsAndSyncRevision returns the new ReplicaSet and the old ones, by creation, and updates their revisions
// (D-41). The new ReplicaSet is nil if it does not exist and create is false.
func (c *Controller) getAllReplicaSetsAndSyncRevision(d *api.Deployment, rsList []*api.ReplicaSet, create bool) (*api.ReplicaSet, []*api.ReplicaSet, error) {
	existing := findNewReplicaSet(d, rsList)
	oldRSs := findOldReplicaSets(rsList, existing)
	newRevision := maxRevision(oldRSs) + 1
	newRS, err := existing, error(nil)
	switch {
	case existing != nil:
		newRS, err = c.syncNewReplicaSet(d, existing, newRevision)
	case create:
		newRS, err = c.createNewReplicaSet(d, oldRSs, newRevision)
	}
	return newRS, oldRSs, err
}

// syncNewReplicaSet updates the annotations, revision and minReadySeconds of the new ReplicaSet. If they are up to date, it
// copies the revision to the Deployment (D-41 step 1, getNewReplicaSet).
func (c *Controller) syncNewReplicaSet(d *api.Deployment, rs *api.ReplicaSet, newRevision int64) (*api.ReplicaSet, error) {
	meta := rs.ObjectMeta
	changed := setNewReplicaSetAnnotations(d, &meta, newRevision)
	if !api.SameMap(meta.Annotations, rs.Annotations) {
		// Even if this does not count as a change, a later write of this sync that scales the ReplicaSet stores it.
		rs = api.Shallow(rs)
		rs.ObjectMeta = meta
	}
	if changed || rs.Spec.MinReadySeconds != d.Spec.MinReadySeconds {
		updated := api.Shallow(rs)
		updated.Spec.MinReadySeconds = d.Spec.MinReadySeconds
		stored, err := c.client.Update(updated, fmt.Sprintf("ReplicaSet updated: revision %s", updated.Annotations[api.RevisionAnnotation]),
			why.Sum("D-41", syncGo+"getNewReplicaSet", "maxOldRevision + 1", newRevision, newRevision-1))
		return api.As[*api.ReplicaSet](stored), err
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
	return rs, c.updateStatus(d, "status: revision "+rs.Annotations[api.RevisionAnnotation], whyNewReplicaSet)
}

// createNewReplicaSet creates the ReplicaSet of the current template at the size that the surge allows now (D-41 step 3,
// getNewReplicaSet).
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

// newReplicaSet returns the ReplicaSet of the current template, of size 0 and without annotations.
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

// replicaSetName appends the hash to the Deployment's name, cut so that the result has at most 253 characters
// (generateReplicaSetName).
func replicaSetName(name, hash string) string {
	return name[:min(len(name), 253-1-len(hash))] + "-" + hash
}

// resolveCollision handles a name that is taken. Either an earlier sync has created this ReplicaSet and the cache does not
// show it yet, or another template has the same hash: then the next sync tries another hash (D-41).
func (c *Controller) resolveCollision(d *api.Deployment, key api.Key, newRevision int64, taken error) (*api.ReplicaSet, error) {
	rs, _ := c.replicaSets.Cache.Get(key).(*api.ReplicaSet)
	if rs == nil {
		return nil, kinds.NotFound(key)
	}
	if rs.IsControlledBy(d.UID) && rs.Spec.Template.EqualIgnoreHash(&d.Spec.Template) {
		if !setDeploymentRevision(d, strconv.FormatInt(newRevision, 10)) {
			return rs, nil
		}
		return rs, c.updateStatus(d, fmt.Sprintf("status: revision %d", newRevision), whyNewReplicaSet)
	}
	count := api.Given(d.Status.CollisionCount)
	d.Status.CollisionCount = api.Ptr(count + 1)
	// Upstream returns the first error whether or not this write succeeds; the key is retried either way.
	_ = c.updateStatus(d, "status: hash collision", why.Sum("D-41", syncGo+"getNewReplicaSet", "collisions + 1", count+1, count))
	return nil, taken
}

// reportCreateError reports a ReplicaSet that could not be created, in the status and in an event (D-41).
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

// scale distributes a changed spec.replicas over the ReplicaSets (D-70). A single active ReplicaSet gets all of it. Several
// share it in proportion to their sizes, so that a bad template in the middle of a rollout does not get all the new pods.
func (c *Controller) scale(d *api.Deployment, newRS *api.ReplicaSet, oldRSs []*api.ReplicaSet) error {
	desired := *d.Spec.Replicas
	oldRSs = slices.Clone(oldRSs)
	slices.Reverse(oldRSs) // youngest first: upstream's FindActiveOrLatest sorts the list in place (D-70)
	if only, ok := activeOrLatest(newRS, oldRSs); ok {
		if only == nil || *only.Spec.Replicas == desired {
			c.loop.Idle("the only ReplicaSet with pods has the size already", sizeIsRight)
			return nil
		}
		_, err := c.scaleReplicaSet(only, desired, d, why.Sum("D-70", syncGo+"scale", "replicas", desired, desired).
			Noting("the only active ReplicaSet gets the whole size"))
		return err
	}
	if isSaturated(d, newRS) {
		for _, old := range active(oldRSs) {
			if _, err := c.scaleReplicaSet(old, 0, d, why.Note("D-70", syncGo+"scale",
				"the new ReplicaSet has all its pods available, so the old ones are not needed")); err != nil {
				return err
			}
		}
		return nil
	}
	if d.Spec.Strategy.Type != api.RollingUpdate {
		return nil
	}
	return c.scaleProportionally(d, active(withNew(oldRSs, newRS)))
}

var sizeIsRight = why.Note("D-27", syncGo+"scale",
	"its annotation is not updated, even if it names another size: then every sync takes this branch, and no new template rolls out")

// scaleProportionally adds a share to each active ReplicaSet, or removes it; the largest also gets what rounding leaves
// over (D-70 step 3).
//
// A rollout of 10 replicas with maxSurge 3 has 8 old and 5 new pods when spec.replicas becomes 15, so 18 pods are allowed
// and 18 - 13 = 5 are added. The old ReplicaSet gets round(8 * 18 / 13) - 8 = 11 - 8 = 3, the new one round(5 * 18 / 13) - 5
// = 7 - 5 = 2, and nothing is left over. If three ReplicaSets of 3, 3 and 3 (last scaled for 9) grow to 11, each gets
// round(3 * 11 / 9) - 3 = 1, but only 2 are to be added, so the last gets 0.
func (c *Controller) scaleProportionally(d *api.Deployment, rsList []*api.ReplicaSet) error {
	var allowed int32
	if *d.Spec.Replicas > 0 {
		allowed = *d.Spec.Replicas + surge(d)
	}
	add := allowed - specReplicas(rsList)
	if add != 0 { // else only annotations change, the new ReplicaSet's last
		slices.SortStableFunc(rsList, bySizeFor(add))
	}
	shares, notes := make([]int32, len(rsList)), make([]string, len(rsList))
	var added int32
	for i, rs := range rsList {
		shares[i], notes[i] = proportion(d, rs, add, added)
		added += shares[i]
	}
	for i, rs := range rsList {
		size, leftover := *rs.Spec.Replicas, add-added
		to, sum := size+shares[i], why.Sum("D-71", deploymentUtil+"GetReplicaSetProportion",
			"size + share", size+shares[i], size, shares[i])
		if i == 0 && leftover != 0 {
			to = max(0, to+leftover)
			sum = why.Sum("D-71", sum.Upstream, "max(0, size + share + leftover)", to, size, shares[i], leftover)
		}
		if _, err := c.scaleReplicaSet(rs, to, d, sum.Noting(notes[i])); err != nil {
			return err
		}
	}
	return nil
}

// scaleReplicaSet scales a ReplicaSet and records the size of the Deployment in its annotations (D-57). It returns the stored ReplicaSet.
func (c *Controller) scaleReplicaSet(rs *api.ReplicaSet, size int32, d *api.Deployment, why *sim.Explain) (*api.ReplicaSet, error) {
	was := *rs.Spec.Replicas
	updated := api.Shallow(rs)
	updated.Spec.Replicas = &size
	if !setReplicasAnnotations(updated, d) && was == size {
		return rs, nil
	}
	direction := "up"
	if size < was {
		direction = "down"
	}
	message := fmt.Sprintf("Scaled %s replica set %s from %d to %d", direction, rs.Name, was, size)
	what := message
	if size == was {
		what = fmt.Sprintf("recorded the size that replica set %s was scaled for", rs.Name)
	}
	stored, err := c.client.Update(updated, what, why)
	if err == nil && size != was {
		c.client.Event(d.Key(), "Normal", "ScalingReplicaSet", message)
	}
	return api.As[*api.ReplicaSet](stored), err
}

// cleanupDeployment deletes the oldest ReplicaSets beyond revisionHistoryLimit if they have no pods (D-56). If one of them
// still has pods, no other ReplicaSet is deleted in its place.
//
// With a limit of 2 and old revisions 1 to 5, the candidates are 1, 2 and 3. If 2 still has pods, 1 and 3 are deleted.
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

// syncDeploymentStatus writes the status if it changed, without an estimate of progress.
func (c *Controller) syncDeploymentStatus(d *api.Deployment, allRSs []*api.ReplicaSet, newRS *api.ReplicaSet) error {
	status := c.calculateStatus(d, allRSs, newRS)
	if api.Equal(&d.Status, &status) {
		c.loop.OrIdle("the status is up to date", nil)
		return nil
	}
	d.Status = status
	return c.loop.Await(func() error {
		return c.updateStatus(d, statusText(&status), statusExplain("D-60", syncGo+"syncDeploymentStatus", &status))
	})
}

// calculateStatus adds up the statuses of the ReplicaSets as they were when the sync began (D-60).
func (c *Controller) calculateStatus(d *api.Deployment, allRSs []*api.ReplicaSet, newRS *api.ReplicaSet) api.DeploymentStatus {
	all, ready, have := statusReplicas(allRSs)
	status := api.DeploymentStatus{
		ObservedGeneration:  d.Generation,
		Replicas:            all,
		ReadyReplicas:       ready,
		AvailableReplicas:   have,
		UnavailableReplicas: max(0, specReplicas(allRSs)-have),
		TerminatingReplicas: terminatingReplicas(allRSs),
		CollisionCount:      d.Status.CollisionCount,
		Conditions:          d.Status.Conditions,
	}
	if newRS != nil {
		status.UpdatedReplicas = newRS.Status.Replicas
	}
	now := c.client.Timestamp()
	if have >= *d.Spec.Replicas-unavailable(d) {
		setCondition(&status, newCondition(now, available, "True", "MinimumReplicasAvailable", "Deployment has minimum availability."))
	} else {
		setCondition(&status, newCondition(now, available, "False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability."))
	}
	return status
}

// updateStatus writes the status and the annotations of a Deployment. The sync keeps the version that it has read, so
// a second write of the same sync gets a conflict, as upstream (H-10).
func (c *Controller) updateStatus(d *api.Deployment, what string, why *sim.Explain) error {
	_, err := c.client.UpdateStatus(api.Shallow(d), what, why)
	return err
}

// statusText lists the numbers of a status.
func statusText(s *api.DeploymentStatus) string {
	return fmt.Sprintf("status: replicas %d, updated %d, ready %d, available %d", s.Replicas, s.UpdatedReplicas, s.ReadyReplicas, s.AvailableReplicas)
}

// statusExplain explains a status by how many pods are not available.
func statusExplain(rule, upstream string, s *api.DeploymentStatus) *sim.Explain {
	return why.Sum(rule, upstream,
		"max(0, specReplicas - available)", s.UnavailableReplicas, s.UnavailableReplicas+s.AvailableReplicas, s.AvailableReplicas)
}

// isScalingEvent reports whether spec.replicas has changed since an active ReplicaSet was last scaled (D-26).
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
