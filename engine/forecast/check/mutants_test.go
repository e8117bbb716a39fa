package check_test

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/forecast/check"
)

//go:embed testdata/good.yaml
var good string

// goodNodes are six nodes for the good manifests; one of them may be drained.
func goodNodes() string {
	var b strings.Builder
	for i := range 6 {
		fmt.Fprintf(&b, "- {name: node-%d, cpu: 4, memory: 16Gi, labels: {disk: ssd}}\n", i)
	}
	return "nodes:\n" + b.String()
}

// mutant is a change of the good manifests: the text after a mark is replaced.
type mutant struct{ name, after, old, new string }

func (m *mutant) apply(t *testing.T) string {
	before, rest, ok := strings.Cut(good, m.after)
	if !ok || !strings.Contains(rest, m.old) {
		t.Fatalf("%s: %q after %q is not in the good manifests", m.name, m.old, m.after)
	}
	return before + m.after + strings.Replace(rest, m.old, m.new, 1)
}

// Marks of the good manifests.
const (
	inQuota   = "kind: ResourceQuota"
	inWeb     = "  name: web\n  labels"
	inService = "kind: Service\nmetadata: {name: web}"
	inBudget  = "kind: PodDisruptionBudget\nmetadata: {name: web}"
	inAPI     = "kind: Deployment\nmetadata: {name: api}"
	inAPISvc  = "kind: Service\nmetadata: {name: api}"
	inHPA     = "kind: HorizontalPodAutoscaler\n"
	inAPIPDB  = "kind: PodDisruptionBudget\nmetadata: {name: api}"
	inDBSvc   = "kind: Service\nmetadata: {name: db}"
	inDB      = "kind: StatefulSet\n"
	inDBPDB   = "kind: PodDisruptionBudget\nmetadata: {name: db}"
	inAgent   = "kind: DaemonSet\n"
)

func judgeMutant(t *testing.T, text string) *check.Report {
	return reportOf(t, check.Input{Old: good, New: text, Nodes: goodNodes(), Seeds: 1})
}

// TestGoodManifests: neither the first update nor one that changes nothing has a finding.
func TestGoodManifests(t *testing.T) {
	for _, in := range []check.Input{{New: good}, {Old: good, New: good}} {
		in.Nodes, in.Seeds = goodNodes(), 2
		r := reportOf(t, in)
		if r.Verdict != check.Pass || r.Findings[0].Level != "" {
			t.Errorf("%s: %+v", r.Verdict, r.Findings[0])
		}
	}
}

// TestMutants: each change that an expert would stop is an error of the rule that it breaks.
func TestMutants(t *testing.T) {
	for _, tt := range []struct {
		mutant
		rule string
	}{
		{mutant{"selector", inWeb, "matchLabels: {app: web}", "matchLabels: {app: web, tier: front}"}, "accepted"},
		{mutant{"selector without its labels", inWeb, "matchLabels: {app: web}", "matchLabels: {app: shop}"}, "accepted"},
		{mutant{"selector of a StatefulSet", inDB, "matchLabels: {app: db}", "matchExpressions: [{key: app, operator: Exists}]"}, "accepted"},
		{mutant{"selector of a DaemonSet", inAgent, "matchLabels: {app: agent}", "matchExpressions: [{key: app, operator: Exists}]"}, "accepted"},
		{mutant{"serviceName", inDB, "serviceName: db", "serviceName: database"}, "accepted"},
		{mutant{"podManagementPolicy", inDB, "OrderedReady", "Parallel"}, "accepted"},
		{mutant{"volumeClaimTemplates", inDB, "10Gi", "20Gi"}, "accepted"},
		{mutant{"deadline below minReadySeconds", inWeb, "minReadySeconds: 5", "minReadySeconds: 600"}, "accepted"},
		{mutant{"no surge and none unavailable", inWeb, "maxSurge: 1", "maxSurge: 0"}, "accepted"},
		{mutant{"maxUnavailable beyond 100 %", inWeb, "maxUnavailable: 0", "maxUnavailable: 150%"}, "accepted"},
		{mutant{"a field in the wrong place", inWeb, "minReadySeconds: 5", "minReadySecond: 5"}, "accepted"},
		{mutant{"a text for a number", inWeb, "replicas: 4", "replicas: four"}, "accepted"},
		{mutant{"limit below the request", inWeb, "memory: 1Gi", "memory: 256Mi"}, "accepted"},
		{mutant{"two kinds of budget", inBudget, "minAvailable: 3", "minAvailable: 3, maxUnavailable: 1"}, "accepted"},
		{mutant{"two containers of one name", inWeb, "      - name: web", "      - {name: web, image: \"a:1\"}\n      - name: web"}, "accepted"},
		{mutant{"minReplicas above maxReplicas", inHPA, "minReplicas: 2", "minReplicas: 9"}, "accepted"},
		{mutant{"a Service without ports", inService, "ports: [{port: 80, targetPort: http}]", "ports: []"}, "accepted"},
		{mutant{"another clusterIP", inDBSvc, "clusterIP: None", "clusterIP: 10.0.0.7"}, "accepted"},

		{mutant{"Recreate", inWeb, "type: RollingUpdate\n    rollingUpdate: {maxSurge: 1, maxUnavailable: 0}", "type: Recreate"}, "outage"},
		{mutant{"maxUnavailable 100 %", inWeb, "maxUnavailable: 0", "maxUnavailable: 100%"}, "outage"},
		{mutant{"maxUnavailable as many as replicas", inWeb, "maxUnavailable: 0", "maxUnavailable: 4"}, "outage"},
		{mutant{"the whole cluster at once", inAgent, "maxUnavailable: 1", "maxUnavailable: 100%"}, "outage"},
		{mutant{"Recreate with an autoscaler", inAPI, "{rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}", "{type: Recreate}"}, "outage"},
		{mutant{"none at the fewest replicas", inAPI, "maxSurge: 25%, maxUnavailable: 25%", "maxSurge: 1, maxUnavailable: 2"}, "outage"},
		{mutant{"no replicas", inWeb, "replicas: 4", "replicas: 0"}, "outage"},
		{mutant{"no replicas of a StatefulSet", inDB, "replicas: 3", "replicas: 0"}, "outage"},

		{mutant{"readiness too late", inWeb, "periodSeconds: 5}", "periodSeconds: 5, initialDelaySeconds: 400}"}, "completes"},
		{mutant{"no node has the label", inWeb, "disk: ssd", "disk: nvme"}, "completes"},
		{mutant{"more CPU than a node", inWeb, "cpu: 500m", "cpu: \"8\""}, "completes"},
		{mutant{"more memory than a node", inDB, "memory: 2Gi", "memory: 20Gi"}, "completes"},
		{mutant{"more replicas than nodes", inWeb, "replicas: 4", "replicas: 8"}, "completes"},
		{mutant{"as many replicas as nodes", inWeb, "replicas: 4", "replicas: 6"}, "completes"},
		{mutant{"quota of pods", inQuota, "pods: \"30\"", "pods: \"12\""}, "completes"},
		{mutant{"quota of cpu", inQuota, "requests.cpu: \"16\"", "requests.cpu: \"6\""}, "completes"},
		{mutant{"OnDelete", inAgent, "{type: RollingUpdate, rollingUpdate: {maxUnavailable: 1}}", "{type: OnDelete}"}, "completes"},
		{mutant{"OnDelete of a StatefulSet", inDB, "  serviceName: db", "  updateStrategy: {type: OnDelete}\n  serviceName: db"}, "accepted"},
		{mutant{"paused", inWeb, "minReadySeconds: 5", "minReadySeconds: 5\n  paused: true"}, "completes"},
		{mutant{"needs pods that are nowhere", inAPI, "    spec:\n", "    spec:\n      affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {app: cache}}, topologyKey: kubernetes.io/hostname}]}}\n"}, "completes"},
		{mutant{"another zone", inAPI, "    spec:\n", "    spec:\n      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [b]}]}]}}}\n"}, "completes"},

		{mutant{"surge beyond the quota", inQuota, "pods: \"30\"", "pods: \"19\""}, "completes"},

		{mutant{"budget of 100 %", inBudget, "minAvailable: 3", "minAvailable: 100%"}, "drain"},
		{mutant{"budget of all replicas", inBudget, "minAvailable: 3", "minAvailable: 4"}, "drain"},
		{mutant{"none unavailable", inDBPDB, "maxUnavailable: 1", "maxUnavailable: 0"}, "drain"},
		{mutant{"budget of the fewest replicas", inAPIPDB, "maxUnavailable: 1", "minAvailable: 2"}, "drain"},
		{mutant{"fewer replicas than the budget needs", inWeb, "replicas: 4", "replicas: 3"}, "drain"},
		{mutant{"two budgets for one pod", inBudget, "---", "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: second}\nspec: {maxUnavailable: 1, selector: {matchLabels: {tier: front}}}\n---"}, "drain"},

		{mutant{"budget of no pod", inBudget, "app: web", "app: wbe"}, "budget"},
		{mutant{"budget of another app", inDBPDB, "app: db", "app: database"}, "budget"},

		{mutant{"grace shorter than preStop", inWeb, "terminationGracePeriodSeconds: 30", "terminationGracePeriodSeconds: 4"}, "grace"},
		{mutant{"preStop longer than grace", inWeb, "sleep 5", "sleep 45"}, "grace"},
		{mutant{"preStop as long as grace", inWeb, "sleep 5", "sleep 30"}, "grace"},

		{mutant{"probe of another port", inWeb, "path: /ready, port: http", "path: /ready, port: web"}, "probe"},
		{mutant{"port without its name", inAPI, "ports: [{name: grpc, ", "ports: [{"}, "probe"},
		{mutant{"probe that never passes", inDB, "[pg_isready]", "[sh, -c, exit 1]"}, "probe"},
		{mutant{"liveness that never passes", inWeb, "livenessProbe: {httpGet: {path: /live, port: http}", "livenessProbe: {exec: {command: [\"false\"]}"}, "probe"},

		{mutant{"image in capitals", inWeb, "shop/web:1.4.2", "Shop/web:1.4.2"}, "image"},
		{mutant{"image without a tag behind the colon", inWeb, "registry.example/shop/web:1.4.2", "\"registry.example/shop/web:\""}, "image"},
		{mutant{"image of an unset variable", inAPI, "api:2.0.0", "api:${TAG}"}, "image"},

		{mutant{"Service of no pod", inService, "tier: front", "tier: back"}, "service"},
		{mutant{"pods of no Service", inWeb, "tier: front", "tier: back"}, "service"},
		{mutant{"port that nobody has", inService, "targetPort: http", "targetPort: https"}, "service"},
		{mutant{"Service of another app", inAPISvc, "selector: {app: api}", "selector: {app: apis}"}, "service"},
	} {
		r := judgeMutant(t, tt.apply(t))
		found := func(f check.Finding) bool { return f.Check == tt.rule && f.Level == check.Error }
		if r.Verdict != check.Fail || !slices.ContainsFunc(r.Findings, found) {
			t.Errorf("%s: %s, and no error of %s in %+v", tt.name, r.Verdict, tt.rule, bad(r))
		}
	}
}

// bad returns the findings of a report.
func bad(r *check.Report) []check.Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f check.Finding) bool { return f.Level == "" })
}

// TestHarmless: no change that an expert would let through has a finding.
func TestHarmless(t *testing.T) {
	for _, m := range []mutant{
		{"a comment", inWeb, "  replicas: 4", "  # of the spring sale\n  replicas: 4"},
		{"an empty line", inWeb, "spec:\n", "spec:\n\n"},
		{"order of fields", inWeb, "  replicas: 4\n  minReadySeconds: 5", "  minReadySeconds: 5\n  replicas: 4"},
		{"block for flow", inService, "selector: {tier: front}", "selector:\n    tier: front"},
		{"quotes", inWeb, "tier: front", "tier: \"front\""},
		{"a label", inWeb, ": {app: web}", ": {app: web, team: shop}"},
		{"an annotation", inWeb, "owner: shop", "owner: checkout"},
		{"a label of the pods", inWeb, "labels: {app: web, tier: front}", "labels: {app: web, tier: front, version: v2}"},
		{"an annotation of the pods", inWeb, "      labels: {app: web, tier: front}", "      labels: {app: web, tier: front}\n      annotations: {checksum: \"2\"}"},
		{"a new image", inWeb, "1.4.2", "1.4.3"},
		{"a digest", inWeb, "web:1.4.2", "web@sha256:" + strings.Repeat("0f", 32)},
		{"another registry with a port", inWeb, "registry.example/", "registry.example:5000/"},
		{"a pull policy", inWeb, "        env:", "        imagePullPolicy: Always\n        env:"},
		{"env", inWeb, "value: info", "value: debug"},
		{"one more variable", inWeb, "[{name: LEVEL", "[{name: COLOUR, value: red}, {name: LEVEL"},
		{"a command", inWeb, "        env:", "        command: [/web, --fast]\n        env:"},
		{"more cpu", inWeb, "cpu: 500m", "cpu: \"1\""},
		{"more memory", inWeb, "memory: 512Mi", "memory: 768Mi"},
		{"less memory", inDB, "memory: 2Gi", "memory: 1Gi"},
		{"another spelling of an amount", inWeb, "cpu: 500m", "cpu: \"0.5\""},
		{"a higher limit", inWeb, "limits: {memory: 1Gi}", "limits: {memory: 2Gi}"},
		{"one more replica", inWeb, "replicas: 4", "replicas: 5"},
		{"more replicas of a StatefulSet", inDB, "replicas: 3", "replicas: 5"},
		{"more replicas at most", inHPA, "maxReplicas: 6", "maxReplicas: 8"},
		{"more replicas at least", inHPA, "minReplicas: 2", "minReplicas: 3"},
		{"another utilization", inHPA, "averageUtilization: 70", "averageUtilization: 60"},
		{"more surge", inWeb, "maxSurge: 1", "maxSurge: 2"},
		{"one unavailable", inWeb, "maxUnavailable: 0", "maxUnavailable: 1"},
		{"shares for numbers", inWeb, "maxSurge: 1, maxUnavailable: 0", "maxSurge: 25%, maxUnavailable: 0"},
		{"longer minReadySeconds", inWeb, "minReadySeconds: 5", "minReadySeconds: 20"},
		{"a longer deadline", inWeb, "progressDeadlineSeconds: 300", "progressDeadlineSeconds: 900"},
		{"less history", inWeb, "revisionHistoryLimit: 5", "revisionHistoryLimit: 2"},
		{"longer grace", inWeb, "terminationGracePeriodSeconds: 30", "terminationGracePeriodSeconds: 60"},
		{"longer preStop", inWeb, "sleep 5", "sleep 20"},
		{"another path of the probe", inWeb, "path: /ready", "path: /healthz"},
		{"a number for the port", inWeb, "path: /ready, port: http", "path: /ready, port: 8080"},
		{"a slower probe", inWeb, "periodSeconds: 5}", "periodSeconds: 10, initialDelaySeconds: 15}"},
		{"a sidecar", inWeb, "      containers:\n", "      initContainers: [{name: proxy, image: \"registry.example/proxy:1.0\", restartPolicy: Always, resources: {requests: {cpu: 50m, memory: 64Mi}}}]\n      containers:\n"},
		{"an init container", inWeb, "      containers:\n", "      initContainers: [{name: migrate, image: \"registry.example/migrate:1.0\", resources: {requests: {cpu: 50m, memory: 64Mi}}}]\n      containers:\n"},
		{"a volume", inWeb, "      containers:\n", "      volumes: [{name: tmp, emptyDir: {}}]\n      containers:\n"},
		{"a security context", inWeb, "      containers:\n", "      securityContext: {runAsNonRoot: true}\n      containers:\n"},
		{"a toleration", inWeb, "      containers:\n", "      tolerations: [{key: spot, operator: Exists}]\n      containers:\n"},
		{"a service account", inWeb, "      containers:\n", "      serviceAccountName: web\n      containers:\n"},
		{"preferred anti-affinity", inWeb, "requiredDuringSchedulingIgnoredDuringExecution:\n          - {labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}", "preferredDuringSchedulingIgnoredDuringExecution:\n          - {weight: 1, podAffinityTerm: {labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}}"},
		{"spread over zones", inAPI, "    spec:\n", "    spec:\n      topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: api}}}]\n"},
		{"a budget as a share", inBudget, "minAvailable: 3", "maxUnavailable: 25%"},
		{"a smaller budget", inBudget, "minAvailable: 3", "minAvailable: 2"},
		{"one more port", inService, "[{port: 80, targetPort: http}]", "[{name: http, port: 80, targetPort: http}, {name: direct, port: 8080, targetPort: 8080}]"},
		{"a higher quota", inQuota, "pods: \"30\"", "pods: \"50\""},
		{"another ConfigMap", "kind: ConfigMap", "hello", "good morning"},
		{"two nodes at a time", inAgent, "maxUnavailable: 1", "maxUnavailable: 2"},
		{"a hook that takes no time", inDB, "terminationGracePeriodSeconds: 60\n      containers:\n      - name: db\n", "terminationGracePeriodSeconds: 0\n      containers:\n      - name: db\n        lifecycle: {preStop: {exec: {command: [pg_ctl, stop]}}}\n"},
		{"a Service of one pod", inDBSvc, "---", "---\napiVersion: v1\nkind: Service\nmetadata: {name: db-0}\nspec: {selector: {app: db, statefulset.kubernetes.io/pod-name: db-0}, ports: [{port: 5432}]}\n---"},
		{"a Service without an address", inDBSvc, "---", "---\napiVersion: v1\nkind: Service\nmetadata: {name: agent}\nspec: {clusterIP: None, selector: {app: agent}, ports: [{port: 9100}]}\n---"},
		{"a partition", inDB, "  serviceName: db", "  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}\n  serviceName: db"},
		{"a new Deployment", inQuota, "---", "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: job}\nspec:\n  selector: {matchLabels: {app: job}}\n  template:\n    metadata: {labels: {app: job}}\n    spec: {containers: [{name: job, image: \"registry.example/job:1.0\", resources: {requests: {cpu: 50m, memory: 64Mi}}}]}\n---"},
	} {
		if r := judgeMutant(t, m.apply(t)); r.Verdict != check.Pass || len(bad(r)) > 0 {
			t.Errorf("%s: %s %+v", m.name, r.Verdict, bad(r))
		}
	}
}
