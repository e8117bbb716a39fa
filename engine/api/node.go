package api

// Taint keeps pods away from a node that do not tolerate it.
type Taint struct {
	Key       string `json:"key"`
	Value     string `json:"value,omitempty"`
	Effect    string `json:"effect"`             // NoSchedule, PreferNoSchedule or NoExecute
	TimeAdded Time   `json:"timeAdded,omitzero"` // of a NoExecute taint, by the node lifecycle controller
}

// Node is v1 Node.
type Node struct {
	ObjectMeta `json:"metadata"`
	Spec       NodeSpec   `json:"spec,omitzero"`
	Status     NodeStatus `json:"status,omitzero"`
}

// NodeSpec is what an administrator says about a node.
type NodeSpec struct {
	Unschedulable bool    `json:"unschedulable,omitempty"`
	Taints        []Taint `json:"taints,omitempty"`
}

// NodeStatus is what the node offers. A resource that is missing in Allocatable is not limited [X]. Conditions are set
// by the node's lifecycle.
type NodeStatus struct {
	Capacity    map[string]Quantity `json:"capacity,omitempty"`
	Allocatable map[string]Quantity `json:"allocatable,omitempty"`
	Conditions  []Condition         `json:"conditions,omitempty"`
}
