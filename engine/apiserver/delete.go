package apiserver

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// Finalizers that keep an owner until the garbage collector has handled its dependents.
const (
	FinalizerForeground = "foregroundDeletion"
	FinalizerOrphan     = "orphan"
)

// Propagation says what happens to the dependents of a deleted object.
type Propagation string

// The values of kubectl's --cascade, and none: what the object's finalizers say, else Background.
const (
	Unspecified Propagation = ""
	Background  Propagation = "background"
	Foreground  Propagation = "foreground"
	Orphan      Propagation = "orphan"
)

// finalizers returns the finalizers of an object that is deleted in this way; the last decision counts
// (registry/store.go:deletionFinalizersForGarbageCollection).
func (p Propagation) finalizers(list []string) []string {
	if p == Unspecified {
		return list
	}
	list = slices.DeleteFunc(slices.Clone(list), func(f string) bool { return f == FinalizerForeground || f == FinalizerOrphan })
	switch p {
	case Foreground:
		list = append(list, FinalizerForeground)
	case Orphan:
		list = append(list, FinalizerOrphan)
	}
	return list
}

// DeleteOptions are the options of a deletion. The zero value is what the controllers use.
type DeleteOptions struct {
	GracePeriodSeconds *int64 // of a pod; nil: the pod's own
	Propagation        Propagation
}

// WithoutGrace removes a pod at once.
var WithoutGrace = DeleteOptions{GracePeriodSeconds: new(int64)}

// Delete deletes an object. A running pod gets its grace period; everything else is removed at once, unless its
// dependents must be deleted or orphaned first. A second deletion can change how. The error is NotFound.
func (c *Client) Delete(key api.Key, opts DeleteOptions, what string, why *sim.Explain) error {
	o, err := c.Get(key)
	if err != nil {
		return err
	}
	record := sim.Record{Actor: c.Actor, What: what, Why: why}
	if pod, ok := o.(*api.Pod); ok {
		c.deletePod(pod, opts.GracePeriodSeconds, record)
		return nil
	}
	finalizers := opts.Propagation.finalizers(o.Meta().Finalizers)
	switch {
	case len(finalizers) == 0:
		c.server.Store.Remove(key, record)
		return nil
	case o.Meta().Terminating() && slices.Equal(finalizers, o.Meta().Finalizers):
		return nil // it waits for its finalizers
	}
	o = api.Copy(o)
	m := o.Meta()
	if !m.Terminating() {
		m.DeletionTimestamp = c.Timestamp()
		if m.Generation > 0 {
			m.Generation++
		}
	}
	m.Finalizers = finalizers
	c.server.Store.Put(o, record)
	return nil
}

// deletePod marks a pod for deletion, or removes it at once if no container has to stop. With a grace period of 30 s,
// at 12 s:
//
//	kubectl delete pod                   deletionTimestamp 42 s
//	--grace-period=5                     17 s
//	--grace-period=-7                    13 s: a negative period is 1 s
//	--grace-period=0, or not scheduled   removed at 12 s
//
// Simplified: upstream stores a pod without a grace period as terminating and removes it with a second write, so that a watch
// gets two events. Here it gets only the removal.
func (c *Client) deletePod(pod *api.Pod, grace *int64, record sim.Record) {
	if grace != nil && *grace < 0 {
		grace = api.Ptr[int64](1)
	}
	if pod.Terminating() {
		c.shorten(pod, grace, record)
		return
	}
	g := pod.Spec.TerminationGracePeriodSeconds
	if grace != nil {
		g = *grace
	}
	switch {
	case pod.NodeName == "" || pod.Finished():
		g = 0
	case g < 0:
		g = 1
	}
	if g == 0 {
		c.endPod(pod, record)
		return
	}
	marked := *pod
	marked.DeletionTimestamp = api.TimeAt(c.Now() + g*1000)
	marked.DeletionGracePeriodSeconds = g
	marked.Generation++
	c.server.Store.Put(&marked, record)
}

// shorten deletes a terminating pod again: only a shorter period changes anything, whether or not the pod still runs. The new
// period counts from the first deletion (rest.BeforeDelete). A pod deleted at 12 s with 30 s, and at 20 s again with
//
//	10 s  ends at 22 s
//	 5 s  would end at 17 s, which has passed: it gets one more second, counted from now
//	 0 s  is removed at once
func (c *Client) shorten(pod *api.Pod, grace *int64, record sim.Record) {
	if grace == nil || *grace >= pod.DeletionGracePeriodSeconds && *grace > 0 {
		return
	}
	if *grace == 0 {
		c.endPod(pod, record)
		return
	}
	marked := *pod
	marked.DeletionGracePeriodSeconds = *grace
	marked.DeletionTimestamp += api.Time(*grace - pod.DeletionGracePeriodSeconds)
	if marked.DeletionTimestamp.Milli() < c.Now() {
		marked.DeletionTimestamp, marked.DeletionGracePeriodSeconds = c.Timestamp(), 1
	}
	c.server.Store.Put(&marked, record)
}

// endPod removes a pod whose grace period is 0. A pod with finalizers is only marked; it is removed with its last finalizer.
func (c *Client) endPod(pod *api.Pod, record sim.Record) {
	switch {
	case len(pod.Finalizers) == 0:
		c.server.Store.Remove(pod.Key(), record)
		return
	case pod.Terminating() && pod.DeletionGracePeriodSeconds == 0:
		return // marked before
	}
	marked := *pod
	if !pod.Terminating() {
		marked.Generation++
	}
	marked.DeletionTimestamp, marked.DeletionGracePeriodSeconds = c.Timestamp(), 0
	record.What = "waits for its finalizers"
	c.server.Store.Put(&marked, record)
}

func (c *Client) remove(o api.Object, what string) {
	c.server.Store.Remove(o.Key(), sim.Record{Actor: c.Actor, What: what, Why: why.Rule("A-9", "staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go:Update")})
}
