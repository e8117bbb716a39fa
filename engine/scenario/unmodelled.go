package scenario

import (
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
)

// NotModelled finds the fields of a workload's pods that decide about a rollout in a real cluster, and that are not modelled: a path in the
// spec of a pod, and a sentence.
func NotModelled(o api.Object, found func(field, text string)) {
	template := api.TemplateOf(o)
	if template == nil {
		return
	}
	tree := template.Spec.Tree()
	if s := tree.Text("schedulerName"); s != "" && s != "default-scheduler" {
		found("schedulerName", "The scheduler "+s+" decides where pods fit; only the default scheduler is modelled.")
	}
	for _, field := range [...]string{"schedulingGates", "resourceClaims"} {
		if len(tree.Items(field)) > 0 {
			found(field, field+" decide when and where a pod is scheduled; they are not modelled.")
		}
	}
	if d, ok := o.(*api.Deployment); !ok || d.Spec.Strategy.Type != api.RollingUpdate {
		return
	}
	for i, v := range tree.Items("volumes") {
		if claim := v.Object("persistentVolumeClaim"); claim != nil {
			found("volumes["+strconv.Itoa(i)+"].persistentVolumeClaim", "Volume "+v.Text("name")+" uses the claim "+claim.Text("claimName")+
				": if only one node may mount it (ReadWriteOnce), a new pod on another node waits until the old one is gone. Volumes are not modelled.")
		}
	}
}

// LimitsPods says whether an object is a LimitRange that is about pods, and not only about claims.
func LimitsPods(kind api.Kind, o api.Fields) bool {
	if kind == "LimitRange" {
		for _, limit := range o.Object("spec").Items("limits") {
			if limit.Text("type") != "PersistentVolumeClaim" {
				return true
			}
		}
	}
	return false
}
