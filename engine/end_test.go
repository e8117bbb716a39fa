package engine

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/sim"
)

// faulty is a part of the cluster with a bug.
type faulty struct{}

func (faulty) Handle(sim.Event) { panic("the index is wrong") }

// TestABugEndsTheRun: a panic ends the run, which says where; what was computed before stays readable.
func TestABugEndsTheRun(t *testing.T) {
	r, _ := Start(Recording{Scenario: texts.Rollout(3)})
	r.world.kernel.Schedule(sim.Event{At: 5000, To: faulty{}})
	for !r.Advance(100) {
	}
	if r.Ended() != Broke || !r.Done() || r.Now() != 5000 || r.Len() == 0 {
		t.Fatalf("ended %q at %d with %d records", r.Ended(), r.Now(), r.Len())
	}
	want := "the index is wrong (in engine.faulty.Handle < sim.(*Kernel).Step < engine.(*Run).step"
	if !strings.HasPrefix(r.Broken(), want) || !strings.Contains(r.Cut(), "rollplay has a bug here, and the run stops at 5.000 s") {
		t.Errorf("%s\n%s", r.Broken(), r.Cut())
	}
	if pods := r.Past().Objects(api.KindPod, r.Len()-1); len(pods) != 3 {
		t.Errorf("%d pods are shown", len(pods))
	}
	defer func() {
		if p, _ := recover().(string); !strings.Contains(p, "index is wrong") {
			t.Errorf("Finish panics with %q", p)
		}
	}()
	r.Finish()
}

// TestStop keeps what is computed.
func TestStop(t *testing.T) {
	r, _ := Start(Recording{Scenario: texts.Rollout(3)})
	steps := 0
	if r.AdvanceWhile(60_000, func() bool { steps++; return steps <= 50 }) || steps != 51 {
		t.Fatalf("done after %d steps", steps)
	}
	n, at := r.Len(), r.Now()
	r.Stop()
	if !r.Advance(1000) || r.Len() != n || r.Now() != at || r.Ended() != Stopped || !strings.Contains(r.Cut(), "was stopped at") {
		t.Errorf("%s: %d records at %d, then %d at %d", r.Cut(), n, at, r.Len(), r.Now())
	}
	if text := traceOf(t, r); len(text) == 0 {
		t.Error("no trace")
	}
	r.Stop()
	done := mustRun(t, texts.Rollout(3))
	if done.Stop(); done.Ended() != "" || done.Cut() != "" {
		t.Errorf("a run that is done was stopped: %s", done.Cut())
	}
}

// TestEstimate: the expected size is that of the run, to a factor of two.
func TestEstimate(t *testing.T) {
	for _, tt := range []struct {
		text     string
		commands []Command
	}{
		{texts.Rollout(10), nil},
		{texts.Rollout(300), nil},
		{texts.Rollout(100), []Command{{At: 40_000, Run: "scale deployment/web --replicas=300"}, {At: 80_000, Run: "rollout restart deployment"}}},
		{texts.Rollout(100), []Command{{At: 40_000, Run: "delete deployment web"}}},
	} {
		r, _ := Start(Recording{Scenario: tt.text, Commands: tt.commands})
		before := r.Estimate()
		for !r.AdvancePast(30_000, 1<<20) && r.Now() <= 30_000 {
		}
		halfway := r.Estimate()
		done := r.Finish().Estimate()
		if done.Records != int64(r.Len()) || done.Bytes != r.Bytes() {
			t.Errorf("the estimate of a run that is done is %+v", done)
		}
		for _, e := range []Estimate{before, halfway} {
			if e.Records > 2*done.Records || 2*e.Records < done.Records || e.Bytes > 2*done.Bytes || 2*e.Bytes < done.Bytes {
				t.Errorf("%v: estimated %+v, then %+v, is %+v", tt.commands, before, halfway, done)
			}
		}
	}
}
