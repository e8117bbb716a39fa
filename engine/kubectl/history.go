package kubectl

import (
	"errors"
	"fmt"
	"sort"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
)

// noHistoryViewer is kubectl's answer to a kind that has no revisions.
func noHistoryViewer(key api.Key) error {
	return fmt.Errorf("no history viewer has been implemented for %q", groupKind(key.Kind))
}

// history is kubectl rollout history: the revisions of Deployments, or the template of one (K-15, K-16).
func (r *reading) history() error {
	revision, _ := strconv.ParseInt(r.flags["revision"], 10, 64) // the parser has checked it
	if revision < 0 {
		return fmt.Errorf("revision must be a positive integer: %d", revision)
	}
	groups, errs := r.find()
	for _, g := range groups {
		for _, o := range g.objects {
			if err := r.historyOf(o.(*api.Deployment), revision); err != nil {
				errs = append(errs, err)
			}
		}
	}
	for _, err := range errs {
		r.fail(err)
	}
	return nil
}

func (r *reading) historyOf(d *api.Deployment, revision int64) error {
	sets, revisions := r.revisions(d)
	title := resourceName(d.Key()) + " "
	switch {
	case len(sets) == 0:
		r.print(title + "\nNo rollout history found.")
	case revision > 0:
		rs := sets[revision]
		if rs == nil {
			return errors.New("unable to find the specified revision")
		}
		r.print(fmt.Sprintf("%swith revision #%d\n%s\n", title, revision, r.revisionTemplate(rs)))
	default:
		text := "REVISION\tCHANGE-CAUSE\n"
		for _, n := range revisions {
			text += strconv.FormatInt(n, 10) + "\t" + orNone(changeCause(sets[n])) + "\n"
		}
		r.print(title + "\n" + tabbed(text) + "\n")
	}
	return nil
}

// revisions returns the ReplicaSets of a Deployment by revision, and the revisions in order.
func (r *reading) revisions(d *api.Deployment) (sets map[int64]*api.ReplicaSet, revisions []int64) {
	sets = map[int64]*api.ReplicaSet{}
	for _, rs := range ownedSets(r.Cluster, d) {
		n, err := revisionOf(&rs.ObjectMeta)
		if err != nil {
			continue
		}
		if sets[n] == nil {
			revisions = append(revisions, n)
		}
		sets[n] = rs
	}
	sort.Slice(revisions, func(i, j int) bool { return revisions[i] < revisions[j] })
	return sets, revisions
}

// changeCause returns why there is a revision: the ReplicaSet's annotation, or else one that its template has.
func changeCause(rs *api.ReplicaSet) string {
	if cause := rs.Annotations[api.ChangeCauseAnnotation]; cause != "" {
		return cause
	}
	return rs.Spec.Template.Annotations[api.ChangeCauseAnnotation]
}

// revisionTemplate prints the template of a revision, its tabs as they are.
func (r *reading) revisionTemplate(rs *api.ReplicaSet) string {
	t := rs.Spec.Template
	if cause := rs.Annotations[api.ChangeCauseAnnotation]; cause != "" {
		t = t.WithAnnotation(api.ChangeCauseAnnotation, cause)
	}
	d := &description{reading: r}
	d.template(&t)
	return d.text.String()
}
