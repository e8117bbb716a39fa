package session

import (
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/engine"
)

// Preview is a run that is shown while somebody drags a bound: the present recording, as if the manifest had said so from the
// start. Nothing of it is kept when the drag ends.
type Preview struct {
	run  *engine.Run
	runs map[bound]*engine.Run // of this drag, some half computed: an edge that is moved may come back, or continue

	computed *Run
}

// bound is a field of the rolling update with a number of pods.
type bound struct {
	field string
	pods  int
}

// previewBytes is how much memory a drag may take for the runs that it does not show.
const previewBytes = 16 << 20

// A frame of 16 ms leaves half for the drawing. What may be asked for next is computed in shorter slices, so that a move hardly waits.
const (
	previewTime = 8 * time.Millisecond
	foreseeTime = 4 * time.Millisecond
)

// Show computes the run as it would be if a field of the rolling update had been a number of pods from the start. Asked again
// for the same it continues a long run. The result is nil if there is nothing to change.
func (p *Preview) Show(field string, pods int) *engine.Run {
	of := bound{field, pods}
	if p.full() {
		maps.DeleteFunc(p.runs, func(other bound, _ *engine.Run) bool { return other != of })
	}
	if p.run = p.bounded(of); p.run != nil && !p.run.Done() {
		p.run.AdvanceWhile(math.MaxInt64, p.computed.slice(previewTime))
	}
	return p.run
}

// Foresee computes a slice of a run that Preview may be asked for next, between two frames. It says whether there is more to compute.
func (p *Preview) Foresee(field string, pods int) (more bool) {
	if p.full() || p.run != nil && !p.run.Done() {
		return false
	}
	run := p.bounded(bound{field, pods})
	if run == nil || run.Done() {
		return false
	}
	run.AdvanceWhile(math.MaxInt64, p.computed.slice(foreseeTime))
	return !run.Done()
}

// bounded is the run with another bound, as far as this drag has computed it; nil if there is nothing to change.
func (p *Preview) bounded(of bound) *engine.Run {
	if run := p.runs[of]; run != nil {
		return run
	}
	rec, ok := p.computed.bounded(of.field, of.pods, 0)
	if !ok {
		return nil
	}
	run, _ := engine.StartIn(p.computed.library, rec)
	if run == nil {
		return nil
	}
	if p.runs == nil {
		p.runs = map[bound]*engine.Run{}
	}
	p.runs[of] = run
	return run
}

// full says that the runs of the drag take all the memory that they may.
func (p *Preview) full() bool {
	var size int64
	for _, run := range p.runs {
		size += run.Bytes()
	}
	return size > previewBytes
}

// Run is the run that Preview has computed, nil if nobody drags.
func (p *Preview) Run() *engine.Run { return p.run }

// End forgets it.
func (p *Preview) End() { p.run, p.runs = nil, nil }

// Here is the cursor as the moment of a bound.
const Here = int64(-1)

// SetBound gives a field of the rolling update a number of pods: from a moment of the run on, or by a kubectl line at the cursor.
func (s *Session) SetBound(field string, pods int, at int64) {
	s.Preview.End()
	if at == Here {
		s.Kubectl(command.SetBound(s.Computed.Workload(), field, strconv.Itoa(pods)))
		return
	}
	if rec, ok := s.Computed.bounded(field, pods, at); ok && s.change(rec) {
		s.Visit.Notice = Notice{}
		s.Visit.Say(s.Visit.Lang.Say("bound-set", field, pods))
	}
}

// bounded is the recording with one more command at a moment, at the earliest a ms after the workload came to be: there it changes the
// bound before anything could depend on it. A command that did so before goes.
func (c *Run) bounded(field string, pods int, at int64) (rec engine.Recording, ok bool) {
	workload := c.Workload()
	if c.shown == nil || workload == "" {
		return rec, false
	}
	frames := c.shown.Frames(workload)
	if len(frames) == 0 {
		return rec, false
	}
	first := engine.Command{At: max(at, frames[0].T+1), Run: command.SetBound(workload, field, strconv.Itoa(pods))}
	same := first.Run[:strings.LastIndexByte(first.Run, ':')] // all but the number
	others := slices.DeleteFunc(slices.Clone(c.rec.Commands), func(c engine.Command) bool { return c.At == first.At && strings.HasPrefix(c.Run, same) })
	rec = engine.Recording{Scenario: c.rec.Scenario, Commands: append([]engine.Command{first}, others...)}
	sort.SliceStable(rec.Commands, func(i, k int) bool { return rec.Commands[i].At < rec.Commands[k].At })
	return rec, true
}
