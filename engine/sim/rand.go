package sim

import "hash/fnv"

// Rand is a stream of random numbers: splitmix64, written here because a recording must always draw the same numbers,
// whatever the standard library does.
type Rand struct{ state uint64 }

// NewRand returns the stream for one purpose. Each purpose has its own, so that one more draw for the length of a pull does
// not change the names of pods.
func NewRand(seed uint64, purpose string) *Rand {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	r := &Rand{state: seed ^ h.Sum64()}
	r.Uint64()
	return r
}

// Uint64 returns the next 64 bits.
func (r *Rand) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Intn returns a number in [0, n), 0 if n < 1. The bias of the remainder is below n/2^64.
func (r *Rand) Intn(n int64) int64 {
	if n < 1 {
		return 0
	}
	return int64(r.Uint64() % uint64(n))
}

// Between returns a number in [lo, hi].
func (r *Rand) Between(lo, hi int64) int64 { return lo + r.Intn(hi-lo+1) }
