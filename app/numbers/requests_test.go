package numbers

import (
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/lang"
)

// servedText is an update of four pods behind a Service.
const servedText = `apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  timeline: [{at: 20s, run: kubectl set image deployment/web web=web:2}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 1}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "web:1", readinessProbe: {httpGet: {port: 80}}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
`

// served returns the dialog of a text of which nothing is measured yet.
func served(t *testing.T, text string) *Panel {
	t.Helper()
	s := apptest.Session(t)
	s.NewText(text)
	apptest.Compute(t, s)
	p := New(s)
	p.Open()
	return p
}

// TestRequestsComeFirst: with a Service, cells show the requests that fail, and the sentence names them.
func TestRequestsComeFirst(t *testing.T) {
	p := served(t, servedText)
	finish(t, p)
	i := p.advice()
	if i < 0 || p.color != failed {
		t.Fatalf("the advice is %d, the cells show %d", i, p.color)
	}
	n := &p.grid.Cells[i].Rollout.Requests
	for k := range p.grid.Cells {
		c := &p.grid.Cells[k]
		_, _, text := p.shown(k)
		if p.completes(k) && (text != figures[failed].text(c.Rollout.Requests.Failed)+" · "+figures[duration].text(c.Rollout.Duration()) || c.Rollout.Requests.All < 10_000) {
			t.Errorf("%s shows %q of %+v", p.title(c), text, c.Rollout.Requests)
		}
	}
	if html := apptest.HTML(p.answer()); n.Failed == 0 || !strings.Contains(html, " s, "+n.Text()+" requests fail)") {
		t.Errorf("%+v: it says %s", n, html)
	}
	first := p.cellFigures(p.Cell())[0]
	if html := apptest.HTML(p.Render()); first.Name != "numbers-requests" || first.Text != figures[failed].text(p.Cell().Rollout.Requests.Failed) ||
		!strings.Contains(html, `<p class="numbers-model">Assumed: 1,000 requests/s`) {
		t.Errorf("the card begins with %+v in %s", first, html)
	}
	p.s.Visit.SetLang(string(lang.Chinese))
	if html := apptest.HTML(p.answer()); !strings.Contains(html, strings.Replace(n.Text(), " of ", " / ", 1)+" 个请求失败）") {
		t.Errorf("it says %s", html)
	}
	if html := apptest.HTML(p.Render()); strings.Contains(html, "Assumed") || !strings.Contains(html, "numbers-model") {
		t.Errorf("in Chinese it is %s", html)
	}
}

// TestPreStopIsTheAnswer: where the hook varies, the answer is one with which no request fails, and the button takes it over.
func TestPreStopIsTheAnswer(t *testing.T) {
	p := served(t, servedText)
	p.SetAxis(0, "preStop")
	finish(t, p)
	i := p.advice()
	if i < 0 || p.grid.Cells[i].Rollout.Requests.Failed != 0 || p.grid.Cells[i].X == "0" {
		t.Fatalf("the advice is %d", i)
	}
	if html := apptest.HTML(p.answer()); !strings.Contains(html, "preStop "+p.grid.Cells[i].X+", ") || !strings.Contains(html, ", 0 of ") {
		t.Errorf("it says %s", html)
	}
	for k := range p.grid.Cells {
		if c := &p.grid.Cells[k]; p.completes(k) && (c.Rollout.Requests.Failed == 0) != (c.X != "0") {
			t.Errorf("%s: %+v", p.title(c), c.Rollout.Requests)
		}
		if lost := p.grid.Cells[k].Rollout.Requests.Failed > 0; p.completes(k) && lost != (p.rank(k) > 1<<31) {
			t.Errorf("%s has rank %d", p.title(&p.grid.Cells[k]), p.rank(k))
		}
	}
	p.UseIt()
	if text := p.s.Recording().Scenario; !strings.Contains(text, "preStop: {sleep: {seconds: ") {
		t.Errorf("the manifest is\n%s", text)
	}
}

// TestWithoutAService nothing is said of requests, also after a workload with one; what a person has chosen stays where it is known.
func TestWithoutAService(t *testing.T) {
	p := served(t, servedText)
	shows := func() bool { return strings.Contains(apptest.HTML(p.Render()), "failed requests") }
	if !shows() {
		t.Error("failed requests cannot be chosen")
	}
	p.Color(duration)
	again := func(text string) {
		p.Close()
		p.s.NewText(text)
		apptest.Compute(t, p.s)
		p.Open()
		p.Compute(time.Hour)
	}
	if again(servedText + "# again\n"); p.color != duration {
		t.Errorf("the cells show %d after a person has chosen the duration", p.color)
	}
	p.Color(failed)
	alone, _, _ := strings.Cut(servedText, "---\napiVersion: v1")
	if again(alone); p.color != lowest || shows() || strings.Contains(apptest.HTML(p.Render()), "numbers-model") {
		t.Errorf("without a Service the cells show %d, and the dialog is %s", p.color, apptest.HTML(p.Render()))
	}
	if html := apptest.HTML(p.answer()); !strings.Contains(html, ", never below ") {
		t.Errorf("it says %s", html)
	}
}
