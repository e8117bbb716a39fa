package app

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

// htmlOf renders a component and returns its HTML. Attributes come in no order, so tests look for texts and count
// elements.
func htmlOf(c app.UI) string { return app.HTMLString(c) }

func TestPageHasWhatPeopleLookFor(t *testing.T) {
	p := &page{}
	if err := app.NewTestEngine().Load(p); err != nil {
		t.Fatal(err)
	}
	computeAll(t, p.s)
	p.s.SeekTo(p.s.end())
	html := htmlOf(p)
	for _, act := range []string{
		"scenario", "undo", "redo", "restart", "theme", "help", "status", "editor", "apply", "edit-state",
		"container", "image-input", "set-image", "scale-input", "scale", "restart-rollout", "pause-rollout", "undo-rollout",
		"command-line", "play", "start", "end", "step-prev", "step-next", "prev-moment", "next-moment", "step-by", "loop", "speed", "speed-text", "time",
		"scrub", "progress", "chart", "legend", "judge", "why", "caption", "data-table", "violations", "strips",
		"pods-order", "pod-view", "help-dialog",
	} {
		if n := strings.Count(html, `data-act="`+act+`"`); n != 1 {
			t.Errorf("%d elements with data-act=%q, want 1", n, act)
		}
	}
	if n := strings.Count(html, `data-act="tab"`); n != len(tabNames) {
		t.Errorf("%d tabs, want %d", n, len(tabNames))
	}
	if strings.Contains(html, " style=") {
		t.Error("an element has a style attribute, which the content security policy forbids")
	}
}

func TestPageWithoutARun(t *testing.T) {
	p := &page{s: newSession(true), tab: tabNames[0], theme: themes[0]}
	for _, tab := range tabNames {
		p.tab = tab
		if html := htmlOf(p.Render()); !strings.Contains(html, `data-act="preset"`) {
			t.Errorf("tab %s: an empty page offers no scenario", tab)
		}
	}
}

func TestTabsShowTheRun(t *testing.T) {
	p := &page{s: newTestSession(t), theme: themes[0]}
	p.s.SeekTo(p.s.end())
	snap := p.s.run.Past().Snapshot(p.s.cursor.Record)
	events := len(p.s.index.of(p.s.run).events)
	for _, c := range []struct {
		tab, mark string
		count     int
	}{
		{"pods", `data-act="pod-view"`, 1},
		{"tables", `<tr class="pod`, len(snap.Pods)},
		{"events", `data-act="event-row"`, min(events, listMax)},
		{"records", `data-act="record-row"`, min(p.s.run.Len()-events, listMax)},
		{"timeline", `data-act="timeline-row"`, len(p.s.run.Scenario().Timeline)},
	} {
		p.tab = c.tab
		html := htmlOf(p.tabsPanel())
		if n := strings.Count(html, c.mark); n != c.count && c.tab != "tables" {
			t.Errorf("%s: %d rows, want %d", c.tab, n, c.count)
		}
		if c.tab == "tables" {
			for _, act := range []string{"deploy-table", "rs-table", "pod-table"} {
				if strings.Count(html, `data-act="`+act+`"`) != 1 {
					t.Errorf("no %s, or several", act)
				}
			}
			for _, pod := range snap.Pods {
				if !strings.Contains(html, pod.Name) {
					t.Errorf("pod %s is not in the table", pod.Name)
				}
			}
		}
	}
}

func TestTimelineOfThePerson(t *testing.T) {
	p := &page{s: newTestSession(t)}
	p.s.SeekTo(5000)
	p.s.Run(scaleLine(p.s.watched(), 4))
	computeAll(t, p.s)
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
	html := htmlOf(p.timelineList())
	if own != 1 || strings.Count(html, `data-act="remove-command"`) != 1 {
		t.Errorf("%d commands of the person, want one that can be removed", own)
	}
}

func TestWhyShowsTheSumsOfTheReconcile(t *testing.T) {
	p := &page{s: newTestSession(t)}
	found := false
	for i := range p.s.run.Len() {
		r := p.s.run.Record(i)
		if r.Why == nil || r.Why.Formula == "" {
			continue
		}
		found = true
		p.s.LookAt(i)
		if html := htmlOf(p.whyPanel()); !strings.Contains(html, r.Why.Rule) {
			t.Fatalf("record %d: rule %s is not shown", i, r.Why.Rule)
		}
	}
	if !found {
		t.Error("no record has a sum")
	}
}

func TestControlsShowTheLineTheyRun(t *testing.T) {
	c := &controls{
		Workload: "Deployment/default/web", Containers: "web,sidecar", Images: "nginx:1.18.0,envoy:1.30", Replicas: 3,
	}
	html := htmlOf(c)
	for _, line := range []string{
		"kubectl set image deployment/web web=nginx:1.18.1", "kubectl scale deployment/web --replicas=3",
		"kubectl rollout restart deployment/web", "kubectl rollout pause deployment/web", "kubectl rollout undo deployment/web",
	} {
		if !strings.Contains(html, `data-line="`+line+`"`) {
			t.Errorf("no control runs %q", line)
		}
	}
	c.container, c.Paused, c.replicas = "sidecar", true, "x"
	html = htmlOf(c)
	if !strings.Contains(html, "sidecar=envoy:1.31") || !strings.Contains(html, "rollout resume") {
		t.Error("the picked container or the paused rollout is not taken up")
	}
	if c.scaleLine() != "" {
		t.Errorf("replicas %q run %q, want nothing", c.replicas, c.scaleLine())
	}
}

func TestDiagnosticsAreTextWithALine(t *testing.T) {
	html := htmlOf(&editorPanel{Diags: []engine.Diagnostic{
		{Line: 3, Column: 5, Field: "spec.replica", Message: "unknown field"}, {Line: 9, Message: "odd", Warning: true},
	}})
	for _, want := range []string{"line 3", "spec.replica: unknown field", "line 9", "errors: 1"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestEveryScenarioHasATitle(t *testing.T) {
	for _, name := range scenarios.Names() {
		if title(english, name) == "" || title(english, name) == name {
			t.Errorf("scenario %s has the title %q", name, title(english, name))
		}
	}
}

func TestSuggestImage(t *testing.T) {
	for image, want := range map[string]string{
		"nginx:1.18.0": "nginx:1.18.1", "nginx": "nginx:2", "registry.local:5000/web": "registry.local:5000/web:2",
		"app:v9": "app:v10", "app:9-alpine": "app:10-alpine", "app:latest": "app:latest-2",
	} {
		if got := suggestImage(image); got != want {
			t.Errorf("suggestImage(%q) = %q, want %q", image, got, want)
		}
	}
}

func TestKubectlLines(t *testing.T) {
	if got := short("Node/node-1") + " " + short("Deployment/shop/web") + inNamespace("Node/node-1"); got != "node/node-1 deployment/web" {
		t.Errorf("objects are written %s", got)
	}
	for got, want := range map[string]string{
		setImageLine("Deployment/shop/web", "app", "x:2"): "kubectl set image deployment/web app=x:2 -n shop",
		scaleLine("Deployment/default/web", 0):            "kubectl scale deployment/web --replicas=0",
		deletePodLine("shop", "web-1"):                    "kubectl delete pod web-1 -n shop",
		short("ReplicaSet/default/web-1"):                 "replicaset/web-1",
		short(""):                                         "",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWindow(t *testing.T) {
	for _, c := range []struct{ n, i, size, from, to int }{{0, -1, 10, 0, 0}, {5, 3, 10, 0, 5}, {100, 0, 9, 0, 9}, {100, 50, 9, 46, 55}, {100, 99, 9, 91, 100}} {
		if from, to := window(c.n, c.i, c.size); from != c.from || to != c.to {
			t.Errorf("window(%d, %d, %d) = %d, %d; want %d, %d", c.n, c.i, c.size, from, to, c.from, c.to)
		}
	}
}

func TestClock(t *testing.T) {
	for ms, want := range map[int64]string{0: "00:00.000", 61234: "01:01.234", 3600000: "1:00:00.000"} {
		if got := clock(ms); got != want {
			t.Errorf("clock(%d) = %q, want %q", ms, got, want)
		}
	}
}

// BenchmarkRender is what go-app's part of an animation frame begins with: the page at another record.
func BenchmarkRender(b *testing.B) {
	p := &page{s: newSession(false), tab: tabNames[0], theme: themes[0]}
	p.s.Open("")
	for p.s.Compute(slice) {
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.s.LookAt(i % p.s.run.Len())
		if p.Render() == nil {
			b.Fatal("nothing")
		}
	}
}
