package compare

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
)

// TestEvictionRace makes upstream retry: a second eviction writes to the budget while the first is under way, which cannot
// happen in the engine. The result must be that of the two evictions one after the other.
func TestEvictionRace(t *testing.T) {
	for _, allowed := range []int32{0, 1, 2, 3} {
		synctest.Test(t, func(t *testing.T) {
			w := newEvictionWorld(0)
			b := &api.PodDisruptionBudget{ObjectMeta: w.meta("b", 1)}
			b.Spec.Selector, b.Status.ObservedGeneration = &api.LabelSelector{}, 1
			b.Status.DisruptionsAllowed, b.Status.CurrentHealthy, b.Status.DesiredHealthy = allowed, 5, 5-allowed
			w.put(b)
			slow, quick := w.readyPod("slow"), w.readyPod("quick")
			theirs, conflicts := w.race(slow, quick)
			waited := time.Until(w.wall()) < -400*time.Millisecond
			if want := allowed > 0; waited != want || conflicts > 0 != want {
				t.Errorf("%d allowed: there were %d conflicts, and upstream waited: %t", allowed, conflicts, waited)
			}
			left := w.left(w.judged.server.Stored)
			var ours [2]upstream.Answer
			for i, key := range []api.Key{quick, slow} {
				ours[i] = ourAnswer(w.client.Evict(key, apiserver.EvictOptions{}))
			}
			if ours != theirs {
				t.Errorf("%d allowed: the answers are %v, upstream's %v", allowed, ours, theirs)
			}
			if ours := w.left(w.stored); ours != left {
				t.Errorf("%d allowed: left are %s, upstream %s", allowed, ours, left)
			}
		})
	}
}

// race makes the real handler evict the quick pod while it evicts the slow one, right before it counts the slow one off. It
// returns the answers, the quick one's first, and how often the slow one met a conflict.
func (w *evictionWorld) race(slow, quick api.Key) (answers [2]upstream.Answer, conflicts int) {
	e, done := &w.judged, false
	evictQuick := func() {
		if !done {
			done = true
			answers[0] = e.evictor.Evict(quick, apiserver.EvictOptions{})
		}
	}
	client := &racing{client: e.budgets, before: evictQuick}
	e.evictor = upstream.NewEvictor(e.server, client)
	e.server.Begin()
	answers[1] = e.evictor.Evict(slow, apiserver.EvictOptions{})
	evictQuick() // if the slow one was refused before it wrote
	return answers, client.conflicts
}

// stored is the engine's object in its real form.
func (w *evictionWorld) stored(key api.Key) convert.Object {
	return w.judged.converter.Convert(w.server.Store.Get(key))
}

// left prints the state after two evictions, without times.
func (w *evictionWorld) left(stored func(api.Key) convert.Object) string {
	goes := func(name string) bool {
		return stored(api.Key{Kind: api.KindPod, Namespace: "default", Name: name}).GetDeletionTimestamp() != nil
	}
	b := stored(api.Key{Kind: api.KindPodDisruptionBudget, Namespace: "default", Name: "b"}).(*policyv1.PodDisruptionBudget)
	return fmt.Sprintf("slow goes %t, quick goes %t, %d allowed, disrupted %v", goes("slow"), goes("quick"),
		b.Status.DisruptionsAllowed, slices.Sorted(maps.Keys(b.Status.DisruptedPods)))
}

// racing is a client of budgets that calls before first.
type racing struct {
	policyclient.PodDisruptionBudgetInterface
	client    policyclient.PodDisruptionBudgetsGetter
	before    func() // is called before a status is written
	conflicts int
}

// PodDisruptionBudgets returns the client for a namespace.
func (r *racing) PodDisruptionBudgets(namespace string) policyclient.PodDisruptionBudgetInterface {
	r.PodDisruptionBudgetInterface = r.client.PodDisruptionBudgets(namespace)
	return r
}

// UpdateStatus lets the other eviction write first.
func (r *racing) UpdateStatus(ctx context.Context, b *policyv1.PodDisruptionBudget, opts metav1.UpdateOptions) (
	*policyv1.PodDisruptionBudget, error) {
	r.before()
	b, err := r.PodDisruptionBudgetInterface.UpdateStatus(ctx, b, opts)
	if apierrors.IsConflict(err) {
		r.conflicts++
	}
	return b, err
}
