package describe

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// statefulSet adds a StatefulSet (describe.go:describeStatefulSet).
func (d *description) statefulSet(o *api.StatefulSet) {
	d.line("Name:\t%s", o.Name)
	d.line("Namespace:\t%s", o.Namespace)
	d.line("CreationTimestamp:\t%s", date(o.CreationTimestamp))
	d.line("Selector:\t%s", print.SelectorText(o.Spec.Selector))
	d.multi("Labels", print.LabelPairs(o.Labels))
	d.annotations("Annotations", o.Annotations)
	if o.Spec.ServiceName != "" {
		d.line("Service Name:\t%s", o.Spec.ServiceName)
	}
	d.line("Pod Management Policy:\t%s", o.Spec.PodManagementPolicy)
	d.line("Replicas:\t%d desired | %d total", print.Replicas(o.Spec.Replicas), o.Status.Replicas)
	d.line("Update Strategy:\t%s", o.Spec.UpdateStrategy.Type)
	if u := o.Spec.UpdateStrategy.RollingUpdate; u != nil && u.Partition != nil {
		d.line("  Partition:\t%d", *u.Partition)
		if u.MaxUnavailable != nil {
			d.line("  MaxUnavailable:\t%s", u.MaxUnavailable)
		}
	}
	if p := o.Spec.PersistentVolumeClaimRetentionPolicy; p != nil {
		d.line("Persistent Volume Claim Retention Policy:\n  WhenDeleted:\t%s\n  WhenScaled:\t%s", p.WhenDeleted, p.WhenScaled)
	}
	d.podsStatus(&o.ObjectMeta, o.Spec.Selector)
	d.template(&o.Spec.Template)
	d.claimTemplates(o.Spec.VolumeClaimTemplates)
}

// claimTemplates adds what every pod of a StatefulSet claims.
func (d *description) claimTemplates(claims []api.PersistentVolumeClaim) {
	if len(claims) == 0 {
		d.line("Volume Claims:\t%s", print.None)
		return
	}
	d.add("Volume Claims:")
	for i := range claims {
		c := &claims[i]
		d.line("  Name:\t%s", c.Name)
		d.line("  StorageClass:\t%s", print.SpecText(c, "storageClassName", ""))
		d.multi("  Labels", print.LabelPairs(c.Labels))
		d.multi("  Annotations", print.LabelPairs(c.Annotations))
		d.line("  Capacity:\t%s", claimSize(c, "<default>"))
		d.line("  Access Modes:\t%s", claimModes(c))
	}
}

// daemonSet adds a DaemonSet (describe.go:describeDaemonSet).
func (d *description) daemonSet(o *api.DaemonSet) {
	d.line("Name:\t%s", o.Name)
	d.line("Namespace:\t%s", o.Namespace)
	d.line("Selector:\t%s", print.SelectorText(o.Spec.Selector))
	d.line("Node-Selector:\t%s", print.LabelText(o.Spec.Template.Spec.NodeSelector))
	d.multi("Labels", print.LabelPairs(o.Labels))
	d.annotations("Annotations", o.ServedAnnotations())
	s := &o.Status
	d.line("Desired Number of Nodes Scheduled: %d", s.DesiredNumberScheduled)
	d.line("Current Number of Nodes Scheduled: %d", s.CurrentNumberScheduled)
	d.line("Number of Nodes Scheduled with Up-to-date Pods: %d", s.UpdatedNumberScheduled)
	d.line("Number of Nodes Scheduled with Available Pods: %d", s.NumberAvailable)
	d.line("Number of Nodes Misscheduled: %d", s.NumberMisscheduled)
	d.podsStatus(&o.ObjectMeta, o.Spec.Selector)
	d.template(&o.Spec.Template)
}

// budget adds a PodDisruptionBudget (describe.go:describePodDisruptionBudgetV1).
func (d *description) budget(o *api.PodDisruptionBudget) {
	d.line("Name:\t%s", o.Name)
	d.line("Namespace:\t%s", o.Namespace)
	switch {
	case o.Spec.MinAvailable != nil:
		d.line("Min available:\t%s", o.Spec.MinAvailable)
	case o.Spec.MaxUnavailable != nil:
		d.line("Max unavailable:\t%s", o.Spec.MaxUnavailable)
	}
	selector := "<unset>"
	if o.Spec.Selector != nil {
		selector = print.SelectorText(o.Spec.Selector)
	}
	d.line("Selector:\t%s", selector)
	s := &o.Status
	d.line("Status:\n    Allowed disruptions:\t%d\n    Current:\t%d\n    Desired:\t%d\n    Total:\t%d",
		s.DisruptionsAllowed, s.CurrentHealthy, s.DesiredHealthy, s.ExpectedPods)
}

// claim adds a PersistentVolumeClaim (describe.go:describePersistentVolumeClaim).
func (d *description) claim(o *api.PersistentVolumeClaim) {
	d.line("Name:\t%s", o.Name)
	d.line("Namespace:\t%s", o.Namespace)
	d.line("StorageClass:\t%s", print.SpecText(o, "storageClassName", ""))
	if o.Terminating() {
		d.line("Status:\tTerminating (lasts %s)", print.Since(o.DeletionTimestamp, d.now))
	} else {
		d.line("Status:\t%s", o.Status.Phase)
	}
	d.line("Volume:\t%s", print.SpecText(o, "volumeName", ""))
	d.multi("Labels", print.LabelPairs(o.Labels))
	d.annotations("Annotations", o.Annotations)
	d.line("Finalizers:\t[%s]", strings.Join(o.Finalizers, " "))
	d.line("Capacity:\t\nAccess Modes:\t\nVolumeMode:\t%s", print.SpecText(o, "volumeMode", ""))
	d.multi("Used By", d.usersOf(o))
}

// usersOf lists the pods of StatefulSets that get a claim by its name and theirs (S-42).
func (d *description) usersOf(claim *api.PersistentVolumeClaim) (names []string) {
	for _, o := range d.All(api.KindPod) {
		m := o.Meta()
		ref := m.ControllerOf()
		if ref == nil || m.Namespace != claim.Namespace {
			continue
		}
		set, _ := d.Get(api.Key{Kind: ref.Kind, Namespace: m.Namespace, Name: ref.Name}).(*api.StatefulSet)
		for i := 0; set != nil && i < len(set.Spec.VolumeClaimTemplates); i++ {
			if set.Spec.VolumeClaimTemplates[i].Name+"-"+m.Name == claim.Name {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// generic adds an object of a kind that kubectl has no words of its own for: its fields, by name.
func (d *description) generic(o api.Object) {
	m := o.Meta()
	d.line("Name:\t%s", m.Name)
	d.line("Namespace:\t%s", m.Namespace)
	d.multi("Labels", print.LabelPairs(m.Labels))
	d.annotations("Annotations", m.Annotations)
	tree := print.ObjectTree(o)
	if meta, ok := tree["metadata"].(map[string]any); ok {
		for _, name := range []string{"name", "namespace", "labels", "annotations"} {
			delete(meta, name)
		}
	}
	d.fields(tree, "")
}

// fields adds the fields of a tree, one level of it indented more than the one above.
func (d *description) fields(tree map[string]any, indent string) {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		switch v := tree[name].(type) {
		case map[string]any:
			d.line("%s%s:", indent, fieldTitle(name))
			d.fields(v, indent+"  ")
		case []any:
			d.line("%s%s:", indent, fieldTitle(name))
			for _, e := range v {
				if m, ok := e.(map[string]any); ok {
					d.fields(m, indent+"  ")
				} else {
					d.line("%s  %s", indent, scalarText(e))
				}
			}
		default:
			d.line("%s%s:\t%s", indent, fieldTitle(name), scalarText(v))
		}
	}
}

// scalarText prints a text, a number or a truth of a tree.
func scalarText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return boolText(v)
	}
	return "<nil>"
}

// fieldTitle makes words of a field's name: creationTimestamp is Creation Timestamp. Names with other characters than
// letters, such as those of labels, stay.
func fieldTitle(name string) string {
	var words []string
	from := 0
	for i, c := range name {
		upper := c >= 'A' && c <= 'Z'
		if !upper && (c < 'a' || c > 'z') && c != '-' {
			return name
		}
		if upper && i > 0 && name[i-1] >= 'a' {
			words = append(words, name[from:i])
			from = i
		}
	}
	words = append(words, name[from:])
	for i, w := range words {
		switch upper := strings.ToUpper(w); upper {
		case "API", "URL", "UID", "GUID":
			words[i] = upper
		default:
			words[i] = upper[:1] + w[1:]
		}
	}
	return strings.Join(words, " ")
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
