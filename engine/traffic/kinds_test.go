package traffic_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest"
	"github.com/rollplay/rollplay/engine/traffic"
)

const workloads = `
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  seed: 7
  duration: 80s
  nodes: {count: 3}
  images: [{match: "*", pull: 1s, start: 500ms, ready: 1s, stop: 1s}]
  traffic:
  - {service: TRAFFIC, rate: 100, takes: 50ms}
  timeline:
  - {at: 30s, DO}
---
apiVersion: v1
kind: Service
metadata: {name: both}
spec: {selector: {app: shop}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: stable}
spec: {selector: {app: shop, track: stable}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: db}
spec: {clusterIP: None, selector: {app: db}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  replicas: 3
  selector: {matchLabels: {app: shop, track: stable}}
  template:
    metadata: {labels: {app: shop, track: stable}}
    spec: {containers: [{name: web, image: "web:1", readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1}}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: canary}
spec:
  replicas: 1
  strategy: {type: Recreate}
  selector: {matchLabels: {app: shop, track: canary}}
  template:
    metadata: {labels: {app: shop, track: canary}}
    spec: {containers: [{name: web, image: "web:2", readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1}}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 1
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: web, image: "db:1", readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1}}]}
`

// TestServicesAndWorkloads: several Services select a workload, and one selects two Deployments, of which each gets its part. That of db is headless.
func TestServicesAndWorkloads(t *testing.T) {
	text := fill(workloads, "TRAFFIC", "both", "DO", "run: kubectl set image deployment/canary web=web:3")
	p := enginetest.Start(t, text).Result().Past()
	for workload, want := range map[string][]string{"Deployment/default/shop": {"both"}, "Deployment/default/canary": {"both"}, "StatefulSet/default/db": nil} {
		var names []string
		for _, of := range traffic.For(p, workload) {
			names = append(names, of.Service.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s gets requests by %q, want %q", workload, names, want)
		}
	}
	r := traffic.Of(p, p.Scenario().Traffic[0])
	at := slices.IndexFunc(r.Intervals, func(i traffic.Interval) bool { return i.From <= 25_000 && i.To > 25_000 })
	before := slices.DeleteFunc(slices.Sorted(slices.Values(r.Intervals[at].Mix)), func(part float64) bool { return part == 0 })
	if len(r.Sets) != 3 || !slices.Equal(before, []float64{0.25, 0.75}) {
		t.Errorf("%q serve %v, want 3 pods of one and 1 of another", r.Sets, before)
	}
	// A quarter of the requests go to the one pod of the canary, which ends 1 ms after its deletion.
	c, _, _ := r.Between(29_000, 32_000)
	if c.Failed() == 0 || c.Failed() > 100 || c[traffic.NoEndpoint] > 0 {
		t.Errorf("%v while the canary is recreated", c)
	}
}

// TestDisruptionsUnderLoad: each of these has its own cause.
func TestDisruptionsUnderLoad(t *testing.T) {
	for _, tt := range []struct {
		name, service, do string
		cause             traffic.Outcome
	}{
		{"a StatefulSet behind a headless Service is updated", "db", "run: kubectl set image statefulset/db web=db:2", traffic.NoEndpoint},
		{"Recreate", "both", "run: kubectl set image deployment/canary web=web:3", traffic.Late},
		{"every pod is deleted", "stable", "run: kubectl delete pod -l track=stable", traffic.NoEndpoint},
		{"its selector changes", "stable", `run: 'kubectl patch service stable -p "{\"spec\":{\"selector\":{\"track\":\"beta\"}}}"'`, traffic.Unselected},
		{"its port changes", "stable", `run: 'kubectl patch service stable -p "{\"spec\":{\"ports\":[{\"port\":80,\"targetPort\":\"web\"}]}}"'`, traffic.Unselected},
		{"its pods are labelled", "stable", "run: kubectl label pod -l track=stable track=beta --overwrite", traffic.Unselected},
		{"it is deleted", "stable", "run: kubectl delete service stable", traffic.Unselected},
		{"every pod is removed", "both", "run: kubectl delete pod -l app=shop --force --grace-period=0", traffic.Removed},
		{"a node is drained", "both", "run: kubectl drain node-1 --ignore-daemonsets", traffic.Late},
		{"a pod crashes", "db", "do: crash pod/db-0", traffic.Crashed},
		{"a node dies", "both", "do: kill node/node-1", traffic.Served},
	} {
		text := fill(workloads, "TRAFFIC", tt.service, "DO", tt.do)
		p := enginetest.Start(t, text).Result().Past()
		r := traffic.Of(p, p.Scenario().Traffic[0])
		check(t, 0, &r, 100)
		before, _, _ := r.Between(20_000, 30_000-60)
		if before.Failed() > 0 || before.All() == 0 {
			t.Errorf("%s: %v before it", tt.name, before)
		}
		after, _, _ := r.Between(29_900, 80_000)
		t.Logf("%s: %v: %s", tt.name, after, r.Verdict(29_900, 80_000))
		if causes := byCause(&after); tt.cause == traffic.Served && causes.All() > 0 || tt.cause != traffic.Served && causes[tt.cause] == 0 {
			t.Errorf("%s: causes %v", tt.name, causes)
		}
	}
}

// TestNotOfTheService: an update renames the port of the pods, so the new ones are ready, and no endpoints of their Service; that they have
// its second port changes nothing for the first.
func TestNotOfTheService(t *testing.T) {
	of := fmt.Sprintf(text, 1, "1s", "rate: 1000, onTerm: drain", 3, 30, probe+preStop(5)+"\n        ports: [{name: http, containerPort: 8080}]")
	const patch = `'kubectl patch deployment web --type=json -p "[{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/0/ports/0/name\",\"value\":\"web\"}]"'`
	of = fill(of, "targetPort: 8080", "targetPort: http", `"kubectl set image deployment/web web=web:2"`, patch)
	for _, of := range []string{of, fill(of, "[{port: 80, targetPort: http}]", "[{name: a, port: 80, targetPort: http}, {name: b, port: 81, targetPort: 81}]")} {
		r := report(t, of)
		c, _, _ := r.Between(0, r.Until)
		if got := r.Verdict(0, r.Until); c[traffic.Unselected] < 20_000 || !strings.HasSuffix(got, ": pods are ready, but the Service has none of them.") {
			t.Errorf("%s %v", got, c)
		}
	}
}

// TestPublished: a Service that has pods before they are ready and after their deletion has them whatever their probes and hooks are.
func TestPublished(t *testing.T) {
	of := fmt.Sprintf(text, 1, "1s", "rate: 1000, onTerm: drain", 3, 30, probe+preStop(5))
	if r := report(t, of); r.Total.Failed() > 0 {
		t.Fatal(r.Verdict(0, r.Until))
	}
	r := report(t, strings.Replace(of, "ports: [{port: 80,", "publishNotReadyAddresses: true, ports: [{port: 80,", 1))
	causes := byCause(&r.Total)
	if causes[traffic.Early] == 0 || causes[traffic.Late] == 0 {
		t.Error(causes)
	}
	for _, o := range []traffic.Outcome{traffic.Early, traffic.Late} {
		field, _, _ := r.Repair(o)
		if got := r.Helps(o, nil); got != "Remove publishNotReadyAddresses: it keeps pods in the Service that start or stop." || field != "" {
			t.Errorf("%q %q", got, field)
		}
	}
}

// TestKeeping: what helps is a setting that the workload has.
func TestKeeping(t *testing.T) {
	var r traffic.Report
	deployment, recreate, none, keeps := &api.Deployment{}, &api.Deployment{}, &api.Deployment{}, &api.Deployment{}
	one, set := int32(1), &api.StatefulSet{}
	deployment.Spec.Replicas, recreate.Spec.Replicas, set.Spec.Replicas = &one, &one, &one
	recreate.Spec.Strategy.Type = api.Recreate
	keeps.Spec.Replicas = &one
	keeps.Spec.Strategy.RollingUpdate = &api.RollingUpdateDeployment{MaxSurge: api.Str("25%"), MaxUnavailable: api.Str("25%")}
	for want, workload := range map[string]api.Object{
		"No setting of the rollout helps: its strategy already keeps a pod.":                   keeps,
		"maxSurge 1 with maxUnavailable 0 keeps a pod that serves.":                            deployment,
		"Strategy RollingUpdate with maxSurge 1 and maxUnavailable 0 keeps a pod that serves.": recreate,
		"One replica more keeps a pod that serves.":                                            set,
		"With 0 replicas there is no pod to send to.":                                          none,
	} {
		if got := r.Helps(traffic.NoEndpoint, workload); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// fill puts texts in places.
func fill(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }
