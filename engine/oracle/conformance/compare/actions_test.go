package compare

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestCompareActions gives the judge two lists of actions; the second is upstream's.
func TestCompareActions(t *testing.T) {
	web := api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}
	scaled := func(text string) upstream.Action { return upstream.Action{What: "event", About: web, Text: text} }
	stored := func(replicas int32) upstream.Action {
		d := &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Replicas: &replicas}}
		return upstream.Action{What: "update", About: web, Object: d}
	}
	for _, c := range []struct {
		name         string
		ours, theirs []upstream.Action
		want         string // what differs, "" if nothing does
	}{
		{"nothing", nil, nil, ""},
		{"equal", []upstream.Action{stored(3), scaled("up")}, []upstream.Action{stored(3), scaled("up")}, ""},
		{"missing", []upstream.Action{stored(3)}, []upstream.Action{stored(3), scaled("up")}, "actions"},
		{"other text", []upstream.Action{scaled("up")}, []upstream.Action{scaled("down")}, "actions"},
		{"other order", []upstream.Action{stored(3), scaled("up")}, []upstream.Action{scaled("up"), stored(3)}, "actions"},
		{"other size", []upstream.Action{stored(3)}, []upstream.Action{stored(4)}, "Spec.Replicas of the stored Deployment/default/web"},
	} {
		k := &sim.Kernel{}
		j := unattached(k, sim.NewStore(k))
		j.compareActions("test", web, c.ours, c.theirs)
		got := ""
		if j.first != nil {
			got = j.first.What
		}
		if got != c.want {
			t.Errorf("%s: differs in %q, want %q", c.name, got, c.want)
		}
	}
}
