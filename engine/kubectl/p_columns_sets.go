package kubectl

import (
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// statefulSetCells prints a StatefulSet (K-42).
func statefulSetCells(o object, now int64, wide bool) []string {
	s := o.(*api.StatefulSet)
	cells := []string{s.Name, count(s.Status.ReadyReplicas) + "/" + count(replicas(s.Spec.Replicas)), ageOf(&s.ObjectMeta, now)}
	if wide {
		cells = append(cells, templateCells(&s.Spec.Template, nil, wide)[:2]...)
	}
	return cells
}

// daemonSetCells prints a DaemonSet (K-43).
func daemonSetCells(o object, now int64, wide bool) []string {
	d := o.(*api.DaemonSet)
	s := &d.Status
	return append([]string{d.Name, count(s.DesiredNumberScheduled), count(s.CurrentNumberScheduled), count(s.NumberReady),
		count(s.UpdatedNumberScheduled), count(s.NumberAvailable), labelText(d.Spec.Template.Spec.NodeSelector), ageOf(&d.ObjectMeta, now)},
		templateCells(&d.Spec.Template, d.Spec.Selector, wide)...)
}

// budgetCells prints a PodDisruptionBudget (K-45).
func budgetCells(o object, now int64, _ bool) []string {
	p := o.(*api.PodDisruptionBudget)
	return []string{p.Name, boundText(p.Spec.MinAvailable), boundText(p.Spec.MaxUnavailable), count(p.Status.DisruptionsAllowed),
		ageOf(&p.ObjectMeta, now)}
}

// boundText prints a bound that may be missing.
func boundText(v *api.IntOrString) string {
	if v == nil {
		return "N/A"
	}
	return v.String()
}

// revisionCells prints a ControllerRevision (K-46).
func revisionCells(o object, now int64, _ bool) []string {
	r := o.(*api.ControllerRevision)
	controller := none
	if ref := r.ControllerOf(); ref != nil {
		controller = resourceName(api.Key{Kind: ref.Kind, Name: ref.Name})
	}
	return []string{r.Name, controller, strconv.FormatInt(r.Revision, 10), ageOf(&r.ObjectMeta, now)}
}

// claimCells prints a PersistentVolumeClaim. Its volume, capacity and access modes are empty: nothing is provisioned.
func claimCells(o object, now int64, _ bool) []string {
	c := o.(*api.PersistentVolumeClaim)
	phase := c.Status.Phase
	if c.Terminating() {
		phase = "Terminating"
	}
	return []string{c.Name, phase, specText(c, "volumeName", ""), "", "", specText(c, "storageClassName", ""),
		specText(c, "volumeAttributesClassName", "<unset>"), ageOf(&c.ObjectMeta, now), specText(c, "volumeMode", "<unset>")}
}

// specText returns a text in the spec of a claim.
func specText(c *api.PersistentVolumeClaim, name, missing string) string {
	if s, ok := c.Spec[name].(string); ok {
		return s
	}
	return missing
}

// claimSize returns the storage that a claim asks for.
func claimSize(c *api.PersistentVolumeClaim, missing string) string {
	resources, _ := c.Spec["resources"].(map[string]any)
	requests, _ := resources["requests"].(map[string]any)
	if size, ok := requests["storage"].(string); ok {
		return size
	}
	return missing
}

// claimModes prints the access modes that a claim asks for, as Go prints a list.
func claimModes(c *api.PersistentVolumeClaim) string {
	list, _ := c.Spec["accessModes"].([]any)
	modes := make([]string, len(list))
	for i := range list {
		modes[i], _ = list[i].(string)
	}
	return "[" + strings.Join(modes, " ") + "]"
}
