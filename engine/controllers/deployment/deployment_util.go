package deployment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const deploymentUtil = "pkg/controller/deployment/util/deployment_util.go:"

// Types of conditions.
const (
	available      = "Available"
	progressing    = "Progressing"
	replicaFailure = "ReplicaFailure"
)

// Reasons of the Progressing condition.
const (
	reasonNewReplicaSetCreated     = "NewReplicaSetCreated"
	reasonFoundNewReplicaSet       = "FoundNewReplicaSet"
	reasonReplicaSetUpdated        = "ReplicaSetUpdated"
	reasonNewReplicaSetAvailable   = "NewReplicaSetAvailable"
	reasonReplicaSetCreateError    = "ReplicaSetCreateError"
	reasonProgressDeadlineExceeded = "ProgressDeadlineExceeded"
	reasonDeploymentPaused         = "DeploymentPaused"
	reasonDeploymentResumed        = "DeploymentResumed"
)

// unlimited is the value of a deadline or a limit that does not apply.
const unlimited = 1<<31 - 1

// newCondition returns a condition whose times are now.
func newCondition(now api.Time, conditionType, status, reason, message string) api.Condition {
	return api.Condition{Type: conditionType, Status: status, Reason: reason, Message: message,
		LastUpdateTime: now, LastTransitionTime: now}
}

// setCondition replaces the condition of a type; the new one becomes the last in the list. A condition with the same status
// and reason is not replaced, so its times and message stay. With the same status alone, the transition time stays (D-67).
func setCondition(s *api.DeploymentStatus, c api.Condition) {
	if have := api.FindCondition(s.Conditions, c.Type); have != nil {
		if have.Status == c.Status && have.Reason == c.Reason {
			return
		}
		if have.Status == c.Status {
			c.LastTransitionTime = have.LastTransitionTime
		}
	}
	s.Conditions = append(otherConditions(s.Conditions, c.Type), c)
}

// removeCondition removes the condition of a type.
func removeCondition(s *api.DeploymentStatus, conditionType string) {
	if api.FindCondition(s.Conditions, conditionType) != nil {
		s.Conditions = otherConditions(s.Conditions, conditionType)
	}
}

// otherConditions returns the conditions of other types, in a new list with room for one more: statuses share theirs.
func otherConditions(all []api.Condition, conditionType string) []api.Condition {
	list := append(make([]api.Condition, 0, len(all)+1), all...)
	return slices.DeleteFunc(list, func(c api.Condition) bool { return c.Type == conditionType })
}

// setDeploymentRevision copies the revision to the Deployment and reports whether it was another one (D-28).
func setDeploymentRevision(d *api.Deployment, revision string) bool {
	if d.Annotations[api.RevisionAnnotation] == revision {
		return false
	}
	d.SetAnnotation(api.RevisionAnnotation, revision)
	return true
}

// maxRevision returns the highest revision among ReplicaSets (D-40).
func maxRevision(rsList []*api.ReplicaSet) int64 {
	highest, _ := highestRevisions(rsList)
	return highest
}

// highestRevisions returns the highest revision and the second highest, 0 where it does not exist.
func highestRevisions(rsList []*api.ReplicaSet) (highest, second int64) {
	for _, rs := range rsList {
		n, err := rs.RevisionNumber()
		if err != nil {
			continue
		}
		if n >= highest {
			highest, second = n, highest
		} else {
			second = max(second, n)
		}
	}
	return highest, second
}

// revisionHistoryMax is the maximal length of the revision-history annotation (D-29).
const revisionHistoryMax = 2000

// setNewReplicaSetAnnotations updates the annotations of the new ReplicaSet and reports whether any changed (D-41 1a, 1b):
// it copies the Deployment's own, never removes any, and never lowers the revision.
func setNewReplicaSetAnnotations(d *api.Deployment, rs *api.ObjectMeta, newRevision int64) (changed bool) {
	for k, v := range d.Annotations {
		if have, ok := rs.Annotations[k]; !skipAnnotation(k) && (!ok || have != v) {
			rs.SetAnnotation(k, v)
			changed = true
		}
	}
	was, hadOne := rs.Annotations[api.RevisionAnnotation]
	n, err := rs.RevisionNumber()
	if was != "" && err != nil {
		return false // upstream keeps a revision that is not a number, and does not report the copies above
	}
	if n >= newRevision {
		return changed
	}
	rs.SetAnnotation(api.RevisionAnnotation, strconv.FormatInt(newRevision, 10))
	if hadOne {
		appendRevisionHistory(rs, was)
	}
	return true
}

// appendRevisionHistory records a revision that the ReplicaSet had before, and removes the oldest entries if the annotation
// becomes too long (D-29).
func appendRevisionHistory(rs *api.ObjectMeta, was string) {
	have := rs.Annotations[api.RevisionHistoryAnnotation]
	if have == "" {
		rs.SetAnnotation(api.RevisionHistoryAnnotation, was)
		return
	}
	for len(have)+1+len(was) > revisionHistoryMax {
		_, rest, more := strings.Cut(have, ",")
		if !more {
			return
		}
		have = rest
	}
	rs.SetAnnotation(api.RevisionHistoryAnnotation, have+","+was)
}

// skipAnnotation reports whether an annotation of the Deployment is not copied to its ReplicaSets (D-41,
// skipCopyAnnotation).
func skipAnnotation(key string) bool {
	switch key {
	case api.LastAppliedAnnotation, api.RevisionAnnotation, api.RevisionHistoryAnnotation,
		api.DesiredReplicasAnnotation, api.MaxReplicasAnnotation, api.RollbackToAnnotation:
		return true
	}
	return false
}

// AnnotationsAfterRollback returns the reserved annotations of the Deployment and all others of the ReplicaSet, so that the
// change cause, for example, belongs to its revision (D-80, K-26, SetDeploymentAnnotationsTo).
func AnnotationsAfterRollback(d *api.Deployment, rs *api.ReplicaSet) map[string]string {
	out := map[string]string{}
	for k, v := range d.Annotations {
		if skipAnnotation(k) {
			out[k] = v
		}
	}
	for k, v := range rs.Annotations {
		if !skipAnnotation(k) {
			out[k] = v
		}
	}
	return out
}

// activeOrLatest returns the only active ReplicaSet, or, if none is active, the new one, the youngest old one or nil. If
// several are active, ok is false (FindActiveOrLatest).
func activeOrLatest(newRS *api.ReplicaSet, oldRSs []*api.ReplicaSet) (only *api.ReplicaSet, ok bool) {
	all := active(withNew(oldRSs, newRS))
	switch {
	case len(all) == 1:
		return all[0], true
	case len(all) > 1:
		return nil, false
	case newRS != nil:
		return newRS, true
	case len(oldRSs) > 0:
		return slices.MaxFunc(oldRSs, ByCreation), true
	}
	return nil, true
}

// intAnnotation reads a number from an annotation; ok is false if it is missing, not a number or negative (D-30, D-31).
func intAnnotation(rs *api.ReplicaSet, name string) (n int32, ok bool) {
	v, err := strconv.ParseUint(rs.Annotations[name], 10, 31)
	return int32(v), err == nil
}

// setReplicasAnnotations records the size of the Deployment in a ReplicaSet (D-30, D-31) and reports whether it changed.
func setReplicasAnnotations(rs *api.ReplicaSet, d *api.Deployment) bool {
	desired := strconv.Itoa(int(*d.Spec.Replicas))
	most := strconv.Itoa(int(*d.Spec.Replicas + surge(d)))
	if rs.Annotations[api.DesiredReplicasAnnotation] == desired && rs.Annotations[api.MaxReplicasAnnotation] == most {
		return false
	}
	rs.SetAnnotation(api.DesiredReplicasAnnotation, desired)
	rs.SetAnnotation(api.MaxReplicasAnnotation, most)
	return true
}

// Bounds returns maxSurge and maxUnavailable in pods, for the current size of the Deployment (D-20, D-21).
func Bounds(d *api.Deployment) (maxSurge, maxUnavailable int32) {
	return surge(d), unavailable(d)
}

// unavailable is how many of spec.replicas may be unavailable (D-21, MaxUnavailable).
func unavailable(d *api.Deployment) int32 {
	r := d.Spec.Strategy.RollingUpdate
	if d.Spec.Strategy.Type != api.RollingUpdate || r == nil || *d.Spec.Replicas == 0 {
		return 0
	}
	_, u := resolveFenceposts(r.MaxSurge, r.MaxUnavailable, *d.Spec.Replicas)
	return min(u, *d.Spec.Replicas)
}

// surge is how many pods may exist above spec.replicas (D-21, MaxSurge). It has no upper limit.
func surge(d *api.Deployment) int32 {
	r := d.Spec.Strategy.RollingUpdate
	if d.Spec.Strategy.Type != api.RollingUpdate || r == nil {
		return 0
	}
	s, _ := resolveFenceposts(r.MaxSurge, r.MaxUnavailable, *d.Spec.Replicas)
	return s
}

// proportion returns how much one ReplicaSet grows or shrinks, limited by what is left to distribute (D-71), with a note
// that shows the sum.
func proportion(d *api.Deployment, rs *api.ReplicaSet, add, added int32) (p int32, note string) {
	size, left := *rs.Spec.Replicas, add-added
	if size == 0 || left == 0 {
		return 0, ""
	}
	share, most := fraction(d, rs)
	p = min(share, left)
	if add < 0 {
		p = max(share, left)
	}
	return p, fmt.Sprintf("share = round(%d × %d / %d) − %d = %d, of %d left to give",
		size, *d.Spec.Replicas+surge(d), most, size, share, left)
}

// fraction returns how much a ReplicaSet would grow or shrink in exact proportion, rounded half away from zero, and the
// total that it was last scaled for (D-72, getReplicaSetFraction). A ReplicaSet of 5, scaled for 13 pods, has a share of
// round(5 * 18 / 13) - 5 = round(6.9) - 5 = 2 when 18 are allowed, and of round(5 * 8 / 13) - 5 = 3 - 5 = -2 when 8 are.
func fraction(d *api.Deployment, rs *api.ReplicaSet) (share, most int32) {
	size := *rs.Spec.Replicas
	if *d.Spec.Replicas == 0 {
		return -size, size
	}
	most, ok := intAnnotation(rs, api.MaxReplicasAnnotation)
	if !ok || most == 0 {
		if most = d.Status.Replicas; most == 0 {
			return 0, 0
		}
	}
	return roundedQuotient(int64(size)*int64(*d.Spec.Replicas+surge(d)), int64(most)) - size, most
}

// roundedQuotient returns a / b, rounded half up: 7 / 2 is 4. Neither number is negative.
func roundedQuotient(a, b int64) int32 { return int32((2*a + b) / (2 * b)) }

// findNewReplicaSet returns the oldest ReplicaSet with the current template of the Deployment, nil if none has it (D-32).
// The list is ordered by creation.
func findNewReplicaSet(d *api.Deployment, rsList []*api.ReplicaSet) *api.ReplicaSet {
	for _, rs := range rsList {
		if rs.Spec.Template.EqualIgnoreHash(&d.Spec.Template) {
			return rs
		}
	}
	return nil
}

// findOldReplicaSets returns all ReplicaSets except the new one (D-32).
func findOldReplicaSets(rsList []*api.ReplicaSet, newRS *api.ReplicaSet) []*api.ReplicaSet {
	return slices.DeleteFunc(slices.Clone(rsList), func(rs *api.ReplicaSet) bool { return newRS != nil && rs.UID == newRS.UID })
}

// withNew returns the old ReplicaSets and the new one, if it exists.
func withNew(oldRSs []*api.ReplicaSet, newRS *api.ReplicaSet) []*api.ReplicaSet {
	all := append(make([]*api.ReplicaSet, 0, len(oldRSs)+1), oldRSs...)
	if newRS != nil {
		all = append(all, newRS)
	}
	return all
}

func specReplicas(rsList []*api.ReplicaSet) (sum int32) {
	for _, rs := range rsList {
		sum += *rs.Spec.Replicas
	}
	return sum
}

// statusReplicas adds up the pods in the statuses of ReplicaSets: all, those that are Ready, and those that are available.
func statusReplicas(rsList []*api.ReplicaSet) (all, ready, available int32) {
	for _, rs := range rsList {
		all += rs.Status.Replicas
		ready += rs.Status.ReadyReplicas
		available += rs.Status.AvailableReplicas
	}
	return all, ready, available
}

// terminatingReplicas adds up the terminating pods. A ReplicaSet that was never synced has 0. The sum is nil, unknown, if a
// ReplicaSet was synced by a controller that did not count them (D-60).
func terminatingReplicas(rsList []*api.ReplicaSet) *int32 {
	var sum int32
	for _, rs := range rsList {
		switch {
		case rs.Status.TerminatingReplicas != nil:
			sum += *rs.Status.TerminatingReplicas
		case rs.Status.ObservedGeneration > 0:
			return nil
		}
	}
	return &sum
}

// complete reports whether a status is that of a complete rollout (D-62, DeploymentComplete).
func complete(d *api.Deployment, s *api.DeploymentStatus) bool {
	r := *d.Spec.Replicas
	return s.UpdatedReplicas == r && s.Replicas == r && s.AvailableReplicas == r && s.ObservedGeneration >= d.Generation
}

// progressed reports whether a new status is better than the stored one (D-63, DeploymentProgressing).
func progressed(was, is *api.DeploymentStatus) bool {
	return is.UpdatedReplicas > was.UpdatedReplicas ||
		is.Replicas-is.UpdatedReplicas < was.Replicas-was.UpdatedReplicas ||
		is.ReadyReplicas > was.ReadyReplicas ||
		is.AvailableReplicas > was.AvailableReplicas
}

// timedOut reports whether the progress deadline has passed at a virtual ms (D-64, DeploymentTimedOut).
func timedOut(d *api.Deployment, s *api.DeploymentStatus, now int64) bool {
	c := api.FindCondition(s.Conditions, progressing)
	if c == nil || c.Reason == reasonNewReplicaSetAvailable {
		return false
	}
	return c.Reason == reasonProgressDeadlineExceeded || deadline(d, c) < now
}

// deadline returns the virtual ms at which a Progressing condition times out.
func deadline(d *api.Deployment, c *api.Condition) int64 {
	return c.LastUpdateTime.Milli() + int64(*d.Spec.ProgressDeadlineSeconds)*1000
}

// newRSNewReplicas returns the size of the new ReplicaSet now (D-51, D-52): a rolling update uses the room that the surge
// leaves, Recreate takes all replicas at once.
func newRSNewReplicas(d *api.Deployment, allRSs []*api.ReplicaSet, newRS *api.ReplicaSet) (int32, *sim.Explain) {
	desired, size := *d.Spec.Replicas, *newRS.Spec.Replicas
	if d.Spec.Strategy.Type == api.Recreate {
		return desired, why.Sum("D-58", deploymentUtil+"NewRSNewReplicas", "replicas", desired, desired)
	}
	pods, limit := specReplicas(allRSs), desired+surge(d)
	to := size
	if pods < limit {
		to += min(limit-pods, desired-size)
	}
	return to, why.Sum("D-52", deploymentUtil+"NewRSNewReplicas",
		"newRS + max(0, min(replicas + maxSurge - total, replicas - newRS))", to, size, desired, limit-desired, pods)
}

// isSaturated reports whether the new ReplicaSet has the whole size, was scaled for it, and has all its pods available.
func isSaturated(d *api.Deployment, newRS *api.ReplicaSet) bool {
	if newRS == nil {
		return false
	}
	desired, ok := intAnnotation(newRS, api.DesiredReplicasAnnotation)
	r := *d.Spec.Replicas
	return ok && *newRS.Spec.Replicas == r && desired == r && newRS.Status.AvailableReplicas == r
}

// resolveFenceposts converts the two fields into pods. The surge is rounded up and the unavailable pods down, which keeps
// more pods. If both are 0, one pod may be unavailable, because otherwise no rollout could make progress (D-20, D-21).
//
//	replicas  maxSurge  maxUnavailable  surge  unavailable
//	      10       25%             25%      3            2  2.5 is rounded up and down
//	       4       25%             25%      1            1
//	       3       25%             25%      1            0  0.75 is rounded up and down
//	       3        0%             25%      0            1  0 and 0 would stop the rollout
//	      10       33%             33%      4            3  3.3 is rounded up and down
//	      10         3               0      3            0
func resolveFenceposts(maxSurge, maxUnavailable *api.IntOrString, desired int32) (surge, unavailable int32) {
	surge, unavailable = maxSurge.Scaled(desired, true), maxUnavailable.Scaled(desired, false)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable
}

// hasProgressDeadline reports whether progress is judged (D-5).
func hasProgressDeadline(d *api.Deployment) bool {
	return d.Spec.ProgressDeadlineSeconds != nil && *d.Spec.ProgressDeadlineSeconds != unlimited
}

// hasRevisionHistoryLimit reports whether old ReplicaSets are ever deleted (D-4).
func hasRevisionHistoryLimit(d *api.Deployment) bool {
	return d.Spec.RevisionHistoryLimit != nil && *d.Spec.RevisionHistoryLimit != unlimited
}
