package session

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/past"
)

// find returns the first record at or after virtual ms from for which ok says true.
func find(t *testing.T, run *engine.Run, from int64, ok func(r engine.Record) bool) int {
	t.Helper()
	for i := max(run.Past().Find(from-1), 0); i < run.Len(); i++ {
		if r := run.Record(i); r.T >= from && ok(r) {
			return i
		}
	}
	t.Fatal("no such record")
	return -1
}

func whatBegins(what string) func(engine.Record) bool {
	return func(r engine.Record) bool { return r.Kind == engine.Write && strings.HasPrefix(r.What, what) }
}

// TestWhyOfAScaleDown reads everything that the panel says of the first scale-down.
func TestWhyOfAScaleDown(t *testing.T) {
	s := newTestSession(t)
	run := s.Computed.shown
	i := find(t, run, 10_000, whatBegins("Scaled down"))
	s.Cursor.LookAt(i)
	r := s.Cursor.Why()
	if r.Record != i || r.Actor != "deployment-controller" || !strings.HasSuffix(r.What, "from 10 to 8") {
		t.Fatalf("the panel is about %+v", r)
	}
	if len(r.Sums) == 0 || r.Sums[0].Index != i || r.Sums[0].Rule != "D-55" || !strings.HasPrefix(r.Sums[0].Formula, "8 = 10 oldRS") || r.Sums[0].What != "" {
		t.Errorf("sums: %+v, want its own first, with its words in the head alone", r.Sums)
	}
	if r.Branch != "rolling update, scale down" || r.Idle != "" || r.Woken.Text != "deployment/nginx-deployment was modified" {
		t.Errorf("took %q, idle %q, woken by %+v", r.Branch, r.Idle, r.Woken)
	}
	shown := 0
	for _, w := range r.Writes {
		if len(w.Fields) > 0 {
			shown++
			if w.Index != i || w.Fields[0] != (past.FieldChange{Path: "spec.replicas", Old: "10", New: "8"}) {
				t.Errorf("the fields are %+v of record %d", w.Fields, w.Index)
			}
		}
	}
	if shown != 1 || len(r.Writes) != 3 {
		t.Errorf("%d of %d writes show their fields, want 1 of 3", shown, len(r.Writes))
	}
	if n := len(r.Chain); n < 2 || !strings.HasPrefix(r.Chain[0].Text, "kubectl set image") || r.Chain[n-1].Text != "deployment-controller: rolling update, scale down" {
		t.Errorf("chain: %+v, want it to lead from the command to the reconcile", r.Chain)
	}
}

// TestWhyOfAnIdleReconcile: a reconcile that changes nothing says why.
func TestWhyOfAnIdleReconcile(t *testing.T) {
	s := newTestSession(t)
	i := find(t, s.Computed.shown, 0, func(r engine.Record) bool {
		return r.Kind == engine.Reconcile && strings.Contains(r.What, "changes nothing")
	})
	s.Cursor.LookAt(i)
	r := s.Cursor.Why()
	if r.Record != i || r.Idle == "" || strings.Contains(r.Branch, "changes nothing") || len(r.Writes) > 0 {
		t.Errorf("got %+v", r)
	}
}

// TestWhyWalksTheDecisionsOfAController: next and previous go through the deciding reconciles of one actor, all of them,
// there and back.
func TestWhyWalksTheDecisionsOfAController(t *testing.T) {
	s := newTestSession(t)
	run := s.Computed.shown
	want := map[int]bool{}
	for i := range run.Len() {
		if r := run.Record(i); r.Actor == "deployment-controller" && telling(r) {
			want[run.Past().SyncOf(i)] = true
		}
	}
	s.Cursor.LookAt(find(t, run, 0, func(r engine.Record) bool { return r.Actor == "deployment-controller" && telling(r) }))
	if s.Cursor.Why().Prev >= 0 {
		t.Fatalf("before the first decision there is %+v", run.Record(s.Cursor.Why().Prev))
	}
	var there []int
	for i := s.Cursor.Why().Record; i >= 0; i = s.Cursor.Why().Next {
		s.Cursor.LookAt(i)
		there = append(there, run.Past().SyncOf(i))
		if r := run.Record(i); r.Actor != "deployment-controller" || !telling(r) {
			t.Fatalf("next leads to %+v", r)
		}
	}
	if len(there) != len(want) {
		t.Errorf("%d decisions on the way, want %d", len(there), len(want))
	}
	back := 1
	for s.Cursor.Why().Prev >= 0 {
		s.Cursor.LookAt(s.Cursor.Why().Prev)
		back++
	}
	if back != len(there) {
		t.Errorf("%d decisions on the way back, %d there", back, len(there))
	}
}

// TestWhyAfterAClickOnTheChart: at the moment of every frame the panel shows the last decision at or before it, with a
// rule, however many other records there are.
func TestWhyAfterAClickOnTheChart(t *testing.T) {
	s := newTestSession(t)
	run := s.Computed.shown
	for _, f := range run.Frames(s.Computed.Workload()) {
		if f.T < 2 {
			continue // nothing is decided yet
		}
		s.Cursor.SeekTo(f.T)
		r := s.Cursor.Why()
		if !telling(run.Record(r.Record)) || len(r.Sums) == 0 || r.Sums[0].Rule == "" {
			t.Fatalf("at %d ms the panel shows %+v", f.T, r)
		}
		for i := r.Record + 1; i <= s.Cursor.Record; i++ {
			if telling(run.Record(i)) {
				t.Fatalf("at %d ms record %d is shown, and %d is a later decision", f.T, r.Record, i)
			}
		}
	}
}

// TestWhyAfterAStep: a step shows the reconcile that the cursor stands on, also one that only writes a status.
func TestWhyAfterAStep(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(1000)
	for range 10 {
		s.StepNext()
		r := s.Cursor.Why()
		if sync := s.Computed.shown.Past().SyncOf(s.Cursor.Record); sync < 0 || r.Sync != sync {
			t.Errorf("the cursor stands on reconcile %d, the panel shows %d: %s", sync, r.Sync, r.What)
		}
	}
}

// TestWhyIsMadeOnce: while playing the panel's data stay the same until another record is shown.
func TestWhyIsMadeOnce(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(6000)
	a := s.Cursor.Why()
	s.Cursor.SeekTo(6001)
	if b := s.Cursor.Why(); len(a.Sums) == 0 || &a.Sums[0] != &b.Sums[0] {
		t.Error("the same reason is made again")
	}
	s.Cursor.SeekTo(10_001)
	if b := s.Cursor.Why(); b.Record == a.Record {
		t.Error("another decision shows the same reason")
	}
}

// TestRowsLeadToDecisions: a row of a table leads to the last write of its object.
func TestRowsLeadToDecisions(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SeekTo(12_000)
	here := s.Cursor.Record
	pod := s.Computed.shown.Past().Objects(api.KindPod, here)[0].Key()
	s.Cursor.LookAtObject("Pod/default/" + pod.Name)
	if r := s.Computed.shown.Record(s.Cursor.Record); r.Kind != engine.Write || r.Object != "Pod/default/"+pod.Name || s.Cursor.Record > here {
		t.Errorf("the row of %s leads to %+v", pod.Name, r)
	}
	here = s.Cursor.Record
	if s.Cursor.LookAtObject("Pod/default/nobody"); s.Cursor.Record != here {
		t.Errorf("nobody's row leads to record %d", s.Cursor.Record)
	}
}

// BenchmarkReason makes the panel's data for one record after the other.
func BenchmarkReason(b *testing.B) {
	s := New(false)
	s.Open(Kept{}, "")
	for s.Compute(Slice) {
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Cursor.LookAt(i % s.Computed.shown.Len())
		s.Cursor.Why()
	}
}
