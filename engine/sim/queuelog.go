package sim

// QueueOp is one operation on a key of a work queue (H-11).
type QueueOp struct {
	At     Time
	Value  int64
	Record int32 // index of the last record before it, -1 before the first
	Key    int32 // see Queue.Key
	Kind   QueueOpKind
}

// QueueOpKind is the type of an operation.
type QueueOpKind uint8

// The kinds of QueueOp.
const (
	QueueAdded   QueueOpKind = iota // the key became dirty; while it is processed it stays out of the FIFO
	QueueAgain                      // the key was added although it was dirty
	QueueTaken                      // the worker took the key
	QueueDone                       // the worker is done with the key; if it is dirty again, it goes to the end of the FIFO
	QueueDelayed                    // the key waits until Value, in virtual ms
	QueueRipe                       // the wait is over
	QueueFailed                     // the key has failed Value times since its last success
	QueueExpects                    // the controller expects Value/2^32 deletions and Value%2^32 creations
)

func (q *Queue) note(key int32, kind QueueOpKind, value int64) {
	if q.Log == nil {
		q.Log = make([]QueueOp, 0, 512) // a queue that has one entry soon has hundreds
	}
	q.Log = append(q.Log, QueueOp{At: q.kernel.now, Value: value, Record: q.kernel.LastRecord(), Key: key, Kind: kind})
}
