package recorded

// Pair is one sync of a Deployment: what it saw and what it did.
type Pair struct {
	Scenario string  `json:"sc"`
	Mode     string  `json:"mode"`
	T        int64   `json:"t"`
	Pre      State   `json:"pre"`
	Writes   []Write `json:"w"`
	Events   []Event `json:"ev"`
	Post     State   `json:"post"`
	Err      string  `json:"err"`
}

// Deletion is one choice of a ReplicaSet among its pods.
type Deletion struct {
	Scenario   string   `json:"sc"`
	Mode       string   `json:"mode"`
	T          int64    `json:"t"`
	ReplicaSet string   `json:"rs"`
	Pods       []Pod    `json:"pods"` // of the whole Deployment, in the order of creation
	Deleted    []string `json:"deleted"`
}

// Pod is a pod as a Deletion describes it.
type Pod struct {
	Name     string `json:"name"`
	Owner    string `json:"owner"`
	Image    string `json:"image"`
	Node     string `json:"node"`
	Phase    string `json:"phase"`
	Ready    int64  `json:"ready"` // since when, -1 if it is not Ready
	Born     int64  `json:"born"`
	Term     bool   `json:"term"`
	Restarts int32  `json:"restarts"`
	Cost     string `json:"cost"`
}

// State is a Deployment with its ReplicaSets.
type State struct {
	Deployment  *Deployment  `json:"dep"`
	ReplicaSets []ReplicaSet `json:"rs"` // in the order of creation
}

// Deployment is a Deployment as a recording describes it.
type Deployment struct {
	Generation  int64             `json:"gen"`
	Observed    int64             `json:"obs"`
	Revision    string            `json:"rev"`
	Image       string            `json:"image"`
	Replicas    int32             `json:"replicas"`
	Paused      bool              `json:"paused"`
	Strategy    string            `json:"strategy"`
	Surge       int32             `json:"surge"`    // resolved
	Unavailable int32             `json:"unavail"`  // resolved
	MinReady    int32             `json:"minReady"` // seconds
	Deadline    int32             `json:"deadline"` // seconds
	History     int32             `json:"history"`  // the limit
	Annotations map[string]string `json:"ann"`      // without the controller's own
	Status      [5]int32          `json:"st"`       // replicas, updated, ready, available, unavailable
	Terminating *int32            `json:"term"`     // terminatingReplicas
	Collisions  *int32            `json:"coll"`     // collisionCount
	Conditions  []Condition       `json:"conds"`    // in stored order
}

// ReplicaSet is a ReplicaSet as a recording describes it.
type ReplicaSet struct {
	Name        string            `json:"name"`
	Image       string            `json:"image"` // image@restartedAt after a rollout restart
	Revision    string            `json:"rev"`
	History     string            `json:"hist"`
	Created     int64             `json:"created"`
	Generation  int64             `json:"gen"`
	Observed    int64             `json:"obs"`
	Replicas    int32             `json:"replicas"`
	Status      [4]int32          `json:"st"` // replicas, fullyLabeled, ready, available
	Terminating *int32            `json:"term"`
	Desired     string            `json:"desired"`
	Max         string            `json:"max"`
	MinReady    int32             `json:"minReady"`
	Annotations map[string]string `json:"ann"`
	Conditions  []Condition       `json:"conds"`
	Pods        *PodCounts        `json:"pods"`
}

// PodCounts counts pods; a terminating pod counts only as terminating.
type PodCounts struct {
	Pending     int `json:"pend"`
	Running     int `json:"run"`
	Ready       int `json:"ready"`
	Failed      int `json:"fail"`
	Terminating int `json:"term"`
}

// Condition is a condition; only Deployments use Updated.
type Condition struct {
	Type       string `json:"type"`
	Status     string `json:"status"`
	Reason     string `json:"reason"`
	Message    string `json:"msg"`
	Updated    int64  `json:"upd"`
	Transition int64  `json:"trans"`
}

// Write is a request that a sync sent. Error is the reason if it failed.
type Write struct {
	Verb        string `json:"v"`
	Resource    string `json:"r"`
	Name        string `json:"n"`
	Subresource string `json:"s"`
	Error       string `json:"e"`
}

// Event is a Kubernetes event that a sync sent.
type Event struct {
	Object  string `json:"o"`
	Type    string `json:"ty"`
	Reason  string `json:"re"`
	Message string `json:"m"`
}
