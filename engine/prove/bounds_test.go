package prove_test

import (
	"testing"

	"github.com/rollplay/rollplay/engine/prove"
)

// TestEveryBound: every rolling update of up to three replicas keeps its bounds and completes, whatever the order, for all bounds out
// of {0, 1, 2, 25%, 50%, 100%} (SIM-9).
func TestEveryBound(t *testing.T) {
	amounts := []string{"0", "1", "2", `"25%"`, `"50%"`, `"100%"`}
	schedules := 0
	for replicas := 1; replicas <= 3; replicas++ {
		for _, surge := range amounts {
			for _, unavailable := range amounts {
				if surge == "0" && unavailable == "0" {
					continue // refused (D-8)
				}
				p := proofOf(t, web(replicas, bounds(surge, unavailable), "{count: 3}"), all(prove.Options{}))
				if schedules += p.Schedules; p.Counter != nil || p.Cut || p.Replicas != replicas {
					t.Errorf("%d replicas, surge %s, unavailable %s: %+v", replicas, surge, unavailable, p)
				}
			}
		}
	}
	t.Logf("%d schedules", schedules)
	if schedules < 250 {
		t.Errorf("only %d schedules", schedules)
	}
}
