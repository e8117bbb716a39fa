package deployment

import (
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/why"
)

const rollbackGo = "pkg/controller/deployment/rollback.go:"

// rollbackTo returns the revision in the deprecated annotation; ok is false if it is missing or not a number
// (getRollbackTo).
func rollbackTo(d *api.Deployment) (n int64, ok bool) {
	text, present := d.Annotations[api.RollbackToAnnotation]
	if !present {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// rollback rolls back to the revision in the deprecated annotation (D-80). kubectl does not use the annotation: it changes
// the template itself.
func (c *Controller) rollback(d *api.Deployment, rsList []*api.ReplicaSet) error {
	newRS, oldRSs, err := c.getAllReplicaSetsAndSyncRevision(d, rsList, true)
	if err != nil {
		return err
	}
	allRSs := withNew(oldRSs, newRS)
	missing := "Unable to find the revision to rollback to."
	n, _ := rollbackTo(d)
	if n == 0 {
		if _, n = highestRevisions(allRSs); n == 0 {
			allRSs, missing = nil, "Unable to find last revision."
		}
	}
	for _, rs := range allRSs {
		if have, err := rs.RevisionNumber(); err == nil && have == n {
			return c.rollbackToTemplate(d, rs, n)
		}
	}
	c.client.Event(d.Key(), "Warning", "DeploymentRollbackRevisionNotFound", missing)
	return c.updateDeploymentAndClearRollbackTo(d)
}

// rollbackToTemplate copies the template and the annotations of a ReplicaSet to the Deployment, unless it has the template.
func (c *Controller) rollbackToTemplate(d *api.Deployment, rs *api.ReplicaSet, n int64) error {
	if rs.Spec.Template.EqualIgnoreHash(&d.Spec.Template) {
		c.client.Event(d.Key(), "Warning", "DeploymentRollbackTemplateUnchanged",
			fmt.Sprintf("The rollback revision contains the same template as current deployment %q", d.Name))
		return c.updateDeploymentAndClearRollbackTo(d)
	}
	d.Spec.Template = rs.Spec.Template.WithoutLabel(api.PodTemplateHashLabel)
	d.Annotations = AnnotationsAfterRollback(d, rs)
	if err := c.updateDeploymentAndClearRollbackTo(d); err != nil {
		return err
	}
	// The event follows the write; if the write fails, there is no event (D-80).
	c.client.Event(d.Key(), "Normal", "DeploymentRollback", fmt.Sprintf("Rolled back deployment %q to revision %d", d.Name, n))
	return nil
}

// updateDeploymentAndClearRollbackTo stores the Deployment without the annotation, so that each request is served once.
func (c *Controller) updateDeploymentAndClearRollbackTo(d *api.Deployment) error {
	updated := api.Shallow(d)
	updated.DeleteAnnotation(api.RollbackToAnnotation)
	_, err := c.client.Update(updated, "rollback annotation served", why.Rule("D-80", rollbackGo+"updateDeploymentAndClearRollbackTo"))
	return err
}
