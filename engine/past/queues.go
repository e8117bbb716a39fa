package past

import (
	"slices"
	"sort"

	"github.com/rollplay/rollplay/engine/sim"
)

// QueueView is the work queue of one controller at one moment (H-11). The scheduler, the kubelets and the garbage collector
// have no queue here: they act on each notification at once (SIM-2).
type QueueView struct {
	Controller   string
	Processing   []QueueKey // the keys being reconciled; all but the last wait for their client (H-12)
	Queued       []QueueKey // keys that wait for the worker, in order (H-3)
	Delayed      []QueueKey // keys that are due later, by that moment (H-4, H-5)
	Retries      []QueueKey // keys that failed since their last success (H-5)
	Expectations []QueueKey // keys whose controller waits to see its own creations and deletions

	// Since the start: additions of keys, how many of them found the key dirty already, reconciles, and how many of these are
	// retried because of an error.
	Added, Coalesced, Synced, Failed int
}

// QueueKey is a key and its state in the queue.
type QueueKey struct {
	Key       string // Deployment/default/web
	Dirty     bool   // it needs a reconcile, perhaps another one after the current one
	Additions int    // how often it was added since its last reconcile began
	Delayed   bool
	Due       int64 // of a delayed key: virtual ms
	Failures  int   // since its last success

	Creations, Deletions int // of its pods that its controller expects to see
}

// QueuesAt returns the work queues of all controllers that have ever had work, after record i at moment t. At the moment of
// the record itself, its reconcile is still in progress.
func (p *Past) QueuesAt(i int, t int64) []QueueView {
	if p.queues == nil {
		for _, l := range p.source.Kernel.Loops {
			p.queues = append(p.queues, &queueReplay{loop: l, checkpoints: make([]queueState, 1)})
		}
	}
	now := i >= 0 && p.At(i) == t
	var views []QueueView
	for _, l := range p.queues {
		if len(l.loop.Queue().Log) > 0 {
			l.seek(l.position(i, t, now))
			views = append(views, l.view())
		}
	}
	return views
}

// queueCheckpoint is the number of operations between two checkpoints of a queue.
const queueCheckpoint = 4096

// queueReplay replays the log of one queue.
type queueReplay struct {
	queueState
	loop        *sim.Loop
	checkpoints []queueState // after 0, queueCheckpoint, 2*queueCheckpoint … operations
}

// queueState is a queue after some of its log.
type queueState struct {
	ops        int
	keys       []QueueKey // by number; the text of a key is filled in by view
	fifo       []int32
	processing []int32

	added, coalesced, synced, failed int
}

// position returns the number of operations after record i at a moment. At the record's own moment (own), its reconcile is
// still in progress, and the next one has not begun.
func (l *queueReplay) position(i int, t int64, own bool) int {
	log := l.loop.Queue().Log
	end := sort.Search(len(log), func(k int) bool { return int(log[k].Record) > i || log[k].At > t })
	if !own {
		return end
	}
	first := sort.Search(end, func(k int) bool { return int(log[k].Record) >= i })
	for k := first; k < end; k++ {
		if log[k].Kind == sim.QueueDone || log[k].Kind == sim.QueueTaken {
			return k
		}
	}
	return end
}

// seek moves the state to where it was after a number of operations: forward, or from the checkpoint before.
func (l *queueReplay) seek(ops int) {
	if from := min(ops/queueCheckpoint, len(l.checkpoints)-1); ops < l.ops || from*queueCheckpoint > l.ops {
		l.queueState = l.checkpoints[from].clone()
	}
	log := l.loop.Queue().Log
	for l.ops < ops {
		l.apply(&log[l.ops])
		l.ops++
		if l.ops == len(l.checkpoints)*queueCheckpoint {
			l.checkpoints = append(l.checkpoints, l.clone())
		}
	}
}

func (s *queueState) clone() queueState {
	c := *s
	c.keys, c.fifo, c.processing = slices.Clone(s.keys), slices.Clone(s.fifo), slices.Clone(s.processing)
	return c
}

// apply replays an operation of the queue.
func (s *queueState) apply(op *sim.QueueOp) {
	for int(op.Key) >= len(s.keys) {
		s.keys = append(s.keys, QueueKey{})
	}
	k := &s.keys[op.Key]
	switch op.Kind {
	case sim.QueueAdded:
		s.added++
		k.Dirty, k.Additions = true, k.Additions+1
		if !slices.Contains(s.processing, op.Key) {
			s.fifo = append(s.fifo, op.Key)
		}
	case sim.QueueAgain:
		s.added++
		s.coalesced++
		k.Additions++
	case sim.QueueTaken:
		s.synced++
		k.Dirty, k.Additions = false, 0
		s.fifo = append(s.fifo[:0], s.fifo[1:]...)
		s.processing = append(s.processing, op.Key)
	case sim.QueueDone:
		at := slices.Index(s.processing, op.Key)
		s.processing = slices.Delete(s.processing, at, at+1)
		if k.Dirty {
			s.fifo = append(s.fifo, op.Key)
		}
	case sim.QueueDelayed:
		k.Delayed, k.Due = true, op.Value
	case sim.QueueRipe:
		k.Delayed, k.Due = false, 0
	case sim.QueueFailed:
		k.Failures = int(op.Value)
		if op.Value > 0 {
			s.failed++
		}
	case sim.QueueExpects:
		k.Creations, k.Deletions = int(op.Value&(1<<32-1)), int(op.Value>>32)
	}
}

// view sorts the keys into the lists of a QueueView.
func (l *queueReplay) view() QueueView {
	v := QueueView{Controller: l.loop.Name, Added: l.added, Coalesced: l.coalesced, Synced: l.synced, Failed: l.failed}
	list := func(to *[]QueueKey, id int32) {
		k := l.keys[id]
		k.Key = l.loop.Queue().Key(id).String()
		*to = append(*to, k)
	}
	for _, id := range l.processing {
		list(&v.Processing, id)
	}
	for _, id := range l.fifo {
		list(&v.Queued, id)
	}
	for id := range int32(len(l.keys)) {
		k := &l.keys[id]
		if k.Delayed {
			list(&v.Delayed, id)
		}
		if k.Failures > 0 {
			list(&v.Retries, id)
		}
		if k.Creations+k.Deletions > 0 {
			list(&v.Expectations, id)
		}
	}
	sort.SliceStable(v.Delayed, func(i, j int) bool { return v.Delayed[i].Due < v.Delayed[j].Due })
	return v
}
