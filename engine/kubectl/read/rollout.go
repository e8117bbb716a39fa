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

// errTimedOut is what ends kubectl rollout status after its --timeout.
var errTimedOut = errors.New("timed out waiting for the condition")

// status is kubectl rollout status: it prints a line for each version of a workload until its rollout is done or has
// failed (K-1). Several workloads are waited for one after the other.
func (r *reading) status() error {
	f := follow(r)
	if revision := r.Int("revision", 0); revision < 0 {
		return fmt.Errorf("revision must be a positive integer: %d", revision)
	}
	groups, errs := r.find()
	var wrong []error
	found := print.Flat(groups)
	for _, o := range found {
		if wrong = append(wrong, f.rollout(o.Key())); r.answer.Open {
			return nil
		}
	}
	if len(found)+len(errs) == 0 {
		r.complain(r.NoneFound(false))
	}
	r.fail(append(wrong, errs...)...)
	return nil
}

// rollout prints the status of a workload as it is now, and as it becomes.
func (f *follower) rollout(key api.Key) error {
	timeout := max(f.Timeout(0), 0) // 0 for none, as below it
	until := f.now + timeout
	o, changed := f.latest[key]
	if !changed {
		o = f.Cluster.Get(key)
	}
	if o == nil {
		return nil // deleted while another one was waited for
	}
	done, err := f.showStatus(o)
	for err == nil && !done && f.changes < len(f.Changes) && (timeout == 0 || f.Changes[f.changes].At <= until) {
		c := f.see()
		if c.Object().Key() != key {
			continue
		}
		f.now = c.At
		if c.New == nil {
			return errors.New("object has been deleted")
		}
		done, err = f.showStatus(c.New)
	}
	if err != nil || done {
		return err
	}
	if timeout > 0 && (f.changes < len(f.Changes) || f.End >= until) {
		f.now = until
		return errTimedOut
	}
	f.answer.Open = true
	return nil
}

// showStatus prints how far a rollout is, and says whether that is the last line. --revision works for Deployments only.
func (r *reading) showStatus(o api.Object) (done bool, err error) {
	var text string
	switch o := o.(type) {
	case *api.StatefulSet:
		text, done, err = statefulSetStatus(o)
	case *api.DaemonSet:
		text, done, err = daemonSetStatus(o)
	case *api.Deployment:
		text, done, err = rolloutStatus(o, r.Int("revision", 0))
	}
	if err == nil {
		r.print(text)
	}
	return done || r.Flags["watch"] == "false", err
}

// rolloutStatus says how far the rollout of a Deployment is (K-2). A paused one has no words of its own (K-3).
func rolloutStatus(d *api.Deployment, revision int64) (text string, done bool, err error) {
	if revision > 0 {
		running, err := d.RevisionNumber()
		if err != nil {
			return "", false, fmt.Errorf("cannot get the revision of deployment %q: %w", d.Name, err)
		}
		if revision != running {
			return "", false, fmt.Errorf("desired revision (%d) is different from the running revision (%d)", revision, running)
		}
	}
	s, want := &d.Status, api.Given(d.Spec.Replicas)
	waiting := fmt.Sprintf("Waiting for deployment %q rollout to finish: ", d.Name)
	switch progressing := api.FindCondition(s.Conditions, "Progressing"); {
	case d.Generation > s.ObservedGeneration:
		return "Waiting for deployment spec update to be observed...", false, nil
	case progressing != nil && progressing.Reason == "ProgressDeadlineExceeded":
		return "", false, fmt.Errorf("deployment %q exceeded its progress deadline", d.Name)
	case s.UpdatedReplicas < want:
		return fmt.Sprintf("%s%d out of %d new replicas have been updated...", waiting, s.UpdatedReplicas, want), false, nil
	case s.Replicas > s.UpdatedReplicas:
		return fmt.Sprintf("%s%d old replicas are pending termination...", waiting, s.Replicas-s.UpdatedReplicas), false, nil
	case s.AvailableReplicas < s.UpdatedReplicas:
		return fmt.Sprintf("%s%d of %d updated replicas are available...", waiting, s.AvailableReplicas, s.UpdatedReplicas), false, nil
	}
	return fmt.Sprintf("deployment %q successfully rolled out", d.Name), true, nil
}

// errNoRollingUpdate is the answer about a set whose pods are replaced by hand (K-4, K-10).
var errNoRollingUpdate = errors.New("rollout status is only available for RollingUpdate strategy type")

// daemonSetStatus says how far the rollout of a DaemonSet is (K-4).
func daemonSetStatus(d *api.DaemonSet) (text string, done bool, err error) {
	s := &d.Status
	waiting := fmt.Sprintf("Waiting for daemon set %q rollout to finish: ", d.Name)
	switch want := s.DesiredNumberScheduled; {
	case d.Spec.UpdateStrategy.Type != api.RollingUpdate:
		return "", false, errNoRollingUpdate
	case d.Generation > s.ObservedGeneration:
		return "Waiting for daemon set spec update to be observed...", false, nil
	case s.UpdatedNumberScheduled < want:
		return fmt.Sprintf("%s%d out of %d new pods have been updated...", waiting, s.UpdatedNumberScheduled, want), false, nil
	case s.NumberAvailable < want:
		return fmt.Sprintf("%s%d of %d updated pods are available...", waiting, s.NumberAvailable, want), false, nil
	}
	return fmt.Sprintf("daemon set %q successfully rolled out", d.Name), true, nil
}

// statefulSetStatus says how far the rollout of a StatefulSet is (K-10 to K-14). With a rollingUpdate, which is the default,
// it is a partitioned one, also if no partition holds anything back.
func statefulSetStatus(o *api.StatefulSet) (text string, done bool, err error) {
	s, u, want := &o.Status, &o.Spec.UpdateStrategy, api.Given(o.Spec.Replicas)
	switch {
	case u.Type != api.RollingUpdate:
		return "", false, errNoRollingUpdate
	case s.ObservedGeneration == 0 || o.Generation > s.ObservedGeneration:
		return "Waiting for statefulset spec update to be observed...", false, nil
	case s.ReadyReplicas < want: // K-11
		return fmt.Sprintf("Waiting for %d pods to be ready...", want-s.ReadyReplicas), false, nil
	case u.RollingUpdate != nil: // K-12
		if below := want - api.Given(u.RollingUpdate.Partition); s.UpdatedReplicas < below {
			return fmt.Sprintf("Waiting for partitioned roll out to finish: %d out of %d new pods have been updated...",
				s.UpdatedReplicas, below), false, nil
		}
		return fmt.Sprintf("partitioned roll out complete: %d new pods have been updated...", s.UpdatedReplicas), true, nil
	case s.UpdateRevision != s.CurrentRevision: // K-13
		return fmt.Sprintf("waiting for statefulset rolling update to complete %d pods at revision %s...",
			s.UpdatedReplicas, s.UpdateRevision), false, nil
	}
	return fmt.Sprintf("statefulset rolling update complete %d pods at revision %s...", // K-14
		s.CurrentReplicas, s.CurrentRevision), true, nil
}

// history is kubectl rollout history: the revisions of workloads, or the template of one (K-15, K-16).
func (r *reading) history() error {
	revision := r.Int("revision", 0)
	if revision < 0 {
		return fmt.Errorf("revision must be a positive integer: %d", revision)
	}
	groups, errs := r.find()
	for _, o := range print.Flat(groups) {
		errs = append(errs, r.historyOf(o, revision))
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
		text += strconv.FormatInt(p.Number, 10) + "\t" + cmp.Or(p.Cause, print.None) + "\n"
	}
	if revision > 0 {
		return errors.New("unable to find the specified revision")
	}
	r.print(title + "\n" + print.Tabbed(text) + "\n")
	return nil
}
