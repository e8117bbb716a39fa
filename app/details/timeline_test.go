package details

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/scenarios"
)

func TestTabsShowTheRun(t *testing.T) {
	p := New(apptest.Session(t))
	p.s.Cursor.SeekTo(p.s.End())
	pods := p.s.Run().Past().Objects(api.KindPod, p.s.Cursor.Record)
	events := len(p.s.Reading.Index().Events)
	for _, c := range []struct {
		tab, mark string
		count     int
	}{
		{"pods", `data-act="pod-view"`, 1},
		{"tables", `<tr class="pod`, len(pods)},
		{"events", `data-act="event-row"`, min(events, listMax)},
		{"records", `data-act="record-row"`, min(p.s.Run().Len()-events, listMax)},
		{"timeline", `data-act="timeline-row"`, len(p.s.Run().Scenario().Timeline)},
	} {
		p.Tab = c.tab
		html := apptest.HTML(p.Tabs())
		if n := strings.Count(html, c.mark); n != c.count && c.tab != "tables" {
			t.Errorf("%s: %d rows, want %d", c.tab, n, c.count)
		}
		if c.tab == "tables" {
			for _, act := range []string{"table-Deployment", "table-ReplicaSet", "table-Pod"} {
				if strings.Count(html, `data-act="`+act+`"`) != 1 {
					t.Errorf("no %s, or several", act)
				}
			}
			for _, pod := range pods {
				if !strings.Contains(html, pod.Key().Name) {
					t.Errorf("pod %s is not in the table", pod.Key().Name)
				}
			}
		}
	}
}

func TestTimelineOfThePerson(t *testing.T) {
	p := New(apptest.Session(t))
	p.s.Cursor.SeekTo(5000)
	p.s.Kubectl(command.Scale(p.s.Workload(), 4))
	apptest.Compute(t, p.s)
	items := p.timelineItems()
	own := 0
	for _, item := range items {
		if item.Index >= 0 {
			own++
			if item.Answer == "" || item.Failed || !strings.Contains(item.Line, "scale") {
				t.Errorf("item %+v, want the answer of kubectl scale", item)
			}
		}
	}
	html := apptest.HTML(p.timelineList())
	if own != 1 || strings.Count(html, `data-act="remove-command"`) != 1 {
		t.Errorf("%d commands of the person, want one that can be removed", own)
	}
}

// TestAnswersOfEqualCommands: each command has its own answer, also those that begin alike at the same moment.
func TestAnswersOfEqualCommands(t *testing.T) {
	s := apptest.Session(t)
	s.Document.Set(`apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  timeline:
    - {at: 0s, apply: "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: i}]}"}
    - {at: 0s, run: kubectl apply -f nothing.yaml}
    - {at: 0s, apply: "apiVersion: v1\nkind: Pod\nmetadata: {name: b}\nspec: {containers: [{name: c, image: i}]}"}
    - {at: 5s, run: "kubectl  get pods -o name"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: i}]}
`)
	s.Restart()
	apptest.Compute(t, s)
	items := New(s).timelineItems()
	wants := []string{"pod/a created", "error: the path \"nothing.yaml\" does not exist\nDid you mean -f - <<EOF, with the manifest as a here-document?",
		"pod/b created", "pod/a\npod/b"}
	if len(items) != len(wants) {
		t.Fatalf("%d commands, want %d: %v", len(items), len(wants), s.Document.Diagnostics)
	}
	for i, want := range wants {
		if items[i].Answer != want || items[i].Failed != (i == 1) {
			t.Errorf("command %d, %s: the answer is %q (failed: %t), want %q", i, items[i].Line, items[i].Answer, items[i].Failed, want)
		}
	}
}

func TestWhatDiffersInAFork(t *testing.T) {
	s := apptest.Session(t)
	name := s.Workload()
	apptest.Act(t, s, 4_000, command.Scale(name, 8))
	apptest.Act(t, s, 12_000, command.Scale(name, 3))
	apptest.Act(t, s, 11_000, command.Scale(name, 5))
	item := branchItemOf(s, 0)
	if item.Has != "00:12.000 "+command.Scale(name, 3) || item.Lacks != "00:11.000 "+command.Scale(name, 5) || item.Text != "" {
		t.Errorf("the fork is shown as %+v", item)
	}
	if want := fmt.Sprintf("%d records, to %s", s.Branches.List()[0].Records, cursor.Clock(s.Branches.List()[0].End)); item.Ended != want {
		t.Errorf("it ended %q, want %q", item.Ended, want)
	}
	p := New(s)
	html := apptest.HTML(p.branchesList())
	if n := strings.Count(html, `data-act="branch-row"`); n != len(s.Branches.List())+1 || strings.Count(html, `data-act="fork-row"`) != n {
		t.Errorf("%d branches, want %d: %s", n, len(s.Branches.List())+1, html)
	}
	branches, _ := p.branches()
	for i, b := range branches {
		present := i == len(s.Branches.List())
		if (b.Index < 0) != present || b.Title != []string{"as written", "replicas 8", "replicas 3", "replicas 5"}[i] {
			t.Errorf("branch %d is %+v", i, b)
		}
		if strings.Count(b.Figures, " s") != 1 || !strings.Contains(b.Figures, "no outage") {
			t.Errorf("the figures of %s are %q", b.Title, b.Figures)
		}
	}
	s.Document.Set(scenarios.Text("recreate"))
	s.Restart()
	apptest.Compute(t, s)
	if item := branchItemOf(s, len(s.Branches.List())-1); item.Text != gallery.Title(lang.English, session.FirstScenario) || item.Lacks != "" {
		t.Errorf("the fork of another text is shown as %+v", item)
	}
	if branches, others := p.branches(); len(branches) != 0 || len(others) != len(s.Branches.List()) {
		t.Errorf("%d branches and %d other runs, want none and %d", len(branches), len(others), len(s.Branches.List()))
	}
}

// TestListOfDecisions: reconciles that change nothing are hidden until they are asked for, and what belongs to a reconcile
// is marked so.
func TestListOfDecisions(t *testing.T) {
	p := New(apptest.Session(t))
	p.s.Cursor.SeekTo(10_010)
	for _, p.Idle = range []bool{false, true} {
		idle, inside := 0, 0
		for _, r := range p.rows("record-row", p.s.Reading.Index().Records(p.Idle)) {
			index, isInside := r.Value.(int), strings.HasSuffix(r.Class, " inside")
			if p.s.Run().Past().IsIdle(index) {
				idle++
			}
			sync := p.s.Run().Past().SyncOf(index)
			if want := sync >= 0 && sync != index; isInside != want {
				t.Errorf("record %d, %s: inside a reconcile: %t, want %t", index, r.Spans[2].Parts[0].Text, isInside, want)
			}
			if isInside {
				inside++
			}
		}
		if (idle > 0) != p.Idle || inside == 0 {
			t.Errorf("asked for %t: %d reconciles that change nothing, %d rows of others", p.Idle, idle, inside)
		}
	}
	if html := apptest.HTML(p.recordsList()); !strings.Contains(html, `data-act="idle"`) {
		t.Error("no switch")
	}
}
