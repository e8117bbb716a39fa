package compare

import (
	"fmt"
	"math/rand/v2"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
)

// placementWorld draws nodes, the pods on them, and pods that need a node.
type placementWorld struct {
	generate.Random
	nodes     []*api.Node
	templates []*api.Pod // pods share spec and labels with one of these, as those of one template do
	bound     []*api.Pod
	zones     bool // its nodes have zones
}

type fields = map[string]any

func newPlacementWorld(seed uint64) *placementWorld {
	w := &placementWorld{Random: generate.Random{Rand: rand.New(rand.NewPCG(seed, 23))}}
	w.zones = w.Chance(50)
	for i := range 1 + w.IntN(7) {
		w.nodes = append(w.nodes, w.node(fmt.Sprintf("node-%d", i)))
	}
	for range 1 + w.IntN(4) {
		w.templates = append(w.templates, w.template())
	}
	for i := range w.IntN(18) {
		p := w.pod(fmt.Sprintf("bound-%d", i))
		p.NodeName = generate.Pick(w.Random, w.nodes...).Name
		if w.Chance(15) {
			p.DeletionTimestamp, p.Finalizers = api.TimeAt(60_000), []string{"example.com/keep"}
		}
		w.bound = append(w.bound, p)
	}
	return w
}

func (w *placementWorld) node(name string) *api.Node {
	n := &api.Node{ObjectMeta: api.ObjectMeta{Name: name, UID: "uid-" + name, Labels: map[string]string{}}}
	if !w.Chance(8) {
		n.Labels["kubernetes.io/hostname"] = generate.Pick(w.Random, name, name, name, name, name, name, name, "node-0") // rarely taken
	}
	if !w.Chance(15) {
		n.Labels["zone"] = generate.Pick(w.Random, "a", "b", "c")
	}
	if w.zones && !w.Chance(10) {
		n.Labels["topology.kubernetes.io/zone"] = generate.Pick(w.Random, "a", "b", "c")
	}
	if w.Chance(50) {
		n.Labels["disk"] = generate.Pick(w.Random, "ssd", "hdd", "7")
	}
	if w.Chance(10) {
		n.Spec.Taints = append(n.Spec.Taints, api.Taint{Key: "dedicated", Value: generate.Pick(w.Random, "a", "b"),
			Effect: generate.Pick(w.Random, "NoSchedule", "NoExecute", "PreferNoSchedule")})
	}
	if w.Chance(4) {
		n.Spec.Unschedulable = true
		n.Spec.Taints = append(n.Spec.Taints, api.Taint{Key: api.TaintNodeUnschedulable, Effect: api.NoSchedule})
	}
	n.Status.Allocatable = map[string]api.Quantity{
		"cpu":    api.MustQuantity(generate.Pick(w.Random, "500m", "64", "64", "64", "64", "64")),
		"memory": api.MustQuantity(generate.Pick(w.Random, "256Mi", "64Gi", "64Gi", "64Gi", "64Gi", "64Gi")),
		"pods":   api.MustQuantity(generate.Pick(w.Random, "2", "110", "110", "110", "110", "110")),
	}
	n.Status.Capacity = n.Status.Allocatable
	return n
}

// template draws a namespace, labels and a spec.
func (w *placementWorld) template() *api.Pod {
	p := &api.Pod{ObjectMeta: api.ObjectMeta{Namespace: generate.Pick(w.Random, "default", "default", "default", "other")}}
	p.Labels = map[string]string{"app": generate.Pick(w.Random, "web", "web", "db")}
	if w.Chance(60) {
		p.Labels["pod-template-hash"] = generate.Pick(w.Random, "h1", "h2")
	}
	if w.Chance(20) {
		p.Labels = nil
	}
	text := api.JSON(map[string]any{"spec": w.spec()})
	t, err := decode.Template(text)
	if err != nil {
		panic(fmt.Sprintf("conformance: %s: %v", text, err))
	}
	p.Spec = t.Spec
	return p
}

// pod draws a pod of one of the templates.
func (w *placementWorld) pod(name string) *api.Pod {
	t := generate.Pick(w.Random, w.templates...)
	p := &api.Pod{ObjectMeta: api.ObjectMeta{Namespace: t.Namespace, Name: name, UID: "uid-" + name, Labels: t.Labels}, Spec: t.Spec}
	p.Status.Phase = api.PodPending
	if hash := p.Labels["pod-template-hash"]; hash != "" {
		owner := p.Labels["app"] + "-" + hash
		p.OwnerReferences = []api.OwnerReference{{APIVersion: "apps/v1", Kind: api.KindReplicaSet, Name: owner, UID: p.Namespace + "/" + owner, Controller: true}}
	}
	return p
}

// candidate draws a pod that needs a node: of a template, or like nothing else.
func (w *placementWorld) candidate() *api.Pod {
	if w.Chance(60) {
		w.templates = append(w.templates, w.template())
		defer func() { w.templates = w.templates[:len(w.templates)-1] }()
	}
	p := w.pod("new")
	if w.Chance(5) {
		p.TargetNode = generate.Pick(w.Random, w.nodes...).Name
	}
	return p
}

func (w *placementWorld) spec() fields {
	requests := fields{}
	if w.Chance(40) {
		requests["cpu"] = generate.Pick(w.Random, "100m", "400m", "1", "3")
	}
	if w.Chance(30) {
		requests["memory"] = generate.Pick(w.Random, "128Mi", "1Gi", "3Gi")
	}
	container := fields{"name": "app", "image": "app:1", "resources": fields{"requests": requests}}
	if w.Chance(12) {
		container["ports"] = []any{fields{"containerPort": 80, "hostPort": 8080, "protocol": "TCP",
			"hostIP": generate.Pick(w.Random, "", "0.0.0.0", "10.0.0.1", "10.0.0.2")}}
	}
	spec := fields{"containers": []any{container}}
	if w.Chance(6) {
		spec["nodeSelector"] = fields{"disk": generate.Pick(w.Random, "ssd", "hdd")}
	}
	if w.Chance(35) {
		spec["tolerations"] = []any{generate.Pick(w.Random, fields{"operator": "Exists"}, fields{"key": "dedicated", "operator": "Exists"},
			fields{"key": "dedicated", "value": "a"}, fields{"key": "dedicated", "value": "b", "effect": "NoSchedule"})}
	}
	if w.Chance(70) {
		spec["topologySpreadConstraints"] = w.constraints()
	}
	affinity := fields{}
	if w.Chance(12) {
		affinity["nodeAffinity"] = fields{"requiredDuringSchedulingIgnoredDuringExecution": fields{"nodeSelectorTerms": w.nodeTerms()}}
	}
	for _, name := range []string{"podAffinity", "podAntiAffinity"} {
		if w.Chance(30) {
			affinity[name] = w.podAffinity()
		}
	}
	spec["affinity"] = affinity
	return spec
}

func (w *placementWorld) nodeTerms() (terms []any) {
	for range 1 + w.IntN(2) {
		terms = append(terms, generate.Pick(w.Random,
			fields{"matchExpressions": []any{fields{"key": "zone", "operator": "In", "values": []any{"a", "b"}}}},
			fields{"matchExpressions": []any{fields{"key": "zone", "operator": "NotIn", "values": []any{"a"}}}},
			fields{"matchExpressions": []any{fields{"key": "disk", "operator": "Exists"}}},
			fields{"matchExpressions": []any{fields{"key": "disk", "operator": "Gt", "values": []any{"5"}}}},
			fields{"matchFields": []any{fields{"key": "metadata.name", "operator": "In", "values": []any{"node-1"}}}}))
	}
	return terms
}

func (w *placementWorld) topologyKey() string {
	return generate.Pick(w.Random, "kubernetes.io/hostname", "kubernetes.io/hostname", "zone", "zone", "zone", "disk", "rack")
}

// constraints draws spread constraints; of a label and an action there is at most one.
func (w *placementWorld) constraints() (list []any) {
	seen := map[string]bool{}
	for range 1 + w.IntN(3) {
		key, action := w.topologyKey(), generate.Pick(w.Random, "DoNotSchedule", "ScheduleAnyway")
		if key == "rack" && w.Chance(70) || seen[key+action] {
			continue
		}
		seen[key+action] = true
		c := fields{"maxSkew": 1 + w.IntN(3), "topologyKey": key, "whenUnsatisfiable": action}
		w.selector(c)
		if action == "DoNotSchedule" && w.Chance(30) {
			c["minDomains"] = 1 + w.IntN(4)
		}
		for _, policy := range []string{"nodeAffinityPolicy", "nodeTaintsPolicy"} {
			if w.Chance(40) {
				c[policy] = generate.Pick(w.Random, "Honor", "Ignore")
			}
		}
		if c["labelSelector"] != nil && w.Chance(30) {
			c["matchLabelKeys"] = []any{"pod-template-hash"}
		}
		list = append(list, c)
	}
	return list
}

// selector adds a label selector, or leaves it out.
func (w *placementWorld) selector(to fields) {
	if s := generate.Pick(w.Random, nil, fields{}, fields{"matchLabels": fields{"app": "web"}}, fields{"matchLabels": fields{"app": "web"}},
		fields{"matchLabels": fields{"app": "db"}}, fields{"matchExpressions": []any{fields{"key": "app", "operator": "Exists"}}},
		fields{"matchExpressions": []any{fields{"key": "app", "operator": "NotIn", "values": []any{"db"}}}}); s != nil {
		to["labelSelector"] = s
	}
}

func (w *placementWorld) podAffinity() fields {
	var required, preferred []any
	for range generate.Pick(w.Random, 0, 0, 1, 1, 2) {
		required = append(required, w.term())
	}
	for range w.IntN(3) {
		preferred = append(preferred, fields{"weight": 1 + w.IntN(100), "podAffinityTerm": w.term()})
	}
	return fields{"requiredDuringSchedulingIgnoredDuringExecution": required, "preferredDuringSchedulingIgnoredDuringExecution": preferred}
}

func (w *placementWorld) term() fields {
	t := fields{"topologyKey": w.topologyKey()}
	w.selector(t)
	if w.Chance(20) {
		t["namespaces"] = generate.Pick(w.Random, []any{"other"}, []any{"default", "other"}, []any{"nowhere"})
	}
	if w.Chance(20) {
		t["namespaceSelector"] = generate.Pick(w.Random, fields{}, fields{"matchLabels": fields{"kubernetes.io/metadata.name": "other"}},
			fields{"matchLabels": fields{"team": "x"}})
	}
	if t["labelSelector"] != nil && w.Chance(25) {
		t[generate.Pick(w.Random, "matchLabelKeys", "mismatchLabelKeys")] = []any{"pod-template-hash"}
	}
	return t
}
