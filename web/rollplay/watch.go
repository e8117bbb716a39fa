package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
)

const (
	lookEach = 20 * time.Millisecond // how often the memory is looked at
	tellEach = time.Second           // how often a terminal shows the progress
	grace    = 5 * time.Second       // what a command has to print its results, once its time is over
)

// watch bounds the time and the memory of a command, and shows its progress.
type watch struct {
	timeout  time.Duration
	memory   amount
	after    func(time.Duration) <-chan time.Time // time.After
	terminal io.Writer                            // nil if standard error is no terminal
	why      string                               // the bound that was exceeded
	enough   atomic.Bool                          // a bound is exceeded

	done, total atomic.Int64 // runs
	expected    atomic.Int64 // further runs, at least, which are not known one by one yet

	now      func() time.Time // time.Now
	began    time.Time
	firstRun atomic.Pointer[time.Time] // when the first of many runs began, nil before
	says     func(text string)         // about the time that all runs will take
	foreseen sync.Once
	shard    *sharding
}

// newWatch returns a watch that reads the clock.
func newWatch() *watch {
	return &watch{after: time.After, now: time.Now, says: func(string) {}, shard: &sharding{inputs: map[string]string{}}}
}

// library returns a library for runs that end beyond a bound.
func (w *watch) library() *scenario.Library { return &scenario.Library{Enough: &w.enough} }

// amount is the value of a flag that is an amount of memory: 1Gi.
type amount int64

func (b *amount) String() string { return words.Bytes(int64(*b)) }
func (b *amount) Type() string   { return "quantity" }

func (b *amount) Set(text string) error {
	q, err := api.ParseQuantity(text)
	if err == nil && q.Value() <= 0 {
		err = fmt.Errorf("is more than 0, not %q", text)
	}
	*b = amount(q.Value())
	return err
}

// watched adds the flags that bound a command. Beyond a bound its runs end, it prints the results so far, and its answer is unknown.
func watched(cmd *cobra.Command, c console) *cobra.Command {
	w, run := c.watch, cmd.RunE
	w.memory = 1 << 30
	cmd.Flags().DurationVar(&w.timeout, "timeout", time.Minute, "the longest time, after which the answer is unknown")
	cmd.Flags().Var(&w.memory, "memory", "the most memory, beyond which the answer is unknown")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		w.says = func(text string) {
			if cmd.Flags().Lookup("shard") != nil {
				text += ", or spread the runs over machines with --shard"
			}
			fmt.Fprintf(c.err, "rollplay %s: %s\n", cmd.Name(), text)
		}
		err := w.bound(func() error { return run(cmd, args) })
		if w.why == "" {
			return err
		}
		fmt.Fprintf(c.err, "rollplay %s: unknown: %s; %d of %s finished\n", cmd.Name(), w.why, w.done.Load(),
			words.Plural(int(w.total.Load()), "run"))
		if errors.Is(err, errSaid) {
			return err // a finished run has failed, whatever the others would do
		}
		return errUnknown
	}
	return cmd
}

// bug is a panic of the goroutine in which a command works, with its stack.
type bug struct {
	wrong any
	stack []byte
}

// bound works until the time is over or the memory is used up. Work that does not end then is left behind: it may wait for input.
func (w *watch) bound(work func() error) error {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(w.memory) / 10 * 9)) // the collector works harder before the bound is exceeded,
	defer debug.SetGCPercent(debug.SetGCPercent(400))                          // and less while there is room
	w.began = w.now()
	ended, wrong := make(chan error, 1), make(chan bug, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				wrong <- bug{p, debug.Stack()}
			}
		}()
		ended <- work()
	}()
	defer w.show("")
	deadline, look, tell := w.after(w.timeout), time.NewTicker(lookEach), time.NewTicker(tellEach)
	defer look.Stop()
	defer tell.Stop()
	for {
		select {
		case err := <-ended:
			return err
		case b := <-wrong:
			panic(b)
		case <-tell.C:
			w.show(w.progress())
		case <-look.C:
			if inUse() > int64(w.memory) && w.why == "" {
				w.why, deadline = "it takes more than "+w.memory.String()+" of memory (--memory)", w.after(grace)
				w.enough.Store(true)
			}
		case <-deadline:
			if w.why != "" {
				return nil
			}
			w.why, deadline = "it takes longer than "+w.timeout.String()+" (--timeout)", w.after(grace)
			w.enough.Store(true)
		}
	}
}

// show replaces the line of progress on a terminal.
func (w *watch) show(progress string) {
	if w.terminal != nil {
		fmt.Fprint(w.terminal, "\r\x1b[K"+progress)
	}
}

// inUse returns the bytes that the program has from the system.
func inUse() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}

// spread runs n independent pieces of work on the processors, as many at once as there is memory for: one run was played before, so each
// takes about what is in use. Each worker has a library, because the runs share most of their text. Once a bound is exceeded, no further
// piece begins.
func (w *watch) spread(n int, run func(i int, library *scenario.Library)) {
	w.total.Add(int64(n))
	first := w.now()
	w.firstRun.CompareAndSwap(nil, &first)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n, 1+int(int64(w.memory)/2/max(1, inUse()))) {
		workers.Go(func() {
			library := w.library()
			for i := int(next.Add(1)) - 1; i < n && !w.enough.Load(); i = int(next.Add(1)) - 1 {
				if run(i, library); !w.enough.Load() {
					w.done.Add(1)
					w.foresee()
				}
			}
		})
	}
	workers.Wait()
}

// paceAfter is how long runs are computed before their pace is known.
const paceAfter = time.Second

// progress describes how far a command is, and how long it still takes at its pace.
func (w *watch) progress() string {
	took := w.now().Sub(w.began)
	done, all := w.done.Load(), w.total.Load()+w.expected.Load()
	text := fmt.Sprintf("%d s", int(took.Seconds()))
	if all > 0 {
		text = fmt.Sprintf("%d of %s, %s", done, words.Plural(int(all), "run"), text)
	}
	if left, known := w.left(); known {
		text += ", about " + left.String() + " left"
	}
	return text
}

// left estimates the time that the runs take that are not finished.
func (w *watch) left() (time.Duration, bool) {
	done := w.done.Load()
	first := w.firstRun.Load()
	if first == nil || done == 0 || w.now().Sub(*first) < paceAfter {
		return 0, false
	}
	each := float64(w.now().Sub(*first)) / float64(done)
	return time.Duration(each * float64(w.total.Load()+w.expected.Load()-done)).Round(time.Second), true
}

// foresee says once that the runs will take longer than the command may, as soon as their pace is known.
func (w *watch) foresee() {
	left, known := w.left()
	took := w.now().Sub(w.began)
	if !known || took+left <= w.timeout {
		return
	}
	w.foreseen.Do(func() {
		w.says(fmt.Sprintf("%s take about %v, and --timeout is %v: raise it, or ask for less",
			words.Plural(int(w.total.Load()+w.expected.Load()), "run"), (took + left).Round(time.Second), w.timeout))
	})
}
