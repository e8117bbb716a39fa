package traffic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest"
	"github.com/rollplay/rollplay/engine/traffic"
)

// TestUpto: after the end of a run the proxies still learn what has become of its pods, and then nothing changes.
func TestUpto(t *testing.T) {
	short := strings.NewReplacer("duration: 60s", "duration: 20600ms", `{at: 20s, run: "kubectl set image deployment/web web=web:2"}`,
		`{at: 20s, run: "kubectl scale deployment/web --replicas=3"}, {at: 20500ms, run: "kubectl scale deployment/web --replicas=2"}`).Replace(
		fmt.Sprintf(text, 1, "1s", "rate: 1000", 4, 30, probe))
	p := enginetest.Start(t, short).Result().Past()
	of := p.Scenario().Traffic[0]
	now, later := traffic.Of(p, of), traffic.Upto(p, of, 40_000)
	last := int64(0)
	for _, l := range later.Losses {
		last = max(last, l.To)
	}
	if now.Until != 20_600 || later.Until != 40_000 || last < 21_000 || last > 21_300 {
		t.Errorf("until %d and %d, the last request fails at %d", now.Until, later.Until, last)
	}
	if more := later.Total.All() - now.Total.All(); more != 19_400 || now.Total.Failed() >= later.Total.Failed() {
		t.Errorf("%d more requests, %d and %d fail", more, now.Total.Failed(), later.Total.Failed())
	}
}

// TestWorstOfServices: of several Services that of which the largest share fails counts, not the one with most requests.
func TestWorstOfServices(t *testing.T) {
	two := strings.Replace(fmt.Sprintf(text, 1, "1s", "rate: 1000, via: ingress-nginx", 4, 30, probe), "]\n  timeline", ", {service: few, rate: 10}]\n  timeline", 1) +
		"---\napiVersion: v1\nkind: Service\nmetadata: {name: few}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n"
	p := enginetest.Start(t, two).Result().Past()
	asked := traffic.For(p, "Deployment/default/web")
	list := traffic.Reports(p, asked, 60_000)
	worst, c := traffic.Worst(list, 20_000, 60_000)
	if len(list) != 2 || worst == nil || worst.Of.Service.Name != "few" || c.All() != 400 || c.Failed() == 0 {
		t.Errorf("%d reports, the worst is %+v with %v", len(list), worst, c)
	}
	if worst, _ := traffic.Worst(list, 0, 1); worst != nil || traffic.After(nil) != 0 {
		t.Error("there are requests before there is a pod, or without a Service")
	}
}
