package session

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/engine"
)

// preview is a run that is shown while somebody drags a bound: the present recording, as if the manifest had said so from the
// start. Nothing of it is kept when the drag ends.
type preview struct {
	run  *engine.Run
	of   bound
	runs map[bound]*engine.Run // of this drag: an edge that is moved comes back to where it was
	size int64                 // bytes of those
}

// bound is a field of the rolling update with a number of pods.
type bound struct {
	field string
	pods  int
}

// previewBytes is how much memory a drag may take for the runs that it has left.
const previewBytes = 16 << 20

// Preview computes the run as it would be if a field of the rolling update had been a number of pods from the start. Asked again
// for the same it continues a long run. The result is nil if there is nothing to change.
func (s *Session) Preview(field string, pods int) *engine.Run {
	p, of := &s.preview, bound{field, pods}
	if p.run == nil || p.of != of {
		p.leave()
		p.run, p.of = p.runs[of], of
	}
	if p.run == nil {
		rec, ok := s.fromStart(field, pods)
		if !ok {
			return nil
		}
		if p.run, _ = engine.StartIn(&s.library, rec); p.run == nil {
			return nil
		}
	}
	if !p.run.Done() {
		p.run.AdvanceWhile(math.MaxInt64, s.slice(previewTime))
	}
	return p.run
}

// Foresee computes a run that Preview may be asked for next, between two frames. A long one waits until it is asked for.
func (s *Session) Foresee(field string, pods int) {
	p, of := &s.preview, bound{field, pods}
	if p.run == nil || p.of == of || p.runs[of] != nil || !p.run.Done() {
		return
	}
	if rec, ok := s.fromStart(field, pods); ok {
		if run, err := engine.StartIn(&s.library, rec); err == nil {
			if run.AdvanceWhile(math.MaxInt64, s.slice(previewTime)); run.Done() {
				p.keep(run, of)
			}
		}
	}
}

// leave keeps the run that was shown, unless that would take too much memory.
func (p *preview) leave() {
	if p.run != nil && p.runs[p.of] == nil {
		p.keep(p.run, p.of)
	}
}

func (p *preview) keep(run *engine.Run, of bound) {
	if p.size+run.Bytes() > previewBytes {
		return
	}
	if p.runs == nil {
		p.runs = map[bound]*engine.Run{}
	}
	p.runs[of] = run
	p.size += run.Bytes()
}

// previewTime leaves half of a frame of 16 ms for the drawing.
const previewTime = 8 * time.Millisecond

// Previewed is the run that Preview has computed, nil if nobody drags.
func (s *Session) Previewed() *engine.Run { return s.preview.run }

// EndPreview forgets it.
func (s *Session) EndPreview() { s.preview = preview{} }

// SetBound gives a field of the rolling update a number of pods: from the start of the run, or by a kubectl line at the cursor.
func (s *Session) SetBound(field string, pods int, start bool) {
	s.EndPreview()
	if !start {
		s.Kubectl(command.SetBound(s.Workload(), field, strconv.Itoa(pods)))
		return
	}
	rec, ok := s.fromStart(field, pods)
	if before := s.state(); ok && s.start(rec) {
		s.notice = Notice{}
		s.remember(before)
		s.Say(s.lang.Say("bound-set", field, pods))
	}
}

// fromStart is the recording with one more command, a ms after the workload came to be: it changes the bound before anything
// could depend on it. A command that did so before goes.
func (s *Session) fromStart(field string, pods int) (rec engine.Recording, ok bool) {
	workload := s.Workload()
	if s.run == nil || workload == "" {
		return rec, false
	}
	frames := s.run.Frames(workload)
	if len(frames) == 0 {
		return rec, false
	}
	first := engine.Command{At: frames[0].T + 1, Run: command.SetBound(workload, field, strconv.Itoa(pods))}
	rec = engine.Recording{Scenario: s.rec.Scenario, Commands: []engine.Command{first}}
	same := first.Run[:strings.LastIndexByte(first.Run, ':')] // all but the number
	for _, c := range s.rec.Commands {
		if c.At == first.At && strings.HasPrefix(c.Run, same) {
			continue
		}
		rec.Commands = append(rec.Commands, c)
	}
	return rec, true
}
