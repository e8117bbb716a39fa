package realcluster

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubelet"
	"github.com/rollplay/rollplay/engine/oracle/conformance/world"
	"github.com/rollplay/rollplay/engine/sim"
)

// Rollout is a workload web that is created, and whose image changes at thirty seconds.
type Rollout struct {
	Kind            string // Deployment, StatefulSet
	Replicas, Nodes int
}

// Milestones are moments of a rollout in ms; the last one counts from the change of the image.
type Milestones struct{ First, All, Complete int64 }

// String prints milestones.
func (m Milestones) String() string {
	return fmt.Sprintf("first available at %d ms, all available at %d ms, complete %d ms after the change", m.First, m.All, m.Complete)
}

// changeAt is when the image changes.
const changeAt = 30 * time.Second

// between is how long one kubelet starts after another.
const between = 370 * time.Millisecond

// patience is how long a rollout may take.
const patience = 2 * time.Minute

// count is a workload's status at a moment, in ms after its creation.
type count struct {
	at                                    int64
	replicas, available, updated, current int32 // current: 1 if the controller has seen the last change of the workload
}

// milestones finds them in the statuses of a workload.
func (r Rollout) milestones(counts []count) (m Milestones) {
	n := int32(r.Replicas)
	for _, c := range counts {
		switch {
		case c.at < changeAt.Milliseconds():
			if c.available > 0 && m.First == 0 {
				m.First = c.at
			}
			if c.available == n && m.All == 0 {
				m.All = c.at
			}
		case c.current == 1 && c.available == n && c.updated == n && c.replicas == n && m.Complete == 0:
			m.Complete = c.at - changeAt.Milliseconds()
		}
	}
	return m
}

// Real runs a rollout in a cluster of upstream's programs. Its kubelets start one after the other, the first at a phase after a full second;
// kubeletQPS limits the requests of each, in requests per second after a burst.
func (r Rollout) Real(t *testing.T, phase time.Duration, uids identities, kubeletQPS float32) Milestones {
	root := t.TempDir()
	realkubelet.Jitter(0)
	var counts []count
	realkubelet.Bubble(t, func() { counts = r.run(root, phase, uids, kubeletQPS) })
	return r.milestones(counts)
}

// machines are the kubelets' machines: images are pulled in 1 s, containers start in 300 ms and stop in 1 s.
var machines = realkubelet.Options{
	Programs: func(string, string, string) realkubelet.Program {
		return realkubelet.Program{Starts: 300 * time.Millisecond, Stops: time.Second, Exits: -1}
	},
	Pull: func(string) (time.Duration, error) { return time.Second, nil },
	Note: func(string, string) {},
}

func (r Rollout) run(root string, phase time.Duration, uids identities, kubeletQPS float32) (counts []count) {
	began := time.Now().Truncate(time.Second).Add(2 * time.Minute)
	time.Sleep(phase - realkubelet.Early)
	c := start(root, r.Nodes, between, uids, kubeletQPS, machines)
	ctx, cancel := context.WithCancel(context.Background())
	var mu sync.Mutex
	note := func(n count) {
		mu.Lock()
		defer mu.Unlock()
		n.at = time.Since(began).Round(time.Millisecond).Milliseconds()
		counts = append(counts, n)
	}
	time.Sleep(time.Until(began))
	must(r.create(ctx, c))
	r.watch(ctx, c, note)
	time.Sleep(time.Until(began.Add(changeAt)))
	must(r.change(ctx, c))
	time.Sleep(patience)
	cancel()
	c.stop()
	mu.Lock()
	defer mu.Unlock()
	return counts
}

func template() corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i:1"}}}}
}

func (r Rollout) create(ctx context.Context, c *cluster) (err error) {
	n, meta := int32(r.Replicas), metav1.ObjectMeta{Name: "web"}
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	if r.Kind == "StatefulSet" {
		_, err = c.client.AppsV1().StatefulSets("default").Create(ctx, &appsv1.StatefulSet{ObjectMeta: meta,
			Spec: appsv1.StatefulSetSpec{Replicas: &n, Selector: selector, Template: template()}}, metav1.CreateOptions{})
		return err
	}
	_, err = c.client.AppsV1().Deployments("default").Create(ctx, &appsv1.Deployment{ObjectMeta: meta,
		Spec: appsv1.DeploymentSpec{Replicas: &n, Selector: selector, Template: template()}}, metav1.CreateOptions{})
	return err
}

func (r Rollout) change(ctx context.Context, c *cluster) (err error) {
	patch := []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:2"}]}}}}`)
	if r.Kind == "StatefulSet" {
		_, err = c.client.AppsV1().StatefulSets("default").Patch(ctx, "web", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
		return err
	}
	_, err = c.client.AppsV1().Deployments("default").Patch(ctx, "web", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	return err
}

// watch notes each status of the workload.
func (r Rollout) watch(ctx context.Context, c *cluster, note func(count)) {
	deployments, err := c.client.AppsV1().Deployments("").Watch(ctx, metav1.ListOptions{})
	must(err)
	sets, err := c.client.AppsV1().StatefulSets("").Watch(ctx, metav1.ListOptions{})
	must(err)
	go func() {
		for e := range deployments.ResultChan() {
			if d, ok := e.Object.(*appsv1.Deployment); ok {
				s := d.Status
				note(count{0, s.Replicas, s.AvailableReplicas, s.UpdatedReplicas, seen(d.Generation, s.ObservedGeneration)})
			}
		}
	}()
	go func() {
		for e := range sets.ResultChan() {
			if d, ok := e.Object.(*appsv1.StatefulSet); ok {
				s := d.Status
				note(count{0, s.Replicas, s.AvailableReplicas, s.UpdatedReplicas, seen(d.Generation, s.ObservedGeneration)})
			}
		}
	}()
}

func seen(generation, observed int64) int32 {
	if generation == observed {
		return 1
	}
	return 0
}

// Ours runs the same rollout in the engine, whose kubelets tick as the real ones.
func (r Rollout) Ours(phase time.Duration) (Milestones, identities) {
	w := world.Start(r.text())
	w.Kubelet().SetChance(func(node string) sim.Time {
		i, err := strconv.Atoi(strings.TrimPrefix(node, "node-"))
		must(err)
		return (phase + time.Duration(i-1)*between).Milliseconds() % 2000
	}, 0)
	for !w.Run.Advance(1000) {
	}
	var counts []count
	uids := identities{}
	for _, c := range w.Server.Store.Log {
		switch o := c.New.(type) {
		case *api.Pod:
			if image := o.Spec.Containers[0].Image; c.Type == sim.Added {
				uids[image] = append(uids[image], types.UID(o.UID))
			}
		case *api.Deployment:
			s := &o.Status
			counts = append(counts, count{int64(c.At), s.Replicas, s.AvailableReplicas, s.UpdatedReplicas, seen(o.Generation, s.ObservedGeneration)})
		case *api.StatefulSet:
			s := &o.Status
			counts = append(counts, count{int64(c.At), s.Replicas, s.AvailableReplicas, s.UpdatedReplicas, seen(o.Generation, s.ObservedGeneration)})
		}
	}
	return r.milestones(counts), uids
}

func (r Rollout) text() string {
	return fmt.Sprintf(`apiVersion: rollplay/v1alpha1
kind: Scenario
metadata: {name: rollout}
spec:
  duration: 150s
  nodes: {count: %d, cpu: "1", memory: 3840Mi}
  images:
  - {match: "*", pull: 1s, start: 300ms, stop: 1s}
  timeline:
  - {at: 30s, run: kubectl set image %s/web c=i:2}
---
apiVersion: apps/v1
kind: %s
metadata: {name: web}
spec:
  replicas: %d
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "i:1"}]}
`, r.Nodes, strings.ToLower(r.Kind), r.Kind, r.Replicas)
}
