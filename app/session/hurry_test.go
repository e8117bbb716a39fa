package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/app/session"
)

// hurried is a session on a machine so slow that each slice computes one event.
func hurried(s *session.Session) {
	now := time.Unix(0, 0)
	s.Computed.UseClock(func() time.Time {
		now = now.Add(time.Second)
		return now
	})
}

// TestCommandsInAHurry: commands that are given before the run is computed up to the cursor wait, and none of them is lost. The
// recording is that of a person who waits for each answer.
func TestCommandsInAHurry(t *testing.T) {
	for _, at := range []int64{0, 700, 2999, 6000, 6001, 12_000, 24_998, 1 << 40} {
		patient, hasty := newPerson(t, nil), newPerson(t, nil)
		hurried(hasty.Session)
		for _, p := range []*person{patient, hasty} {
			p.Restart()
			p.Cursor.SeekTo(at)
			p.settle()
			for n := range 5 {
				if p.Kubectl(fmt.Sprintf("scale deployment/web --replicas=%d", 3+n)); p == patient {
					p.settle()
				}
			}
			p.settle()
		}
		if got, want := hasty.Recording(), patient.Recording(); !same(got, want) || hasty.Cursor.Place != patient.Cursor.Place {
			t.Errorf("at %d ms, in a hurry:\n%+v at %v\nnot\n%+v at %v", at, got.Commands, hasty.Cursor.Place, want.Commands, patient.Cursor.Place)
		}
		if n := len(patient.Recording().Commands); n != 5 && at < 24_000 {
			t.Errorf("at %d ms %d of 5 commands are in the recording", at, n)
		}
		hasty.replay()
	}
}

// liveInAHurry does not wait for anything. What a command is about is open then, because the cursor is where the run has got
// to; but at the end the page is what a fresh replay gives, and undo leads back through runs that start.
func (p *person) liveInAHurry(stepsMax int) {
	hurried(p.Session)
	for steps := 0; len(p.data) > 0 && steps < stepsMax; steps++ {
		p.hastyStep()
		if c := p.Cursor.Place; c.T < 0 || c.Record >= p.Run().Len() {
			p.fail("the cursor is at %v of %d records", c, p.Run().Len())
		}
		p.Prompt.Screen().Lines()
	}
	p.settle()
	p.replay()
	p.backAndForth()
}

func (p *person) hastyStep() {
	switch p.next(14) {
	case 0, 1, 2:
		line := p.line(kubectlLines[:])
		p.note("run %s at %d", line, p.Cursor.T)
		p.Kubectl(line)
	case 3, 4:
		t := int64(p.next(256)) * 110
		p.note("seek %d", t)
		p.Cursor.SeekTo(t)
	case 5:
		lines := p.line(readLines[:])
		p.note("type %q at %d", lines, p.Cursor.T)
		p.Type(lines)
	case 6:
		p.note("undo")
		p.Undo()
	case 7:
		p.note("redo")
		p.Redo()
	case 8:
		i := p.next(4)
		p.note("switch to %d", i)
		if all := p.Branches.List(); i < len(all) {
			p.SwitchTo(all[i].ID)
		}
	case 9:
		p.Document.Set(p.first + fmt.Sprintf("# %d\n", p.next(3)))
		if p.next(2) == 0 {
			p.note("restart")
			p.Restart()
		} else {
			p.note("apply at %d", p.Cursor.T)
			p.Apply()
		}
	case 10:
		p.note("to end")
		p.Cursor.ToEnd()
	case 11:
		p.note("step")
		p.StepNext()
	default:
		n := p.next(200)
		p.note("compute %d", n)
		p.Compute(n)
	}
}

// backAndForth undoes everything and redoes it. Lines that still wait at the prompt would come in between.
func (p *person) backAndForth() {
	p.Prompt.Interrupt()
	last, n := p.Recording(), 0
	for ; p.History.CanUndo(); n++ {
		p.Undo()
		p.settle()
		if !same(p.Run().Recording(), p.Recording()) {
			p.fail("undone, the run is not that of the recording")
		}
	}
	for range n {
		p.Redo()
		p.settle()
	}
	if !same(p.Recording(), last) {
		p.fail("back and forth through %d actions leads to\n%+v\nnot\n%+v", n, p.Recording(), last)
	}
}

// TestCommandsAtTheEnd: at the end of a scenario with a duration one command still happens. The engine would never carry out
// another one, so the page refuses it, and the terminal says so.
func TestCommandsAtTheEnd(t *testing.T) {
	p := newPerson(t, nil)
	p.Cursor.ToEnd()
	p.Kubectl("scale deployment/web --replicas=3")
	p.settle()
	first := p.Recording()
	if len(first.Commands) != 1 || !strings.HasSuffix(p.Prompt.Screen().Transcript(), "replicas=3\ndeployment.apps/web scaled\n") {
		t.Fatalf("the first command: %+v\n%s", first.Commands, p.Prompt.Screen().Transcript())
	}
	p.Kubectl("scale deployment/web --replicas=4")
	p.settle()
	p.refusedAtTheEnd(first)
	p.Type("scale deployment/web --replicas=5")
	p.settle()
	p.refusedAtTheEnd(first)
	if want := "replicas=5\nThe scenario ends at 00:25.000"; !strings.Contains(p.Prompt.Screen().Transcript(), want) {
		t.Errorf("no %q in the terminal:\n%s", want, p.Prompt.Screen().Transcript())
	}
}
