package session

import (
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// asking is a session that waits at the question of the first lesson.
func asking(t *testing.T) *Session {
	t.Helper()
	s := New(false)
	s.UseGuide(Guide{Captions: true})
	s.LoadScenario(FirstScenario)
	for s.Compute(1000) {
	}
	s.SeekTo(9000)
	s.Play()
	for s.Playing() {
		s.Tick(16)
	}
	if s.Question() == nil || s.Question().Field != "updated" {
		t.Fatalf("at %d the question is %+v", s.Cursor().T, s.Question())
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
		if s.Told() != nil || s.Most() != 20 {
			t.Errorf("before the answer: told %+v, at most %d", s.Told(), s.Most())
		}
		s.Bet(test.said)
		if !s.Playing() || s.Question() != nil || s.Told() != nil {
			t.Errorf("after the answer: playing %v, asked %v, told %v", s.Playing(), s.Question(), s.Told())
		}
		for s.Playing() {
			s.Tick(16)
		}
		told := s.Told()
		if told == nil || told.Said != test.said || told.Is != 5 || told.Right() != test.right || s.Cursor().T != 10_100 {
			t.Fatalf("at %d: told %+v", s.Cursor().T, told)
		}
		if right, all := s.Score(); all != 1 || (right == 1) != test.right {
			t.Errorf("score %d of %d", right, all)
		}
		s.SeekTo(10_000)
		if s.Question() != nil || s.Told() != nil {
			t.Errorf("back at the question: asked %v, told %v", s.Question(), s.Told())
		}
	}
}

// TestAFirstVisitIsAskedNothing: until its cursor moves; playing asks when it comes by again.
func TestAFirstVisitIsAskedNothing(t *testing.T) {
	s := New(false)
	s.UseGuide(Guide{Captions: true})
	s.LoadScenario(FirstScenario)
	for s.Compute(1000) {
	}
	s.Pause()
	s.seek(10_000)
	if s.Question() == nil {
		t.Fatal("there is no question")
	}
	s.Reveal()
	s.LookAt(s.Cursor().Record)
	if s.Question() != nil {
		t.Error("the first visit is asked")
	}
	s.SeekTo(9000)
	s.Question()
	s.Play()
	for s.Playing() {
		s.Tick(16)
	}
	if s.Question() == nil || s.Cursor().T != 10_000 {
		t.Errorf("at %d playing asks nothing", s.Cursor().T)
	}
}

// TestBetIsNoCommand: answers and skipping leave the recording and undo alone, and a command ends the questions.
func TestBetIsNoCommand(t *testing.T) {
	s := asking(t)
	runs, starts := s.Runs(), s.Starts()
	s.Bet(5)
	s.Bet(7) // there is no question any more
	if s.Runs() != runs || s.Starts() != starts || s.CanUndo() || len(s.Recording().Commands) != 0 {
		t.Error("an answer changed the run")
	}
	s = asking(t)
	s.Onwards()
	for s.Playing() {
		s.Tick(16)
	}
	if s.Told() != nil || s.Cursor().T != 10_100 {
		t.Errorf("skipped, but told %+v at %d", s.Told(), s.Cursor().T)
	}
	s.SeekTo(10_000)
	if s.Question() == nil {
		t.Error("a question that was skipped is gone")
	}
	s.Kubectl("kubectl scale deployment/nginx-deployment --replicas=3")
	if s.Question() != nil {
		t.Error("a question about another run")
	}
	s.Undo()
	s.SeekTo(10_000)
	if s.Question() == nil {
		t.Error("undo does not bring the question back")
	}
}

// TestNoBetWithoutGuide: a session that plays evenly, as in an embed, asks nothing; one that never plays by itself steps on.
func TestNoBetWithoutGuide(t *testing.T) {
	s := asking(t)
	s.UseGuide(Guide{})
	if s.Question() != nil {
		t.Error("asked although playing does not stop")
	}
	s = asking(t)
	s.calm = true
	s.Bet(5)
	if told := s.Told(); told == nil || !told.Right() || s.Playing() {
		t.Errorf("with less motion: %+v", told)
	}
}

// TestAnswersAreLate: no shipped question tells what was seen before it.
func TestAnswersAreLate(t *testing.T) {
	for name := range shelf {
		sc, _ := scenario.Parse(shipped(name))
		for _, c := range sc.Captions {
			if c.Ask != nil && (c.Ask.At <= c.At || c.Ask.From > 0 && c.Ask.From < c.At) {
				t.Errorf("%s at %d: %+v", name, c.At, c.Ask)
			}
		}
	}
}
