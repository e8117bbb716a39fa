// Package sim is the kernel of the simulation: virtual time, the heap of events, the store with its watches, work
// queues, seeded random streams and the trace. It has no rule of Kubernetes; the machinery of controllers that it has
// answers to client-go: queue.go to util/workqueue, informer.go to tools/cache, loop.go to the workers that every
// controller starts, expectations.go to pkg/controller/controller_utils.go.
//
// Events are handled one by one in the order of (time, sequence), and time passes only when the kernel takes the next
// event (SIM-1). There are no goroutines, no wall clock, and no map whose order shows.
//
// A sync takes no time, unless it waits for the limit of its client (pause.go), and a watch takes one millisecond (WatchLatency). So
// the guard against stale caches (informer.go) fires only after a sync that has waited: its key may be due again in the ms of its last write.
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

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
)

// Time is virtual milliseconds since the start of the run.
type Time = int64

// Event is an entry of the kernel's heap: at this time, a process does something. It is plain data, so that it can be printed
// and compared.
type Event struct {
	At  Time
	seq uint64
	To  Process // the handler
	Op  uint8   // what to do, in the process's own numbering
	Arg int64   // what the operation needs
	Key api.Key // the object it concerns, if any

	Rank int8 // those of one ms come in the order of their ranks, from -8 to 7
}

// Process is a part of the cluster that acts on events.
type Process interface {
	Handle(e Event)
}

// Kernel holds the clock, the heap of coming events and the trace of what has happened. Its zero value is ready to use.
type Kernel struct {
	Trace        Trace
	LoopObserver LoopObserver // may be nil
	Loops        []*Loop      // of all controllers, in the order of NewLoop
	Check        func()       // called at every record; it may panic to end a run in the middle of an event. May be nil

	now   Time
	seq   uint64
	heap  []Event
	cause int32 // see SetCause
}

// Now returns the virtual time.
func (k *Kernel) Now() Time { return k.now }

// Cause returns the index of the record that leads to those of this step, -1 if there is none.
func (k *Kernel) Cause() int32 { return k.cause }

// SetCause makes a record the cause of those that follow in this step: a command, also when it continues later.
func (k *Kernel) SetCause(record int32) { k.cause = record }

// LastRecord returns the index of the newest record, -1 before the first.
func (k *Kernel) LastRecord() int32 { return int32(len(k.Trace.Records) - 1) }

// Schedule adds an event. Events of the same ms and rank are handled in the order of scheduling.
func (k *Kernel) Schedule(e Event) {
	if e.At < k.now {
		panic(fmt.Sprintf("sim: event for %s at %d ms is before %d ms", e.Key, e.At, k.now))
	}
	k.seq++
	e.seq = uint64(e.Rank+8)<<60 | k.seq
	k.heap = append(k.heap, e)
	k.up(len(k.heap) - 1)
}

// Next returns the time of the next event; ok is false if there is none.
func (k *Kernel) Next() (at Time, ok bool) {
	if len(k.heap) == 0 {
		return 0, false
	}
	return k.heap[0].At, true
}

// Pending returns the number of scheduled events.
func (k *Kernel) Pending() int { return len(k.heap) }

// Step handles the next event. It returns false if there is none.
func (k *Kernel) Step() bool {
	if len(k.heap) == 0 {
		return false
	}
	e := k.pop()
	k.now, k.cause = e.At, -1
	e.To.Handle(e)
	return true
}

// RunTo handles the events up to and including a time, and sets the clock to it.
func (k *Kernel) RunTo(at Time) {
	for len(k.heap) > 0 && k.heap[0].At <= at {
		k.Step()
	}
	k.now, k.cause = max(k.now, at), -1
}

func (k *Kernel) less(i, j int) bool {
	a, b := &k.heap[i], &k.heap[j]
	return a.At < b.At || a.At == b.At && a.seq < b.seq
}

func (k *Kernel) pop() Event {
	first := k.heap[0]
	last := len(k.heap) - 1
	k.heap[0] = k.heap[last]
	k.heap[last] = Event{} // frees what it points to
	k.heap = k.heap[:last]
	k.down(0)
	return first
}

func (k *Kernel) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !k.less(i, parent) {
			return
		}
		k.heap[i], k.heap[parent] = k.heap[parent], k.heap[i]
		i = parent
	}
}

func (k *Kernel) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(k.heap) {
			return
		}
		if child+1 < len(k.heap) && k.less(child+1, child) {
			child++
		}
		if !k.less(child, i) {
			return
		}
		k.heap[i], k.heap[child] = k.heap[child], k.heap[i]
		i = child
	}
}
