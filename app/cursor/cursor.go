// Package cursor is a place on a run, how its time is written, and what of a long list is around it.
package cursor

import (
	"fmt"
	"slices"
)

// Window returns the range of at most size of n rows around row i. It moves by a
// quarter of its size at a time, so that most steps leave every row in place.
func Window(n, i, size int) (from, to int) {
	step := max(size/4, 1)
	from = max(0, min((i-size/2)/step*step, n-size))
	return from, min(n, from+size)
}

// Upto returns the number of sorted record indices at or before record i.
func Upto(records []int, i int) int {
	n, _ := slices.BinarySearch(records, i+1)
	return n
}

// Place is where on the run the person looks. Record is the last record that has happened: normally all records
// up to T, fewer after a step to one of several reconciles of the same millisecond.
type Place struct {
	T      int64 // virtual ms
	Record int   // -1 before the first record
}

// Before says whether a place comes before another one.
func (c Place) Before(d Place) bool { return c.T < d.T || c.T == d.T && c.Record < d.Record }

// Clock writes virtual ms as 01:02.345, with hours only if there are any, so that a time is always as wide as its
// neighbours.
func Clock(ms int64) string {
	s := ms / 1000
	if h := s / 3600; h > 0 {
		return fmt.Sprintf("%d:%02d:%02d.%03d", h, s/60%60, s%60, ms%1000)
	}
	return fmt.Sprintf("%02d:%02d.%03d", s/60, s%60, ms%1000)
}

const Second = 1000 // virtual ms
