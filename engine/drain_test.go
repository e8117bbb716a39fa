package engine

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
)

// drainWorld is a Deployment with three pods that all run on n1, whose replacements are Ready after four seconds and which
// take three to stop; with what stands behind it.
func drainWorld(more string) string {
	return `
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 3m
  images: [{match: "nginx:*", pull: 0s, start: 4s, stop: 3s}, {match: "crash:*", pull: 0s, start: 0s, crash: 1s}, {match: "*", pull: 0s, start: 0s, stop: 3s}]
  timeline:
  - {at: 0s, run: kubectl cordon n2}
  - {at: 10s, run: kubectl uncordon n2}
---
apiVersion: v1
kind: Node
metadata: {name: n1}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: zk}
spec:
  replicas: 3
  selector: {matchLabels: {app: zk}}
  template:
    metadata: {labels: {app: zk}}
    spec: {containers: [{name: zk, image: "nginx:1"}]}
` + more
}

// budget is a PodDisruptionBudget for the Deployment.
func budget(name, spec string) string {
	return fmt.Sprintf("---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: %s}\nspec: {selector: {matchLabels: {app: zk}}, %s}\n", name, spec)
}

const agents = `---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: "agent:1"}]}
`

// lonePod is a pod of no controller.
func lonePod(name, spec string) string {
	return fmt.Sprintf("---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s, labels: {app: lone}}\nspec: {containers: [{name: c, image: \"agent:1\"}], %s}\n", name, spec)
}

var generated = regexp.MustCompile(`(zk-[a-z0-9]+|agent)-[a-z0-9]{5}\b`)

// transcriptOf returns what a command has printed, each line with its moment after the command, and the generated names of pods
// as zk-1, zk-2, agent-1 in the order of the alphabet of those on n1 when the command is given.
func transcriptOf(t *testing.T, run *Run, command string) (lines []string, record int) {
	t.Helper()
	for i := range run.Len() {
		if rec := run.Record(i); rec.Kind == Input && rec.Command == command {
			record = i
		}
	}
	if record == 0 {
		t.Fatalf("no record of %q", command)
	}
	names := map[string]string{}
	count := map[string]int{}
	for _, pod := range run.Past().Pods(record, run.Past().At(record)) {
		name := strings.TrimPrefix(pod.Key, "default/")
		if pod.Node == "n1" && generated.MatchString(name) {
			prefix, _, _ := strings.Cut(name, "-")
			count[prefix]++
			names[name] = fmt.Sprintf("%s-%d", prefix, count[prefix])
		}
	}
	at := run.Past().At(record)
	for _, l := range run.Past().Transcript(record).Lines {
		sign := ""
		if l.Stderr {
			sign = "! "
		}
		text := generated.ReplaceAllStringFunc(l.Text, func(s string) string { return names[s] })
		lines = append(lines, fmt.Sprintf("%d %s%s", (l.T-at)/1000, sign, text))
	}
	return lines, record
}

// wantPrinted compares what a command has printed.
func wantPrinted(t *testing.T, run *Run, command, want string) (record int) {
	t.Helper()
	lines, record := transcriptOf(t, run, command)
	if got := strings.Join(lines, "\n"); got != strings.TrimSpace(want) {
		t.Errorf("$ %s\n%s\n--- want\n%s", command, got, strings.TrimSpace(want))
	}
	return record
}

const violates = "Cannot evict pod as it would violate the pod's disruption budget."

// TestDrainGolden is the published transcript of P-22 row for row, with the pods in the order of their names.
func TestDrainGolden(t *testing.T) {
	const drain = "kubectl drain n1 --ignore-daemonsets"
	run := mustRun(t, drainWorld(budget("zk", "minAvailable: 2")+agents), Command{At: 19000, Run: "kubectl cordon n1"}, Command{At: 20000, Run: drain})
	record := wantPrinted(t, run, drain, `
0 node/n1 already cordoned
0 ! Warning: ignoring DaemonSet-managed Pods: default/agent-1
0 evicting pod default/zk-1
0 evicting pod default/zk-2
0 evicting pod default/zk-3
0 ! error when evicting pods/"zk-2" -n "default" (will retry after 5s): `+violates+`
0 ! error when evicting pods/"zk-3" -n "default" (will retry after 5s): `+violates+`
4 pod/zk-1 evicted
5 evicting pod default/zk-2
5 evicting pod default/zk-3
5 ! error when evicting pods/"zk-3" -n "default" (will retry after 5s): `+violates+`
9 pod/zk-2 evicted
10 evicting pod default/zk-3
14 pod/zk-3 evicted
14 node/n1 drained`)
	reading := run.Past().Transcript(record)
	if reading.Open || reading.Failed {
		t.Errorf("open %t, failed %t", reading.Open, reading.Failed)
	}
	answer, outputs := run.Record(record).What, 0
	for i := record + 1; i < run.Len(); i++ {
		rec := run.Record(i)
		if rec.Kind != Output {
			continue
		}
		outputs++
		answer += "\n" + rec.What
		if rec.Actor != "kubectl" || rec.Object != "Node/n1" || run.Past().Cause(i) != record || run.Past().Explanation(i) != record {
			t.Errorf("output %+v, cause %d", rec, run.Past().Cause(i))
		}
	}
	if answer != reading.Text() || outputs != 5 {
		t.Errorf("%d records of output:\n%s", outputs, answer)
	}
	var text bytes.Buffer
	if err := WriteText(&text, run); err != nil || !strings.Contains(text.String(), "   34.00") || !strings.Contains(text.String(), " kubectl Node/n1: prints\n          pod/zk-") {
		t.Errorf("the trace does not show it: %v", err)
	}
	for i := range run.Len() { // the explanation of what an eviction writes adds up
		if why := run.records()[i].Why; why != nil && strings.HasPrefix(why.Rule, "P-") && why.Formula != "" {
			if got, err := cluster.Sum(why); err != nil || got != why.Value {
				t.Errorf("%s: adds up to %d (%v)", why, got, err)
			}
		}
	}
}

// TestDrain: the other outcomes of a drain (P-20, P-21).
func TestDrain(t *testing.T) {
	tests := []struct {
		name, more, command, want string
		failed                    bool
	}{
		{"without a budget all go at once", "", "kubectl drain n1", `
0 node/n1 cordoned
0 evicting pod default/zk-1
0 evicting pod default/zk-2
0 evicting pod default/zk-3
4 pod/zk-1 evicted
4 pod/zk-2 evicted
4 pod/zk-3 evicted
4 node/n1 drained`, false},
		{"a grace period, which is two seconds at least", "", "kubectl drain n1 --grace-period=1 --pod-selector app=zk", `
0 node/n1 cordoned
0 evicting pod default/zk-1
0 evicting pod default/zk-2
0 evicting pod default/zk-3
3 pod/zk-1 evicted
3 pod/zk-2 evicted
3 pod/zk-3 evicted
3 node/n1 drained`, false},
		{"an empty node", "", "kubectl drain n2", "0 node/n2 cordoned\n0 node/n2 drained", false},
		{"no such node", "", "kubectl drain n1 n9", `0 ! Error from server (NotFound): nodes "n9" not found`, true},
		{"no pod fits the selector", "", "kubectl drain n1 --pod-selector=app=other", "0 node/n1 cordoned\n0 node/n1 drained", false},
		{"an invalid selector", "", "kubectl drain n1 --pod-selector=,,", "0 ! error: --pod-selector=<pod_selector> must be a valid label selector", true},
		{"DaemonSet pods", agents, "kubectl drain n1", `
0 node/n1 cordoned
0 ! error: unable to drain node "n1" due to error: cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): default/agent-1, continuing command...
0 ! There are pending nodes to be drained:
0 !  n1
0 ! cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): default/agent-1`, true},
		{"two errors", lonePod("lone", "nodeName: n1") + lonePod("data", "nodeName: n1, volumes: [{name: v, emptyDir: {}}]"), "kubectl drain n1", `
0 node/n1 cordoned
0 ! error: unable to drain node "n1" due to error: [cannot delete Pods that declare no controller (use --force to override): default/lone, cannot delete Pods with local storage (use --delete-emptydir-data to override): default/data], continuing command...
0 ! There are pending nodes to be drained:
0 !  n1
0 ! cannot delete Pods that declare no controller (use --force to override): default/lone
0 ! cannot delete Pods with local storage (use --delete-emptydir-data to override): default/data`, true},
		{"forced", lonePod("lone", "nodeName: n1") + lonePod("data", "nodeName: n1, volumes: [{name: v, emptyDir: {}}]"),
			"kubectl drain n1 --force --delete-emptydir-data --pod-selector=app=lone", `
0 node/n1 cordoned
0 ! Warning: deleting Pods that declare no controller: default/data, default/lone
0 evicting pod default/data
0 evicting pod default/lone
4 pod/data evicted
4 pod/lone evicted
4 node/n1 drained`, false},
		{"a mirror pod", strings.Replace(lonePod("static", "nodeName: n1"), "labels:", `annotations: {kubernetes.io/config.mirror: x}, labels:`, 1),
			"kubectl drain n1 --pod-selector=app=lone", "0 node/n1 cordoned\n0 node/n1 drained", false},
		{"a client's dry run", budget("zk", "minAvailable: 100%"), "kubectl drain n1 --dry-run=client", `
0 node/n1 cordoned (dry run)
0 evicting pod default/zk-1 (dry run)
0 evicting pod default/zk-2 (dry run)
0 evicting pod default/zk-3 (dry run)
0 node/n1 drained (dry run)`, false},
		{"a server's dry run", budget("zk", "minAvailable: 2"), "kubectl drain n1 --dry-run=server", `
0 node/n1 cordoned (server dry run)
0 evicting pod default/zk-1 (server dry run)
0 evicting pod default/zk-2 (server dry run)
0 evicting pod default/zk-3 (server dry run)
0 node/n1 drained (server dry run)`, false},
		{"deletions ask no budget", budget("zk", "minAvailable: 100%"), "kubectl drain n1 --disable-eviction", `
0 node/n1 cordoned
4 pod/zk-1 deleted
4 pod/zk-2 deleted
4 pod/zk-3 deleted
4 node/n1 drained`, false},
		{"deletions that take too long", "", "kubectl drain n1 --disable-eviction --timeout=2s", `
0 node/n1 cordoned
2 ! There are pending pods in node "n1" when an error occurred: context deadline exceeded
2 ! pod/zk-1
2 ! pod/zk-2
2 ! pod/zk-3
2 ! error: unable to drain node "n1" due to error: context deadline exceeded, continuing command...
2 ! There are pending nodes to be drained:
2 !  n1
2 ! error: context deadline exceeded`, true},
		{"the time is over", budget("zk", "minAvailable: 2"), "kubectl drain n1 --timeout 3s", `
0 node/n1 cordoned
0 evicting pod default/zk-1
0 evicting pod default/zk-2
0 evicting pod default/zk-3
0 ! error when evicting pods/"zk-2" -n "default" (will retry after 5s): ` + violates + `
0 ! error when evicting pods/"zk-3" -n "default" (will retry after 5s): ` + violates + `
5 evicting pod default/zk-2
5 evicting pod default/zk-3
5 ! There are pending pods in node "n1" when an error occurred: [error when waiting for pod "zk-1" in namespace "default" to terminate: context deadline exceeded, error when evicting pods/"zk-2" -n "default": global timeout reached: 3s, error when evicting pods/"zk-3" -n "default": global timeout reached: 3s]
5 ! pod/zk-2
5 ! pod/zk-3
5 ! error: unable to drain node "n1" due to error: [error when waiting for pod "zk-1" in namespace "default" to terminate: context deadline exceeded, error when evicting pods/"zk-2" -n "default": global timeout reached: 3s, error when evicting pods/"zk-3" -n "default": global timeout reached: 3s], continuing command...
5 ! There are pending nodes to be drained:
5 !  n1
5 ! error when waiting for pod "zk-1" in namespace "default" to terminate: context deadline exceeded
5 ! error when evicting pods/"zk-2" -n "default": global timeout reached: 3s
5 ! error when evicting pods/"zk-3" -n "default": global timeout reached: 3s`, true},
		{"two budgets", budget("a", "minAvailable: 1") + budget("b", "minAvailable: 1"), "kubectl drain n1", `
0 node/n1 cordoned
0 evicting pod default/zk-1
0 evicting pod default/zk-2
0 evicting pod default/zk-3
0 ! There are pending pods in node "n1" when an error occurred: [` + twoBudgets(1) + ", " + twoBudgets(2) + ", " + twoBudgets(3) + `]
0 ! pod/zk-1
0 ! pod/zk-2
0 ! pod/zk-3
0 ! error: unable to drain node "n1" due to error: [` + twoBudgets(1) + ", " + twoBudgets(2) + ", " + twoBudgets(3) + `], continuing command...
0 ! There are pending nodes to be drained:
0 !  n1
0 ! ` + twoBudgets(1) + `
0 ! ` + twoBudgets(2) + `
0 ! ` + twoBudgets(3), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run := mustRun(t, drainWorld(tt.more), Command{At: 20000, Run: tt.command})
			record := wantPrinted(t, run, tt.command, tt.want)
			if r := run.Past().Transcript(record); r.Open || r.Failed != tt.failed {
				t.Errorf("open %t, failed %t", r.Open, r.Failed)
			}
			if n := cordoned(run); n != !strings.Contains(tt.command, "dry-run") && !strings.Contains(tt.want, "0 ! Error") && !strings.Contains(tt.want, "0 ! error: --") {
				t.Errorf("a node is cordoned at the end: %t", n)
			}
		})
	}
}

func twoBudgets(pod int) string {
	return fmt.Sprintf(`error when evicting pods/"zk-%d" -n "default": This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.`, pod)
}

// cordoned says whether a node is cordoned at the end of a run.
func cordoned(run *Run) bool {
	for _, o := range run.Past().Objects(api.KindNode, run.Len()-1) {
		if o.(*api.Node).Spec.Unschedulable {
			return true
		}
	}
	return false
}

// TestDrainBlocked: a budget that allows no disruption blocks a drain until the run ends; a second drain is blocked too
// (P-21).
func TestDrainBlocked(t *testing.T) {
	const first, second = "kubectl drain n1", "kubectl drain node/n1"
	run := mustRun(t, drainWorld(budget("zk", "minAvailable: 100%")), Command{At: 20000, Run: first}, Command{At: 22000, Run: second})
	for _, command := range []string{first, second} {
		lines, record := transcriptOf(t, run, command)
		r := run.Past().Transcript(record)
		if !r.Open || r.Failed || len(lines) < 150 {
			t.Errorf("%s: %d lines, open %t, failed %t", command, len(lines), r.Open, r.Failed)
		}
	}
	for i := range run.Len() {
		if rec := run.Record(i); rec.T > 20000 && strings.HasPrefix(rec.Object, "Pod/") && rec.Kind == Write {
			t.Fatalf("at %d ms: %s %s", rec.T, rec.Object, rec.What)
		}
	}
}

// TestDrainNodes: several nodes are cordoned first and then emptied one by one, even after a node that can't be emptied
// (P-20).
func TestDrainNodes(t *testing.T) {
	const drain = "kubectl drain n1 n2 --force"
	run := mustRun(t, drainWorld(lonePod("data", "nodeName: n1, volumes: [{name: v, emptyDir: {}}]")+lonePod("lone", "nodeName: n2")),
		Command{At: 20000, Run: drain})
	record := wantPrinted(t, run, drain, `
0 node/n1 cordoned
0 node/n2 cordoned
0 ! error: unable to drain node "n1" due to error: cannot delete Pods with local storage (use --delete-emptydir-data to override): default/data, continuing command...
0 ! Warning: deleting Pods that declare no controller: default/lone
0 evicting pod default/lone
4 pod/lone evicted
4 node/n2 drained
4 ! There are pending nodes to be drained:
4 !  n1
4 ! cannot delete Pods with local storage (use --delete-emptydir-data to override): default/data`)
	if run.Record(record).Failed || !run.Past().Transcript(record).Failed {
		t.Error("the command has not failed when it answers, but later")
	}
	failed := false
	for i := range run.Len() {
		if rec := run.Record(i); rec.Kind == Output {
			failed = rec.Failed
		}
	}
	if !failed {
		t.Error("the last output does not say that the command has failed")
	}
}

// TestDrainUnhealthy: pods that keep crashing are evicted if the policy allows it, and block a drain otherwise (P-11).
func TestDrainUnhealthy(t *testing.T) {
	const drain = "kubectl drain n1"
	for policy, blocked := range map[string]bool{"AlwaysAllow": false, "IfHealthyBudget": true} {
		text := strings.Replace(drainWorld(budget("zk", "minAvailable: 3, unhealthyPodEvictionPolicy: "+policy)), `image: "nginx:1"`, `image: "crash:1"`, 1)
		run := mustRun(t, text, Command{At: 20000, Run: drain})
		lines, record := transcriptOf(t, run, drain)
		if r := run.Past().Transcript(record); r.Open != blocked {
			t.Errorf("%s: the drain is open: %t\n%s", policy, r.Open, strings.Join(lines, "\n"))
		}
	}
}

// TestDrainAgain: a second drain finds the node cordoned and empty. A run that ends during a drain, and a run computed in
// slices, print the same (SIM-1).
func TestDrainAgain(t *testing.T) {
	const drain = "kubectl drain n1"
	text := drainWorld(budget("zk", "minAvailable: 2"))
	commands := []Command{{At: 20000, Run: drain}, {At: 60000, Run: drain + " --timeout=1m"}}
	run := mustRun(t, text, commands...)
	wantPrinted(t, run, drain+" --timeout=1m", "0 node/n1 already cordoned\n0 node/n1 drained")
	sliced, _ := Start(Recording{Scenario: text, Commands: commands})
	for !sliced.Advance(7) {
	}
	if !bytes.Equal(traceOf(t, run), traceOf(t, sliced)) {
		t.Error("slices change the trace")
	}
	short := mustRun(t, strings.Replace(text, "duration: 3m", "duration: 23s", 1), commands[:1]...)
	lines, record := transcriptOf(t, short, drain)
	if !short.Past().Transcript(record).Open || len(lines) != 6 {
		t.Errorf("a run that ends early: %q", lines)
	}
}

// TestIgnoresBudgets: the actions of P-14 ignore budgets: a rolling restart completes although no disruption is allowed.
func TestIgnoresBudgets(t *testing.T) {
	run := mustRun(t, drainWorld(budget("zk", "minAvailable: 100%")), Command{At: 20000, Run: "kubectl rollout restart deployment/zk"})
	frames := run.Frames("Deployment/default/zk")
	if f := frames[len(frames)-1]; f.Updated != 3 || f.Total != 3 || f.Available != 3 {
		t.Errorf("the restart does not complete: %+v", f)
	}
	for command, want := range map[string]int{"kubectl scale deployment/zk --replicas=1": 1, "kubectl delete pods --all": 0} {
		run := mustRun(t, drainWorld(budget("zk", "minAvailable: 100%")), Command{At: 20000, Run: command})
		before := map[string]bool{}
		for _, pod := range run.Past().Objects(api.KindPod, run.Past().Find(19999)) {
			before[pod.Key().Name] = true
		}
		left := 0
		for _, pod := range run.Past().Objects(api.KindPod, run.Len()-1) {
			if before[pod.Key().Name] {
				left++
			}
		}
		if len(before) != 3 || left != want {
			t.Errorf("%s: %d of %d pods are left, want %d", command, left, len(before), want)
		}
	}
}

// TestTranscriptOfOthers: the transcript of a command without later output is its answer; other records have none.
func TestTranscriptOfOthers(t *testing.T) {
	const cordon = "kubectl cordon n1 n2"
	run := mustRun(t, drainWorld(""), Command{At: 20000, Run: cordon}, Command{At: 21000, Run: "kubectl cordon n9 n1"})
	wantPrinted(t, run, cordon, "0 node/n1 cordoned\n0 node/n2 cordoned")
	if record := wantPrinted(t, run, "kubectl cordon n9 n1", `0 ! Error from server (NotFound): nodes "n9" not found`); !run.Past().Transcript(record).Failed {
		t.Error("it has not failed")
	}
	if last := run.Len() - 1; run.Record(last).Kind != Input && run.Past().Transcript(last) != nil {
		t.Errorf("a record of kind %s has a transcript", run.Record(last).Kind)
	}
}
