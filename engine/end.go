package engine

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/words"
)

// Ending is why a run ended before everything had happened. What is computed up to there stays readable.
type Ending string

// The endings.
const (
	Stopped  Ending = "stopped"   // a person stopped it
	Loops    Ending = "loops"     // it repeats itself, and would never end
	TooLarge Ending = "too-large" // it has more records, or takes more memory, than limits allow
	Broke    Ending = "broke"     // rollplay has a bug
)

// Stop ends the run where it is, because the person wants no more of it. A run that is done does not change.
func (r *Run) Stop() {
	if !r.done {
		r.done, r.ended = true, Stopped
	}
}

// Ended returns why the run ended early, "" if it did not.
func (r *Run) Ended() Ending { return r.ended }

// Broken returns what went wrong if rollplay has a bug that ended the run, "" otherwise: the panic and the functions that led
// to it, without paths, for a report.
func (r *Run) Broken() string { return r.broken }

// Cut returns a sentence that says why the run ended early, "" if it did not.
func (r *Run) Cut() string {
	at := words.Seconds(r.Now()) + " s"
	switch r.ended {
	case Stopped:
		return fmt.Sprintf("The run was stopped at %s, after %d records.", at, r.Len())
	case Loops:
		return fmt.Sprintf("The run was stopped at %s: it has %d records and repeats itself in a loop. The last decisions in the list show the loop.",
			at, r.Len())
	case TooLarge:
		return fmt.Sprintf("The run was stopped at %s: it is too large. It has %d records, which take about %d MB; rollplay keeps at most %d records or %d MB.",
			at, r.Len(), r.Bytes()>>20, limits.Records, limits.Memory>>20)
	case Broke:
		return fmt.Sprintf("rollplay has a bug here, and the run stops at %s: %s", at, r.broken)
	}
	return ""
}

// catch turns a panic of the engine into the end of the run.
func (r *Run) catch() {
	switch p := recover(); p {
	case nil:
	case full{}:
		r.endEarly()
	default:
		r.done, r.ended, r.broken = true, Broke, panicText(p)
	}
}

// endEarly ends a run that is too large, or of which nobody wants more.
func (r *Run) endEarly() {
	r.done, r.ended = true, TooLarge
	switch {
	case r.world.library.Over():
		r.ended = Stopped
	case r.repeats():
		r.ended = Loops
	}
}

// callersShown is how many functions of a panic are named.
const callersShown = 6

// panicText returns a panic with the functions that led to it, the innermost first. It must be called by the deferred function.
func panicText(p any) string {
	var pcs [48]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var names []string
	for more, inside := true, false; more && len(names) < callersShown; {
		var f runtime.Frame
		f, more = frames.Next()
		runtimes := strings.HasPrefix(f.Function, "runtime.")
		if inside = inside || runtimes; inside && !runtimes { // what follows the runtime's frames has panicked
			names = append(names, f.Function[strings.LastIndexByte(f.Function, '/')+1:])
		}
	}
	return fmt.Sprintf("%v (in %s)", p, strings.Join(names, " < "))
}
