package stage

import (
	stdhtml "html"
	"regexp"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/fidelity"
	"github.com/rollplay/rollplay/engine/past"
)

// TestBudgetInTheChart: a budget has a line at what must be healthy, a number in the legend, and a row below.
func TestBudgetInTheChart(t *testing.T) {
	s := apptest.Session(t)
	s.LoadScenario("drain")
	apptest.Compute(t, s)
	p := New(s, false)
	s.Cursor.SeekTo(28_000)
	v := p.View()
	line := v.Series[len(v.Series)-1]
	if line.ID != "pdb:zk" || line.Points[line.Points.Len()*2-1] != 2 {
		t.Fatalf("the last line is %s: %v", line.ID, line.Points)
	}
	if !strings.Contains(v.Option, `"pdb:zk"`) {
		t.Error("the chart has no style for it")
	}
	items := p.legend(s.Run(), s.Cursor.Place)
	if last := items[len(items)-1]; last.ID != "pdb:zk" || last.Value != "2" {
		t.Errorf("the legend ends with %+v", last)
	}
	strips := p.Strips()
	found := false
	for _, row := range strips {
		found = found || row.Label == "PDB" && strings.Contains(row.Segments[len(row.Segments)-1].Text, "allowed")
	}
	if !found {
		t.Error("no row says what the budget allows")
	}
}

// TestWhyPanelShowsItsReason: the sums, the fields and the version whose rules they are.
func TestWhyPanelShowsItsReason(t *testing.T) {
	p := New(apptest.Session(t), false)
	p.s.Cursor.LookAt(apptest.Find(t, p.s.Run(), 10_000, func(r engine.Record) bool { return r.Kind == engine.Write && strings.HasPrefix(r.What, "Scaled down") }))
	html := apptest.HTML(p.Why())
	for _, want := range []string{`data-act="why-diff"`, "− 10", "+ 8", "Kubernetes v1.37.1", "kubectl set image"} {
		if !strings.Contains(html, want) {
			t.Errorf("the panel does not show %q", want)
		}
	}
}

// TestChartTitle: the chart has the scenario's title in the playground, and in an embed the sentence of the moment.
func TestChartTitle(t *testing.T) {
	s := apptest.Session(t)
	sc := s.Run().Scenario()
	s.Lesson.Next()
	for tag, want := range map[string][2]string{"en": {sc.Title.En, sc.Captions[0].Text.En}, "zh": {sc.Title.Zh, sc.Captions[0].Text.Zh}} {
		s.Visit.SetLang(tag)
		for i, embedded := range []bool{false, true} {
			if got := New(s, embedded).chartTitle(); got != want[i] || got == "" {
				t.Errorf("%s, embedded %v: got %q, want %q", tag, embedded, got, want[i])
			}
		}
	}
}

func TestWhyShowsTheSumsOfTheReconcile(t *testing.T) {
	p := New(apptest.Session(t), false)
	found := false
	for i := range p.s.Run().Len() {
		r := p.s.Run().Record(i)
		if r.Why == nil || r.Why.Formula == "" {
			continue
		}
		found = true
		p.s.Cursor.LookAt(i)
		if html := apptest.HTML(p.Why()); !strings.Contains(html, r.Why.Rule) {
			t.Fatalf("record %d: rule %s is not shown", i, r.Why.Rule)
		}
	}
	if !found {
		t.Error("no record has a sum")
	}
}

func TestControlsShowTheLineTheyRun(t *testing.T) {
	c := &controls{Workload: "Deployment/default/web", Row: past.WorkloadRow{
		Containers: "web,sidecar", Images: "nginx:1.18.0,envoy:1.30", Replicas: 3, MaxSurge: "25%", MaxUnavailable: "0", MinReady: 5, Selector: "app=web",
	}, Breaks: breaks{Node: "node-1"}}
	html := strings.ReplaceAll(stdhtml.UnescapeString(apptest.HTML(c)), `\"`, `"`)
	for _, line := range []string{
		"kubectl set image deployment/web web=nginx:1.18.1", "kubectl scale deployment/web --replicas=3",
		"kubectl scale deployment/web --replicas=2", "kubectl scale deployment/web --replicas=4",
		`kubectl patch deployment/web -p '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":"30%"}}}}'`,
		`kubectl patch deployment/web -p '{"spec":{"strategy":{"rollingUpdate":{"maxUnavailable":1}}}}'`,
		`kubectl patch deployment/web -p '{"spec":{"minReadySeconds":5}}'`,
		"kubectl rollout restart deployment/web", "kubectl rollout pause deployment/web", "kubectl rollout undo deployment/web",
	} {
		if !strings.Contains(html, `data-line="`+line+`"`) {
			t.Errorf("no control runs %q", line)
		}
	}
	c.container, c.Row.Paused, c.typed = "sidecar", true, map[string]string{"scale": "x", "surge": "-3", "image": "registry.local:5000/other@sha256:ab"}
	html = apptest.HTML(c)
	if !strings.Contains(html, "sidecar=registry.local:5000/other@sha256:ab") || !strings.Contains(html, "rollout resume") {
		t.Error("the picked container or the paused rollout is not taken up")
	}
	for _, name := range []string{"scale", "surge"} {
		if line := c.lineOf(name); line != "" {
			t.Errorf("%s %q runs %q, want nothing", name, c.typed[name], line)
		}
	}
}

func TestWhyNamesThePinnedVersion(t *testing.T) {
	rules, err := fidelity.Rules()
	if err != nil || rules.Upstream != Kubernetes {
		t.Errorf("the panel says %s, the rules are those of %s (%v)", Kubernetes, rules.Upstream, err)
	}
}

// TestDragAfterTheRollout: an edge that is dragged when the rollout is over holds from before that rollout, or nothing would change.
func TestDragAfterTheRollout(t *testing.T) {
	s := apptest.Session(t)
	p := New(s, false)
	peak := func() (most int) {
		for _, f := range s.Run().Frames(s.Workload()) {
			most = max(most, f.Total)
		}
		return most
	}
	if peak() != 13 {
		t.Fatalf("the rollout has %d pods at most", peak())
	}
	s.Cursor.SeekTo(s.End())
	p.SetBound("maxSurge 6")
	apptest.Compute(t, s)
	if c := s.Recording().Commands; len(c) != 1 || c[0].At != 9_999 || peak() != 16 {
		t.Errorf("commands %+v, at most %d pods", c, peak())
	}
	s.Undo()
	apptest.Compute(t, s)
	s.Cursor.SeekTo(7000) // no rollout to look back on
	p.SetBound("maxSurge 6")
	if c := s.Recording().Commands; len(c) != 1 || c[0].At != 7000 {
		t.Errorf("before the rollout: %+v", c)
	}
}

// TestWhyBeginsWithASentence that says why there are more pods than desired, or fewer.
func TestWhyBeginsWithASentence(t *testing.T) {
	s := apptest.Session(t)
	p := New(s, false)
	for at, want := range map[int64]string{
		7_000:   "",
		10_500:  "8, not 10: maxUnavailable 25% allows up to 2 fewer until the replacements are available.",
		s.End(): "",
	} {
		s.Cursor.SeekTo(at)
		if html := stdhtml.UnescapeString(apptest.HTML(p.Why())); !regexp.MustCompile(`<p [^>]*data-act="why-short"[^>]*>` + regexp.QuoteMeta(want) + `</p>`).MatchString(html) {
			t.Errorf("at %d it does not begin with %q: %s", at, want, html)
		}
	}
	s.SetBound("maxUnavailable", 0, 0)
	apptest.Compute(t, s)
	s.Cursor.SeekTo(10_500)
	if got := p.whyNumber(); !strings.HasPrefix(got, "13, not 10: maxSurge 25% allows") {
		t.Errorf("with maxUnavailable 0 it says %q", got)
	}
}
