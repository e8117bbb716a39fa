package print

import (
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// statefulSetCells prints a StatefulSet (K-42).
func statefulSetCells(o api.Object, now int64, wide bool) []string {
	s := o.(*api.StatefulSet)
	cells := []string{s.Name, Count(s.Status.ReadyReplicas) + "/" + Count(Given(s.Spec.Replicas)), AgeOf(&s.ObjectMeta, now)}
	if wide {
		cells = append(cells, templateCells(&s.Spec.Template, nil, wide)[:2]...)
	}
	return cells
}

// daemonSetCells prints a DaemonSet (K-43).
func daemonSetCells(o api.Object, now int64, wide bool) []string {
	d := o.(*api.DaemonSet)
	s := &d.Status
	return append([]string{d.Name, Count(s.DesiredNumberScheduled), Count(s.CurrentNumberScheduled), Count(s.NumberReady),
		Count(s.UpdatedNumberScheduled), Count(s.NumberAvailable), LabelText(d.Spec.Template.Spec.NodeSelector), AgeOf(&d.ObjectMeta, now)},
		templateCells(&d.Spec.Template, d.Spec.Selector, wide)...)
}

// budgetCells prints a PodDisruptionBudget (K-45).
func budgetCells(o api.Object, now int64, _ bool) []string {
	p := o.(*api.PodDisruptionBudget)
	return []string{p.Name, boundText(p.Spec.MinAvailable), boundText(p.Spec.MaxUnavailable), Count(p.Status.DisruptionsAllowed),
		AgeOf(&p.ObjectMeta, now)}
}

// boundText prints a bound that may be missing.
func boundText(v *api.IntOrString) string {
	if v == nil {
		return "N/A"
	}
	return v.String()
}

// revisionCells prints a ControllerRevision (K-46).
func revisionCells(o api.Object, now int64, _ bool) []string {
	r := o.(*api.ControllerRevision)
	controller := None
	if ref := r.ControllerOf(); ref != nil {
		controller = line.ResourceName(api.Key{Kind: ref.Kind, Name: ref.Name})
	}
	return []string{r.Name, controller, strconv.FormatInt(r.Revision, 10), AgeOf(&r.ObjectMeta, now)}
}

// claimCells prints a PersistentVolumeClaim. Its volume, capacity and access modes are empty: nothing is provisioned.
func claimCells(o api.Object, now int64, _ bool) []string {
	c := o.(*api.PersistentVolumeClaim)
	phase := c.Status.Phase
	if c.Terminating() {
		phase = "Terminating"
	}
	return []string{c.Name, phase, SpecText(c, "volumeName", ""), "", "", SpecText(c, "storageClassName", ""),
		SpecText(c, "volumeAttributesClassName", "<unset>"), AgeOf(&c.ObjectMeta, now), SpecText(c, "volumeMode", "<unset>")}
}

// SpecText returns a text in the spec of a claim.
func SpecText(c *api.PersistentVolumeClaim, name, missing string) string {
	if s, ok := c.Spec[name].(string); ok {
		return s
	}
	return missing
}
