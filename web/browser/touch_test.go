package browser_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// tap touches the middle of an element, which it scrolls into the window first.
func (p *tab) tap(name string) {
	p.t.Helper()
	p.wait(name+" to be there and enabled", element(name)+" && !"+element(name)+".disabled")
	p.tapAt(middle(name, element(name)))
}

func (p *tab) touch(kind input.DispatchTouchEventType, x, y float64) {
	p.t.Helper()
	call(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}})
}

func (p *tab) lift() {
	p.t.Helper()
	call(p, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}})
}

// inSight is true if all of an element is in the window and nothing lies over its middle.
func inSight(expr string) string {
	return fmt.Sprintf(`((e) => {
		const box = e.getBoundingClientRect(), over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
		return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight + 1 && box.left >= 0 && box.right <= innerWidth + 1 && (e.contains(over) || over?.contains(e));
	})(%s)`, expr)
}

// checkInSight fails the test if one of the elements can't be seen as a whole.
func (p *tab) checkInSight(when string, names ...string) {
	p.t.Helper()
	for _, name := range names {
		if !eval[bool](p, inSight(element(name))) {
			p.t.Errorf("%s: %s is not in sight: %v", when, name, p.place(act(name)))
		}
	}
}

// checkPodsInSight fails the test if plot and pods are not in sight together.
func (p *tab) checkPodsInSight(when string) {
	p.t.Helper()
	for _, complaint := range eval[[]string](p, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done("+lookForPods+"(false)))))") {
		p.t.Errorf("%s: %s", when, complaint)
	}
}

// smallFields lists the fields into which a phone zooms.
const smallFields = `[...document.querySelectorAll("input:not([type=range], [type=checkbox], [type=file]), select, textarea")]
	.filter((e) => e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) < 16).map((e) => e.dataset.act || e.id || e.outerHTML.slice(0, 80))`

// TestTouch: the whole journey with one finger: play, scrub, another image, the reason, the YAML, a link.
func TestTouch(t *testing.T) {
	t.Parallel()
	for _, s := range []size{phone, {"small phone", 360, 640, true}} {
		t.Run(s.name, func(t *testing.T) {
			p := start(t)
			p.look(s, "light")
			p.before(noteDrawn)
			p.before(`navigator.share = async (what) => { window.shared = what; }`)
			p.visit(built.base)
			p.waitStarted()
			shot := func(name string) { p.screenshot(filepath.Join(t.ArtifactDir(), s.name+" "+name+".png")) }
			p.waitComputed()
			shot("1 arrived")
			p.checkInSight("after arriving", "play", "time", "scrub", "chart")
			if clock, slider := p.place(act("time")), p.place(act("scrub")); clock.within(slider) > 0 {
				t.Errorf("the clock at %v lies on the slider at %v", clock, slider)
			}
			p.checkPodsInSight("after arriving")
			touchTime(p)
			shot("2 scrubbed")
			touchImage(p)
			shot("3 set image")
			p.tap("pane-why")
			p.wait("the reason", inSight(`document.querySelector(".why-what")`))
			shot("4 why")
			touchYAML(p)
			shot("5 applied")
			p.tap("share")
			p.wait("the link", `document.getElementById("share-url")?.value.includes("#1.")`)
			if !eval[bool](p, `document.getElementById("share").scrollWidth <= document.getElementById("share").clientWidth`) {
				t.Error("the dialog is wider than the phone")
			}
			if small := eval[[]string](p, smallFields); len(small) > 0 {
				t.Errorf("a phone zooms into %q", small)
			}
			shot("6 share")
			p.tap("share-sheet")
			p.wait("the system's dialog", `window.shared?.url === document.getElementById("share-url").value`)
		})
	}
}

// touchTime plays, and moves the thumb of the scrubber.
func touchTime(p *tab) {
	p.t.Helper()
	p.waitState("s.t === 5000 && !s.playing") // a first visit plays up to here
	p.tap("play")
	p.waitState("s.t === 10000 && !s.playing") // it stops at the next caption, which asks
	p.tap("play")
	p.waitState("s.t > 10000 && !s.playing")
	p.wait("the caption", `document.querySelector(".callout.sheet").checkVisibility()`)
	eval[bool](p, "(scrollTo(0, 0), true)") // where the button was brought into sight
	p.checkPodsInSight("beside a caption")
	from := p.finger(onScrub(.2))
	to := eval[at](p, `(({ x, y }) => ({ X: x, Y: y }))(`+onScrub(.5).place+`)`)
	p.touch(input.DispatchTouchEventTypeTouchMove, to.X, from.Y)
	p.waitState("Math.abs(s.t / s.end - .5) < .1")
	p.touch(input.DispatchTouchEventTypeTouchMove, to.X, from.Y) // at rest: no fling, which would swallow the next tap
	p.lift()
	p.waitState("Math.abs(s.t / s.end - .5) < .1") // what the last move shows is drawn: a tap on a field that moves misses it
}

// onScrub is a part of the scrubber's way.
func onScrub(part float64) spot {
	return spot{"the scrubber", element("scrub"), fmt.Sprintf("((box) => ({ x: box.x + 8 + %g * (box.width - 16), y: box.y + box.height / 2 }))(%s.getBoundingClientRect())", part, element("scrub"))}
}

// touchImage rolls out another image, and sees it on the chart.
func touchImage(p *tab) {
	p.t.Helper()
	p.tap("image-input")
	p.wait("the focus in the field", element("image-input")+" === document.activeElement")
	p.keys("a", chromedp.ModifierCtrl)
	p.keys("9.9")
	p.tap("set-image")
	p.waitState("s.commands === 1 && s.done")
	p.wait("the chart to come", inSight(element("chart")))
	p.checkInSight("after a command", "play", "time", "chart")
}

// touchYAML changes the manifest in its drawer.
func touchYAML(p *tab) {
	p.t.Helper()
	p.tap("pane-code")
	p.waitEditor()
	p.wait("the editor in the window", fmt.Sprintf(`((box) => Math.min(box.bottom, innerHeight) - Math.max(box.top, 0) > 150)(%s.getBoundingClientRect())`, element("editor")))
	p.tap("editor")
	p.wait("the focus in the editor", element("editor")+`.shadowRoot.activeElement?.classList.contains("cm-content")`)
	p.keys("a", chromedp.ModifierCtrl)
	p.paste(api)
	p.waitState("s.dirty && s.errors === 0")
	p.tap("apply")
	p.waitState("!s.dirty && s.done")
	p.wait("the chart to come", inSight(element("chart")))
}

// watchShifts adds up what moves outside of the chart, the pods, and the note over the page that a run is being computed, where things come
// and go.
//
// A page that scrolls in the same frame moves everything by the same distance, which a browser counts when it draws a text again. So it counts
// a text that is drawn again at its place.
const watchShifts = `window.shifts = [];
let scrolled = scrollY;
new PerformanceObserver((list) => {
	const by = scrollY - scrolled;
	scrolled = scrollY;
	for (const e of list.getEntries()) {
		if (e.hadRecentInput) continue;
		const far = (s) => Math.abs(s.previousRect.x - s.currentRect.x) + Math.abs(s.previousRect.y - s.currentRect.y);
		const inside = (s, where) => (s.node.nodeType === 1 ? s.node : s.node.parentElement)?.closest(where);
		const asked = (s) => s.node.matches?.(".lesson") || (inside(s, ".lesson") && !s.previousRect.width); // a question comes into sight
		const moved = e.sources.filter((s) => s.node && far(s) >= 1 && !(by && Math.abs(s.previousRect.y - s.currentRect.y - by) < 1) && !inside(s, ".chart, .scrubber, .strips, .pod-view, .run-notice") && !asked(s));
		if (moved.length) shifts.push({ value: e.value, at: e.startTime, what: moved.map((s) => (s.node.className || s.node.nodeName) + " " + JSON.stringify([s.previousRect, s.currentRect].map((r) => [r.x, r.y, r.width, r.height]))) });
	}
}).observe({ type: "layout-shift", buffered: true });`

// TestPlayingStandsStill: nothing on a phone moves while a lesson plays, but for what a lesson says at its end. What moves because Play was
// pressed does not count: a browser sees to that for half a second, which a busy machine may need for the first frame.
func TestPlayingStandsStill(t *testing.T) {
	t.Parallel()
	for _, hash := range []string{"#s=first-rollout", "#s=bad-image&lang=zh"} {
		p := start(t)
		p.look(phone, "light")
		p.before(noteDrawn)
		p.visit(built.base + hash)
		p.waitStarted()
		p.waitComputed()
		p.toStart()
		eval[bool](p, watchShifts+"; shifts.length = 0; true")
		eval[bool](p, "(window.pressed = [], true)")
		for range 12 {
			at := p.state().T
			eval[bool](p, "(pressed.push([performance.now(), Infinity]), true)")
			p.press(element("play"))
			p.waitState(fmt.Sprintf("s.playing || s.t > %d", at))
			eval[bool](p, draws)
			eval[bool](p, draws)
			eval[bool](p, "(pressed.at(-1)[1] = performance.now(), true)")
			p.waitState("!s.playing")
			if s := p.state(); s.T == s.End {
				break
			}
		}
		total := 0.0
		type shift struct {
			Value float64
			What  []string
		}
		for _, s := range eval[[]shift](p, "shifts.filter((s) => !pressed.some(([from, to]) => s.at >= from && s.at <= to))") {
			total += s.Value
			t.Logf("%s: %.4f %q", hash, s.Value, s.What)
		}
		if total >= .05 { // half of what browsers call good
			t.Errorf("%s: the layout shifts by %.3f", hash, total)
		}
	}
}
