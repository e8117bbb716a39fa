package apiserver

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// Finalizers that let dependents be dealt with before an owner goes.
const (
	FinalizerForeground = "foregroundDeletion"
	FinalizerOrphan     = "orphan"
)

// Propagation says what becomes of the dependents of a deleted object.
type Propagation uint8

// The ways of kubectl's --cascade; Background is its default.
const (
	Background Propagation = iota
	Foreground
	Orphan
)

// DeleteOptions are the options of a deletion. The zero value is what kubectl and the controllers use.
type DeleteOptions struct {
	GracePeriodSeconds *int64 // of a pod; nil: the pod's own
	Propagation        Propagation
}

// Delete asks for the deletion of an object. A pod that runs gets its grace period; everything else goes at
// once, unless its dependents must go, or be let go, first. The error is NotFound.
func (c *Client) Delete(key api.Key, opts DeleteOptions, what string, why *sim.Explain) error {
	o, err := c.Get(key)
	if err != nil {
		return err
	}
	if pod, ok := o.(*api.Pod); ok {
		c.deletePod(pod, opts.GracePeriodSeconds, what, why)
		return nil
	}
	finalizer := map[Propagation]string{Foreground: FinalizerForeground, Orphan: FinalizerOrphan}[opts.Propagation]
	switch {
	case o.Meta().Terminating():
		return nil // it waits for its finalizers already
	case finalizer == "" && len(o.Meta().Finalizers) == 0:
		c.server.Store.Remove(key, sim.Record{Actor: c.Actor, What: what, Why: why})
		return nil
	}
	o = o.Copy()
	o.Meta().DeletionTimestamp = c.Timestamp()
	if o.Meta().Generation > 0 {
		o.Meta().Generation++
	}
	if finalizer != "" {
		o.Meta().Finalizers = append(o.Meta().Finalizers, finalizer)
	}
	c.server.Store.Put(o, sim.Record{Actor: c.Actor, What: what, Why: why})
	return nil
}

// deletePod marks a pod for deletion, or removes it at once if nothing runs that must be stopped.
//
// Simplified: upstream stores a pod that gets no time as one that goes now, and takes it out with a second write, so that a watch
// hears of it twice. Here it hears of the end only.
func (c *Client) deletePod(pod *api.Pod, grace *int64, what string, why *sim.Explain) {
	if grace != nil && *grace < 0 {
		grace = api.Ptr[int64](1)
	}
	if pod.Terminating() {
		c.shorten(pod, grace, what, why)
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
		c.endPod(pod, what, why)
		return
	}
	marked := *pod
	marked.DeletionTimestamp = api.TimeAt(c.Now() + g*1000)
	marked.DeletionGracePeriodSeconds = g
	marked.Generation++
	c.server.Store.Put(&marked, sim.Record{Actor: c.Actor, What: what, Why: why})
}

// shorten deletes a pod that is being deleted already: only a shorter period changes anything, whether or not the pod still
// runs. It counts from the first deletion; one that is over by now leaves a second, none at all not even that
// (rest.BeforeDelete).
func (c *Client) shorten(pod *api.Pod, grace *int64, what string, why *sim.Explain) {
	if grace == nil || *grace >= pod.DeletionGracePeriodSeconds && *grace > 0 {
		return
	}
	if *grace == 0 {
		c.endPod(pod, what, why)
		return
	}
	marked := *pod
	marked.DeletionGracePeriodSeconds = *grace
	marked.DeletionTimestamp += api.Time(*grace - pod.DeletionGracePeriodSeconds)
	if marked.DeletionTimestamp.Milli() < c.Now() {
		marked.DeletionTimestamp, marked.DeletionGracePeriodSeconds = c.Timestamp(), 1
	}
	c.server.Store.Put(&marked, sim.Record{Actor: c.Actor, What: what, Why: why})
}

// endPod takes a pod out that gets no time any more. One with finalizers is only marked, and goes when the last of them does.
func (c *Client) endPod(pod *api.Pod, what string, why *sim.Explain) {
	record := sim.Record{Actor: c.Actor, What: what, Why: why}
	switch {
	case len(pod.Finalizers) == 0:
		c.server.Store.Remove(pod.Key(), record)
		return
	case pod.Terminating() && pod.DeletionGracePeriodSeconds == 0:
		return // it is marked
	}
	marked := *pod
	if !pod.Terminating() {
		marked.Generation++
	}
	marked.DeletionTimestamp, marked.DeletionGracePeriodSeconds = c.Timestamp(), 0
	record.What = "to be removed without its finalizers"
	c.server.Store.Put(&marked, record)
}

func (c *Client) remove(o api.Object, what string) {
	c.server.Store.Remove(o.Key(), sim.Record{Actor: c.Actor, What: what, Why: why.Rule("A-9", "staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go:Update")})
}
