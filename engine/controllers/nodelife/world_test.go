package nodelife_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/nodelife"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/node/scheduler"
	"github.com/rollplay/rollplay/engine/sim"
)

// world is a cluster with nodes, their kubelets and a scheduler, and no controller of workloads.
type world struct {
	*testing.T
	kernel  *sim.Kernel
	server  *apiserver.Server
	kubelet *kubelet.Kubelet
	user    *apiserver.Client
}

// newWorld registers nodes, written as "name" or "name@zone".
func newWorld(t *testing.T, nodes ...string) *world {
	t.Helper()
	w := &world{T: t, kernel: &sim.Kernel{}}
	w.server = apiserver.New(w.kernel, 1)
	w.user = w.server.Client("kubectl")
	nodelife.New(w.server)
	scheduler.New(w.server)
	none := &kubelet.Range{}
	w.kubelet = kubelet.New(w.server, 1, []kubelet.Behaviour{{Match: "*", Pull: none, Start: none}})
	for _, n := range nodes {
		w.register(n)
	}
	return w
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) register(name string) {
	w.Helper()
	name, zone, _ := strings.Cut(name, "@")
	w.must(w.kubelet.Register(&api.Node{ObjectMeta: api.ObjectMeta{Name: name,
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
	w.Helper()
	text := `{"nodeName": "` + node + `", "tolerations": [` + strings.ReplaceAll(tolerations, "'", `"`) + `], "containers": [{"name": "c", "image": "a:1"}]}`
	spec, err := decode.PodSpec([]byte(text))
	w.must(err)
	_, err = w.user.Create(&api.Pod{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default"}, Spec: spec}, "created", nil)
	w.must(err)
}

func podKey(name string) api.Key {
	return api.Key{Kind: api.KindPod, Namespace: "default", Name: name}
}

// get returns a pod, nil if it is gone.
func (w *world) get(name string) *api.Pod {
	p, _ := w.server.Store.Get(podKey(name)).(*api.Pod)
	return p
}

func (w *world) node(name string) *api.Node {
	return w.server.Store.Get(api.Key{Kind: api.KindNode, Name: name}).(*api.Node)
}

// act lets a test do something at a moment.
type act func()

func (a act) Handle(sim.Event) { a() }

// at plans something for a moment. What was planned for that moment before comes first.
func (w *world) at(ms sim.Time, do func()) {
	w.kernel.Schedule(sim.Event{At: ms, To: act(do)})
}

// runTo lets the time pass up to and including a moment.
func (w *world) runTo(ms sim.Time) {
	for {
		at, ok := w.kernel.Next()
		if !ok || at > ms {
			return
		}
		w.kernel.Step()
	}
}

// taints edits the taints of a node.
func (w *world) taints(node string, taints ...api.Taint) {
	w.Helper()
	n := w.node(node).DeepCopy()
	n.Spec.Taints = taints
	_, err := w.user.Update(n, "tainted", nil)
	w.must(err)
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

// when returns the moments of the records with a text.
func (w *world) when(text string) (list []sim.Time) {
	for _, r := range w.kernel.Trace.Records {
		if strings.Contains(r.Reason+" "+r.What, text) {
			list = append(list, r.At)
		}
	}
	return list
}

const unreachableNoExecute = "node.kubernetes.io/unreachable:NoExecute"
