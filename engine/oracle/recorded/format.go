package recorded

import "github.com/rollplay/rollplay/engine/api"

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

// Pod is a pod as a Deletion knows it.
type Pod struct {
	Name     string `json:"name"`
	Owner    string `json:"owner"`
	Image    string `json:"image"`
	Node     string `json:"node"`
	Phase    string `json:"phase"`
	Ready    int64  `json:"ready"` // since when, -1 if it is not
	Born     int64  `json:"born"`
	Term     bool   `json:"term"`
	Restarts int32  `json:"restarts"`
	Cost     string `json:"cost"`
}

// Record is a line of a trace.
type Record struct {
	Kind   string  `json:"rec"` // head, op, evict, sync, tick or end
	T      int64   `json:"t"`
	Head   *Head   `json:"head"`
	Op     *Op     `json:"op"`
	Err    string  `json:"err"`
	Same   bool    `json:"same"` // the state of a tick is that of the tick before
	Writes []Write `json:"w"`    // of a sync
	State          // of a tick, and in part of a sync
}

// Head opens a scenario.
type Head struct {
	Mode     string   `json:"mode"`
	Scenario Scenario `json:"scenario"`
}

// Scenario is what was run.
type Scenario struct {
	Name   string               `json:"name"`
	Kind   string               `json:"kind"`
	Nodes  int                  `json:"nodes"`
	Spec   Spec                 `json:"spec"`
	Images map[string]Behaviour `json:"images"`
	PDB    *PDBSpec             `json:"pdb"`
	Quota  *int64               `json:"quota"`
	Ops    []Op                 `json:"ops"`
}

// Spec is the workload of a scenario. What is absent has the API's default.
type Spec struct {
	Image                   string            `json:"image"`
	Replicas                *int32            `json:"replicas"`
	Strategy                string            `json:"strategy"`
	MaxSurge                *api.IntOrString  `json:"maxSurge"`
	MaxUnavailable          *api.IntOrString  `json:"maxUnavailable"`
	MinReadySeconds         int32             `json:"minReadySeconds"`
	ProgressDeadlineSeconds *int32            `json:"progressDeadlineSeconds"`
	RevisionHistoryLimit    *int32            `json:"revisionHistoryLimit"`
	Paused                  bool              `json:"paused"`
	Partition               *int32            `json:"partition"`
	PodManagementPolicy     string            `json:"podManagementPolicy"`
	OrdinalsStart           int32             `json:"ordinalsStart"`
	NodeSelector            map[string]string `json:"nodeSelector"`
}

// Behaviour is what the pods of an image do, in seconds.
type Behaviour struct {
	Start   *int64  `json:"start"` // from binding to Running, default 1
	Ready   []int64 `json:"ready"` // from binding to Ready, round robin over the pods of the image, default 2
	Never   bool    `json:"never"` // never Ready
	Crash   int64   `json:"crash"` // from Ready to the death of the container, 0: it lives
	Recover int64   `json:"recover"`
	Fail    int64   `json:"fail"` // from binding to phase Failed, 0: never
	Stop    int64   `json:"stop"` // from the deletion to the end
}

// Op is something that a person did. Which fields are used depends on Op.
type Op struct {
	T              int64            `json:"t"`
	Op             string           `json:"op"`
	Image          string           `json:"image"`
	N              *int64           `json:"n"`
	K              int              `json:"k"`
	Count          *int             `json:"count"`
	Node           string           `json:"node"`
	Key            string           `json:"key"`
	Value          string           `json:"value"`
	Strategy       string           `json:"strategy"`
	MaxSurge       *api.IntOrString `json:"maxSurge"`
	MaxUnavailable *api.IntOrString `json:"maxUnavailable"`
	Desired        string           `json:"desired"`
	Max            string           `json:"max"`
	PDB            *PDBSpec         `json:"pdb"`
}

// PDBSpec is a PodDisruptionBudget's spec.
type PDBSpec struct {
	MinAvailable               *api.IntOrString `json:"minAvailable"`
	MaxUnavailable             *api.IntOrString `json:"maxUnavailable"`
	UnhealthyPodEvictionPolicy string           `json:"unhealthyPodEvictionPolicy"`
}

// State is a Deployment with its ReplicaSets, or else a StatefulSet or a DaemonSet with its pods, and the budget.
type State struct {
	Deployment  *Deployment  `json:"dep"`
	ReplicaSets []ReplicaSet `json:"rs"` // in the order of creation
	StatefulSet *StatefulSet `json:"sts"`
	DaemonSet   *DaemonSet   `json:"ds"`
	Pods        []SetPod     `json:"pods"`
	Budget      *Budget      `json:"pdb"`
}

// Budget is what a recording knows of a PodDisruptionBudget.
type Budget struct {
	Generation int64            `json:"gen"`
	Observed   int64            `json:"obs"`
	Status     [4]int32         `json:"st"` // expected, healthy, desired, allowed
	Disrupted  map[string]int64 `json:"disrupted"`
	Conditions []Condition      `json:"conds"`
}

// StatefulSet is what a recording knows of a StatefulSet.
type StatefulSet struct {
	Generation int64      `json:"gen"`
	Observed   int64      `json:"obs"`
	Image      string     `json:"image"`
	Replicas   int32      `json:"replicas"`
	Strategy   string     `json:"strategy"`
	Policy     string     `json:"policy"`
	Status     [5]int32   `json:"st"`     // replicas, ready, available, current, updated
	Current    string     `json:"curRev"` // names of revisions
	Update     string     `json:"updRev"`
	Revisions  []Revision `json:"revs"`
}

// DaemonSet is what a recording knows of a DaemonSet.
type DaemonSet struct {
	Generation int64      `json:"gen"`
	Observed   int64      `json:"obs"`
	Image      string     `json:"image"`
	Status     [7]int32   `json:"st"` // desired, current, misscheduled, ready, updated, available, unavailable
	Revisions  []Revision `json:"revs"`
}

// Revision is a ControllerRevision; a list of them is sorted by number.
type Revision struct {
	Name   string `json:"name"`
	Number int64  `json:"n"`
	Image  string `json:"image"`
}

// SetPod is a pod of a StatefulSet or a DaemonSet.
type SetPod struct {
	Name     string `json:"name"`
	Image    string `json:"image"`
	Revision string `json:"rev"` // its label
	Node     string `json:"node"`
	Phase    string `json:"phase"`
	Ready    int64  `json:"ready"` // since when, -1 if it is not
	Born     int64  `json:"born"`
	Restarts int32  `json:"restarts"`
	Term     bool   `json:"term"`
}

// Deployment is what a recording knows of a Deployment.
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
	Annotations map[string]string `json:"ann"`      // without those that the controller keeps
	Status      [5]int32          `json:"st"`       // replicas, updated, ready, available, unavailable
	Terminating *int32            `json:"term"`     // terminatingReplicas
	Collisions  *int32            `json:"coll"`     // collisionCount
	Conditions  []Condition       `json:"conds"`    // in stored order
}

// ReplicaSet is what a recording knows of a ReplicaSet.
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

// PodCounts counts pods; terminating ones count only there.
type PodCounts struct {
	Pending     int `json:"pend"`
	Running     int `json:"run"`
	Ready       int `json:"ready"`
	Failed      int `json:"fail"`
	Terminating int `json:"term"`
}

// Condition is a condition; Updated is only used by Deployments.
type Condition struct {
	Type       string `json:"type"`
	Status     string `json:"status"`
	Reason     string `json:"reason"`
	Message    string `json:"msg"`
	Updated    int64  `json:"upd"`
	Transition int64  `json:"trans"`
}

// Write is a request that a sync sent. Error is the reason of a refusal.
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
