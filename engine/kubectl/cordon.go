package kubectl

import "github.com/rollplay/rollplay/engine/api"

// setUnschedulable returns what cordons nodes, or uncordons them.
func setUnschedulable(on bool, what string) func(*Kubectl, *command) error {
	return func(k *Kubectl, c *command) error {
		nodes, err := k.nodes(c)
		if err != nil {
			return err
		}
		return forEach(c, nodes, func(key api.Key) (string, error) { return k.cordonOne(c, key, on, what) })
	}
}

// nodes returns the nodes that a command is about. If one is not there, nothing is done to the others (P-23).
func (k *Kubectl) nodes(c *command) ([]api.Key, error) {
	nodes := k.objects(c)
	for _, key := range nodes {
		if _, err := k.find(c, key); err != nil {
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
	node := api.Copy(o.(*api.Node))
	if node.Spec.Unschedulable == on {
		return c.said(key, "already "+what), nil
	}
	node.Spec.Unschedulable = on
	return k.putAndSay(c, node, what)
}
