package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/judge"
)

// walk steps on from the start until the cursor is at the end, and returns the places and what was said there.
func walk(t *testing.T, s *Session, unit StepUnit) (places []cursor.Place, said []string) {
	t.Helper()
	s.Cursor.SetStep(unit)
	s.Cursor.ToStart()
	for s.StepNext(); !strings.HasPrefix(s.Visit.Said, "No further"); s.StepNext() {
		if n := len(places); n > 0 && !places[n-1].Before(s.Cursor.Place) {
			t.Fatalf("by %s: from %v to %v", unit, places[n-1], s.Cursor.Place)
		}
		places, said = append(places, s.Cursor.Place), append(said, s.Visit.Said)
	}
	if s.Cursor.T != s.Computed.End() {
		t.Errorf("by %s: the last step goes to %d, want the end %d", unit, s.Cursor.T, s.Computed.End())
	}
	return places, said
}

func TestStepsGoBackTheWayTheyCame(t *testing.T) {
	s := newTestSession(t)
	for _, unit := range StepUnits {
		places, _ := walk(t, s, unit)
		if len(places) == 0 {
			t.Fatalf("by %s: no step", unit)
		}
		if places[len(places)-1] == s.Cursor.Place {
			places = places[:len(places)-1] // the last stop is the end
		}
		for k := len(places) - 1; k >= 0; k-- {
			if s.Cursor.StepPrev(); s.Cursor.Place != places[k] {
				t.Fatalf("by %s: back at %v, want %v", unit, s.Cursor.Place, places[k])
			}
			s.StepNext()
			s.Cursor.StepPrev()
			if s.Cursor.Place != places[k] {
				t.Fatalf("by %s: forth and back from %v leads to %v", unit, places[k], s.Cursor.Place)
			}
		}
		if s.Cursor.StepPrev(); s.Cursor.T != 0 || s.Cursor.Playing {
			t.Errorf("by %s: before the first stop the cursor is at %v", unit, s.Cursor.Place)
		}
	}
}

func TestStepsByReconcilePassIdleOnesOver(t *testing.T) {
	s := newTestSession(t)
	places, said := walk(t, s, byReconcile)
	var want []cursor.Place
	idle := 0
	for i := range s.Computed.shown.Len() {
		switch sync := s.Computed.shown.Past().Sync(i); {
		case sync == nil:
		case sync.Last == i:
			idle++
		default:
			want = append(want, cursor.Place{T: s.Computed.shown.Past().At(i), Record: sync.Last})
		}
	}
	if !slices.Equal(places, want) {
		t.Errorf("%d stops, want %d: %v", len(places), len(want), places)
	}
	if idle == 0 {
		t.Error("no reconcile is idle: the test shows nothing")
	}
	if want := "00:10.001, deployment-controller: rolling update, "; !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, want) }) {
		t.Errorf("nowhere %q was said: %q", want, said)
	}
}

// TestStepsFromBetween: a step from a place that is no stop goes to the nearest one on either side.
func TestStepsFromBetween(t *testing.T) {
	s := newTestSession(t)
	places, _ := walk(t, s, byReconcile)
	for k := 1; k < len(places); k++ {
		if places[k].T == places[k-1].T {
			continue
		}
		middle := (places[k-1].T + places[k].T) / 2
		for _, c := range []struct {
			step func()
			want cursor.Place
		}{{s.Cursor.StepPrev, places[k-1]}, {s.StepNext, places[k]}} {
			if s.Cursor.SeekTo(middle); s.Cursor.Place == c.want {
				continue
			}
			if c.step(); middle > places[k-1].T && s.Cursor.Place != c.want {
				t.Fatalf("from %d to %v, want %v", middle, s.Cursor.Place, c.want)
			}
		}
	}
}

func TestStepsByEvent(t *testing.T) {
	s := newTestSession(t)
	places, said := walk(t, s, byEvent)
	events := 0
	for i := range s.Computed.shown.Len() {
		if r := s.Computed.shown.Record(i); r.Kind == engine.Event {
			if places[events] != (cursor.Place{T: r.T, Record: i}) || !strings.Contains(said[events], r.Reason+": "+r.Message) {
				t.Fatalf("stop %d is %v, said %q; want record %d, %s", events, places[events], said[events], i, r.Message)
			}
			events++
		}
	}
	if events != len(places) {
		t.Errorf("%d stops, want %d", len(places), events)
	}
}

func TestStepsBySecond(t *testing.T) {
	s := newTestSession(t)
	places, _ := walk(t, s, BySecond)
	for k, place := range places {
		if want := int64(k+1) * cursor.Second; place.T != want || place.Record != s.Computed.shown.Past().Find(want) {
			t.Fatalf("stop %d is %v, want second %d", k, place, k+1)
		}
	}
	s.Cursor.SeekTo(2500)
	if s.Cursor.StepPrev(); s.Cursor.T != 2000 {
		t.Errorf("back from 2500 to %d, want 2000", s.Cursor.T)
	}
}

func TestStepsByMoment(t *testing.T) {
	s := newTestSession(t)
	_, said := walk(t, s, ByMoment)
	all := strings.Join(said, "\n")
	for _, want := range []string{"kubectl set image", "first pod of nginx-deployment-", "rollout complete: 10 pods are updated and available", "condition Progressing is True: NewReplicaSetAvailable", "condition Available is True"} {
		if !strings.Contains(all, want) {
			t.Errorf("no stop says %q:\n%s", want, all)
		}
	}
	if n := strings.Count(all, "first pod of"); n != 2 {
		t.Errorf("%d ReplicaSets get a first pod, want 2", n)
	}
	if n := strings.Count(all, "rollout complete"); n != 2 {
		t.Errorf("%d rollouts complete, want 2", n)
	}
	if n := s.Computed.shown.Len(); len(said)*10 > n {
		t.Errorf("%d of %d records are moments of interest", len(said), n)
	}
	for _, line := range said {
		if strings.Contains(line, "the object has been modified") {
			t.Errorf("a conflict is no moment of interest: %s", line)
		}
	}
}

// quotaText has room for three of the five pods.
const quotaText = `apiVersion: v1
kind: ResourceQuota
metadata: {name: few}
spec: {hard: {pods: "3"}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 5
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
`

// TestAFailureIsAMomentOnce: a controller that is refused tries again for minutes, and only the first time is news.
func TestAFailureIsAMomentOnce(t *testing.T) {
	s := New(true)
	s.Document.Set(quotaText)
	s.Restart()
	computeAll(t, s)
	failed := 0
	for i := range s.Computed.shown.Len() {
		if r := s.Computed.shown.Record(i); r.Kind == engine.Reconcile && r.Failed && strings.HasPrefix(r.Object, "ReplicaSet") {
			failed++
		}
	}
	_, said := walk(t, s, ByMoment)
	all := strings.Join(said, "\n")
	if n := strings.Count(all, "replicaset-controller: tries again"); failed < 3 || n != 1 {
		t.Errorf("%d failed reconciles, %d moments; want many and one:\n%s", failed, n, all)
	}
	if !strings.Contains(all, "exceeded quota") || !strings.Contains(all, "condition ReplicaFailure is True: FailedCreate") {
		t.Errorf("the refusal or its condition is no moment:\n%s", all)
	}
}

// TestMomentsGrowWithTheRun: a run that is read while it is computed gives what one gives that is read at its end.
func TestMomentsGrowWithTheRun(t *testing.T) {
	whole := newTestSession(t)
	want := whole.Reading.Moments()
	s := New(true)
	s.Computed.shown, _ = startRun(t, whole.Computed.rec)
	for !s.Computed.shown.Advance(7) {
		s.Reading.Moments()
	}
	got := s.Reading.Moments()
	if !slices.Equal(got, want) {
		t.Errorf("%d moments, want %d:\n%v\n%v", len(got), len(want), got, want)
	}
}

// TestABrokenBoundIsAMoment: who kills a pod of ten that are all needed breaks the lower bound, and the scrubber shows it.
func TestABrokenBoundIsAMoment(t *testing.T) {
	s := New(true)
	s.Document.Set(strings.Replace(strings.Replace(quotaText, "pods: \"3\"", "pods: \"9\"", 1), "  replicas: 5\n", "  replicas: 5\n  strategy: {rollingUpdate: {maxUnavailable: 0}}\n", 1))
	s.Restart()
	computeAll(t, s)
	s.Cursor.ToEnd()
	pod := s.Computed.shown.Past().Objects(api.KindPod, s.Cursor.Record)[0].Key()
	s.Kubectl(command.DeletePod(pod.Namespace, pod.Name))
	computeAll(t, s)
	verdicts := slices.DeleteFunc(slices.Clone(judge.New(s.Computed.shown.Past()).Verdicts(s.Computed.Workload())), func(v judge.Verdict) bool { return v.Kind != judge.Broken })
	if len(verdicts) != 1 || verdicts[0].Bound != "lower" {
		t.Fatalf("verdicts %+v, want one of the lower bound", verdicts)
	}
	places, said := walk(t, s, ByMoment)
	k := slices.Index(places, cursor.Place{T: verdicts[0].From, Record: verdicts[0].Record})
	if k < 0 || !strings.Contains(said[k], verdicts[0].Text) {
		t.Errorf("no stop at %+v: %q", verdicts[0], said)
	}
	want := chart.Mark{Kind: "violation", T: verdicts[0].From, To: verdicts[0].To, Line: verdicts[0].Text, Failed: true}
	if !slices.Contains(s.Reading.JudgedMarks(), want) {
		t.Errorf("no mark %+v among %+v", want, s.Reading.JudgedMarks())
	}
}

// TestMarksOfConditions: one for each change of a status or a reason.
func TestMarksOfConditions(t *testing.T) {
	s := newTestSession(t)
	var got []string
	for _, m := range s.Reading.JudgedMarks() {
		if m.Kind == "condition" {
			got = append(got, m.Line)
		}
	}
	slices.Sort(got)
	if len(slices.Compact(slices.Clone(got))) < 4 || len(got) > 12 {
		t.Errorf("conditions change at %d places: %q", len(got), got)
	}
}

func TestAnnouncementsNameTheUnit(t *testing.T) {
	s := newTestSession(t)
	s.Cursor.SetStep("year")
	if s.Cursor.Step != byReconcile {
		t.Errorf("a step goes over a %s", s.Cursor.Step)
	}
	s.Cursor.SetStep(byEvent)
	s.Cursor.ToEnd()
	s.StepNext()
	if s.Visit.Said != "No further event." || s.Cursor.T != s.Computed.End() {
		t.Errorf("said %q at %d", s.Visit.Said, s.Cursor.T)
	}
}

// TestSeekTo: a message may name a moment that is not computed yet.
func TestSeekTo(t *testing.T) {
	s := New(false)
	s.LoadScenario(FirstScenario)
	end := func() int64 { c := newTestSession(t); return c.Computed.End() }()
	s.Cursor.SeekTo(end - 1)
	if s.Cursor.T != end-1 {
		t.Errorf("the cursor is at %d, want %d", s.Cursor.T, end-1)
	}
	if s.Cursor.SeekTo(end + 1e6); s.Cursor.T != end || !s.Cursor.AtEnd() {
		t.Errorf("beyond the end the cursor is at %d, want the end %d", s.Cursor.T, end)
	}
}
