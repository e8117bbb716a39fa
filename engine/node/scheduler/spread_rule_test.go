package scheduler_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// spread is the spec of a pod with one spread constraint for pods with app=x; more fields of the constraint may follow.
func spread(key, action string, more ...string) string {
	fields := append([]string{"'maxSkew': 1, 'topologyKey': '" + key + "', 'whenUnsatisfiable': '" + action + "'",
		"'labelSelector': {'matchLabels': {'app': 'x'}}"}, more...)
	return spec("'topologySpreadConstraints': [{" + strings.Join(fields, ", ") + "}]")
}

// TestSpreadConstraints: topology spread constraints (G-31, G-34). Two nodes lie in zone a, one in zone b.
func TestSpreadConstraints(t *testing.T) {
	same := func(spec string, n int) (pods []*api.Pod) {
		for i := range n {
			pods = append(pods, app(pod(t, fmt.Sprint("p", i), spec, "r"), "x"))
		}
		return pods
	}
	inA := spec(`'nodeSelector': {'zone': 'a'}`)
	for _, tt := range []struct {
		name string
		pods []*api.Pod
		want []string
	}{
		{"zones in turn", same(spread("zone", "DoNotSchedule"), 4), []string{"a1", "b1", "a2", "b1"}},
		{"with fewer zones than minDomains the smallest number is 0", same(spread("zone", "DoNotSchedule", "'minDomains': 3"), 3), []string{"a1", "b1", "-"}},
		{"with as many zones as minDomains it is that of the emptiest", same(spread("zone", "DoNotSchedule", "'minDomains': 2"), 3), []string{"a1", "b1", "a2"}},
		{"no such label", same(spread("rack", "DoNotSchedule"), 1), []string{"-"}},
		{"others are not counted", []*api.Pod{pod(t, "p0", inA, "r"), app(pod(t, "p1", spread("zone", "DoNotSchedule"), "s"), "x")}, []string{"a1", "a2"}},
		{"those that are there are", []*api.Pod{app(pod(t, "p0", inA, "r"), "x"), app(pod(t, "p1", spread("zone", "DoNotSchedule"), "s"), "x")}, []string{"a1", "b1"}},
		{"a pod that is not counted itself may go where the skew is 1",
			[]*api.Pod{app(pod(t, "p0", inA, "r"), "x"), pod(t, "p1", spread("zone", "DoNotSchedule"), "s")}, []string{"a1", "a2"}},
		{"anyway is a score: the emptier zone first", []*api.Pod{app(pod(t, "p0", inA, "s"), "x"), app(pod(t, "p1", spread("zone", "ScheduleAnyway"), "s"), "x"),
			app(pod(t, "p2", spread("zone", "ScheduleAnyway"), "s"), "x"), app(pod(t, "p3", spread("zone", "ScheduleAnyway"), "s"), "x")},
			[]string{"a1", "b1", "a2", "b1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checkPlaces(t, tt.pods, tt.want)
		})
	}
}

// TestSpreadRevisions: with matchLabelKeys each revision spreads by itself (G-31).
func TestSpreadRevisions(t *testing.T) {
	w := newWorld(t, labelled(node("a", ""), "zone=a"), labelled(node("b", ""), "zone=b"))
	for i, hash := range []string{"1", "1", "2", "2"} {
		p := app(pod(t, fmt.Sprint("p", i), spread(hostname, "DoNotSchedule", "'matchLabelKeys': ['pod-template-hash']"), "r"+hash), "x")
		p.Labels["pod-template-hash"] = hash
		w.Create(p)
	}
	w.Finish()
	if got, want := w.places(), []string{"a", "b", "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestSpreadPolicies: which nodes make up domains (G-31). Zone c is one node, whose taint no pod of the test tolerates.
func TestSpreadPolicies(t *testing.T) {
	for _, tt := range []struct {
		more, selector string
		want           []string
	}{
		{"'nodeTaintsPolicy': 'Ignore'", "", []string{"a", "b", "-"}}, // zone c stays empty, so the others may have one pod more
		{"'nodeTaintsPolicy': 'Honor'", "", []string{"a", "b", "a"}},
		{"'nodeAffinityPolicy': 'Honor'", "'nodeSelector': {'zone': 'a'}, ", []string{"a", "a", "a"}},
		{"'nodeAffinityPolicy': 'Ignore'", "'nodeSelector': {'zone': 'a'}, ", []string{"a", "-", "-"}},
	} {
		w := newWorld(t, labelled(node("a", ""), "zone=a"), labelled(node("b", ""), "zone=b"), labelled(node("c", ""), "zone=c k=v:NoSchedule"))
		for i := range 3 {
			text := "{" + tt.selector + strings.TrimPrefix(spread("zone", "DoNotSchedule", tt.more), "{")
			w.Create(app(pod(t, fmt.Sprint("p", i), text, "r"), "x"))
		}
		if w.Finish(); !slices.Equal(w.places(), tt.want) {
			t.Errorf("%s: got %v, want %v", tt.more, w.places(), tt.want)
		}
	}
}

// TestSpreadMessage: what FailedScheduling says, and that the pod is tried again when a pod makes room in another domain (G-32, G-33).
func TestSpreadMessage(t *testing.T) {
	w := newWorld(t, labelled(node("a", ""), "zone=a"), labelled(node("b", "pods=1"), "zone=b"), labelled(node("c", ""), ""), labelled(node("e", ""), ""))
	w.Create(pod(t, "full", spec(`'nodeSelector': {'zone': 'b'}`), ""))
	for i := range 2 {
		w.Create(app(pod(t, fmt.Sprint("p", i), spread("zone", "DoNotSchedule"), "r"), "x"))
	}
	w.Finish()
	want := "0/4 nodes are available: 1 Too many pods, 1 node(s) didn't match pod topology spread constraints, " +
		"2 node(s) didn't match pod topology spread constraints (missing required label). preemption: 0/4 nodes are available: " +
		"2 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling."
	if c := api.FindCondition(w.Pod("p1").Status.Conditions, "PodScheduled"); c == nil || c.Message != want {
		t.Errorf("got  %+v\nwant %s", c, want)
	}
	w.Create(app(pod(t, "other", spec(`'nodeSelector': {'zone': 'c'}`), ""), "x")) // fits nowhere, helps nobody
	d := labelled(node("d", ""), "zone=b")
	w.Create(d)
	w.Finish()
	if got, want := w.places(), []string{"b", "a", "d", "-"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestPreferredAffinity: preferred terms of a pod, and of those that are there, decide among the nodes that fit (G-34).
func TestPreferredAffinity(t *testing.T) {
	prefer := func(kind string, weight int, key string) string {
		return fmt.Sprintf(`'affinity': {'%s': {'preferredDuringSchedulingIgnoredDuringExecution': [{'weight': %d, 'podAffinityTerm': `+
			`{'labelSelector': {'matchLabels': {'app': 'x'}}, 'topologyKey': '%s'}}]}}`, kind, weight, key)
	}
	inB := spec(`'nodeSelector': {'zone': 'b'}`)
	for _, tt := range []struct {
		name string
		pods []*api.Pod
		want []string
	}{
		{"near", []*api.Pod{app(pod(t, "p0", inB, "r"), "x"), pod(t, "p1", spec(prefer("podAffinity", 1, "zone")), "s")}, []string{"b1", "b1"}},
		{"near in the first zone", []*api.Pod{app(pod(t, "p0", spec(`'nodeSelector': {'zone': 'a'}`), "r"), "x"), pod(t, "p1", spec(prefer("podAffinity", 1, "zone")), "s")},
			[]string{"a1", "a2"}},
		{"far", []*api.Pod{app(pod(t, "p0", spec(`'nodeSelector': {'zone': 'a'}`), "r"), "x"), pod(t, "p1", spec(prefer("podAntiAffinity", 1, "zone")), "s")},
			[]string{"a1", "b1"}},
		{"a pod that is there prefers it", []*api.Pod{pod(t, "p0", spec(prefer("podAffinity", 5, hostname)+`, 'nodeSelector': {'zone': 'b'}`), "r"),
			app(pod(t, "p1", small, "s"), "x")}, []string{"b1", "b1"}},
		{"a preference keeps no pod away", []*api.Pod{app(pod(t, "p0", spec(prefer("podAntiAffinity", 100, "all")), "r"), "x"),
			app(pod(t, "p1", spec(prefer("podAntiAffinity", 100, "all")), "r"), "x")}, []string{"a1", "a2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checkPlaces(t, tt.pods, tt.want)
		})
	}
}

// TestTerminatingDoesNotCount: a pod that terminates no longer counts for a spread constraint (G-31).
func TestTerminatingDoesNotCount(t *testing.T) {
	w := newWorld(t, labelled(node("a", ""), "zone=a"), labelled(node("b", ""), "zone=b k=v:NoSchedule"))
	for i := range 2 {
		w.Create(app(pod(t, fmt.Sprint("p", i), spread("zone", "DoNotSchedule"), "r"), "x"))
		w.Finish()
		w.Delete(w.Pod("p0").Key())
		w.Finish()
	}
	if got, want := w.places(), []string{"a", "a"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestEndedDoesNotCount: when a pod that terminates has ended, the others on its node count as before: p2 and p3 are in zone a, so p4 is in b (G-31).
func TestEndedDoesNotCount(t *testing.T) {
	w := newWorld(t, labelled(node("a", ""), "zone=a"), labelled(node("b", ""), "zone=b"))
	shared := pod(t, "", spread("zone", "DoNotSchedule"), "").Spec // as the pods of a ReplicaSet have one template
	create := func(from, to int) {
		for i := from; i < to; i++ {
			p := app(pod(t, fmt.Sprint("p", i), small, "r"), "x")
			p.Spec = shared
			w.Create(p)
			w.Finish()
		}
	}
	create(0, 3)
	w.Delete(w.Pod("p0").Key())
	w.Finish()
	w.End(w.Pod("p0").Key())
	w.Finish()
	create(3, 5)
	if got, want := w.places(), []string{"b", "a", "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestUnknownNode: a pod whose node does not exist is in no zone, also if the zones were looked at before (G-31).
func TestUnknownNode(t *testing.T) {
	w := newWorld(t, labelled(node("a", ""), "zone=a"), labelled(node("b", ""), "zone=b"))
	ghost := app(pod(t, "p2", anti("x", "zone"), ""), "x")
	ghost.NodeName = "ghost"
	for _, p := range []*api.Pod{app(pod(t, "p0", anti("x", "zone"), ""), "x"), app(pod(t, "p1", anti("x", "zone"), ""), "y"), ghost,
		app(pod(t, "p3", anti("x", "zone"), ""), "y")} {
		w.Create(p)
		w.Finish()
	}
	if got, want := w.places(), []string{"a", "b", "ghost", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestRemovedNode: the pods of a node that is gone count in no zone, and keep no other pod from one (G-31).
func TestRemovedNode(t *testing.T) {
	w := newWorld(t, labelled(node("a", ""), "zone=a"), labelled(node("b", ""), "zone=b"))
	w.Create(app(pod(t, "p0", spec(`'nodeSelector': {'zone': 'b'}`), "r"), "x"))
	w.Finish()
	w.Delete(w.Node("b").Key())
	w.Finish()
	w.Create(app(pod(t, "p1", anti("x", "zone"), "r"), "y"))
	w.Create(app(pod(t, "p2", spread("zone", "DoNotSchedule"), "r"), "y"))
	w.Finish()
	if got, want := w.places(), []string{"b", "a", "a"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// BenchmarkSpread binds two pods for each of 999 nodes, evenly over nodes and zones.
func BenchmarkSpread(b *testing.B) {
	constraint := func(key string) string {
		return `{'maxSkew': 1, 'topologyKey': '` + key + `', 'whenUnsatisfiable': 'DoNotSchedule', 'labelSelector': {'matchLabels': {'app': 'x'}}}`
	}
	s := pod(b, "", spec(`'topologySpreadConstraints': [`+constraint(hostname)+`, `+constraint("zone")+`]`), "").Spec
	for b.Loop() {
		w := newWorld(b)
		for i := range 999 {
			w.Create(labelled(node(fmt.Sprintf("node-%04d", i), ""), "zone="+string(rune('a'+i%3))))
		}
		for i := range 1998 {
			w.Create(app(&api.Pod{ObjectMeta: api.ObjectMeta{Name: fmt.Sprint("p", i), Namespace: "default"}, Spec: s}, "x"))
		}
		w.Finish()
		if w.places()[1997] == "-" {
			b.Fatal("no node for the last pod")
		}
	}
}
