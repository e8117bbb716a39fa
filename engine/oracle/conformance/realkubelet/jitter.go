package realkubelet

import _ "unsafe" // for go:linkname

// jitterRand is what upstream's wait.Jitter draws from.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64

// Jitter makes every jitter of this process add the same part of what it may: 0 none of it, 1 all.
func Jitter(part float64) { jitterRand = func() float64 { return part } }
