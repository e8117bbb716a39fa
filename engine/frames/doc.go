// Package frames counts the pods of each workload after every record: for the charts, the judge and the diagnosis.
//
// StatefulSets and DaemonSets have frames like Deployments, with ControllerRevisions in place of ReplicaSets. Their bounds are
// those that their controllers enforce: no pod above the size (except a DaemonSet's surge), and maxUnavailable below it; under
// OnDelete there is no lower bound. Recreate promises nothing, so its lower bound is 0; upstream's own arithmetic gives replicas,
// which is used only for the Available condition.
package frames
