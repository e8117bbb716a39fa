package pack

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// collectorPatches let Go's garbage collector share the browser's only thread. Whenever no goroutine can run, it marks and sweeps until
// it is done before it gives the thread back: a run of 200 MB stops the page for half a second. With these changes it works
// for at most collectorTurn of a turn of the browser, and asks for another turn in a millisecond if there is more to do.
// What a program allocates meanwhile is paid for by marking in proportion, as everywhere.
var collectorPatches = map[string][][2]string{
	"lock_js.go": {
		{"func handleEvent() {\n", collectorTurn + "func handleEvent() {\n\tif len(events) == 0 {\n\t\tturnStart = nanotime()\n\t}\n"},
	},
	"proc.go": {
		// A worker that is behind its share of the time.
		{"\tif gcBlackenEnabled != 0 {\n\t\tgp, tnow := gcController.findRunnableGCWorker(pp, now)",
			"\tif gcBlackenEnabled != 0 && !turnOver() {\n\t\tgp, tnow := gcController.findRunnableGCWorker(pp, now)"},
		// A worker in idle time: whether it starts, and whether it stops.
		{"\tif gcBlackenEnabled != 0 && gcShouldScheduleWorker(pp) && gcController.addIdleMarkWorker() {",
			"\tif gcBlackenEnabled != 0 && !turnOver() && gcShouldScheduleWorker(pp) && gcController.addIdleMarkWorker() {"},
		{"func pollWork() bool {\n", "func pollWork() bool {\n\tif turnOver() {\n\t\treturn true\n\t}\n"},
		// The next turn.
		{"\tgp, otherReady := beforeIdle(now, pollUntil)",
			"\tif gcBlackenEnabled != 0 && gcShouldScheduleWorker(pp) {\n" +
				"\t\tif now = nanotime(); pollUntil == 0 || pollUntil > now+1e6 {\n\t\t\tpollUntil = now + 1e6\n\t\t}\n\t}\n" +
				"\tgp, otherReady := beforeIdle(now, pollUntil)"},
	},
	"mgc.go": {
		{"\treturn float64(selfTime)/float64(delta) > 1.2*gcController.fractionalUtilizationGoal",
			"\treturn turnOver() || float64(selfTime)/float64(delta) > 1.2*gcController.fractionalUtilizationGoal"},
	},
	"mgcsweep.go": {
		{"\t\t\tif nSwept%sweepBatchSize == 0 {\n\t\t\t\tgoschedIfBusy()\n",
			"\t\t\tif nSwept%sweepBatchSize == 0 {\n\t\t\t\tif turnOver() {\n\t\t\t\t\ttimeSleep(1e6)\n\t\t\t\t}\n\t\t\t\tgoschedIfBusy()\n"},
	},
}

// collectorTurn is how long the collector may work, from the start of a turn: with the program's own 20 ms (see app/browser), a
// turn stays below 50.
const collectorTurn = `var turnStart int64

func turnOver() bool { return turnTaken() > 8e6 }

//go:linkname turnTaken github.com/rollplay/rollplay/app/browser.turnTaken
func turnTaken() int64 { return nanotime() - turnStart }

//go:linkname endTurn github.com/rollplay/rollplay/app/browser.endTurn
func endTurn() { turnStart = nanotime() - 9e6 }

`

// exactTurns replaces app/browser/turn.go, which can only guess when a turn of the browser began.
const exactTurns = `package browser

import (
	"time"
	_ "unsafe" // for go:linkname
)

//go:linkname turnTaken
func turnTaken() int64

//go:linkname endTurn
func endTurn()

func turnSpent() time.Duration { return time.Duration(turnTaken()) }

func turnBegins() {}
`

// finalizerPatches make the values of JavaScript that Go holds larger. Each has a finalizer, and the runtime keeps the finalizers of 8 kB
// in a list that it searches from its front: with 1,024 values of 8 bytes in it, that took a fifth of a long task.
var finalizerPatches = [][2]string{
	{"\t\tgcPtr = new(ref)\n", "\t\tgcPtr = &new(spaciousRef).ref\n"},
	{"func makeValue(r ref) Value {\n", "type spaciousRef struct {\n\tref ref\n\t_   [120]byte\n}\n\nfunc makeValue(r ref) Value {\n"},
}

// fixedSettings replaces the package that reads GODEBUG. A browser has no such variable, so every setting has its default; and what
// counts the settings that differ would link all of the runtime's metrics.
const fixedSettings = `package godebug

type Setting struct{ name string }

func New(name string) *Setting { return &Setting{name} }

func (s *Setting) Name() string       { return s.name }
func (s *Setting) Undocumented() bool { return false }
func (s *Setting) String() string     { return s.name + "=" }
func (s *Setting) IncNonDefault()     {}
func (s *Setting) Value() string      { return "" }
`

// withPatches writes the changed files of Go's runtime into dir and returns the file for go build -overlay. If the compiling Go has
// another runtime than the one that was patched, it returns an error: the program then works with Go's own collector.
func withPatches(root, dir string) (overlay string, err error) {
	goroot, err := goRoot()
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	write := func(from string, text []byte) error {
		to := filepath.Join(dir, filepath.Base(from))
		replace[from] = to
		return os.WriteFile(to, text, 0o644)
	}
	if err := write(filepath.Join(goroot, "src", "internal", "godebug", "godebug.go"), []byte(fixedSettings)); err != nil {
		return "", err
	}
	if err := write(filepath.Join(root, "app", "browser", "turn.go"), []byte(exactTurns)); err != nil {
		return "", err
	}
	change := func(from string, pairs [][2]string) error {
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if text, err = replaceOnce(text, pairs); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
		return write(from, text)
	}
	for name, pairs := range collectorPatches {
		if err := change(filepath.Join(goroot, "src", "runtime", name), pairs); err != nil {
			return "", err
		}
	}
	if err := change(filepath.Join(goroot, "src", "syscall", "js", "js.go"), finalizerPatches); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o644)
}
