package sim

// QueueOp is one thing that happened to a key of a work queue (H-11).
type QueueOp struct {
	At     Time
	Value  int64
	Record int32 // index of the last record before it, -1 before the first
	Key    int32 // see Queue.Key
	Kind   QueueOpKind
}

// QueueOpKind says what happened to a key.
type QueueOpKind uint8

// The kinds of QueueOp.
const (
	QueueAdded   QueueOpKind = iota // it became dirty; while it is processed it stays out of the FIFO
	QueueAgain                      // it was added, and was dirty already
	QueueTaken                      // the worker took it
	QueueDone                       // the worker is done with it; dirty again, it goes to the end of the FIFO
	QueueDelayed                    // it waits until Value, in virtual ms
	QueueRipe                       // its wait is over
	QueueFailed                     // it has failed Value times since its last success
	QueueExpects                    // its controller expects Value/2^32 deletions and Value%2^32 creations
)

func (q *Queue) note(key int32, kind QueueOpKind, value int64) {
	if q.Log == nil {
		q.Log = make([]QueueOp, 0, 512) // a queue that is used at all is used often
	}
	q.Log = append(q.Log, QueueOp{At: q.kernel.now, Value: value, Record: int32(len(q.kernel.Trace.Records) - 1), Key: key, Kind: kind})
}
