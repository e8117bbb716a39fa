package browser_test

import (
	"path/filepath"
	"strings"
	"testing"
)

const cluster = `apiVersion: rollplay/v1alpha1
kind: Scenario
metadata: {name: cluster}
spec:
  title: Three kinds on three nodes
  duration: 5m
  nodes: {count: 3, cpu: "4", memory: 8Gi, pods: 110}
  images: [{match: "*", pull: 1s, start: 2s, stop: 1s}]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 4
  updateStrategy: {rollingUpdate: {partition: 0}}
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
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: db}
spec:
  minAvailable: 3
  selector: {matchLabels: {app: db}}
`

// openCluster replaces the scenario by one with all kinds, and goes to a moment at which everything rests.
func openCluster(t *testing.T, s size, theme string) *tab {
	t.Helper()
	p := open(t, s, theme, "")
	p.toStart()
	eval[bool](p, "(rollplay.setText("+quote(cluster)+"), true)")
	p.waitState("s.dirty && !s.errors")
	p.click("apply")
	p.waitState(`s.workload === "StatefulSet/default/db" && s.done`)
	p.seek(60_000)
	return p
}

// node is the expression for the card of a node.
func node(name string) string {
	return `document.querySelector('[data-act="node"][data-name="` + name + `"]')`
}

// TestDrainFromTheNodeView: the button of a node drains it, the budget lets its pods go one at a time, and the transcript
// says so in the words of kubectl. Then the node can be used again.
func TestDrainFromTheNodeView(t *testing.T) {
	t.Parallel()
	p := openCluster(t, desktop, "light")
	p.openTab("nodes")
	p.wait("three nodes", `document.querySelectorAll('[data-act="node"]').length === 3`)
	p.clickOn("drain of node-1", node("node-1")+`.querySelector('[data-act="node-drain"]')`)
	p.waitState("s.commands === 1 && s.done")
	p.seek(120_000)
	p.wait("the node to be cordoned", node("node-1")+`.innerText.includes("SchedulingDisabled")`)
	p.wait("the transcript to end", `document.querySelector('[data-act="drain-transcript"]').innerText.includes("node/node-1 drained")`)
	said := p.text("drain-transcript")
	for _, want := range []string{
		"kubectl drain node-1 --ignore-daemonsets --delete-emptydir-data",
		"node/node-1 cordoned",
		"Warning: ignoring DaemonSet-managed Pods: default/agent-",
		"evicting pod default/db-",
		"(will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.",
		"evicted",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the transcript lacks %q:\n%s", want, said)
		}
	}
	left := eval[int](p, node("node-1")+`.querySelectorAll('[data-act="node-pod"]').length`)
	if left != 1 {
		t.Errorf("%d pods are left on node-1, want the DaemonSet's one", left)
	}
	p.clickOn("uncordon of node-1", node("node-1")+`.querySelector('[data-act="node-uncordon"]')`)
	p.waitState("s.commands === 2")
	p.wait("the node to be usable", `!`+node("node-1")+`.innerText.includes("SchedulingDisabled")`)
}

// TestNodeDies: a node that is killed looks well until the control plane notices, and a new one can be added.
func TestNodeDies(t *testing.T) {
	t.Parallel()
	p := openCluster(t, desktop, "light")
	p.openTab("nodes")
	p.clickOn("kill of node-2", node("node-2")+`.querySelector('[data-act="node-kill"]')`)
	p.waitState("s.commands === 1 && s.done")
	p.wait("the page to know more than the cluster", node("node-2")+`.innerText.includes("no controller has noticed yet")`)
	p.seek(130_000)
	p.wait("the cluster to notice", node("node-2")+`.innerText.includes("NotReady")`)
	if text := eval[string](p, node("node-2")+".innerText"); !strings.Contains(text, "node.kubernetes.io/unreachable:NoExecute") {
		t.Errorf("the taint is not shown:\n%s", text)
	}
	p.click("node-add")
	p.waitState("s.commands === 2")
	p.wait("the fourth node", node("node-4"))
}

// TestPartitionCanaryByHand: the partition is raised, the image changed, one pod is updated, and then all are.
func TestPartitionCanaryByHand(t *testing.T) {
	t.Parallel()
	p := openCluster(t, desktop, "light")
	p.fill("partition-input", "3")
	p.clickCommand("partition", `"partition":3`)
	p.waitState("s.commands === 1")
	p.seek(70_000) // a command plays by itself: the next one would come whenever the test gets there
	p.pause()
	p.fill("image-input", "db:2")
	p.clickCommand("set-image", "db=db:2")
	p.waitState("s.commands === 2 && s.done")
	p.seek(120_000)
	if got, want := p.revisions(), "rev 2, rev 1, rev 1, rev 1"; got != want {
		t.Errorf("with partition 3 the pods end with %s, want %s", got, want)
	}
	p.openTab("log")
	p.wait("the lanes and the partition", `document.querySelectorAll(".strip.lane").length === 4 && document.querySelector('[data-name="Partition"]').innerText.includes("from db-3 up")`)
	p.fill("partition-input", "0")
	p.clickCommand("partition", `"partition":0`)
	p.waitState("s.commands === 3 && s.done")
	p.seek(240_000)
	if got, want := p.revisions(), "rev 2, rev 2, rev 2, rev 2"; got != want {
		t.Errorf("without a partition the pods end with %s, want %s", got, want)
	}
}

// revisions are those that the lanes end with, from the highest ordinal down.
func (p *tab) revisions() string {
	p.t.Helper()
	return eval[string](p, `[...document.querySelectorAll(".strip.lane")].map((lane) =>
		[...lane.querySelectorAll(".segment")].at(-1).title.match(/rev \d+/)[0]).join(", ")`)
}

// TestClusterLayout looks at the lanes, the small charts and the node view in both sizes and both themes.
func TestClusterLayout(t *testing.T) {
	t.Parallel()
	for _, s := range []size{desktop, phone} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(s.name+" "+theme, func(t *testing.T) {
				p := openCluster(t, s, theme)
				for _, name := range []string{"nodes", "pods", "tables"} {
					p.openTab(name)
					p.checkLayout()
					p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-"+theme+"-cluster-"+name+".png"))
				}
				if n := p.count(`[data-act="small-chart"]`); n != 1 {
					t.Errorf("%d small charts are drawn, want that of the DaemonSet", n)
				}
			})
		}
	}
}
