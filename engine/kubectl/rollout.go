package kubectl

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/read"
)

// forWorkloads does something with each workload of a command and stores it. Upstream answers with the plural name where
// it is refused.
func (k *Kubectl) forWorkloads(c *command, what string, change func(api.Object) error) error {
	if len(k.objects(c)) == 0 {
		c.complain(c.NoneFound(false))
		return nil
	}
	found, failed := k.findAll(c)
	done := map[api.Key]bool{} // kubectl sends the patch of an object that is named twice twice, and the second changes nothing
	err := forEach(c, found, func(o api.Object) (string, error) {
		if done[o.Key()] {
			return c.said(o.Key(), what), nil
		}
		if err := c.Unsupported(o.Key()); err != nil {
			return "", err
		}
		o = api.Copy(o)
		if err := change(o); err != nil {
			return "", err
		}
		if _, err := k.put(c, o, what); err != nil {
			return "", fmt.Errorf("failed to patch: %w", err)
		}
		done[o.Key()] = true
		return c.said(o.Key(), what), nil
	})
	return failed.and(err).orNil()
}

// setPaused returns what pauses Deployments or resumes them, but for those that are so already (K-30, K-31).
func setPaused(on bool, what, already string) func(*Kubectl, *command) error {
	return func(k *Kubectl, c *command) error {
		return k.forWorkloads(c, what, func(o api.Object) error {
			d := o.(*api.Deployment)
			if d.Spec.Paused == on {
				return fmt.Errorf("error: deployments.apps %q is %s", d.Name, already)
			}
			d.Spec.Paused = on
			return nil
		})
	}
}

// rolloutRestart stamps the template with the present second, which makes it a new one (K-32).
func (k *Kubectl) rolloutRestart(c *command) error {
	return k.forWorkloads(c, "restarted", func(o api.Object) error {
		if d, ok := o.(*api.Deployment); ok && d.Spec.Paused {
			return fmt.Errorf("error: deployments.apps %q can't restart paused deployment (run rollout resume first)", d.Name)
		}
		stamp, err := k.client.Timestamp().MarshalText()
		if err != nil {
			return err
		}
		t := o.(api.Workload).Template()
		if t.Annotations[api.RestartedAtAnnotation] == string(stamp) {
			return fmt.Errorf("failed to create patch for %s: if restart has already been triggered within the past second, "+
				"please wait before attempting to trigger another", o.Key().Name)
		}
		*t = t.WithAnnotation(api.RestartedAtAnnotation, string(stamp))
		return nil
	})
}

// rolloutUndo puts the template of an earlier revision back (K-20 to K-27). With several workloads it continues after a
// failure.
func (k *Kubectl) rolloutUndo(c *command) error {
	if c.Dry == line.DryClient {
		return errors.New(`rollplay models --dry-run=server of "kubectl rollout undo", not --dry-run=client`)
	}
	to := c.Int("to-revision", 0)
	return forEach(c, k.objects(c), func(key api.Key) (string, error) {
		o, err := k.find(c, key)
		if o == nil {
			return "", err
		}
		if warning := appliedWarning(o); warning != "" {
			c.complain(warning)
		}
		if err != nil {
			return "", err
		}
		what, err := k.undo(c, api.Copy(o), to)
		if err != nil {
			return "", err
		}
		return c.said(key, what), nil
	})
}

// undo rolls a workload back to a revision and says what came of it.
func (k *Kubectl) undo(c *command, o api.Object, to int64) (what string, err error) {
	d, ok := o.(*api.Deployment)
	if !ok {
		return k.undoSet(c, o, to)
	}
	rs, err := k.revision(d, to)
	if err != nil {
		return "", err
	}
	if d.Spec.Paused { // K-23
		return "", errors.New("you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again")
	}
	if rs.Spec.Template.EqualIgnoreHash(&d.Spec.Template) { // K-25
		return skippedRollback(to), nil
	}
	d.Spec.Template = rs.Spec.Template.WithoutLabel(api.PodTemplateHashLabel)
	d.Annotations = deployment.AnnotationsAfterRollback(d, rs)
	return k.restore(c, d, rs.Name, to)
}

// restore stores a workload with the template of a revision.
func (k *Kubectl) restore(c *command, o api.Object, from string, to int64) (what string, err error) {
	if _, err := k.put(c, o, "rolled back to the template of "+from); err != nil {
		return "", fmt.Errorf("failed restoring revision %d: %w", to, err)
	}
	return "rolled back", nil
}

// undoSet rolls a StatefulSet or a DaemonSet back: to the template of a ControllerRevision, 0 meaning the second last one
// (K-24, K-27).
func (k *Kubectl) undoSet(c *command, o api.Object, to int64) (what string, err error) {
	var list []*api.ControllerRevision
	for _, r := range k.client.OwnedBy(api.KindControllerRevision, o.Meta().UID) {
		list = append(list, r.(*api.ControllerRevision))
	}
	if to == 0 && len(list) <= 1 {
		return "", errors.New("no last revision to roll back to")
	}
	i := len(read.ByRevision(list)) - 2
	if to != 0 {
		i = slices.IndexFunc(list, func(r *api.ControllerRevision) bool { return r.Revision == to })
	}
	if i < 0 {
		return "", fmt.Errorf("unable to find specified revision %d in history", to) // K-22
	}
	template := o.(api.Workload).Template()
	if list[i].Template.Equal(template) { // K-25
		return skippedRollback(to), nil
	}
	*template = list[i].Template
	return k.restore(c, o, list[i].Name, to)
}

func skippedRollback(to int64) string {
	return fmt.Sprintf("skipped rollback (current template already matches revision %d)", to)
}

// appliedWarning is what kubectl says first if the object was made by kubectl apply (K-21).
func appliedWarning(o api.Object) string {
	m := o.Meta()
	if _, ok := m.Annotations[api.LastAppliedAnnotation]; !ok {
		return ""
	}
	return fmt.Sprintf("Warning: resource %s/%s was previously managed with 'kubectl apply'. Rolling back will not update the "+
		"kubectl.kubernetes.io/last-applied-configuration annotation, which may cause unexpected behavior on future 'kubectl apply' operations. "+
		"Consider using 'kubectl apply' with your previous configuration file instead.", kinds.Of(o.Key().Kind).Plural, m.Name)
}

// revision returns the ReplicaSet of a revision; 0 means the second highest one (K-20). One without the annotation has
// revision 0.
func (k *Kubectl) revision(d *api.Deployment, to int64) (*api.ReplicaSet, error) {
	var highest, second int64 = -1, -1
	found := map[int64]*api.ReplicaSet{}
	for _, o := range k.client.OwnedBy(api.KindReplicaSet, d.UID) {
		rs := o.(*api.ReplicaSet)
		n, err := read.RevisionOf(&rs.ObjectMeta)
		if err != nil {
			continue
		}
		found[n] = rs
		if n >= highest {
			highest, second = n, highest
		} else {
			second = max(second, n)
		}
	}
	switch {
	case to != 0 && found[to] == nil:
		return nil, fmt.Errorf("unable to find specified revision %d in history", to) // K-22
	case to != 0:
		return found[to], nil
	case second < 0:
		return nil, fmt.Errorf("no rollout history found for deployment %q", d.Name) // K-24
	}
	return found[second], nil
}
