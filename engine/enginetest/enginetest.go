// Package enginetest lets a test say what a rollout must do: start a cluster from the YAML you would paste into the
// playground, give kubectl commands at moments of virtual time, and check the states in between. A run takes
// milliseconds, needs no cluster, and always has the same result.
//
// The defaults are those of the playground: three nodes without limits, and images that work. A document of
// kind Scenario describes other nodes, slow or broken images, and the seed.
package enginetest

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine"
)

// T is a *testing.T or a *testing.B.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Cluster is a scenario with the commands that a test has given so far. A mistake of the test, such as YAML with an error or
// a workload that does not exist, ends the test.
type Cluster struct {
	t         T
	recording engine.Recording
	run       *engine.Run // of the recording; nil after a new command
}

// Start reads a scenario: one or more YAML documents.
func Start(t T, yaml string) *Cluster {
	t.Helper()
	c := &Cluster{t: t, recording: engine.Recording{Scenario: yaml}}
	c.Result()
	return c
}

// Result computes the run to its end and returns it, for questions that this package has no method for.
func (c *Cluster) Result() *engine.Run {
	c.t.Helper()
	if c.run == nil {
		run, diagnostics := engine.Start(c.recording)
		if run == nil {
			c.t.Fatalf("the scenario has errors: %v", diagnostics)
		}
		c.run = run.Finish()
		if cut := c.run.Cut(); cut != "" {
			c.t.Errorf("%s", cut)
		}
	}
	return c.run
}

// Moment is a point in virtual time.
type Moment struct {
	cluster *Cluster
	ms      int64
}

// At returns the moment this long after the start: "0s", "1m30s".
func (c *Cluster) At(when string) Moment {
	c.t.Helper()
	d, err := time.ParseDuration(when)
	if err != nil || d < 0 {
		c.t.Fatalf("%q is not a time after the start, such as 1m30s", when)
	}
	return Moment{c, d.Milliseconds()}
}

// Run gives a kubectl command, which may read or write, and returns the answer. A command that kubectl or the API server
// rejects is an error of the test.
func (m Moment) Run(line string) (answer string) {
	m.cluster.t.Helper()
	return m.give(engine.Command{Run: line})
}

// Apply applies YAML.
func (m Moment) Apply(yaml string) (answer string) {
	m.cluster.t.Helper()
	return m.give(engine.Command{Apply: yaml})
}

// Do carries out a line for the environment, which kubectl cannot: "crash pod/web-x", "kill node/node-1".
func (m Moment) Do(deed string) (answer string) {
	m.cluster.t.Helper()
	return m.give(engine.Command{Do: deed})
}

// give adds a command behind those of the same moment and looks up its answer.
func (m Moment) give(command engine.Command) string {
	c := m.cluster
	c.t.Helper()
	command.At = m.ms
	at := len(c.recording.Commands)
	for at > 0 && c.recording.Commands[at-1].At > m.ms {
		at--
	}
	later := c.recording.Commands[at:]
	c.recording.Commands = append(append(c.recording.Commands[:at:at], command), later...)
	c.run = nil
	run, line := c.Result(), command.Line()
	for i := run.Past().Find(m.ms); i >= 0 && run.Past().At(i) == m.ms; i-- {
		if r := run.Record(i); r.Kind == engine.Input && r.Command == line {
			if r.Failed {
				c.t.Errorf("%s: %s fails: %s", m, line, r.What)
			}
			return r.What
		}
	}
	c.t.Errorf("%s: %s is not run: the run ends at %s", m, line, Moment{c, run.Now()})
	return ""
}

// String returns the time since the start.
func (m Moment) String() string { return fmt.Sprintf("%g s", float64(m.ms)/1000) }

// Frame returns the counts of a workload, written deployment/web, after everything that happens at the moment.
func (m Moment) Frame(workload string) engine.Frame {
	m.cluster.t.Helper()
	frames := Span{m.cluster, m.ms, m.ms}.frames(workload)
	return frames[len(frames)-1]
}

// Span is a stretch of virtual time, both ends included.
type Span struct {
	cluster  *Cluster
	from, to int64
}

// After returns the span from a moment to the end of the run.
func (c *Cluster) After(when string) Span {
	c.t.Helper()
	return Span{c, c.At(when).ms, math.MaxInt64}
}

// Until shortens a span.
func (s Span) Until(when string) Span {
	s.cluster.t.Helper()
	s.to = s.cluster.At(when).ms
	return s
}

// MinAvailable returns the lowest number of available pods that a workload, written deployment/web, has in the span.
func (s Span) MinAvailable(workload string) int {
	s.cluster.t.Helper()
	lowest := math.MaxInt
	for _, f := range s.frames(workload) {
		lowest = min(lowest, f.Available)
	}
	return lowest
}

// MaxTotal returns the highest number of pods that a workload has in the span, without those that terminate.
func (s Span) MaxTotal(workload string) (highest int) {
	s.cluster.t.Helper()
	for _, f := range s.frames(workload) {
		highest = max(highest, f.Total)
	}
	return highest
}

// Never fails the test at the first moment of the span at which a workload's counts are wrong; what describes the mistake.
func (s Span) Never(workload, what string, wrong func(engine.Frame) bool) {
	s.cluster.t.Helper()
	for _, f := range s.frames(workload) {
		if wrong(f) {
			s.cluster.t.Errorf("%s at %s: %s (%d desired, %d total, %d available, %d updated, %d terminating)", workload,
				Moment{s.cluster, max(f.T, s.from)}, what, f.Desired, f.Total, f.Available, f.Updated, f.Terminating)
			return
		}
	}
}

// frames returns the frames of a workload that hold in the span: the last one that begins before it, and those within.
func (s Span) frames(workload string) []engine.Frame {
	s.cluster.t.Helper()
	frames := s.cluster.FramesOf(workload)
	first := max(0, sort.Search(len(frames), func(i int) bool { return frames[i].T >= s.from })-1)
	end := sort.Search(len(frames), func(i int) bool { return frames[i].T > s.to })
	if first < end && s.from == s.to {
		first = end - 1
	}
	if first >= end {
		s.cluster.t.Fatalf("%s does not exist yet at %s", workload, Moment{s.cluster, s.to})
	}
	return frames[first:end]
}

// FramesOf finds a workload by its kind and name, in any namespace.
func (c *Cluster) FramesOf(workload string) []engine.Frame {
	c.t.Helper()
	run := c.Result()
	for _, full := range run.Workloads() {
		kind, rest, _ := strings.Cut(full, "/")
		_, name, _ := strings.Cut(rest, "/")
		if strings.EqualFold(kind+"/"+name, workload) {
			return run.Frames(full)
		}
	}
	c.t.Fatalf("there is no workload %s among %v", workload, run.Workloads())
	return nil
}
