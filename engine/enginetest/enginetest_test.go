package enginetest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/enginetest"
	"github.com/rollplay/rollplay/scenarios"
)

// fake collects what a failing test reports.
type fake struct{ reports []string }

func (*fake) Helper() {}

func (f *fake) Errorf(format string, args ...any) {
	f.reports = append(f.reports, fmt.Sprintf(format, args...))
}

func (f *fake) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	panic(f)
}

// TestFailures: the messages for a mistake of the test, and for a rollout that does what it must not.
func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		name string
		test func(t enginetest.T)
		want string
	}{
		{"no YAML", func(t enginetest.T) { enginetest.Start(t, "kind: [") }, "the scenario has errors: "},
		{"no time", func(t enginetest.T) { enginetest.Start(t, web).At("soon") }, `"soon" is not a time after the start, such as 1m30s`},
		{"no workload", func(t enginetest.T) { enginetest.Start(t, web).After("0s").MinAvailable("deployment/db") },
			"there is no workload deployment/db among [Deployment/default/web]"},
		{"a typo", func(t enginetest.T) { enginetest.Start(t, web).At("1s").Run("kubectl scal deployment/web") }, "1 s: kubectl scal deployment/web fails: "},
		{"rejected", func(t enginetest.T) {
			enginetest.Start(t, web).At("1s").Run("kubectl scale deployment/db --replicas=1")
		},
			"1 s: kubectl scale deployment/db --replicas=1 fails: Error from server (NotFound): "},
		{"broken", func(t enginetest.T) {
			c := enginetest.Start(t, web)
			c.At("30s").Run("scale deployment/web --replicas=4")
			c.After("10s").Never("deployment/web", "fewer than five", func(f engine.Frame) bool { return f.Total < 5 })
		}, "deployment/web at 30.002 s: fewer than five (4 desired, 4 total, 4 available, 4 updated, 6 terminating)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fake{}
			defer func() {
				if r := recover(); r != nil && r != any(f) {
					panic(r)
				}
				if len(f.reports) == 0 || !strings.HasPrefix(f.reports[0], tt.want) {
					t.Errorf("reports %q, want %q", f.reports, tt.want)
				}
			}()
			tt.test(f)
		})
	}
}

// TestOrder: commands may be given in any order of their moments, and those of one moment in their own.
func TestOrder(t *testing.T) {
	c := enginetest.Start(t, web)
	c.At("40s").Run("scale deployment/web --replicas=3")
	c.At("20s").Run("scale deployment/web --replicas=5")
	if got := c.At("20s").Run("get deployment web -o name"); got != "deployment.apps/web" {
		t.Errorf("got %q", got)
	}
	var got []string
	for _, command := range c.Result().Recording().Commands {
		got = append(got, command.Run)
	}
	if want := []string{"scale deployment/web --replicas=5", "get deployment web -o name", "scale deployment/web --replicas=3"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if a, b := c.At("30s").Frame("Deployment/web").Desired, c.At("41s").Frame("deployment/web").Desired; a != 5 || b != 3 {
		t.Errorf("%d desired and then %d, want 5 and 3", a, b)
	}
	if got := c.After("21s").Until("39s").MaxTotal("deployment/web"); got != 5 {
		t.Errorf("%d pods in between, want 5", got)
	}
}

// TestShippedScenario: a scenario with a timeline of its own, and a node that dies.
func TestShippedScenario(t *testing.T) {
	c := enginetest.Start(t, scenarios.Text("first-rollout"))
	rollout := c.After("10s").Until("60s")
	if low, high := rollout.MinAvailable("deployment/nginx-deployment"), rollout.MaxTotal("deployment/nginx-deployment"); low != 8 || high != 13 {
		t.Errorf("between %d available and %d pods, want 8 and 13", low, high)
	}
	c.At("60s").Do("kill node/node-1")
	if got := c.At("10m").Run("get node node-1"); !strings.Contains(got, "NotReady") {
		t.Errorf("the node is %s", got)
	}
}
