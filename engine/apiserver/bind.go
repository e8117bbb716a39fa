package apiserver

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// Bind assigns a pod to a node, as the scheduler's POST to pods/binding does: one write sets the node's name and the condition
// PodScheduled (registry/core/pod/storage/storage.go:BindingREST.setPodNodeAndMetadata).
func (c *Client) Bind(key api.Key, nodeName, what string, why *sim.Explain) error {
	o, err := c.Get(key)
	if err != nil {
		return err
	}
	pod := o.(*api.Pod)
	switch {
	case pod.Terminating():
		return &api.StatusError{Reason: api.ReasonConflict, Message: fmt.Sprintf("pod %s is being deleted, cannot be assigned to a host", pod.Name)}
	case pod.NodeName != "":
		return &api.StatusError{Reason: api.ReasonConflict, Message: fmt.Sprintf("pod %s is already assigned to node %q", pod.Name, pod.NodeName)}
	}
	bound := pod.CopyForStatus()
	bound.NodeName = nodeName
	bound.Status.Conditions = api.SetPodCondition(bound.Status.Conditions, api.Condition{Type: "PodScheduled", Status: "True"}, c.Timestamp())
	c.server.Store.Put(bound, sim.Record{Actor: c.Actor, What: what, Why: why})
	return nil
}
