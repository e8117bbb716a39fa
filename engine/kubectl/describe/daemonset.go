package describe

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

func (d *description) quota(o *api.ResourceQuota) {
	d.head(o)
	d.add("Resource\tUsed\tHard\n--------\t----\t----")
	for _, name := range print.SortedKeys(o.Status.Hard) {
		used, hard := o.Status.Used[name], o.Status.Hard[name]
		d.line("%s\t%s\t%s", name, used.String(), hard.String())
	}
}

// daemonSet adds a DaemonSet (describe.go:describeDaemonSet).
func (d *description) daemonSet(o *api.DaemonSet) {
	d.head(o)
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
	d.head(o)
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
