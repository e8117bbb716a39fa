package scenario

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/limits"
)

const nodesDefault = 3

// readNodes reads how many equal nodes there are, or a list of them.
func (r *specReader) readNodes(path string, v any) {
	r.nodes = true
	if _, ok := v.([]any); ok {
		names := map[string]bool{}
		r.listOf(limits.Nodes, func(path string, v any) { r.node(path, v, names) })(path, v)
		return
	}
	count := int64(nodesDefault)
	capacity := map[string]api.Quantity{}
	known := r.capacity(capacity)
	known["count"] = r.number(0, limits.Nodes, func(n int64) { count = n })
	if r.object(path, v, known) != nil {
		r.scenario.Nodes = makeNodes(int(count), capacity)
	}
}

// node reads a node of the list; names has those before it.
func (r *specReader) node(path string, v any, names map[string]bool) {
	n := &api.Node{}
	capacity, zone := map[string]api.Quantity{}, ""
	if r.object(path, v, r.nodeFields(n, capacity, &zone)) == nil {
		return
	}
	r.finishNode(path, n, capacity, zone)
	if names[n.Name] && n.Name != "" {
		r.add(r.doc.at(path+".name", fmt.Sprintf("%s.name: Duplicate value: %q", path, n.Name)))
	}
	names[n.Name] = true
	r.scenario.Nodes = append(r.scenario.Nodes, n)
}

// nodeFields returns readers for the fields of a node.
func (r *specReader) nodeFields(n *api.Node, capacity map[string]api.Quantity, zone *string) fields {
	known := r.capacity(capacity)
	known["name"] = r.text(&n.Name)
	known["zone"] = r.text(zone)
	known["taints"] = r.list(r.taint(n))
	known["labels"] = r.texts(&n.Labels)
	return known
}

// finishNode completes a node and reports the values that the API server would refuse.
func (r *specReader) finishNode(path string, n *api.Node, capacity map[string]api.Quantity, zone string) {
	SetCapacity(n, capacity)
	SetZone(n, zone)
	for _, e := range validate.Object(n) {
		field := path + "." + strings.TrimPrefix(e.Field, "metadata.")
		if !strings.HasPrefix(e.Field, "status.") {
			r.add(r.doc.at(field, field+": "+e.Body()))
		}
	}
}

// taint returns a reader for a taint, written as kubectl writes it.
func (r *specReader) taint(n *api.Node) func(string, any) {
	return func(path string, v any) {
		s, _ := v.(string)
		t, err := parseTaint(s)
		if err != nil {
			r.invalid(path, v, err.Error())
			return
		}
		n.Spec.Taints = append(n.Spec.Taints, t)
	}
}

var errTaint = errors.New("must be a taint: key=value:NoSchedule or key:NoExecute; " +
	"the effects are NoSchedule, PreferNoSchedule and NoExecute")

// parseTaint reads key=value:effect or key:effect.
func parseTaint(s string) (t api.Taint, err error) {
	pair, effect, _ := strings.Cut(s, ":")
	t.Key, t.Value, _ = strings.Cut(pair, "=")
	t.Effect = effect
	if t.Key == "" || effect != api.NoSchedule && effect != api.NoExecute && effect != "PreferNoSchedule" {
		return t, errTaint
	}
	return t, nil
}

// ZoneLabel says in which failure zone a node is.
const ZoneLabel = "topology.kubernetes.io/zone"

func SetZone(n *api.Node, zone string) {
	if zone != "" {
		n.Labels = api.With(n.Labels, ZoneLabel, zone)
	}
}

// capacity returns readers for the resources of a node. A resource that is 0 or absent is not limited.
func (r *specReader) capacity(to map[string]api.Quantity) fields {
	known := fields{}
	for _, name := range []string{"cpu", "memory", "pods"} {
		known[name] = func(path string, v any) {
			s, ok := word(v)
			q, err := api.ParseQuantity(strings.TrimSpace(s))
			switch {
			case !ok || err != nil:
				r.invalid(path, v, "must be a quantity: 4, 500m, 8Gi")
			case q.Cmp(api.Quantity{}) < 0:
				r.invalid(path, v, errNegative.Error())
			case !q.IsZero():
				to[name] = q
			}
		}
	}
	return known
}

// makeNodes returns nodes with the names node-1, node-2 and so on.
func makeNodes(count int, capacity map[string]api.Quantity) []*api.Node {
	var nodes []*api.Node
	for i := range count {
		n := &api.Node{ObjectMeta: api.ObjectMeta{Name: "node-" + strconv.Itoa(i+1)}}
		SetCapacity(n, capacity)
		nodes = append(nodes, n)
	}
	return nodes
}

func SetCapacity(n *api.Node, capacity map[string]api.Quantity) {
	if len(capacity) > 0 {
		n.Status.Capacity, n.Status.Allocatable = maps.Clone(capacity), maps.Clone(capacity)
	}
}

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
