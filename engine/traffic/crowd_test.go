package traffic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest"
	"github.com/rollplay/rollplay/engine/traffic"
)

// crowded has four pods, then for twenty seconds two, then four again. Each answers 100 requests a second.
const crowded = `
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  seed: 3
  duration: 90s
  images: [{match: "*", pull: 0s, start: 0s, ready: 0s, stop: 0s}]
  traffic: [{service: web, takes: 100ms, timeout: 5s, onTerm: ignore, TRAFFIC}]
  timeline:
  - {at: 30s, run: kubectl scale deployment/web --replicas=2}
  - {at: 50s, run: kubectl scale deployment/web --replicas=4}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1", lifecycle: {preStop: {sleep: {seconds: 5}}}}]}
`

// TestCrowded: two pods answer 200 requests a second. Of 300, 100 a second wait. After 9.8 s the wait is as long as the timeout of 5 s allows
// for a request of 0.1 s, so from then on a third times out. When four pods answer 400, those that wait are answered within 9.8 s. Everything
// that is lost has the one cause.
func TestCrowded(t *testing.T) {
	for _, tt := range []struct {
		traffic    string
		slow, late [4]int64 // from 32 to 39 s, from 43 to 50 s, from 53 to 59 s and from 65 to 90 s
		verdict    string
		needs      int64
	}{
		{"rate: 300, capacity: 10", [4]int64{2100, 1400, 1800, 0}, [4]int64{0, 700, 0, 0}, " requests fail within 11 s: too few pods for the requests.", 3},
		{"rate: 300, capacity: 20", [4]int64{}, [4]int64{}, "Your users won't notice.", 2},
		{"rate: 200, capacity: 10", [4]int64{}, [4]int64{}, "Your users won't notice.", 2},
		{"rate: 210, capacity: 10", [4]int64{1470, 1470, 0, 0}, [4]int64{}, " are slow: too few pods for the requests.", 3},
		// 60 users of two pods wait until all together send 200 a second. 1,000 users of pods with less room send one request in 5 s each, of
		// which two pods answer 100 a second, and four pods all.
		{"users: 60, capacity: 10", [4]int64{1400, 1400, 2400, 10_000}, [4]int64{}, " are slow: too few pods for the requests.", 6},
		{"users: 1000, capacity: 5", [4]int64{700, 700, 1200, 5000}, [4]int64{700, 700, 0, 0}, " s: too few pods for the requests.", 200},
	} {
		p := enginetest.Start(t, fill(crowded, "TRAFFIC", tt.traffic)).Result().Past()
		r := traffic.Of(p, p.Scenario().Traffic[0])
		check(t, 0, &r, r.Of.Rate)
		for i, at := range [][2]int64{{32_000, 39_000}, {43_000, 50_000}, {53_000, 59_000}, {65_000, 90_000}} {
			c, _, _ := r.Between(at[0], at[1])
			slack := int64(2)
			if r.Of.Users > 0 {
				slack = c.All() / 20
			}
			if near(c[traffic.SlowCrowded], tt.slow[i], slack) && near(c[traffic.Crowded], tt.late[i], slack) {
				continue
			}
			t.Errorf("%s: from %d ms to %d ms %d are slow and %d time out, want %d and %d", tt.traffic, at[0], at[1], c[traffic.SlowCrowded],
				c[traffic.Crowded], tt.slow[i], tt.late[i])
		}
		causes := byCause(&r.Total)
		if v := r.Verdict(25_000, 90_000); !strings.HasSuffix(v, tt.verdict) || causes.All() != causes[traffic.Crowded] {
			t.Errorf("%s: %q %v", tt.traffic, v, causes)
		}
		if r.Needs() != tt.needs {
			t.Errorf("%s: %d pods are needed, want %d", tt.traffic, r.Needs(), tt.needs)
		}
		for k := range r.Losses {
			if story := r.Story(&r.Losses[k]); !strings.Contains(story, " answers as many requests at once as it can, and ") {
				t.Errorf("%s: %q", tt.traffic, story)
			}
		}
		if help := r.Helps(traffic.Crowded, nil); !strings.HasPrefix(help, fmt.Sprint(tt.needs)+" pods have room") {
			t.Errorf("%s: %q", tt.traffic, help)
		}
	}
}

func near(a, b, slack int64) bool { return a-b <= slack && b-a <= slack }
