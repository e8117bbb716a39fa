package traffic

import "github.com/rollplay/rollplay/engine/scenario"

// Runner is when a proxy writes its rules (E-8, pkg/proxy/runner/bounded_frequency_runner.go). All times are in ms.
type Runner struct {
	Min   int64 // from the end of a run to the next one
	Retry int64 // from a run that failed to the next one
	Full  int64 // without a change
}

// KubeProxy is the runner of the modes iptables and nftables with their defaults.
var KubeProxy = Runner{Min: 1000, Retry: 30_000, Full: 3_600_000}

// Runs returns when the runs begin that changes at some moments, in their order, lead to, up to a moment. A run takes some time, and
// fails says which runs fail; nil if none does. A change during a run leads to another one.
func (r Runner) Runs(changes []int64, takes, until int64, fails func(run int) bool) (starts []int64) {
	free, due := int64(0), r.Full
	for i := 0; ; {
		start := due
		if i < len(changes) {
			start = min(due, max(changes[i], free))
		}
		if start > until {
			return starts
		}
		for i < len(changes) && changes[i] <= start {
			i++
		}
		wait := r.Full
		if fails != nil && fails(len(starts)) {
			wait = min(wait, r.Retry)
		}
		starts = append(starts, start)
		free, due = start+takes+r.Min, start+takes+max(wait, r.Min)
	}
}

// path is how a change of endpoints reaches what sends the requests.
type path struct {
	runner Runner
	takes  int64           // ms to write the rules
	delay  int64           // ms until they have an effect
	joins  int64           // ms that a new endpoint waits besides, until health checks have found it healthy
	leaves int64           // ms for which a leaving endpoint still gets requests
	tries  int             // pods that a refused request is sent to
	each   bool            // it chooses a pod for each request, whatever connection it comes on
	known  map[string]bool // UIDs of pods that a readiness gate holds back until health checks have found them healthy
}

// paths has the presets of a scenario. Sources: kube-proxy as in its runner; ingress-nginx looks at changes once a second and tries
// three pods (its issues 3335 and 3639); Envoy as Istio sets it up, which collects changes for 100 ms (PILOT_DEBOUNCE_AFTER) and retries
// twice, at other pods, what could not connect; a cloud's load balancer takes a target in or out after two checks, five seconds apart
// (the default of Google's). With IP targets, AWS's ALB sends to a target after one passed check, and aws-load-balancer-controller has it
// checked each 15 s; it stops when a target is deregistered. Its NLB needs three checks, ten seconds apart, and goes on for two
// minutes after that, whatever its deregistration delay says (the controller's issue 2366). With instance targets a load balancer sends
// to a node, whose kube-proxy chooses the pod.
var paths = map[string]path{
	scenario.KubeProxy: {runner: KubeProxy, takes: 100, tries: 1},
	scenario.Nginx:     {runner: KubeProxy, takes: 10, tries: 3, each: true},
	scenario.Envoy:     {runner: atOnce, delay: 100, tries: 3, each: true},
	scenario.Balancer:  {runner: atOnce, delay: 10_000, tries: 1},
	scenario.ALB:       {runner: atOnce, joins: 15_000, tries: 1, each: true},
	scenario.NLB:       {runner: atOnce, joins: 30_000, leaves: 120_000, tries: 1},
}

// atOnce is the runner of what does not collect changes.
var atOnce = Runner{Full: KubeProxy.Full}

// checks says whether pods are targets of a load balancer, which checks them.
func (p *path) checks() bool { return p.joins > 0 || p.leaves > 0 }

// joinsAfter is how long an endpoint waits, in ms.
func (p *path) joinsAfter(uid string) int64 {
	if p.known[uid] {
		return 0
	}
	return p.joins
}

// pathOf is the path of an entry, with what it says of it.
func pathOf(t *scenario.Traffic) path {
	p := paths[t.Via]
	p.delay += t.Delay
	if t.Joins >= 0 {
		p.joins = t.Joins
	}
	return p
}
