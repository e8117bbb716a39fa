package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/scenarios"
)

// storedRows lists the statuses of an object that were stored from a moment on, each once, beginning with the one that
// stood before.
func storedRows(run *Run, key api.Key, from int64, row func(api.Object) string) (rows []string) {
	log := run.world.server.Store.Log
	for i := range log {
		c := &log[i]
		if c.New == nil || c.New.Key() != key {
			continue
		}
		text := row(c.New)
		if c.At < from {
			rows = []string{text}
		} else if len(rows) == 0 || rows[len(rows)-1] != text {
			rows = append(rows, text)
		}
	}
	return rows
}

// podSteps lists what happened to the pods of an app from a moment on: - is a deletion, + a creation. A pod is called what
// the function says.
func podSteps(run *Run, app string, from int64, call func(*api.Pod) string) (steps []string) {
	log := run.world.server.Store.Log
	for i := range log {
		c := &log[i]
		pod, ok := c.Object().(*api.Pod)
		if !ok || c.At < from || pod.Labels["app"] != app {
			continue
		}
		old, _ := c.Old.(*api.Pod)
		switch name := call(pod); {
		case c.New == nil:
			steps = append(steps, "gone "+name)
		case old == nil:
			steps = append(steps, "+"+name)
		case pod.Terminating() && !old.Terminating():
			steps = append(steps, "-"+name)
		case pod.IsReady() && !old.IsReady():
			steps = append(steps, "ready "+name)
		}
	}
	return steps
}

func wantPodSteps(t *testing.T, got []string, want string) {
	t.Helper()
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("the pods\n got %s\nwant %s", text, want)
	}
}

func podName(p *api.Pod) string { return p.Name }

// podNode calls a pod of a DaemonSet by its node and the tag of its image: 1:1.0.
func podNode(p *api.Pod) string {
	_, tag, _ := strings.Cut(p.Spec.Containers[0].Image, ":")
	return strings.TrimPrefix(p.TargetNode, "node-") + ":" + tag
}

// setRow is a status as S-33 writes it: replicas, ready, current, updated, and = where no update is under way.
func setRow(o api.Object) string {
	s := &o.(*api.StatefulSet).Status
	row := fmt.Sprint(s.Replicas, s.ReadyReplicas, s.CurrentReplicas, s.UpdatedReplicas)
	if s.CurrentRevision == s.UpdateRevision {
		row += " ="
	}
	return row
}

// agentRow is a status as DS-32 writes it: current, ready, updated, available.
func agentRow(o api.Object) string {
	s := &o.(*api.DaemonSet).Status
	return fmt.Sprint(s.CurrentNumberScheduled, s.NumberReady, s.UpdatedNumberScheduled, s.NumberAvailable)
}

// budgetRow is a status as P-8 writes it, and the pods beside it: expected, healthy, desired, allowed.
func budgetRow(o api.Object) string {
	s := &o.(*api.PodDisruptionBudget).Status
	return fmt.Sprint(s.ExpectedPods, s.CurrentHealthy, s.DesiredHealthy, s.DisruptionsAllowed)
}

var (
	dbKey    = api.Key{Kind: api.KindStatefulSet, Namespace: "default", Name: "db"}
	agentKey = api.Key{Kind: api.KindDaemonSet, Namespace: "default", Name: "agent"}
	webPDB   = api.Key{Kind: api.KindPodDisruptionBudget, Namespace: "default", Name: "web"}
)

// TestStatefulSetRows is S-33 row for row and S-20's order, with the real scheduler and kubelet. "3 2 2 0" is a pod that has stopped and is not
// removed yet (G-30c).
func TestStatefulSetRows(t *testing.T) {
	run := mustRun(t, scenarios.Text("sts-rolling"))
	wantRows(t, "S-33", storedRows(run, dbKey, 15_000, setRow), []string{
		"3 3 3 3 =", "3 3 2 0", "3 2 2 0", "2 2 2 0", "3 2 2 1", "3 3 1 1", "3 2 1 1", "2 2 1 1", "3 2 1 2", "3 3 0 2", "3 2 0 2", "2 2 0 2", "3 2 0 3",
		"3 3 3 3 ="})
	wantPodSteps(t, podSteps(run, "db", 15_000, podName), "-db-2, gone db-2, +db-2, ready db-2, "+
		"-db-1, gone db-1, +db-1, ready db-1, -db-0, gone db-0, +db-0, ready db-0")
}

// TestCanaryRows is S-20's partition: only db-3 and db-2 are updated, db-0 comes back as it was (S-21), and nothing is
// complete (S-31) until the partition is lowered.
func TestCanaryRows(t *testing.T) {
	run := mustRun(t, scenarios.Text("sts-partition-canary"))
	wantRows(t, "S-31", storedRows(run, dbKey, 20_000, setRow), []string{
		"4 4 4 4 =", "4 4 3 0", "4 3 3 0", "3 3 3 0", "4 3 3 1", "4 4 2 1", "4 3 2 1", "3 3 2 1", "4 3 2 2", "4 4 2 2", // the canary
		"4 4 1 2", "4 3 1 2", "3 3 1 2", "4 3 2 2", "4 4 2 2", // db-0 is deleted by hand
		"4 4 1 2", "4 3 1 2", "3 3 1 2", "4 3 1 3", "4 4 0 3", "4 3 0 3", "3 3 0 3", "4 3 0 4", "4 4 4 4 ="}) // partition 0
	wantPodSteps(t, podSteps(run, "db", 20_000, podName),
		"-db-3, gone db-3, +db-3, ready db-3, -db-2, gone db-2, +db-2, ready db-2, "+
			"-db-0, gone db-0, +db-0, ready db-0, -db-1, gone db-1, +db-1, ready db-1, -db-0, gone db-0, +db-0, ready db-0")
}

// TestTwoAtATime is S-20 with maxUnavailable 2: OrderedReady deletes two and takes them back one by one, Parallel deletes one
// more for each that becomes available. Up to 1.36 it is one at a time (S-19). Which of two pods is gone first depends on their nodes (G-30c).
func TestTwoAtATime(t *testing.T) {
	text := scenarios.Text("sts-max-unavailable")
	run := mustRun(t, text)
	wantPodSteps(t, podSteps(run, "db", 20_000, podName),
		"-db-4, -db-3, gone db-3, +db-3, gone db-4, ready db-3, +db-4, ready db-4, "+
			"-db-2, -db-1, gone db-1, +db-1, ready db-1, gone db-2, +db-2, ready db-2, -db-0, gone db-0, +db-0, ready db-0")
	wantPodSteps(t, podSteps(run, "cache", 20_000, podName),
		"-cache-4, -cache-3, gone cache-4, +cache-4, gone cache-3, +cache-3, "+
			"ready cache-4, -cache-2, ready cache-3, -cache-1, gone cache-1, +cache-1, gone cache-2, +cache-2, "+
			"ready cache-1, -cache-0, ready cache-2, gone cache-0, +cache-0, ready cache-0")

	run = mustRun(t, strings.Replace(text, "\nspec:\n", "\nspec:\n  version: \"1.36\"\n", 1))
	for _, app := range []string{"db", "cache"} {
		var want []string
		for ordinal := 4; ordinal >= 0; ordinal-- {
			name := fmt.Sprintf("%s-%d", app, ordinal)
			want = append(want, "-"+name, "gone "+name, "+"+name, "ready "+name)
		}
		wantPodSteps(t, podSteps(run, app, 20_000, podName), strings.Join(want, ", "))
	}
}

// TestStuckRows is S-22: the undo changes the numbers and not the pod; a person has to delete it. With Parallel the
// controller does.
func TestStuckRows(t *testing.T) {
	run := mustRun(t, scenarios.Text("sts-stuck"))
	wantRows(t, "S-22", storedRows(run, dbKey, 15_000, setRow), []string{
		"3 3 3 3 =", "3 3 2 0", "3 2 2 0", "2 2 2 0", "3 2 2 1", // stuck
		"3 2 2 2 =",              // undone, and still stuck
		"2 2 2 2 =", "3 2 3 3 =", // deleted by hand
		"3 3 3 3 ="})
	const replaced = "-db-2, gone db-2, +db-2, ready db-2"
	wantPodSteps(t, podSteps(run, "db", 35_000, podName), replaced)
	wantPodSteps(t, podSteps(run, "db", 60_000, podName), replaced) // not before somebody deletes it

	run = mustRun(t, scenarios.Text("sts-parallel"))
	wantRows(t, "Parallel", storedRows(run, dbKey, 35_000, setRow), []string{
		"3 2 2 1", "3 2 1 2 =", "3 2 2 2 =", "2 2 2 2 =", "3 2 3 3 =", "3 3 3 3 ="})
	wantPodSteps(t, podSteps(run, "db", 35_000, podName), replaced)
}

// TestDaemonSetRows is DS-32 row for row and DS-13's order, with the real scheduler and kubelet: delete, create, available, next node. The new
// pod is created when the old one has stopped, before it is gone: the controller leaves out deleted pods that are over
// (daemon_controller.go:getNodesToDaemonPods).
func TestDaemonSetRows(t *testing.T) {
	run := mustRun(t, scenarios.Text("ds-rolling"))
	rows := []string{"4 4 4 4", "4 4 0 4"}
	var steps []string
	for n := range 4 {
		rows = append(rows, fmt.Sprintf("3 3 %d 3", n), fmt.Sprintf("4 3 %d 3", n+1), fmt.Sprintf("4 4 %d 4", n+1))
		steps = append(steps, fmt.Sprintf("-%[1]d:1.0, +%[1]d:1.1, gone %[1]d:1.0, ready %[1]d:1.1", n+1))
	}
	wantRows(t, "DS-32", storedRows(run, agentKey, 10_000, agentRow), rows)
	wantPodSteps(t, podSteps(run, "agent", 10_000, podNode), strings.Join(steps, ", "))
}

// TestDaemonSetSurgeRows is DS-13 with maxSurge 2: two new pods beside old ones, and an old one goes when the new one of its
// node is available. Of each node the oldest pod counts (DS-30), so nothing is updated before an old pod is gone.
func TestDaemonSetSurgeRows(t *testing.T) {
	run := mustRun(t, scenarios.Text("ds-surge"))
	wantRows(t, "DS-30", storedRows(run, agentKey, 18_000, agentRow), []string{
		"4 4 4 4", "4 4 0 4", "4 4 1 4", "4 4 2 4", "4 4 3 4", "4 4 4 4"})
	wantPodSteps(t, podSteps(run, "agent", 18_000, podNode),
		"+1:1.1, +2:1.1, ready 1:1.1, -1:1.0, +3:1.1, ready 2:1.1, -2:1.0, +4:1.1, "+
			"ready 3:1.1, -3:1.0, gone 1:1.0, gone 2:1.0, ready 4:1.1, -4:1.0, gone 3:1.0, gone 4:1.0")
}

// TestHostPortRows: a new pod that fits nowhere beside the old one blocks a surge permanently (DS-12); with maxUnavailable
// instead that one goes first (DS-8), at once since no node has it, and the nodes follow one by one (DS-13).
func TestHostPortRows(t *testing.T) {
	run := mustRun(t, scenarios.Text("ds-surge-hostport"))
	wantPodSteps(t, podSteps(run, "ingress", 10_000, podNode),
		"+1:1.1, gone 1:1.1, -1:1.0, +1:1.1, gone 1:1.0, ready 1:1.1, "+
			"-2:1.0, +2:1.1, gone 2:1.0, ready 2:1.1, -3:1.0, +3:1.1, gone 3:1.0, ready 3:1.1")
}

// TestBudgetRows is the table of P-8 as the controllers compute it for pods that run, and the one row of the article.
func TestBudgetRows(t *testing.T) {
	for _, tt := range []struct {
		replicas int
		rule     string
		want     string // expected, healthy, desired, allowed
	}{
		{7, "minAvailable: 50%", "7 7 4 3"},
		{7, "maxUnavailable: 30%", "7 7 4 3"},
		{7, "maxUnavailable: 1", "7 7 6 1"},
		{7, "minAvailable: 0", "7 7 0 7"},
		{7, "minAvailable: 100%", "7 7 7 0"},
		{7, "maxUnavailable: 0", "7 7 7 0"},
		{7, "minAvailable: 9", "7 7 9 0"},
		{3, "minAvailable: 2", "3 3 2 1"},
	} {
		run := mustRun(t, scenarioOf("", fmt.Sprintf("replicas: %d, ", tt.replicas)+plainPod)+
			"---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\n"+
			"spec: {selector: {matchLabels: {app: web}}, "+tt.rule+"}\n")
		rows := storedRows(run, webPDB, 0, budgetRow)
		if got := rows[len(rows)-1]; got != tt.want {
			t.Errorf("P-8, %s of %d: %s, want %s", tt.rule, tt.replicas, got, tt.want)
		}
	}
}

// TestRestartRows is P-14: a rolling restart takes two pods although the budget allows nothing; the budget only counts along.
func TestRestartRows(t *testing.T) {
	run := mustRun(t, scenarios.Text("pdb-not-rollout"))
	wantRows(t, "P-14", storedRows(run, webPDB, 15_000, budgetRow), []string{
		"4 4 4 0", "4 2 4 0", "4 4 4 0", "4 2 4 0", "4 4 4 0"})
}
