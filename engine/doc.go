// Package engine computes what Kubernetes does with a scenario, and keeps every step of it.
//
// A Recording (the text of a scenario and timed commands) is all that goes in. Start parses it, Advance computes it in
// slices, and everything that happened is a Record: writes, decisions with their sums, Kubernetes events, commands with
// their answers. Frames are the counts that a chart draws, a Snapshot is the tables of one moment. Equal recordings give
// equal bytes, natively and in WebAssembly, for ever.
//
// What is simulated: the API server's defaulting, validation, conflicts, graceful deletion, quota and ownership; the
// Deployment and ReplicaSet controllers of the pinned version with their queues, caches, retries and expectations; a
// scheduler that filters as the real one and scores more simply; kubelets that pull, start, probe, restart and stop
// containers by the behaviour that the scenario gives their images; kubectl's writing commands. What is simplified on
// purpose is marked "Simplified:" where it is done.
//
// A caller must do three things:
//
//  1. Show the diagnostics of Start: a recording with an error has no run. Keep the run that you have.
//  2. Call Advance until it says that the run is done, in slices as long as the screen can wait. What is computed can be
//     read in between; it does not change any more.
//  3. To act at a moment t that is shown, start a new run with the commands up to t and one more at ActAt(t). What
//     happened up to t is the same in both runs.
package engine
