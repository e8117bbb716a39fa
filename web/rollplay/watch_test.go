package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
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
	w := &watch{timeout: time.Minute, memory: 1 << 40, after: time.After, terminal: &terminal}
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
	w := &watch{timeout: time.Minute, memory: 1 << 40, after: time.After}
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
