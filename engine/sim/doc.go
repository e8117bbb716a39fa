// Package sim is the kernel of the simulation: virtual time, the heap of events, the store with its watches, work
// queues, seeded random streams and the trace. It has no rule of Kubernetes; the machinery of controllers that it has
// answers to client-go: queue.go to util/workqueue, informer.go to tools/cache, loop.go to the workers that every
// controller starts, expectations.go to pkg/controller/controller_utils.go.
//
// Events are handled one by one in the order of (time, sequence), and time passes only when the kernel takes the next
// event (SIM-1). There are no goroutines, no wall clock, and no map whose order shows.
//
// A sync takes no time and a watch takes one millisecond (WatchLatency). With these two choices, upstream's guard against stale
// caches (H-9) can never fire, and it is left out.
//
// Random numbers come from splitmix64 streams, implemented here because a recording must always draw the same numbers. Draws have
// two orders. By default each purpose has a stream, drawn in the order of need. With draws: keyed a number is a hash of its
// purpose: a pod's times, name and UID depend on its workload, revision and ordinal, a pull on its node and image. So two runs
// with other settings differ only where the settings matter.
//
// A caller that forgets to copy an object before changing it would change history; tests compare runs to detect that. The kernel
// sets the cause of each record while it delivers changes, so controllers need not. The queues keep a log (H-11) of about 24 bytes
// per operation; with the records it gives the state of each work queue at any moment.
package sim
