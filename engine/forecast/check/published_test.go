package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/forecast/check"
)

// The manifests of this file are published ones, all under the Apache License 2.0, with the fields that decide about a rollout:
// sizes, strategies, probes, requests, affinities, budgets. The whole files give the same findings; only the
// boutique's loadgenerator takes 3 s longer there, because of its init container.
//
//	https://github.com/coredns/deployment/blob/7853d4a19c9c/kubernetes/coredns.yaml.sed
//	https://github.com/kubernetes/website/blob/5e84d3b4b8b3/content/en/examples/application/zookeeper/zookeeper.yaml
//	https://github.com/GoogleCloudPlatform/microservices-demo/blob/34ffea917594/release/kubernetes-manifests.yaml

// coredns is kubernetes/coredns.yaml.sed of github.com/coredns/deployment at 7853d4a19c9c. The file sets no replicas, so there is one.
const coredns = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: coredns, namespace: kube-system}
spec:
  strategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1}}
  selector: {matchLabels: {k8s-app: kube-dns}}
  template:
    metadata: {labels: {k8s-app: kube-dns}}
    spec:
      priorityClassName: system-cluster-critical
      nodeSelector: {kubernetes.io/os: linux}
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {labelSelector: {matchExpressions: [{key: k8s-app, operator: In, values: [kube-dns]}]}, topologyKey: kubernetes.io/hostname}
      containers:
      - name: coredns
        image: coredns/coredns:1.9.4
        resources: {limits: {memory: 170Mi}, requests: {cpu: 100m, memory: 70Mi}}
        livenessProbe: {httpGet: {path: /health, port: 8080}, initialDelaySeconds: 60, timeoutSeconds: 5, failureThreshold: 5}
        readinessProbe: {httpGet: {path: /ready, port: 8181}}
`

// zookeeper is content/en/examples/application/zookeeper/zookeeper.yaml of github.com/kubernetes/website.
const zookeeper = `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: zk-pdb}
spec: {selector: {matchLabels: {app.kubernetes.io/name: zk}}, maxUnavailable: 1}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: zk}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: zk}}
  serviceName: zk-hs
  replicas: 3
  updateStrategy: {type: RollingUpdate}
  podManagementPolicy: OrderedReady
  template:
    metadata: {labels: {app.kubernetes.io/name: zk}}
    spec:
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {labelSelector: {matchExpressions: [{key: app, operator: In, values: [zk]}]}, topologyKey: kubernetes.io/hostname}
      containers:
      - name: kubernetes-zookeeper
        imagePullPolicy: Always
        image: registry.k8s.io/kubernetes-zookeeper:1.0-3.4.10
        resources: {requests: {memory: 1Gi, cpu: "0.5"}}
        readinessProbe: {exec: {command: [sh, -c, zookeeper-ready 2181]}, initialDelaySeconds: 10, timeoutSeconds: 5}
        livenessProbe: {exec: {command: [sh, -c, zookeeper-ready 2181]}, initialDelaySeconds: 10, timeoutSeconds: 5}
  volumeClaimTemplates:
  - metadata: {name: datadir}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}
`

// boutique is release/kubernetes-manifests.yaml of github.com/GoogleCloudPlatform/microservices-demo at 34ffea917594: twelve
// Deployments of one replica. A row has the name, the readiness probe's delay and period, and the requests.
func boutique() string {
	var b strings.Builder
	for _, x := range []struct {
		name          string
		delay, period int
		cpu, memory   string
	}{
		{"frontend", 10, 10, "100m", "64Mi"}, {"adservice", 20, 15, "200m", "180Mi"}, {"currencyservice", 0, 10, "100m", "64Mi"},
		{"cartservice", 15, 10, "200m", "64Mi"}, {"redis-cart", 0, 5, "70m", "200Mi"}, {"recommendationservice", 0, 5, "100m", "220Mi"},
		{"checkoutservice", 0, 10, "100m", "64Mi"}, {"emailservice", 0, 5, "100m", "64Mi"}, {"paymentservice", 0, 10, "100m", "64Mi"},
		{"shippingservice", 0, 5, "100m", "64Mi"}, {"productcatalogservice", 0, 10, "100m", "64Mi"}, {"loadgenerator", -1, 0, "300m", "256Mi"},
	} {
		probe := ""
		if x.delay >= 0 {
			probe = fmt.Sprintf(", readinessProbe: {initialDelaySeconds: %d, periodSeconds: %d, tcpSocket: {port: 8080}}", x.delay, x.period)
		}
		fmt.Fprintf(&b, `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s}
spec:
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}}
    spec: {containers: [{name: server, image: "demo/%[1]s:v0.2.0", resources: {requests: {cpu: %[2]s, memory: %[3]s}}%[4]s}]}
`, x.name, x.cpu, x.memory, probe)
	}
	return b.String()
}

// TestPublishedManifests: what check says about manifests that others published.
func TestPublishedManifests(t *testing.T) {
	// One pod that may be missing: the cluster has no DNS while it is replaced. Nothing in the file says so.
	r := reportOf(t, check.Input{New: coredns, Policy: check.Policy{Limits: check.Limits{MaxOutage: "0s"}}})
	f := find(t, r, "outage", "deployment/coredns -n kube-system")
	if n := r.Numbers[0]; r.Verdict != check.Fail || f.Verdict != check.Fail || f.Rule != "D-53" || n.Outage < 1000 || n.LowestOf != 1 || n.PeakPods != 2 {
		t.Errorf("coredns: %+v %+v", n, f)
	}
	// With three replicas on three nodes, the anti-affinity leaves no place for a surge: an old pod goes first, and 2 of 3 remain.
	three := strings.Replace(coredns, "spec:\n  strategy", "spec:\n  replicas: 3\n  strategy", 1)
	r = reportOf(t, check.Input{New: three, Policy: check.Policy{Limits: check.Limits{MaxOutage: "0s", MinAvailable: "60%"}}})
	if n := r.Numbers[0]; r.Verdict != check.Pass || n.Lowest != 2 || n.LowestOf != 3 || n.Outage != 0 {
		t.Errorf("coredns with three replicas: %s %+v", r.Verdict, n)
	}

	// Each pod is down until its readiness probe first runs, ten seconds after its start: three times about 13 s. The budget lets
	// one pod go, so nodes can be drained.
	r = reportOf(t, check.Input{New: zookeeper, Policy: check.Policy{Limits: check.Limits{MinAvailable: "66%", MaxDuration: "1m"}}})
	if n := r.Numbers[0]; r.Verdict != check.Pass || n.Lowest != 2 || n.P50 < 30_000 || n.P95 > 60_000 || n.PeakCPU != 1500 || n.PeakMemory != 3<<30 {
		t.Errorf("zookeeper: %s %+v", r.Verdict, n)
	}
	if f := find(t, r, "drain", "poddisruptionbudget/zk-pdb"); f.Verdict != check.Pass || !strings.Contains(f.Text, "the node with the most of its pods (1), takes") {
		t.Errorf("%+v", f)
	}

	// Twelve workloads at once: a surge of one for each, none ever unavailable; the slowest waits 20 s for its first probe.
	r = reportOf(t, check.Input{New: boutique(), Policy: check.Policy{Limits: check.Limits{MinAvailable: "100%", MaxOutage: "0s"}}})
	slowest := check.Numbers{}
	for _, n := range r.Numbers {
		if n.P95 > slowest.P95 {
			slowest = n
		}
	}
	if r.Verdict != check.Pass || len(r.Numbers) != 12 || slowest.Object != "deployment/adservice" || slowest.P50 < 20_000 || slowest.PeakCPU != 400 {
		t.Errorf("boutique: %s, %d workloads, the slowest: %+v", r.Verdict, len(r.Numbers), slowest)
	}
	if !strings.Contains(strings.Join(r.Assumed, "\n"), "deployment/loadgenerator has no readinessProbe") {
		t.Errorf("%q", r.Assumed)
	}
}
