package nodelife_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/nodelife"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/node/scheduler"
	"github.com/rollplay/rollplay/engine/sim"
)

// world is a cluster with nodes, their kubelets and a scheduler, and no controller of workloads.
type world struct {
	*cluster.Cluster
	kubelet *kubelet.Kubelet
}

// newWorld registers nodes, written as "name" or "name@zone".
func newWorld(t *testing.T, nodes ...string) *world {
	t.Helper()
	w := &world{Cluster: cluster.New(t)}
	nodelife.New(w.Server)
	scheduler.New(w.Server)
	none := &kubelet.Range{}
	w.kubelet = kubelet.New(w.Server, 1, []kubelet.Behaviour{{Match: "*", Pull: none, Start: none}})
	for _, n := range nodes {
		w.register(n)
	}
	return w
}

func (w *world) register(name string) {
	w.T.Helper()
	name, zone, _ := strings.Cut(name, "@")
	w.Must(w.kubelet.Register(&api.Node{ObjectMeta: api.ObjectMeta{Name: name,
		Labels: map[string]string{"topology.kubernetes.io/zone": zone}}}))
}

// names returns n names that begin with a text.
func names(n int, prefix string) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("%s%02d", prefix, i))
	}
	return list
}

// pod creates a pod for a node; tolerations is JSON with single quotes.
func (w *world) pod(name, node, tolerations string) {
	w.T.Helper()
	w.Create(&api.Pod{ObjectMeta: cluster.Meta(name), Spec: cluster.Spec(w.T,
		`{'nodeName': '`+node+`', 'tolerations': [`+tolerations+`], 'containers': [{'name': 'c', 'image': 'a:1'}]}`)})
}

// taints edits the taints of a node.
func (w *world) taints(node string, taints ...api.Taint) {
	w.T.Helper()
	w.EditNode(node, func(n *api.Node) { n.Spec.Taints = taints })
}

// has says whether a node has a taint, written key:effect.
func has(n *api.Node, taint string) bool {
	for _, t := range n.Spec.Taints {
		if t.Key+":"+t.Effect == taint {
			return true
		}
	}
	return false
}

// when returns the times of the records with a text.
func (w *world) when(text string) (list []sim.Time) {
	for _, r := range w.Records(func(r *sim.Record) bool { return strings.Contains(r.Reason+" "+r.What, text) }) {
		list = append(list, r.At)
	}
	return list
}

const unreachableNoExecute = "node.kubernetes.io/unreachable:NoExecute"
