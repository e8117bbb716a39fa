package past

import (
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl"
	"github.com/rollplay/rollplay/engine/sim"
)

// Read answers a kubectl line that reads (get, describe, rollout status …) after a record, at a moment from then on. The
// answer has everything that the command prints up to Now, each line with its moment; at t, a user sees the lines up to t.
// ok is false for a line that would change the cluster, or may: such a line needs a run with one more command (see
// engine.Run.ActAt).
func (p *Past) Read(line string, record int, t int64) (reading *kubectl.Reading, ok bool) {
	log := p.log()
	reader := kubectl.Reader{
		Cluster: cluster{p.StateAfter(record)}, Now: t, Trace: p.Records(), Record: record,
		Changes: log[p.changesAfter(record):], End: p.Now(),
	}
	return reader.Read(line)
}

// cluster is a past state that kubectl reads from.
type cluster struct{ view *view }

// Get returns an object, nil if it does not exist.
func (c cluster) Get(key api.Key) api.Object { return c.view.get(key) }

// All lists the objects of a kind by namespace and name.
func (c cluster) All(kind api.Kind) []api.Object { return c.view.All(kind) }

// Transcript returns the output of the command that is record i, up to Now, each line with its moment; at t, a user sees the
// lines up to t. Most commands print everything at once; a drain continues, and its reading is open until it ends. The
// result is nil if record i is not a command.
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
