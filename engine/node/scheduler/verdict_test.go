package scheduler_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/node/scheduler"
)

// TestVerdicts: a node that does not fit has its reasons, and a node that fits a score: 2 x 100 without a pod of the same app, and what stays free
// (G-31, G-34).
func TestVerdicts(t *testing.T) {
	cordoned := node("b", "")
	cordoned.Spec.Unschedulable = true
	nodes := []*api.Node{labelled(node("a", ""), "zone=a"), cordoned, labelled(node("c", ""), "zone=c")}
	bound := app(pod(t, "x", small, ""), "x")
	bound.NodeName = "a"
	var got []string
	for _, v := range scheduler.Verdicts(nodes, []*api.Pod{bound}, app(pod(t, "y", spread("zone", "ScheduleAnyway"), ""), "x")) {
		got = append(got, fmt.Sprint(v.Node, " ", v.Reasons, " ", v.Score))
	}
	if want := []string{"a [] 98", "b [node(s) were unschedulable] 0", "c [] 299"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
