package deployment

import (
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

const rollbackGo = "pkg/controller/deployment/rollback.go:"

// rollbackTo returns the revision that the deprecated annotation asks for; ok is false if there is none, or no number.
func rollbackTo(d *api.Deployment) (n int64, ok bool) {
	text, present := d.Annotations[api.RollbackToAnnotation]
	if !present {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// rollback serves the deprecated annotation (D-80). kubectl does not use it: it changes the template itself.
func (c *Controller) rollback(d *api.Deployment, rsList []*api.ReplicaSet) error {
	newRS, oldRSs, err := c.getAllReplicaSetsAndSyncRevision(d, rsList, true)
	if err != nil {
		return err
	}
	allRSs := withNew(oldRSs, newRS)
	n, _ := rollbackTo(d)
	if n == 0 {
		if n = lastRevision(allRSs); n == 0 {
			c.rollbackEvent(d, "Warning", "DeploymentRollbackRevisionNotFound", "Unable to find last revision.")
			return c.updateDeploymentAndClearRollbackTo(d)
		}
	}
	for _, rs := range allRSs {
		if have, ok := revision(&rs.ObjectMeta); ok && have == n {
			return c.rollbackToTemplate(d, rs, n)
		}
	}
	c.rollbackEvent(d, "Warning", "DeploymentRollbackRevisionNotFound", "Unable to find the revision to rollback to.")
	return c.updateDeploymentAndClearRollbackTo(d)
}

// lastRevision returns the second highest revision, 0 if there is none.
func lastRevision(rsList []*api.ReplicaSet) int64 {
	var highest, second int64
	for _, rs := range rsList {
		n, ok := revision(&rs.ObjectMeta)
		if !ok {
			continue
		}
		if n >= highest {
			highest, second = n, highest
		} else {
			second = max(second, n)
		}
	}
	return second
}

// rollbackToTemplate puts the template and the annotations of a ReplicaSet into the Deployment, unless they are there.
func (c *Controller) rollbackToTemplate(d *api.Deployment, rs *api.ReplicaSet, n int64) error {
	if rs.Spec.Template.EqualIgnoreHash(&d.Spec.Template) {
		c.rollbackEvent(d, "Warning", "DeploymentRollbackTemplateUnchanged",
			fmt.Sprintf("The rollback revision contains the same template as current deployment %q", d.Name))
		return c.updateDeploymentAndClearRollbackTo(d)
	}
	d.Spec.Template = rs.Spec.Template.WithoutLabel(api.PodTemplateHashLabel)
	d.Annotations = AnnotationsAfterRollback(d, rs)
	if err := c.updateDeploymentAndClearRollbackTo(d); err != nil {
		return err
	}
	// The event comes after the write, and not at all if that fails (D-80).
	c.rollbackEvent(d, "Normal", "DeploymentRollback", fmt.Sprintf("Rolled back deployment %q to revision %d", d.Name, n))
	return nil
}

// AnnotationsAfterRollback returns the Deployment's reserved annotations and all the others of the ReplicaSet, so that
// for example the change cause follows its revision (D-80, K-26).
func AnnotationsAfterRollback(d *api.Deployment, rs *api.ReplicaSet) map[string]string {
	out := map[string]string{}
	for k, v := range d.Annotations {
		if skipAnnotation(k) {
			out[k] = v
		}
	}
	for k, v := range rs.Annotations {
		if !skipAnnotation(k) {
			out[k] = v
		}
	}
	return out
}

func (c *Controller) rollbackEvent(d *api.Deployment, eventType, reason, message string) {
	c.client.Event(d.Key(), eventType, reason, message)
}

// updateDeploymentAndClearRollbackTo stores the Deployment without the annotation: each request is served once.
func (c *Controller) updateDeploymentAndClearRollbackTo(d *api.Deployment) error {
	updated := d.Shallow()
	updated.DeleteAnnotation(api.RollbackToAnnotation)
	_, err := c.client.Update(updated, "rollback annotation served", why.Rule("D-80", rollbackGo+"updateDeploymentAndClearRollbackTo"))
	return err
}
