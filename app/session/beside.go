package session

import (
	"math"

	"github.com/rollplay/rollplay/engine"
)

// beside is another branch whose curves stand behind those of the present one: the future that was left last, or the one that a
// person compares with.
type beside struct {
	rec     engine.Recording
	run     *engine.Run
	open    bool // a person compares: the figures of both are shown, and links hold both
	scored  bool
	parting Parting
	parted  [3]int // what the parting was computed from: the number of the run, and both numbers of records
}

// besideRecords bounds a run that stands beside another one: both are in memory.
const besideRecords = largeRecords

// Beside is the run that stands beside the present one, nil if there is none.
func (s *Session) Beside() *engine.Run { return s.beside.run }

// Comparing says that the figures of both are shown.
func (s *Session) Comparing() bool { return s.beside.run != nil && s.beside.open }

// Besides counts the runs that stood beside, and what has become known of them, so that a chart knows when to draw.
func (s *Session) Besides() int { return s.besides }

// BesideLate says that frames compute it.
func (s *Session) BesideLate() bool { return s.beside.run != nil && !s.beside.run.Done() }

func (s *Session) setBeside(b beside) {
	s.besides++
	if s.beside = b; b.run != nil && b.run.Len() > besideRecords {
		s.beside = beside{}
	}
}

// dropGhost removes it, unless a person compares.
func (b *beside) dropGhost() {
	if !b.open {
		*b = beside{}
	}
}

// stand follows the step to another recording: the branch that was left stands beside its successor. What a person compares with
// stays, unless it is now the present recording itself.
func (s *Session) stand(old *engine.Run, left bool, tree int) {
	switch {
	case s.branch.Tree != tree:
		s.setBeside(beside{})
	case s.beside.run != nil && sameRecording(s.beside.rec, s.rec):
		s.setBeside(besideOf(old, s.beside.open && left))
	case left && !s.beside.open:
		s.setBeside(besideOf(old, false))
	}
}

func besideOf(run *engine.Run, open bool) beside {
	if run == nil {
		return beside{}
	}
	return beside{rec: run.Recording(), run: run, open: open}
}

// Compare shows the figures of the branch with an ID beside those of the present one; 0, or the one that is there, ends that.
func (s *Session) Compare(id int) {
	i := s.forkWith(id)
	s.starts++ // the link is another one
	if i < 0 || s.beside.open && sameRecording(s.beside.rec, s.forks[i].Rec) {
		s.beside.open = false
		s.besides++
		s.Say(s.lang.Say("compare-off"))
		return
	}
	s.compareWith(s.forks[i].Rec)
	if s.beside.open {
		s.touched = true
		s.Say(s.lang.Say("compare-on", s.ForkTitle(i)))
	}
}

// CompareLast compares with what stands beside already, or with the branch of this tree that was left last.
func (s *Session) CompareLast() {
	for i := range s.forks {
		f := &s.forks[i]
		if f.Tree == s.branch.Tree && (s.beside.run == nil || sameRecording(s.beside.rec, f.Rec)) {
			s.Compare(f.ID)
			return
		}
	}
}

// compareWith puts a recording beside the present one. Frames compute its run.
func (s *Session) compareWith(rec engine.Recording) {
	if s.beside.run != nil && sameRecording(s.beside.rec, rec) {
		s.beside.open = true
		s.besides++
		return
	}
	run, diags := engine.StartIn(&s.library, rec)
	if run == nil {
		s.refuse(s.lang.Say("run-refused", firstError(s.lang, diags)))
		return
	}
	s.setBeside(beside{rec: rec, run: run, open: true})
}

// computeBeside advances it once the shown run is there, and says whether there is more to do.
func (s *Session) computeBeside(more func() bool) bool {
	run := s.beside.run
	if run == nil || s.beside.scored {
		return false
	}
	if s.Computing() {
		return true
	}
	if run.AdvanceWhile(math.MaxInt64, more); !run.Done() && run.Len() > besideRecords {
		run.Stop()
	}
	if !run.Done() {
		return true
	}
	s.beside.scored = true
	s.besides++
	for i := range s.forks {
		if f := &s.forks[i]; sameRecording(f.Rec, s.beside.rec) {
			f.Records, f.End, f.Done, f.Score = run.Len(), run.Now(), true, s.ScoreOf(run)
		}
	}
	return false
}

// Comparison is what the figures of two branches are.
type Comparison struct {
	Name, Other string
	Here, There Score
	Parting     Parting
}

// Comparison compares the shown run with the one beside it; ok is false until both are computed.
func (s *Session) Comparison() (c Comparison, ok bool) {
	if !s.Comparing() || s.run == nil || !s.run.Done() || !s.beside.scored {
		return c, false
	}
	c.Name, c.Other = s.title(&s.branch, s.rec), s.lang.Say("branch-other")
	for i := range s.forks {
		if sameRecording(s.forks[i].Rec, s.beside.rec) {
			c.Other = s.ForkTitle(i)
		}
	}
	c.Here, c.There, c.Parting = s.ScoreOf(s.run), s.ScoreOf(s.beside.run), s.Parting()
	return c, true
}
