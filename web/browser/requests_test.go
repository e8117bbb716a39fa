package browser_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"github.com/rollplay/rollplay/app"
)

// TestRequestsOnAnyScreen: the lesson about requests on a desktop and on a phone, in both languages: the strip has words for screen
// readers, a lost request tells its story, the page fits, and the button of the verdict removes the losses.
func TestRequestsOnAnyScreen(t *testing.T) {
	t.Parallel()
	words := map[string]struct{ refused, story, fixed string }{
		"en": {"refused: ", "stops listening", "Your users won't notice."}, "zh": {"被拒绝: ", "停止监听", "用户不会察觉。"}}
	for _, s := range []size{desktop, phone} {
		for _, lang := range app.Langs() {
			t.Run(s.name+" "+lang, func(t *testing.T) {
				t.Parallel()
				w := words[lang]
				p := open(t, s, "light", "#s=stops-too-early&lang="+lang)
				p.seek(17_000) // at the end the chart shows only the end
				bad := `document.querySelector(".requests .segment.bad")`
				p.wait("a loss", bad)
				labels := eval[string](p, `[...document.querySelectorAll(".requests .segment")].map((s) => s.role + " " + s.ariaLabel).join("\n")`)
				if !strings.Contains(labels, w.refused) || strings.Contains(labels, "option \n") || !eval[bool](p, `document.querySelector(".requests .strip-lane").ariaLabel !== ""`) {
					t.Errorf("a screen reader reads %s", labels)
				}
				p.checkLayout()
				p.shoot("requests-" + s.name + "-" + lang)
				p.clickOn("the loss", bad)
				p.wait("its story", element("request-story")+`?.textContent.includes(`+quote(w.story)+`)`)
				if role := eval[string](p, element("request-story")+`.role`); role != "status" {
					t.Errorf("the story has the role %q", role)
				}
				p.checkLayout()
				p.shoot("story-" + s.name + "-" + lang)
				p.click("story-close")
				p.wait("no story", `!`+element("request-story"))
				runs := p.state().Runs
				p.click("fix")
				p.waitState(fmt.Sprintf("s.runs > %d && s.done && !s.errors", runs))
				p.seek(17_000)
				if p.count(".requests .segment") == 0 {
					t.Error("there are no requests any more")
				}
				if n := p.count(".requests .segment.bad"); n != 0 {
					t.Errorf("%d losses are left", n)
				}
				p.toEnd()
				p.wait("the verdict", element("verdict")+`.textContent === `+quote(w.fixed))
			})
		}
	}
}

// shoot keeps a picture if somebody wants them.
func (p *tab) shoot(name string) {
	if *shots != "" {
		p.screenshot(filepath.Join(*shots, name+".png"))
	}
}

// TestRequestsInAnEmbed: panels=requests shows the strip alone, with its stories and without a button that changes the text.
func TestRequestsInAnEmbed(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": iframe("allow-scripts", "?panels=requests&speed=5", "#s=stops-too-early")})
	p := w.read("/")
	p.heard("m.type === 'resize' && m.height >= 280")
	f := p.frame(0)
	f.press("document.getElementById('start')")
	f.waitStarted()
	p.heard("m.type === 'tick' && m.t > 0")
	f.wait("the run", "rollplay.state().done")
	f.press(element("end"))
	f.wait("a loss", `document.querySelector(".requests .segment.bad")`)
	f.press(`document.querySelector(".requests .segment.bad")`)
	f.wait("its story", element("request-story")+`?.textContent.includes("stops listening")`)
	for _, name := range []string{"fix", "pod-view", "set-image"} {
		if f.count(act(name)) != 0 {
			t.Errorf("the embed has %s", name)
		}
	}
	p.shoot("requests-embed")
}

// someRequests is a rollout with a rate. From a minute on something happens every two seconds, because a run plays faster where nothing does.
func someRequests(rate int) string {
	var scales strings.Builder
	for s := 60; s < 200; s += 2 {
		fmt.Fprintf(&scales, "  - {at: %ds, run: kubectl scale deployment/web --replicas=%d}\n", s, 10+s/2%2)
	}
	return fmt.Sprintf(`apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 200s
  images: [{match: "*", pull: 1s, ready: 2s, stop: 1s}]
  traffic: [{service: web, rate: %d}]
  timeline:
  - {at: 20s, run: kubectl set image deployment/web web=nginx:2}
%s---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 10
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "nginx:1", readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}}]
`, rate, scales.String())
}

// dotted is a canvas with something on it, also if a worker draws it.
const dotted = `((c) => {
	if (!c?.width) return false;
	const pen = new OffscreenCanvas(c.width, c.height).getContext("2d");
	pen.drawImage(c, 0, 0);
	return pen.getImageData(0, 0, c.width, c.height).data.some(Boolean);
})(document.querySelector(".request-dots"))`

// playsRequests opens a rollout with a rate, right before its update, at the usual speed of 2×.
func playsRequests(t testing.TB, s size, rate int) *tab {
	p := open(t, s, "light", "")
	p.toStart()
	p.replaceText(someRequests(rate))
	p.click("apply")
	p.waitState("s.runs > 1 && s.done && s.errors === 0 && s.records > 100") // not of the run before
	p.seek(19_000)
	p.waitState("s.speed === 2")
	return p
}

// lateFrame makes the page late by 120 ms in the second frame in which the run plays. The frame after it makes up for that.
const lateFrame = `((played) => {
	const frame = () => {
		if (rollplay.state().playing && ++played === 2)
			for (const until = performance.now() + 120; performance.now() < until;);
		requestAnimationFrame(frame);
	};
	frame();
	return true;
})(0)`

// TestFewRequestsAreDots: they travel while the run plays, and are gone when it does not, when they are many, or when motion is unwelcome.
func TestFewRequestsAreDots(t *testing.T) {
	t.Parallel()
	p := playsRequests(t, desktop, 60)
	p.wait("no dots", `!document.querySelector(".request-dots")`)
	p.click("play")
	p.wait("dots", dotted)
	p.waitState("s.t > 20600")
	p.shoot("dots")
	p.pause()
	p.wait("no dots", `!document.querySelector(".request-dots")`)
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
	noDots := func(p *tab, why string) {
		p.seek(19_000)
		eval[bool](p, `(window.dots = 0, new MutationObserver((all) => { for (const m of all) for (const n of m.addedNodes) dots += n.className === "request-dots"; }).observe(document.body, { childList: true, subtree: true }), true)`)
		p.click("play")
		p.waitState("s.t > 20500")
		if n := eval[int](p, "dots"); n != 0 {
			t.Errorf("there are dots %s", why)
		}
		p.pause()
	}
	noDots(p, "with reduced motion")
	many := playsRequests(t, desktop, 399)
	eval[bool](many, lateFrame)
	noDots(many, "although 300 at a time are not few, also after a late frame")
	noDots(playsRequests(t, desktop, 5000), "although requests are many")
}

// BenchmarkDots measures frames of a phone that is four times slower than this machine, or as fast, with almost 200 dots on their way and,
// with too many requests for dots, without them. Run it with -benchtime 1x. Frames/s are those of the page's thread, drawn-frames/s those in which
// something moved on the screen, dot-frames/s those of the worker that draws the dots; 60 is all.
func BenchmarkDots(b *testing.B) {
	for _, of := range []struct {
		rate   int
		slower float64
	}{{5000, 4}, {245, 4}, {245, 1}} {
		rate := of.rate
		b.Run(fmt.Sprintf("%d requests a second, %.0f× slower", rate, of.slower), func(b *testing.B) {
			p := playsRequests(b, phone, rate)
			p.seek(70_000)
			call(p, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: of.slower})
			p.click("play")
			if rate < 1000 {
				p.wait("dots", dotted)
			}
			eval[bool](p, "window.measuring = true") // what tests want to know of each frame is no work of the page
			var cpu, apart []float64
			frames := fmt.Sprintf(`new Promise((done) => { const at = [];
				const frame = (t) => { at.push(t); at.length > %d ? done(at) : requestAnimationFrame(frame); }; requestAnimationFrame(frame); })`, framesMeasured)
			for b.Loop() {
				at := eval[[]float64](p, frames)
				for i := range at[1:] {
					apart = append(apart, at[i+1]-at[i])
				}
				b.ReportMetric(drawnFrames(p.traced(func() { eval[[]float64](p, frames) }, "disabled-by-default-devtools.timeline.frame")), "drawn-frames/s")
				events := p.traced(func() { eval[[]float64](p, frames) })
				_, c := frameWork(b, events)
				cpu = append(cpu, c...)
				if _, starts := framesOf(events, "DedicatedWorker"); len(starts) > 1 {
					b.ReportMetric(1e6*float64(len(starts)-1)/(slices.Max(starts)-slices.Min(starts)), "dot-frames/s")
				}
			}
			eval[bool](p, "!(window.measuring = false)")
			p.shoot(fmt.Sprint("dots-phone-", rate))
			if !p.state().Playing {
				b.Error("the run has ended")
			}
			call(p, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 1})
			p.pause()
			slices.Sort(cpu)
			slices.Sort(apart)
			sum := 0.0
			for _, ms := range apart {
				sum += ms
			}
			b.ReportMetric(1000*float64(len(apart))/sum, "frames/s")
			b.ReportMetric(apart[len(apart)*95/100], "ms-apart-p95")
			b.ReportMetric(cpu[len(cpu)/2], "cpu-ms/frame-median")
			b.ReportMetric(cpu[len(cpu)*95/100], "cpu-ms/frame-p95")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// checkedRollout is a pod behind a load balancer that checks its targets.
const checkedRollout = `apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 150s
  images: [{match: "*", pull: 1s, ready: 2s, stop: 1s}]
  traffic: [{service: web, users: 12, pause: 50ms, takes: 20ms..80ms, via: aws-alb, onTerm: drain}]
  timeline:
  - {at: 40s, run: kubectl set image deployment/web web=nginx:2}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "nginx:1", readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}}]
`

// TestRequestsThroughChecks: a rollout that is faster than the health checks of a load balancer says so, its button writes the minReadySeconds
// that ends the losses, and the comparison has the failed requests of both.
func TestRequestsThroughChecks(t *testing.T) {
	t.Parallel()
	words := map[string][2]string{"en": {"minReadySeconds 16 keeps old pods", "Failed requests"}, "zh": {"minReadySeconds 为 16", "失败的请求"}}
	for _, s := range []size{desktop, phone, {"small", 360, 640, true}} {
		for _, lang := range app.Langs() {
			t.Run(s.name+" "+lang, func(t *testing.T) {
				t.Parallel()
				p := open(t, s, "light", "#s=first-rollout&lang="+lang)
				p.replaceText(checkedRollout)
				p.click("apply")
				p.waitState("s.runs > 1 && s.done && s.errors === 0")
				p.toEnd()
				p.wait("the cause", `document.body.innerText.includes(`+quote(words[lang][0])+`)`)
				eval[any](p, `document.querySelector(".verdict-line, [data-act=verdict]")?.scrollIntoView()`)
				p.checkLayout()
				p.shoot("checks-" + s.name + "-" + lang)
				p.click("fix")
				p.waitState("s.runs > 2 && s.done && s.errors === 0")
				p.toEnd()
				p.wait("no loss", `!document.querySelector(".requests .segment.bad")`)
				p.shoot("checks-fixed-" + s.name + "-" + lang)
				p.click("branch-compare")
				p.wait("the failed requests", element("compare-table")+`?.querySelectorAll("th")[1].innerText === `+quote(words[lang][1]))
				rows := eval[[][]string](p, compareRows)
				if !strings.HasPrefix(rows[0][1], "0") || strings.HasPrefix(rows[1][1], "0") || !strings.HasPrefix(rows[2][1], "−") {
					t.Errorf("the failed requests are %q, %q, %q", rows[0][1], rows[1][1], rows[2][1])
				}
				p.checkLayout()
				p.shoot("checks-compared-" + s.name + "-" + lang)
			})
		}
	}
}
