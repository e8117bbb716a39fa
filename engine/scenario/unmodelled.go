package scenario

import (
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// Unmodelled is a field that decides about a rollout in a real cluster, and is not modelled.
type Unmodelled struct{ Field, Text string }

// NotModelled lists such fields of a workload.
func NotModelled(o api.Object) (list []Unmodelled) {
	template := api.TemplateOf(o)
	if template == nil {
		return nil
	}
	tree := template.Spec.Tree()
	decides := func(field, text string) { list = append(list, Unmodelled{"spec.template.spec." + field, text}) }
	if s := tree.Text("schedulerName"); s != "" && s != "default-scheduler" {
		decides("schedulerName", "The scheduler "+s+" decides where pods fit; only the default scheduler is modelled.")
	}
	if len(tree.Items("schedulingGates")) > 0 {
		decides("schedulingGates", "schedulingGates decide when a pod is scheduled; they are not modelled.")
	}
	if len(tree.Items("resourceClaims")) > 0 {
		decides("resourceClaims", "resourceClaims decide where pods fit; they are not modelled.")
	}
	if d, ok := o.(*api.Deployment); ok && d.Spec.Strategy.Type == api.RollingUpdate {
		for i, v := range tree.Items("volumes") {
			if claim := v.Object("persistentVolumeClaim"); claim != nil {
				decides(fmt.Sprintf("volumes[%d].persistentVolumeClaim", i), fmt.Sprintf("Volume %s uses the claim %s: if only one node may mount it "+
					"(ReadWriteOnce), a new pod on another node waits until the old one is gone. Volumes are not modelled.",
					v.Text("name"), claim.Text("claimName")))
			}
		}
	}
	return list
}

// LimitsPods says whether an object is a LimitRange that is about pods, and not only about claims.
func LimitsPods(kind api.Kind, o api.Fields) bool {
	return kind == "LimitRange" && slices.ContainsFunc(o.Object("spec").Items("limits"),
		func(limit api.Fields) bool { return limit.Text("type") != "PersistentVolumeClaim" })
}
