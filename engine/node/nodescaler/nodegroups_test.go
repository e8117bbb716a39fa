package nodescaler_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/node/nodescaler"
	"github.com/rollplay/rollplay/engine/past"
)

// grown is a scenario with groups of nodes and a Deployment of pods that request one cpu.
func grown(groups string, replicas int, pod string, more ...string) string {
	return fmt.Sprintf(`apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 15m
  images: [{match: "*", pull: 1s, stop: 2s}]
  nodeGroups: [%s]
%s
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: %d
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {%s containers: [{name: web, image: "web:1", resources: {requests: {cpu: "1"}}}]}
`, groups, strings.Join(more, "\n"), replicas, pod)
}

// agent is a DaemonSet on every node.
const agent = `---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: "agent:1", resources: {requests: {cpu: 500m}}}]}
`

// comings lists when nodes came and went: 55.0 +pool-2.
func comings(r *engine.Run) (list []string) {
	for i := range r.Len() {
		rec := r.Record(i)
		key := past.ParseKey(rec.Object)
		if rec.Kind != engine.Write || key.Kind != api.KindNode {
			continue
		}
		switch c := r.Past().Change(i); {
		case c.Old == nil:
			list = append(list, fmt.Sprintf("%.1f +%s", float64(rec.T)/1000, key.Name))
		case c.New == nil:
			list = append(list, fmt.Sprintf("%.1f -%s", float64(rec.T)/1000, key.Name))
		}
	}
	return list
}

// TestNodeGroups is SIM-10: pods that fit no node get machines at the next look, each 10 s, plus the time to boot, as many as hold them and
// not more than the group may have; nodes without pods but those of DaemonSets go after a time, down to the least number.
func TestNodeGroups(t *testing.T) {
	const pool = "{name: pool, min: 1, max: 3, cpu: 2, boot: 45s, idle: 2m}"
	scaled := "  timeline: [{at: 100s, run: kubectl scale deployment/web --replicas=0}]"
	for name, tt := range map[string]struct {
		text string
		want string
	}{
		"room for all":       {grown(pool, 2, ""), "0.0 +pool-1"},
		"two on a machine":   {grown(pool, 4, ""), "0.0 +pool-1, 55.0 +pool-2"},
		"one is not full":    {grown(pool, 5, ""), "0.0 +pool-1, 55.0 +pool-2, 55.0 +pool-3"},
		"at most three":      {grown(pool, 50, ""), "0.0 +pool-1, 55.0 +pool-2, 55.0 +pool-3"},
		"down to one":        {grown(pool, 5, "", scaled), "0.0 +pool-1, 55.0 +pool-2, 55.0 +pool-3, 230.0 -pool-1, 230.0 -pool-2"},
		"from nothing":       {grown("{name: pool, max: 2, cpu: 2, boot: 10s, idle: 1m}", 1, "", scaled), "20.0 +pool-1, 170.0 -pool-1"},
		"a DaemonSet's part": {grown("{name: pool, max: 9, cpu: 2, boot: 10s}", 2, "") + agent, "20.0 +pool-1, 20.0 +pool-2"},
		"it does not stay for a DaemonSet": {grown("{name: pool, max: 9, cpu: 2, boot: 10s, idle: 1m}", 2, "", scaled) + agent,
			"20.0 +pool-1, 20.0 +pool-2, 170.0 -pool-1, 170.0 -pool-2"},
		"no machine is large enough": {grown("{name: pool, max: 9, cpu: 900m}", 2, ""), ""},
		"the group that fits":        {grown("{name: tiny, max: 9, cpu: 500m}, {name: taken, max: 9, cpu: 4, taints: ['for=gpu:NoSchedule']}, {name: pool, max: 9, cpu: 4, boot: 5s}", 4, ""), "15.0 +pool-1"},
		"the one that it selects":    {grown("{name: a, max: 9, cpu: 4, zone: a}, {name: b, max: 9, cpu: 4, zone: b, boot: 5s}", 4, "nodeSelector: {topology.kubernetes.io/zone: b},"), "15.0 +b-1"},
		"the next group, if it is full": {grown("{name: a, max: 1, cpu: 2, boot: 5s}, {name: b, max: 9, cpu: 2, boot: 25s}", 4, ""),
			"15.0 +a-1, 35.0 +b-1"},
		"each alone": {grown("{name: pool, max: 9, cpu: 8, boot: 5s}", 3, "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "+
			"[{labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}]}},"), "15.0 +pool-1, 15.0 +pool-2, 15.0 +pool-3"},
		"apart if that is possible": {grown("{name: pool, max: 9, cpu: 8, boot: 5s}", 3, "affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: "+
			"[{weight: 1, podAffinityTerm: {labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}}]}},"), "15.0 +pool-1"},
		"a taint that only advises": {grown("{name: taken, max: 9, cpu: 4, taints: ['for=gpu:NoExecute']}, {name: pool, max: 9, cpu: 4, boot: 5s, taints: ['for=gpu:PreferNoSchedule']}", 1, ""),
			"15.0 +pool-1"},
		// A pod gets one machine at most if other pods keep it from every machine.
		"near nobody": {grown("{name: pool, max: 9, cpu: 8, boot: 5s, idle: 30m}", 1, "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "+
			"[{labelSelector: {matchLabels: {app: nobody}}, topologyKey: kubernetes.io/hostname}]}},"), "15.0 +pool-1"},
		"far from every node": {grown("{name: pool, max: 9, cpu: 8, boot: 5s, idle: 30m}", 1, "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "+
			"[{labelSelector: {matchLabels: {app: agent}}, topologyKey: kubernetes.io/hostname}]}},") + agent, "15.0 +pool-1"},
		"spread over no label": {grown("{name: pool, max: 9, cpu: 8, boot: 5s, idle: 30m}", 1, "topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, "+
			"whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}],"), "15.0 +pool-1"},
		"a new number for each": {grown("{name: pool, max: 2, cpu: 1, boot: 10s, idle: 30s}", 1, "",
			"  timeline: [{at: 60s, run: kubectl scale deployment/web --replicas=0}, {at: 200s, run: kubectl scale deployment/web --replicas=1}]"), "20.0 +pool-1, 100.0 -pool-1, 220.0 +pool-2"},
		"seen just before a look":   {grown("{name: pool, max: 2, cpu: 2, boot: 10s}", 0, "", "  timeline: [{at: 9995ms, run: kubectl scale deployment/web --replicas=1}]"), "20.0 +pool-1"},
		"seen together with a look": {grown("{name: pool, max: 2, cpu: 2, boot: 10s}", 0, "", "  timeline: [{at: 9996ms, run: kubectl scale deployment/web --replicas=1}]"), "30.0 +pool-1"},
		"a machine that is just up": {grown("{name: pool, max: 2, cpu: 2, boot: 9999ms}", 1, ""), "20.0 +pool-1"},
		"one that is up and full":   {grown("{name: pool, max: 2, cpu: 1, boot: 9900ms}", 1, "", "  timeline: [{at: 19950ms, run: kubectl scale deployment/web --replicas=2}]"), "19.9 +pool-1, 29.9 +pool-2"},
		"one that was full at once": {grown("{name: pool, max: 2, cpu: 1, boot: 9950ms}", 1, "", "  timeline: [{at: 19955ms, run: kubectl scale deployment/web --replicas=2}]"), "19.9 +pool-1, 40.0 +pool-2"},
		"removed by hand":           {grown("{name: pool, max: 1, cpu: 2, boot: 10s}", 1, "", "  timeline: [{at: 60s, run: kubectl delete node pool-1}]"), "20.0 +pool-1, 60.0 -pool-1, 140.0 +pool-2"},
		"no request needs no room":  {strings.Replace(grown("{name: pool, max: 9, cpu: 400m, boot: 5s}", 2, ""), `requests: {cpu: "1"}`, "requests: {}", 1) + agent, "15.0 +pool-1"},
		"two in one zone": {grown("{name: pool, max: 9, cpu: 8, boot: 5s, idle: 30m, zone: a}", 2, "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "+
			"[{labelSelector: {matchLabels: {app: web}}, topologyKey: topology.kubernetes.io/zone}]}},"), "15.0 +pool-1, 15.0 +pool-2"},
		"beside other nodes": {grown("{name: node, max: 2, cpu: 2, boot: 10s}", 3, "", "  nodes: {count: 1, cpu: 2}"), "0.0 +node-1, 20.0 +node-2"},
	} {
		if got := strings.Join(comings(runs.Of(t, tt.text)), ", "); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, tt.want)
		}
	}
}

// TestTakenName: a person creates a node under the name of a machine that boots. The machine is lost, the pod gets another one, and the
// person's node, although it is empty, stays.
func TestTakenName(t *testing.T) {
	text := grown("{name: pool, max: 1, cpu: 2, boot: 25s, idle: 1m}", 1, "", "  timeline: [{at: 20m, run: kubectl get nodes}]")
	create := engine.Command{At: 15_000, Apply: "apiVersion: v1\nkind: Node\nmetadata: {name: pool-1}\nspec: {unschedulable: true}\n"}
	remove := engine.Command{At: 17_000, Run: "delete node pool-1"}
	if got := strings.Join(comings(runs.Of(t, text, create)), ", "); got != "15.0 +pool-1, 65.0 +pool-2" {
		t.Errorf("it stays: %s", got)
	}
	if got := strings.Join(comings(runs.Of(t, text, create, remove)), ", "); got != "15.0 +pool-1, 17.0 -pool-1, 65.0 +pool-2" {
		t.Errorf("it goes again: %s", got)
	}
}

// TestNodeGroupWords: people see that a model decides, and why it adds nothing.
func TestNodeGroupWords(t *testing.T) {
	text := grown("{name: a, max: 1, cpu: 2, boot: 5s}, {name: b, max: 9, cpu: 500m}", 3, "")
	trace := string(runs.Trace(t, runs.Of(t, text)))
	for _, want := range []string{"10.000 " + nodescaler.Actor + " Pod/default/web-", "event Normal TriggeredScaleUp: pod triggered scale-up: [{a 0->1 (max: 1)}]\n",
		"event Normal NotTriggerScaleUp: pod didn't trigger scale-up: 1 max node group size reached, 1 node(s) of the group would not fit the pod\n"} {
		if !strings.Contains(trace, want) {
			t.Errorf("no %q in\n%s", want, trace)
		}
	}
	for groups, want := range map[string]string{"{name: a, max: 1, cpu: 2, boot: 5s}": "1 max node group size reached",
		"{name: b, max: 9, cpu: 500m}": "1 node(s) of the group would not fit the pod"} {
		if trace := string(runs.Trace(t, runs.Of(t, grown(groups, 3, "")))); !strings.Contains(trace, "pod didn't trigger scale-up: "+want+"\n") {
			t.Errorf("%s: no %q in\n%s", groups, want, trace)
		}
	}
	if n := strings.Count(trace, "NotTriggerScaleUp"); n != 1 {
		t.Errorf("said %d times", n)
	}
}

// TestNodeGroupLaws: in random worlds, a group never has more nodes than it may, nor fewer than it must; a node that goes has no pods but
// those of DaemonSets and has had none for its time; and equal scenarios give equal bytes.
func TestNodeGroupLaws(t *testing.T) {
	came, went := 0, 0
	for seed := range uint64(150) {
		g := rand.New(rand.NewPCG(seed, 18))
		idle := int64(10 + g.IntN(90))
		least, most := g.IntN(3), 3+g.IntN(4)
		var timeline strings.Builder
		for at := range 1 + g.IntN(6) {
			fmt.Fprintf(&timeline, "  - {at: %ds, run: kubectl %s}\n", 20+at*50+g.IntN(50), [...]string{fmt.Sprintf("scale deployment/web --replicas=%d", g.IntN(15)),
				"rollout restart deployment/web", fmt.Sprintf("set image deployment/web web=web:%d", 2+at), "delete pod -l app=web"}[g.IntN(4)])
		}
		text := grown(fmt.Sprintf("{name: pool, min: %d, max: %d, cpu: %d, boot: %ds, idle: %ds}", least, most, 1+g.IntN(3), g.IntN(70), idle), g.IntN(12), "",
			"  timeline:", timeline.String()) + []string{"", agent}[g.IntN(2)]
		r := runs.Of(t, text)
		plus, minus := checkNodes(t, r, least, most, idle*1000)
		came, went = came+plus-least, went+minus
		if !bytes.Equal(runs.Trace(t, r), runs.Trace(t, runs.Of(t, text))) {
			t.Error("the second run is another one")
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, text)
		}
	}
	if t.Logf("%d nodes came, %d went", came, went); came < 100 || went < 50 {
		t.Error("too few")
	}
}

// checkNodes checks the nodes of a run after each record, and counts those that came and went.
func checkNodes(t *testing.T, r *engine.Run, least, most int, idle int64) (came, went int) {
	t.Helper()
	pods, last, started := map[string]int{}, map[string]int64{}, false
	for i := range r.Len() {
		rec := r.Record(i)
		if started = started || rec.Kind == engine.Input; rec.Kind != engine.Write {
			continue
		}
		key, c := past.ParseKey(rec.Object), r.Past().Change(i)
		switch {
		case key.Kind == api.KindPod:
			for _, x := range []struct {
				o api.Object
				n int
			}{{c.Old, -1}, {c.New, 1}} {
				if p, ok := x.o.(*api.Pod); ok && p.NodeName != "" && p.ControllerOf().Kind != api.KindDaemonSet {
					pods[p.NodeName] += x.n
					last[p.NodeName] = rec.T
				}
			}
		case key.Kind != api.KindNode:
		case c.Old == nil:
			came++
			last[key.Name] = rec.T
		case c.New == nil:
			went++
			if name := key.Name; pods[name] > 0 || rec.T-last[name] < idle {
				t.Errorf("%d ms: %s goes with %d pods, %d ms after the last one", rec.T, name, pods[name], rec.T-last[name])
			}
		}
		if n := came - went; n > most || started && n < least {
			t.Errorf("%d ms: %d nodes", rec.T, n)
		}
	}
	names := comings(r)
	if slices.Sort(names); len(slices.Compact(names)) != came+went {
		t.Errorf("a name is used twice: %v", names)
	}
	return came, went
}
