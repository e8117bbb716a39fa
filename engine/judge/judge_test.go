package judge_test

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/judge"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/scenarios"
)

// verdictRows writes the verdicts on Deployment web down, apart from those about terminating pods.
func verdictRows(run *engine.Run) []string {
	return slices.DeleteFunc(rowsOf(run, texts.Web), func(row string) bool { return strings.Contains(row, " terminating, ") })
}

// rowsOf writes the verdicts on a workload down, apart from those for the first start.
func rowsOf(run *engine.Run, workload string) (rows []string) {
	for _, v := range judge.New(run.Past()).Verdicts(workload) {
		if v.From > 0 {
			kind := [...]string{judge.Broken: "broken by the environment", judge.Exceeded: "legally exceeded"}[v.Kind]
			rows = append(rows, fmt.Sprintf("%d-%d %s, %s, by %s %s: %s", v.From, v.To, v.Bound, kind, v.By, v.Rule, v.Text))
		}
	}
	return rows
}

// TestVerdicts: who took the pods that are missing, and what the rules allow.
func TestVerdicts(t *testing.T) {
	ten := texts.World(texts.Quick, "replicas: 10", "image: web:1")
	pods := runs.Of(t, ten).Past().Pods(runs.Of(t, ten).Past().Find(5000), 5000)
	slices.SortStableFunc(pods, func(a, b past.PodTile) int { return strings.Compare(a.Node, b.Node) }) // four on node-1, which notices crashes at 5738 ms
	pod := func(i int) string { return strings.TrimPrefix(pods[i].Key, "default/") }
	crash := func(at int64, i int) engine.Command { return engine.Command{At: at, Do: "crash pod/" + pod(i)} }
	set := pods[0].Owner
	few := texts.World(texts.Quick, "replicas: 3\n  strategy: {rollingUpdate: {maxUnavailable: 0}}", "image: web:1")
	var fewPods []string
	for _, p := range runs.Of(t, few).Past().Pods(runs.Of(t, few).Past().Find(5000), 5000) {
		fewPods = append(fewPods, strings.TrimPrefix(p.Key, "default/"))
	}
	ready := texts.World(texts.Quick, "replicas: 2", "image: web:1, readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1, failureThreshold: 2}")
	probe := runs.FirstPod(t, runs.Of(t, ready), 5000)
	apply := func(at int64, spec string) engine.Command {
		return engine.Command{At: at, Apply: strings.TrimPrefix(texts.Deployment(spec, "image: web:1"), "---\n")}
	}
	for _, tt := range []struct {
		name, text string
		commands   []engine.Command
		want       []string
	}{
		{"nothing happens", ten, nil, nil},
		{"one crash is within the bound", ten, []engine.Command{crash(5000, 0), crash(5000, 1)}, nil},
		{"three crashes are not", ten, []engine.Command{crash(5000, 0), crash(5000, 1), crash(5000, 2)}, []string{
			"5738-6038 lower, broken by the environment, by kubelet : 7 available, 1 fewer than at least 8: container web of pod " + pod(2) + " crashed (exit code 137)."}},
		{"further losses are counted", ten, []engine.Command{crash(5000, 0), crash(5000, 1), crash(5000, 2), crash(5100, 3), {At: 5900, Run: "delete pod " + pod(4)}}, []string{
			"5738-6038 lower, broken by the environment, by kubelet : 5 available, 3 fewer than at least 8: container web of pod " + pod(2) + " crashed (exit code 137), and 2 more were lost."}},
		{"deleted by hand", ten, []engine.Command{{At: 5000, Run: "delete pod " + pod(0) + " " + pod(1) + " " + pod(2)}}, []string{
			"5000-5303 lower, broken by the environment, by kubectl : 7 available, 1 fewer than at least 8: pod " + pod(2) + " was deleted by hand."}},
		{"deleted by force", ten, []engine.Command{{At: 5000, Run: "delete pod --force --grace-period=0 " + pod(0) + " " + pod(1) + " " + pod(2)}}, []string{
			"5000-5303 lower, broken by the environment, by kubectl : 7 available, 1 fewer than at least 8: pod " + pod(2) + " was deleted by hand."}},
		{"readiness fails (G-25)", ready, []engine.Command{{At: 5000, Do: "fail-readiness pod/" + probe}, {At: 9000, Do: "restore-readiness pod/" + probe}}, []string{
			"6304-9304 lower, broken by the environment, by kubelet : 1 available, 1 fewer than at least 2: the readiness probe of container web of pod " + probe + " failed."}},
		{"the ReplicaSet is deleted", ten, []engine.Command{{At: 5000, Run: "delete rs " + set}}, []string{
			"5001-5304 lower, broken by the environment, by kubectl : 0 available, 8 fewer than at least 8: ReplicaSet " + set + " was deleted by hand."}},
		{"the ReplicaSet is scaled by hand", ten, []engine.Command{{At: 5000, Run: "scale rs/" + set + " --replicas=2"}}, []string{
			"5001-5304 lower, broken by the environment, by kubectl : 2 available, 6 fewer than at least 8: ReplicaSet " + set + " was scaled to 2 by hand."}},
		{"the ReplicaSet is scaled up by hand", ten, []engine.Command{{At: 5000, Run: "scale rs/" + set + " --replicas=20"}}, []string{
			"5001-5002 upper, broken by the environment, by kubectl : 20 pods, 7 more than at most 13: ReplicaSet " + set + " was scaled to 20 by hand."}},
		{"scaled up (D-21)", ten, []engine.Command{{At: 5000, Run: "scale deployment/web --replicas=20"}}, []string{
			"5000-5304 lower, legally exceeded, by kubectl D-21: 10 available, on the way to at least 15: the Deployment was scaled from 10 to 20, and its pods have to start first."}},
		{"lost on the way", ten, []engine.Command{{At: 5700, Run: "scale deployment/web --replicas=20"}, crash(5710, 0)}, []string{
			"5700-6004 lower, legally exceeded, by kubectl D-21: 9 available, on the way to at least 15: the Deployment was scaled from 10 to 20, and its pods have to start first. 1 pod was lost meanwhile."}},
		{"scaled down (D-20)", ten, []engine.Command{{At: 5000, Run: "scale deployment/web --replicas=4"}}, []string{
			"5000-5002 upper, legally exceeded, by kubectl D-20: 10 pods, 5 more than at most 5: the Deployment was scaled from 10 to 4, and the excess pods have to be deleted first."}},
		{"deleted (A-9)", ten, []engine.Command{{At: 5000, Run: "delete deployment web"}}, []string{
			"5000-5002 upper, legally exceeded, by kubectl A-9: 10 pods, 10 more than at most 0: the Deployment was deleted, and the garbage collector has to delete its pods first."}},
		{"deleted with its dependents first (A-9)", ten, []engine.Command{{At: 5000, Run: "delete deployment web --cascade=foreground"}}, nil},
		{"less may be unavailable", ten, []engine.Command{crash(5000, 0), crash(5000, 1), apply(5800, "replicas: 10\n  strategy: {rollingUpdate: {maxUnavailable: 0}}")}, []string{
			"5800-6038 lower, legally exceeded, by kubectl D-21: 8 available, on the way to at least 10: the strategy of the Deployment was changed, and its pods have to start first."}},
		{"relabelled by hand", ten, []engine.Command{{At: 5000, Run: "label pods " + pod(0) + " " + pod(1) + " " + pod(2) + " app=other --overwrite"}}, []string{
			"5001-5303 lower, broken by the environment, by kubectl : 7 available, 1 fewer than at least 8: pod " + pod(2) + " was changed by hand."}},
		{"the ReplicaSet leaves its pods (A-13)", ten, []engine.Command{{At: 5000, Run: "delete rs --all --cascade=orphan"}}, []string{
			"5001-5003 lower, broken by the environment, by kubectl : 0 available, 8 fewer than at least 8: ReplicaSet " + set + " was deleted by hand."}},
		{"the ReplicaSet leaves the Deployment, relabelled by hand (A-13)", ten, []engine.Command{{At: 5000, Run: "label rs --all app=other --overwrite"}}, []string{
			"5001-5306 lower, broken by the environment, by kubectl : 0 available, 8 fewer than at least 8: ReplicaSet " + set + " was changed by hand."}},
		{"the numbers are those of the worst moment", few, []engine.Command{{At: 5000, Run: "delete pod " + fewPods[0] + " " + fewPods[1]}, {At: 5100, Run: "scale deployment/web --replicas=2"}, {At: 5150, Run: "delete pod " + fewPods[2]}}, []string{
			"5000-5453 lower, broken by the environment, by kubectl : 1 available, 2 fewer than at least 3: pod " + fewPods[0] + " was deleted by hand, and 2 more were lost."}},
		{"evicted (P-13)", ten, []engine.Command{{At: 5000, Run: "drain node-1"}}, []string{
			"5000-5303 lower, broken by the environment, by kubectl : 6 available, 2 fewer than at least 8: pod " + pod(2) + " was evicted from node node-1, and 1 more was lost."}},
		{"a taint (G-43)", ten, []engine.Command{{At: 5000, Run: "taint node node-1 a=b:NoExecute"}}, []string{
			"5001-5304 lower, broken by the environment, by taint-eviction-controller : 6 available, 2 fewer than at least 8: pod " + pod(3) + " was deleted from node node-1, and 1 more was lost."}},
		{"a lost node (G-42)", ten, []engine.Command{{At: 5000, Do: "kill node/node-1"}}, []string{
			"55000-355404 lower, broken by the environment, by node-controller : 6 available, 2 fewer than at least 8: node node-1 is lost, and pod " + pod(3) + " counts as not Ready (G-42), and 1 more was lost."}},
		{"pods must be Ready for longer (R-16)", ten, []engine.Command{apply(5000, "minReadySeconds: 10\n  replicas: 10")}, []string{
			"5001-11000 lower, legally exceeded, by deployment-controller R-16: 0 available, 8 fewer than at least 8: minReadySeconds was raised from 0 to 10, and pods must have been Ready for that long."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run := runs.Of(t, tt.text, tt.commands...)
			if got := verdictRows(run); !slices.Equal(got, tt.want) {
				t.Errorf("\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(tt.want, "\n     "))
			}
		})
	}
}

// TestVerdictsOfUpstream: what the controllers do although the bound does not allow it.
func TestVerdictsOfUpstream(t *testing.T) {
	const images = `{match: "v2", pull: 1s, start: 300ms..4s, stop: 1s..3s}
{match: "v3", pull: 1s, start: 1s..2s, stop: 500ms}
{match: "slow", pull: 500ms, start: 20s, stop: 1s}
{match: "*", pull: 500ms, start: 300ms, stop: 1s}`
	for _, tt := range []struct {
		rule, spec string
		seed       int
		timeline   []string
		want       string
	}{
		{"R-9", "replicas: 10\n  minReadySeconds: 2\n  strategy: {rollingUpdate: {maxSurge: 40%, maxUnavailable: 39%}}", 1, []string{
			"{at: 11885ms, run: set image deployment/web web=v2}", "{at: 17794ms, run: rollout undo deployment/web}"},
			"17797-18000 lower, legally exceeded, by replicaset-controller R-9: 4 available, 3 fewer than at least 7: " +
				"ReplicaSet web-667f7d676b shrinks and deletes pods that are not Ready first; Ready pods that are not available yet get no preference (R-9)."},
		{"D-70", "replicas: 10\n  strategy: {rollingUpdate: {maxSurge: 50%, maxUnavailable: 20%}}", 1, []string{
			"{at: 5s, run: set image deployment/web web=slow}", "{at: 10s, run: scale deployment/web --replicas=4}"},
			"10002-25504 lower, legally exceeded, by deployment-controller D-70: 3 available, 1 fewer than at least 4: " +
				"the ReplicaSets share a change of spec.replicas in proportion to their sizes, however many pods are available (D-70)."},
		{"H-1", "replicas: 4", 1, []string{"{at: 5s, run: set image deployment/web web=v4}",
			`{at: 5809ms, run: "patch deployment web -p '{\"spec\":{\"strategy\":{\"rollingUpdate\":{\"maxUnavailable\":0}}}}'"}`},
			"5810-6313 lower, legally exceeded, by deployment-controller H-1: 3 available, 1 fewer than at least 4: the bound had just risen, and the controllers did not know yet."},
		{"H-1", "replicas: 2", 1, []string{"{at: 5s, run: scale deployment/web --replicas=25}", "{at: 5003ms, run: scale deployment/web --replicas=2}",
			"{at: 6301ms, run: scale deployment/web --replicas=5}"},
			"6402-7504 lower, legally exceeded, by deployment-controller H-1: 2 available, 2 fewer than at least 4: the bound had just risen, and the controllers did not know yet."},
		{"R-3", "replicas: 2", 1, []string{"{at: 5s, run: scale deployment/web --replicas=40}", "{at: 5102ms, run: scale deployment/web --replicas=25}"},
			"5202-6352 upper, legally exceeded, by replicaset-controller R-3: 40 pods, 8 more than at most 32: " +
				"ReplicaSet web-d6555b879 was still creating pods for an earlier size."},
		{"A-13", "replicas: 4\n  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}", 1, []string{"{at: 5s, run: 'run extra --image=v1 --labels=app=web,pod-template-hash=d6555b879'}"},
			"5001-5001 upper, legally exceeded, by replicaset-controller A-13: 5 pods, 1 more than at most 4: a pod was added that it did not ask for."},
		// The controllers' clients may send 20 requests a second, so a ReplicaSet is scaled because of a status that is old by then.
		{"D-55", "replicas: 12\n  strategy: {rollingUpdate: {maxSurge: 81%, maxUnavailable: 56%}}", 38, []string{
			"{at: 1038ms, run: set image deployment/web web=v4}", "{at: 2249ms, run: rollout undo deployment/web}"},
			"3202-4054 lower, legally exceeded, by replicaset-controller D-55: 3 available, 3 fewer than at least 6: ReplicaSet web-744bb8dc8d was scaled down (D-55)."},
		{"SIM-9", "replicas: 12\n  minReadySeconds: 1\n  strategy: {rollingUpdate: {maxSurge: 42%, maxUnavailable: 5%}}", 22, []string{
			"{at: 8477ms, run: rollout restart deployment/web}", "{at: 11937ms, run: rollout restart deployment/web}",
			"{at: 14013ms, run: set image deployment/web web=v3}", "{at: 14705ms, run: rollout restart deployment/web}"},
			"18150-18450 upper, legally exceeded, by replicaset-controller SIM-9: 19 pods, 1 more than at most 18: " +
				"the bound holds for the sizes of the ReplicaSets, but one creates pods before another deletes its own."},
	} {
		text := strings.Replace(texts.World(images, tt.spec, "image: v1", tt.timeline...), "spec:\n", fmt.Sprintf("spec:\n  seed: %d\n", tt.seed), 1)
		if got := verdictRows(runs.Of(t, text)); !slices.Contains(got, tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.rule, strings.Join(got, "\n"), tt.want)
		}
	}
}

// TestVerdictsOfSets: the same for the other kinds, whose controllers have rules of their own.
func TestVerdictsOfSets(t *testing.T) {
	const extra = "apiVersion: v1\nkind: Pod\nmetadata: {name: NAME, labels: {app: APP}}\nspec: {nodeName: node-1, containers: [{name: c, image: \"c:1\"}]}\n"
	for _, tt := range []struct {
		workload, line, apply, do string
		want                      []string
	}{
		{workload: texts.Set, line: "scale statefulset db --replicas=1", want: []string{
			"30000-31461 upper, legally exceeded, by kubectl S-15: 3 pods, 2 more than at most 1: the StatefulSet was scaled from 3 to 1, and the excess pods have to be deleted first.",
			"31461-32462 terminating, legally exceeded, by statefulset-controller S-15: 2 pods, terminating ones included, 1 more than at most 1: the bound does not count pods that terminate."}},
		{workload: texts.Set, line: "scale statefulset db --replicas=5", want: []string{
			"30000-30503 lower, legally exceeded, by kubectl D-21: 3 available, on the way to at least 4: the StatefulSet was scaled from 3 to 5, and its pods have to start first."}},
		{workload: texts.Set, line: "delete statefulset db", want: []string{
			"30000-30001 upper, legally exceeded, by kubectl A-9: 3 pods, 3 more than at most 0: the StatefulSet was deleted, and the garbage collector has to delete its pods first."}},
		{workload: texts.Set, line: "delete pod db-0 db-1", want: []string{
			"30000-32241 lower, broken by the environment, by kubectl : 1 available, 1 fewer than at least 2: pod db-1 was deleted by hand."}},
		{workload: texts.Set, line: "label pod -l app=db app=other --overwrite", want: []string{
			"30001-600000 lower, broken by the environment, by kubectl : 0 available, 2 fewer than at least 2: pod db-1 was changed by hand, and 1 more was lost."}},
		{workload: texts.Set, line: `patch statefulset db -p '{"spec":{"minReadySeconds":60}}'`, want: []string{
			"30000-63000 lower, legally exceeded, by kubectl R-16: 0 available, 2 fewer than at least 2: minReadySeconds was raised, and pods must have been Ready for that long."}},
		{workload: texts.Set, apply: strings.NewReplacer("NAME", "db-7", "APP", "db").Replace(extra), want: []string{
			"30001-30001 upper, legally exceeded, by statefulset-controller A-13: 4 pods, 1 more than at most 3: a pod was added that it did not ask for.",
			"30001-32501 terminating, legally exceeded, by statefulset-controller S-15: 4 pods, terminating ones included, 1 more than at most 3: the bound does not count pods that terminate."}},
		{workload: texts.Daemon, line: "delete pod -l app=agent", want: []string{
			"30000-31504 lower, broken by the environment, by kubectl : 0 available, 2 fewer than at least 2: pod agent-sxhxt was deleted by hand, and 1 more was lost."}},
		{workload: texts.Daemon, line: "taint node node-1 a=b:NoExecute", want: []string{
			"30000-30001 upper, legally exceeded, by kubectl DS-6: 3 pods, 1 more than at most 2: node node-1 should no longer run it, and its pod has to be deleted first.",
			"30001-31002 terminating, legally exceeded, by daemonset-controller DS-8: 3 pods, terminating ones included, 1 more than at most 2: the bound does not count pods that terminate."}},
		{workload: texts.Daemon, line: "delete daemonset agent", want: []string{
			"30000-30001 upper, legally exceeded, by kubectl A-9: 3 pods, 3 more than at most 0: the DaemonSet was deleted, and the garbage collector has to delete its pods first."}},
		{workload: texts.Daemon, line: `patch daemonset agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/hostname":"node-1"}}}}}'`, want: []string{
			"30000-30001 upper, legally exceeded, by kubectl DS-3: 3 pods, 2 more than at most 1: the DaemonSet is for other nodes now, and the excess pods have to be deleted first.",
			"30001-31002 terminating, legally exceeded, by daemonset-controller DS-8: 3 pods, terminating ones included, 2 more than at most 1: the bound does not count pods that terminate."}},
		{workload: texts.Daemon, do: "kill node/node-1", want: []string{
			"75001-600000 upper, legally exceeded, by node-controller DS-6: 3 pods, 1 more than at most 2: node node-1 should no longer run it, and its pod has to be deleted first."}},
		{workload: texts.Daemon, apply: strings.NewReplacer("NAME", "more", "APP", "agent").Replace(extra), want: []string{
			"30001-30001 upper, legally exceeded, by daemonset-controller DS-8: 4 pods, 1 more than at most 3: a node has more than one pod, and the excess ones have to be deleted first.",
			"30001-32501 terminating, legally exceeded, by daemonset-controller DS-8: 4 pods, terminating ones included, 1 more than at most 3: the bound does not count pods that terminate."}},
	} {
		run := runs.Of(t, texts.Sets("", "", "minAvailable: 1"), engine.Command{At: 30_000, Run: tt.line, Apply: tt.apply, Do: tt.do})
		if got := rowsOf(run, tt.workload); !slices.Equal(got, tt.want) {
			t.Errorf("%s%s%s:\n got %s\nwant %s", tt.line, tt.apply, tt.do, strings.Join(got, "\n     "), strings.Join(tt.want, "\n     "))
		}
	}
}

// TestStatefulSetDidNotKnow: a pod is deleted in the millisecond in which the controller deletes another one, so both are missing.
func TestStatefulSetDidNotKnow(t *testing.T) {
	run := runs.Of(t, texts.Sets("", "", "minAvailable: 1"), engine.Command{At: 30_000, Run: "set image statefulset/db db=db:2"},
		engine.Command{At: 30_001, Run: "delete pod db-0"})
	want := "30001-33241 lower, legally exceeded, by statefulset-controller S-17: 1 available, 1 fewer than at least 2: its controller deleted pod db-2 (S-17)."
	if got := rowsOf(run, texts.Set); !slices.Equal(got, []string{want}) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// TestControllersAreNotBlamed: a pod is lost when the controllers have just counted on it. They take the availability below its bound, but
// it is the loss that is to blame, unless they knew of it.
func TestControllersAreNotBlamed(t *testing.T) {
	const images = `{match: "v2", pull: 1s, start: 300ms..4s, stop: 1s..3s}
{match: "slow", pull: 500ms, start: 20s, stop: 1s}
{match: "*", pull: 500ms, start: 300ms, stop: 1s}`
	for _, tt := range []struct {
		name, spec string
		timeline   []string
		want       string
	}{
		{"they decide a ms later", "replicas: 4", []string{"{at: 5s, run: set image deployment/web web=v4}", "{at: 5808ms, run: delete pod web-744bb8dc8d-m4v6h}"}, "5810-6311 lower, broken by the environment, by kubectl : 2 available, 1 fewer than at least 3: pod web-744bb8dc8d-m4v6h was deleted by hand."},
		{"they decide in that ms", "replicas: 10\n  strategy: {rollingUpdate: {maxSurge: 50%, maxUnavailable: 20%}}", []string{
			"{at: 5s, run: set image deployment/web web=slow}", "{at: 10s, run: scale deployment/web --replicas=4}", "{at: 10001ms, run: delete pod web-d6555b879-b578n}"}, "10002-25504 lower, broken by the environment, by kubectl : 3 available, 1 fewer than at least 4: pod web-d6555b879-b578n was deleted by hand."},
		{"they decide 10 ms later", "replicas: 6\n  strategy: {rollingUpdate: {maxSurge: 25%, maxUnavailable: 2}}", []string{
			"{at: 7567ms, run: rollout restart deployment/web}", "{at: 8422ms, run: rollout restart deployment/web}", "{at: 8440ms, run: set image deployment/web web=v3}",
			"{at: 10119ms, do: crash pod/web-7dfb6dd6d8-kxmq6}"}, "10669-10671 lower, broken by the environment, by kubelet : 3 available, 1 fewer than at least 4: container web of pod web-7dfb6dd6d8-kxmq6 crashed (exit code 137)."},
		{"they knew", "replicas: 20\n  minReadySeconds: 1\n  strategy: {rollingUpdate: {maxSurge: 50%, maxUnavailable: 50%}}", []string{
			"{at: 10902ms, run: delete pod web-d6555b879-7psxn}", "{at: 10910ms, run: set image deployment/web web=v2}", "{at: 10912ms, run: scale deployment/web --replicas=24}"}, "10912-13000 lower, legally exceeded, by deployment-controller D-70: 10 available, 2 fewer than at least 12: " +
			"the ReplicaSets share a change of spec.replicas in proportion to their sizes, however many pods are available (D-70)."},
	} {
		run := runs.Of(t, texts.World(images, tt.spec, "image: v1", tt.timeline...))
		if got := verdictRows(run); !slices.Contains(got, tt.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, strings.Join(got, "\n"), tt.want)
		}
	}
}

// TestTerminatingOnTop: R-25. The bound holds, and there are more pods than it says.
func TestTerminatingOnTop(t *testing.T) {
	run := runs.Of(t, scenarios.Text("first-rollout"))
	const deployment = "Deployment/default/nginx-deployment"
	most := 0
	for _, v := range judge.New(run.Past()).Verdicts(deployment) {
		if v.Kind == judge.Broken {
			t.Errorf("the first rollout has %+v", v)
		}
		if v.Bound == "terminating" {
			most = max(most, v.Worst)
			if v.Rule != "R-25" || v.Kind != judge.Exceeded || v.Limit != 13 || !strings.Contains(v.Text, fmt.Sprintf("%d more than at most 13", v.Worst-13)) {
				t.Errorf("%+v", v)
			}
		}
	}
	want, at := 0, 0
	for _, f := range run.Frames(deployment) {
		if f.Total <= f.Upper && f.Total+f.Terminating > want {
			want, at = f.Total+f.Terminating, f.Record
		}
	}
	if most != want {
		t.Errorf("the worst is %d pods, want %d", most, want)
	}
	held, line := judge.New(run.Past()).Line(deployment, at, run.Past().At(at))
	if !held || line != "Both bounds hold: 13 pods of at most 13 = 10 + 3; 8 available of at least 8 = 10 − 2. 5 more terminating: they come on top of the surge (R-25)." {
		t.Errorf("the line is %t %q", held, line)
	}
}

// TestJudgeLine: the sentence at a moment has the numbers of that moment.
func TestJudgeLine(t *testing.T) {
	ten := texts.World(texts.Quick, "replicas: 10", "image: web:1")
	var pods, others []string // of the node that notices crashes at 5738 ms, and of the one that does so at 5827 ms
	base := runs.Of(t, ten)
	for _, p := range base.Past().Pods(base.Past().Find(5000), 5000) {
		if name := strings.TrimPrefix(p.Key, "default/"); p.Node == "node-1" {
			pods = append(pods, name)
		} else if p.Node == "node-2" {
			others = append(others, name)
		}
	}
	crash := func(pod string) engine.Command { return engine.Command{At: 5000, Do: "crash pod/" + pod} }
	crashes := runs.Of(t, ten, crash(pods[0]), crash(pods[1]), crash(pods[2]), crash(others[0]))
	scaled := runs.Of(t, ten, engine.Command{At: 5000, Run: "scale deployment/web --replicas=20"}, engine.Command{At: 9000, Run: "scale deployment/web --replicas=4"})
	both := runs.Of(t, ten, engine.Command{At: 5000, Run: "delete pods --all"}, engine.Command{At: 5000, Run: "scale rs --all --replicas=20"})
	gone := runs.Of(t, ten, engine.Command{At: 5000, Run: "delete deployment web"})
	orphaned := runs.Of(t, ten, engine.Command{At: 5000, Run: "delete deployment web --cascade=orphan"})
	recreate := runs.Of(t, texts.World(texts.Quick, "replicas: 2\n  strategy: {type: Recreate}", "image: web:1", "{at: 5s, run: set image deployment/web web=web:2}"))
	for _, tt := range []struct {
		run  *engine.Run
		at   int64
		held bool
		want string
	}{
		{crashes, 4000, true, "Both bounds hold: 10 pods of at most 13 = 10 + 3; 10 available of at least 8 = 10 − 2."},
		{crashes, 5740, false, "7 available, 1 fewer than at least 8: container web of pod " + pods[2] + " crashed (exit code 137). 10 pods of at most 13 = 10 + 3."},
		{crashes, 5900, false, "6 available, 2 fewer than at least 8: container web of pod " + pods[2] + " crashed (exit code 137), and 1 more was lost. 10 pods of at most 13 = 10 + 3."},
		{scaled, 5200, false, "10 available, on the way to at least 15: the Deployment was scaled from 10 to 20, and its pods have to start first. 20 pods of at most 25 = 20 + 5."},
		{scaled, 9001, false, "20 pods, 15 more than at most 5: the Deployment was scaled from 20 to 4, and the excess pods have to be deleted first. 20 available of at least 3 = 4 − 1."},
		{both, 5001, false, "20 pods, 7 more than at most 13: ReplicaSet web-569b4b85c7 was scaled to 20 by hand. " +
			"0 available, 8 fewer than at least 8: pod web-569b4b85c7-jl6cv was deleted by hand, and 7 more were lost. 10 more terminating: they come on top of the surge (R-25)."},
		{gone, 5500, true, "The Deployment was deleted and promises nothing; 10 of its pods are left."},
		{orphaned, 5500, true, "The Deployment was deleted and promises nothing."},
		{recreate, 5500, true, "0 pods of at most 2 = 2 + 0; Recreate promises nothing: 0 of 2 are available. 2 more terminating: they come on top of the surge (R-25)."},
		{recreate, 9000, true, "2 pods of at most 2 = 2 + 0; Recreate promises nothing: 2 of 2 are available."},
	} {
		if held, line := judge.New(tt.run.Past()).Line(texts.Web, tt.run.Past().Find(tt.at), tt.at); held != tt.held || line != tt.want {
			t.Errorf("at %d ms: %t\n got %q\nwant %q", tt.at, held, line, tt.want)
		}
	}
	for _, f := range crashes.Frames(texts.Web) { // with a loss, not only after it
		if _, line := judge.New(crashes.Past()).Line(texts.Web, f.Record, f.T); f.T > 5000 && f.Available == 6 && !strings.Contains(line, "and 1 more was lost") {
			t.Errorf("record %d: %q", f.Record, line)
		}
	}
	if held, line := judge.New(gone.Past()).Line("Deployment/default/nobody", 0, 0); !held || line != "The Deployment does not exist yet." {
		t.Errorf("without a Deployment: %t %q", held, line)
	}
}

// TestJudgeLineInLessons: the sentence at a moment, for all kinds, with what terminating pods mean to each, and with budgets.
func TestJudgeLineInLessons(t *testing.T) {
	for _, tt := range []struct {
		lesson, workload string
		at               int64
		want             string
	}{
		{"sts-rolling", texts.Set, 1, "0 available, on the way to at least 2: the StatefulSet was created, and its pods have to start first. 1 pod of at most 3."},
		{"sts-rolling", texts.Set, 15_001, "Both bounds hold: 2 pods of at most 3; 2 available of at least 2 = 3 − 1. 1 more terminating: its replacement waits until it is gone (S-14)."},
		{"sts-max-unavailable", texts.Set, 20_001, "Both bounds hold: 3 pods of at most 5; 3 available of at least 3 = 5 − 2. 2 more terminating: their replacements wait until they are gone (S-14)."},
		{"ds-rolling", texts.Daemon, 10_001, "Both bounds hold: 3 pods of at most 4; 3 available of at least 3 = 4 − 1. 1 more terminating: its node is free for another when it is gone (DS-8)."},
		{"ds-surge", texts.Daemon, 12_000, "Both bounds hold: 4 pods of at most 6 = 4 + 2; 4 available of at least 4 = 4 − 0."},
		{"ds-on-delete", texts.Daemon, 40_000, "3 available, on the way to at least 4: node node-4 should run it now, and its pod has to start first. 3 pods of at most 4."},
		{"node-dies", texts.Daemon, 75_001, "3 pods, 1 more than at most 2: node node-2 should no longer run it, and its pod has to be deleted first. 2 available of at least 1 = 2 − 1."},
		{"pdb-not-rollout", texts.Web, 10_000, "Both bounds hold: 4 pods of at most 4 = 4 + 0; 4 available of at least 2 = 4 − 2."},
		{"pdb-not-rollout", texts.Web, 3, "0 available, on the way to at least 2: the Deployment was created, and its pods have to start first. 4 pods of at most 4 = 4 + 0. " +
			"PodDisruptionBudget web wants 4 healthy and has 0: it limits only evictions, not rollouts (P-14)."},
	} {
		run := runs.Of(t, scenarios.Text(tt.lesson))
		if _, line := judge.New(run.Past()).Line(tt.workload, run.Past().Find(tt.at), tt.at); line != tt.want {
			t.Errorf("%s at %d ms:\n got %q\nwant %q", tt.lesson, tt.at, line, tt.want)
		}
	}
	none := runs.Of(t, texts.Sets("", "", "minAvailable: 1"), engine.Command{At: 30_000, Run: "scale statefulset db --replicas=0"})
	if _, line := judge.New(none.Past()).Line(texts.Set, none.Len()-1, none.Now()); line != "Both bounds hold: 0 pods of at most 0; 0 available of at least 0 = 0 − 0." {
		t.Errorf("a budget for no pods: %q", line)
	}
}

// checkVerdicts asserts that every verdict has its reason and numbers that the frames have, and that every frame which
// does not keep a bound has its verdict.
func checkVerdicts(t *testing.T, name string, run *engine.Run) {
	t.Helper()
	j := judge.New(run.Past())
	for _, workload := range run.Workloads() {
		verdicts := j.Verdicts(workload)
		for k, v := range verdicts {
			if v.By == "" || v.Text == "" || (v.Rule == "") != (v.Kind == judge.Broken) || v.To < v.From || k > 0 && v.From < verdicts[k-1].From {
				t.Errorf("%s: unexplained: %+v", name, v)
			}
			if !strings.Contains(v.Text, fmt.Sprint(v.Worst)) || !strings.Contains(v.Text, fmt.Sprint(v.Limit)) || !hasFrame(run.Frames(workload), &v) {
				t.Errorf("%s: no frame has the numbers of %+v", name, v)
			}
		}
		for i := range run.Frames(workload) {
			f := &run.Frames(workload)[i]
			held, line := j.Line(workload, f.Record, f.T)
			bad := f.Total > f.Upper || f.Available < f.Lower
			if last := i+1 == len(run.Frames(workload)) || run.Frames(workload)[i+1].Record > f.Record; last && bad == held && !strings.Contains(line, "was deleted") {
				t.Errorf("%s at %d ms: %+v is judged %q", name, f.T, *f, line)
			}
		}
	}
}

// hasFrame says whether a frame of a verdict's time has its worst numbers.
func hasFrame(frames []engine.Frame, v *judge.Verdict) bool {
	return slices.ContainsFunc(frames, func(f engine.Frame) bool {
		have := map[string][2]int{"upper": {f.Total, f.Upper}, "lower": {f.Available, f.Lower}, "terminating": {f.Total + f.Terminating, f.Upper}}[v.Bound]
		return f.T >= v.From && f.T <= v.To && have == [2]int{v.Worst, v.Limit}
	})
}

// TestVerdictsAreExplained: in every shipped scenario, in every golden one, and in random ones.
func TestVerdictsAreExplained(t *testing.T) {
	for _, name := range scenarios.Names() {
		checkVerdicts(t, name, runs.Of(t, scenarios.Text(name)))
	}
	files, _ := filepath.Glob("../testdata/*.txtar")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		checkVerdicts(t, name, runs.Golden(t, name))
	}
	known := []string{"A-9", "D-20", "D-21", "D-70", "R-9", "R-25", "H-1", "R-16"}
	random := rand.New(rand.NewSource(1))
	for seed := range uint64(150) {
		data := make([]byte, 8+random.Intn(60))
		random.Read(data)
		text, commands := texts.Fuzz(seed, data)
		text = strings.Replace(text, "spec:\n", "spec:\n  clientConnection: {qps: 0}\n", 1) // else a scale-down may follow a status that is old
		run, _ := engine.Start(engine.Recording{Scenario: text, Commands: commands})
		if run == nil {
			continue // both bounds are 0, which is invalid
		}
		checkVerdicts(t, text, run.Finish())
		for _, v := range judge.New(run.Past()).Verdicts(texts.Web) {
			if v.Kind == judge.Broken || !slices.Contains(known, v.Rule) {
				t.Errorf("nothing is lost in this world, but: %+v\n%s\n%v", v, text, commands)
			}
		}
	}
}

// TestVerdictsGrow: verdicts that have ended during the run are the same at the end.
func TestVerdictsGrow(t *testing.T) {
	text := scenarios.Text("first-rollout")
	const deployment = "Deployment/default/nginx-deployment"
	want := judge.New(runs.Of(t, text).Past()).Verdicts(deployment)
	run, _ := engine.Start(engine.Recording{Scenario: text})
	j := judge.New(run.Past())
	for done := false; !done; {
		done = run.Advance(7)
		for k, v := range j.Verdicts(deployment) {
			if v.To < run.Now() && v != want[k] || v.From != want[k].From || v.Kind != want[k].Kind || v.To > run.Now() {
				t.Fatalf("at %d ms: %+v, want %+v", run.Now(), v, want[k])
			}
		}
	}
	if got := j.Verdicts(deployment); !slices.Equal(got, want) {
		t.Errorf("at the end: %+v", got)
	}
}

// TestLineAtItsMoment: a pod that will have been Ready for minReadySeconds is not available before, though no record comes then.
func TestLineAtItsMoment(t *testing.T) {
	run := runs.Of(t, texts.World(texts.Quick, "replicas: 3\n  minReadySeconds: 30", "image: web:1", `{at: 20s, run: kubectl get pods}`))
	for at, want := range map[int64]string{25_000: "0 available, on the way to at least 3", 40_000: "3 available of at least 3"} {
		if _, line := judge.New(run.Past()).Line(texts.Web, run.Past().Find(at), at); !strings.Contains(line, want) {
			t.Errorf("at %d ms: %q, want %q", at, line, want)
		}
	}
}
