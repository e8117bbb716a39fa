package read

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/describe"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// history is kubectl rollout history: the revisions of workloads, or the template of one (K-15, K-16).
func (r *reading) history() error {
	revision := r.Int("revision", 0)
	if revision < 0 {
		return fmt.Errorf("revision must be a positive integer: %d", revision)
	}
	groups, errs := r.find()
	for _, o := range print.Flat(groups) {
		if err := r.historyOf(o, revision); err != nil {
			errs = append(errs, err)
		}
	}
	r.fail(errs...)
	return nil
}

// pastTemplate is a template that a workload once had.
type pastTemplate struct {
	revision int64
	template api.PodTemplateSpec
	cause    string // why there is this revision
}

// pastTemplates lists the templates that a workload had, by revision.
func (r *reading) pastTemplates(o api.Object) []*pastTemplate {
	if d, ok := o.(*api.Deployment); ok {
		return r.setTemplates(d)
	}
	var past []*pastTemplate
	for _, rev := range ByRevision(api.Pick(slices.Values(r.Cluster.All(api.KindControllerRevision)), func(rev *api.ControllerRevision) bool {
		return rev.Namespace == o.Meta().Namespace && rev.IsControlledBy(o.Meta().UID)
	})) {
		past = append(past, &pastTemplate{rev.Revision, rev.Template, rev.Annotations[api.ChangeCauseAnnotation]})
	}
	return past
}

// setTemplates lists the templates of the ReplicaSets of a Deployment. What a ReplicaSet is annotated with as the cause is
// shown as the template's, too.
func (r *reading) setTemplates(d *api.Deployment) (past []*pastTemplate) {
	sets := map[int64]*api.ReplicaSet{}
	for _, rs := range describe.OwnedSets(r.Cluster, d) {
		if n, err := RevisionOf(&rs.ObjectMeta); err == nil {
			sets[n] = rs
		}
	}
	for _, n := range slices.Sorted(maps.Keys(sets)) {
		t, cause := sets[n].Spec.Template, changeCause(sets[n])
		if sets[n].Annotations[api.ChangeCauseAnnotation] != "" {
			t = t.WithAnnotation(api.ChangeCauseAnnotation, cause)
		}
		past = append(past, &pastTemplate{n, t, cause})
	}
	return past
}

// ByRevision sorts revisions by number.
func ByRevision(list []*api.ControllerRevision) []*api.ControllerRevision {
	slices.SortStableFunc(list, func(a, b *api.ControllerRevision) int { return cmp.Compare(a.Revision, b.Revision) })
	return list
}

func (r *reading) historyOf(o api.Object, revision int64) error {
	past := r.pastTemplates(o)
	title := line.ResourceName(o.Key()) + " "
	if len(past) == 0 {
		if revision > 0 {
			title += fmt.Sprintf("with revision #%d", revision)
		}
		r.print(title + "\nNo rollout history found.")
		return nil
	}
	text := "REVISION\tCHANGE-CAUSE\n"
	for _, p := range past {
		if revision > 0 && p.revision == revision {
			r.print(fmt.Sprintf("%swith revision #%d\n%s\n", title, revision, describe.Template(&p.template)))
			return nil
		}
		text += strconv.FormatInt(p.revision, 10) + "\t" + print.OrNone(p.cause) + "\n"
	}
	if revision > 0 {
		return errors.New("unable to find the specified revision")
	}
	r.print(title + "\n" + print.Tabbed(text) + "\n")
	return nil
}

// changeCause returns why there is a revision: the annotation of the ReplicaSet, or else of its template.
func changeCause(rs *api.ReplicaSet) string {
	return cmp.Or(rs.Annotations[api.ChangeCauseAnnotation], rs.Spec.Template.Annotations[api.ChangeCauseAnnotation])
}
