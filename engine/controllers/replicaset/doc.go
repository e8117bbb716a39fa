// Package replicaset is the ReplicaSet controller: it creates and deletes pods until each ReplicaSet has spec.replicas.
// replica_set.go and replica_set_utils.go answer to the files of these names in pkg/controller/replicaset of the pinned
// version (v1.37.1). ranking.go answers to ActivePodsWithRanks in pkg/controller/controller_utils.go; tally.go, to no file.
//
// The controller counts incrementally. Upstream counts all pods of a ReplicaSet in every sync, which is a million reads when a
// thousand pods become ready one by one. Ours updates the numbers with each change of a pod and reads the pods themselves only
// when it matters which ones they are: to create, delete or adopt, with minReadySeconds, or when labels differ. The conformance
// module compares every sync, so it would show a difference between the two ways of counting.
//
// The controller picks the pods to delete one by one instead of sorting them: upstream's ranking is not transitive when
// pods of one rank have the same age, so the outcome would depend on the sorting algorithm, and ours must not change with the
// standard library.
package replicaset
