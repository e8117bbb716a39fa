package forecast_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/traffic"
)

// served is a random scenario with Services for its workloads. Some send to them through what learns late, or have written their traffic.
func served(seed uint64) engine.Recording {
	rec := randomRecording(seed)
	for i, name := range []string{"web", "db", "agent"} {
		rec.Scenario += fmt.Sprintf("---\napiVersion: v1\nkind: Service\nmetadata: {name: s%d}\nspec: {selector: {app: %s}, ports: [{port: 80}]}\n", i, name)
	}
	if seed%2 == 0 {
		via := []string{"kube-proxy", "ingress-nginx", "load-balancer"}[seed/2%3]
		rec.Scenario = strings.Replace(rec.Scenario, "  images:\n",
			fmt.Sprintf("  traffic: [{service: s0, rate: %d, via: %s, onTerm: drain, takes: 300ms}]\n  images:\n", 100+seed, via), 1)
	}
	return rec
}

// TestRequestsAreCountedAgain counts the requests of every rollout of random scenarios again: the failed ones from the losses of single
// pods, all of them from the rate, and the window from the objects in the trace.
func TestRequestsAreCountedAgain(t *testing.T) {
	failed, quiet, cut := 0, 0, 0
	for seed := range uint64(min(*scenarioCount, 200)) {
		rec := served(seed)
		r, diagnostics := engine.Start(rec)
		if r == nil {
			t.Fatalf("seed %d: %v\n%s", seed, diagnostics, rec.Scenario)
		}
		f := forecast.New(r.Finish().Past())
		for _, w := range r.Workloads() {
			list := forecast.Ask(r.Past(), f.Rollouts(w))
			moments := momentsOf(r, w)
			for i := range list {
				x := &list[i]
				until := ended(x, moments, r.Now())
				if i+1 < len(list) && list[i+1].Start < until {
					until, cut = list[i+1].Start, cut+1
				}
				if wrong := recountRequests(r, w, x, until); wrong != "" {
					t.Fatalf("seed %d, %s from %d: %+v: %s\n%s%v", seed, w, x.Start, x.Requests, wrong, rec.Scenario, rec.Commands)
				}
				if x.Requests.Failed > 0 {
					failed++
				} else if x.Requests.All > 0 {
					quiet++
				}
			}
		}
	}
	if t.Logf("%d rollouts lose requests, %d do not, %d end with the next one", failed, quiet, cut); failed < 50 || quiet < 50 || cut < 20 {
		t.Error("the scenarios do not test this")
	}
}

// ended returns when the requests of a rollout end if no other one begins: ten seconds after its last pod, or when a load balancer knows.
func ended(x *forecast.Rollout, moments []moment, now int64) int64 {
	if x.Result != forecast.Complete {
		return x.End
	}
	leaving, gone := 0, x.End
	for _, m := range moments {
		if m.t > x.End && leaving == 0 {
			break
		}
		gone, leaving = max(gone, m.t), m.terminating
	}
	if leaving > 0 {
		gone = now
	}
	if strings.Contains(x.Requests.Model, "load-balancer") {
		return gone + 11_000
	}
	return gone + 10_000
}

// recountRequests says what is wrong about the requests of a rollout, "" for nothing.
func recountRequests(r *engine.Run, w string, x *forecast.Rollout, until int64) string {
	asked := traffic.For(r.Past(), w)
	if len(asked) != 1 {
		return fmt.Sprintf("%d Services select it", len(asked))
	}
	report := traffic.Upto(r.Past(), asked[0], max(until, r.Now()+20_000))
	if len(report.Intervals) == 0 {
		return ""
	}
	from, to := max(x.Start-asked[0].Takes.Max, report.Intervals[0].From), until-asked[0].Takes.Max
	all, within, touching := max(0, (to-from)*asked[0].Rate/1000), int64(0), int64(0)
	for _, l := range report.Losses {
		if l.Slow() || l.To <= from || l.From >= to {
			continue
		}
		touching += l.Requests
		if l.From >= from && l.To <= to {
			within += l.Requests
		}
	}
	if n := x.Requests.Failed; n < within || n > touching {
		return fmt.Sprintf("%d to %d failed", within, touching)
	}
	if n := x.Requests.All; n > all+1 || n < all-30 { // each outcome of an interval that is cut is rounded
		return fmt.Sprintf("%d in %d ms", all, to-from)
	}
	return ""
}

// TestRough: a few requests more are chance, twice as many are not.
func TestRough(t *testing.T) {
	of := func(n int64) int64 { return (&forecast.Requests{All: 10_000, Failed: n}).Rough() }
	if of(0) != 0 || of(1) == 0 || of(708) != of(883) || of(708) == of(1416) {
		t.Errorf("%d %d %d %d %d", of(0), of(1), of(708), of(883), of(1416))
	}
}
