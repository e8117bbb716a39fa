package daemon

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// podNow is a pod of a round: "new", "old" with + available or - not, and x if it is being deleted.
func podNow(node, text string) *api.Pod {
	p := &api.Pod{ObjectMeta: api.ObjectMeta{Name: node + "-" + text[:3], Namespace: "default", UID: node + text,
		Labels: map[string]string{"app": "agent", api.ControllerRevisionHashLabel: text[:3]}}, NodeName: node}
	if text[:3] == "old" {
		p.CreationTimestamp = 1
	} else {
		p.CreationTimestamp = 2
	}
	if strings.Contains(text, "+") {
		p.Status.Conditions = []api.Condition{{Type: "Ready", Status: "True"}}
	}
	if strings.Contains(text, "x") {
		p.DeletionTimestamp = 9
	}
	return p
}

// roundOf makes a round from the pods of each node, in the words of podNow; "!" marks a node that should run no pod, "gone" a deleted
// node.
func roundOf(ds *api.DaemonSet, nodes ...string) *round {
	r := &round{ds: ds, spec: ds.Spec.Template.Spec, hash: "new", now: 100_000}
	for i, text := range nodes {
		node := &api.Node{ObjectMeta: api.ObjectMeta{Name: nodeName(i + 1)}}
		at := place{name: node.Name, node: node}
		for _, word := range strings.Fields(text) {
			switch word {
			case "!":
				node.Spec.Taints = []api.Taint{{Key: "k", Effect: api.NoSchedule}}
			case "gone":
				at.node = nil
			default:
				at.pods = append(at.pods, podNow(node.Name, word))
			}
		}
		r.places = append(r.places, at)
	}
	return r
}

func names(pods []*api.Pod) string {
	var out []string
	for _, pod := range pods {
		out = append(out, strings.TrimPrefix(pod.Name, "node-"))
	}
	return strings.Join(out, " ")
}

// TestSettled: on which nodes manage has nothing to do (DS-8). A pod that failed is there after the words.
func TestSettled(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "new+": true, "old-": true, "new+ old-": false, "new+x": false, "new+ old-x": true, // a pod should run there
		"!": true, "! new+": true, "! new+ old-": false, "! new+x": true, // and stay there, if it is there
	} {
		for _, failed := range []bool{false, true} {
			r := roundOf(newDaemonSet(t), text)
			p := &r.places[0]
			if failed {
				pod := podNow(p.name, "old-")
				pod.Status.Phase = api.PodFailed
				p.pods = append(p.pods, pod)
			}
			wantEqual(t, fmt.Sprintf("%q with a failed pod %t: settled", text, failed), r.look(p).settled, want && !failed)
		}
	}
	for text, want := range map[string]bool{"": true, "new+": false, "new+x": true, "new+ failed": false} { // no pod may stay
		r := roundOf(newDaemonSet(t), text)
		for _, pod := range r.places[0].pods {
			if strings.HasSuffix(pod.Name, "-fai") {
				pod.Status.Phase = api.PodFailed
			}
		}
		r.places[0].node.Spec.Taints = []api.Taint{{Key: "k", Effect: api.NoExecute}}
		wantEqual(t, fmt.Sprintf("%q where no pod may stay: settled", text), r.look(&r.places[0]).settled, want)
	}
}

// TestBlame: the first three nodes by name, and the number of the others.
func TestBlame(t *testing.T) {
	for n, want := range map[int]string{1: "n0 waits", 3: "n0 waits, n1 waits, n2 waits", 5: "n0 waits, n1 waits, n2 waits and 2 more"} {
		b := &blame{}
		for i := range n {
			b.add(fmt.Sprint("n", i), " waits")
		}
		wantEqual(t, "blame", b.String(), want)
	}
}

// TestInPlace is DS-10: what a node counts for.
func TestInPlace(t *testing.T) {
	for _, tt := range []struct {
		nodes              []string
		max, unavailable   int
		broken, candidates string
		held               int
		blame              string
	}{
		{[]string{"old+", "old+", "old+"}, 1, 0, "", "1-old 2-old 3-old", 0, ""},
		{[]string{"old+x", "old+", "old+"}, 1, 1, "", "", 2, "node-1's pod is being deleted"},
		{[]string{"", "old+"}, 1, 1, "", "", 1, "node-1 has no pod"},
		{[]string{"new-", "old+"}, 1, 1, "", "", 1, "node-1's pod is not available"},
		{[]string{"new+", "old+"}, 1, 0, "", "2-old", 0, ""},
		{[]string{"old+", "new-", "old+"}, 1, 1, "", "1-old", 1, "node-2's pod is not available"}, // node-1 was looked at before
		{[]string{"old-", "old-", "old+"}, 1, 2, "1-old 2-old", "", 1, "node-1's old pod is not available, node-2's old pod is not available"},
		{[]string{"old+ new+", "old+"}, 1, 1, "", "", 1, "node-1 has an old pod beside the new one"},
		{[]string{"old+ old+", "old+"}, 2, 1, "", "2-old", 0, "node-1 has too many pods"},
		{[]string{"new+ new+", "old+"}, 2, 1, "", "2-old", 0, "node-1 has too many pods"},
		{[]string{"! old+", "old+"}, 1, 0, "", "1-old 2-old", 0, ""},    // a misplaced pod is one of them
		{[]string{"!", "old+"}, 1, 0, "", "2-old", 0, ""},               // a node that should run none does not count
		{[]string{"gone old+", "old+"}, 1, 0, "", "1-old 2-old", 0, ""}, // a bound pod of a node that is gone
	} {
		n := roundOf(newDaemonSet(t), tt.nodes...).inPlace(tt.max)
		if n.unavailable != tt.unavailable || names(n.broken) != tt.broken || names(n.candidates) != tt.candidates || n.held != tt.held ||
			n.blame.String() != tt.blame {
			t.Errorf("%q with %d: %d unavailable, broken %q, candidates %q, %d held, blame %q; want %d, %q, %q, %d, %q", tt.nodes, tt.max,
				n.unavailable, names(n.broken), names(n.candidates), n.held, &n.blame, tt.unavailable, tt.broken, tt.candidates, tt.held, tt.blame)
		}
	}
}

// TestSurging is DS-12: what a node counts for.
func TestSurging(t *testing.T) {
	for _, tt := range []struct {
		nodes                     []string
		surge, available          int
		replaced, useless, sunset string
		broken, candidates        string
		held                      int
	}{
		{[]string{"old+", "old+"}, 0, 2, "", "", "", "", "node-1 node-2", 0},
		{[]string{"old+ new-", "old+"}, 1, 2, "", "", "", "", "", 1},
		{[]string{"old+", "old+ new-"}, 1, 2, "", "", "", "", "node-1", 0}, // node-1 was looked at before
		{[]string{"old+ new+", "old+"}, 0, 2, "1-old", "", "", "", "node-2", 0},
		{[]string{"old-", "old+"}, 0, 1, "", "", "", "node-1", "node-2", 0},
		{[]string{"! old-", "new+"}, 0, 1, "", "1-old", "", "", "", 0},
		{[]string{"! old+", "new+"}, 0, 2, "", "", "1-old", "", "", 0},
		{[]string{"old+ old+", "old+"}, 1, 1, "", "", "", "", "", 1},
		{[]string{"new-", "old+x", "old+"}, 0, 1, "", "", "", "", "node-3", 0},
	} {
		ds := newDaemonSet(t)
		surge(1, 0)(ds)
		n, err := roundOf(ds, tt.nodes...).surging(1)
		if err != nil || n.surge != tt.surge || n.available != tt.available || names(n.replaced) != tt.replaced || names(n.useless) != tt.useless ||
			names(n.sunset) != tt.sunset || strings.Join(n.broken, " ") != tt.broken || strings.Join(n.candidates, " ") != tt.candidates || n.held != tt.held {
			t.Errorf("%q: %+v, %v; want %+v", tt.nodes, n, err, tt)
		}
	}
	if _, err := roundOf(newDaemonSet(t), "gone old+", "old+").surging(1); err == nil || err.Error() != `couldn't get node for nodeName "node-1": node "node-1" not found` {
		t.Errorf("a node that is gone: %v", err)
	}
}

// TestSunset is the last sentence of DS-12: old pods on nodes that should run none go only as far as others are available.
func TestSunset(t *testing.T) {
	for _, tt := range []struct {
		available, desired int
		want               string
	}{{3, 3, ""}, {4, 3, "1-old"}, {9, 3, "1-old 2-old"}, {1, 3, ""}} {
		n := surging{available: tt.available, sunset: []*api.Pod{podNow("node-1", "old+"), podNow("node-2", "old+")}}
		var p plan
		n.removeSunset(&p, tt.desired)
		var pods []*api.Pod
		for _, r := range p.remove {
			pods = append(pods, r.pod)
		}
		wantEqual(t, fmt.Sprint(tt.available, " of ", tt.desired), names(pods), tt.want)
	}
}

// TestRolloutInPlace is DS-13 and DS-32: with maxUnavailable 1 the nodes get the new pod one after the other, by name. The
// rows are those of DS-32 and the ones between that a look from time to time misses.
func TestRolloutInPlace(t *testing.T) {
	w := newTestWorld(t, 4, nil)
	w.Until(10_000)
	wantEqual(t, "before", row(&w.ds().Status), "4 4 4 4")
	w.rows = nil
	w.image("v2")
	w.Until(10_500)
	wantEqual(t, "first node", w.images(), "1:v1- 2:v1 3:v1 4:v1")
	w.Until(11_500)
	wantEqual(t, "first node, created when the old pod was gone", w.images(), "1:v2 2:v1 3:v1 4:v1")
	w.Until(60_000)
	want := []string{"4 4 4 4", "4 4 0 4"}
	for n := range 4 { // updated nodes before this one
		want = append(want, fmt.Sprintf("3 3 %d 3", n), fmt.Sprintf("4 3 %d 3", n+1), fmt.Sprintf("4 4 %d 4", n+1))
	}
	if !slices.Equal(w.rows, want) {
		t.Errorf("rows (current, ready, updated, available):\n%s\nwant\n%s", strings.Join(w.rows, "\n"), strings.Join(want, "\n"))
	}
	wantEqual(t, "after", w.images(), "1:v2 2:v2 3:v2 4:v2")

	// Every sync between says why the next node must wait.
	got := strings.Join(w.decisions(), "\n")
	for _, part := range []string{
		"no old pod may be deleted yet: 1 of at most 1 unavailable: node-1's pod is being deleted [0 = min(0 candidates, max(0, 1 maxUnavailable - 1 unavailable))]",
		"no old pod may be deleted yet: 1 of at most 1 unavailable: node-2's pod is not available [0 = ",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("no decision %q in\n%s", part, got)
		}
	}
	for _, r := range w.Kernel.Trace.Records {
		if r.What == "pod deleted on node-3" {
			wantEqual(t, "the sum of a deletion", r.Why.String(), "1 = min(2 candidates, max(0, 1 maxUnavailable - 0 unavailable))")
		}
	}
}

// TestRolloutPercent: 50% of four nodes are replaced at a time (DS-3).
func TestRolloutPercent(t *testing.T) {
	w := newTestWorld(t, 4, unavailable(api.Str("50%")))
	w.Until(10_000)
	w.image("v2")
	w.Until(10_500)
	wantEqual(t, "first two", w.images(), "1:v1- 2:v1- 3:v1 4:v1")
	w.Until(60_000)
	wantEqual(t, "after", w.images(), "1:v2 2:v2 3:v2 4:v2")
}

// TestBrokenOldPodsGoFirst: an old pod that is not available is replaced whatever the budget, and counts against it.
func TestBrokenOldPodsGoFirst(t *testing.T) {
	w := newTestWorld(t, 4, nil)
	w.Until(10_000)
	w.SetPhase(w.on(3)[0].Name, api.PodRunning, false)
	w.SetPhase(w.on(4)[0].Name, api.PodRunning, false)
	w.Until(10_500)
	w.image("v2")
	w.Until(10_600)
	wantEqual(t, "after the change", w.images(), "1:v1 2:v1 3:v1- 4:v1-")
}

// TestRolloutWithSurge is T-7: four nodes and maxSurge 2 take two waves. When a new pod is Ready, the old one of its node goes
// at once, and the next new pod starts in the sync after that.
func TestRolloutWithSurge(t *testing.T) {
	w := newTestWorld(t, 4, surge(2, 0))
	w.Until(10_000)
	w.rows = nil
	w.image("v2")
	w.Until(10_500)
	wantEqual(t, "first wave", w.images(), "1:v1 1:v2 2:v1 2:v2 3:v1 4:v1")
	w.Until(11_500)
	wantEqual(t, "second wave", w.images(), "1:v1- 1:v2 2:v1- 2:v2 3:v1 3:v2 4:v1 4:v2")
	w.Until(30_000)
	wantEqual(t, "after", w.images(), "1:v2 2:v2 3:v2 4:v2")
	// An old pod counts until it is gone; the two of a wave go in one moment.
	wantEqual(t, "rows", strings.Join(w.rows, ", "), "4 4 4 4, 4 4 0 4, 4 4 2 4, 4 4 4 4")
	if got := strings.Join(w.decisions(), "\n"); !strings.Contains(got, "no new pod may start beside an old one yet: 2 of at most 2 surging: "+
		"node-1's new pod is not available, node-2's new pod is not available [0 = min(0 candidates, max(0, 2 maxSurge - 2 surging))]") {
		t.Errorf("decisions\n%s", got)
	}
}

// TestSurgeWaitsASecondMore: with minReadySeconds only the timer of the pod that became Ready covers the new pod of a surge,
// because the status looks at the old one: minReadySeconds and a second (DS-31).
func TestSurgeWaitsASecondMore(t *testing.T) {
	w := newTestWorld(t, 1, surge(1, 10))
	w.Until(30_000)
	w.image("v2")
	ready := int64(0)
	for ; len(w.on(1)) < 2 || !w.on(1)[1].IsReady(); ready = w.Kernel.Now() {
		w.Kernel.Step()
	}
	for !w.on(1)[0].Terminating() {
		w.Kernel.Step()
	}
	if got := w.Kernel.Now() - ready; got != 11_001 {
		t.Errorf("the old pod goes %d ms after the new one was Ready, want 11001", got)
	}
}

// TestOnDelete is DS-14: a new template changes nothing until a pod is deleted.
func TestOnDelete(t *testing.T) {
	w := newTestWorld(t, 2, onDelete)
	w.Until(10_000)
	w.image("v2")
	w.Until(20_000)
	wantEqual(t, "after the change", w.images(), "1:v1 2:v1")
	wantEqual(t, "status", row(&w.ds().Status), "2 2 0 2")
	w.Must(w.User.Delete(w.on(1)[0].Key(), apiDelete, "", nil))
	w.Until(30_000)
	wantEqual(t, "after a deletion", w.images(), "1:v2 2:v1")
}

// TestSunsetInSurge: with a surge, the old pod on a node that should run none any more goes when the others suffice, and no
// new one takes its place (DS-12).
func TestSunsetInSurge(t *testing.T) {
	w := newTestWorld(t, 3, surge(1, 0))
	w.Until(10_000)
	w.taint(1, api.Taint{Key: "k", Effect: api.NoSchedule})
	w.image("v2")
	w.Until(10_500)
	wantEqual(t, "after the change", w.images(), "1:v1- 2:v1 2:v2 3:v1")
	for _, r := range w.Kernel.Trace.Records {
		if r.What == "pod deleted on node-1" {
			wantEqual(t, "the sum of the deletion", r.Why.String(), "1 = min(1 leaving, max(0, 3 available - 2 desired))")
		}
	}
	w.Until(30_000)
	wantEqual(t, "in the end", w.images(), "2:v2 3:v2")
}

// TestBrokenOldPodsInSurge: a new pod beside an old one that is not available does not count as surge; then the old one is
// deleted, because it is not Ready (DS-8, DS-12).
func TestBrokenOldPodsInSurge(t *testing.T) {
	w := newTestWorld(t, 3, surge(1, 0))
	w.Until(10_000)
	for _, i := range []int{2, 3} {
		w.SetPhase(w.on(i)[0].Name, api.PodRunning, false)
	}
	w.Until(10_100)
	w.image("v2")
	w.Until(10_101)
	wantEqual(t, "after the change", w.images(), "1:v1 1:v2 2:v1 2:v2 3:v1 3:v2")
	w.Until(10_500)
	wantEqual(t, "a little later", w.images(), "1:v1 1:v2 2:v1- 2:v2 3:v1- 3:v2")
}
