package realserver

import (
	"context"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/rest"
	pods "k8s.io/kubernetes/pkg/registry/core/pod/storage"
)

// evictions decides over evictions that come at the same moment one after the other, in the order of the pods' names. kubectl drain sends
// them all at once: which of two comes first, so that the budget admits it, would be chance.
type evictions struct {
	*pods.EvictionREST

	mu      sync.Mutex
	waiting []string
}

// turn is much shorter than the ms in which moments are compared. Fake time passes only when nothing else can happen, so after one turn all
// evictions of the moment are there, and in each of the following ones is room for one.
const turn = time.Microsecond

// Create implements rest.NamedCreater.
func (e *evictions) Create(ctx context.Context, name string, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	e.change(func() { e.waiting = append(e.waiting, name) })
	time.Sleep(turn)
	before := 0
	e.change(func() {
		for _, other := range e.waiting {
			if other < name {
				before++
			}
		}
	})
	time.Sleep(time.Duration(1+before) * turn)
	e.change(func() { e.waiting = slices.DeleteFunc(e.waiting, func(other string) bool { return other == name }) })
	return e.EvictionREST.Create(ctx, name, obj, validate, options)
}

func (e *evictions) change(do func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	do()
}
