package sim

// SlowStart calls a function for 0 to n-1, in batches of 1, 2, 4, 8 … and at most `most` calls, and stops after the first batch with an
// error. It ends with how many calls succeeded (R-4, S-14, DS-9, replica_set.go:slowStartBatch). The calls of a batch are made one after
// the other (SIM-7). Each takes a token for its first request, unless it asks for nothing, and a batch begins after the one before it (H-12).
//
// With a quota of 5 pods and 100 to create, the third batch creates 2 pods and fails twice, so there are 2 errors instead of 95. Of ten
// calls, the batches are 1, 2, 4 and 3, so an error of the second call leaves the last seven alone.
func (l *Loop) SlowStart(n, most int, asks func(i int) bool, call func(i int) error, end func(succeeded int, errs []error) error) error {
	return (&batches{loop: l, n: n, size: 1, most: most, asks: asks, call: call, finish: end}).begin()
}

// AtOnce is SlowStart with one batch.
func (l *Loop) AtOnce(n int, call func(i int) error, end func(succeeded int, errs []error) error) error {
	return (&batches{loop: l, n: n, size: n, most: n, asks: Always, call: call, finish: end}).begin()
}

// Always says that every call makes a request.
func Always(int) bool { return true }

// Never is for calls that make no request, or whose request the worker pays for afterwards.
func Never(int) bool { return false }

// batches are calls of which some have been made.
type batches struct {
	loop          *Loop
	n, size, most int // of the next batch
	asks          func(i int) bool
	call          func(i int) error
	finish        func(succeeded int, errs []error) error

	i, end    int    // the next call, and the end of its batch
	tokens    []Time // of the calls up to there
	succeeded int
	errs      []error
}

// next makes the calls whose tokens are there.
func (b *batches) next() error {
	for b.i < b.end {
		if b.limited(b.i) {
			if token := b.tokens[0]; token > b.loop.kernel.now {
				return b.loop.pause(token, b.next)
			}
			b.tokens = b.tokens[1:]
			b.loop.limit.grant()
		}
		if err := b.call(b.i); err != nil {
			b.errs = append(b.errs, err)
		} else {
			b.succeeded++
		}
		b.i++
	}
	if b.i == b.n || len(b.errs) > 0 {
		return b.loop.beside(1, func() error { return b.finish(b.succeeded, b.errs) })
	}
	return b.loop.beside(2*(b.n-b.i), b.begin)
}

// begin begins a batch: its calls take their tokens at once.
func (b *batches) begin() error {
	b.end = min(b.i+b.size, b.n)
	b.size = min(2*b.size, b.most)
	for i := b.i; i < b.end; i++ {
		if b.limited(i) {
			b.tokens = append(b.tokens, b.loop.limit.Take())
		}
	}
	return b.next()
}

// limited says whether a call needs a token.
func (b *batches) limited(i int) bool { return b.loop.limit != nil && b.asks(i) }
