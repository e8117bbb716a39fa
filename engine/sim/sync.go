package sim

// Sync is the part of a Record that only a Reconcile has: its causes and its writes.
type Sync struct {
	Wakes  [wakesKept]Wake // the first of them, see Causes
	Woken  int             // how often the key was queued since it was last taken; may exceed wakesKept
	Last   int             // index of the last record that belongs to the reconcile; its own if it made no other
	Writes int             // how many of them are writes
}

// wakesKept is how many causes of a reconcile are kept: a list of ten pods that became ready in the same ms would help no reader.
const wakesKept = 3

// Wake is why a key was queued.
type Wake struct {
	Kind   WakeKind
	Record int32 // the write that the controller received, or the reconcile that requested a later one; -1 without either
}

// WakeKind is how a key came into the queue.
type WakeKind uint8

// The kinds of Wake.
const (
	WakeChange WakeKind = iota // an informer delivered a change (H-1)
	WakeDelay                  // a delay is over (H-4)
	WakeRetry                  // the delay after a failure is over (H-5)
)

func (s *Sync) woken(w Wake) {
	if s.Woken < wakesKept {
		s.Wakes[s.Woken] = w
	}
	s.Woken++
}

// Causes returns the first wakes, at most wakesKept.
func (s *Sync) Causes() []Wake { return s.Wakes[:min(s.Woken, wakesKept)] }
