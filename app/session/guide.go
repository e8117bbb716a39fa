package session

import (
	"math"
	"slices"

	"github.com/rollplay/rollplay/app/chart"
)

// Guide is how playing treats a person who reads along. The zero Guide plays evenly from the first moment to the last.
type Guide struct {
	Captions bool // playing stops at each caption of a lesson
	Idle     bool // time in which nothing happens passes faster
	Opening  bool // a run that starts to play begins where the chart opens
}

// Guided returns how playing treats a person who reads along.
func (s *Session) Guided() Guide { return s.guide }

// UseGuide sets it.
func (s *Session) UseGuide(g Guide) { s.guide = g }

// idleMax is how many ms of the person's time may pass without a change on the screen.
const idleMax = 1500

// pace is how many virtual ms pass for each ms of the person's, and until when that holds.
func (s *Session) pace() (pace float64, until int64) {
	pace, until = Speeds[s.speed], math.MaxInt64
	if !s.guide.Idle || s.loop.Set == LoopOn {
		return pace, until
	}
	from, to := s.quiet()
	if need := float64(to-from) / idleMax; need > pace {
		return need, to
	}
	return pace, until
}

// Hurrying says that nothing happens at the cursor, so that playing goes faster than its speed.
func (s *Session) Hurrying() bool {
	if !s.playing || s.run == nil {
		return false
	}
	pace, _ := s.pace()
	return pace > Speeds[s.speed]
}

// quiet is the time around the cursor between two changes. A run that is still computed has none after its last record.
func (s *Session) quiet() (from, to int64) {
	x := s.Index()
	k, _ := slices.BinarySearch(x.shown, s.cursor.Record+1)
	if k > 0 {
		from = s.run.Past().At(x.shown[k-1])
	}
	switch {
	case k < len(x.shown):
		to = s.run.Past().At(x.shown[k])
	case s.run.Done():
		to = s.End()
	}
	return from, to
}

// captionNext is where playing stops next to let a caption be read. It does not for somebody who watches a stream at the prompt.
func (s *Session) captionNext() int64 {
	n := s.CaptionBeyond()
	if n < 0 || !s.guide.Captions || s.loop.Set == LoopOn || s.LessonLeft() || s.Screen().Stream() != nil {
		return math.MaxInt64
	}
	return s.run.Scenario().Captions[n].At
}

// Held says that the run stands at a caption and continues when the person has read it.
func (s *Session) Held() bool {
	n := s.Caption()
	return n >= 0 && s.guide.Captions && !s.playing && !s.AtEnd() && !s.LessonLeft() && s.run.Scenario().Captions[n].At == s.cursor.T
}

// Onwards continues from a caption to the next one.
func (s *Session) Onwards() {
	if s.calm {
		s.LessonNext()
		return
	}
	s.Play()
}

// openingWait is up to which virtual ms a run that starts to play looks for its opening.
const openingWait = 1000

// begin moves the cursor of a run that starts to play to where the chart opens, once that is known.
func (s *Session) begin() {
	if !s.fresh {
		return
	}
	from := s.Opening().From
	s.fresh = from == 0 && !s.run.Done() && s.cursor.T < openingWait
	if from > s.cursor.T {
		s.seek(from)
	}
}

// captionMargin is how many ms of the run the chart shows before the first caption.
const captionMargin = 500

// Opening is the part of the run that the chart shows first: the first rollout, and all captions if more than one comes before it.
func (s *Session) Opening() chart.Span {
	frames, last := s.run.Frames(s.Workload()), int64(0)
	if n := len(frames); n > 0 {
		last = frames[n-1].T
	}
	if inputs := s.Index().Inputs(); len(inputs) > 0 {
		last = max(last, s.run.Record(inputs[len(inputs)-1]).T)
	}
	open := chart.Opening(frames, chart.TimeAxis(chart.BusyEnd(last, s.End())), chart.TimeAxis(s.End()))
	if all := s.run.Scenario().Captions; len(all) > 1 && all[1].At < open.From {
		open.From = max(all[0].At-captionMargin, 0)
	}
	return open
}
