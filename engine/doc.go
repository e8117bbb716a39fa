// Package engine computes what Kubernetes does with a scenario and records every step.
//
// Five types are the interface. A Recording, the text of a scenario and timed Commands, is the only input. Start parses it
// and returns a Run, which Advance computes in slices. Whatever happens is a Record: writes, decisions with their sums,
// Kubernetes events, reconciles, commands with their answers. After each record that changes a count of a workload there is
// a Frame with all its counts, which a chart draws. Equal recordings give equal bytes, natively and in WebAssembly.
//
// Run.Past has views of the computed part: the cluster at any record, tables, lives of pods, lanes of StatefulSets and
// DaemonSets, work queues, causes, differences, and the answers of reading kubectl commands. The packages judge
// (broken bounds, and the rules that allow it) and diagnosis (causes of a wait, and commands that end it) read the past and nothing
// else.
//
// # What is simulated
//
//   - The API server: defaulting, validation, conflicts, graceful deletion, ownership, quotas, evictions.
//   - The controllers of Deployments, ReplicaSets, StatefulSets, DaemonSets, PodDisruptionBudgets and
//     HorizontalPodAutoscalers (for CPU, with a load that the scenario draws) and EndpointSlices, with their queues, caches,
//     retries and expectations; and the garbage collector.
//   - Nodes that die and return: kubelets stop reporting, pods count as not Ready, taints evict them.
//   - A scheduler with the filters and most of the scores of the real one, without preemption, and kubelets that pull, start, probe, restart and
//     stop containers as the scenario describes their images.
//   - kubectl: commands that read, write, wait and drain.
//
// The rules are those of the pinned Kubernetes version; a scenario can choose an older minor version. Each deliberate
// simplification is marked "Simplified:" in the code.
//
// # What a caller must do
//
//  1. Show the diagnostics of Start. A recording with an error has no run; keep the run that you have.
//  2. Call Advance until the run is done, in slices as long as the screen can wait, or Finish. What is computed can be read
//     in between and never changes.
//  3. To act at a moment t that is on the screen, start a new run with the commands up to t and one more at ActAt(t). Both
//     runs are the same up to t.
package engine
