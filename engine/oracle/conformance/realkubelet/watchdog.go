package realkubelet

import (
	"os"
	"runtime/pprof"
	"time"
)

// wallMax is how long a run may take that needs less than a second.
const wallMax = 2 * time.Minute

// Watchdog prints what all goroutines do, if a run stops: one that waits for something outside of the bubble stops its clock.
func Watchdog() (stop func() bool) {
	return time.AfterFunc(wallMax, func() {
		pprof.Lookup("goroutine").WriteTo(os.Stderr, 2) //nolint:errcheck // the program ends
		panic("conformance: a bubble's clock stands still")
	}).Stop
}
