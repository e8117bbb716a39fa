package engine

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/breath"
)

// What the longest piece of a run may cost: beyond these a tab would hang, or need too much memory at once.
const (
	pieceMax = 50 * time.Millisecond // on the processor, between two breaths
	allocMax = 64 << 20              // bytes between two breaths
)

// cost is what the pieces of a run cost at most. A piece is what is computed between two breaths: a browser can't work meanwhile.
type cost struct {
	piece time.Duration
	alloc uint64
	where string // the functions at the ends of the longest piece
}

func (c *cost) tooMuch() bool { return c.piece > pieceMax*slower() || c.alloc > allocMax }

// slower is how many times the program of a fuzzer is slower than a native one: its counters of coverage make the longest pieces, which read
// and write JSON byte by byte, take 52 ms instead of 13. What it finds stays in testdata, where an ordinary test measures it natively.
func slower() time.Duration {
	if f := flag.Lookup("test.fuzz"); f != nil && f.Value.String() != "" {
		return 4
	}
	return 1
}

func (c *cost) String() string {
	return fmt.Sprintf("%v on the processor and %d MB in one piece, %s", c.piece.Round(time.Millisecond), c.alloc>>20, c.where)
}

// costOf measures the pieces of some work; doing says what is done when a piece ends. A run that is computed ends once a time by the clock is over,
// if one is given.
func costOf(work func(), doing func() string, wait time.Duration) (c cost) {
	start := time.Now()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	allocated := func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	var last, here [40]uintptr // the callers of the last breath, and of this one
	began, had := threadTime(), allocated()
	look := func() {
		if deafWithin && !ownBreath() {
			return
		}
		heard := threadTime()
		piece, alloc := heard-began, allocated()-had
		here = [40]uintptr{}
		runtime.Callers(3, here[:])
		if piece > c.piece || alloc > allocMax && alloc > c.alloc {
			c.where = doing() + "\n\tfrom " + namesOf(last[:]) + "\n\tto " + namesOf(here[:])
		}
		c.piece, c.alloc, last = max(c.piece, piece), max(c.alloc, alloc), here
		if wait > 0 && time.Since(start) > wait {
			wait = 0
			panic(full{})
		}
		had = allocated()
		began = threadTime()
		looked += began - heard
	}
	breath.Host = look
	defer func() {
		breath.Host = nil
		if p := recover(); p != nil && p != any(full{}) {
			panic(p)
		}
	}()
	work()
	look()
	return c
}

// looked is the time of the thread that costOf itself has taken to look, at all breaths so far.
var looked time.Duration

// deafWithin makes costOf hear only the breaths that the test itself takes, between two events.
var deafWithin bool

func ownBreath() bool {
	var pc [1]uintptr
	runtime.Callers(4, pc[:])
	f, _ := runtime.CallersFrames(pc[:]).Next()
	return strings.HasSuffix(f.File, "_test.go")
}

// namesOf names the innermost functions of a list of callers.
func namesOf(callers []uintptr) string {
	frames := runtime.CallersFrames(callers)
	var names []string
	for more := callers[0] != 0; more && len(names) < 9; {
		var f runtime.Frame
		f, more = frames.Next()
		names = append(names, fmt.Sprintf("%s:%d", f.Function[strings.LastIndexByte(f.Function, '/')+1:], f.Line))
	}
	return strings.Join(names, " < ")
}
