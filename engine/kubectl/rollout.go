package kubectl

import (
	"errors"
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/kubectl/read"
)

// forWorkloads changes each workload of a command.
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
	return join(failed, err)
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
		stamp, t := print.TimeText(k.client.Timestamp()), o.(api.Workload).Template()
		if t.Annotations[api.RestartedAtAnnotation] == stamp {
			return fmt.Errorf("failed to create patch for %s: if restart has already been triggered within the past second, "+
				"please wait before attempting to trigger another", o.Key().Name)
		}
		*t = t.WithAnnotation(api.RestartedAtAnnotation, stamp)
		return nil
	})
}

// rolloutUndo puts the template of an earlier revision back (K-20 to K-27).
func (k *Kubectl) rolloutUndo(c *command) error {
	if c.Dry == line.DryClient {
		return errors.New(`rollplay models --dry-run=server of "kubectl rollout undo", not --dry-run=client`)
	}
	to := c.Int("to-revision", 0)
	undo := func(o api.Object) (string, error) {
		key := o.Key()
		if _, applied := o.Meta().Annotations[api.LastAppliedAnnotation]; applied { // K-21
			c.complain(fmt.Sprintf("Warning: resource %s was previously managed with 'kubectl apply'. Rolling back will not update the "+
				"kubectl.kubernetes.io/last-applied-configuration annotation, which may cause unexpected behavior on future 'kubectl apply' "+
				"operations. Consider using 'kubectl apply' with your previous configuration file instead.", line.PluralName(key)))
		}
		if err := c.Unsupported(key); err != nil {
			return "", err
		}
		what, err := k.undo(c, api.Copy(o), to)
		return c.saidUnless(err, key, what)
	}
	if !c.FromManifest() {
		return k.each(c, undo)
	}
	found, missing := k.findAll(c)
	err := forEach(c, found, undo)
	if err != nil && missing != nil { // which is one error behind the others then
		return join(err, api.Errors(missing.(failures)))
	}
	return join(missing, err)
}

// undo rolls a workload back to the template of a revision, 0 meaning the second last one (K-20, K-24, K-27), and says what came of it.
func (k *Kubectl) undo(c *command, o api.Object, to int64) (what string, err error) {
	list := read.Revisions(stored{k.store}, o)
	d, ofSets := o.(*api.Deployment)
	number := to
	if to == 0 && len(list) > 1 {
		number = list[len(list)-2].Number
	}
	i := len(list) - 1
	for i >= 0 && list[i].Number != number {
		i--
	}
	switch {
	case to != 0 && i < 0:
		return "", fmt.Errorf("unable to find specified revision %d in history", to) // K-22
	case ofSets && (i < 0 || to == 0 && len(list) < 2):
		return "", fmt.Errorf("no rollout history found for deployment %q", d.Name) // K-24
	case i < 0 || to == 0 && len(list) < 2:
		return "", errors.New("no last revision to roll back to")
	case ofSets && d.Spec.Paused: // K-23
		return "", errors.New("you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again")
	}
	own, past := o.(api.Workload).Template(), list[i]
	if past.Template.EqualIgnoreHash(own) { // K-25
		return fmt.Sprintf("skipped rollback (current template already matches revision %d)", to), nil
	}
	*own = past.Template
	if ofSets {
		*own = own.WithoutLabel(api.PodTemplateHashLabel)
		d.Annotations = deployment.AnnotationsAfterRollback(d, past.Of.(*api.ReplicaSet))
	}
	if _, err := k.put(c, o, "rolled back to the template of "+past.Of.Meta().Name); err != nil {
		return "", fmt.Errorf("failed restoring revision %d: %w", to, err)
	}
	return "rolled back", nil
}
