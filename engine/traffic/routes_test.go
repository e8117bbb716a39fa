package traffic_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/traffic"
)

// canary is two Deployments behind two Services, of which an HTTPRoute gives the second one 10 % of the requests. The app of the second
// never listens, so its part can be counted: it refuses every request.
const canary = `
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  seed: 5
  duration: 90s
  images: [{match: "web:2", ready: never}, {match: "*", pull: 1s, ready: 1s}]
TRAFFIC
  timeline:
  - at: 30s
    run: |
      kubectl patch httproute shop --type=json -p '[{"op":"replace","path":"/spec/rules/0/backendRefs/1/weight","value":30}]'
  - at: 50s
    apply: |
      apiVersion: gateway.networking.k8s.io/v1
      kind: HTTPRoute
      metadata: {name: shop}
      spec: {rules: [{backendRefs: [{name: web, weight: 1}, {name: canary, port: 80, weight: 0}]}]}
  - {at: 70s, run: kubectl delete httproute shop}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: shop}
spec:
  parentRefs: [{name: public}]
  rules:
  - backendRefs: [{name: web, port: 80, weight: 90}, {name: canary, port: 80, weight: 10}]
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: canary}
spec: {selector: {app: canary}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1", readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1}}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: canary}
spec:
  replicas: 2
  selector: {matchLabels: {app: canary}}
  template:
    metadata: {labels: {app: canary}}
    spec: {containers: [{name: web, image: "web:2"}]}
`

// TestRouteSplits: an HTTPRoute splits requests by its weights, within one request; commands change them, and nothing goes where the weight is
// 0. Requests that are assumed come through it, too, for both workloads.
func TestRouteSplits(t *testing.T) {
	for name, entry := range map[string]string{"written": "  traffic: [{route: shop, rate: 1000}]", "assumed": "",
		"users": "  traffic: [{route: shop, users: 500, pause: 400ms}]"} {
		p := enginetest.Start(t, fill(canary, "TRAFFIC", entry)).Result().Past()
		for _, workload := range []string{"Deployment/default/web", "Deployment/default/canary"} {
			list := traffic.For(p, workload)
			if len(list) != 1 || list[0].Object().Name != "shop" || list[0].Via != scenario.Envoy || list[0].Assumed != (entry == "") {
				t.Fatalf("%s: %s gets %+v", name, workload, list)
			}
			if name != "users" && list[0].Rate != 1000 {
				t.Errorf("%s: %+v", name, list[0])
			}
		}
		r := traffic.Of(p, traffic.For(p, "Deployment/default/web")[0])
		check(t, 0, &r, r.Of.Rate)
		for _, at := range []struct {
			from, to int64
			part     float64
		}{{10_000, 30_000, 0.1}, {30_200, 50_000, 0.25}, {50_200, 70_000, 0}} {
			c, _, _ := r.Between(at.from, at.to)
			want, slack := at.part*float64(c.All()), 1.5 // one request of the interval, and what is cut off at its ends
			if r.Of.Users > 0 {
				slack = 4 * math.Sqrt(want)
			}
			if got := float64(c[traffic.Early] + c[traffic.SlowEarly]); c.All() == 0 || math.Abs(got-want) > slack || c.Failed() != c[traffic.Early] {
				t.Errorf("%s, %d to %d ms: %v go to the canary, want %v of %d", name, at.from, at.to, got, want, c.All())
			}
		}
		if c, _, _ := r.Between(70_200, 90_000); c.All() == 0 || c[traffic.NoEndpoint] != c.All() {
			t.Errorf("%s: %v without a route", name, c)
		}
		if got := r.Verdict(10_000, 30_000); !strings.HasPrefix(got, "Through HTTPRoute shop: About ") || !strings.HasSuffix(got, "pods are ready before they listen.") {
			t.Errorf("%s: %q", name, got)
		}
		if !strings.Contains(r.Model(), "sent by envoy (HTTPRoute shop)") {
			t.Errorf("%s: %q", name, r.Model())
		}
	}
}

// TestRouteToTwoVersions: a canary that listens serves its part, which the intervals know by its set.
func TestRouteToTwoVersions(t *testing.T) {
	p := enginetest.Start(t, fill(canary, "TRAFFIC", "", "ready: never", "ready: 1s", "spec: {containers: [{name: web, image: \"web:2\"}]}",
		"spec: {containers: [{name: web, image: \"web:2\", readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1}}]}")).Result().Past()
	r := traffic.Of(p, traffic.For(p, "Deployment/default/canary")[0])
	mixes := map[string][]float64{}
	for _, i := range r.Intervals {
		for s, part := range i.Mix {
			set, _, _ := strings.Cut(r.Sets[s], "-")
			if of := mixes[set]; len(of) == 0 || math.Abs(of[len(of)-1]-part) > 1e-9 {
				mixes[set] = append(of, part)
			}
		}
	}
	if c, _, _ := r.Between(10_000, 69_000); c.All() == 0 || c.All() != c[traffic.Served] {
		t.Errorf("%v", c)
	}
	for set, want := range map[string]string{"web": "[0.90 0.75 1.00 0.00]", "canary": "[0.10 0.25 0.00]"} {
		if got := fmt.Sprintf("%.2f", mixes[set]); got != want {
			t.Errorf("%s serves %s, want %s", set, got, want)
		}
	}
}

// TestHeadless: nothing is assumed of the requests to a Service without an address, unless a route leads to it.
func TestHeadless(t *testing.T) {
	const ingress = "---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: public}\nspec: {defaultBackend: {service: {name: db, port: {number: 80}}}}\n"
	text := fill(workloads, "traffic:\n  - {service: TRAFFIC, rate: 100, takes: 50ms}", "", "DO", "run: kubectl delete pod db-0")
	for more, want := range map[string]string{"": "", ingress: "db", "---\napiVersion: v1\nkind: Service\nmetadata: {name: other}\nspec: {selector: {app: db}, ports: [{port: 80}]}\n": "other"} {
		got := ""
		for _, of := range traffic.For(enginetest.Start(t, text+more).Result().Past(), "StatefulSet/default/db") {
			got += of.Service.Name
		}
		if got != want {
			t.Errorf("requests to %q, want %q\n%s", got, want, more)
		}
	}
}

// TestIngress: requests that nobody has written come through the Ingress that names a Service of the workload, and not through one that
// names another Service.
func TestIngress(t *testing.T) {
	const ingress = `
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: public}
spec: {rules: [{host: a.example, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: NAME, port: {number: 80}}}}]}}]}
`
	for _, tt := range []struct{ name, traffic, via, verdict, model string }{
		{"stable", "", scenario.Nginx, "Through Ingress public: ", "sent by ingress-nginx (Ingress public)"},
		{"other", "", scenario.Paths[0], "", "sent by kube-proxy;"},
		{"stable", "", scenario.ALB, "Through Ingress public: ", "sent by aws-alb (Ingress public)"},
		{"other", "", scenario.NLB, "", "sent by aws-nlb;"},
		{"stable", "traffic: [{service: stable, rate: 10}]", scenario.Paths[0], "", "sent by kube-proxy;"},
	} {
		text := fill(workloads, "traffic:\n  - {service: TRAFFIC, rate: 100, takes: 50ms}", tt.traffic, "DO", "run: kubectl set image deployment/shop web=web:9")
		text += fill(ingress, "NAME", tt.name)
		switch {
		case tt.via == scenario.NLB:
			text = strings.Replace(text, "metadata: {name: both}\nspec: {", "metadata: {name: both, annotations: {service.beta.kubernetes.io/aws-load-balancer-type: nlb-ip}}\nspec: {type: LoadBalancer, ", 1)
		case tt.via == scenario.ALB:
			text = strings.Replace(text, "spec: {rules: [{host", "spec: {ingressClassName: alb, rules: [{host", 1)
		}
		p := enginetest.Start(t, text).Result().Past()
		list := traffic.For(p, "Deployment/default/shop")
		if len(list) != 1 || list[0].Via != tt.via {
			t.Fatalf("%s: %+v", tt.name, list)
		}
		r := traffic.Of(p, list[0])
		check(t, 0, &r, r.Of.Rate)
		if v := r.Verdict(0, r.Until); v == "" || !strings.HasPrefix(v, tt.verdict) || strings.HasPrefix(v, "Through ") != (tt.verdict != "") || !strings.Contains(r.Model(), tt.model) {
			t.Errorf("%s: %q %q", tt.name, v, r.Model())
		}
	}
}
