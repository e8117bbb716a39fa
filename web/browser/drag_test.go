package browser_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/performance"
)

// paints notes for each frame of a drag that shows another run how old the newest move of the pointer is when the frame is painted.
const paints = `window.paints = []; {
	const tip = document.querySelector('[data-act="edge-maxSurge"] [data-act="edge-tip"]');
	let was = "";
	addEventListener("pointermove", (e) => requestAnimationFrame(() => {
		if (was === tip.textContent) return;
		was = tip.textContent;
		const { timeStamp } = e.getCoalescedEvents().at(-1) ?? e;
		const after = new MessageChannel();
		after.port1.onmessage = () => paints.push(performance.now() - timeStamp);
		after.port2.postMessage(0);
	}), true);
}`

// work is how many seconds of a processor the main thread has worked, which other programs on the machine do not change.
func (p *tab) work() float64 {
	p.t.Helper()
	for _, m := range call(p, performance.GetMetrics, cdp.Empty{}).Metrics {
		if m.Name == "TaskDuration" {
			return m.Value
		}
	}
	p.t.Fatal("Chromium does not say how long its tasks take")
	return 0
}

// BenchmarkDrag drags the upper edge of the band six pods up and back, several times, with the 125 moves a second of a mouse, which do
// not wait for frames: how old is the newest move when its frame is painted? That is on the clock, so nothing else may run. The main
// thread's work for moves that each show another run is on the processor. Run it with -benchtime 1x.
func BenchmarkDrag(b *testing.B) {
	p := open(b, desktop, "light", "")
	p.waitComputed()
	p.seek(12_000)
	p.waitText("note-upper", "at most 13 = 10 + 3 (25% of 10 = 2.5 ↑)")
	eval[any](p, paints)
	call(p, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	x, y, pod := p.takeGrip("maxSurge")
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
	p.upAndDown(x, y, pod) // compiles what is needed
	eval[any](p, "paints.length = 0")
	for b.Loop() {
		for range 8 {
			p.upAndDown(x, y, pod) // each drag computes its runs again
		}
	}
	took := eval[[]float64](p, "paints")
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "ms/paint-median")
	b.ReportMetric(took[len(took)*9/10], "ms/paint-p90")
	const moves = 48
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	work := p.work()
	for i := range moves {
		p.drag(x, y-pod*float64([...]int{1, 2, 3, 2}[i%4]))
	}
	b.ReportMetric(1000*(p.work()-work)/moves, "cpu-ms/move")
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
	b.ReportMetric(0, "ns/op")
}

// upAndDown is a drag that ends where it began.
func (p *tab) upAndDown(x, y, pod float64) {
	const steps = 30 // of 8 ms
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	mouse := time.NewTicker(8 * time.Millisecond)
	defer mouse.Stop()
	var sent sync.WaitGroup
	for i := range 2*steps + 1 {
		<-mouse.C
		sent.Go(func() { p.drag(x, y-pod*6*float64(min(i, 2*steps-i))/steps) })
	}
	sent.Wait()
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
}
