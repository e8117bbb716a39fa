package session

import (
	"testing"

	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// asking is a session that waits at the question of the first lesson.
func asking(t *testing.T) *Session {
	t.Helper()
	s := New(false)
	s.Cursor.Guide = Guide{Captions: true}
	s.LoadScenario(FirstScenario)
	for s.Compute(1000) {
	}
	s.Cursor.SeekTo(9000)
	s.Cursor.Play()
	for s.Cursor.Playing {
		s.Tick(16)
	}
	if s.Lesson.Question() == nil || s.Lesson.Question().Field != "updated" {
		t.Fatalf("at %d the question is %+v", s.Cursor.T, s.Lesson.Question())
	}
	return s
}

// TestBet: an answer plays on to the next caption, where the run's answer is told; the question is not asked again.
func TestBet(t *testing.T) {
	for _, test := range []struct {
		said  int
		right bool
	}{{5, true}, {3, false}} {
		s := asking(t)
		if s.Lesson.Answered() != nil || s.Lesson.Most(s.Lesson.Question()) != 20 {
			t.Errorf("before the answer: told %+v, at most %d", s.Lesson.Answered(), s.Lesson.Most(s.Lesson.Question()))
		}
		s.Lesson.Answer(test.said)
		if !s.Cursor.Playing || s.Lesson.Question() != nil || s.Lesson.Answered() != nil {
			t.Errorf("after the answer: playing %v, asked %v, told %v", s.Cursor.Playing, s.Lesson.Question(), s.Lesson.Answered())
		}
		for s.Cursor.Playing {
			s.Tick(16)
		}
		told := s.Lesson.Answered()
		if told == nil || told.Answer != test.said || told.Is != 5 || told.Right() != test.right || s.Cursor.T != 10_100 {
			t.Fatalf("at %d: told %+v", s.Cursor.T, told)
		}
		if right, all := s.Lesson.Score(); all != 1 || (right == 1) != test.right {
			t.Errorf("score %d of %d", right, all)
		}
		s.Cursor.SeekTo(10_000)
		if s.Lesson.Question() != nil || s.Lesson.Answered() != nil {
			t.Errorf("back at the question: asked %v, told %v", s.Lesson.Question(), s.Lesson.Answered())
		}
	}
}

// TestAFirstVisitIsAskedNothing: until its cursor moves; playing asks when it comes by again.
func TestAFirstVisitIsAskedNothing(t *testing.T) {
	s := New(false)
	s.Cursor.Guide = Guide{Captions: true}
	s.LoadScenario(FirstScenario)
	for s.Compute(1000) {
	}
	s.Cursor.Pause()
	s.Cursor.seek(10_000)
	if s.Lesson.Question() == nil {
		t.Fatal("there is no question")
	}
	s.Lesson.Reveal()
	s.Cursor.LookAt(s.Cursor.Record)
	if s.Lesson.Question() != nil {
		t.Error("the first visit is asked")
	}
	s.Cursor.SeekTo(9000)
	s.Lesson.Question()
	s.Cursor.Play()
	for s.Cursor.Playing {
		s.Tick(16)
	}
	if s.Lesson.Question() == nil || s.Cursor.T != 10_000 {
		t.Errorf("at %d playing asks nothing", s.Cursor.T)
	}
}

// TestBetIsNoCommand: answers and skipping leave the recording and undo alone, and a command ends the questions.
func TestBetIsNoCommand(t *testing.T) {
	s := asking(t)
	runs, starts := s.Computed.Number, s.Computed.Started
	s.Lesson.Answer(5)
	s.Lesson.Answer(7) // there is no question any more
	if s.Computed.Number != runs || s.Computed.Started != starts || s.History.CanUndo() || len(s.Computed.rec.Commands) != 0 {
		t.Error("an answer changed the run")
	}
	s = asking(t)
	s.Lesson.Continue()
	for s.Cursor.Playing {
		s.Tick(16)
	}
	if s.Lesson.Answered() != nil || s.Cursor.T != 10_100 {
		t.Errorf("skipped, but told %+v at %d", s.Lesson.Answered(), s.Cursor.T)
	}
	s.Cursor.SeekTo(10_000)
	if s.Lesson.Question() == nil {
		t.Error("a question that was skipped is gone")
	}
	s.Kubectl("kubectl scale deployment/nginx-deployment --replicas=3")
	if s.Lesson.Question() != nil {
		t.Error("a question about another run")
	}
	s.Undo()
	s.Cursor.SeekTo(10_000)
	if s.Lesson.Question() == nil {
		t.Error("undo does not bring the question back")
	}
}

// TestNoBetWithoutGuide: a session that plays evenly, as in an embed, asks nothing; one that never plays by itself steps on.
func TestNoBetWithoutGuide(t *testing.T) {
	s := asking(t)
	s.Cursor.Guide = Guide{}
	if s.Lesson.Question() != nil {
		t.Error("asked although playing does not stop")
	}
	s = asking(t)
	s.Visit.Calm = true
	s.Lesson.Answer(5)
	if told := s.Lesson.Answered(); told == nil || !told.Right() || s.Cursor.Playing {
		t.Errorf("with less motion: %+v", told)
	}
}

// TestAnswersAreLate: no shipped question tells what was seen before it.
func TestAnswersAreLate(t *testing.T) {
	for _, name := range scenarios.Names() {
		sc, _ := scenario.Parse(gallery.Text(name))
		for _, c := range sc.Captions {
			if c.Ask != nil && (c.Ask.At <= c.At || c.Ask.From > 0 && c.Ask.From < c.At) {
				t.Errorf("%s at %d: %+v", name, c.At, c.Ask)
			}
		}
	}
}
