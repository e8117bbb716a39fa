// Package recorded replays recordings of the real controllers through ours and compares what they do.
//
// The recordings were made with the controllers of k8s.io/kubernetes, one sync at a time, in virtual time. Three kinds
// of files hold them, all of them gzipped JSON, one record a line:
//
//   - sync-pairs.jsonl.gz: single syncs of a Deployment as a function: the state before, what was written, the events,
//     and the state after. Nothing is modelled here, so these are the sharpest.
//   - rs-deletes.jsonl.gz: the pods that a ReplicaSet saw, and which of them it chose to delete.
//   - *.trace.jsonl.gz: whole scenarios, with the state at every tick. A tick is one second: the kubelet acts, then the
//     people, then the controllers (cluster.go). The kubelet, the scheduler, the disruption controller and kubectl are
//     the small models of this package, since the recordings had such models, too; what is on trial are the
//     controllers, the API server and the queues.
//
// A directory is replayed with Replay; the command cmd/traces does so and prints the differences. Nothing of this is
// part of the simulator.
package recorded
