package compare

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/node/scheduler"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
)

var placements = flag.Int("placements", 2000, "how many random placements to compare with the real plugins of the scheduler")

// TestPlacements lets the real plugins of the scheduler and ours look at the same pods and nodes, and compares, for each node, the
// reasons that keep a pod away, whether preemption could help, and the score (G-31, G-32, G-34). In the end every reason must have
// occurred often enough.
func TestPlacements(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	real, err := upstream.NewScheduler(stop, append(owners(), namespace("default"), namespace("other"))...)
	if err != nil {
		t.Fatal(err)
	}
	const perWorld = 5
	sums, began := placementSums{reasons: map[string]int{}}, time.Now()
	for n := 0; n < *placements; n += perWorld {
		w := newPlacementWorld(uint64(n))
		for range perWorld {
			if wrong := w.place(real, &sums); wrong != "" {
				t.Fatalf("world %d: %s", n, wrong)
			}
		}
	}
	t.Logf("%d placements on %d nodes, %s; %d nodes fit, %d of them with a score above 0; 0 different", *placements, sums.nodes,
		time.Since(began).Round(time.Millisecond), sums.fit, sums.scored)
	for reason, k := range sums.reasons {
		t.Logf("%7d %s", k, reason)
	}
	for _, reason := range []string{"node(s) didn't match pod topology spread constraints", "node(s) didn't match pod affinity rules",
		"node(s) didn't match pod topology spread constraints (missing required label)", "node(s) didn't match pod anti-affinity rules",
		"node(s) didn't satisfy existing pods anti-affinity rules"} {
		if sums.reasons[reason] < *placements/100 {
			t.Errorf("only %d times: %s", sums.reasons[reason], reason)
		}
	}
	if sums.scored < *placements/10 {
		t.Errorf("only %d scores", sums.scored)
	}
}

// placementSums counts what occurred.
type placementSums struct {
	nodes, fit, scored int
	reasons            map[string]int
}

func namespace(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelMetadataName: name}}}
}

// owners returns the ReplicaSets of all pods that have both labels.
func owners() (list []runtime.Object) {
	for _, app := range []string{"web", "db"} {
		for _, hash := range []string{"h1", "h2"} {
			for _, namespace := range []string{"default", "other"} {
				labels := map[string]string{"app": app, "pod-template-hash": hash}
				list = append(list, &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: app + "-" + hash},
					Spec: appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{MatchLabels: labels}}})
			}
		}
	}
	return list
}

// place compares what is said about one pod, and returns what differs, "" if nothing does.
func (w *placementWorld) place(real *upstream.Scheduler, sums *placementSums) string {
	pod := w.candidate()
	c := convert.New(nil)
	var nodes []*corev1.Node
	for _, n := range w.nodes {
		nodes = append(nodes, c.Convert(n).(*corev1.Node))
	}
	var bound []*corev1.Pod
	for _, p := range w.bound {
		bound = append(bound, upstream.Admit(c.Convert(p).(*corev1.Pod)))
	}
	want, err := real.Judge(nodes, bound, upstream.Admit(c.Convert(pod).(*corev1.Pod)))
	if err != nil {
		return err.Error()
	}
	for _, got := range scheduler.Verdicts(w.nodes, w.bound, pod) {
		v := want[got.Node]
		sums.nodes++
		for _, r := range v.Reasons {
			sums.reasons[r]++
		}
		if len(v.Reasons) == 0 {
			sums.fit++
			if v.Score > 0 {
				sums.scored++
			}
		}
		if !slices.Equal(got.Reasons, v.Reasons) || len(v.Reasons) > 0 && got.Resolvable != v.Resolvable || got.Score != v.Score {
			return fmt.Sprintf("%s: got %q, resolvable %t, score %d, want %q, %t, %d\n%s", got.Node, got.Reasons, got.Resolvable, got.Score,
				v.Reasons, v.Resolvable, v.Score, w.text(pod))
		}
	}
	return ""
}

// text prints a world for whoever looks into a difference.
func (w *placementWorld) text(pod *api.Pod) string {
	text := ""
	for _, n := range w.nodes {
		text += fmt.Sprintf("%s %v %v unschedulable %t %v\n", n.Name, n.Labels, n.Spec.Taints, n.Spec.Unschedulable, n.Status.Allocatable)
	}
	for _, p := range append(slices.Clone(w.bound), pod) {
		spec, err := p.Spec.MarshalJSON()
		if err != nil {
			panic(err)
		}
		text += fmt.Sprintf("%s/%s on %q %v terminating %t: %s\n", p.Namespace, p.Name, p.NodeName, p.Labels, p.Terminating(), spec)
	}
	return text
}
