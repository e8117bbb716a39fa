package scheduler_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/node/scheduler"
)

// world is a cluster of nodes whose pods never start.
type world struct{ *cluster.Cluster }

func newWorld(t testing.TB, nodes ...*api.Node) *world {
	t.Helper()
	w := &world{cluster.New(t)}
	scheduler.New(w.Server)
	for _, n := range nodes {
		w.Create(n)
	}
	return w
}

// node returns a node; what it has is written like "cpu=2 memory=1Gi pods=3".
func node(name, has string) *api.Node {
	n := &api.Node{ObjectMeta: api.ObjectMeta{Name: name}, Status: api.NodeStatus{Allocatable: map[string]api.Quantity{}}}
	for _, word := range strings.Fields(has) {
		resource, amount, _ := strings.Cut(word, "=")
		n.Status.Allocatable[resource] = api.MustQuantity(amount)
	}
	return n
}

// pod returns a pod; spec is JSON with single quotes, owner may be "".
func pod(t testing.TB, name, spec, owner string) *api.Pod {
	t.Helper()
	p := &api.Pod{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default"}, Spec: cluster.Spec(t, spec)}
	if owner != "" {
		p.OwnerReferences = []api.OwnerReference{{Kind: api.KindReplicaSet, Name: owner, UID: "uid-" + owner, Controller: true}}
	}
	return p
}

const small = `{'containers': [{'name': 'c', 'image': 'a:1'}]}`

func asks(requests string) string {
	return `{'containers': [{'name': 'c', 'image': 'a:1', 'resources': {'requests': {` + requests + `}}}]}`
}

// places lists the nodes of the pods in the order of creation, - for no node.
func (w *world) places() (list []string) {
	for o := range w.Server.Store.Table(api.KindPod).All() {
		name := o.(*api.Pod).NodeName
		if name == "" {
			name = "-"
		}
		list = append(list, name)
	}
	return list
}

// TestBinding: 1 ms after its creation, when the scheduler sees a pod (SIM-6), it has a node and the condition, in one write (G-1, G-4).
func TestBinding(t *testing.T) {
	w := newWorld(t, node("a", ""))
	w.Create(pod(t, "web", small, ""))
	w.Finish()
	var got []string
	for _, r := range w.Kernel.Trace.Records {
		if r.Actor == scheduler.Actor {
			got = append(got, fmt.Sprintf("%d %s %s", r.At, r.Reason, r.What))
		}
	}
	want := []string{"1  bound to a", "1 Scheduled Successfully assigned default/web to a"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	c := api.FindCondition(w.Pod("web").Status.Conditions, "PodScheduled")
	if c == nil || c.Status != "True" {
		t.Errorf("condition %+v", c)
	}
}

// TestSpread: few pods of the same owner count most, then free cpu, then the name (G-34).
func TestSpread(t *testing.T) {
	w := newWorld(t, labelled(node("c", "cpu=4"), ""), labelled(node("a", "cpu=2"), ""), labelled(node("b", "cpu=4"), ""))
	w.Create(pod(t, "p0", asks(`'cpu': '1'`), "x"))    // b: 3/4 stays free, as on c; on a only 1/2
	w.Create(pod(t, "p1", asks(`'cpu': '1'`), "x"))    // c: b has one of x
	w.Create(pod(t, "p2", asks(`'cpu': '1'`), "x"))    // a: the only one without x
	w.Create(pod(t, "p3", asks(`'cpu': '1'`), "y"))    // b: 1/2 stays free, as on c; on a nothing
	w.Create(pod(t, "p4", asks(`'cpu': '500m'`), "y")) // c: b has one of y, and on a 1/4 stays free
	w.Create(pod(t, "p5", asks(`'cpu': '500m'`), "y")) // a: the only one without y
	w.Create(pod(t, "p6", asks(`'cpu': '100m'`), ""))  // c: 2.4/4 stay free
	w.Finish()
	if got, want := w.places(), []string{"b", "c", "a", "b", "c", "a", "c"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestSpreadOfReplicaSets: each ReplicaSet spreads by itself, and its terminating pods do not count; pods without requests take some room (G-34).
func TestSpreadOfReplicaSets(t *testing.T) {
	w := newWorld(t, labelled(node("a", ""), ""), labelled(node("b", ""), ""))
	for i, owner := range []string{"old", "old", "old", "new", "new"} { // a and b, a; b is emptier, a has none
		w.Create(pod(t, fmt.Sprint("p", i), small, owner))
	}
	w.Finish()
	leaving := api.Copy(w.Pod("p3"))
	leaving.DeletionTimestamp, leaving.Finalizers = api.TimeAt(0), []string{"example.com/keep"}
	w.Update(leaving)
	w.Create(pod(t, "p5", small, "new")) // b, where the only one of new terminates
	w.Finish()
	if got, want := w.places(), []string{"a", "b", "a", "b", "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestRefusalTexts: the examples of G-32, and every reason once.
func TestRefusalTexts(t *testing.T) {
	cordoned := node("z", "cpu=1")
	cordoned.Spec.Unschedulable = true
	full := `'cpu': '600m'`
	for _, tt := range []struct {
		name   string
		nodes  []*api.Node
		before []string // requests of earlier pods
		spec   string
		want   string
	}{
		{"no nodes", nil, nil, small, "no nodes available to schedule pods"},
		{"cpu", []*api.Node{node("a", "cpu=1"), node("b", "cpu=1"), node("c", "cpu=1"), node("d", "cpu=1")},
			[]string{full, full, full, full}, asks(full),
			"0/4 nodes are available: 4 Insufficient cpu. preemption: 0/4 nodes are available: 4 No preemption victims found for incoming pod."},
		{"cordoned", []*api.Node{node("a", "cpu=1"), node("b", "cpu=1"), cordoned}, []string{full, full}, asks(full),
			"0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu. preemption: 0/3 nodes are available: " +
				"1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod."},
		{"more than a node has", []*api.Node{node("a", "cpu=1")}, nil, asks(`'cpu': '1001m'`),
			"0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."},
		{"two resources", []*api.Node{node("a", "cpu=1 memory=1Gi")}, []string{`'cpu': '1', 'memory': '1Gi'`}, asks(`'cpu': '1m', 'memory': '1'`),
			"0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."},
		{"pods", []*api.Node{node("a", "pods=1")}, []string{""}, small,
			"0/1 nodes are available: 1 Too many pods. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."},
		{"selector", []*api.Node{node("a", "")}, nil, `{'nodeSelector': {'disk': 'ssd'}, 'containers': [{'name': 'c', 'image': 'a:1'}]}`,
			"0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."},
		{"node name", []*api.Node{node("a", "")}, nil, `{'nodeName': 'b', 'containers': [{'name': 'c', 'image': 'a:1'}]}`,
			"0/1 nodes are available: 1 node(s) didn't match the requested node name. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, tt.nodes...)
			for i, requests := range tt.before {
				w.Create(pod(t, fmt.Sprint("before", i), asks(requests), ""))
			}
			w.Create(pod(t, "web", tt.spec, ""))
			w.Finish()
			c := api.FindCondition(w.Pod("web").Status.Conditions, "PodScheduled")
			if c == nil || c.Status != "False" || c.Reason != "Unschedulable" || c.Message != tt.want {
				t.Errorf("condition %+v\nwant message %s", c, tt.want)
			}
			last := w.Kernel.Trace.Records[len(w.Kernel.Trace.Records)-1]
			if last.Type != "Warning" || last.Reason != "FailedScheduling" || last.What != tt.want {
				t.Errorf("last record %+v", last)
			}
		})
	}
}

// TestRetry: a pod that fits nowhere gets its node at once when there is room (G-33); terminating pods hold it (G-30b).
func TestRetry(t *testing.T) {
	w := newWorld(t, node("a", "pods=2"))
	template := pod(t, "", small, "").Spec
	for i := range 5 {
		p := pod(t, fmt.Sprint("p", i), small, "")
		p.Spec = template
		w.Create(p)
	}
	w.Finish()
	if got, want := w.places(), []string{"a", "a", "-", "-", "-"}; !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	doomed := cluster.Key(api.KindPod, "p0")
	remove := func(grace int64) {
		w.Must(w.User.Delete(doomed, apiserver.DeleteOptions{GracePeriodSeconds: &grace}, "deleted", nil))
		w.Finish()
	}
	remove(30) // without a kubelet the pod does not end
	if got, want := w.places(), []string{"a", "a", "-", "-", "-"}; !slices.Equal(got, want) {
		t.Errorf("while a pod terminates: got %v, want %v", got, want)
	}
	remove(0)
	if got, want := w.places(), []string{"a", "a", "-", "-"}; !slices.Equal(got, want) {
		t.Errorf("when it is gone: got %v, want %v", got, want)
	}
	w.Create(node("b", "pods=1"))
	w.Finish()
	if got, want := w.places(), []string{"a", "a", "b", "-"}; !slices.Equal(got, want) {
		t.Errorf("with a new node: got %v, want %v", got, want)
	}
}

// TestRetryOfOthers: pods that wait behind one for which there is still no room are tried, if they ask for less or for another
// node (G-33).
func TestRetryOfOthers(t *testing.T) {
	for _, tt := range []struct {
		name       string
		change     func(*world)
		big, small *api.Pod
	}{
		{"less", func(w *world) {
			larger := api.Copy(w.Node("a"))
			larger.Status = node("a", "cpu=1500m").Status
			w.UpdateStatus(larger)
		},
			pod(t, "big", asks(`'cpu': '1'`), ""), pod(t, "small", asks(`'cpu': '500m'`), "")},
		{"another node", func(w *world) { w.End(w.Pod("on-b").Key()) },
			on("a", pod(t, "big", asks(`'cpu': '1'`), "")), on("b", pod(t, "small", asks(`'cpu': '1'`), ""))},
	} {
		w := newWorld(t, node("a", "cpu=1"), node("b", "cpu=1"))
		if tt.small.TargetNode != "" {
			tt.small.Spec = tt.big.Spec // as the pods of a DaemonSet have one template
		}
		for _, p := range []*api.Pod{on("a", pod(t, "on-a", asks(`'cpu': '1'`), "")), on("b", pod(t, "on-b", asks(`'cpu': '1'`), "")), tt.big, tt.small} {
			w.Create(p)
		}
		w.Finish()
		tt.change(w)
		if w.Finish(); w.Pod("big").NodeName != "" || w.Pod("small").NodeName == "" {
			t.Errorf("%s: got %v", tt.name, w.places())
		}
	}
}

// TestRetryOfAnotherNamespace: a pod that waits behind one of another namespace is tried, as the affinity of pods looks only at its own (G-33).
func TestRetryOfAnotherNamespace(t *testing.T) {
	w := newWorld(t, labelled(node("a", ""), ""))
	waits, shared := pod(t, "waits", anti("x", hostname), ""), pod(t, "", small, "")
	for _, namespace := range []string{"default", "other"} {
		for _, p := range []*api.Pod{app(shared, "x"), waits} {
			p := api.Copy(p)
			p.Name, p.Namespace = cmp.Or(p.Name, "x"), namespace
			w.Create(p)
		}
	}
	w.Finish()
	w.End(api.Key{Kind: api.KindPod, Namespace: "other", Name: "x"})
	w.Finish()
	if got, want := w.places(), []string{"a", "-", "a"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// on gives a pod the node that a DaemonSet wants for it.
func on(node string, p *api.Pod) *api.Pod {
	p.TargetNode = node
	return p
}

// TestSpreadAfterEnd: a pod that is gone no longer counts for the pods of its owner (G-34).
func TestSpreadAfterEnd(t *testing.T) {
	w := newWorld(t, node("a", ""), node("b", ""))
	for i := range 2 {
		w.Create(pod(t, fmt.Sprint("p", i), small, "x"))
	}
	w.Finish()
	w.End(w.Pod("p0").Key())
	w.Finish()
	w.Create(pod(t, "p2", small, "x"))
	w.Finish()
	if got, want := w.places(), []string{"b", "a"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestUncordon: an uncordoned node takes the waiting pods.
func TestUncordon(t *testing.T) {
	n := node("a", "")
	n.Spec.Unschedulable = true
	w := newWorld(t, n)
	w.Create(pod(t, "web", small, ""))
	w.Finish()
	open := api.Copy(n)
	open.Spec.Unschedulable = false
	w.Update(open)
	w.Finish()
	if got := w.places(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("got %v", got)
	}
}

// BenchmarkSchedule binds 10,000 pods of one Deployment to 100 nodes.
func BenchmarkSchedule(b *testing.B) {
	spec := pod(b, "", asks(`'cpu': '100m', 'memory': '64Mi'`), "").Spec
	for b.Loop() {
		w := newWorld(b)
		for i := range 100 {
			w.Create(node(fmt.Sprint("node-", i), "cpu=64 memory=256Gi pods=110"))
		}
		for i := range 10_000 {
			w.Create(&api.Pod{ObjectMeta: api.ObjectMeta{Name: fmt.Sprint("p", i), Namespace: "default",
				OwnerReferences: []api.OwnerReference{{Kind: api.KindReplicaSet, Name: "x", UID: "x", Controller: true}}}, Spec: spec})
		}
		w.Finish()
	}
}

// checkPlaces creates pods, one after the other, in a cluster of two nodes in zone a and one in zone b, and compares where they are.
func checkPlaces(t *testing.T, pods []*api.Pod, want []string) {
	t.Helper()
	w := newWorld(t, labelled(node("a1", ""), "zone=a"), labelled(node("a2", ""), "zone=a"), labelled(node("b1", ""), "zone=b"))
	for _, p := range pods {
		w.Create(p)
	}
	if w.Finish(); !slices.Equal(w.places(), want) {
		t.Errorf("got %v, want %v", w.places(), want)
	}
}
