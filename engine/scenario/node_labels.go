package scenario

import (
	"maps"

	"github.com/rollplay/rollplay/engine/api"
)

// LabelNode gives a node the labels that every kubelet puts on its node.
func LabelNode(n *api.Node) {
	labels := map[string]string{"kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux", "kubernetes.io/hostname": n.Name}
	maps.Copy(labels, n.Labels)
	n.Labels = labels
}

// FitNodes gives the nodes of the default cluster the labels that the pods of a text ask for: who pastes a manifest and
// says nothing about nodes means a cluster in which it can run. Where two manifests want different values of one label,
// the first one has it.
func FitNodes(nodes []*api.Node, objects []Manifest) {
	for _, m := range objects {
		spec := podSpecOf(m.Object)
		if spec == nil {
			continue
		}
		for _, n := range nodes {
			labels := maps.Clone(spec.NodeSelector)
			maps.Copy(labels, n.Labels)
			n.Labels = labels
		}
	}
}

// podSpecOf returns the pod spec of an object if it selects nodes, or nil.
func podSpecOf(o api.Object) *api.PodSpec {
	var spec *api.PodSpec
	switch o := o.(type) {
	case api.Workload:
		spec = o.Template().Spec
	case *api.Pod:
		spec = o.Spec
	}
	if spec == nil || len(spec.NodeSelector) == 0 {
		return nil
	}
	return spec
}
