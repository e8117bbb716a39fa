package deployment

import (
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// revisionHistoryMax is how many characters the revision-history annotation may have (D-29).
const revisionHistoryMax = 2000

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

// revision returns the number in the revision annotation: 0 if it is absent; ok is false if it is no number.
func revision(m *api.ObjectMeta) (n int64, ok bool) {
	text, present := m.Annotations[api.RevisionAnnotation]
	if !present {
		return 0, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
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

// skipAnnotation says whether an annotation of the Deployment is not copied to its ReplicaSets (D-41).
func skipAnnotation(key string) bool {
	switch key {
	case api.LastAppliedAnnotation, api.RevisionAnnotation, api.RevisionHistoryAnnotation,
		api.DesiredReplicasAnnotation, api.MaxReplicasAnnotation, api.RollbackToAnnotation:
		return true
	}
	return false
}

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

// setDeploymentRevision copies the revision to the Deployment and says whether that changed it (D-28).
func setDeploymentRevision(d *api.Deployment, revision string) bool {
	if d.Annotations[api.RevisionAnnotation] == revision {
		return false
	}
	d.SetAnnotation(api.RevisionAnnotation, revision)
	return true
}
