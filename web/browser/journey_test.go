package browser_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/rollplay/rollplay/scenarios"
)

// TestPlaysTheFirstRollout: a first visit plays by itself, waits at each caption until the person continues, by the button of the
// lesson or by Play, and ends with the new image everywhere.
func TestPlaysTheFirstRollout(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	for i, c := range shipped(t, "first-rollout").Captions {
		p.waitState(fmt.Sprintf("s.t === %d && !s.playing", c.At))
		if i == 0 { // the invitation stands before the lesson
			p.click("play")
			continue
		}
		p.wait("the caption in sight", element("lesson-text")+`.checkVisibility() && `+element("lesson-text")+`.textContent.includes(`+quote(c.Text.En)+`)`)
		p.wait("nothing on the chart", `!document.querySelector(".plot .callout")`)
		if i%2 == 0 {
			p.click("play")
		} else {
			p.click("lesson-onwards")
		}
	}
	end := p.waitCursorAtEnd()
	if end.Workload != "Deployment/default/nginx-deployment" || end.Commands != 0 || end.Errors != 0 {
		t.Errorf("got %+v", end)
	}
	row := p.table("table-Deployment")[0]
	if got, want := strings.Join(row[:4], " "), "nginx-deployment 10/10 10 10"; got != want {
		t.Errorf("kubectl get deploy: got %q, want %q", got, want)
	}
	for _, rs := range p.table("table-ReplicaSet") {
		want := map[string]string{"nginx:1.18.0": "0 0 0", "nginx:1.19.1": "10 10 10"}[rs[5]]
		if got := strings.Join(rs[1:4], " "); got != want {
			t.Errorf("kubectl get rs: %s has %q, want %q", rs[5], got, want)
		}
	}
	if n := len(p.table("table-Pod")); n != 10 {
		t.Errorf("kubectl get pods: got %d, want 10", n)
	}
	if p.count(".chart canvas, .chart svg") == 0 {
		t.Error("there is no chart")
	}
}

const api = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  replicas: 4
  selector:
    matchLabels: {app: api}
  strategy:
    rollingUpdate: {maxSurge: 1, maxUnavailable: 0}
  template:
    metadata:
      labels: {app: api}
    spec:
      containers:
      - name: server
        image: example.com/api:1
`

// TestPastedDeployment: a Deployment alone is a scenario. Another image rolls out inside its bounds.
func TestPastedDeployment(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.toStart()
	p.replaceText(api)
	p.waitState("s.dirty && !s.errors")
	p.click("apply")
	p.waitState(`s.workload === "Deployment/default/api"`)
	p.toEnd()
	p.fill("image-input", "example.com/api:2")
	p.clickCommand("set-image", "server=example.com/api:2")
	p.waitState("s.commands === 1")
	p.toEnd()

	if got, want := strings.Join(p.table("table-Deployment")[0][:4], " "), "api 4/4 4 4"; got != want {
		t.Errorf("kubectl get deploy: got %q, want %q", got, want)
	}
	if got := column(p.table("table-ReplicaSet"), 5); !strings.Contains(got, "example.com/api:1") || !strings.Contains(got, "example.com/api:2") {
		t.Errorf("kubectl get rs: got the images %s", got)
	}
	p.checkBounds(4, 5)
}

// checkBounds opens the table beside the chart and checks that, once all pods were there, no row left the bounds.
func (p *tab) checkBounds(lower, upper int) {
	p.t.Helper()
	p.openTab("log")
	p.clickOn("the table beside the chart", element("data-table")+".querySelector('summary')")
	p.wait("its rows", element("data-table")+".querySelectorAll('tbody tr').length > 1")
	rows := eval[[][]string](p, fmt.Sprintf("[...%s.querySelectorAll('tbody tr')].map((r) => [...r.cells].map((c) => c.textContent.trim()))", element("data-table")))
	full := slices.IndexFunc(rows, func(r []string) bool { return r[1] == r[4] })
	if full < 0 || full == len(rows)-1 {
		p.t.Fatalf("no row in which all are available, or nothing after it: %q", rows)
	}
	if want := fmt.Sprintf("%d to %d", lower, upper); rows[full][2] != want {
		p.t.Errorf("bounds: got %q, want %q", rows[full][2], want)
	}
	for _, r := range rows[full:] {
		if total, available := number(p.t, r[3]), number(p.t, r[4]); total > upper || available < lower {
			p.t.Errorf("at %s: total %d, available %d, bounds %s", r[0], total, available, r[2])
		}
	}
}

func number(t testing.TB, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestBrokenText: the error names the line, the run stays as it is, and fixing the text clears the error.
func TestBrokenText(t *testing.T) {
	t.Parallel()
	good := scenarios.Text("first-rollout")
	for name, tt := range map[string]struct {
		broken string
		line   int
	}{
		"a value":    {strings.Replace(good, "replicas: 10", "replicas: many", 1), line(good, "replicas: 10")},
		"a field":    {strings.Replace(good, "  replicas: 10", "  replics: 10", 1), line(good, "replicas: 10")},
		"the syntax": {strings.Replace(good, "kind: Deployment", "kind: [Deployment", 1), 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, desktop, "light", "")
			before := p.toEnd()
			p.replaceText(tt.broken)
			p.waitState("s.errors > 0")
			p.wait("the diagnostic in the list", element("diagnostic"))
			if got := eval[string](p, element("goto-line")+".dataset.line"); tt.line > 0 && got != strconv.Itoa(tt.line) {
				t.Errorf("the diagnostic is at line %s, want %d: %s", got, tt.line, p.text("diagnostic"))
			}
			p.click("goto-line")
			p.wait("the mark in the editor", inEditor(".cm-lintRange-error, .cm-lintPoint-error"))
			p.click("apply")
			after := p.state()
			if after.Runs != before.Runs || after.Records != before.Records || after.T != before.T || after.Commands != 0 {
				t.Errorf("the run changed: %+v, before %+v", after, before)
			}
			p.replaceText(good)
			p.waitState("!s.errors && !s.dirty")
		})
	}
}

// line returns the number of the line that contains a string.
func line(text, part string) int {
	return 1 + strings.Count(text[:strings.Index(text, part)], "\n")
}

// TestDeletedPod: it goes, another comes, and the command stands in the timeline and can be taken out.
func TestDeletedPod(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.toEnd()
	victim := p.table("table-Pod")[3][0]
	p.podMenu("default/"+victim, "pod-delete")
	p.waitState("s.commands === 1")
	p.toEnd()
	pods := column(p.table("table-Pod"), 0)
	if n := len(strings.Fields(pods)); n != 10 || strings.Contains(pods, victim) {
		t.Errorf("got %d pods, want 10 without %s: %s", n, victim, pods)
	}
	p.openTab("timeline")
	if got := p.text("timeline"); !strings.Contains(got, "kubectl delete pod "+victim) {
		t.Errorf("the timeline lacks the command: %s", got)
	}
	p.click("remove-command")
	p.waitState("s.commands === 0")
	p.click("undo")
	p.waitState("s.commands === 1")
	p.click("redo")
	p.waitState("s.commands === 0")
}

// TestSteps: steps go from reconcile to reconcile, each with its reason, and back over the same ones.
func TestSteps(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.waitComputed()
	p.toStart()
	var seen []state
	for range 8 {
		from := p.state()
		p.click("step-next")
		s := p.waitState(fmt.Sprintf("s.record > %d", from.Record))
		seen = append(seen, s)
		if p.text("why") == "" {
			t.Errorf("at record %d there is no reason", s.Record)
		}
	}
	for i := len(seen) - 2; i >= 0; i-- {
		p.click("step-prev")
		p.waitState(fmt.Sprintf("s.record === %d && s.t === %d", seen[i].Record, seen[i].T))
	}
	eval[bool](p, `(document.activeElement.blur(), true)`)
	p.keys(kb.ArrowRight)
	p.waitState(fmt.Sprintf("s.record === %d", seen[1].Record))
}

// TestScrubber: a click in the middle goes to the middle, and the page shows what was true there.
func TestScrubber(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	end := p.toEnd().End
	p.click("scrub")
	middle := p.waitState("s.t < s.end").T
	if off := middle - end/2; max(off, -off) > end/50 {
		t.Errorf("a click in the middle went to %d of %d", middle, end)
	}
	p.seek(9_000)
	if got := column(p.table("table-ReplicaSet"), 5); got != "nginx:1.18.0" {
		t.Errorf("before the change there are %s", got)
	}
	p.seek(end)
	if got := len(p.table("table-ReplicaSet")); got != 2 {
		t.Errorf("at the end there are %d ReplicaSets, want 2", got)
	}
}

// TestEmptyEditor: it says what to do, the run stays, and a preset brings the text back.
func TestEmptyEditor(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	before := p.toEnd()
	p.clearText()
	p.wait("the welcome", `document.querySelector(".welcome")`)
	p.click("apply")
	if after := p.state(); after.Runs != before.Runs || after.Records != before.Records {
		t.Errorf("the run changed: %+v, before %+v", after, before)
	}
	p.click("preset")
	p.waitState(fmt.Sprintf("s.runs > %d && !s.dirty && !s.errors", before.Runs))
	p.waitEditor()
}

// TestComesBackAsItWasLeft: a reload keeps the text and the commands.
func TestComesBackAsItWasLeft(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.toStart()
	p.replaceText(api)
	p.waitState("s.dirty")
	p.click("apply")
	p.waitState(`s.workload === "Deployment/default/api"`)
	p.toEnd()
	p.fill("scale-input", "7")
	p.clickCommand("scale", "--replicas=7")
	p.waitState("s.commands === 1")
	left := p.toEnd()
	p.do("reload", chromedp.Reload())
	p.waitStarted()
	p.waitEditor()
	back := p.waitComputed()
	if back.Workload != left.Workload || back.Commands != 1 || back.Records != left.Records || back.T != left.T {
		t.Errorf("got %+v, want %+v", back, left)
	}
	if got := p.table("table-Deployment")[0][1]; got != "7/7" {
		t.Errorf("got %s ready, want 7/7", got)
	}
}

// holdTurns keeps the turns for which the program waits, once the page is asked to hold them.
const holdTurns = `{
	const post = MessagePort.prototype.postMessage;
	window.held = [];
	MessagePort.prototype.postMessage = function (...message) {
		if (window.holds) window.held.push(() => post.apply(this, message));
		else post.apply(this, message);
	};
}`

// TestIsClosedInTheMiddleOfWork: a page that is closed while its program waits for its next turn keeps where it was.
func TestIsClosedInTheMiddleOfWork(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.before(holdTurns)
	p.do("reload", chromedp.Reload())
	p.waitStarted()
	p.toStart()
	p.replaceText(api)
	p.waitState("s.dirty")
	p.click("apply")
	p.waitState(`s.workload === "Deployment/default/api"`)
	left := p.toEnd()
	eval[bool](p, `window.holds = true, document.querySelector("[data-act=lang]").click(), true`)
	p.wait("the program to wait", `window.held.length > 0`)
	p.do("reload", chromedp.Reload())
	p.waitStarted()
	if back := p.waitComputed(); back.T != left.T || back.Workload != left.Workload {
		t.Errorf("got %+v, want %+v", back, left)
	}
}

// TestEveryScenario plays each shipped scenario to its end.
func TestEveryScenario(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "dark", "")
	p.waitComputed()
	for _, name := range scenarios.Names() {
		runs := p.state().Runs
		p.lesson(name)
		p.waitState(fmt.Sprintf("s.runs > %d", runs))
		if s := p.toEnd(); s.Errors != 0 || s.Records == 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
