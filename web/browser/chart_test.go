package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// mouse sends one event of the mouse.
func (p *tab) mouse(kind input.DispatchMouseEventType, x, y float64) {
	p.t.Helper()
	e := input.DispatchMouseEventParams{Type: kind, X: x, Y: y}
	if kind != input.DispatchMouseEventTypeMouseMoved {
		e.Button, e.ClickCount = input.MouseButtonLeft, 1
	}
	call(p, input.DispatchMouseEvent, e)
}

// drag moves the mouse with its button held down.
func (p *tab) drag(x, y float64) {
	p.t.Helper()
	call(p, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: 1})
}

// legend returns the numbers of the legend, by the name of their line.
func (p *tab) legend(name string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf(`document.querySelector('[data-series=%q] .legend-value').textContent`, name))
}

const notesApart = `(() => {
	const all = [...document.querySelectorAll(".note")].map((e) => [e.textContent, e.getBoundingClientRect()]);
	return all.flatMap(([a, p], i) => all.slice(0, i).filter(([, q]) =>
		p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1).map(([b]) => a + " lies on " + b));
})()`

// TestChartSpeaks: the chart opens on the first caption and the first rollout, and bounds, lines and the command are named on it.
func TestChartSpeaks(t *testing.T) {
	t.Parallel()
	for _, s := range []size{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, s, "light", "")
			p.waitComputed()
			p.wait("the first rollout", "rollplay.span().from > 4000 && rollplay.span().from < 5000 && rollplay.span().to < 18000")
			p.seek(12_000)
			for name, want := range map[string]string{"upper": "at most 13 = 10 + 3 (25% of 10 = 2.5 ↑)", "lower": "at least 8 = 10 − 2 (25% of 10 = 2.5 ↓)"} {
				p.waitText("note-"+name, want)
			}
			p.waitText("note-command", "set image nginx:1.19.1")
			lines, revisions, near := 2, 4, 12 // total, available and, when asked for, two revisions; a phone has no room for their names
			if s.phone {
				lines, revisions, near = 0, 0, 24 // a number gives way to a bound's text
			}
			p.wait("the names of the lines", fmt.Sprintf("document.querySelectorAll('.note-end').length === %d", lines))
			p.wait("the numbers at the cursor", fmt.Sprintf(`[["total", 13], ["available", 8]].every(([id, n]) => {
				const label = document.querySelector('.chart .legend [data-series="' + id + '"]'), plot = document.querySelector(".plot").getBoundingClientRect();
				const box = label.getBoundingClientRect(), line = document.querySelector(".cursor-line").getBoundingClientRect().left;
				const high = document.querySelector(".chart .legend").getBoundingClientRect().bottom - plot.height * n / 20;
				return label.checkVisibility() && label.innerText.endsWith(n) && Math.abs(high - box.bottom) < %d && Math.min(Math.abs(box.left - line), Math.abs(box.right - line)) < 12;
			})`, near))
			if covered := eval[[]string](p, notesApart+`.concat([...document.querySelectorAll('.note-upper, .note-lower')].flatMap((n) => [...document.querySelectorAll('.chart .legend [data-series="total"], .chart .legend [data-series="available"]')].filter((l) => {
				const a = n.getBoundingClientRect(), b = l.getBoundingClientRect();
				return a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
			}).map((l) => l.innerText + " lies on " + n.innerText)))`); len(covered) > 0 {
				t.Errorf("%q", covered)
			}
			p.click("revisions")
			p.wait("the names of the revisions", fmt.Sprintf("document.querySelectorAll('.note-end').length === %d", revisions))
			for _, complaint := range eval[[]string](p, notesApart) {
				t.Error(complaint)
			}
			p.click("zoom-fit")
			p.wait("the whole run", "rollplay.span().from === 0 && rollplay.span().to === rollplay.state().end")
		})
	}
}

// TestHoverShowsTheCounts at the moment under the pointer, in a box; the numbers at the cursor stay.
func TestHoverShowsTheCounts(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.waitComputed()
	p.seek(12_000)
	p.wait("the cursor's numbers", `document.querySelector('[data-series="total"] .legend-value').textContent === "13"`)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, 700, 20)
	p.point(onPlot(9_500))
	p.wait("the box", element("hover-box")+"?.innerText.includes('total')")
	if got := strings.Join(strings.Fields(p.text("hover-box")), " "); !strings.Contains(got, "total 10 available 10 desired 10") {
		t.Errorf("the box says %q", got)
	}
	if got := p.legend("total"); got != "13" {
		t.Errorf("the label at the cursor says %s pods", got)
	}
	p.mouse(input.DispatchMouseEventTypeMouseMoved, 700, 20)
	p.wait("the cursor's numbers", element("hover-box")+`.hidden && document.querySelector('[data-series="total"] .legend-value').textContent === "13"`)
}

// TestOutageIsNamed: Recreate has no bound to break, and the time without an available pod is red and named all the same.
func TestOutageIsNamed(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "#s=recreate")
	p.toEnd() // before, a question keeps it back
	p.wait("the outage", element("note-outage")+`?.textContent.startsWith("outage ")`)
	if n := p.count(`.outage[data-act="outage"]`); n != 1 {
		t.Errorf("%d outages are drawn, want 1", n)
	}
}

// takeGrip presses the mouse on the grip of a bound. It returns where that is, and the height of a pod.
func (p *tab) takeGrip(field string) (x, y, pod float64) {
	p.t.Helper()
	at := p.hold(p.grip(field))
	pod = eval[float64](p, `(() => {
		const [upper, lower] = ["maxSurge", "maxUnavailable"].map((f) => document.querySelector("[data-act=edge-" + f + "]"));
		return (parseFloat(lower.style.top) - parseFloat(upper.style.top)) / (Number(upper.ariaValueNow) + Number(lower.ariaValueNow));
	})()`)
	return at.X, at.Y, pod
}

// grip is the grip of a bound.
func (p *tab) grip(field string) spot {
	p.t.Helper()
	p.wait("the grip", element("edge-"+field)+"?.hidden === false")
	return middle("the grip of "+field, element("edge-"+field)+`.querySelector(".edge-grip")`)
}

// series waits until a condition holds for the lines that the chart has.
func (p *tab) series(what, condition string) {
	p.t.Helper()
	_, err := tryEval[bool](p, fmt.Sprintf(`new Promise((done) => {
		const look = async () => ((s) => %s)((await rollplay.chartOption()).series) ? done(true) : requestAnimationFrame(look);
		look();
	})`, condition))
	if err != nil {
		p.t.Fatalf("waited for %s: %v%s", what, err, p.evidence())
	}
}

// ghosts: the chart shows the run that was there before a drag.
const ghosts = `s.some((l) => l?.id.startsWith("ghost:"))`

// TestDragTheBands: the upper edge is dragged with the mouse, and the whole run follows with the old one as its ghost. Released, it
// is a kubectl patch at the cursor, or holds from the start.
func TestDragTheBands(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.waitComputed()
	p.seek(12_000)
	p.waitText("note-upper", "at most 13 = 10 + 3 (25% of 10 = 2.5 ↑)")
	x, y, pod := p.takeGrip("maxSurge")
	for i := range 12 { // up and down, to end three pods higher
		p.drag(x, y-pod*float64([...]int{1, 2, 3, 2}[i%4]))
	}
	p.drag(x, y-3*pod)
	p.waitText("edge-tip", "maxSurge 3 → 6")
	p.waitText("note-upper", "at most 16 = 10 + 6")
	if got := eval[string](p, element("edge-maxSurge")+`.getAttribute("aria-valuetext")`); got != "6: at most 16 pods" {
		t.Errorf("a screen reader hears %q", got)
	}
	p.series("the ghost of the run that was there", ghosts)
	if s := p.state(); s.Commands != 0 {
		t.Errorf("%d commands before the release", s.Commands)
	}
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y-3*pod)
	p.waitState("s.commands === 1 && s.t >= 12000")
	p.series("the future that was left as a ghost", ghosts)
	p.wait("the new bound", element("surge-input")+`.value === "6"`)
	p.click("undo")
	p.waitState("s.commands === 0")
	p.series("the present run alone", "!"+ghosts)
	p.waitText("note-upper", "at most 13 = 10 + 3 (25% of 10 = 2.5 ↑)") // the axis is as high as before

	p.click("from-start")
	x, y, pod = p.takeGrip("maxUnavailable")
	p.drag(x, y+2*pod)
	p.waitText("note-lower", "at least 6 = 10 − 4")
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y+2*pod)
	p.waitState("s.commands === 1")
	p.seek(9_000)
	p.waitText("note-lower", "at least 6 = 10 − 4")
}

// TestDragByKeys: arrows move an edge as long as they are held, their release is the choice, and Esc takes it back.
func TestDragByKeys(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.waitComputed()
	p.seek(12_000)
	p.grip("maxSurge")
	key := func(kind input.DispatchKeyEventType, key string) {
		call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: key, Code: key})
	}
	eval[any](p, element("edge-maxSurge")+".focus()")
	key(input.DispatchKeyEventTypeRawKeyDown, "ArrowUp")
	p.waitText("edge-tip", "maxSurge 3 → 4")
	key(input.DispatchKeyEventTypeRawKeyDown, "Escape")
	key(input.DispatchKeyEventTypeKeyUp, "ArrowUp")
	p.series("the present run alone", "!"+ghosts)
	if s := p.state(); s.Commands != 0 || s.T != 12_000 {
		t.Errorf("after Esc there are %d commands, at %d", s.Commands, s.T)
	}
	key(input.DispatchKeyEventTypeRawKeyDown, "ArrowDown")
	key(input.DispatchKeyEventTypeRawKeyDown, "ArrowDown")
	p.waitText("edge-tip", "maxSurge 3 → 1")
	key(input.DispatchKeyEventTypeKeyUp, "ArrowDown")
	p.waitState("s.commands === 1")
	p.wait("the new bound", element("surge-input")+`.value === "1"`)
}

// TestStackedRevisions: the choice is drawn, and kept for the next visit.
func TestStackedRevisions(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.waitComputed()
	const areas = `s.filter((l) => l?.id.startsWith("rs:") && l.stack && l.areaStyle?.color).length === `
	p.series("lines", areas+"0")
	p.click("stacked")
	p.series("areas", areas+"2")
	p.do("reload", chromedp.Reload())
	p.waitStarted()
	p.waitComputed()
	p.series("areas again", areas+"2")
}

// TestCursorMovesByItself: while a run plays, the browser moves the line and what goes with it, which the page places rarely; where they are is
// what the program says, and where it stops they are exact.
func TestCursorMovesByItself(t *testing.T) {
	t.Parallel()
	for _, s := range []size{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			p := playsRequests(t, s, 5000)
			p.click("play")
			p.waitState("s.t > 20000")
			got := eval[struct {
				Seen, There, Placed, Apart int       // in how many frames: with animations; with a line where the program is; with animations that differ or have another pace
				Elsewhere                  []float64 // virtual ms
			}](p, `new Promise((done) => {
				const all = [".cursor-line", ".future", ".scrub-done", '.chart .legend [data-series="total"]', '.chart .legend [data-series="available"]'].map((e) => document.querySelector(e));
				const got = { Seen: 0, There: 0, Placed: 0, Apart: 0, Elsewhere: [] }, pace = 2;
				let left = 100, t = 0, since = 0;
				new MutationObserver((all) => { got.Placed += all.length; }).observe(all[0], { attributeFilter: ["style"] });
				const frame = (now) => {
					const state = rollplay.state(), { from, to } = rollplay.span(), moving = all.map((e) => e.getAnimations()[0]).filter(Boolean);
					if (state.t !== undefined && state.t !== t) [t, since] = [state.t, now]; // a program at work does not say
					if (moving.length === 5 && since) {
						const [line] = moving, [a, b] = line.effect.getKeyframes().map((k) => parseFloat(k.translate)), { progress } = line.effect.getComputedTiming();
						const perPx = (to - from) / document.querySelector(".plot").clientWidth, { duration } = line.effect.getTiming();
						const off = from + (a + (b - a) * progress) * perPx - t - pace * (now - since);
						got.Seen++;
						if (moving.some((m) => m.startTime !== line.startTime || m.effect.getTiming().duration !== duration)) got.Apart++;
						if (!(Math.abs((b - a) * perPx / duration - pace) < 0.1 * pace)) got.Apart++;
						if (Math.abs(off) < 80 * pace) got.There++;
						else got.Elsewhere.push(off);
					}
					if (left-- > 0 && !(t > to - 1500)) requestAnimationFrame(frame); // the plot moves on at its end
					else done(got);
				};
				requestAnimationFrame(frame);
			})`)
			if got.Seen < 20 || got.Placed > 50 || got.Apart > 0 || got.There < got.Seen/4 { // a busy machine is late in the others
				t.Errorf("%+v", got)
			}
			p.pause()
			p.wait("all where it stopped", `((t) => {
				const plot = document.querySelector(".plot").getBoundingClientRect(), { from, to } = rollplay.span(), x = plot.width * (t - from) / (to - from);
				const box = (e) => e.getBoundingClientRect(), line = document.querySelector(".cursor-line"), done = box(document.querySelector(".scrub-done")).right;
				const track = box(document.querySelector(".scrub-track"));
				return line.getAnimations().length === 0 && Math.abs(box(line).left - plot.left - x) < 1 && Math.abs(box(document.querySelector(".future")).left - plot.left - x) < 1 &&
					Math.abs(done - track.left - track.width * t / rollplay.state().end) < 1 &&
					[...document.querySelectorAll('.chart .legend :is([data-series="total"], [data-series="available"])')].map(box)
						.every((label) => Math.min(Math.abs(label.left - box(line).left - 7), Math.abs(label.right - box(line).left + 7)) < 2);
			})(rollplay.state().t)`)
		})
	}
}
