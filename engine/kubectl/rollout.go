package kubectl

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/deployment"
)

// forDeployments does something with each named Deployment and stores it.
func (k *Kubectl) forDeployments(c *command, change func(*api.Deployment) (what string, err error)) (string, error) {
	if err := c.only(api.KindDeployment); err != nil {
		return "", err
	}
	return each(c.targets, func(key api.Key) (string, error) {
		d, err := k.deployment(key)
		if err != nil {
			return "", err
		}
		what, err := change(d)
		if err != nil {
			return "", err
		}
		if _, err := k.store(d, what); err != nil {
			return "", err
		}
		return resourceName(key) + " " + what, nil
	})
}

func (k *Kubectl) rolloutPause(c *command) (string, error) {
	return k.forDeployments(c, func(d *api.Deployment) (string, error) {
		if d.Spec.Paused {
			return "", fmt.Errorf("deployments.apps %q is already paused", d.Name) // K-30
		}
		d.Spec.Paused = true
		return "paused", nil
	})
}

func (k *Kubectl) rolloutResume(c *command) (string, error) {
	return k.forDeployments(c, func(d *api.Deployment) (string, error) {
		if !d.Spec.Paused {
			return "", fmt.Errorf("deployments.apps %q is not paused", d.Name) // K-31
		}
		d.Spec.Paused = false
		return "resumed", nil
	})
}

// rolloutRestart stamps the template with the present second, which makes it a new one (K-32).
func (k *Kubectl) rolloutRestart(c *command) (string, error) {
	return k.forDeployments(c, func(d *api.Deployment) (string, error) {
		if d.Spec.Paused {
			return "", fmt.Errorf("deployments.apps %q can't restart paused deployment (run rollout resume first)", d.Name)
		}
		stamp, err := k.client.Timestamp().MarshalText()
		if err != nil {
			return "", err
		}
		if d.Spec.Template.Annotations[api.RestartedAtAnnotation] == string(stamp) {
			return "", fmt.Errorf("failed to create patch for %s: if restart has already been triggered within the past second, "+
				"please wait before attempting to trigger another", d.Name)
		}
		d.Spec.Template = d.Spec.Template.WithAnnotation(api.RestartedAtAnnotation, string(stamp))
		return "restarted", nil
	})
}

// rolloutUndo puts the template of an earlier revision back (K-20 to K-26).
func (k *Kubectl) rolloutUndo(c *command) (string, error) {
	to, err := toRevision(c.flags["to-revision"])
	if err != nil {
		return "", err
	}
	if err := c.only(api.KindDeployment); err != nil {
		return "", err
	}
	return each(c.targets, func(key api.Key) (string, error) {
		d, err := k.deployment(key)
		if err != nil {
			return "", err
		}
		warning := appliedWarning(d)
		if d.Spec.Paused {
			return "", errors.New("you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again")
		}
		rs, err := k.revision(d, to)
		if err != nil {
			return "", err
		}
		if rs.Spec.Template.EqualIgnoreHash(&d.Spec.Template) {
			return fmt.Sprintf("%s%s skipped rollback (current template already matches revision %d)", warning, resourceName(key), to), nil
		}
		d.Spec.Template = rs.Spec.Template.WithoutLabel(api.PodTemplateHashLabel)
		d.Annotations = deployment.AnnotationsAfterRollback(d, rs)
		if _, err := k.store(d, "rolled back to the template of "+rs.Name); err != nil {
			return "", err
		}
		return warning + resourceName(key) + " rolled back", nil
	})
}

func toRevision(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("invalid argument %q for \"--to-revision\" flag", text)
	}
	if n < 0 {
		return 0, fmt.Errorf("unable to find specified revision %d in history", n)
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
		"Consider using 'kubectl apply' with your previous configuration file instead.\n", d.Name)
}

// revision returns the ReplicaSet of a revision; 0 means the second highest one (K-20).
func (k *Kubectl) revision(d *api.Deployment, to int64) (*api.ReplicaSet, error) {
	var highest, second int64 = -1, -1
	found := map[int64]*api.ReplicaSet{}
	for _, o := range k.client.OwnedBy(api.KindReplicaSet, d.UID) {
		rs := o.(*api.ReplicaSet)
		n, err := strconv.ParseInt(rs.Annotations[api.RevisionAnnotation], 10, 64)
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
	if to == 0 {
		if second < 0 {
			return nil, fmt.Errorf("no rollout history found for deployment %q", d.Name) // K-24
		}
		return found[second], nil
	}
	if rs := found[to]; rs != nil {
		return rs, nil
	}
	return nil, fmt.Errorf("unable to find specified revision %d in history", to) // K-22
}
