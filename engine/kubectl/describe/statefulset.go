package describe

import (
	"cmp"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// statefulSet adds a StatefulSet (describe.go:describeStatefulSet).
func (d *description) statefulSet(o *api.StatefulSet) {
	d.head(o)
	d.line("CreationTimestamp:\t%s", date(o.CreationTimestamp))
	d.line("Selector:\t%s", print.SelectorText(o.Spec.Selector))
	d.labelled(o)
	d.given("Service Name", o.Spec.ServiceName)
	d.line("Pod Management Policy:\t%s", o.Spec.PodManagementPolicy)
	d.line("Replicas:\t%d desired | %d total", print.Given(o.Spec.Replicas), o.Status.Replicas)
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
		d.line("  Capacity:\t%s", cmp.Or(c.Spec.Object("resources").Object("requests").Text("storage"), "<default>"))
		d.line("  Access Modes:\t%s", c.Spec.Texts("accessModes"))
	}
}

// claim adds a PersistentVolumeClaim (describe.go:describePersistentVolumeClaim).
func (d *description) claim(o *api.PersistentVolumeClaim) {
	d.head(o)
	d.line("StorageClass:\t%s", print.SpecText(o, "storageClassName", ""))
	if o.Terminating() {
		d.line("Status:\tTerminating (lasts %s)", print.Since(o.DeletionTimestamp, d.now))
	} else {
		d.line("Status:\t%s", o.Status.Phase)
	}
	d.line("Volume:\t%s", print.SpecText(o, "volumeName", ""))
	d.labelled(o)
	d.line("Finalizers:\t[%s]", strings.Join(o.Finalizers, " "))
	d.line("Capacity:\t\nAccess Modes:\t\nVolumeMode:\t%s", print.SpecText(o, "volumeMode", ""))
	d.multi("Used By", d.usersOf(o))
}

// usersOf lists the pods of StatefulSets that mount a claim (S-42).
func (d *description) usersOf(claim *api.PersistentVolumeClaim) (names []string) {
	for _, o := range d.All(api.KindPod) {
		pod := o.(*api.Pod)
		for _, name := range print.Claims(pod) {
			if pod.Namespace == claim.Namespace && name+"-"+pod.Name == claim.Name {
				names = append(names, pod.Name)
			}
		}
	}
	return names
}
