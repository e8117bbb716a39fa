package scenario_test

import (
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// TestTryLabel: a prepared edit is named by what it writes and nothing else.
func TestTryLabel(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"periodSeconds: 10", "periodSeconds: 2", "periodSeconds: 2"},
		{"containers:", "terminationGracePeriodSeconds: 5\n      containers:", "terminationGracePeriodSeconds: 5"},
		{"at: 18s, run", "at: 28s, run", "at: 28s"},
		{"{qps: 20, burst: 30}", "{qps: 100, burst: 200}", "{qps: 100, burst: 200}"},
	} {
		if got := (&scenario.Try{From: c.from, To: c.to}).Label(); got != c.want {
			t.Errorf("%q to %q is %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
