package sim

// SlowStart calls a function for 0 to n-1, in batches of 1, 2, 4, 8 … and at most `most` calls, and stops after the first batch with an
// error. It returns how many calls succeeded (R-4, S-14, DS-9, replica_set.go:slowStartBatch). The calls of a batch are made one after
// the other (SIM-7).
//
// With a quota of 5 pods and 100 to create, the third batch creates 2 pods and fails twice, so there are 2 errors instead of 95. Of ten
// calls, the batches are 1, 2, 4 and 3, so an error of the second call leaves the last seven alone.
func SlowStart(n, most int, call func(i int) error) (succeeded int, errs []error) {
	for i, batch := 0, 1; i < n && len(errs) == 0; batch = min(2*batch, most) {
		for end := min(i+batch, n); i < end; i++ {
			if err := call(i); err != nil {
				errs = append(errs, err)
				continue
			}
			succeeded++
		}
	}
	return succeeded, errs
}
