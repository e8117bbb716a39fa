package realkubelet

import (
	"fmt"
	"os"
	"runtime/pprof"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// wallMax is how long a run may take that needs less than a second.
const wallMax = 2 * time.Minute

// Bubble runs upstream's programs in a bubble of fake time.
func Bubble(t *testing.T, run func()) {
	defer watchdog()()
	defer func() {
		// A few of upstream's goroutines have no end; the bubble complains about them after all that counts is done.
		if p := recover(); p != nil && !strings.Contains(fmt.Sprint(p), "blocked goroutines remain") {
			panic(p)
		}
	}()
	synctest.Test(t, func(*testing.T) { run() })
}

// watchdog prints what all goroutines do, if a run stops: one that waits for something outside the bubble stops its clock.
func watchdog() (stop func() bool) {
	return time.AfterFunc(wallMax, func() {
		pprof.Lookup("goroutine").WriteTo(os.Stderr, 2) //nolint:errcheck // the program ends
		panic("conformance: a bubble's clock stands still")
	}).Stop
}
