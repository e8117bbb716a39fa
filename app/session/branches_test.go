package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/past"
)

// titles are the branches in their order, the present one with a star.
func titles(s *Session) string {
	var all []string
	for _, b := range s.Branches.Rows() {
		title := b.Title
		if b.Index < 0 {
			title += "*"
		}
		all = append(all, title)
	}
	return strings.Join(all, " | ")
}

// TestBranches: acting in the past begins a branch with a name from what it does; the list keeps its order whatever is shown.
func TestBranches(t *testing.T) {
	s := newTestSession(t)
	if got := titles(s); got != "as written*" {
		t.Errorf("at first the branches are %s", got)
	}
	actAt(t, s, 14_000, command.Scale(s.Computed.Workload(), 3))
	actAt(t, s, s.Computed.End(), command.SetImage(s.Computed.Workload(), "nginx", "nginx:1.19.2")) // continues
	actAt(t, s, 12_000, command.SetBound(s.Computed.Workload(), "maxSurge", "0"))
	want := "as written | replicas 3, image 1.19.2 | maxSurge 0*"
	if got := titles(s); got != want {
		t.Fatalf("the branches are %s, want %s", got, want)
	}
	all := s.Branches.Rows()
	if at := s.Computed.rec.Commands[0].At; all[2].Parent != 2 || all[2].From != at || all[1].Parent != 1 {
		t.Errorf("the branches are %+v, want the last one from the second at %d", all, at)
	}
	s.SwitchTo(1)
	computeAll(t, s)
	if got := titles(s); got != "as written* | replicas 3, image 1.19.2 | maxSurge 0" {
		t.Errorf("after switching the branches are %s", got)
	}
	s.Undo()
	computeAll(t, s)
	if got := titles(s); got != want {
		t.Errorf("after undo the branches are %s", got)
	}
	s.Branches.Rename(2, "  the   canary ")
	s.Branches.Rename(3, strings.Repeat("é", 60))
	s.Branches.Rename(99, "nobody")
	if got := titles(s); got != "as written | the canary | "+strings.Repeat("é", nameMax)+"*" {
		t.Errorf("after renaming the branches are %s", got)
	}
	again := New(false)
	again.Open(Kept{Data: s.Save()}, "")
	computeAll(t, again)
	if titles(again) != titles(s) {
		t.Errorf("after a reload the branches are %s, were %s", titles(again), titles(s))
	}
	actAt(t, again, 11_000, command.Scale(s.Computed.Workload(), 1))
	if all := again.Branches.Rows(); len(all) != 4 || all[3].ID != 4 {
		t.Errorf("the next branch after a reload is %+v", all)
	}
	s.LoadScenario("recreate")
	computeAll(t, s)
	if got := titles(s); got != "as written*" || s.Branches.Compared() != nil {
		t.Errorf("another scenario has the branches %s, beside %v", got, s.Branches.Compared())
	}
}

// TestOldSavedForks: what an older page has saved has branches, too.
func TestOldSavedForks(t *testing.T) {
	s := newTestSession(t)
	actAt(t, s, 14_000, command.Scale(s.Computed.Workload(), 3))
	s.Branches.list[0].Origin, s.Branches.present, s.Branches.made = Origin{}, Origin{}, 0
	saved := strings.Replace(s.Save(), `"branch":{"id":0,"tree":0}`, `"x":0`, 1)
	again := New(false)
	again.Open(Kept{Data: saved}, "")
	if len(again.Branches.list) != 1 || again.Branches.list[0].ID == 0 || again.Branches.present.ID == 0 || again.Branches.list[0].ID == again.Branches.present.ID {
		t.Errorf("the branches are %+v and %+v", again.Branches.present, again.Branches.list)
	}
}

// TestDeleteBranch: undo brings a deleted branch back, redo deletes it again, and the run stays.
func TestDeleteBranch(t *testing.T) {
	s := newTestSession(t)
	actAt(t, s, 14_000, command.Scale(s.Computed.Workload(), 3))
	runs, want := s.Computed.Number, titles(s)
	s.DeleteBranch(1)
	if got := titles(s); got != "replicas 3*" || s.Branches.Compared() != nil {
		t.Errorf("the branches are %s, beside %v", got, s.Branches.Compared())
	}
	s.Undo()
	if got := titles(s); got != want {
		t.Errorf("after undo the branches are %s, want %s", got, want)
	}
	s.Redo()
	s.DeleteBranch(2) // the present one stays
	if got := titles(s); got != "replicas 3*" || s.Computed.Number != runs {
		t.Errorf("the branches are %s, %d runs, had %d", got, s.Computed.Number, runs)
	}
	s.Undo()
	s.Undo()
	computeAll(t, s)
	if len(s.Computed.rec.Commands) != 0 {
		t.Error("the action before the deletion cannot be undone")
	}
}

// TestGhost: the future that was left stands beside the new one; an undo takes it away, a switch exchanges the two.
func TestGhost(t *testing.T) {
	s := newTestSession(t)
	actAt(t, s, s.Computed.End(), command.Scale(s.Computed.Workload(), 9))
	if s.Branches.Compared() != nil {
		t.Error("a run that only continues has a ghost")
	}
	s.Undo()
	computeAll(t, s)
	first := s.Computed.shown
	actAt(t, s, 14_000, command.Scale(s.Computed.Workload(), 3))
	if s.Branches.Compared() != first || s.Branches.Comparing() {
		t.Error("the future that was left is not beside the new one")
	}
	second := s.Computed.shown
	s.SwitchTo(s.Branches.list[slices.IndexFunc(s.Branches.list, func(f Branch) bool { return sameRecording(f.Rec, first.Recording()) })].ID)
	computeAll(t, s)
	if s.Branches.Compared() != second {
		t.Error("after switching, what was shown is not beside")
	}
	s.Undo()
	if s.Branches.Compared() != nil {
		t.Error("undo leaves a ghost")
	}
	actAt(t, s, 13_000, command.Scale(s.Computed.Workload(), 5))
	s.Document.Set(strings.Replace(s.Document.Text, "replicas: 10", "replicas: 6", 1))
	s.Restart()
	computeAll(t, s)
	if s.Branches.Compared() == nil || s.Branches.Compared().Recording().Commands[0].At < 13_000 {
		t.Error("a text that was changed is no branch")
	}
	if got := titles(s); !strings.HasSuffix(got, "edited text*") {
		t.Errorf("the branches are %s", got)
	}
}

// figuresOf are those of a fresh run of a recording, read from engine/forecast alone.
func figuresOf(t *testing.T, rec engine.Recording, workload string) (took int64, done bool, all forecast.Figures) {
	t.Helper()
	run, diags := engine.Start(rec)
	if run == nil {
		t.Fatal(diags)
	}
	f := forecast.New(run.Finish().Past())
	all, ok := f.Overall(workload)
	if !ok {
		t.Fatal("the workload is never complete")
	}
	for _, r := range f.Rollouts(workload) {
		done = r.Done()
		if r.Cause != forecast.Created {
			took += r.Duration()
		}
	}
	return took, done, all
}

// TestCompare: the figures are those of engine/forecast, and the parting is the first record that differs.
func TestCompare(t *testing.T) {
	s := newTestSession(t)
	actAt(t, s, 9_000, command.SetBound(s.Computed.Workload(), "maxSurge", "0"))
	if _, ok := s.Branches.Comparison(); ok {
		t.Error("a ghost is compared unasked")
	}
	s.Branches.CompareLast()
	computeAll(t, s)
	c, ok := s.Branches.Comparison()
	if !ok || c.Name != "maxSurge 0" || c.Other != "as written" {
		t.Fatalf("%+v, %t", c, ok)
	}
	for _, side := range []struct {
		got Score
		rec engine.Recording
	}{{c.Here, s.Computed.rec}, {c.There, s.Branches.list[0].Rec}} {
		took, done, all := figuresOf(t, side.rec, s.Computed.Workload())
		if side.got.Took != took || side.got.Done != done || side.got.Figures != all || took == 0 {
			t.Errorf("the score is %+v, want %d ms, %t, %+v", side.got, took, done, all)
		}
	}
	if c.Here.PeakPods >= c.There.PeakPods || c.Here.Took <= c.There.Took {
		t.Errorf("without a surge there are %d pods for %d ms, with it %d for %d", c.Here.PeakPods, c.Here.Took, c.There.PeakPods, c.There.Took)
	}
	p := c.Parting
	a, b := s.Computed.shown, s.Branches.Compared()
	first := 0
	for sameRecord(a.Record(first), b.Record(first)) {
		first++
	}
	if p.T != min(a.Past().At(first), b.Past().At(first)) || p.T != s.Computed.rec.Commands[0].At {
		t.Errorf("they part at %+v, want the command at %d; record %d differs", p, s.Computed.rec.Commands[0].At, first)
	}
	here, there := a.Record(p.Here), b.Record(p.There)
	if !telling(here) || !telling(there) || sameRecord(here, there) || here.T < p.T || s.Branches.DescribeCompared(p.There) != there.Actor+": "+there.What {
		t.Errorf("the first decisions that differ are %+v and %+v", here, there)
	}
	if f := s.Branches.list[0]; f.Score.Figures != c.There.Figures {
		t.Error("the fork does not keep its score")
	}
	s.Branches.Compare(0)
	if s.Branches.Comparing() || s.Branches.Compared() != b {
		t.Error("the comparison is not closed, or its ghost is gone")
	}
}

// TestCompareKeepsItsOther: acting goes on beside what a person compares with.
func TestCompareKeepsItsOther(t *testing.T) {
	s := newTestSession(t)
	actAt(t, s, 14_000, command.Scale(s.Computed.Workload(), 3))
	s.Branches.Compare(1)
	other := s.Branches.Compared()
	actAt(t, s, 13_000, command.Scale(s.Computed.Workload(), 4))
	if s.Branches.Compared() != other || !s.Branches.Comparing() {
		t.Error("another branch took the place of the one that is compared with")
	}
	s.SwitchTo(1)
	computeAll(t, s)
	if !s.Branches.Comparing() || len(s.Branches.Compared().Recording().Commands) != 1 {
		t.Error("showing what was compared with ends the comparison")
	}
	s.SwitchTo(2)
	s.Branches.Compare(3)
	s.DeleteBranch(3)
	if s.Branches.Comparing() {
		t.Error("a deleted branch is compared with")
	}
}

// TestLinkOfAComparison: one link opens both branches, and their figures are the same.
func TestLinkOfAComparison(t *testing.T) {
	s := newTestSession(t)
	actAt(t, s, 9_000, command.SetBound(s.Computed.Workload(), "maxSurge", "0"))
	if l := s.Link(); l.Other.Scenario != "" {
		t.Error("the link of a run with a ghost holds two recordings")
	}
	s.Branches.CompareLast()
	computeAll(t, s)
	want, _ := s.Branches.Comparison()
	fragment, err := link.Encode(s.Link())
	if err != nil {
		t.Fatal(err)
	}
	if got, changed := s.UpdateAddress(); !changed || got != fragment {
		t.Errorf("the address is %q, want %q", got, fragment)
	}
	again := New(false)
	again.Open(Kept{}, fragment)
	computeAll(t, again)
	got, ok := again.Branches.Comparison()
	if !ok || got.Here != want.Here || got.There != want.There || got.Parting != want.Parting || titles(again) != "maxSurge 0* | as written" {
		t.Errorf("the link opens to %+v, want %+v; the branches are %s", got, want, titles(again))
	}
	again.OpenLink(fragment)
	computeAll(t, again)
	if len(again.Branches.Rows()) != 2 {
		t.Errorf("opened again it has the branches %s", titles(again))
	}
	again.Visit.SetLang(string(lang.Chinese))
	if !strings.Contains(titles(again), "原样") {
		t.Errorf("in Chinese the branches are %s", titles(again))
	}
}

// TestCompareRequests: where a Service selects the workload, the failed requests of both branches are those of the model, and a hook that
// leaves the proxies time ends them.
func TestCompareRequests(t *testing.T) {
	s := newTestSession(t)
	s.LoadScenario("stops-too-early")
	computeAll(t, s)
	workload := past.ParseKey(s.Computed.Workload())
	Rewrite(s, func(text string) (string, error) {
		return sweep.SetContainers(text, workload, []string{"lifecycle"}, "{preStop: {sleep: {seconds: 3}}}")
	}, "")
	s.Branches.CompareLast()
	computeAll(t, s)
	c, ok := s.Branches.Comparison()
	if !ok || c.Here.Failed != 0 || c.Here.Asked == 0 || c.There.Failed == 0 || c.There.Asked == 0 {
		t.Fatalf("%t, %+v", ok, c)
	}
	want := int64(0)
	for _, r := range forecast.Ask(s.Branches.Compared().Past(), forecast.New(s.Branches.Compared().Past()).Rollouts(s.Computed.Workload())) {
		if r.Cause != forecast.Created {
			want += r.Requests.Failed
		}
	}
	if c.There.Failed != want {
		t.Errorf("%d requests failed, want %d", c.There.Failed, want)
	}
}
