package apiserver

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// PodFromTemplate returns a pod of a template without a name, controlled by its owner (GetPodFromTemplate).
func PodFromTemplate(owner api.Object, template *api.PodTemplateSpec) *api.Pod {
	m := owner.Meta()
	return &api.Pod{
		ObjectMeta: api.ObjectMeta{
			GenerateName:    m.Name + "-",
			Namespace:       m.Namespace,
			Labels:          template.Labels,
			Annotations:     template.Annotations,
			OwnerReferences: []api.OwnerReference{ControllerRef(owner)},
		},
		NodeName: template.Spec.NodeName,
		Spec:     template.Spec,
		Status:   api.PodStatus{Phase: api.PodPending},
	}
}

// CreatePod creates a pod and sends an event about its owner (R-12, R-13, RealPodControl.createPods).
func (c *Client) CreatePod(owner api.Key, pod *api.Pod, what string, why *sim.Explain) (api.Object, error) {
	created, err := c.Create(pod, what, why)
	if err != nil {
		c.Event(owner, "Warning", "FailedCreate", "Error creating: "+err.Error())
		return nil, err
	}
	c.Event(owner, "Normal", "SuccessfulCreate", "Created pod: "+created.Meta().Name)
	return created, nil
}

// DeletePod deletes a pod and sends an event about its owner (R-14, R-15, RealPodControl.DeletePod). It calls failed before the event of
// a pod that is not deleted; a pod that is gone already counts as deleted, without an event.
func (c *Client) DeletePod(owner api.Key, pod *api.Pod, what string, why *sim.Explain, failed func()) error {
	err := c.Delete(pod.Key(), DeleteOptions{}, what, why)
	if err == nil {
		c.Event(owner, "Normal", "SuccessfulDelete", "Deleted pod: "+pod.Name)
		return nil
	}
	failed()
	if api.IsReason(err, api.ReasonNotFound) {
		return nil
	}
	c.Event(owner, "Warning", "FailedDelete", "Error deleting: "+err.Error())
	return fmt.Errorf("unable to delete pods: %w", err)
}
