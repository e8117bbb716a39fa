package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// threeKinds is a workload of each kind with a pod on each of three nodes. The Deployment's pods have a toleration of their
// own if there is one.
func threeKinds(tolerations string) string {
	return `apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 12m
  images: [{match: "*", pull: 500ms, start: 500ms, stop: 1s}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {` + tolerations + `containers: [{name: web, image: "web:1"}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 3
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "db:1"}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: "agent:1"}]}
`
}

// nodeRows lists what happens from a moment on that has to do with the node: what its controllers and the environment do,
// the statuses of the workloads, and pods that come and go. Of a pod's name what is random is left out.
func nodeRows(run *Run, from int64) (rows []string) {
	for i := range run.Len() {
		r := run.Record(i)
		status := strings.HasPrefix(r.What, "status: ") && !strings.HasPrefix(r.Object, "ReplicaSet/")
		comes := strings.HasPrefix(r.What, "pod created") || strings.HasPrefix(r.What, "removed")
		ours := slices.Contains([]string{"node-controller", "taint-eviction-controller", "pod-garbage-collector-controller", scenario.Environment}, r.Actor)
		if r.T < from || r.Kind == Reconcile || !status && !comes && !ours {
			continue
		}
		object := r.Object
		if at := strings.Index(object, "web-"); at >= 0 {
			object = object[:at+3]
		}
		if at := strings.Index(object, "agent-"); at >= 0 {
			object = object[:at+5]
		}
		what := r.What
		if at := strings.Index(what, "default/web-"); at >= 0 {
			what = what[:at] + "default/web"
		}
		words := strings.Join(strings.Fields(strings.Replace(object, "/default/", "/", 1)+" "+r.Reason), " ")
		rows = append(rows, fmt.Sprintf("%d %s: %s", r.T, cmp.Or(words, r.Actor), what))
	}
	return rows
}

func compareRows(t *testing.T, got []string, want string) {
	t.Helper()
	wanted := strings.Split(strings.TrimSpace(want), "\n")
	for i := range max(len(got), len(wanted)) {
		if g, w := lineAt(got, i), lineAt(wanted, i); g != w {
			t.Fatalf("row %d\n got %s\nwant %s\nall:\n%s", i+1, g, w, strings.Join(got, "\n"))
		}
	}
}

// TestNodeFailure is the golden timeline of G-41 to G-46 with the default toleration, row for row: the node is lost 55 s
// after its last renewal, its pods are evicted 300 s later; the Deployment gets a new pod at once, the StatefulSet waits for
// the old one (S-23), the DaemonSet's stays (DS-5); when the node returns, all is as it was.
func TestNodeFailure(t *testing.T) {
	run := mustRun(t, threeKinds(""), Command{At: 60_000, Do: "kill node/node-2"}, Command{At: 600_000, Do: "restore node/node-2"})
	compareRows(t, nodeRows(run, 60_000), `
60000 environment: node/node-2 is down, with everything that ran on it
105000 Node/node-2: its kubelet is silent: Ready is Unknown
105000 Node/node-2 NodeNotReady: Node node-2 status is now: NodeNotReady
105000 Pod/agent: not ready: its node is lost
105000 Pod/agent NodeNotReady: Node is not ready
105000 Pod/web: not ready: its node is lost
105000 Pod/web NodeNotReady: Node is not ready
105000 Pod/db-1: not ready: its node is lost
105000 Pod/db-1 NodeNotReady: Node is not ready
105001 Node/node-2: tainted node.kubernetes.io/unreachable:NoSchedule
105001 DaemonSet/agent: status: desired 3, current 3, updated 3, ready 2, available 2, misscheduled 0
105001 StatefulSet/db: status: replicas 3, ready 2, current 3, updated 3
105002 DaemonSet/agent: status: desired 2, current 2, updated 2, ready 2, available 2, misscheduled 1
105002 Deployment/web: status: replicas 3, updated 3, ready 2, available 2
105100 Node/node-2: tainted node.kubernetes.io/unreachable:NoExecute
105101 Pod/web: will be deleted in 300 s, unless the taint is removed
105101 Pod/db-1: will be deleted in 300 s, unless the taint is removed
405101 Pod/web TaintManagerEviction: Marking for deletion Pod default/web
405101 Pod/web: evicted by a taint
405101 Pod/web: deleted because of a taint
405101 Pod/db-1 TaintManagerEviction: Marking for deletion Pod default/db-1
405101 Pod/db-1: evicted by a taint
405101 Pod/db-1: deleted because of a taint
405102 Pod/web: pod created
405102 StatefulSet/db: status: replicas 3, ready 2, current 2, updated 2
405103 Deployment/web: status: replicas 2, updated 2, ready 2, available 2
405104 Deployment/web: status: replicas 3, updated 3, ready 2, available 2
405606 Deployment/web: status: replicas 3, updated 3, ready 3, available 3
600000 environment: node/node-2 is up again
600001 Node/node-2: taint removed node.kubernetes.io/unreachable:NoSchedule
600002 Deployment/web: status: replicas 3, updated 3, ready 3, available 3
600002 DaemonSet/agent: status: desired 3, current 3, updated 3, ready 2, available 2, misscheduled 0
600501 DaemonSet/agent: status: desired 3, current 3, updated 3, ready 3, available 3, misscheduled 0
600796 Pod/web: removed: its containers have stopped
600796 Pod/db-1: removed: its containers have stopped
600797 Pod/db-1: pod created
600797 StatefulSet/db: status: replicas 2, ready 2, current 2, updated 2
600798 StatefulSet/db: status: replicas 3, ready 2, current 3, updated 3
600799 Pod/db-1: will be deleted in 300 s, unless the taint is removed
601300 StatefulSet/db: status: replicas 3, ready 3, current 3, updated 3
605000 Node/node-2: taint removed node.kubernetes.io/unreachable:NoExecute
605001 Pod/db-1 TaintManagerEviction: Cancelling deletion of Pod default/db-1
`)
}

// TestNodeFailureWithAShortToleration is T-8: 15 s for the Deployment's pods, 300 s for the others.
func TestNodeFailureWithAShortToleration(t *testing.T) {
	run := mustRun(t, threeKinds("tolerations: [{key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 15}], "),
		Command{At: 58_000, Do: "kill node/node-2"})
	at := func(text string) int64 {
		for i := range run.Len() {
			if r := run.Record(i); r.T > 58_000 && strings.Contains(r.Reason+" "+r.Object+" "+r.What, text) {
				return r.T
			}
		}
		return -1
	}
	for text, want := range map[string]int64{
		"Ready is Unknown":                       105_000,
		"TaintManagerEviction Pod/default/web":   120_101,
		"pod created":                            120_102,
		"TaintManagerEviction Pod/default/db-1":  405_101,
		"TaintManagerEviction Pod/default/agent": -1,
	} {
		if got := at(text); got != want {
			t.Errorf("%s at %d, want %d", text, got, want)
		}
	}
	old, terminating := 0, 0
	for _, o := range run.Past().Objects(api.KindPod, run.Len()-1) {
		if pod := o.(*api.Pod); pod.NodeName == "node-2" {
			old++
			if pod.Terminating() {
				terminating++
			}
			if pod.Status.ContainerStatuses[0].State.Kind != api.Running || !pod.Status.ContainerStatuses[0].Ready {
				t.Errorf("%s: nobody has said that its container does not run, but it is %+v", pod.Name, pod.Status.ContainerStatuses[0])
			}
		}
	}
	if old != 3 || terminating != 2 {
		t.Errorf("%d pods are on the lost node, %d of them terminating; want 3 and 2 (G-44)", old, terminating)
	}
}

// TestRemovedNode: the Node object of a machine that is gone goes too, and 40 to 60 s later its pods; then the StatefulSet
// creates its pod again, on another node.
func TestRemovedNode(t *testing.T) {
	for _, how := range []Command{{At: 60_000, Do: "remove node/node-2"}, {At: 60_000, Run: "delete node node-2"}} {
		run := mustRun(t, threeKinds(""), how)
		if db := run.Past().ObjectAt(api.Key{Kind: api.KindPod, Namespace: "default", Name: "db-1"}, run.Len()-1).(*api.Pod); db.NodeName == "node-2" || !db.IsReady() ||
			db.CreationTimestamp.Milli() != 120_000 {
			t.Errorf("%+v: db-1 is on %s since %d ms, ready %t", how, db.NodeName, db.CreationTimestamp.Milli(), db.IsReady())
		}
		if got := len(run.Past().Objects(api.KindPod, run.Len()-1)); got != 8 {
			t.Errorf("%+v: %d pods, want 3 of the Deployment, 3 of the StatefulSet and 2 of the DaemonSet", how, got)
		}
	}
}

// TestNewNode: a node that is added takes the pods that fit no other one, with the resources and the zone that were named.
func TestNewNode(t *testing.T) {
	text := strings.Replace(threeKinds(""), "  duration: 12m\n", "  duration: 12m\n  nodes: [{name: node-1, pods: 4}]\n", 1)
	run := mustRun(t, text, Command{At: 60_000, Do: "add node/node-4 cpu=2 memory=4Gi pods=20 zone=b"})
	n := run.Past().ObjectAt(api.Key{Kind: api.KindNode, Name: "node-4"}, run.Len()-1).(*api.Node)
	cpu, pods := n.Status.Allocatable["cpu"], n.Status.Allocatable["pods"]
	if cpu.Value() != 2 || pods.Value() != 20 || n.Labels[api.ZoneLabel] != "b" || n.Labels["kubernetes.io/hostname"] != "node-4" {
		t.Errorf("the node is %+v", n)
	}
	before, after := run.Past().Pods(run.Past().Find(59_999), 59_999), run.Past().Pods(run.Len()-1, run.Now())
	pending := func(list []past.PodTile) (n int) {
		for _, p := range list {
			if p.Node == "" {
				n++
			}
		}
		return n
	}
	if pending(before) == 0 || pending(after) != 0 {
		t.Errorf("%d pods had no node before, %d after", pending(before), pending(after))
	}
	if got := answerAt(t, run, 60_000); got.What != "node/node-4 added" || got.Failed {
		t.Errorf("the answer is %+v", got)
	}
}

// TestNodeVerbRefusals: what cannot be done with a node is said, and changes nothing.
func TestNodeVerbRefusals(t *testing.T) {
	dead := Command{At: 60_000, Do: "kill node/node-2"}
	base := mustRun(t, threeKinds(""), dead)
	onDead := ""
	for _, p := range base.Past().Pods(base.Past().Find(61_000), 61_000) {
		if p.Node == "node-2" {
			onDead = strings.TrimPrefix(p.Key, "default/")
			break
		}
	}
	for _, tt := range []struct{ line, want string }{
		{"kill", "kill needs the name of a node, for example node/node-2"},
		{"kill pod/web", "kill is for a node, not for a pod"},
		{"kill node/node-9", `node "node-9" not found`},
		{"kill node/node-2", `node "node-2" is down already; restore node/node-2 brings it back`},
		{"kill node/node-1 cpu=4", `kill takes no "cpu=4"`},
		{"restore no node-1", `node "node-1" is not down; kill node/node-1 would let it die`},
		{"remove nodes/node-9", `node "node-9" not found`},
		{"add node/node-1", `node "node-1" exists already; give the new one another name`},
		{"add node/node-4 cpu=much", "cpu=much: must be a quantity: cpu=4, cpu=500m, cpu=8Gi"},
		{"add node/node-4 disk=ssd", `add does not take "disk=ssd"; it takes cpu=, memory=, pods= and zone=`},
		{"add node/Node_4", `metadata.name: Invalid value: "Node_4"`},
		{"add", "add needs the name of a node, for example node/node-4"},
		{"crash pod/" + onDead, fmt.Sprintf(`pod %q is on node "node-2", which is down; restore node/node-2 brings it back`, onDead)},
	} {
		after := mustRun(t, threeKinds(""), dead, Command{At: 61_000, Do: tt.line})
		if got := answerAt(t, after, 61_000); !got.Failed || !strings.HasPrefix(got.What, "error: "+tt.want) {
			t.Errorf("%q: %q, want %q", tt.line, got.What, tt.want)
		}
		if len(after.world.server.Store.Log) != len(base.world.server.Store.Log) {
			t.Errorf("%q changes something", tt.line)
		}
	}
}

// TestLoneNodeNeverEvicts is G-45 as a person meets it: the demo cluster of one node keeps its pods.
func TestLoneNodeNeverEvicts(t *testing.T) {
	text := strings.Replace(threeKinds(""), "  duration: 12m\n", "  duration: 12m\n  nodes: {count: 1}\n", 1)
	run := mustRun(t, text, Command{At: 60_000, Do: "kill node/node-1"})
	for _, o := range run.Past().Objects(api.KindPod, run.Len()-1) {
		if o.Meta().Terminating() {
			t.Errorf("%s is evicted", o.Key())
		}
	}
}
