package engine

// Snapshot is the cluster after one record, as tables: what kubectl get would print. Rows are comparable values.
type Snapshot struct {
	T           int64
	Record      int
	Deployments []DeploymentRow
	ReplicaSets []ReplicaSetRow
	Others      []Table  // of the other kinds that there are objects of
	Pods        []PodRow // by name
	AllPods     int      // how many there are, if not all of them are in Pods
}

// DeploymentRow is a line of `kubectl get deploy` (K-40) and what the controls need beside it.
type DeploymentRow struct {
	Namespace, Name string
	Ready           string // "3/10"
	UpToDate        int
	Available       int
	Age             string
	Replicas        int // spec.replicas
	Revision        int
	Paused          bool
	Containers      string // container names, comma separated, in order
	Images          string // images in the same order
}

// ReplicaSetRow is a line of `kubectl get rs` (K-41).
type ReplicaSetRow struct {
	Namespace, Name         string
	Desired, Current, Ready int
	Age                     string
	Available               int
	Revision                int
	Owner                   string // name of the Deployment; empty if none
	Images                  string
	New                     bool // the Deployment's present template
}

// PodRow is a line of `kubectl get pods` (K-44).
type PodRow struct {
	Namespace, Name string
	Ready           string // "1/1"
	Status          string // K-52: Pending, ContainerCreating, Running, Terminating, ...
	Restarts        int
	Age             string
	Node            string
	ReplicaSet      string // the owner, whatever its kind; empty if none
	IsReady         bool
	IsAvailable     bool
	Terminating     bool
}
