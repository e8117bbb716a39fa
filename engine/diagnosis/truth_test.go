package diagnosis_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
)

// TestDiagnosedTruth: what is said of a situation, what is not, and that each command it offers leads to a complete workload.
func TestDiagnosedTruth(t *testing.T) {
	type command = engine.Command
	run := func(at int64, line string) command { return command{At: at, Run: line} }
	do := func(at int64, line string) command { return command{At: at, Do: line} }
	sets := func(set, daemon string) string { return texts.Sets(set, daemon, "minAvailable: 1") }
	tcp := texts.World(texts.Quick, "replicas: 3", "image: web:1, readinessProbe: {tcpSocket: {port: 80}}")
	const onDelete = "updateStrategy: {type: OnDelete}"
	cluster := func(text, nodes string) string { return strings.Replace(text, "spec:\n", "spec:\n  "+nodes+"\n", 1) }
	const (
		quota  = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: two}\nspec: {hard: {pods: \"2\"}}\n"
		big    = "image: web:1, resources: {requests: {cpu: 500m}}"
		small  = "nodes: [{name: a, cpu: \"2\", pods: 20}]"
		scaler = "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec: {minReplicas: 6, maxReplicas: 8, " +
			"scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n"
		budget = "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {minAvailable: 6, selector: {matchLabels: {app: web}}}\n"
	)
	otherSelector := strings.Replace(texts.Deployment("replicas: 3", "image: web:1"), "app: web", "app: shop", 2)
	for _, tt := range []struct {
		name, text string
		commands   []command
		workload   string
		moment     int64
		says, not  []string
	}{
		{"an old pod that is starting is no trap (S-22)", sets("", ""), []command{run(2000, "set image statefulset/db db=db:2")}, texts.Set, 2500,
			[]string{"moving since 2000: The rollout moves: its pods are starting"}, []string{"forced-rollback"}},
		{"nor if the new pod asks for something else", sets("", ""), []command{run(2000, "set resources statefulset/db --requests=cpu=100m")}, texts.Set, 2500,
			[]string{"moving since 2000: The rollout moves: its pods are starting"}, []string{"forced-rollback"}},
		{"nor if it has ended once", strings.Replace(sets("", ""), `image: "db:1"`, `image: "db:1", readinessProbe: {tcpSocket: {port: 80}, initialDelaySeconds: 20}`, 1),
			[]command{do(5000, "crash pod/db-0"), run(6000, "set image statefulset/db db=db:2")}, texts.Set, 8000, []string{"moving since 5738: The rollout moves: a container has ended"}, []string{"forced-rollback"}},
		{"an old pod that was Ready is no trap (S-22)", sets("", ""), []command{run(20_000, "set image statefulset/db db=db:2"), do(21_000, "crash pod/db-0")},
			texts.Set, 22_000, []string{"The rollout moves: a container has ended"}, []string{"forced-rollback", "never Ready"}},
		{"under OnDelete, to go back takes a deletion", sets("", onDelete), []command{run(20_000, "set image daemonset/agent agent=bad"), run(30_000, "delete pods --all")},
			texts.Daemon, 60_000, []string{"daemonset/agent && kubectl delete pods -l controller-revision-hash="}, nil},
		{"an old pod that fits no node, and a new one would not either", strings.Replace(cluster(sets("", ""), "nodes: {count: 3, cpu: 1}"), `image: "db:1"`, `image: "db:1", resources: {requests: {cpu: 600m}}`, 1),
			[]command{run(20_000, "drain node-1 --ignore-daemonsets"), run(40_000, "set image statefulset/db db=db:2")}, texts.Set, 60_000, []string{"1 pod of revision 1 fits no node"}, []string{"forced-rollback"}},
		{"no way back to what is broken, in order", sets("", ""), []command{run(20_000, "set image statefulset/db db=bad"), run(40_000, "rollout undo statefulset/db")},
			texts.Set, 60_000, []string{"1 pod of revision 2 waits for image bad", "kubectl delete pod db-2"}, []string{"Go back"}},
		{"readiness was lost", tcp, []command{do(300_000, "fail-readiness pod/"+runs.FirstPod(t, runs.Of(t, tcp), 5000))}, texts.Web, 331_000,
			[]string{"since 321000", "its readiness probe (tcpSocket) failed 10s ago, after it had succeeded"}, []string{"has not succeeded"}},
		{"a larger size fits no node", cluster(texts.World(texts.Quick, "replicas: 2", big), small),
			[]command{run(20_000, "set image deployment/web web=web:2"), run(60_000, "scale deployment/web --replicas=6")}, texts.Web, 70_000,
			[]string{"2 pods of revision 2 fit no node", "--replicas=4 // Scale down to 4, which fits"}, []string{"Go back"}},
		{"no revision ever fitted", cluster(texts.World(texts.Quick, "replicas: 6\n  strategy: {rollingUpdate: {maxSurge: 0}}", big), small), []command{run(20_000, "rollout restart deployment/web")},
			texts.Web, 30_000, []string{" fit no node", "Scale down to 4"}, []string{"Go back"}},
		{"larger requests fit no node", cluster(texts.World(texts.Quick, "replicas: 3", big), "nodes: {count: 3, cpu: 4}"),
			[]command{run(20_000, "set resources deployment/web --requests=cpu=8")}, texts.Web, 70_000,
			[]string{"1 pod of revision 2 fits no node", "Go back to revision 1"}, []string{"Scale down"}},
		{"nothing is removed in order while db-0 fits no node", strings.Replace(cluster(sets("", ""), "nodes: {count: 3, cpu: 1}"), `image: "db:1"`, `image: "db:1", resources: {requests: {cpu: 600m}}`, 1),
			[]command{run(20_000, "drain node-1 --ignore-daemonsets")}, texts.Set, 60_000, []string{"1 pod of revision 1 fits no node"}, []string{"Scale down"}},
		{"an autoscaler takes a smaller size back", cluster(texts.World(texts.Quick, "replicas: 6", big), small) + scaler, nil, texts.Web, 70_000,
			[]string{"2 pods of revision 1 fit no node"}, []string{"Scale down"}},
		{"an autoscaler takes a larger size back", texts.World(texts.Quick, "replicas: 6", "image: web:1") + scaler + budget, nil, texts.Web, 70_000,
			[]string{"Let one pod be missing"}, []string{"Run one more"}},
		{"pods of two revisions fit no node", cluster(texts.World(texts.Quick, "replicas: 6", big), small), []command{run(20_000, "set image deployment/web web=web:2")},
			texts.Web, 30_000, []string{"] 4 pods fit no node", "Scale down to 3"}, []string{"Go back"}},
		{"a quota stops a StatefulSet", sets("", "") + quota, nil, texts.Set, 60_000,
			[]string{"stuck since", "quota two is used up", "StatefulSet db has ", " of its 3 pods: Create Pod db-", "The StatefulSet controller retries"}, []string{"on its own", "restart"}},
		{"a pod that leaves makes room in the quota", strings.NewReplacer("replicas: 3", "replicas: 0", "stop: 1s", "stop: 20s").Replace(sets("", "updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}")) + strings.Replace(quota, `"2"`, `"4"`, 1),
			[]command{run(20_000, "delete pods -l app=agent --wait=false")}, texts.Daemon, 25_000, []string{"moving", "is terminating"}, []string{"stuck", "used up"}},
		{"a quota stops a DaemonSet", sets("", "") + quota, nil, texts.Daemon, 60_000,
			[]string{"stuck since 1: ", "DaemonSet agent has 1 of its 3 pods: Error creating: "}, []string{"on its own", "Scale down"}},
		{"a DaemonSet without a lost node is complete", sets("", ""), []command{do(15_000, "kill node/node-1")}, texts.Daemon, 590_000,
			[]string{"complete since 65002: The rollout is complete: 2 pods of revision 1 are available; a node is lost"}, []string{"on its own"}},
		{"what starts and leaves on a lost node does not go on", sets("", "updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}"),
			[]command{do(15_000, "kill node/node-1"), run(30_000, "set image daemonset/agent agent=agent:2")}, texts.Daemon, 590_000,
			[]string{"complete since ", "2 pods of revision 2 are available; a node is lost"}, []string{"on its own", "Nothing is wrong"}},
		{"a lost node holds an update up", sets("", ""), []command{do(15_000, "kill node/node-1"), run(70_000, "set image daemonset/agent agent=agent:2")}, texts.Daemon, 200_000,
			[]string{"stuck since 65000: The rollout is stuck: a node is lost", "no old pod is deleted until the node is back or gone", "delete node node-1"}, []string{"on its own", "have not finished"}},
		{"a lost node of two that may be missing", sets("", "updateStrategy: {rollingUpdate: {maxUnavailable: 2}}"), []command{do(15_000, "kill node/node-1"), run(70_000, "set image daemonset/agent agent=agent:2")}, texts.Daemon, 590_000,
			[]string{"complete since ", "2 pods of revision 2 are available; a node is lost"}, []string{"stuck"}},
		{"Recreate waits for a pod on a lost node", strings.Replace(texts.World(texts.Quick, "replicas: 3\n  strategy: {type: Recreate}", "image: web:1"), "spec:\n", "spec:\n  duration: 30m\n", 1),
			[]command{do(15_000, "kill node/node-1"), run(70_000, "set image deployment/web web=web:2")}, texts.Web, 1_000_000,
			[]string{"stuck since 65000: The rollout is stuck: a node is lost", "they stay until the node is back or gone"}, []string{"on its own", "at any moment", "at once"}},
		{"nobody tells the controller", strings.Replace(cluster(sets("", "minReadySeconds: 5\n  updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}"), "seed: 270"), "pull: 1s, start: 500ms,", "pull: 1s..3s, start: 500ms, ready: 2s,", 1),
			[]command{run(9431, "rollout restart daemonset/agent")}, texts.Daemon, 500_000,
			[]string{"The rollout waits: nothing changes, and the cause is not known", "Perhaps it does not continue on its own"}, nil},
		{"the status of a DaemonSet lags", strings.Replace(sets("", "minReadySeconds: 60"), "pull: 1s", "pull: 1s..9s", 1), nil, texts.Daemon, 80_000,
			[]string{"moving since 0: The rollout moves: the controllers are at work"}, nil},
		{"the status of a DaemonSet follows", strings.Replace(sets("", "minReadySeconds: 60"), "pull: 1s", "pull: 1s..9s", 1), nil, texts.Daemon, 140_000,
			[]string{"complete since 12", ": The rollout is complete: 3 pods of revision 1 are available"}, nil},
		{"deleted in the foreground", cluster(strings.Replace(texts.World(texts.Quick, "replicas: 3", "image: web:1"), "stop: 1s", "stop: 20s", 1), "duration: 1m"),
			[]command{run(20_000, "delete deployment web --cascade=foreground")}, texts.Web, 35_000,
			[]string{"gone since 20000: The Deployment is being deleted; 3 of its pods are left"}, []string{"on its own"}},
		{"the rest of a command was rejected", texts.World(texts.Quick, "replicas: 3", "image: web:1"),
			[]command{run(20_000, "scale deployment/web deployment/nope --replicas=5")}, texts.Web, 35_000, []string{"5 pods of revision 1 are available"}, []string{"rejected"}},
		{"the rest of an apply was rejected", texts.World(texts.Quick, "replicas: 3", "image: web:1") + strings.ReplaceAll(texts.Deployment("replicas: 1", "image: web:1"), "web", "web2"),
			[]command{{At: 20_000, Apply: texts.Deployment("replicas: 4", "image: web:1") + strings.ReplaceAll(otherSelector, "name: web}", "name: web2}")}}, texts.Web, 35_000,
			[]string{"4 pods of revision 1 are available"}, []string{"rejected"}},
		{"an apply was rejected, but not for others", texts.World(texts.Quick, "replicas: 3", "image: web:1"),
			[]command{{At: 20_000, Apply: strings.ReplaceAll(texts.Deployment("replicas: 4", "image: web:1"), "web", "web2") + otherSelector}}, texts.Web, 35_000,
			[]string{"rejected", "> The rest of it was done."}, []string{"Nothing has changed"}},
		{"a command for another name was rejected", texts.World(texts.Quick, "replicas: 3", "image: web:1") + strings.ReplaceAll(texts.Deployment("replicas: 1", "image: web:1"), "web", "web2"),
			[]command{run(20_000, "scale deployment/web2 --replicas=-1")}, texts.Web, 35_000, nil, []string{"rejected"}},
		{"nobody takes the place of a pod that is too many", strings.Replace(sets("", ""), "stop: 1s", "stop: 20s", 1), []command{run(20_000, "scale statefulset/db --replicas=1")},
			texts.Set, 25_000, []string{"Pod db-2 is terminating: no new pod waits for that."}, []string{"replacement"}},
		{"nor of one whose node no longer matches", strings.Replace(sets("", ""), "stop: 1s", "stop: 20s", 1),
			[]command{run(20_000, `patch ds agent -p '{"spec":{"template":{"spec":{"nodeSelector":{"a":"b"}}}}}'`)},
			texts.Daemon, 25_000, []string{"requested; a pod is still terminating", "is terminating: no new pod waits for that."}, []string{"gets a new pod", "first"}},
		{"a partition beyond the size", sets("updateStrategy: {rollingUpdate: {partition: 10}}", ""), []command{run(20_000, "set image statefulset/db db=db:2")},
			texts.Set, 35_000, []string{"partition is 10: pods from db-10 up"}, nil},
		{"a budget that lets what is not Ready go", texts.Sets("", "", "minAvailable: 3\n  unhealthyPodEvictionPolicy: AlwaysAllow"), nil, texts.Set, 35_000,
			[]string{"allows no eviction of a Ready pod: 3 healthy − 3"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := runs.Of(t, tt.text, tt.commands...)
			d := diagnosis.Of(r.Past(), tt.workload, r.Past().Find(tt.moment), tt.moment)
			text := diagnosisText(d, "")
			for _, s := range tt.says {
				if !strings.Contains(text, s) {
					t.Errorf("it does not say %q:\n%s", s, text)
				}
			}
			for _, s := range tt.not {
				if strings.Contains(text, s) {
					t.Errorf("it says %q:\n%s", s, text)
				}
			}
			for _, f := range d.Findings {
				for _, fix := range f.Fix {
					commands := slices.Clone(tt.commands)
					for _, line := range strings.Split(fix.Command, " && ") {
						commands = append(commands, run(r.ActAt(tt.moment), line))
					}
					after := runs.Of(t, tt.text, commands...)
					if d := diagnosis.Of(after.Past(), tt.workload, after.Len()-1, after.Now()); d.State != diagnosis.StateComplete {
						t.Errorf("%s does not fix it:\n%s", fix.Command, diagnosisText(d, ""))
					}
				}
			}
		})
	}
}
