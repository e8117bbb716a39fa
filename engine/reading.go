package engine

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/read"
)

// Read answers a kubectl line that reads (get, describe, rollout status …) after a record, at a moment from there on. The
// answer has all that the command prints up to where the run is computed, each line with its moment; what a person sees
// at t is the lines up to t. It is false for a line that would change the cluster, or that cannot be told to read: that is
// for a run with one more command (see ActAt).
func (r *Run) Read(line string, record int, t int64) (reading *Reading, ok bool) {
	return r.ReadParsed(ParseLine(line), record, t)
}

// ReadParsed is Read for a line that is parsed.
func (r *Run) ReadParsed(line *CommandLine, record int, t int64) (reading *Reading, ok bool) {
	if !line.Reads() {
		return nil, false
	}
	log := r.world.server.Store.Log
	reader := read.Reader{
		Cluster: cluster{r.stateAfter(record)}, Now: t, Trace: r.records(), Record: record,
		Changes: log[r.changesAfter(record):], End: r.Now(),
	}
	return reader.Read(line)
}

// cluster is a past state for kubectl to read from.
type cluster struct{ view *view }

// Get returns an object, nil if there is none of that name.
func (c cluster) Get(key api.Key) api.Object { return c.view.get(key) }

// All lists the objects of a kind by namespace and name.
func (c cluster) All(kind api.Kind) []api.Object { return c.view.all(kind) }

// Transcript returns all that a command has printed, which is record i, up to where the run is computed, each line with its
// moment; what a person sees at t is the lines up to t. Most commands print everything at once; a drain goes on, and is open
// until it ends. It is nil for a record that is no command.
func (r *Run) Transcript(i int) *Reading {
	if a := r.world.answers[i]; a != nil {
		return a.Reading
	}
	return nil
}

// Printed returns the lines that record i stands for, a command or what one prints later, and which of them go to stderr.
func (r *Run) Printed(i int) []ReadLine {
	if a := r.world.answers[i]; a != nil {
		return a.Lines[:a.first]
	}
	return r.world.kubectl.Output(i)
}

// LineOf returns the parsed line of a command, which is record i, or which has printed record i; nil for what is no line of
// kubectl.
func (r *Run) LineOf(i int) *CommandLine {
	if r.records()[i].Kind == Output {
		i = r.Cause(i)
	}
	if a := r.world.answers[i]; a != nil {
		return a.line
	}
	return nil
}
