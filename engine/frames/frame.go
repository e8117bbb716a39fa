// Package frames counts the pods of each workload after every record: for the charts, the judge and the diagnosis.
//
// StatefulSets and DaemonSets have frames like Deployments, with ControllerRevisions in place of ReplicaSets. Their bounds are
// those that their controllers enforce: no pod above the size (except a DaemonSet's surge), and maxUnavailable below it; under
// OnDelete there is no lower bound. Recreate promises nothing, so its lower bound is 0; upstream's own arithmetic gives replicas,
// which is used only for the Available condition.
package frames

import "slices"

// Frame is the counts of one workload after one record, as the charts draw them. They are true in the cluster at that moment;
// the controllers may learn them later.
type Frame struct {
	T           int64      `json:"t"`        // virtual ms
	Record      int        `json:"-"`        // index of the record after which it holds
	Workload    string     `json:"workload"` // Deployment/default/web
	Desired     int        `json:"desired"`  // spec.replicas
	Total       int        `json:"total"`    // pods that status.replicas counts: neither finished nor terminating
	Ready       int        `json:"ready"`
	Available   int        `json:"available"`
	Updated     int        `json:"updated"`     // pods of Total with the present template
	Terminating int        `json:"terminating"` // on top of Total
	Upper       int        `json:"upper"`       // desired + maxSurge
	Lower       int        `json:"lower"`       // desired - maxUnavailable; 0 for Recreate, which promises nothing
	ReplicaSets []*RSFrame `json:"replicaSets"` // existing ones, oldest first; ControllerRevisions of other kinds
}

// Complete says whether the workload has exactly the pods that it wants, all of the present template and available.
func (f *Frame) Complete() bool {
	return f.Total == f.Desired && f.Available == f.Desired && f.Updated == f.Desired
}

// ReplicaSet returns the part of the frame that belongs to a ReplicaSet, nil if it has none.
func (f *Frame) ReplicaSet(name string) *RSFrame {
	if i := slices.IndexFunc(f.ReplicaSets, func(rs *RSFrame) bool { return rs.Name == name }); i >= 0 {
		return f.ReplicaSets[i]
	}
	return nil
}

// RSFrame is the part of a Frame that belongs to one ReplicaSet or ControllerRevision. Frames share it while it does not change:
// of four hundred ReplicaSets most are empty. It must not be changed.
type RSFrame struct {
	Name      string `json:"name"`
	Revision  int    `json:"revision"`
	Spec      int    `json:"spec"`
	Replicas  int    `json:"replicas"`
	Ready     int    `json:"ready"`
	Available int    `json:"available"`
}
