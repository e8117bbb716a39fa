package check_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/scenario"
)

func reportOf(t testing.TB, in check.Input) *check.Report {
	t.Helper()
	if in.Seeds == 0 {
		in.Seeds = 5
	}
	c, diagnostics, err := check.New(new(scenario.Library), in)
	if err != nil {
		t.Fatal(err, diagnostics)
	}
	library := new(scenario.Library)
	for i := range c.Seeds() {
		c.Run(i, library)
	}
	for i := range c.Budgets() {
		c.RunBudget(i, library)
	}
	return c.Report()
}

func find(t testing.TB, r *check.Report, question, object string) check.Finding {
	t.Helper()
	for _, f := range r.Findings {
		if f.Check == question && f.Object == object {
			return f
		}
	}
	t.Errorf("no answer to %s for %s in %+v", question, object, r.Findings)
	return check.Finding{}
}

// web returns a Deployment with further fields of its spec and of its pods.
func web(fields, pod string) string {
	return fmt.Sprintf(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  %s
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "web:1", resources: {requests: {cpu: 500m, memory: 256Mi}}}]
      %s
`, fields, pod)
}

const budget = `---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: %s, selector: {matchLabels: {app: %s}}}
`

// TestVerdicts: each question, with limits that hold and limits that do not.
func TestVerdicts(t *testing.T) {
	plain := web("replicas: 4", "")
	agent := strings.NewReplacer("kind: Deployment", "kind: DaemonSet", "metadata: {name: web}", "metadata: {name: agent}").Replace(web("", ""))
	const job = "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: batch}\nspec: {template: {metadata: {labels: {app: batch}}, spec: {restartPolicy: Never, containers: [{name: a, image: 'a:1'}]}}}\n"
	const cron = "---\napiVersion: batch/v1\nkind: CronJob\nmetadata: {name: batch}\nspec: {jobTemplate: {spec: {template: {metadata: {labels: {app: batch}}}}}}\n"
	const pod = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: bare, labels: {app: bare}}\nspec: {containers: [{name: a, image: 'a:1'}]}\n"
	for _, tt := range []struct {
		name, text, question, object string
		limits                       check.Limits
		verdict                      check.Verdict
		rule, says                   string
	}{
		{"available", plain, "available", "deployment/web", check.Limits{MinAvailable: "75%"}, check.Pass, "D-53", "3 of 4 (75%)"},
		{"available", plain, "available", "deployment/web", check.Limits{MinAvailable: "4"}, check.Fail, "D-53", "3 of 4 (75%)"},
		{"recreate", web("strategy: {type: Recreate}", ""), "outage", "deployment/web", check.Limits{MaxOutage: "1m"}, check.Pass, "D-58", "Time with 0 available"},
		{"recreate", web("strategy: {type: Recreate}", ""), "outage", "deployment/web", check.Limits{MaxOutage: "0s"}, check.Fail, "D-58", "Time with 0 available"},
		{"duration", plain, "duration", "deployment/web", check.Limits{MaxDuration: "1s"}, check.Fail, "D-62", "5 seeds"},
		{"pods", plain, "pods", "deployment/web", check.Limits{MaxPods: "5"}, check.Fail, "D-52", "terminating ones included"},
		{"cpu", plain, "cpu", "deployment/web", check.Limits{MaxCPU: "2500m"}, check.Fail, "G-30b", "cpu 3"},
		{"memory", plain, "memory", "deployment/web", check.Limits{MaxMemory: "2Gi"}, check.Pass, "G-30b", "Mi"},
		{"budget", plain + fmt.Sprintf(budget, "3", "web"), "drain", "poddisruptionbudget/web", check.Limits{}, check.Pass, "P-6", "1 pod of 4 may be evicted"},
		{"full budget", plain + fmt.Sprintf(budget, "100%", "web"), "drain", "poddisruptionbudget/web", check.Limits{}, check.Fail, "P-6", "4 healthy − 4 that must be healthy = 0"},
		{"full budget", plain + fmt.Sprintf(budget, "100%", "web"), "drain", "poddisruptionbudget/web", check.Limits{Drainable: "false"}, check.Pass, "P-6", "blocks every drain"},
		{"idle budget", plain + fmt.Sprintf(budget, "1", "other"), "budget", "poddisruptionbudget/web", check.Limits{}, check.Pass, "P-2", "selects no pod"},
		{"budget of a DaemonSet", agent + fmt.Sprintf(budget, "3", "web"), "drain", "poddisruptionbudget/web", check.Limits{}, check.Pass, "P-6", "A drain leaves its pods alone"},
		{"share of a DaemonSet", agent + fmt.Sprintf(budget, "50%", "web"), "budget", "poddisruptionbudget/web", check.Limits{}, check.Pass, "P-7",
			"an eviction is always refused: daemonsets.apps does not implement the scale subresource."},
		{"budget of a DaemonSet and others", agent + "---" + plain + fmt.Sprintf(budget, "50%", "web"), "drain", "poddisruptionbudget/web", check.Limits{}, check.Fail, "P-21", "does not succeed"},
		{"budget of a Job", plain + job + fmt.Sprintf(budget, "1", "batch"), "drain", "poddisruptionbudget/web", check.Limits{}, check.Unknown, "P-6", "It selects pods of job/batch, which are not simulated."},
		{"budget of a CronJob", plain + cron + fmt.Sprintf(budget, "1", "batch"), "drain", "poddisruptionbudget/web", check.Limits{}, check.Unknown, "P-6", "It selects pods of cronjob/batch, which"},
		{"budget of no replicas", web("replicas: 0", "") + fmt.Sprintf(budget, "1", "web"), "drain", "poddisruptionbudget/web", check.Limits{}, check.Pass, "P-6", "No drain was tried: deployment/web has no pod."},
		{"budget of a Pod", plain + pod + fmt.Sprintf(budget, "1", "bare"), "drain", "poddisruptionbudget/web", check.Limits{}, check.Fail, "P-6", "1 healthy − 1 that must be healthy = 0"},
		{"budget of a Pod, as a share", plain + pod + fmt.Sprintf(budget, "50%", "bare"), "drain", "poddisruptionbudget/web", check.Limits{}, check.Fail, "P-21", "does not succeed"},
		{"a partition", strings.Replace(web("replicas: 3\n  updateStrategy: {rollingUpdate: {partition: 1}}", ""), "kind: Deployment", "kind: StatefulSet", 1), "completes", "statefulset/web",
			check.Limits{}, check.Pass, "S-17", "The rollout finishes. But the partition of 1 leaves 1 pod at the earlier template."},
		{"two budgets", plain + fmt.Sprintf(budget, "1", "web") + strings.Replace(fmt.Sprintf(budget, "2", "web"), "name: web", "name: second", 1), "drain", "poddisruptionbudget/second",
			check.Limits{}, check.Fail, "P-10", "more than one PodDisruptionBudget"},
		{"full node", plain + "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {pods: 4}}\n", "room", "deployment/web", check.Limits{},
			check.Fail, "G-50", "4 of 5 pods find room"},
		{"no room at all", web("replicas: 4\n  strategy: {rollingUpdate: {maxUnavailable: 0}}", "") + "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {pods: 4}}\n",
			"room", "deployment/web", check.Limits{}, check.Fail, "G-50", "4 of 5 pods find room"},
		{"strict quota", web("replicas: 4\n  strategy: {rollingUpdate: {maxUnavailable: 0}}", "") + "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {pods: 4}}\n",
			"completes", "deployment/web", check.Limits{}, check.Fail, "G-50", "exceeded quota"},
	} {
		r := reportOf(t, check.Input{New: tt.text, Policy: check.Policy{Limits: tt.limits}})
		f := find(t, r, tt.question, tt.object)
		if f.Verdict != tt.verdict || f.Rule != tt.rule || !strings.Contains(f.Text, tt.says) || f.Line == 0 || (tt.verdict != check.Pass) != (r.Verdict == tt.verdict && r.Verdict != check.Pass) {
			t.Errorf("%s: %s: %+v\nwant %s, %s, %s", tt.name, r.Verdict, f, tt.verdict, tt.rule, tt.says)
		}
	}
}

// TestWhatDecides: nodes that are assumed decide nothing, and neither do images that only the nodes know; but beside an old pod of a DaemonSet
// no node has its port free.
func TestWhatDecides(t *testing.T) {
	port := strings.Replace(web("replicas: 3", ""), `"web:1",`, `"web:1", ports: [{containerPort: 80, hostPort: 80}],`, 1)
	agent := strings.NewReplacer("kind: Deployment", "kind: DaemonSet", "replicas: 3", "updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}").Replace(port)
	never := strings.Replace(web("replicas: 1", ""), `"web:1",`, `"web:1", imagePullPolicy: Never,`, 1)
	for _, tt := range []struct {
		text, object string
		verdict      check.Verdict
		says         string
	}{
		{port, "deployment/web", check.Unknown, "It depends on the nodes, which are assumed; give them with --nodes. "},
		{agent, "daemonset/web", check.Fail, "The rollout does not finish. 1 pod of revision 2 fits no node: "},
		{never, "deployment/web", check.Unknown, "It depends on the images that the nodes have. "},
	} {
		if f := find(t, reportOf(t, check.Input{New: tt.text, Seeds: 1}), "completes", tt.object); f.Verdict != tt.verdict || !strings.HasPrefix(f.Text, tt.says) {
			t.Errorf("%s: %+v\nwant %s: %s", tt.object, f, tt.verdict, tt.says)
		}
	}
}

// TestTemplateLeft: what a renderer has left in an image, and a shell would read, is no fault of the update's command.
func TestTemplateLeft(t *testing.T) {
	for _, image := range []string{"${IMAGE}", "<image>", "it's"} {
		r := reportOf(t, check.Input{New: strings.Replace(web("", ""), "web:1", image, 1), Seeds: 1})
		find(t, r, "image", "deployment/web")
		if i := slices.IndexFunc(r.Findings, func(f check.Finding) bool { return f.Check == "accepted" }); i >= 0 {
			t.Errorf("%s: %+v", image, r.Findings[i])
		}
	}
}

// TestLeftRunning: an apply leaves the pods of what the manifests no longer have, so a Service and a budget keep them.
func TestLeftRunning(t *testing.T) {
	const service = "---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n"
	guards := service + fmt.Sprintf(budget, "1", "web")
	old, other := web("replicas: 2", "")+guards, strings.NewReplacer("name: web}", "name: api}", "app: web", "app: api").Replace(web("replicas: 2", ""))
	r := reportOf(t, check.Input{Old: old, New: other + guards, Seeds: 1})
	if f := find(t, r, "present", "deployment/web"); r.Verdict != check.Unknown || f.Verdict != check.Unknown {
		t.Errorf("%s: %+v", r.Verdict, r.Findings)
	}
}

// TestScaleUpIsNoLoss: pods that an update adds were missing to nobody, so the availability is a share of those before it.
func TestScaleUpIsNoLoss(t *testing.T) {
	old := web("replicas: 4\n  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}", "")
	more := strings.NewReplacer("replicas: 4", "replicas: 10", "web:1", "web:2").Replace(old)
	for text, want := range map[string]string{
		more: "Lowest availability: 4 of 4 (100%)",
		strings.Replace(more, "maxUnavailable: 0", "maxUnavailable: 8", 1): "Lowest availability: 2 of 4 (50%)",
	} {
		r := reportOf(t, check.Input{Old: old, New: text, Seeds: 1, Policy: check.Policy{Limits: check.Limits{MinAvailable: "75%"}}})
		f := find(t, r, "available", "deployment/web")
		if !strings.HasPrefix(f.Text, want) || (f.Verdict == check.Pass) != strings.Contains(want, "100%") {
			t.Errorf("%s: %s, want %s", f.Verdict, f.Text, want)
		}
	}
}

// TestReplicasRemoved: without spec.replicas and without an autoscaler, an apply leaves one pod.
func TestReplicasRemoved(t *testing.T) {
	for fields, says := range map[string]bool{"": true, "replicas: 1": false, "replicas: 3": false} {
		r := reportOf(t, check.Input{Old: web("replicas: 3", ""), New: web(fields, ""), Seeds: 1})
		said := slices.ContainsFunc(r.Findings, func(f check.Finding) bool {
			return f.Text == "This apply removes spec.replicas, and so sets 1: of 3 pods it leaves 1." && f.Level == check.Warning && f.Field == "spec.replicas"
		})
		if said != says {
			t.Errorf("%q: %+v", fields, r.Findings)
		}
	}
}

// TestBudgetAlone: a budget is judged as its controller sees it, also if nothing else changes.
func TestBudgetAlone(t *testing.T) {
	plain := web("replicas: 3", "")
	r := reportOf(t, check.Input{Old: plain + fmt.Sprintf(budget, "2", "web"), New: plain + fmt.Sprintf(budget, "3", "web"), Seeds: 1})
	if f := find(t, r, "drain", "poddisruptionbudget/web"); f.Text != "The budget blocks every drain: 3 healthy − 3 that must be healthy = 0." {
		t.Errorf("%+v", f)
	}
}

// TestReplicasOfWhom: with one autoscaler among several workloads, an answer says whose replicas it means.
func TestReplicasOfWhom(t *testing.T) {
	const scaler = "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n" +
		"spec: {minReplicas: 2, maxReplicas: 5, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n"
	plain := web("", "")
	both := plain + "---" + strings.NewReplacer("name: web}", "name: api}", "app: web", "app: api").Replace(plain)
	for text, says := range map[string]string{plain: "With 5 replicas: ", both: "With 5 replicas of deployment/web: "} {
		if f := find(t, reportOf(t, check.Input{New: text + scaler, Seeds: 1}), "pods", "deployment/web"); !strings.HasPrefix(f.Text, says) {
			t.Errorf("%s, want %s", f.Text, says)
		}
	}
}

// TestLongGrace: a drain gets the time that pods may take to stop; a budget that lets them go is no fault.
func TestLongGrace(t *testing.T) {
	text := strings.Replace(web("replicas: 4", "terminationGracePeriodSeconds: 2000"), `"web:1",`, `"web:1", lifecycle: {preStop: {sleep: {seconds: 1500}}},`, 1)
	f := find(t, reportOf(t, check.Input{New: text + fmt.Sprintf(budget, "3", "web"), Seeds: 1}), "drain", "poddisruptionbudget/web")
	if f.Verdict != check.Pass || !strings.Contains(f.Text, "(2), takes 1507.0s") {
		t.Errorf("%+v", f)
	}
}

// TestUnreadyMayGo: a budget that lets pods go which are not Ready blocks no drain of them.
func TestUnreadyMayGo(t *testing.T) {
	unready := strings.Replace(web("replicas: 2", ""), `"web:1",`, `"web:1", readinessProbe: {httpGet: {port: nosuch}},`, 1)
	for policy, want := range map[string]check.Verdict{"IfHealthyBudget": check.Fail, "AlwaysAllow": check.Pass} {
		text := unready + strings.Replace(fmt.Sprintf(budget, "1", "web"), "spec: {", "spec: {unhealthyPodEvictionPolicy: "+policy+", ", 1)
		f := find(t, reportOf(t, check.Input{New: text, Seeds: 1}), "drain", "poddisruptionbudget/web")
		if f.Verdict != want || strings.Contains(f.Text, "blocks every drain") != (want == check.Fail) {
			t.Errorf("%s: %+v", policy, f)
		}
	}
}

// TestFullestNode: a budget is judged by the node from which most pods must go. A small node, whose one pod may be evicted, says nothing.
func TestFullestNode(t *testing.T) {
	const node = "---\napiVersion: v1\nkind: Node\nmetadata: {name: %s}\nstatus: {allocatable: {cpu: \"%d\", pods: \"110\"}}\n"
	text := strings.Replace(web("replicas: 4\n  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}", ""), "500m", "900m", 1) + fmt.Sprintf(budget, "3", "web")
	for _, big := range []string{"a", "z"} {
		f := find(t, reportOf(t, check.Input{New: text, Nodes: fmt.Sprintf(node, "m", 1) + fmt.Sprintf(node, big, 4), Seeds: 1}), "drain", "poddisruptionbudget/web")
		if f.Verdict != check.Fail || f.Rule != "P-21" || !strings.Contains(f.Text, "A drain of "+big+", the node with the most of its pods (3), does not succeed") {
			t.Errorf("%s: %+v", f.Verdict, f)
		}
	}
}

// TestSurgeFits: a quota that has room for the whole surge is no fault, although new pods wait for those that terminate.
func TestSurgeFits(t *testing.T) {
	const quota = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {pods: %d}}\n"
	for pods, fits := range map[int]bool{4: false, 5: true} {
		r := reportOf(t, check.Input{New: web("replicas: 4", "") + fmt.Sprintf(quota, pods), Seeds: 1})
		if said := slices.ContainsFunc(r.Findings, func(f check.Finding) bool { return f.Check == "room" }); said == fits {
			t.Errorf("a quota of %d pods: %+v", pods, r.Findings)
		}
	}
}

// TestSelectsNothing: a Service or a budget without pods is an error if the update takes them, else a note.
func TestSelectsNothing(t *testing.T) {
	const service = "---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: %s}, ports: [{port: 80}]}\n"
	of := func(app string) string {
		if app == "" {
			return web("replicas: 2", "")
		}
		return web("replicas: 2", "") + fmt.Sprintf(service, app) + fmt.Sprintf(budget, "1", app)
	}
	for _, tt := range []struct {
		old, new string
		level    check.Level
	}{{"web", "other", check.Error}, {"other", "other", check.Note}, {"", "other", check.Note}, {"other", "web", ""}, {"web", "web", ""}} {
		r := reportOf(t, check.Input{Old: of(tt.old), New: of(tt.new), Seeds: 1})
		levels := map[string]check.Level{}
		for _, f := range r.Findings {
			if levels[f.Check] != check.Error {
				levels[f.Check] = f.Level
			}
		}
		if levels["service"] != tt.level || levels["budget"] != tt.level {
			t.Errorf("from %s to %s: %v, want %q", tt.old, tt.new, levels, tt.level)
		}
	}
}

// TestProbeOfNoPort: what a probe of a port that nobody declares means depends on the probe.
func TestProbeOfNoPort(t *testing.T) {
	for probe, says := range map[string]string{"readinessProbe": "so the readinessProbe never passes.", "livenessProbe": "so the livenessProbe never restarts it."} {
		text := strings.Replace(web("replicas: 2", ""), `"web:1",`, `"web:1", `+probe+": {httpGet: {port: http}},", 1)
		if f := find(t, reportOf(t, check.Input{New: text, Seeds: 1}), "probe", "deployment/web"); f.Level != check.Error || !strings.HasSuffix(f.Text, says) {
			t.Errorf("%s: %+v", probe, f)
		}
	}
}

// TestReadyAsSoonAsTheyRun: a startup probe keeps a container from being ready, and a sidecar its pod.
func TestReadyAsSoonAsTheyRun(t *testing.T) {
	const service = "---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n"
	sidecar := "initContainers: [{name: proxy, image: \"proxy:1\", restartPolicy: Always%s}]"
	for _, tt := range []struct {
		name, probe, pod string
		warns            bool
	}{
		{"no probe", "", "", true},
		{"a readiness probe", "readinessProbe: {tcpSocket: {port: 80}}, ", "", false},
		{"a startup probe", "startupProbe: {tcpSocket: {port: 80}}, ", "", false},
		{"a liveness probe", "livenessProbe: {tcpSocket: {port: 80}}, ", "", true},
		{"a probe of a sidecar", "", fmt.Sprintf(sidecar, ", readinessProbe: {tcpSocket: {port: 80}}"), false},
		{"a sidecar without a probe", "", fmt.Sprintf(sidecar, ""), true},
	} {
		text := strings.Replace(web("replicas: 2", tt.pod), `"web:1", `, `"web:1", `+tt.probe, 1) + service
		r := reportOf(t, check.Input{New: text, Seeds: 1})
		warned := slices.ContainsFunc(r.Findings, func(f check.Finding) bool { return f.Check == "probe" })
		if assumed := strings.Contains(fmt.Sprint(r.Assumed), "no readinessProbe"); warned != tt.warns || assumed != tt.warns {
			t.Errorf("%s: warned %t, assumed %t", tt.name, warned, assumed)
		}
	}
}

// TestProbeThatFails: a command that always fails keeps a pod from being Ready, whatever the run shows, and so the rollout never finishes.
func TestProbeThatFails(t *testing.T) {
	for probe, want := range map[string]check.Verdict{"readinessProbe": check.Fail, "startupProbe": check.Fail, "livenessProbe": check.Pass} {
		text := strings.Replace(web("replicas: 2", ""), `"web:1",`, `"web:1", `+probe+": {exec: {command: [sh, -c, exit 1]}},", 1)
		r := reportOf(t, check.Input{New: text, Old: strings.Replace(web("replicas: 2", ""), "web:1", "web:0", 1), Seeds: 1})
		f := find(t, r, "completes", "deployment/web")
		if f.Verdict != want || (want == check.Fail) != (f.Text == "The rollout does not finish. The "+probe+" of container web never passes.") || (r.Numbers[0].P95 < 0) != (want == check.Fail) {
			t.Errorf("%s: %+v, %+v", probe, f, r.Numbers[0])
		}
	}
}

// TestMaxFailed: with a Service the requests of the update are counted; without one nothing is known of them.
func TestMaxFailed(t *testing.T) {
	const service = "---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: %s}, ports: [{port: 80}]}\n"
	stops := web("replicas: 4", "")
	waits := strings.Replace(stops, `"web:1",`, `"web:1", readinessProbe: {httpGet: {port: 80}}, lifecycle: {preStop: {sleep: {seconds: 5}}},`, 1)
	served, unserved := fmt.Sprintf(service, "web"), fmt.Sprintf(service, "other")
	for _, tt := range []struct {
		name, text, limit string
		verdict           check.Verdict
		says              string
	}{
		{"stops at once", stops + served, "0", check.Fail, "pods stop before the proxies know. preStop ≥ 3 s"},
		{"a few may fail", stops + served, "10%", check.Pass, "pods stop before the proxies know."},
		{"more than a few", stops + served, "0.01%", check.Fail, "pods stop before the proxies know."},
		{"nobody asks", stops + served, "", check.Pass, "pods stop before the proxies know."},
		{"waits", waits + served, "0", check.Pass, "Your users won't notice."},
		{"of another app", stops + unserved, "0", check.Pass, "No Service has an endpoint of its pods"},
		{"nobody sends", stops, "0", check.Unknown, "There is no Service"},
	} {
		r := reportOf(t, check.Input{New: tt.text, Policy: check.Policy{Limits: check.Limits{MaxFailed: tt.limit}}})
		f, n := find(t, r, "requests", "deployment/web"), &r.Numbers[0]
		if f.Verdict != tt.verdict || r.Verdict != tt.verdict || !strings.Contains(f.Text, tt.says) || f.Line == 0 {
			t.Errorf("%s: %s: %+v, want %s, %s", tt.name, r.Verdict, f, tt.verdict, tt.says)
		}
		if counted := strings.Contains(tt.text, served); counted != (n.Requests > 0) || counted != strings.Contains(fmt.Sprint(r.Assumed), "gets 1,000 requests/s") {
			t.Errorf("%s: %d of %d, assumed %q", tt.name, n.Failed, n.Requests, r.Assumed)
		}
		t.Logf("%s: %s %s", tt.name, f.Value, f.Text)
	}
	if r := reportOf(t, check.Input{New: stops}); slices.ContainsFunc(r.Findings, func(f check.Finding) bool { return f.Check == "requests" }) {
		t.Error("without a Service and a limit, requests are judged")
	}
	for _, limit := range []string{"few", "-1", "NaN", "1e3", "%"} {
		p := check.Policy{Limits: check.Limits{MaxFailed: limit}}
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "maxFailed must be") {
			t.Errorf("%s: %v", limit, err)
		}
	}
}

// TestSharedQuota: where two updates share a quota, it depends on the seed which of them finds room for its surge.
func TestSharedQuota(t *testing.T) {
	one := strings.Replace(web("replicas: 4", ""), "resources:", "readinessProbe: {httpGet: {port: 80}}, resources:", 1)
	text := one + "---" + strings.NewReplacer("name: web}", "name: api}", "app: web", "app: api").Replace(one) +
		"---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {pods: 8}}\n"
	said := func(seeds int) (list []string) {
		for _, f := range reportOf(t, check.Input{New: text, Seeds: seeds}).Findings {
			if f.Check == "room" {
				list = append(list, string(f.Verdict)+" "+f.Text)
			}
		}
		return list
	}
	if one, all := said(1), said(20); len(one) != 0 || len(all) == 0 || !strings.Contains(all[0], "of 20 seeds, the surge does not fit: 4 of 5 pods find room") {
		t.Errorf("with the first seed: %q, with 20: %q", one, all)
	}
}

// TestNodes: the nodes that are given decide whether the surge fits.
func TestNodes(t *testing.T) {
	text := web("replicas: 4\n  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}", "")
	node := "apiVersion: v1\nkind: Node\nmetadata: {name: %s}\nstatus: {allocatable: {cpu: \"%d\", memory: 4Gi, pods: 110}, capacity: {cpu: \"%d\", memory: 4Gi, pods: 110}}\n"
	for _, tt := range []struct {
		nodes   string
		verdict check.Verdict
	}{
		{"nodes: {count: 1, cpu: 2}", check.Fail},
		{"nodes: [{name: a, cpu: 2}, {name: b, cpu: 500m}]", check.Pass},
		{"nodeGroups: [{name: pool, min: 1, max: 2, cpu: 2, boot: 20s}]", check.Pass},
		{"nodes: {count: 1, cpu: 2}\nnodeGroups: [{name: pool, max: 1, cpu: 100m}]", check.Fail},
		{fmt.Sprintf(node, "a", 1, 1) + "---\n" + fmt.Sprintf(node, "b", 1, 1), check.Fail},
		{fmt.Sprintf(node, "a", 2, 2) + "---\n" + fmt.Sprintf(node, "b", 1, 1), check.Pass},
	} {
		r := reportOf(t, check.Input{New: text, Nodes: tt.nodes})
		if said := strings.Contains(strings.Join(r.Assumed, "\n"), "own model of an autoscaler"); said != strings.Contains(tt.nodes, "nodeGroups") {
			t.Errorf("%s: assumed %q", tt.nodes, r.Assumed)
		}
		if f := find(t, r, "completes", "deployment/web"); f.Verdict != tt.verdict || tt.verdict == check.Fail && (f.Rule != "G-32" || !strings.Contains(f.Text, "Insufficient cpu")) {
			t.Errorf("%s: %+v", tt.nodes, f)
		}
	}
}

// TestFrom: what changes between two versions is what counts.
func TestFrom(t *testing.T) {
	other := strings.ReplaceAll(web("replicas: 2", ""), "web", "other")
	before := web("replicas: 4", "") + "---\n" + other
	after := strings.Replace(web("replicas: 4\n  strategy: {type: Recreate}", ""), "web:1", "web:2", 1) + "---\n" + other
	r := reportOf(t, check.Input{Old: before, New: after, Policy: check.Policy{Limits: check.Limits{MaxOutage: "0s"}}})
	if f := find(t, r, "outage", "deployment/web"); f.Verdict != check.Fail {
		t.Errorf("%+v", f)
	}
	if !r.Numbers[0].Changed || r.Numbers[1].Changed {
		t.Errorf("%+v", r.Numbers)
	}
	if f := find(t, r, "completes", "deployment/other"); f.Verdict != check.Pass || !strings.Contains(f.Text, "nothing is rolled out") {
		t.Errorf("%+v", f)
	}
	broken := strings.Replace(after, "web:2", "broken:2", 1)
	policy := check.Policy{Images: []map[string]string{{"match": "broken:*", "pull": "fails"}}}
	r = reportOf(t, check.Input{Old: before, New: broken, Policy: policy})
	if f := find(t, r, "completes", "deployment/web"); f.Verdict != check.Fail || r.Numbers[0].Result != forecast.DeadlineExceeded || !strings.Contains(f.Text, "broken:2") {
		t.Errorf("%+v %+v", f, r.Numbers[0])
	}
}

// TestUnknown: what decides and is not modelled is named, and its verdict is unknown.
func TestUnknown(t *testing.T) {
	spread := "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: %s, labelSelector: {matchLabels: {app: web}}}]"
	hpa := "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 2, maxReplicas: 9, " +
		"metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}]}\n"
	const (
		canary   = "---\napiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r}\nspec: {workloadRef: {kind: Deployment, name: web}}\n"
		scaled   = "---\napiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: s}\nspec: {scaleTargetRef: {name: web}}\n"
		vertical = "---\napiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\nmetadata: {name: v}\nspec: {targetRef: {kind: Deployment, name: web}}\n"
		bounds   = "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: [{type: Container, max: {cpu: 100m}}]}\n"
		quota    = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {%s}\n"
	)
	across := web("replicas: 2", "affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: zone, namespaces: [x]}}]}}")
	claims := strings.Replace(web("volumeClaimTemplates: [{metadata: {name: a}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]", ""), "kind: Deployment", "kind: StatefulSet", 1)
	for _, tt := range []struct{ text, says string }{
		{web("replicas: 2", "schedulerName: volcano"), "volcano"},
		{web("replicas: 2", "readinessGates: [{conditionType: example.com/lb}]"), "Readiness gate example.com/lb"},
		{web("replicas: 2", "volumes: [{name: data, persistentVolumeClaim: {claimName: disk}}]"), "ReadWriteOnce"},
		{web("replicas: 2", "") + "---\napiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: r}\nspec: {template: {spec: {containers: [{name: a}]}}}\n", "kind Rollout of argoproj.io/v1alpha1 is not modelled"},
		{web("replicas: 2", "") + canary, "kind Rollout of argoproj.io/v1alpha1 is not modelled; nothing is known about its rollout."},
		{web("replicas: 2", "") + scaled, "kind ScaledObject of keda.sh/v1alpha1 is not modelled; nothing is known about what it does to deployment/web."},
		{web("replicas: 2", "") + vertical, "nothing is known about what it does to deployment/web."},
		{web("replicas: 2", "") + fmt.Sprintf(quota, "hard: {count/replicasets.apps: 1}"), "ResourceQuota q limits count/replicasets.apps, which is not modelled."},
		{across + fmt.Sprintf(quota, "hard: {pods: 9}, scopes: [CrossNamespacePodAffinity]"), "ResourceQuota q limits pods with an affinity to those of other namespaces"},
		{claims + fmt.Sprintf(quota, "hard: {requests.storage: 9Gi}"), "ResourceQuota q limits requests.storage, which"},
		{claims + fmt.Sprintf(quota, "hard: {count/persistentvolumeclaims: 9}"), "limits count/persistentvolumeclaims, which"},
		{claims + fmt.Sprintf(quota, "hard: {count/controllerrevisions.apps: 9}"), "limits count/controllerrevisions.apps, which"},
		{strings.Replace(web("replicas: 2", ""), "requests: {", "limits: {example.com/gpu: 1}, requests: {", 1) + fmt.Sprintf(quota, "hard: {requests.example.com/gpu: 9}"),
			"limits requests.example.com/gpu, which"},
		{web("replicas: 2", "") + bounds, "LimitRange l sets what pods request, or refuses them; it is not modelled."},
	} {
		r := reportOf(t, check.Input{New: tt.text})
		if r.Verdict != check.Unknown || r.Findings[0].Check != "modelled" || !strings.Contains(r.Findings[0].Text, tt.says) {
			t.Errorf("%s: %s %+v", tt.says, r.Verdict, r.Findings[0])
		}
	}
	timed := check.Policy{Images: []map[string]string{{"match": "*", "gate": "10s"}}}
	if r := reportOf(t, check.Input{New: web("replicas: 2", "readinessGates: [{conditionType: example.com/lb}]"), Policy: timed}); r.Verdict != check.Pass {
		t.Errorf("with the time of a gate: %s %+v", r.Verdict, r.Findings[0])
	}
	for _, text := range []string{web("replicas: 2", fmt.Sprintf(spread, "DoNotSchedule")), web("replicas: 2", fmt.Sprintf(spread, "ScheduleAnyway")), web("replicas: 2", "") + hpa, web("paused: false", "") + hpa, web("replicas: 2", "schedulerName: default-scheduler"),
		web("replicas: 2", "") + fmt.Sprintf(quota, "hard: {count/services: 1, services.loadbalancers: 0, requests.storage: 1, count/controllerrevisions.apps: 1, requests.example.com/gpu: 1}"),
		web("replicas: 2", "") + fmt.Sprintf(quota, "hard: {pods: 9}, scopes: [CrossNamespacePodAffinity]"),
		strings.Replace(web("replicas: 2", ""), "requests: {", "limits: {ephemeral-storage: 1Gi, cpu: 1}, requests: {", 1) + fmt.Sprintf(quota, "hard: {limits.cpu: 9, requests.ephemeral-storage: 9Gi, limits.ephemeral-storage: 9Gi}"),
		web("replicas: 2", "") + fmt.Sprintf(quota, "hard: {pods: 2}, scopes: [BestEffort]"),
		web("replicas: 2", "") + strings.Replace(scaled, "name: web", "name: other", 1), web("replicas: 2", "") + strings.Replace(bounds, "Container", "PersistentVolumeClaim", 1),
		web("replicas: 2", "") + strings.Replace(bounds, "name: l", "name: l, namespace: other", 1),
		web("replicas: 2", "") + strings.Replace(vertical, "spec: {", "spec: {updatePolicy: {updateMode: \"Off\"}, ", 1)} {
		if r := reportOf(t, check.Input{New: text}); r.Verdict != check.Pass {
			t.Errorf("%s %+v", r.Verdict, r.Findings[0])
		}
	}
}

// TestLimitRangeAndQuota: what a quota demands of each container a LimitRange may add, also one that is deployed already.
func TestLimitRangeAndQuota(t *testing.T) {
	const bounds = "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\nspec: {limits: [{type: Container, default: {cpu: 100m}}]}\n"
	const quota = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {limits.cpu: 2}}\n"
	text := web("replicas: 2", "")
	for _, tt := range []struct {
		old, new string
		verdict  check.Verdict
	}{{"", text + quota, check.Fail}, {"", text + quota + bounds, check.Unknown}, {strings.Replace(text, "web:1", "web:0", 1) + quota + bounds, text, check.Unknown}} {
		r := reportOf(t, check.Input{Old: tt.old, New: tt.new})
		f := find(t, r, "completes", "deployment/web")
		if said := strings.Contains(f.Text, "It depends on LimitRange l, which is not modelled. "); r.Verdict != tt.verdict || f.Verdict != tt.verdict || said != (tt.verdict == check.Unknown) {
			t.Errorf("%s: %+v, want %s", r.Verdict, f, tt.verdict)
		}
	}
}

// TestBadInput: what cannot be judged says why.
func TestBadInput(t *testing.T) {
	for _, tt := range []struct {
		in   check.Input
		says string
	}{
		{check.Input{New: " \n"}, "no manifests"},
		{check.Input{New: "replicas: {{ .Values.replicas }}"}, "errors"},
		{check.Input{New: "# nothing yet\n"}, "errors"},
		{check.Input{New: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"}, "no Deployment, StatefulSet or DaemonSet"},
		{check.Input{New: web("replicas: 1", ""), Old: "kind: ["}, "what is deployed now"},
		{check.Input{New: web("replicas: 1", ""), Nodes: "count: 3"}, "expected Node objects"},
		{check.Input{New: "apiVersion: rollplay/v1alpha1\nkind: Scenario\n---\n" + web("replicas: 1", "")}, "this is a scenario"},
	} {
		if _, _, err := check.New(new(scenario.Library), tt.in); !errors.Is(err, check.ErrInput) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%v, want %s", err, tt.says)
		}
	}
}

// TestRefusedOnce: a workload that is refused for several values has one row.
func TestRefusedOnce(t *testing.T) {
	r := reportOf(t, check.Input{New: web("replicas: 1", "initContainers: [{name: a, image: a, resources: {requests: {cpu: x, memory: y}}}]"), Seeds: 1})
	if len(r.Findings) != 2 || len(r.Numbers) != 1 || !r.Numbers[0].Refused {
		t.Errorf("%+v of %+v", r.Numbers, r.Findings)
	}
}

// TestFamilies: the families of a Service, whose cluster nobody knows, change nothing but what is assumed.
func TestFamilies(t *testing.T) {
	service := "---\n# the way in\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  ports: [{port: 80}]\n  selector: {app: web}\n"
	text := web("replicas: 4", "")
	for _, families := range []string{"  ipFamilies: [IPv6]\n", "  ipFamilies:\n  - IPv6\n  - IPv4\n", "  ipFamilyPolicy: RequireDualStack\n  ipFamilies: [IPv4, IPv6] # both\n"} {
		list := "---\napiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimPrefix(service+families, "---\n# the way in\n"), "\n", "\n  ")
		for _, in := range []check.Input{{New: text + service + families}, {New: text + list}, {New: text + service + families, Old: strings.ReplaceAll(text, "web:1", "web:0") + service + families}} {
			named, plain := reportOf(t, in), reportOf(t, check.Input{New: text + service, Old: strings.Replace(in.Old, families, "", 1)})
			if said := strings.Contains(fmt.Sprint(named.Assumed), "the IP families that the Services name"); !said || named.Verdict != plain.Verdict {
				t.Errorf("%q: %s, without families %s; assumed %q", families, named.Verdict, plain.Verdict, named.Assumed)
			}
			if got, want := find(t, named, "requests", "deployment/web"), find(t, plain, "requests", "deployment/web"); got.Text != want.Text {
				t.Errorf("%q: %s, without families %s", families, got.Text, want.Text)
			}
		}
	}
}

// TestPolicy: a policy file is read strictly; exceptions replace its limits one by one.
func TestPolicy(t *testing.T) {
	const head = "apiVersion: rollplay/v1alpha1\nkind: Policy\nspec:\n"
	p, err := check.ReadPolicy(head + "  minAvailable: 100%\n  maxOutage: 0s\n  images: [{match: '*', pull: 2s..9s, start: 4s}]\n  workloads: [{name: deployment/web, minAvailable: 50%}]\n")
	if err != nil {
		t.Fatal(err)
	}
	r := reportOf(t, check.Input{New: web("replicas: 4", ""), Policy: p})
	if f := find(t, r, "available", "deployment/web"); f.Verdict != check.Pass || f.Limit != "50%" || r.Numbers[0].P50 < 6000 {
		t.Errorf("%+v %+v", f, r.Numbers[0])
	}
	if _, err := check.ReadPolicy(head + "  minAvailable: 0\n"); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct{ text, says string }{
		{"kind: Policy\n", "apiVersion"},
		{head + "  minimum: 3\n", "minimum"},
		{head + "  maxOutage: soon\n", "duration"},
		{head + "  minAvailable: most\n", "percentage"},
		{head + "  maxCPU: lots\n", "quantities"},
		{head + "  drainable: perhaps\n", "true or false"},
		{head + "  workloads: [{minAvailable: 1}]\n", "needs a name, a namespace or labels"},
		{head + "  workloads: [{name: web, optional: perhaps}]\n", "optional: it must be true or false"},
		{head + "  workloads: [{labels: {app: '['}}]\n", "is no pattern"},
		{head + "  workloads: [{labels: web}]\n", "an object of texts"},
		{head + "  extends: 5\n", "extends"},
	} {
		if _, err := check.ReadPolicy(tt.text); !errors.Is(err, check.ErrInput) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%v, want %s", err, tt.says)
		}
	}
}

// TestPolicyEntries: entries choose by name, namespace and label; later ones come first, and so does a policy before the one it extends.
func TestPolicyEntries(t *testing.T) {
	const head = "apiVersion: rollplay/v1alpha1\nkind: Policy\nspec:\n"
	text := strings.Replace(web("replicas: 4", ""), "metadata: {name: web}\nspec", "metadata: {name: web, namespace: shop, labels: {tier: front}}\nspec", 1)
	read := func(spec string) check.Policy {
		p, err := check.ReadPolicy(head + "  " + spec + "\n")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, tt := range []struct{ own, base, limit string }{
		{"workloads: [{name: web, minAvailable: 1}]", "", "1"},
		{"workloads: [{name: 'w*', minAvailable: 1}]", "", "1"},
		{"workloads: [{name: 'Deployment/?eb', minAvailable: 1}]", "", "1"},
		{"workloads: [{name: 'StatefulSet/*', minAvailable: 1, optional: true}]", "", ""},
		{"workloads: [{namespace: 'sh*', minAvailable: 1}]", "", "1"},
		{"workloads: [{namespace: other, name: web, minAvailable: 1, optional: true}]", "", ""},
		{"workloads: [{labels: {tier: 'f*'}, minAvailable: 1}]", "", "1"},
		{"workloads: [{labels: {tier: front, team: '*'}, minAvailable: 1, optional: true}]", "", ""},
		{"{minAvailable: 2, workloads: [{labels: {tier: front}, maxPods: 9}]}", "", "2"},
		{"workloads: [{name: web, minAvailable: 1}, {namespace: shop, minAvailable: 2}]", "", "2"},
		{"minAvailable: 1", "minAvailable: 2", "1"},
		{"maxPods: 9", "minAvailable: 2", "2"},
		{"minAvailable: 1", "workloads: [{namespace: shop, minAvailable: 2}, {namespace: nobody, minAvailable: 3}]", "2"},
		{"workloads: [{name: web, minAvailable: 1}]", "workloads: [{name: web, minAvailable: 2}]", "1"},
	} {
		p := read(tt.own)
		if tt.base != "" {
			p.Inherit(read(tt.base))
		}
		if f := find(t, reportOf(t, check.Input{New: text, Seeds: 1, Policy: p}), "available", "deployment/web -n shop"); f.Limit != tt.limit {
			t.Errorf("%s extends %s: the limit is %q, want %q", tt.own, tt.base, f.Limit, tt.limit)
		}
	}
	p := read("workloads: [{namespace: shpo, labels: {tier: front}}]")
	_, _, err := check.New(new(scenario.Library), check.Input{New: text, Policy: p})
	if err == nil || !strings.Contains(err.Error(), "workloads[0]: no object of the manifests is or has namespace shpo, label tier=front") {
		t.Error(err)
	}
}

// TestRecording: the link of a check shows the update that it judged.
func TestRecording(t *testing.T) {
	c, _, err := check.New(new(scenario.Library), check.Input{New: web("replicas: 4", ""), Seeds: 1})
	if err != nil {
		t.Fatal(err)
	}
	c.Run(0, new(scenario.Library))
	r, _ := engine.Start(c.Recording())
	list := forecast.New(r.Finish().Past()).Rollouts("Deployment/default/web")
	if n := c.Report().Numbers[0]; len(list) != 2 || list[1].Duration() != n.P50 || list[1].PeakPods != n.PeakPods {
		t.Errorf("%+v, the run has %+v", n, list)
	}
}

// TestExactDuration: a limit as long as the rollout is met.
func TestExactDuration(t *testing.T) {
	took := reportOf(t, check.Input{New: web("replicas: 4", "")}).Numbers[0].P95
	for limit, want := range map[int64]check.Verdict{took: check.Pass, took - 1: check.Fail} {
		r := reportOf(t, check.Input{New: web("replicas: 4", ""), Policy: check.Policy{Limits: check.Limits{MaxDuration: fmt.Sprint(limit, "ms")}}})
		if r.Verdict != want {
			t.Errorf("%d ms of %d: %s, want %s", took, limit, r.Verdict, want)
		}
	}
}

// TestSeedsByDefault: the more pods there are, the fewer runs judge an update.
func TestSeedsByDefault(t *testing.T) {
	for replicas, want := range map[int]int{1: 20, 124: 20, 249: 10, 1999: 3} {
		c, _, err := check.New(new(scenario.Library), check.Input{New: web(fmt.Sprint("replicas: ", replicas), "")})
		if err != nil || c.Seeds() != want || c.Budgets() != 0 {
			t.Errorf("%d replicas: %d seeds, want %d: %v", replicas, c.Seeds(), want, err)
		}
	}
}

// TestInterrupted: the seeds that were played without a gap count, and the verdict is unknown at best.
func TestInterrupted(t *testing.T) {
	for _, c := range []struct {
		played []int
		seeds  int
		says   string
	}{{nil, 0, "0 of 3 seeds were played"}, {[]int{0, 2}, 1, "1 of 3 seeds were played"}, {[]int{2, 1, 0}, 3, ""}} {
		k, _, err := check.New(new(scenario.Library), check.Input{New: web("replicas: 1", ""), Seeds: 3})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range c.played {
			k.Run(i, new(scenario.Library))
		}
		r := k.Report()
		if r.Seeds != c.seeds || (r.Verdict == check.Unknown) != (c.says != "") || !strings.Contains(r.Findings[0].Text, c.says) || (len(r.Numbers) > 0) != (c.seeds > 0) {
			t.Errorf("%v: %s with %d seeds: %+v", c.played, r.Verdict, r.Seeds, r.Findings)
		}
	}
}

// TestAssumedNodes: nodes that are assumed are in the recording if they are not those of the default cluster.
func TestAssumedNodes(t *testing.T) {
	apart := "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}]}}"
	labelled := web("replicas: 2", "nodeSelector: {disk: ssd}")
	for _, c := range []struct{ old, new, nodes string }{
		{"", web("replicas: 2", ""), ""},
		{web("replicas: 2", ""), web("replicas: 3", ""), ""},
		{"", labelled, ""},
		{web("replicas: 2", ""), labelled, `nodes: [{"labels":{"disk":"ssd"},"name":"node-1"},{"labels":{"disk":"ssd"},"name":"node-2"},{"labels":{"disk":"ssd"},"name":"node-3"}]`},
		{"", web("replicas: 2", apart), `nodes: [{"labels":{},"name":"node-1"},{"labels":{},"name":"node-2"},{"labels":{},"name":"node-3"},{"labels":{},"name":"node-4"}]`},
	} {
		k, _, err := check.New(new(scenario.Library), check.Input{Old: c.old, New: c.new})
		if err != nil {
			t.Fatal(err)
		}
		if text := k.Recording().Scenario; !strings.Contains(text, c.nodes) || c.nodes == "" && strings.Contains(text, "nodes: ") {
			t.Errorf("%s: the recording is\n%s\nwant %q", c.new, text, c.nodes)
		}
	}
}

// TestUses: that the objects exist which a pod cannot start without is an assumption.
func TestUses(t *testing.T) {
	for pod, want := range map[string]bool{
		"volumes: [{name: a, emptyDir: {}}]": false, "volumes: [{name: a, configMap: {name: a}}]": true,
		"volumes: [{name: a, persistentVolumeClaim: {claimName: a}}]": true, "volumes: [{name: a, projected: {sources: [{secret: {name: a}}]}}]": true,
		"serviceAccountName: a": true, "priorityClassName: a": true, "hostNetwork: true": false,
		"initContainers: [{name: a, image: 'a:1', envFrom: [{secretRef: {name: a}}]}]": true,
	} {
		said := strings.Contains(fmt.Sprint(reportOf(t, check.Input{New: web("", pod), Seeds: 1}).Assumed), "what the pods of deployment/web need is there")
		if said != want {
			t.Errorf("%s: assumed %v, want %v", pod, said, want)
		}
	}
}

// TestAssumedTimes: what the images, the init containers and postStart take is an assumption where nobody says it.
func TestAssumedTimes(t *testing.T) {
	hook := strings.Replace(web("", ""), `"web:1",`, `"web:1", lifecycle: {postStart: {exec: {command: [sleep, "60"]}}},`, 1)
	for _, tt := range []struct {
		text, match, says string
		said              bool
	}{
		{web("", "initContainers: [{name: a, image: 'a:1'}]"), "*", "an init container runs for 1 s: deployment/web", true},
		{web("", "initContainers: [{name: a, image: 'a:1', restartPolicy: Always}]"), "*", "an init container runs", false},
		{web("", "initContainers: [{name: a, image: 'a:1', restartPolicy: Always, lifecycle: {postStart: {sleep: {seconds: 9}}}}]"), "*", "postStart takes no time", true},
		{hook, "*", "postStart takes no time: deployment/web", true}, {web("", ""), "*", "postStart", false},
		{web("", ""), "", "images are pulled in 1 to 3 s", true}, {web("", ""), "web:*", "pulled in 1 to 3 s", false},
		{web("", ""), "other*", "images that the policy does not match (web:1) are pulled in 1 to 3 s", true},
		{web("", "initContainers: [{name: a, image: 'a:1'}]"), "web*", "does not match (a:1) are pulled", true},
	} {
		in := check.Input{New: tt.text, Seeds: 1}
		if tt.match != "" {
			in.Policy.Images = []map[string]string{{"match": tt.match, "start": "2s"}}
		}
		if all := strings.Join(reportOf(t, in).Assumed, "\n"); strings.Contains(all, tt.says) != tt.said {
			t.Errorf("%s: said is not %t in %q", tt.says, tt.said, all)
		}
	}
}

// TestNothing: manifests without a workload pass, unless a kind of theirs would have pods; parts of an update are one report.
func TestNothing(t *testing.T) {
	nothing := check.Nothing("kind: ConfigMap\n")
	custom := check.Nothing("kind: ConfigMap\n---\n# a\nkind: Rollout\napiVersion: x.io/v1\nmetadata: {name: r}\nspec: {template: {spec: {containers: [{name: a}]}}}\n")
	if nothing.Verdict != check.Pass || len(nothing.Findings) != 0 || len(nothing.Assumed) != 1 || custom.Verdict != check.Unknown || custom.Findings[0].Line != 4 {
		t.Errorf("%+v, %+v", nothing, custom)
	}
	web := reportOf(t, check.Input{New: web("replicas: 1", ""), Seeds: 2})
	all := check.Join([]*check.Report{nothing, web, web, custom})
	if all.Verdict != check.Unknown || len(all.Numbers) != 2 || !slices.Equal(all.Assumed, web.Assumed) || all.Seeds != 2 || len(all.Findings) != 2*len(web.Findings)+1 {
		t.Errorf("%+v", all)
	}
	more := reportOf(t, check.Input{New: coredns, Seeds: 3})
	if few := check.Join([]*check.Report{web, more}); few.Seeds != 2 || check.Join([]*check.Report{more, web}).Seeds != 2 {
		t.Errorf("%+v", few)
	}
	if alone := check.Join([]*check.Report{nothing}); alone.Verdict != check.Pass || len(alone.Assumed) != 1 {
		t.Errorf("%+v", alone)
	}
	c, _, err := check.New(new(scenario.Library), check.Input{New: "kind: Deployment\napiVersion: apps/v1\nmetadata: {name: web}\nspec: {replicas: many}\n"})
	if err != nil || c.Recording().Scenario != "" || c.Report().Verdict != check.Fail {
		t.Errorf("what is refused before anything is played: %v", err)
	}
}

func BenchmarkTwelveWorkloads(b *testing.B) {
	for b.Loop() {
		reportOf(b, check.Input{New: boutique(), Seeds: 20})
	}
}

// TestEndlessRolloutBreaksALimit: a rollout that still runs when the simulation ends has taken longer than some limits; whether it keeps
// longer ones is not known.
func TestEndlessRolloutBreaksALimit(t *testing.T) {
	slow := web("replicas: 32\n  minReadySeconds: 3000\n  progressDeadlineSeconds: 4000\n  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}", "")
	for limit, want := range map[string]check.Verdict{"1h": check.Fail, "23h": check.Unknown} {
		in := check.Input{New: slow, Seeds: 1, Policy: check.Policy{Limits: check.Limits{MaxDuration: limit}}}
		if f := find(t, reportOf(t, in), "duration", "deployment/web"); f.Verdict != want {
			t.Errorf("within %q: %s, want %s: %s", limit, f.Verdict, want, f.Text)
		}
	}
}

// TestLateUpdate: the recording of an update that comes after a quarter of an hour lasts a day, any other one as long as any run.
func TestLateUpdate(t *testing.T) {
	in := check.Input{Policy: check.Policy{Images: []map[string]string{{"match": "*", "pull": "1s", "start": "1s"}}}}
	for _, tt := range []struct {
		minReady     int
		at, duration int64
	}{{441, 898_000, 0}, {442, 900_000, 0}, {443, 902_000, 24 * 60 * 60_000}} {
		in.Old = strings.TrimPrefix(texts.Deployment(fmt.Sprintf("replicas: 1\n  minReadySeconds: %d", tt.minReady), "image: web:1"), "---\n")
		in.New = strings.Replace(in.Old, "web:1", "web:2", 1)
		c, diagnostics, err := check.New(new(scenario.Library), in)
		if err != nil {
			t.Fatal(err, diagnostics)
		}
		rec := c.Recording()
		if s, _ := scenario.Parse(rec.Scenario); s.Duration != tt.duration || rec.Commands[0].At != tt.at {
			t.Errorf("it is updated at %d ms of %d, want at %d of %d", rec.Commands[0].At, s.Duration, tt.at, tt.duration)
		}
	}
}

// TestStoppedRuns: what somebody stopped is no result, and has one when it is played again.
func TestStoppedRuns(t *testing.T) {
	in := check.Input{New: good, Nodes: goodNodes(), Seeds: 1}
	c, diagnostics, err := check.New(new(scenario.Library), in)
	if err != nil {
		t.Fatal(err, diagnostics)
	}
	stop := new(atomic.Bool)
	library := &scenario.Library{Enough: stop}
	for _, stopped := range []bool{true, false} {
		stop.Store(stopped)
		for i := range c.Seeds() {
			before, _ := json.Marshal(c.Outcome(i))
			c.Run(i, library)
			if after, _ := json.Marshal(c.Outcome(i)); (string(before) == string(after)) != stopped {
				t.Errorf("seed %d, stopped: %t: %s", i, stopped, after)
			}
		}
	}
	for _, stopped := range []bool{true, false} {
		stop.Store(stopped)
		for i := range c.Budgets() {
			before, _ := json.Marshal(c.Drain(i))
			c.RunBudget(i, library)
			if after, _ := json.Marshal(c.Drain(i)); (string(before) == string(after)) != stopped {
				t.Errorf("drain %d, stopped: %t: %s", i, stopped, after)
			}
		}
	}
}

// TestFiguresOfOneRun: where an autoscaler decides the replicas, a finding that passes names the run whose figure is in the table.
func TestFiguresOfOneRun(t *testing.T) {
	const scaler = "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 2, maxReplicas: 6, " +
		"metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}]}\n"
	for _, bounds := range []string{"maxSurge: 0, maxUnavailable: 1", "maxSurge: 25%, maxUnavailable: 25%"} {
		r := reportOf(t, check.Input{New: web("strategy: {rollingUpdate: {"+bounds+"}}", "") + scaler})
		n := &r.Numbers[0]
		for question, want := range map[string]string{"available": fmt.Sprintf("%d of %d", n.Lowest, n.LowestOf), "duration": n.Took(n.P95), "pods": fmt.Sprint(n.PeakPods)} {
			if f := find(t, r, question, "deployment/web"); f.Value != want || question == "duration" && !strings.Contains(f.Text, n.Took(n.P50)+" in the middle") {
				t.Errorf("%s: %s is %s, in the table %s: %s", bounds, question, f.Value, want, f.Text)
			}
		}
	}
}
