package traffic_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/engine/enginetest"
	"github.com/rollplay/rollplay/engine/traffic"
)

// tenPods is a rollout of ten pods with 1,000 requests a second, and the same without a Service.
func tenPods() (with, without string) {
	with = fmt.Sprintf(text, 1, "1s", "rate: 1000", 10, 30, probe)
	head, rest, _ := strings.Cut(with, "  traffic:")
	_, rest, _ = strings.Cut(rest, "]\n")
	timeline, rest, _ := strings.Cut(rest, "---\n")
	_, rest, _ = strings.Cut(rest, "---\n")
	return with, head + timeline + "---\n" + rest
}

func BenchmarkRollout(b *testing.B) {
	with, without := tenPods()
	b.Run("without requests", func(b *testing.B) {
		for b.Loop() {
			enginetest.Start(b, without).Result()
		}
	})
	b.Run("with 1000 a second", func(b *testing.B) {
		for b.Loop() {
			report(b, with)
		}
	})
}

// TestRolloutCosts: requests make a rollout cost at most five times as much.
func TestRolloutCosts(t *testing.T) {
	with, without := tenPods()
	if strings.Contains(without, "Service") || strings.Contains(without, "traffic") || !strings.Contains(without, "Deployment") {
		t.Fatal(without)
	}
	quiet, busy := time.Hour, time.Hour // the fastest of each, in turn: another program may have the processor at any moment
	for tries := range 200 {
		start := time.Now()
		enginetest.Start(t, without).Result()
		between := time.Now()
		report(t, with)
		quiet, busy = min(quiet, between.Sub(start)), min(busy, time.Since(between))
		if tries >= 20 && busy <= 5*quiet {
			return
		}
	}
	t.Errorf("a rollout takes %v, and %v with requests", quiet, busy)
}

// TestCost: ten times the requests cost nothing more, because what is computed are intervals.
func TestCost(t *testing.T) {
	cost := func(rate int) (allocated float64, r traffic.Report) {
		p := enginetest.Start(t, fmt.Sprintf(text, 1, "1s", fmt.Sprintf("rate: %d", rate), 10, 30, probe)).Result().Past()
		return testing.AllocsPerRun(3, func() { r = traffic.Of(p, p.Scenario().Traffic[0]) }), r
	}
	few, small := cost(100)
	many, large := cost(1000)
	if large.Total.All() < 9*small.Total.All() || len(large.Intervals) != len(small.Intervals) || many > few+1 {
		t.Errorf("%d requests in %d intervals: %v allocations; %d in %d: %v", small.Total.All(), len(small.Intervals), few,
			large.Total.All(), len(large.Intervals), many)
	}
}

// TestADayInAggregate: a day of 100,000 requests a second costs what a minute of ten does, and says that it is not computed one by one.
// Users who never pause are computed one by one only as long as that is cheap, also while they get no answers.
func TestADayInAggregate(t *testing.T) {
	day := func(sends string) string {
		return strings.Replace(fmt.Sprintf(text, 1, "1s", sends, 10, 30, probe), "duration: 60s", "duration: 24h", 1)
	}
	r := report(t, day("rate: 100000"))
	if !r.Aggregate || r.Total.All() < 8_600_000_000 || len(r.Intervals) > 500 {
		t.Errorf("%d requests in %d intervals, aggregate %v", r.Total.All(), len(r.Intervals), r.Aggregate)
	}
	for sends, aggregate := range map[string]bool{"users: 1000, takes: 10ms": true, "users: 1000, pause: 0s, takes: 600s, timeout: 1s": true, "users: 10, pause: 60s": false} {
		r := report(t, day(sends))
		if r.Aggregate != aggregate || r.Total.All() == 0 {
			t.Errorf("%s: %d requests, aggregate %v", sends, r.Total.All(), r.Aggregate)
		}
		if n := r.Total.All(); aggregate && n < 1000*86_000/600 {
			t.Errorf("%s: only %d requests", sends, n)
		}
	}
}
