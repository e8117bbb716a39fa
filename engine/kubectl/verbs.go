package kubectl

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/read"
)

// scale changes spec.replicas (K-34).
func (k *Kubectl) scale(c *command) error {
	n, err := strconv.ParseInt(c.Flags["replicas"], 10, 32)
	if err != nil || n < 0 {
		return errors.New("The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0")
	}
	if have, err := strconv.Atoi(c.Flags["current-replicas"]); err == nil && have < -1 {
		return errors.New("The --current-replicas must specify an integer of -1 or greater")
	}
	if len(k.objects(c)) == 0 {
		return errors.New("no objects passed to scale")
	}
	return k.each(c, func(key api.Key) (string, error) {
		if err := k.scaleOne(c, key, int32(n)); err != nil {
			return "", err
		}
		return c.said(key, "scaled"), nil
	})
}

func (k *Kubectl) scaleOne(c *command, key api.Key, n int32) error {
	o, err := k.client.Get(key)
	if err != nil {
		return err
	}
	o = o.Copy()
	replicas := replicasOf(o)
	want := c.Flags["current-replicas"]
	if want != "" && want != "-1" && want != strconv.Itoa(int(**replicas)) && c.Dry != line.DryClient {
		return fmt.Errorf("Expected replicas to be %s, was %d", want, **replicas)
	}
	*replicas = api.Ptr(n)
	c.record(o)
	_, err = k.put(c, o, fmt.Sprintf("scaled to %d", n))
	return err
}

// replicasOf returns where an object of a kind that can be scaled keeps spec.replicas.
func replicasOf(o api.Object) **int32 {
	switch o := o.(type) {
	case *api.ReplicaSet:
		return &o.Spec.Replicas
	case *api.StatefulSet:
		return &o.Spec.Replicas
	}
	return &o.(*api.Deployment).Spec.Replicas
}

// cordon keeps the scheduler from nodes.
func (k *Kubectl) cordon(c *command) error { return k.setUnschedulable(c, true, "cordoned") }

// uncordon gives nodes back to the scheduler.
func (k *Kubectl) uncordon(c *command) error {
	return k.setUnschedulable(c, false, "uncordoned")
}

func (k *Kubectl) setUnschedulable(c *command, on bool, what string) error {
	nodes, err := k.nodes(c)
	if err != nil {
		return err
	}
	for _, key := range nodes {
		text, err := k.cordonOne(c, key, on, what)
		if err != nil {
			return err
		}
		c.print(text)
	}
	return nil
}

// nodes returns the nodes that a command is about. If one is not there, nothing is done to the others (P-23).
func (k *Kubectl) nodes(c *command) ([]api.Key, error) {
	nodes := k.objects(c)
	for _, key := range nodes {
		if _, err := k.client.Get(key); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

// cordonOne marks a node as unschedulable, or takes the mark away. The taint that goes with it is set by the node
// lifecycle controller (P-23).
func (k *Kubectl) cordonOne(c *command, key api.Key, on bool, what string) (string, error) {
	o, err := k.client.Get(key)
	if err != nil {
		return "", err
	}
	node := o.(*api.Node).DeepCopy()
	if node.Spec.Unschedulable == on {
		return c.said(key, "already "+what), nil
	}
	node.Spec.Unschedulable = on
	if _, err := k.put(c, node, what); err != nil {
		return "", err
	}
	return c.said(key, what), nil
}

// edit names the object that is to be opened; Run puts it into the answer.
func (k *Kubectl) edit(c *command) error {
	if len(c.Targets) > 1 {
		return read.ErrOneObject
	}
	key := c.Targets[0]
	if _, err := k.client.Get(key); err != nil {
		return err
	}
	c.print(line.ResourceName(key) + " opens in the editor; what is changed there is applied")
	return nil
}
