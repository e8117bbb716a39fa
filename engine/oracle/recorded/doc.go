// Package recorded replays decisions of the real controllers through ours and compares what they do.
//
// The recordings were made with the controllers of k8s.io/kubernetes, one sync at a time, in virtual time. Two kinds of files
// hold them, both of them gzipped JSON, one record a line:
//
//   - sync-pairs.jsonl.gz: single syncs of a Deployment as a function: the state before, the writes, the events, and the
//     state after.
//   - rs-deletes.jsonl.gz: the pods that a ReplicaSet saw, and the pods that it chose to delete.
//
// Neither needs a model of the rest of a cluster: what is on trial are the controllers and the API server. Recordings of whole
// runs (*.trace.jsonl.gz) are skipped: engine/oracle/conformance runs the real controllers beside ours and judges every sync.
//
// Replay replays a directory; the command cmd/traces does so and prints the differences. Nothing here is part of the
// simulator.
package recorded
