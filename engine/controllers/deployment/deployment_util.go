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

// unlimited is the value that switches a deadline or a limit off.
const unlimited = 1<<31 - 1

// newCondition returns a condition that begins now.
func newCondition(now api.Time, conditionType, status, reason, message string) api.Condition {
	return api.Condition{Type: conditionType, Status: status, Reason: reason, Message: message,
		LastUpdateTime: now, LastTransitionTime: now}
}

// setCondition puts a condition at the end of the list in place of the one of its type. One with the same status and
// reason is left as it is, times and message included; with the same status the transition time stays (D-67).
func setCondition(s *api.DeploymentStatus, c api.Condition) {
	if have := api.FindCondition(s.Conditions, c.Type); have != nil {
		if have.Status == c.Status && have.Reason == c.Reason {
			return
		}
		if have.Status == c.Status {
			c.LastTransitionTime = have.LastTransitionTime
		}
	}
	removeCondition(s, c.Type)
	s.Conditions = append(slices.Clip(s.Conditions), c)
}

// removeCondition drops the condition of a type. The list is made anew, since statuses share theirs.
func removeCondition(s *api.DeploymentStatus, conditionType string) {
	if api.FindCondition(s.Conditions, conditionType) == nil {
		return
	}
	kept := make([]api.Condition, 0, len(s.Conditions))
	for _, c := range s.Conditions {
		if c.Type != conditionType {
			kept = append(kept, c)
		}
	}
	s.Conditions = kept
}

// setDeploymentRevision copies the revision to the Deployment and says whether that changed it (D-28).
func setDeploymentRevision(d *api.Deployment, revision string) bool {
	if d.Annotations[api.RevisionAnnotation] == revision {
		return false
	}
	d.SetAnnotation(api.RevisionAnnotation, revision)
	return true
}

// maxRevision returns the highest revision among ReplicaSets (D-40).
func maxRevision(rsList []*api.ReplicaSet) (most int64) {
	for _, rs := range rsList {
		if n, ok := revision(&rs.ObjectMeta); ok {
			most = max(most, n)
		}
	}
	return most
}

// lastRevision returns the second highest revision, 0 if there is none.
func lastRevision(rsList []*api.ReplicaSet) int64 {
	var highest, second int64
	for _, rs := range rsList {
		n, ok := revision(&rs.ObjectMeta)
		if !ok {
			continue
		}
		if n >= highest {
			highest, second = n, highest
		} else {
			second = max(second, n)
		}
	}
	return second
}

// revision returns the number in the revision annotation: 0 if it is absent; ok is false if it is no number.
func revision(m *api.ObjectMeta) (n int64, ok bool) {
	text, present := m.Annotations[api.RevisionAnnotation]
	if !present {
		return 0, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// revisionHistoryMax is how many characters the revision-history annotation may have (D-29).
const revisionHistoryMax = 2000

// setNewReplicaSetAnnotations brings the annotations of the new ReplicaSet up to date and says whether any changed
// (D-41 1a, 1b): the Deployment's own are copied, never removed, and the revision only ever grows.
func setNewReplicaSetAnnotations(d *api.Deployment, rs *api.ObjectMeta, newRevision int64) (changed bool) {
	for k, v := range d.Annotations {
		if have, ok := rs.Annotations[k]; !skipAnnotation(k) && (!ok || have != v) {
			rs.SetAnnotation(k, v)
			changed = true
		}
	}
	was, hadOne := rs.Annotations[api.RevisionAnnotation]
	n, ok := revision(rs)
	if was != "" && !ok {
		return false // upstream leaves a revision that is no number alone, and forgets the copies above
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

// appendRevisionHistory notes a revision that the ReplicaSet had before; the oldest entries make room for it (D-29).
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

// skipAnnotation says whether an annotation of the Deployment is not copied to its ReplicaSets (D-41).
func skipAnnotation(key string) bool {
	switch key {
	case api.LastAppliedAnnotation, api.RevisionAnnotation, api.RevisionHistoryAnnotation,
		api.DesiredReplicasAnnotation, api.MaxReplicasAnnotation, api.RollbackToAnnotation:
		return true
	}
	return false
}

// AnnotationsAfterRollback returns the Deployment's reserved annotations and all the others of the ReplicaSet, so that
// for example the change cause follows its revision (D-80, K-26).
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

// activeOrLatest returns the only active ReplicaSet, or, if none is active, the new one, or the youngest old one, or nil;
// ok is false if several are active (FindActiveOrLatest).
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

// intAnnotation reads a number from an annotation; ok is false if it is missing, no number, or negative (D-30, D-31).
func intAnnotation(rs *api.ReplicaSet, name string) (n int32, ok bool) {
	v, err := strconv.ParseUint(rs.Annotations[name], 10, 31)
	return int32(v), err == nil
}

// setReplicasAnnotations notes for which size the ReplicaSet was last scaled (D-30, D-31) and says whether that is new.
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

// Bounds returns maxSurge and maxUnavailable in pods for the Deployment's present size (D-20, D-21).
func Bounds(d *api.Deployment) (maxSurge, maxUnavailable int32) {
	return surge(d), unavailable(d)
}

// unavailable is how many pods may be missing from spec.replicas (D-21).
func unavailable(d *api.Deployment) int32 {
	r := d.Spec.Strategy.RollingUpdate
	if d.Spec.Strategy.Type != api.RollingUpdate || r == nil || *d.Spec.Replicas == 0 {
		return 0
	}
	_, u := resolveFenceposts(r.MaxSurge, r.MaxUnavailable, *d.Spec.Replicas)
	return min(u, *d.Spec.Replicas)
}

// surge is how many pods there may be above spec.replicas (D-21). It is not clamped.
func surge(d *api.Deployment) int32 {
	r := d.Spec.Strategy.RollingUpdate
	if d.Spec.Strategy.Type != api.RollingUpdate || r == nil {
		return 0
	}
	s, _ := resolveFenceposts(r.MaxSurge, r.MaxUnavailable, *d.Spec.Replicas)
	return s
}

// proportion returns what one ReplicaSet gains or loses, at most what is left to give (D-71), with a note of how that
// was worked out.
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

// fraction returns what a ReplicaSet would gain or lose in exact proportion, rounded half away from zero, and the
// total for which it was last scaled (D-72).
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

// roundedQuotient divides and rounds half away from zero. Both numbers are not negative.
func roundedQuotient(a, b int64) int32 { return int32((2*a + b) / (2 * b)) }

// findNewReplicaSet returns the oldest ReplicaSet with the Deployment's present template, nil if there is none (D-32).
// The list is ordered by creation.
func findNewReplicaSet(d *api.Deployment, rsList []*api.ReplicaSet) *api.ReplicaSet {
	for _, rs := range rsList {
		if rs.Spec.Template.EqualIgnoreHash(&d.Spec.Template) {
			return rs
		}
	}
	return nil
}

// findOldReplicaSets returns all ReplicaSets but the new one (D-32).
func findOldReplicaSets(rsList []*api.ReplicaSet, newRS *api.ReplicaSet) []*api.ReplicaSet {
	old := make([]*api.ReplicaSet, 0, len(rsList))
	for _, rs := range rsList {
		if newRS == nil || rs.UID != newRS.UID {
			old = append(old, rs)
		}
	}
	return old
}

// withNew returns the old ReplicaSets and the new one, if there is one.
func withNew(oldRSs []*api.ReplicaSet, newRS *api.ReplicaSet) []*api.ReplicaSet {
	all := append(make([]*api.ReplicaSet, 0, len(oldRSs)+1), oldRSs...)
	if newRS != nil {
		all = append(all, newRS)
	}
	return all
}

// specReplicas is the sum of spec.replicas; nil entries count nothing.
func specReplicas(rsList []*api.ReplicaSet) (sum int32) {
	for _, rs := range rsList {
		if rs != nil {
			sum += *rs.Spec.Replicas
		}
	}
	return sum
}

// statusReplicas is the sum of status.replicas.
func statusReplicas(rsList []*api.ReplicaSet) (sum int32) {
	for _, rs := range rsList {
		if rs != nil {
			sum += rs.Status.Replicas
		}
	}
	return sum
}

func readyReplicas(rsList []*api.ReplicaSet) (sum int32) {
	for _, rs := range rsList {
		sum += rs.Status.ReadyReplicas
	}
	return sum
}

// availableReplicas is the sum of status.availableReplicas.
func availableReplicas(rsList []*api.ReplicaSet) (sum int32) {
	for _, rs := range rsList {
		if rs != nil {
			sum += rs.Status.AvailableReplicas
		}
	}
	return sum
}

// terminatingReplicas adds up the terminating pods. A ReplicaSet that was never synced counts none; if one was synced
// by a controller that did not count them, the sum is unknown (D-60).
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

// complete says whether a status is that of a finished rollout (D-62).
func complete(d *api.Deployment, s *api.DeploymentStatus) bool {
	r := *d.Spec.Replicas
	return s.UpdatedReplicas == r && s.Replicas == r && s.AvailableReplicas == r && s.ObservedGeneration >= d.Generation
}

// progressed says whether a new status is better than the stored one (D-63).
func progressed(was, is *api.DeploymentStatus) bool {
	return is.UpdatedReplicas > was.UpdatedReplicas ||
		is.Replicas-is.UpdatedReplicas < was.Replicas-was.UpdatedReplicas ||
		is.ReadyReplicas > was.ReadyReplicas ||
		is.AvailableReplicas > was.AvailableReplicas
}

// timedOut says whether the deadline has passed since the last progress, at a virtual ms (D-64).
func timedOut(d *api.Deployment, s *api.DeploymentStatus, now int64) bool {
	c := api.FindCondition(s.Conditions, progressing)
	if c == nil || c.Reason == reasonNewReplicaSetAvailable {
		return false
	}
	return c.Reason == reasonProgressDeadlineExceeded || deadline(d, c) < now
}

// deadline returns the virtual ms at which a Progressing condition runs out.
func deadline(d *api.Deployment, c *api.Condition) int64 {
	return c.LastUpdateTime.Milli() + int64(*d.Spec.ProgressDeadlineSeconds)*1000
}

// newRSNewReplicas returns the size that the new ReplicaSet shall have now (D-51, D-52): a rolling update fills up what
// the surge leaves room for, Recreate takes all at once.
func newRSNewReplicas(d *api.Deployment, allRSs []*api.ReplicaSet, newRS *api.ReplicaSet) (int32, *sim.Explain) {
	desired, size := *d.Spec.Replicas, *newRS.Spec.Replicas
	if d.Spec.Strategy.Type == api.Recreate {
		return desired, why.Sum("D-58", deploymentUtil+"NewRSNewReplicas", "replicas", desired, desired)
	}
	total, limit := specReplicas(allRSs), desired+surge(d)
	to := size
	if total < limit {
		to += min(limit-total, desired-size)
	}
	return to, why.Sum("D-52", deploymentUtil+"NewRSNewReplicas",
		"newRS + max(0, min(replicas + maxSurge - total, replicas - newRS))", to, size, desired, limit-desired, total)
}

// isSaturated says whether the new ReplicaSet has, and was scaled for, the whole size, and all of it is available.
func isSaturated(d *api.Deployment, newRS *api.ReplicaSet) bool {
	if newRS == nil {
		return false
	}
	desired, ok := intAnnotation(newRS, api.DesiredReplicasAnnotation)
	r := *d.Spec.Replicas
	return ok && *newRS.Spec.Replicas == r && desired == r && newRS.Status.AvailableReplicas == r
}

// resolveFenceposts turns the two fields into pods: the surge is rounded up, the unavailable down, and if both come
// out as nothing one pod may be unavailable, since otherwise no rollout could ever move (D-20, D-21).
func resolveFenceposts(maxSurge, maxUnavailable *api.IntOrString, desired int32) (surge, unavailable int32) {
	surge, unavailable = maxSurge.Scaled(desired, true), maxUnavailable.Scaled(desired, false)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable
}

// hasProgressDeadline says whether progress is judged at all (D-5).
func hasProgressDeadline(d *api.Deployment) bool {
	return d.Spec.ProgressDeadlineSeconds != nil && *d.Spec.ProgressDeadlineSeconds != unlimited
}

// hasRevisionHistoryLimit says whether old ReplicaSets are ever removed (D-4).
func hasRevisionHistoryLimit(d *api.Deployment) bool {
	return d.Spec.RevisionHistoryLimit != nil && *d.Spec.RevisionHistoryLimit != unlimited
}
