package realcluster

import (
	"context"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubelet"
)

// TestBoundInOrder: pods that are created at one time are bound in the order of their creation. With a queue that is not apart, it fails.
func TestBoundInOrder(t *testing.T) {
	root := t.TempDir()
	var created, bound []string
	realkubelet.Bubble(t, func() {
		c := start(root, 1, 0, nil, noLimit, machines)
		ctx, cancel := context.WithCancel(context.Background())
		pods, err := c.client.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{})
		must(err)
		go func() {
			for e := range pods.ResultChan() {
				pod, ok := e.Object.(*corev1.Pod)
				switch {
				case !ok:
				case e.Type == watch.Added:
					created = append(created, pod.Name)
				case pod.Spec.NodeName != "" && !slices.Contains(bound, pod.Name):
					bound = append(bound, pod.Name)
				}
			}
		}()
		must(Rollout{"Deployment", 12, 1}.create(ctx, c))
		time.Sleep(10 * time.Second)
		cancel()
		c.stop()
	})
	if len(created) != 12 || !slices.Equal(bound, created) {
		t.Errorf("created: %v\nbound:   %v", created, bound)
	}
}
