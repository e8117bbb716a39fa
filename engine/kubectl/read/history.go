package read

import (
	"cmp"
	"errors"
	"fmt"
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

// Revision is a template that a workload once had.
type Revision struct {
	Number   int64
	Template api.PodTemplateSpec
	Cause    string     // why there is this revision
	Of       api.Object // the ReplicaSet or ControllerRevision that keeps it
}

// Revisions lists the templates that a workload had, by number.
func Revisions(c Cluster, o api.Object) (list []*Revision) {
	if d, ok := o.(*api.Deployment); ok {
		for _, rs := range describe.OwnedSets(c, d) {
			if n, err := rs.RevisionNumber(); err == nil {
				t := rs.Spec.Template
				list = append(list, &Revision{n, t, cmp.Or(rs.Annotations[api.ChangeCauseAnnotation], t.Annotations[api.ChangeCauseAnnotation]), rs})
			}
		}
	}
	for _, r := range c.All(api.KindControllerRevision) {
		if rev := r.(*api.ControllerRevision); rev.Namespace == o.Meta().Namespace && rev.IsControlledBy(o.Meta().UID) {
			list = append(list, &Revision{rev.Revision, rev.Template, rev.Annotations[api.ChangeCauseAnnotation], rev})
		}
	}
	slices.SortStableFunc(list, func(a, b *Revision) int { return cmp.Compare(a.Number, b.Number) })
	return list
}

func (r *reading) historyOf(o api.Object, revision int64) error {
	past := Revisions(r.Cluster, o)
	title := line.ResourceName(o.Key()) + " "
	if len(past) == 0 {
		if revision > 0 {
			title += fmt.Sprintf("with revision #%d", revision)
		}
		r.print(title + "\nNo rollout history found.")
		return nil
	}
	text := "REVISION\tCHANGE-CAUSE\n"
	for i, p := range past {
		if i+1 < len(past) && past[i+1].Number == p.Number {
			continue // kubectl keeps one of a number
		}
		if revision > 0 && p.Number == revision {
			if rs, ok := p.Of.(*api.ReplicaSet); ok && rs.Annotations[api.ChangeCauseAnnotation] != "" { // it shows as the template's
				p.Template = p.Template.WithAnnotation(api.ChangeCauseAnnotation, p.Cause)
			}
			r.print(fmt.Sprintf("%swith revision #%d\n%s\n", title, revision, describe.Template(&p.Template)))
			return nil
		}
		text += strconv.FormatInt(p.Number, 10) + "\t" + print.OrNone(p.Cause) + "\n"
	}
	if revision > 0 {
		return errors.New("unable to find the specified revision")
	}
	r.print(title + "\n" + print.Tabbed(text) + "\n")
	return nil
}
