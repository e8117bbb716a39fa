package kubectl

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/events"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realserver"
	"github.com/rollplay/rollplay/engine/past"
)

const (
	streamLimit = 40_000 // virtual ms for which a line that keeps printing is compared
	late        = 20     // ms that a line of the real one may be later: requests have their delays
)

// Streams draws lines that go on.
func Streams(g generate.Random, c *Cluster, n int) (lines []string) {
	for range n {
		d := &drawing{Random: g, cluster: c, about: c.any(g, nil)}
		lines = append(lines, d.expand("{stream}"))
	}
	return lines
}

// CompareStreams lets both answer lines that go on, each in a cluster that changes as it does in the engine's run.
func CompareStreams(c *Cluster, lines []string) (list []*Verdict, err error) {
	for _, line := range lines {
		run, reading, command, err := c.stream(line)
		if err != nil {
			return nil, err
		}
		feed, writes, err := c.feed(run, command)
		if err != nil {
			return nil, err
		}
		answers, err := realkubectl.Ask(realkubectl.Job{Now: c.Now(), Items: c.items, Lines: []string{line}, Feed: feed, Limit: streamLimit * time.Millisecond})
		if err != nil {
			return nil, err
		}
		end := c.At + streamLimit - late            // what the real one prints a little later must still be seen
		if reading.Open && run.Past().Now() < end { // nobody knows what comes behind the end of the run
			end = run.Past().Now()
		}
		real, ours := answers[0], answerOf(line, reading)
		ours.Writes, ours.Ended = writes, time.UnixMilli(epoch+c.At)
		for _, l := range reading.Lines {
			ours.Lines = append(ours.Lines, realkubectl.TimedLine{At: time.UnixMilli(epoch + l.T), Text: l.Text})
			ours.Ended = time.UnixMilli(epoch + l.T)
		}
		cutAt(&real, end)
		cutAt(&ours, end)
		v, err := judge(c, real, ours)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// cutAt leaves out what an answer has after a moment.
func cutAt(a *realkubectl.Answer, end int64) {
	late := func(t time.Time) bool { return t.UnixMilli() > epoch+end }
	if late(a.Ended) && a.Code != realkubectl.Crashed {
		a.Code = realkubectl.Running
	}
	a.Lines = slices.DeleteFunc(a.Lines, func(l realkubectl.TimedLine) bool { return late(l.At) })
	if a.Lines == nil {
		a.Lines = []realkubectl.TimedLine{}
	}
	a.Text, a.Stderr = "", ""
	for _, l := range a.Lines {
		a.Text += l.Text + "\n"
	}
}

// epoch is the virtual moment 0 in Unix ms.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()

// stream lets the engine answer a line that keeps printing, and returns the run whose changes it sees. command is the record of the line if
// it is a command of that run, and else -1.
func (c *Cluster) stream(line string) (run *engine.Run, r *read.Reading, command int, err error) {
	p := c.run.Past()
	if reading, ok := p.Read(past.Parse(line), p.Find(c.At), c.At); ok {
		return c.run, reading, -1, nil
	}
	run, _ = engine.Start(engine.Recording{Scenario: c.Scenario, Commands: []engine.Command{{At: c.At, Run: line}}})
	run.AdvancePast(c.At+streamLimit, math.MaxInt)
	p = run.Past()
	command = p.LastInput(p.Find(c.At))
	if command < 0 || p.At(command) != c.At || p.Transcript(command) == nil {
		return nil, nil, 0, fmt.Errorf("the engine does not answer %q at %d ms: %s", line, c.At, run.Broken())
	}
	return run, p.Transcript(command), command, nil
}

// feed returns what changes in a run after the moment: as steps for the real one, and what the command itself writes.
func (c *Cluster) feed(run *engine.Run, command int) (steps []realkubectl.Step, writes []realkubectl.Write, err error) {
	p := run.Past()
	records := p.Records()
	now := p.Find(c.At)
	if command >= 0 {
		now = command
	}
	text := func(o api.Object) json.RawMessage {
		if o == nil {
			return json.RawMessage("null")
		}
		item, wrong := json.Marshal(print.Served(o))
		if wrong != nil {
			err = wrong
		}
		return item
	}
	add := func(at int64, o api.Object) {
		steps = append(steps, realkubectl.Step{At: time.UnixMilli(epoch + at).UTC(), Item: text(o)})
	}
	changes := p.ChangesAfter(now)
	acted := int64(-1) // when the command has written last
	object := func(until int64) {
		for len(changes) > 0 && changes[0].At <= until {
			change := changes[0]
			changes = changes[1:]
			at := change.At
			if at == acted { // what follows from the command must not come before it
				at++
			}
			switch r := records[change.Record]; {
			case command >= 0 && int(r.Cause) == command && // what other lines write, the scenario's own among them, comes from outside
				(r.Actor == "kubectl" || r.Actor == "kube-apiserver"): // an eviction counts in its budget
				acted = change.At
				key := change.Object().Key()
				writes = append(writes, realkubectl.Write{Key: realserver.Key(string(key.Kind), key.Namespace, key.Name), Before: text(change.Old), After: text(change.New)})
			case change.New != nil:
				add(at, change.New)
			default:
				key := change.Old.Key()
				steps = append(steps, realkubectl.Step{At: time.UnixMilli(epoch + at).UTC(), Gone: realserver.Key(string(key.Kind), key.Namespace, key.Name)})
			}
		}
	}
	events.Later(records, now, func(at int64, e *events.Event) {
		object(at)
		if at <= c.At+streamLimit {
			add(at, e)
		}
	})
	object(c.At + streamLimit)
	return steps, writes, err
}
