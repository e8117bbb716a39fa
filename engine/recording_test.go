package engine

import (
	"math"
	"slices"
	"testing"
)

func TestPartsFrom(t *testing.T) {
	a := Recording{Scenario: "x", Commands: []Command{{At: 5000, Run: "kubectl scale deployment/web --replicas=4"}}}
	b := Recording{Scenario: "x", Commands: append(a.Commands[:1:1], Command{At: 9000, Run: "kubectl scale deployment/web --replicas=5"})}
	c := Recording{Scenario: "x", Commands: append(a.Commands[:1:1], Command{At: 7000, Run: "kubectl rollout undo deployment/web"})}
	other := b
	other.Scenario += "# x\n"
	got := []int64{a.PartsFrom(a), a.PartsFrom(b), b.PartsFrom(a), b.PartsFrom(c), b.PartsFrom(other)}
	if !slices.Equal(got, []int64{math.MaxInt64, 9000, 9000, 7000, -1}) {
		t.Errorf("got %v", got)
	}
}
