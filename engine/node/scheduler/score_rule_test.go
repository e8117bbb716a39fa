package scheduler

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
)

// scoredLedger has the nodes a1, a2, b1 and bare, in the zones a, a and b and in none, and the pods of app x on them: two on a1, one on a2, one on b1.
func scoredLedger(t *testing.T, spec string) *ledger {
	l := new(ledger)
	*l = newLedger()
	for name, zone := range map[string]string{"a1": "a", "a2": "a", "b1": "b", "bare": ""} {
		n := &api.Node{ObjectMeta: api.ObjectMeta{Name: name, Labels: map[string]string{hostname: name, "zone": zone}}}
		if zone == "" {
			delete(n.Labels, "zone")
		}
		l.setNode(n)
	}
	shared := cluster.Spec(t, spec)
	for i, on := range []string{"a1", "a1", "a2", "b1"} {
		p := &api.Pod{ObjectMeta: cluster.Meta(fmt.Sprint("p", i)), Spec: shared, NodeName: on}
		l.take(p, on)
	}
	return l
}

// scored returns the scores of the nodes for another pod of the same labels.
func scored(t *testing.T, l *ledger, spec string) (spread, affinity []int64) {
	p := l.candidate(&api.Pod{ObjectMeta: cluster.Meta("new"), Spec: cluster.Spec(t, spec)})
	l.mark(p)
	return p.constraintScores(l.nodes()), p.affinityScores(l.nodes())
}

// TestSpreadScores computes the scores of constraints with ScheduleAnyway (G-34). With the label zone there are two domains of the nodes
// that have it, so a pod weighs log(2+2) = 1.39: three pods and maxSkew 3 make round(3 x 1.39 + 2) = 6 in zone a, 3 in zone b; of these come
// 100 x (6+3-6)/6 = 50 and 100. By host there are four, so a pod weighs log(4+2) = 1.79.
func TestSpreadScores(t *testing.T) {
	for _, tt := range []struct {
		key  string
		skew int
		want []int64 // of a1, a2, b1 and bare
	}{
		{"zone", 1, []int64{25, 25, 100, 0}},
		{"zone", 3, []int64{50, 50, 100, 0}},
		{hostname, 1, []int64{0, 50, 50, 100}}, // 4 = round(2 x 1.79), 2, 2 and 0
	} {
		spec := fmt.Sprintf(`{'topologySpreadConstraints': [{'maxSkew': %d, 'topologyKey': '%s', 'whenUnsatisfiable': 'ScheduleAnyway',
			'labelSelector': {'matchLabels': {'app': 'web'}}}], 'containers': [{'name': 'c', 'image': 'a:1'}]}`, tt.skew, tt.key)
		if got, _ := scored(t, scoredLedger(t, spec), spec); !slices.Equal(got, tt.want) {
			t.Errorf("%s, maxSkew %d: %v, want %v", tt.key, tt.skew, got, tt.want)
		}
	}
}

// TestAffinityScores adds up the weights of the preferred terms, of the new pod and of those that are there, and stretches the sums to 0 to
// 100 (G-34).
func TestAffinityScores(t *testing.T) {
	const plain = `{'containers': [{'name': 'c', 'image': 'a:1'}]}`
	terms := func(fields string) string {
		return `{'affinity': {` + fields + `}, 'containers': [{'name': 'c', 'image': 'a:1'}]}`
	}
	term := func(weight int, key string) string {
		return fmt.Sprintf(`{'weight': %d, 'podAffinityTerm': {'labelSelector': {'matchLabels': {'app': 'web'}}, 'topologyKey': '%s'}}`, weight, key)
	}
	preferred := func(kind, terms string) string {
		return `'` + kind + `': {'preferredDuringSchedulingIgnoredDuringExecution': [` + terms + `]}`
	}
	for _, tt := range []struct {
		name           string
		existing, spec string
		want           []int64 // of a1, a2, b1 and bare
	}{
		{"no terms", plain, plain, []int64{0, 0, 0, 0}},
		{"near, for each pod", plain, terms(preferred("podAffinity", term(10, hostname))), []int64{100, 50, 50, 0}},
		{"far, for each pod", plain, terms(preferred("podAntiAffinity", term(10, hostname))), []int64{0, 50, 50, 100}},
		{"those that are there want to be near", terms(preferred("podAffinity", term(10, "zone"))), plain, []int64{100, 100, 33, 0}},
		{"those that are there want to be far", terms(preferred("podAntiAffinity", term(10, hostname))), plain, []int64{0, 50, 50, 100}},
		{"two labels add up", plain, terms(preferred("podAffinity", term(1, "zone")+", "+term(2, hostname))), []int64{100, 71, 42, 0}}, // 7, 5, 3, 0
	} {
		if _, got := scored(t, scoredLedger(t, tt.existing), tt.spec); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestGroupsEnd: a group ends with its last pod, so that a run of many templates does not slow down.
func TestGroupsEnd(t *testing.T) {
	l := scoredLedger(t, `{'affinity': {'podAntiAffinity': {}}, 'containers': [{'name': 'c', 'image': 'a:1'}]}`)
	if len(l.list) != 1 || l.list[0].pods != 4 {
		t.Fatalf("%d groups, the first of %d pods, want one of 4", len(l.list), l.list[0].pods)
	}
	for i := range 4 {
		l.release(cluster.Key(api.KindPod, fmt.Sprint("p", i)))
	}
	if len(l.list) != 0 || len(l.byKey) != 0 {
		t.Errorf("%d groups are left", len(l.list))
	}
}

// TestOwnSpreadScores: without constraints, pods of a controller spread over nodes and zones (G-34). Of four nodes a pod on the node weighs
// log(4+2) = 1.79 and each node 2, so a1 with two pods has 3.58 + 2; of two zones and the node without one a pod in the zone weighs
// log(3+2) = 1.61 and each zone 4, so a1 has 4.83 + 4 more for the three pods in a: 14. The others have 13, 9 and 2.
func TestOwnSpreadScores(t *testing.T) {
	const spec = `{'containers': [{'name': 'c', 'image': 'a:1'}]}`
	owned := func(name, on string) *api.Pod {
		p := &api.Pod{ObjectMeta: cluster.Meta(name), Spec: cluster.Spec(t, spec), NodeName: on}
		p.OwnerReferences = []api.OwnerReference{{Kind: api.KindReplicaSet, Name: "web", UID: "web", Controller: true}}
		return p
	}
	for _, tt := range []struct {
		zone string
		want []int64 // of a1, a2, b1 and bare
	}{{zone, []int64{14, 21, 50, 100}}, {"other", []int64{33, 66, 66, 100}}} {
		l := scoredLedger(t, spec)
		for _, n := range l.nodes() {
			n.object.Labels[tt.zone] = n.object.Labels["zone"]
			if n.object.Name == "bare" {
				n.object.Labels = map[string]string{hostname: "bare"}
			}
		}
		for i, on := range []string{"a1", "a1", "a2", "b1"} {
			l.take(owned(fmt.Sprint("own", i), on), on)
		}
		if got := l.spreadScores(l.candidate(owned("new", "")), l.nodes()); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.zone, got, tt.want)
		}
	}
}

// TestFreeAndBalanced: what stays free of cpu and memory, and whether a pod makes the used parts more alike (G-34). A container without
// requests takes 100m and 200Mi of what is free, and a node without limits has 110 times that.
func TestFreeAndBalanced(t *testing.T) {
	for _, tt := range []struct {
		has, requests string
		free, balance int64
	}{
		{"", "", 99, 0},
		{"cpu=1 memory=2000Mi", "", 90, 0},
		{"cpu=1 memory=2000Mi", "'cpu': '500m'", 70, 62}, // (50 + 90)/2; from 100 to 75
		{"cpu=1 memory=2000Mi", "'cpu': '1', 'memory': '2000Mi'", 0, 75},
		{"cpu=500m", "'memory': '200Mi'", 89, 74}, // (80 + 99)/2; from 100 to 99
	} {
		l := newLedger()
		n := &api.Node{ObjectMeta: api.ObjectMeta{Name: "a"}, Status: api.NodeStatus{Allocatable: map[string]api.Quantity{}}}
		for _, word := range strings.Fields(tt.has) {
			resource, amount, _ := strings.Cut(word, "=")
			n.Status.Allocatable[resource] = api.MustQuantity(amount)
		}
		l.setNode(n)
		spec := `{'containers': [{'name': 'c', 'image': 'a:1', 'resources': {'requests': {` + tt.requests + `}}}]}`
		p := l.candidate(&api.Pod{ObjectMeta: cluster.Meta("new"), Spec: cluster.Spec(t, spec)})
		if free, balance := l.nodes()[0].freeScore(p), l.nodes()[0].balanceScore(p); free != tt.free || balance != tt.balance {
			t.Errorf("%q, %q: free %d, balanced %d, want %d and %d", tt.has, tt.requests, free, balance, tt.free, tt.balance)
		}
	}
}
