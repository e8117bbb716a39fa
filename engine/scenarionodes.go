package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
)

const (
	nodesDefault = 3
	nodesMax     = 5000 // what Kubernetes supports
)

// readNodes reads how many equal nodes there are, or a list of them.
func (r *specReader) readNodes(path string, v any) {
	r.nodes = true
	if _, ok := v.([]any); ok {
		r.list(r.node)(path, v)
		return
	}
	count := int64(nodesDefault)
	capacity := map[string]api.Quantity{}
	known := r.capacity(capacity)
	known["count"] = r.number(0, nodesMax, func(n int64) { count = n })
	if r.object(path, v, known) {
		r.scenario.Nodes = makeNodes(int(count), capacity)
	}
}

func (r *specReader) node(path string, v any) {
	n := &api.Node{}
	capacity := map[string]api.Quantity{}
	known := r.capacity(capacity)
	known["name"] = r.text(&n.Name)
	zone := ""
	known["zone"] = r.text(&zone)
	known["taints"] = r.list(r.taint(n))
	known["labels"] = func(path string, v any) {
		n.Labels = map[string]string{}
		m, ok := v.(map[string]any)
		if !ok {
			r.invalid(path, v, "must be an object of texts")
		}
		for _, k := range slices.Sorted(maps.Keys(m)) {
			var s string
			r.text(&s)(path+"["+k+"]", m[k])
			n.Labels[k] = s
		}
	}
	if !r.object(path, v, known) {
		return
	}
	setCapacity(n, capacity)
	setZone(n, zone)
	for _, e := range validate.Object(n) {
		field := path + "." + strings.TrimPrefix(e.Field, "metadata.")
		if !strings.HasPrefix(e.Field, "status.") {
			r.add(r.doc.at(field, field+": "+e.Body()))
		}
	}
	if slices.ContainsFunc(r.scenario.Nodes, func(o *api.Node) bool { return o.Name == n.Name && n.Name != "" }) {
		r.add(r.doc.at(path+".name", fmt.Sprintf("%s.name: Duplicate value: %q", path, n.Name)))
	}
	r.scenario.Nodes = append(r.scenario.Nodes, n)
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

// zoneLabel says in which failure zone a node is.
const zoneLabel = "topology.kubernetes.io/zone"

func setZone(n *api.Node, zone string) {
	if zone != "" {
		labels := maps.Clone(n.Labels)
		if labels == nil {
			labels = map[string]string{}
		}
		labels[zoneLabel] = zone
		n.Labels = labels
	}
}

// addNode registers a node with what the words behind its name say: cpu=4 memory=8Gi pods=110 zone=a.
func (w *world) addNode(d *deed) error {
	if w.server.Store.Get(d.key) != nil {
		return fmt.Errorf("node %q exists already; give the new one another name", d.key.Name)
	}
	n := &api.Node{ObjectMeta: api.ObjectMeta{Name: d.key.Name}}
	capacity := map[string]api.Quantity{}
	for _, word := range d.words {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "cpu", "memory", "pods":
			q, err := api.ParseQuantity(value)
			if err != nil || q.Cmp(api.Quantity{}) < 0 {
				return fmt.Errorf("%s: must be a quantity: %s=4, %s=500m, %s=8Gi", word, name, name, name)
			}
			if !q.IsZero() {
				capacity[name] = q
			}
		case "zone":
			setZone(n, value)
		default:
			return fmt.Errorf("add knows no %q; it knows cpu=, memory=, pods= and zone=", word)
		}
	}
	setCapacity(n, capacity)
	labelNode(n)
	if refused := validate.Object(n); len(refused) > 0 {
		return fmt.Errorf("%s: %s", refused[0].Field, refused[0].Body())
	}
	return w.kubelet.Register(n)
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
		setCapacity(n, capacity)
		nodes = append(nodes, n)
	}
	return nodes
}

func setCapacity(n *api.Node, capacity map[string]api.Quantity) {
	if len(capacity) > 0 {
		n.Status.Capacity, n.Status.Allocatable = maps.Clone(capacity), maps.Clone(capacity)
	}
}
