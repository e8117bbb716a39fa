package stage

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
)

func lesson(t *testing.T, name string) (*session.Session, *Panels) {
	t.Helper()
	s := apptest.Session(t)
	s.LoadScenario(name)
	apptest.Compute(t, s)
	s.Cursor.ToEnd()
	return s, New(s, false)
}

// TestRequestsAreTheVerdict: with traffic the verdict speaks of requests in both languages, its number stands in the place of another one,
// and the button removes the losses.
func TestRequestsAreTheVerdict(t *testing.T) {
	for name, want := range map[string]struct{ en, zh, fix string }{
		"stops-too-early":  {"pods stop before the proxies know.", "代理得知之前，Pod 已停止。", "preStop 3 s"},
		"listens-too-late": {"pods are ready before they listen.", "Pod 尚未监听就已就绪。", "readinessProbe"},
		"grace-cuts":       {"pods end with requests in flight.", "Pod 终止时仍有请求在处理。", "preStop 3 s"},
		"healthy-too-late": {"no pod has passed its check yet.", "还没有 Pod 通过检查。", "minReadySeconds 16"},
	} {
		s, p := lesson(t, name)
		v := p.verdict()
		if !strings.HasPrefix(v.what, "About ") || !strings.HasSuffix(v.what, want.en) || len(v.parts) != 3 || !strings.Contains(v.parts[1], "requests failed") {
			t.Errorf("%s: %q %q", name, v.what, v.parts)
		}
		if !strings.Contains(v.cause, "Model: ") {
			t.Errorf("%s: the model is not named: %q", name, v.cause)
		}
		s.Visit.Lang = lang.Chinese
		if zh := p.verdict(); !strings.HasSuffix(zh.what, want.zh) || !strings.Contains(zh.cause, "模型：") {
			t.Errorf("%s: %q %q", name, zh.what, zh.cause)
		}
		s.Visit.Lang = lang.English
		if html := apptest.HTML(p.Status()); !strings.Contains(html, "Set "+want.fix) {
			t.Errorf("%s: no fix in %s", name, html)
		}
		p.OnRequests("fix")
		if s.Document.Text != s.Recording().Scenario || !strings.Contains(s.Document.Text, strings.Fields(want.fix)[0]) {
			t.Errorf("%s: the editor's text is another one than the run's:\n%s", name, s.Document.Text)
		}
		apptest.Compute(t, s)
		s.Cursor.ToEnd()
		p.diagnosed = diagnosed{}
		if v := p.verdict(); v.what != "Your users won't notice." {
			t.Errorf("%s: after the fix: %q", name, v.what)
		}
		if len(s.Branches.List()) != 1 || s.Branches.Compared() == nil {
			t.Errorf("%s: the run before the fix is no branch behind the chart", name)
		}
		if s.Undo(); p.report().Total.Failed() == 0 {
			t.Errorf("%s: undo does not bring the losses back", name)
		}
	}
}

// TestRequestStory: the strip ends at the cursor while a question waits, its losses add up to the report's, and each has its story.
func TestRequestStory(t *testing.T) {
	s, p := lesson(t, "stops-too-early")
	strip := p.requestStrip()[0]
	bad := 0
	for i, seg := range strip.Segments {
		if i > 0 && seg.From != strip.Segments[i-1].To {
			t.Errorf("a gap before %d ms", seg.From)
		}
		if seg.Kind != "bad" {
			continue
		}
		bad++
		s.Visit.Lang = lang.Chinese
		zh := p.requestStrip()[0].Segments[i].Title
		s.Visit.Lang = lang.English
		if !strings.Contains(seg.Title, " refused: ") && !strings.Contains(seg.Title, " timed out: ") || !strings.Contains(zh, " 被拒绝: ") && !strings.Contains(zh, " 超时: ") {
			t.Errorf("%d ms: the outcomes are not named: %q %q", seg.From, seg.Title, zh)
		}
		p.requests.story = seg.From
		html := apptest.HTML(p.Requests())
		if !strings.Contains(html, "stops listening. ") && !strings.Contains(html, "get no answer") || !strings.Contains(html, "preStop ≥ 3 s") {
			t.Errorf("the story of %d ms: %s", seg.From, html)
		}
	}
	if bad < 2 || strip.Segments[0].Mix == strip.Segments[len(strip.Segments)-1].Mix {
		t.Errorf("%d losses, %+v", bad, strip.Segments)
	}
	all, _, _ := p.report().Between(0, s.End())
	if sum := p.report().Total; all != sum {
		t.Errorf("%v between the ends, %v in all", all, sum)
	}
}

// TestAskForRequests: a text without a Service gets one, with assumed requests; pods are spoken of before.
func TestAskForRequests(t *testing.T) {
	s := session.New(false)
	s.NewText(apptest.OwnText)
	apptest.Compute(t, s)
	s.Cursor.ToEnd()
	p := New(s, false)
	if p.report() != nil || !p.controls().CanAsk || len(p.requestStrip()) != 0 {
		t.Fatal("requests are known without a Service")
	}
	s.Kubectl("kubectl rollout restart deployment/" + strings.TrimPrefix(s.Workload()[strings.LastIndexByte(s.Workload(), '/')+1:], "/"))
	apptest.Compute(t, s)
	s.Cursor.ToEnd()
	p.OnRequests("ask")
	apptest.Compute(t, s)
	s.Cursor.ToEnd()
	p.diagnosed = diagnosed{}
	if v := p.verdict(); !strings.Contains(v.cause, "Assumed: 1,000 requests/s") || !strings.Contains(s.Document.Text, "kind: Service") || p.controls().CanAsk {
		t.Errorf("%q %q\n%s", v.what, v.cause, s.Document.Text)
	}
}

// TestADayOfRequestsIsInAggregate: the page says in both languages that many requests are not computed one by one, and only then.
func TestADayOfRequestsIsInAggregate(t *testing.T) {
	s, p := lesson(t, "stops-too-early")
	if strings.Contains(p.verdict().cause, "in aggregate") {
		t.Error("few requests are in aggregate")
	}
	text := strings.NewReplacer("rate: 1000,", "rate: 100000,", "duration: 50s", "duration: 24h").Replace(s.Document.Text)
	s.NewText(text)
	apptest.Compute(t, s)
	s.Cursor.ToEnd()
	p = New(s, false)
	if v := p.verdict(); !strings.Contains(v.cause, "100,000 requests/s") || !strings.Contains(v.cause, "in aggregate") || p.report().Total.All() < 8_600_000_000 {
		t.Errorf("%q, %d requests", v.cause, p.report().Total.All())
	}
	s.Visit.Lang = lang.Chinese
	if v := p.verdict(); !strings.Contains(v.cause, "总量") {
		t.Errorf("%q", v.cause)
	}
}

// canaryText is two Deployments that an HTTPRoute gives nine tenths and a tenth of the requests.
const canaryText = `apiVersion: rollplay/v1alpha1
kind: Scenario
spec: {duration: 40s, images: [{match: "*", pull: 1s, ready: 1s}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: shop}
spec: {rules: [{backendRefs: [{name: web, weight: 90}, {name: canary, weight: 10}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: canary}
spec: {selector: {app: canary}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1", readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1}}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: canary}
spec:
  replicas: 2
  selector: {matchLabels: {app: canary}}
  template: {metadata: {labels: {app: canary}}, spec: {containers: [{name: web, image: "web:2", readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1}}]}}
`

// TestRouteStrip: the strip has both sets of a route, as high as their parts, and the page names the route in both languages.
func TestRouteStrip(t *testing.T) {
	s := session.New(false)
	s.NewText(canaryText)
	apptest.Compute(t, s)
	s.Cursor.ToEnd()
	p := New(s, false)
	row := p.requestStrip()[0]
	last := row.Segments[len(row.Segments)-1]
	for _, want := range []string{" 0% 10%", " 10% 100%", "var(--c-rs-0)", "var(--faint)"} {
		if !strings.Contains(last.Mix, want) {
			t.Errorf("%q has no %q", last.Mix, want)
		}
	}
	if !strings.Contains(row.Title, "Assumed: 1,000 requests/s of 0.1 s, sent by envoy (HTTPRoute shop); on SIGTERM the app ends at once.") {
		t.Errorf("%q", row.Title)
	}
	s.Cursor.SeekTo(20_000)
	s.Kubectl("kubectl scale deployment/canary --replicas=0")
	apptest.Compute(t, s)
	s.Cursor.ToEnd()
	r := p.report()
	if got := r.Verdict(0, r.Until); !strings.HasPrefix(got, "Through HTTPRoute shop: About ") || !strings.HasSuffix(got, ": no pod is ready.") {
		t.Errorf("%q", got)
	}
	if zh := lang.Chinese.Engine(r.Verdict(0, r.Until)); !strings.HasPrefix(zh, "经由 HTTPRoute shop：约 ") || !strings.Contains(zh, " 秒内失败：没有就绪的 Pod") {
		t.Errorf("%q", zh)
	}
}

// TestCrowdOnThePage: what a pod has no room for is told in both languages, with how many pods have.
func TestCrowdOnThePage(t *testing.T) {
	s := session.New(false)
	s.NewText(strings.Replace(canaryText, "spec: {duration: 40s,", "spec: {duration: 40s, traffic: [{service: web, rate: 300, capacity: 10}],", 1))
	apptest.Compute(t, s)
	s.Cursor.SeekTo(20_000)
	s.Kubectl("kubectl scale deployment/web --replicas=2")
	apptest.Compute(t, s)
	s.Cursor.ToEnd()
	v := New(s, false).verdict()
	if !strings.HasPrefix(v.what, "About 1,2") || !strings.HasSuffix(v.what, ": too few pods for the requests.") ||
		!strings.Contains(v.cause, "3 pods have room for the requests. maxSurge 1 with maxUnavailable 0 keeps them.") {
		t.Errorf("%q %q", v.what, v.cause)
	}
	s.Visit.Lang = lang.Chinese
	if v := New(s, false).verdict(); !strings.HasSuffix(v.what, "秒内失败：Pod 太少，容不下这些请求。") || !strings.Contains(v.cause, "3 个 Pod 容得下这些请求") {
		t.Errorf("%q %q", v.what, v.cause)
	}
}

// requested is a scenario with requests to two Services of one Deployment web.
func requested(asked, container string, timeline ...string) string {
	text := texts.World(`{match: "*", pull: 1s, start: 500ms, stop: 1s}`, "replicas: 3", "image: web:1, readinessProbe: {tcpSocket: {port: 80}}"+container, timeline...)
	text = strings.Replace(text, "spec:\n", "spec:\n  duration: 180s\n  traffic: ["+asked+"]\n", 1)
	for _, name := range []string{"a", "b"} {
		text += "---\napiVersion: v1\nkind: Service\nmetadata: {name: " + name + "}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n"
	}
	return text
}

// at is the page of a text at a moment.
func at(t *testing.T, text string, ms int64) *Panels {
	t.Helper()
	s := session.New(false)
	s.NewText(text)
	apptest.Compute(t, s)
	s.Cursor.SeekTo(ms)
	return New(s, false)
}

// TestOnlyWhatIsOver: requests in flight have not failed before their pod ends, and those that failed before a command are not its own.
func TestOnlyWhatIsOver(t *testing.T) {
	text := requested("{service: b, rate: 100, takes: 5s, onTerm: stop}", "",
		"{at: 60s, run: kubectl set image deployment/web web=web:2}", "{at: 100s, run: kubectl annotate deployment/web a=b}")
	for ms, want := range map[int64]string{61_000: "lowest 3 of 3", 90_000: "551 of ", 130_000: "0 of "} {
		p := at(t, text, ms)
		if v := p.verdict(); len(v.parts) < 2 || !strings.HasPrefix(v.parts[1], want) {
			t.Errorf("at %d ms: %q %q", ms, v.what, v.parts)
		}
	}
}

// TestWorstServiceOfTheCommand: of two Services, the verdict is about that with most losses since the last command.
func TestWorstServiceOfTheCommand(t *testing.T) {
	text := requested("{service: a, rate: 1000, takes: 100ms, onTerm: drain}, {service: b, rate: 100, takes: 10s, onTerm: stop}",
		", lifecycle: {preStop: {sleep: {seconds: 4}}}",
		`{at: 20s, run: 'kubectl patch service a -p "{\"spec\":{\"selector\":{\"app\":\"none\"}}}"'}`,
		`{at: 30s, run: 'kubectl patch service a -p "{\"spec\":{\"selector\":{\"app\":\"web\"}}}"'}`,
		`{at: 60s, run: kubectl set image deployment/web web=web:2}`)
	if v := at(t, text, 170_000).verdict(); !strings.HasPrefix(v.what, "About ") || !strings.Contains(v.what, "with requests in flight") {
		t.Errorf("%q %q", v.what, v.parts)
	}
}
