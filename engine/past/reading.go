package past

import (
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl"
	"github.com/rollplay/rollplay/engine/sim"
)

// Read answers a kubectl line that reads (get, describe, rollout status …) after a record, at a moment from there on. The
// answer has all that the command prints up to where the run is computed, each line with its moment; what a person sees
// at t is the lines up to t. It is false for a line that would change the cluster, or that cannot be told to read: that is
// for a run with one more command (see ActAt).
func (p *Past) Read(line string, record int, t int64) (reading *kubectl.Reading, ok bool) {
	log := p.log()
	reader := kubectl.Reader{
		Cluster: cluster{p.StateAfter(record)}, Now: t, Trace: p.Records(), Record: record,
		Changes: log[p.changesAfter(record):], End: p.Now(),
	}
	return reader.Read(line)
}

// cluster is a past state for kubectl to read from.
type cluster struct{ view *view }

// Get returns an object, nil if there is none of that name.
func (c cluster) Get(key api.Key) api.Object { return c.view.get(key) }

// All lists the objects of a kind by namespace and name.
func (c cluster) All(kind api.Kind) []api.Object { return c.view.All(kind) }

// Transcript returns all that a command has printed, which is record i, up to where the run is computed, each line with its
// moment; what a person sees at t is the lines up to t. Most commands print everything at once; a drain goes on, and is open
// until it ends. It is nil for a record that is no command.
func (p *Past) Transcript(i int) *kubectl.Reading {
	rec := &p.Records()[i]
	if rec.Kind != sim.Input {
		return nil
	}
	if printed := p.source.Printed(i); printed != nil {
		return printed
	}
	answer := &kubectl.Reading{Failed: rec.Failed}
	if rec.What != "" {
		for line := range strings.SplitSeq(rec.What, "\n") {
			answer.Lines = append(answer.Lines, kubectl.Line{T: rec.At, Text: line})
		}
	}
	return answer
}
