package scenario

import (
	"maps"
	"path"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
)

// LabelNode gives a node the labels that every kubelet puts on its node.
func LabelNode(n *api.Node) {
	addLabels(n, map[string]string{"kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux", "kubernetes.io/hostname": n.Name})
}

// addLabels gives a node those labels that it does not have.
func addLabels(n *api.Node, labels map[string]string) {
	maps.Copy(labels, n.Labels)
	n.Labels = labels
}

// FitNodes gives the nodes of the default cluster the labels that the pods of a text select: a pasted manifest without nodes is meant for
// a cluster in which it can run. If two manifests want different values of one label, the first one counts. A label over which pods spread gets three values: zone-1, zone-2 and zone-3.
func FitNodes(nodes []*api.Node, objects []Manifest) {
	for _, m := range objects {
		spec := api.PodSpecOf(m.Object)
		if spec == nil || len(spec.NodeSelector)+len(spec.TopologySpreadConstraints) == 0 {
			continue
		}
		for i, n := range nodes {
			labels := map[string]string{}
			for _, c := range spec.TopologySpreadConstraints {
				labels[c.TopologyKey] = path.Base(c.TopologyKey) + "-" + strconv.Itoa(1+i%3)
			}
			maps.Copy(labels, spec.NodeSelector)
			addLabels(n, labels)
		}
	}
}
