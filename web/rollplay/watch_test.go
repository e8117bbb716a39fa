package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/engine/scenario"
)

// TestPipeWithoutAWriter: a command does not wait for ever for a named pipe that nobody writes to.
func TestPipeWithoutAWriter(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := exec.Command("mkfifo", name).Run(); err != nil {
		t.Skip("there are no named pipes here:", err)
	}
	if code, _, stderr := command("", "run", name, "--timeout", "10ms"); code != 3 || !strings.Contains(stderr, "it takes longer than 10ms") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestProgress: a terminal shows how many runs are done, and the line is gone at the end; without a terminal nothing is written.
func TestProgress(t *testing.T) {
	var terminal bytes.Buffer
	w := newWatch()
	w.timeout, w.memory = time.Minute, 1<<40
	w.total.Add(7)
	shown := make(chan bool)
	w.terminal = writer(func(p []byte) {
		if terminal.Write(p); bytes.Contains(p, []byte("0 of 7 runs")) {
			close(shown)
		}
	})
	if err := w.bound(func() error { <-shown; return nil }); err != nil || !strings.HasSuffix(terminal.String(), "\r\x1b[K") {
		t.Errorf("%v, %q", err, terminal.String())
	}
}

type writer func(p []byte)

func (w writer) Write(p []byte) (int, error) { w(p); return len(p), nil }

// TestBugInACommand: a panic of the work has its own stack in the report.
func TestBugInACommand(t *testing.T) {
	defer func() {
		if b, of := recover().(bug); !of || !strings.Contains(string(b.stack), "thisFails") {
			t.Errorf("%s", b.stack)
		}
	}()
	w := newWatch()
	w.timeout, w.memory = time.Minute, 1<<40
	if err := w.bound(thisFails); err == nil {
		t.Error("the panic is lost")
	}
}

func thisFails() error { panic("rats") }

// timeOfRuns is a timeout that stands for the time that some runs take, however busy the machine is.
const timeOfRuns = 2500 * time.Millisecond

// countedWatch is a watch for which timeOfRuns is over when three runs are done.
func countedWatch() *watch {
	w := newWatch()
	w.after = func(d time.Duration) <-chan time.Time {
		if d != timeOfRuns {
			return time.After(d)
		}
		over := make(chan time.Time)
		go func() {
			for w.done.Load() < 3 {
				runtime.Gosched()
			}
			close(over)
		}()
		return over
	}
	return w
}

// TestForesees: a command says once, after the first second, that its runs take longer than it may; also about runs that are not known
// one by one. It says nothing about runs that fit.
func TestForesees(t *testing.T) {
	for _, tt := range []struct {
		each     time.Duration // of a run
		expected int64
		want     string
	}{
		{50 * time.Millisecond, 0, ""},
		{400 * time.Millisecond, 0, "100 runs take about 40s, and --timeout is 20s: raise it"},
		{50 * time.Millisecond, 900, "1000 runs take about 50s, and --timeout is 20s: raise it"},
	} {
		clock, says := time.Unix(0, 0), []string{}
		w := newWatch()
		w.timeout, w.memory, w.now = 20*time.Second, 1<<40, func() time.Time { return clock }
		w.says = func(text string) { says = append(says, text) }
		w.began = clock
		w.expected.Store(tt.expected)
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		w.spread(100, func(int, *scenario.Library) { clock = clock.Add(tt.each) })
		if !strings.Contains(strings.Join(says, ""), tt.want) || len(says) != min(1, len(tt.want)) {
			t.Errorf("%v: %q, want %q", tt.each, says, tt.want)
		}
	}
}
