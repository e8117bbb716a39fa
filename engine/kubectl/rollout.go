package kubectl

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/deployment"
)

// forDeployments does something with each Deployment of a command and stores it. Upstream answers with the plural name
// where it is refused.
func (k *Kubectl) forDeployments(c *command, what string, change func(*api.Deployment) error) (string, error) {
	if len(k.objects(c)) == 0 {
		return noneFound(c), nil
	}
	return k.each(c, func(key api.Key) (string, error) {
		d, err := k.deployment(key)
		if err != nil {
			return "", err
		}
		if err := change(d); err != nil {
			return "", err
		}
		if _, err := k.put(c, d, what); err != nil {
			return "", fmt.Errorf("failed to patch: %w", err)
		}
		return c.said(key, what), nil
	})
}

// deployment reads a Deployment to be changed.
func (k *Kubectl) deployment(key api.Key) (*api.Deployment, error) {
	o, err := k.client.Get(key)
	if err != nil {
		return nil, err
	}
	return o.(*api.Deployment).DeepCopy(), nil
}

// noneFound is the answer about all objects of a type if there is none (K-37).
func noneFound(c *command) string {
	return fmt.Sprintf("No resources found in %s namespace.", c.namespace)
}

// unsupported returns kubectl's answer to a rollout verb about another kind.
func unsupported(doing string) func(api.Key) error {
	return func(key api.Key) error {
		return fmt.Errorf("%s %q %s is not supported", key.Kind.Resource(), key.Name, doing)
	}
}

// noRollbacker is kubectl's answer to the rollback of another kind.
func noRollbacker(key api.Key) error {
	return fmt.Errorf("no rollbacker has been implemented for %q", key.Kind)
}

func (k *Kubectl) rolloutPause(c *command) (string, error) {
	return k.forDeployments(c, "paused", func(d *api.Deployment) error {
		if d.Spec.Paused {
			return fmt.Errorf("deployments.apps %q is already paused", d.Name) // K-30
		}
		d.Spec.Paused = true
		return nil
	})
}

func (k *Kubectl) rolloutResume(c *command) (string, error) {
	return k.forDeployments(c, "resumed", func(d *api.Deployment) error {
		if !d.Spec.Paused {
			return fmt.Errorf("deployments.apps %q is not paused", d.Name) // K-31
		}
		d.Spec.Paused = false
		return nil
	})
}

// rolloutRestart stamps the template with the present second, which makes it a new one (K-32).
func (k *Kubectl) rolloutRestart(c *command) (string, error) {
	return k.forDeployments(c, "restarted", func(d *api.Deployment) error {
		if d.Spec.Paused {
			return fmt.Errorf("deployments.apps %q can't restart paused deployment (run rollout resume first)", d.Name)
		}
		stamp, err := k.client.Timestamp().MarshalText()
		if err != nil {
			return err
		}
		if d.Spec.Template.Annotations[api.RestartedAtAnnotation] == string(stamp) {
			return fmt.Errorf("failed to create patch for %s: if restart has already been triggered within the past second, "+
				"please wait before attempting to trigger another", d.Name)
		}
		d.Spec.Template = d.Spec.Template.WithAnnotation(api.RestartedAtAnnotation, string(stamp))
		return nil
	})
}

// rolloutUndo puts the template of an earlier revision back (K-20 to K-26). About several Deployments it goes on where one
// fails.
func (k *Kubectl) rolloutUndo(c *command) (string, error) {
	if c.dry == dryClient {
		return "", errors.New(`rollplay models --dry-run=server of "kubectl rollout undo", not --dry-run=client`)
	}
	to, err := toRevision(c.flags["to-revision"])
	if err != nil {
		return "", err
	}
	return k.each(c, func(key api.Key) (string, error) {
		d, err := k.deployment(key)
		if err != nil {
			return "", err
		}
		warning := appliedWarning(d)
		what, err := k.undo(c, d, to)
		if err != nil && warning != "" {
			return "", &partial{done: []string{warning}, failed: []error{err}}
		}
		if err != nil {
			return "", err
		}
		return joinLines([]string{warning, c.said(key, what)}), nil
	})
}

// undo rolls a Deployment back to a revision and says what came of it.
func (k *Kubectl) undo(c *command, d *api.Deployment, to int64) (what string, err error) {
	rs, err := k.revision(d, to)
	if err != nil {
		return "", err
	}
	if d.Spec.Paused { // K-23
		return "", errors.New("you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again")
	}
	if rs.Spec.Template.EqualIgnoreHash(&d.Spec.Template) { // K-25
		return fmt.Sprintf("skipped rollback (current template already matches revision %d)", to), nil
	}
	d.Spec.Template = rs.Spec.Template.WithoutLabel(api.PodTemplateHashLabel)
	d.Annotations = deployment.AnnotationsAfterRollback(d, rs)
	if _, err := k.put(c, d, "rolled back to the template of "+rs.Name); err != nil {
		return "", fmt.Errorf("failed restoring revision %d: %w", to, err)
	}
	return "rolled back", nil
}

func toRevision(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("invalid argument %q for \"--to-revision\" flag", text)
	}
	return n, nil
}

// appliedWarning is what kubectl says first if the object was made by kubectl apply (K-21).
func appliedWarning(d *api.Deployment) string {
	if _, ok := d.Annotations[api.LastAppliedAnnotation]; !ok {
		return ""
	}
	return fmt.Sprintf("Warning: resource deployments/%s was previously managed with 'kubectl apply'. Rolling back will not update the "+
		"kubectl.kubernetes.io/last-applied-configuration annotation, which may cause unexpected behavior on future 'kubectl apply' operations. "+
		"Consider using 'kubectl apply' with your previous configuration file instead.", d.Name)
}

// revision returns the ReplicaSet of a revision; 0 means the second highest one (K-20). One without the annotation has
// revision 0.
func (k *Kubectl) revision(d *api.Deployment, to int64) (*api.ReplicaSet, error) {
	var highest, second int64 = -1, -1
	found := map[int64]*api.ReplicaSet{}
	for _, o := range k.client.OwnedBy(api.KindReplicaSet, d.UID) {
		rs := o.(*api.ReplicaSet)
		n, err := int64(0), error(nil)
		if text, ok := rs.Annotations[api.RevisionAnnotation]; ok {
			n, err = strconv.ParseInt(text, 10, 64)
		}
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
