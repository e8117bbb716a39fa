package scheduler_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// labelled adds labels and taints to a node: "zone=a gpu=yes:NoSchedule".
func labelled(n *api.Node, words string) *api.Node {
	n.Labels = map[string]string{"kubernetes.io/hostname": n.Name}
	for _, w := range strings.Fields(words) {
		key, value, _ := strings.Cut(w, "=")
		if value, effect, ok := strings.Cut(value, ":"); ok {
			n.Spec.Taints = append(n.Spec.Taints, api.Taint{Key: key, Value: value, Effect: effect})
		} else {
			n.Labels[key] = value
		}
	}
	return n
}

// spec returns a pod spec in JSON with further fields.
func spec(fields string) string {
	return `{` + fields + `, 'containers': [{'name': 'c', 'image': 'a:1'}]}`
}

// term returns a list of one affinity term.
func term(app, topology string) string {
	return `{'requiredDuringSchedulingIgnoredDuringExecution': [{'labelSelector': {'matchLabels': {'app': '` + app + `'}}, 'topologyKey': '` + topology + `'}]}`
}

func anti(app, topology string) string {
	return spec(`'affinity': {'podAntiAffinity': ` + term(app, topology) + `}`)
}

func near(app, topology string) string {
	return spec(`'affinity': {'podAffinity': ` + term(app, topology) + `}`)
}

// app gives a pod its label.
func app(p *api.Pod, name string) *api.Pod {
	p.Labels = map[string]string{"app": name}
	return p
}

const hostname = "kubernetes.io/hostname"

// TestTolerations is the matrix of G-31: which toleration lets a pod onto which tainted node
// (tainttoleration/taint_toleration.go:Filter).
func TestTolerations(t *testing.T) {
	tolerates := func(toleration string) string { return spec(`'tolerations': [` + toleration + `]`) }
	for _, tt := range []struct {
		taint, spec string
		fits        bool
	}{
		{"k=v:NoSchedule", small, false},
		{"k=v:NoExecute", small, false},
		{"k=v:PreferNoSchedule", small, true},
		{"k=v:NoSchedule", tolerates(`{'key': 'k', 'value': 'v'}`), true},
		{"k=v:NoSchedule", tolerates(`{'key': 'k', 'value': 'w'}`), false},
		{"k=v:NoSchedule", tolerates(`{'key': 'k', 'operator': 'Exists'}`), true},
		{"k=v:NoSchedule", tolerates(`{'operator': 'Exists'}`), true},
		{"k=v:NoSchedule", tolerates(`{'key': 'k', 'operator': 'Exists', 'effect': 'NoExecute'}`), false},
		{"k=v:NoExecute", tolerates(`{'key': 'k', 'operator': 'Exists', 'effect': 'NoExecute', 'tolerationSeconds': 5}`), true},
		{"k=v:NoSchedule l=w:NoSchedule", tolerates(`{'key': 'k', 'operator': 'Exists'}`), false},
		{"node.kubernetes.io/unreachable=:NoExecute", small, true},
		{"node.kubernetes.io/unreachable=:NoSchedule", small, false},
	} {
		t.Run(tt.taint+" "+tt.spec, func(t *testing.T) {
			w := newWorld(t, labelled(node("a", ""), tt.taint))
			w.Create(pod(t, "web", tt.spec, ""))
			w.Finish()
			if got := w.Pod("web").NodeName == "a"; got != tt.fits {
				t.Errorf("fits %t, want %t", got, tt.fits)
			}
		})
	}
}

// TestFilterTexts: the reason of each filter, and whether preemption looks at the node (G-32).
func TestFilterTexts(t *testing.T) {
	const unresolvable, searched = "Preemption is not helpful for scheduling", "No preemption victims found for incoming pod"
	port := `{'containers': [{'name': 'c', 'image': 'a:1', 'ports': [{'containerPort': 80, 'hostPort': 80%s}]}]}`
	plain := fmt.Sprintf(port, "")
	for _, tt := range []struct {
		name          string
		node          *api.Node
		before, pod   *api.Pod
		want, preempt string
	}{
		{"taint", labelled(node("a", ""), "k=v:NoExecute"), nil, pod(t, "web", small, ""),
			"node(s) had untolerated taint(s)", unresolvable},
		{"taint before selector", labelled(node("a", ""), "k=v:NoSchedule"), nil, pod(t, "web", spec(`'nodeSelector': {'x': 'y'}`), ""),
			"node(s) had untolerated taint(s)", unresolvable},
		{"node affinity", labelled(node("a", ""), "zone=x"), nil, pod(t, "web", spec(`'affinity': {'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution':
			{'nodeSelectorTerms': [{'matchExpressions': [{'key': 'zone', 'operator': 'NotIn', 'values': ['x']}]}]}}}`), ""),
			"node(s) didn't match Pod's node affinity/selector", unresolvable},
		{"named node", labelled(node("a", ""), ""), nil, pod(t, "web", spec(`'affinity': {'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution':
			{'nodeSelectorTerms': [{'matchFields': [{'key': 'metadata.name', 'operator': 'In', 'values': ['b']}]}]}}}`), ""),
			"node(s) didn't satisfy plugin(s) [NodeAffinity]", unresolvable},
		{"host port", node("a", ""), pod(t, "before", plain, ""), pod(t, "web", plain, ""),
			"node(s) didn't have free ports for the requested pod ports", searched},
		{"anti-affinity", labelled(node("a", ""), ""), app(pod(t, "before", small, ""), "db"), pod(t, "web", anti("db", hostname), ""),
			"node(s) didn't match pod anti-affinity rules", searched},
		{"existing anti-affinity", labelled(node("a", ""), ""), pod(t, "before", anti("web", hostname), ""), app(pod(t, "web", small, ""), "web"),
			"node(s) didn't satisfy existing pods anti-affinity rules", searched},
		{"affinity", labelled(node("a", ""), ""), nil, pod(t, "web", near("db", hostname), ""),
			"node(s) didn't match pod affinity rules", unresolvable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, tt.node)
			if tt.before != nil {
				w.Create(tt.before)
				w.Finish()
			}
			w.Create(tt.pod)
			w.Finish()
			want := "0/1 nodes are available: 1 " + tt.want + ". preemption: 0/1 nodes are available: 1 " + tt.preempt + "."
			c := api.FindCondition(w.Pod("web").Status.Conditions, "PodScheduled")
			if c == nil || c.Message != want {
				t.Errorf("condition %+v\nwant message %s", c, want)
			}
		})
	}
}

// TestHostPorts: a port is free for another protocol and on another address, but not beside all addresses
// (nodeports/node_ports.go:fitsPorts); a removed pod gives it back.
func TestHostPorts(t *testing.T) {
	with := func(fields string) string {
		return `{'containers': [{'name': 'c', 'image': 'a:1', 'ports': [{'containerPort': 80, 'hostPort': 80` + fields + `}]}]}`
	}
	for _, tt := range []struct {
		before, after string
		fits          bool
	}{
		{with(``), with(``), false},
		{with(``), with(`, 'protocol': 'UDP'`), true},
		{with(``), with(`, 'hostIP': '10.0.0.1'`), false},
		{with(`, 'hostIP': '10.0.0.1'`), with(``), false},
		{with(`, 'hostIP': '10.0.0.1'`), with(`, 'hostIP': '10.0.0.2'`), true},
		{with(`, 'hostIP': '10.0.0.1'`), with(`, 'hostIP': '10.0.0.1'`), false},
		{spec(`'hostNetwork': true`), with(``), true},
	} {
		w := newWorld(t, node("a", ""))
		w.Create(pod(t, "before", tt.before, ""))
		w.Create(pod(t, "web", tt.after, ""))
		w.Finish()
		if got := w.Pod("web").NodeName != ""; got != tt.fits {
			t.Errorf("%s beside %s: fits %t, want %t", tt.after, tt.before, got, tt.fits)
		}
		w.End(w.Pod("before").Key())
		if w.Finish(); w.Pod("web").NodeName == "" {
			t.Errorf("%s: the port was not given back", tt.before)
		}
	}
}

// TestPodAffinity: affinity and anti-affinity of pods, by node and by zone (interpodaffinity/filtering.go:Filter). The chosen nodes
// show which rule applied.
func TestPodAffinity(t *testing.T) {
	for _, tt := range []struct {
		name string
		pods []*api.Pod
		want []string
	}{
		{"one on each node", []*api.Pod{app(pod(t, "p0", anti("x", hostname), ""), "x"), app(pod(t, "p1", anti("x", hostname), ""), "x"),
			app(pod(t, "p2", anti("x", hostname), ""), "x"), app(pod(t, "p3", anti("x", hostname), ""), "x")}, []string{"a1", "a2", "b1", "-"}},
		{"one in each zone", []*api.Pod{app(pod(t, "p0", anti("x", "zone"), ""), "x"), app(pod(t, "p1", anti("x", "zone"), ""), "x"),
			app(pod(t, "p2", anti("x", "zone"), ""), "x")}, []string{"a1", "b1", "-"}},
		{"those that are there keep others away", []*api.Pod{pod(t, "p0", anti("x", "zone"), ""), app(pod(t, "p1", small, ""), "x")}, []string{"a1", "b1"}},
		{"in the zone of another pod", []*api.Pod{app(pod(t, "p0", spec(`'nodeSelector': {'zone': 'b'}`), ""), "x"), pod(t, "p1", near("x", "zone"), "")},
			[]string{"b1", "b1"}},
		{"the first of its kind, then the others beside it", []*api.Pod{app(pod(t, "p0", near("x", hostname), "r"), "x"), app(pod(t, "p1", near("x", hostname), "r"), "x")},
			[]string{"a1", "a1"}},
		{"an unknown label is nowhere", []*api.Pod{app(pod(t, "p0", near("x", "rack"), ""), "x")}, []string{"-"}},
		{"and keeps nobody away", []*api.Pod{app(pod(t, "p0", anti("x", "rack"), ""), "x"), app(pod(t, "p1", anti("x", "rack"), ""), "x")}, []string{"a1", "a2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checkPlaces(t, tt.pods, tt.want)
		})
	}
}

// TestAffinityRetry: a pod that waits for its pod affinity is tried again when the other pod is bound (G-33).
func TestAffinityRetry(t *testing.T) {
	w := newWorld(t, labelled(node("a", ""), ""), labelled(node("b", ""), ""))
	w.Create(pod(t, "web", near("db", hostname), ""))
	w.Finish()
	w.Create(app(pod(t, "db", spec(`'nodeSelector': {'kubernetes.io/hostname': 'b'}`), ""), "db"))
	w.Finish()
	if got, want := w.places(), []string{"b", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestAffinityRetryOfBoth: so is one that has a spread constraint as well.
func TestAffinityRetryOfBoth(t *testing.T) {
	w := newWorld(t, labelled(node("a", ""), ""))
	both := strings.TrimSuffix(near("db", hostname), "}") + "," + strings.TrimPrefix(spread(hostname, "DoNotSchedule"), "{")
	w.Create(pod(t, "web", strings.Replace(both, `, 'containers': [{'name': 'c', 'image': 'a:1'}]`, "", 1), ""))
	w.Finish()
	w.Create(app(pod(t, "db", small, ""), "db"))
	w.Finish()
	if got, want := w.places(), []string{"a", "a"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestAffinityToLaterPods: a pod finds the nodes of all pods of a template, also of those that came after it was first looked for.
func TestAffinityToLaterPods(t *testing.T) {
	w := newWorld(t, labelled(node("a", "pods=2"), ""), labelled(node("b", ""), ""))
	db := app(pod(t, "db-0", small, ""), "db")
	w.Create(db)
	w.Create(pod(t, "web-0", near("db", hostname), ""))
	second := api.Copy(db)
	second.ObjectMeta = api.ObjectMeta{Name: "db-1", Namespace: "default", Labels: db.Labels}
	w.Create(second)
	w.Create(pod(t, "web-1", near("db", hostname), ""))
	w.Finish()
	if got, want := w.places(), []string{"a", "a", "b", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestAntiAffinityAfterEnd: the node of a pod that is gone is free for those that keep away from it, though others of its template remain.
func TestAntiAffinityAfterEnd(t *testing.T) {
	w := newWorld(t, labelled(node("a", ""), ""), labelled(node("b", ""), ""), labelled(node("c", ""), ""))
	template := pod(t, "", small, "").Spec
	for _, name := range []string{"a", "b"} {
		db := on(name, app(pod(t, "db-"+name, small, ""), "db"))
		db.Spec = template
		w.Create(db)
	}
	w.Create(pod(t, "web-0", anti("db", hostname), ""))
	w.Finish()
	w.End(w.Pod("db-a").Key())
	w.Create(pod(t, "web-1", anti("db", hostname), ""))
	w.Finish()
	if got, want := w.places(), []string{"b", "c", "a"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestTargetNode: the pod of a DaemonSet fits its own node only, and a cordon does not keep it away (DS-5).
func TestTargetNode(t *testing.T) {
	cordoned := node("b", "pods=1")
	cordoned.Spec.Unschedulable = true
	cordoned.Spec.Taints = []api.Taint{{Key: api.TaintNodeUnschedulable, Effect: api.NoSchedule}}
	w := newWorld(t, node("a", ""), cordoned)
	for i := range 2 {
		p := pod(t, fmt.Sprint("agent", i), spec(`'tolerations': [{'key': 'node.kubernetes.io/unschedulable', 'operator': 'Exists', 'effect': 'NoSchedule'}]`), "ds")
		p.TargetNode = "b"
		w.Create(p)
	}
	w.Finish()
	if got, want := w.places(), []string{"b", "-"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	want := "0/2 nodes are available: 1 Too many pods, 1 node(s) didn't satisfy plugin(s) [NodeAffinity]. preemption: 0/2 nodes are available: " +
		"1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling."
	if c := api.FindCondition(w.Pod("agent1").Status.Conditions, "PodScheduled"); c.Message != want {
		t.Errorf("got %s", c.Message)
	}
}

// TestTargetNodeWithASelector: the pod of a DaemonSet does not fit its node if that lacks the labels of its template.
func TestTargetNodeWithASelector(t *testing.T) {
	for disk, want := range map[string]string{"disk=ssd": "a", "disk=hdd": "-"} {
		w := newWorld(t, labelled(node("a", ""), disk))
		w.Create(on("a", pod(t, "agent", spec(`'nodeSelector': {'disk': 'ssd'}`), "ds")))
		w.Finish()
		if got := w.places(); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: got %v, want %s", disk, got, want)
		}
	}
}

// TestMatchFields: the affinity to nodes may name those that a pod wants, and those that it does not want (nodeaffinity/node_affinity.go:PreFilter).
func TestMatchFields(t *testing.T) {
	for operator, want := range map[string]string{"In": "b", "NotIn": "a"} {
		w := newWorld(t, node("a", ""), node("b", ""))
		w.Create(pod(t, "web", spec(`'affinity': {'nodeAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': {'nodeSelectorTerms':
			[{'matchFields': [{'key': 'metadata.name', 'operator': '`+operator+`', 'values': ['b']}]}]}}}`), ""))
		w.Finish()
		if got := w.places(); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: got %v, want %s", operator, got, want)
		}
	}
}

// TestChangedLabels: a pod that loses the label to which others have anti-affinity, or a node that moves to another zone, makes room for them (G-31).
func TestChangedLabels(t *testing.T) {
	for name, change := range map[string]func(*world){
		"of the pod": func(w *world) { w.Update(app(api.Copy(w.Pod("x")), "other")) },
		"of a node":  func(w *world) { w.EditNode("b", func(n *api.Node) { n.Labels["zone"] = "b" }) },
	} {
		w := newWorld(t, labelled(node("a", ""), "zone=a"), labelled(node("b", ""), "zone=a"))
		w.Create(app(pod(t, "x", anti("none", "zone"), ""), "x"))
		w.Finish()
		w.Create(pod(t, "before", anti("x", "zone"), ""))
		w.Finish()
		change(w)
		w.Finish()
		w.Create(pod(t, "after", anti("x", "zone"), ""))
		w.Finish()
		for _, pod := range []string{"before", "after"} {
			if w.Pod(pod).NodeName == "" {
				t.Errorf("labels %s: %s has no node: %v", name, pod, w.places())
			}
		}
	}
}

// TestNodeChanges: a new label or a removed taint of a node lets waiting pods try again (G-33).
func TestNodeChanges(t *testing.T) {
	w := newWorld(t, labelled(node("a", ""), "k=v:NoSchedule"))
	w.Create(pod(t, "web", spec(`'nodeSelector': {'disk': 'ssd'}`), ""))
	w.Finish()
	change := func(edit func(*api.Node)) {
		w.EditNode("a", edit)
		w.Finish()
	}
	change(func(n *api.Node) { n.Spec.Taints = nil })
	if c := api.FindCondition(w.Pod("web").Status.Conditions, "PodScheduled"); !strings.Contains(c.Message, "node affinity/selector") {
		t.Errorf("without the taint: %s", c.Message)
	}
	change(func(n *api.Node) { n.Labels["disk"] = "ssd" })
	if got := w.places(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("with the label: %v", got)
	}
}

// BenchmarkAntiAffinity binds a thousand pods that keep away from each other, to a node each.
func BenchmarkAntiAffinity(b *testing.B) {
	s := pod(b, "", anti("x", hostname), "").Spec
	for b.Loop() {
		w := newWorld(b)
		for i := range 1000 {
			w.Create(labelled(node(fmt.Sprintf("node-%04d", i), ""), ""))
		}
		for i := range 1000 {
			w.Create(app(&api.Pod{ObjectMeta: api.ObjectMeta{Name: fmt.Sprint("p", i), Namespace: "default"}, Spec: s}, "x"))
		}
		w.Finish()
		if w.places()[999] == "-" {
			b.Fatal("no node for the last pod")
		}
	}
}
