package traffic_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/traffic"
)

// scenarios is how many rollouts TestRandom plays; -args -scenarios 1000 plays more.
var scenarios = flag.Int("scenarios", 150, "how many random rollouts")

// anything is the text of a rollout with everything that decides about requests.
const anything = `
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  seed: %d
  duration: %ds
  nodes: {count: 3}
  images: [{match: "*", pull: 1s, start: 200ms..1s, ready: %dms..%dms, stop: %dms..%dms%s}]
  traffic: [{%s, takes: %s, via: %s, delay: %dms, onTerm: %s, drain: %dms}]
  timeline:
  - {at: %ds, run: "kubectl set image %s/web web=web:2"}%s
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {%sselector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: v1
kind: Service
metadata: {name: also}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: shop}
spec: {rules: [{backendRefs: [{name: web, weight: %d}, {name: also, weight: %d}]}]}
---
apiVersion: apps/v1
kind: %s
metadata: {name: web}
spec:
  replicas: %d%s
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: %d
      containers:
      - name: web
        image: web:1%s
`

// rollout is a random text; rate is 0 with users.
type rollout struct {
	text     string
	workload api.Key
	rate     int64
	grace    int64
	crowded  bool  // the room of a pod for requests is limited
	upset    bool  // pods crash, are evicted or lost, too
	started  int64 // ms, when the pods of the beginning have answered what waited for the first of them
	probed   bool
	steady   bool // a rollout that never takes the last pod that is available
}

func pick[T any](d *rand.Rand, of ...T) T { return of[d.IntN(len(of))] }

func random(k int) (r rollout) {
	d := rand.New(rand.NewPCG(31, uint64(k)))
	r.rate = 1 + d.Int64N(2000)
	sends, takes, replicas := fmt.Sprintf("rate: %d", r.rate), d.Int64N(3000), 1+d.Int64N(5)
	room := 1 + d.Int64N(max(1, 2*r.rate*takes/1000/replicas)) // twice as many as a pod gets, at most
	if k%4 == 0 {
		room, r.rate, sends = 1+d.Int64N(20), 0, fmt.Sprintf("users: %d, pause: %dms, timeout: %dms", 1+d.IntN(50), d.IntN(1000), d.IntN(9000))
	}
	if r.crowded = d.IntN(3) == 0; r.crowded {
		sends += fmt.Sprintf(", capacity: %d", room)
	}
	to := pick(d, "service: web, ", "service: web, ", "route: shop, ")
	ready, stop := d.IntN(4000), d.IntN(4000)
	kind, strategy, headless := api.KindDeployment, pick(d, "", "\n  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}",
		"\n  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 100%}}", "\n  strategy: {rollingUpdate: {maxSurge: 100%, maxUnavailable: 0}}",
		"\n  strategy: {type: Recreate}", "\n  minReadySeconds: 3"), ""
	if d.IntN(5) == 0 {
		kind, strategy, headless = api.KindStatefulSet, pick(d, "", "\n  podManagementPolicy: Parallel")+"\n  serviceName: web", "clusterIP: None, "
	}
	r.steady = kind == api.KindDeployment && !strings.Contains(strategy, "maxUnavailable: 100%") && !strings.Contains(strategy, "Recreate")
	via, at := pick(d, scenario.Paths...), 20
	if via == scenario.ALB || via == scenario.NLB { // their checks take 30 s, and they go on for two minutes
		at = 60
	}
	r.started = int64(at+15) * 1000
	r.grace = 8 + d.Int64N(25)
	crash, more, container := "", "", ""
	switch d.IntN(8) {
	case 0:
		r.upset, crash = true, fmt.Sprintf(", crash: %ds..60s", 5+d.IntN(30))
	case 1:
		r.upset, more = true, fmt.Sprintf("\n  - {at: %ds, run: kubectl drain node-1 --ignore-daemonsets --force}", at+20)
	case 2:
		r.upset, more = true, fmt.Sprintf("\n  - {at: %ds, do: kill node/node-2}", at+2)
	case 3:
		r.grace = 0
	case 4:
		r.upset, more = true, fmt.Sprintf("\n  - {at: %ds, run: kubectl label pod --all app=other --overwrite}", at+20)
	}
	if r.probed = d.IntN(3) > 0; r.probed {
		container = fmt.Sprintf("\n        readinessProbe: {httpGet: {port: 8080}, periodSeconds: %d}", 1+d.IntN(4))
	}
	if d.IntN(2) > 0 && r.grace > 0 { // a hook must not sleep longer
		container += preStop(int64(d.IntN(8)))
	}
	length := fmt.Sprintf("%dms", takes)
	switch more := d.IntN(4); {
	case more == 0:
		length = fmt.Sprintf("%dms..%dms", takes, takes+d.Int64N(3000))
	case more == 1 && r.rate == 0:
		sends += fmt.Sprintf(", requestsPerConnection: %d", d.IntN(30))
	case more == 2 && r.rate == 0:
		sends += fmt.Sprintf(", maxConnectionAge: %ds", 1+d.IntN(30))
	}
	if d.IntN(8) == 0 {
		headless += "sessionAffinity: ClientIP, "
	}
	r.workload = api.Key{Kind: kind, Namespace: "default", Name: "web"}
	r.text = fmt.Sprintf(anything, k, 5*at-10, d.IntN(ready+1), ready, d.IntN(stop+1), stop, crash, to+sends, length, via,
		d.IntN(3000), pick(d, "stop", "drain", "ignore"), d.IntN(5000), at, strings.ToLower(string(kind)), more, headless, 1+d.IntN(4), d.IntN(4), kind, replicas, strategy, r.grace, container)
	return r
}

// byCause adds up the requests that did not go well.
func byCause(c *traffic.Counts) (sums traffic.Counts) {
	for o, n := range c {
		sums[traffic.Outcome(o).Cause()] += n
	}
	sums[traffic.Served] = 0
	return sums
}

// TestRandom: in random rollouts every request is counted once, those that arrive are as many as the rate says, an interval has at most
// what arrives in it, every loss has one cause, and what is offered for a cause ends its losses.
func TestRandom(t *testing.T) {
	lost, fixed, seen := 0, [64]int{}, traffic.Counts{}
	for k := range *scenarios {
		s := random(k)
		r := report(t, s.text)
		check(t, k, &r, s.rate)
		sums := byCause(&r.Total)
		if sums.All() > 0 {
			lost++
		}
		for o, n := range r.Total {
			seen[o] += n
		}
		for o, n := range sums {
			cause := traffic.Outcome(o)
			if n == 0 {
				continue
			}
			text := repair(t, &s, &r, cause)
			if text == "" {
				continue
			}
			fixed[cause]++
			better := report(t, text)
			check(t, k, &better, s.rate)
			after := better.Total
			if cause == traffic.Crowded {
				after, _, _ = better.Between(s.started, better.Until)
			}
			if left := byCause(&after)[cause]; left > 0 {
				t.Errorf("%d: of %d requests, %d are lost by cause %d in spite of the fix: %s\n%s", k, n, left, cause, better.Outcomes(), text)
			}
		}
	}
	t.Logf("%d of %d lose requests, by outcome %v; fixes of causes: %v", lost, *scenarios, seen, fixed[:len(seen)])
	for o, n := range seen {
		if n == 0 && *scenarios >= 1000 { // some are rare
			t.Errorf("no request has the outcome %d", o)
		}
	}
	for _, cause := range []traffic.Outcome{traffic.Early, traffic.Late, traffic.Reset, traffic.NoEndpoint, traffic.Crowded} {
		if fixed[cause] < *scenarios/50 {
			t.Errorf("only %d scenarios have a fix for the cause %d", fixed[cause], cause)
		}
	}
}

// repair returns the text with what is offered for a cause, "" if nothing is. Crashes, evictions and lost nodes take the last pod of any strategy.
func repair(t *testing.T, s *rollout, r *traffic.Report, cause traffic.Outcome) string {
	t.Helper()
	field, value, grace := r.Repair(cause)
	text, err := s.text, error(nil)
	switch {
	case cause == traffic.NoTarget && (s.upset || !s.steady):
		return ""
	case field != "":
		text, err = sweep.SetRepair(text, s.workload, field, value)
		if grace > s.grace && err == nil {
			text, err = sweep.SetField(text, s.workload, []string{"template", "spec", "terminationGracePeriodSeconds"}, fmt.Sprint(grace))
		}
	case cause == traffic.Crowded && r.Needs() > 30:
		return ""
	case cause == traffic.Crowded && s.workload.Kind == api.KindDeployment && !s.upset:
		if text, err = sweep.SetField(text, s.workload, []string{"replicas"}, fmt.Sprint(2*r.Needs())); err == nil {
			text, err = sweep.SetField(text, s.workload, []string{"strategy"}, "{type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}")
		}
		if n := r.MinReady(); n > 0 && err == nil {
			text, err = sweep.SetField(text, s.workload, []string{"minReadySeconds"}, fmt.Sprint(n))
		}
	case cause == traffic.NoEndpoint && s.workload.Kind == api.KindDeployment && !s.upset:
		text, err = sweep.SetField(text, s.workload, []string{"strategy"}, "{type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}")
	default:
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return text
}
