package past_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/judge"
	"github.com/rollplay/rollplay/engine/past"
)

// TestSetFrames: the counts and bounds of the other kinds. A StatefulSet has no surge and misses one pod at a time (S-18),
// a DaemonSet counts the nodes that should run it (DS-3).
func TestSetFrames(t *testing.T) {
	r := runs.Lines(t, texts.Sets("podManagementPolicy: Parallel", "", "minAvailable: 2"),
		"kubectl set image statefulset/db db=db:2", "kubectl set image daemonset/agent agent=agent:2",
		"kubectl taint nodes node-1 gpu=yes:NoSchedule")
	for _, workload := range []string{texts.Set, texts.Daemon} {
		least, most := 99, 0
		for _, f := range r.Frames(workload) {
			if f.T > 20_000 && f.T < 89_000 {
				least, most = min(least, f.Available), max(most, f.Total)
				if f.Upper != 3 || f.Lower != 2 || f.Desired != 3 {
					t.Fatalf("%s at %d: %+v", workload, f.T, f)
				}
			}
		}
		if least != 2 || most != 3 {
			t.Errorf("%s: between %d available and %d pods", workload, least, most)
		}
	}
	frames := r.Frames(texts.Daemon)
	if f := frames[len(frames)-1]; f.Desired != 2 || f.Upper != 2 || f.Lower != 1 || f.Total != 3 {
		t.Errorf("with a taint on one node: %+v", f)
	}
	if f := r.Frames(texts.Set); len(f[len(f)-1].ReplicaSets) != 2 || f[len(f)-1].ReplicaSets[1].Revision != 2 {
		t.Errorf("revisions: %+v", f[len(f)-1])
	}
	if images := r.Past().Images(texts.Set, frames[0].Workload); images != "" {
		t.Errorf("images of no revision: %q", images)
	}
	last := r.Frames(texts.Set)[len(r.Frames(texts.Set))-1]
	if got := r.Past().Images(texts.Set, last.ReplicaSets[0].Name) + " " + r.Past().Images(texts.Set, last.ReplicaSets[1].Name); got != "db:1 db:2" {
		t.Errorf("images %q", got)
	}
}

// TestLanes: the lanes of a StatefulSet are its ordinals from the last one down, those of a DaemonSet its nodes; with a surge
// a node has two for a while.
func TestLanes(t *testing.T) {
	r := runs.Lines(t, texts.Sets("updateStrategy: {rollingUpdate: {partition: 2}}", "updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}", "minAvailable: 2"),
		"kubectl set image statefulset/db db=db:2", "kubectl set image daemonset/agent agent=agent:2")
	names := func(lanes []past.Lane) (list []string) {
		for _, l := range lanes {
			var revisions []string
			for _, s := range l.Segments {
				if text := fmt.Sprintf("%d", s.Revision); s.State == past.PodAvailable && !slices.Contains(revisions, text) {
					revisions = append(revisions, text)
				}
			}
			list = append(list, l.Name+":"+strings.Join(revisions, ","))
		}
		return list
	}
	if got, want := strings.Join(names(r.Past().Lanes(texts.Set, 9)), " "), "db-2:1,2 db-1:1 db-0:1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := strings.Join(names(r.Past().Lanes(texts.Set, 1)), " "), "db-2:1,2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := strings.Join(names(r.Past().Lanes(texts.Daemon, 9)), " "), "node-1:1 node-1:2 node-2:1 node-2:2 node-3:1 node-3:2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if steps := r.Past().Partition(texts.Set); len(steps) != 1 || steps[0].Partition != 2 {
		t.Errorf("partition %v", steps)
	}
	if r.Past().Partition(texts.Daemon) != nil || r.Past().Lanes("Deployment/default/web", 9) != nil {
		t.Error("a DaemonSet has a partition, or a Deployment that is not there has lanes")
	}
}

// TestBudgets: a budget is shown with the workload that its selector matches, and the judge says that a rollout does not ask
// it (P-14).
func TestBudgets(t *testing.T) {
	r := runs.Lines(t, texts.Sets("", "", "minAvailable: 100%"), "kubectl rollout restart statefulset/db")
	if len(r.Past().Budgets(texts.Daemon)) != 0 {
		t.Error("the budget of db is shown with the DaemonSet")
	}
	budgets := r.Past().Budgets(texts.Set)
	if len(budgets) != 1 || budgets[0].Name != "db" {
		t.Fatalf("%+v", budgets)
	}
	if s, ok := budgets[0].At(r.Len() - 1); !ok || s.Desired != 3 || s.Current != 3 || s.Allowed != 0 {
		t.Errorf("at the end: %+v", s)
	}
	short := false
	j := judge.New(r.Past())
	for _, f := range r.Frames(texts.Set) {
		if f.T < 30_000 || f.T > 40_000 {
			continue
		}
		_, line := j.Line(texts.Set, f.Record, f.T)
		short = short || strings.Contains(line, "PodDisruptionBudget db wants 3 healthy and has 2: it limits only evictions, not rollouts (P-14).")
	}
	if !short {
		t.Error("the judge never says that the rollout ignores the budget")
	}
}

// TestNodes: what the node view shows.
func TestNodes(t *testing.T) {
	r := runs.Lines(t, texts.Sets("", "", "minAvailable: 2"), "kubectl cordon node-2", "kill node/node-3")
	rows, all := r.Past().Nodes(r.Past().Find(40_000), 2)
	if all != 3 || len(rows) != 2 || rows[1].Status != "Ready,SchedulingDisabled" || !rows[1].Cordoned || rows[0].Pods != 2 ||
		rows[1].Taints != "node.kubernetes.io/unschedulable:NoSchedule" {
		t.Errorf("%d nodes: %+v", all, rows)
	}
	if r.Past().IsDown("node-3", r.Past().Find(50_000)) || !r.Past().IsDown("node-3", r.Past().Find(61_000)) || r.Past().IsDown("node-1", r.Len()-1) {
		t.Error("node-3 is down from 60 s on, and no other one")
	}
	rows, _ = r.Past().Nodes(r.Past().Find(200_000), 9)
	if rows[2].Ready || !strings.HasPrefix(rows[2].Status, "NotReady") {
		t.Errorf("the killed node: %+v", rows[2])
	}
}
