package upstream

import (
	"context"
	"fmt"

	"k8s.io/client-go/util/workqueue"

	"github.com/rollplay/rollplay/engine/api"
)

// worker is the worker of a real controller.
type worker struct {
	queue *queue
	err   error // of the last reconcile
}

// replaceQueue replaces the controller's work queue.
func (w *worker) replaceQueue(c any) {
	w.queue = newQueue()
	replaceQueue[workqueue.TypedRateLimitingInterface[string]](c, "queue", w.queue)
}

func replaceQueue[Q interface{ ShutDown() }](c any, name string, with Q) {
	q := fieldOf[Q](c, name)
	(*q).ShutDown()
	*q = with
}

// noteErrors notes the errors that a controller's reconciles return.
func (w *worker) noteErrors(c any) {
	handler := fieldOf[func(context.Context, string) error](c, "syncHandler")
	sync := *handler
	*handler = func(ctx context.Context, key string) (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("upstream panics: %v", r)
			}
			w.err = err
		}()
		return sync(ctx, key)
	}
}

// work lets the controller reconcile a key, and returns when it is done.
func (w *worker) work(s *Server, key string) {
	w.err = nil
	w.queue.keys <- key
	if s.store.Table(api.KindResourceQuota).Len() > 0 {
		s.attend(w.queue.done)
	} else {
		<-w.queue.done
	}
}
