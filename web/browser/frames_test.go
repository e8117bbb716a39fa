package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// thousand is a Deployment of a thousand pods that is created and updated. Without the limit of the controllers' clients all of them exist
// when it is measured.
const thousand = `apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  clientConnection: {qps: 0}
  images:
  - {match: "*", pull: 500ms..1500ms, start: 300ms..2500ms, stop: 1s..2s}
  timeline:
  - {at: 10s, run: kubectl set image deployment/web web=nginx:2}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1000
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "nginx:1"}]
`

// framesMeasured is how many animation frames a measurement has.
const framesMeasured = 240

// BenchmarkFrames measures the work of the main thread for each animation frame with a thousand pods on the screen, as
// Chromium's own performance trace has it: all tasks of the renderer's main thread from the start of one frame to that of
// the next, on the clock and on the processor. Run it with -benchtime 1x.
func BenchmarkFrames(b *testing.B) {
	p := open(b, desktop, "light", "")
	p.toStart()
	p.replaceText(thousand)
	p.click("apply")
	p.waitState("s.done && s.records > 10000 && s.errors === 0")
	for _, tab := range []string{"pods", "tables", "records", "queues"} {
		p.openTab(tab)
		for _, m := range []struct{ name, each string }{
			{"play", ``},
			{"scrub", `const s = document.querySelector('[data-act="scrub"]');
				s.value = Number(s.max) * (0.2 + 0.5 * Math.abs(Math.sin(i / 40))); s.dispatchEvent(new Event("input", { bubbles: true }));`},
			{"step", `document.querySelector('[data-act="step-next"]').click();`},
		} {
			b.Run(tab+"/"+m.name, func(b *testing.B) {
				p.seek(10000)
				if m.name == "play" {
					p.click("play")
				}
				var work, cpu []float64
				for b.Loop() {
					w, c := p.trace(m.each)
					work, cpu = append(work, w...), append(cpu, c...)
				}
				p.pause()
				slices.Sort(work)
				slices.Sort(cpu)
				b.ReportMetric(mean(cpu), "cpu-ms/frame-mean") // the median hides what a page draws in every third frame
				b.ReportMetric(cpu[len(cpu)/2], "cpu-ms/frame-median")
				b.ReportMetric(work[len(work)/2], "ms/frame-median")
				b.ReportMetric(work[len(work)*95/100], "ms/frame-p95")
				b.ReportMetric(work[len(work)-1], "ms/frame-max")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func mean(all []float64) (m float64) {
	for _, v := range all {
		m += v / float64(len(all))
	}
	return m
}

// traceEvent is what we read of an event of a performance trace; times are in microseconds.
type traceEvent struct {
	Name string
	Ph   string
	Pid  int
	Tid  int
	TS   float64
	Dur  float64
	TDur float64 // of it on the processor
	Args struct {
		Name string
		Data struct{ FunctionName string }
	}
}

// traceNames are the events that are read.
var traceNames = map[string]bool{"RunTask": true, "ThreadControllerImpl::RunTask": true, "FireAnimationFrame": true, "thread_name": true,
	"FunctionCall": true, "MajorGC": true, "DrawFrame": true, "Layout": true, "UpdateLayoutTree": true, "Paint": true, "TimerFire": true, "V8.GC_MC_INCREMENTAL": true}

// trace runs a script once for each of some animation frames and returns the main thread's work for each, in ms of the clock and of the
// processor.
func (p *tab) trace(each string) (work, cpu []float64) {
	p.t.Helper()
	return frameWork(p.t, p.traced(func() {
		eval[bool](p, fmt.Sprintf(`new Promise((done) => {
		window.measuring = true; // what tests want to know of each frame is no work of the page
		let i = 0;
		const frame = () => { if (i++ === %d) { window.measuring = false; window.drawn = canonical(rollplay.state()); done(true); return; } %s; requestAnimationFrame(frame); };
		requestAnimationFrame(frame);
	})`, framesMeasured, each))
	}))
}

// traced returns Chromium's performance trace of what a function does with the page, with more categories if there are any.
func (p *tab) traced(do func(), more ...string) []traceEvent {
	p.t.Helper()
	var mu sync.Mutex
	var events []traceEvent
	complete := make(chan struct{})
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	err := chromedp.Listen(ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *tracing.EventDataCollected:
			for _, v := range e.Value {
				var t traceEvent
				if json.Unmarshal(v, &t) == nil && traceNames[t.Name] {
					events = append(events, t)
				}
			}
		case *tracing.EventTracingComplete:
			close(complete)
		}
	})
	if err != nil {
		p.t.Fatal(err)
	}
	call(p, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{
		IncludedCategories: append(more, "toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "__metadata")}})
	do()
	call(p, tracing.End, cdp.Empty{})
	<-complete
	mu.Lock()
	defer mu.Unlock()
	return events
}

// drawnFrames is how many frames a second the page's compositor has drawn: those in which something moved on the screen, whatever the page's
// own thread was doing.
func drawnFrames(events []traceEvent) float64 {
	main, _ := framesOf(events, "CrRendererMain")
	process := 0
	var at []float64
	for _, e := range events {
		if e.Tid == main && e.Name == "FireAnimationFrame" {
			process = e.Pid
		}
	}
	for _, e := range events {
		if e.Pid == process && e.Name == "DrawFrame" {
			at = append(at, e.TS)
		}
	}
	if len(at) < 2 {
		return 0
	}
	return 1e6 * float64(len(at)-1) / (slices.Max(at) - slices.Min(at))
}

// framesOf returns the thread with a name that has the most animation frames, and when they began.
func framesOf(events []traceEvent, name string) (thread int, starts []float64) {
	named, frames := map[int]bool{}, map[int][]float64{}
	for _, e := range events {
		if e.Name == "thread_name" && strings.HasPrefix(e.Args.Name, name) {
			named[e.Tid] = true
		}
	}
	for _, e := range events {
		if e.Name == "FireAnimationFrame" && named[e.Tid] {
			frames[e.Tid] = append(frames[e.Tid], e.TS)
			if len(frames[e.Tid]) > len(frames[thread]) {
				thread = e.Tid
			}
		}
	}
	return thread, frames[thread]
}

// frameWork adds up the tasks of the page's main thread between the starts of its frames.
func frameWork(t testing.TB, events []traceEvent) (work, cpu []float64) {
	main, starts := framesOf(events, "CrRendererMain")
	if len(starts) < framesMeasured/2 {
		t.Fatalf("the trace has %d frames, want %d", len(starts), framesMeasured)
	}
	slices.Sort(starts)
	// Several callbacks belong to one frame; on a slow device the first may take some ms.
	starts = slices.CompactFunc(starts, func(a, b float64) bool { return math.Abs(b-a) < 8000 })
	work, cpu = make([]float64, len(starts)-1), make([]float64, len(starts)-1)
	for _, e := range events {
		if e.Tid != main || e.Name != "RunTask" || e.Ph != "X" {
			continue
		}
		// The task that fires the callbacks began before them, and is work of their frame.
		i, _ := slices.BinarySearch(starts, e.TS+e.Dur)
		if i > 0 && i <= len(work) {
			work[i-1] += e.Dur / 1000
			cpu[i-1] += e.TDur / 1000
		}
	}
	return work, cpu
}
