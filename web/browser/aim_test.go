package browser_test

import (
	"cmp"
	"fmt"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// spot is where the mouse or a finger goes: a place in an element. Both are expressions of the page, which are evaluated again for each frame
// until the spot stands still.
type spot struct {
	what  string // for messages
	find  string // the element
	place string // {x, y} in the window; empty is the element's middle
}

// middle is the middle of the element that an expression gives.
func middle(what, find string) spot { return spot{what: what, find: find} }

// onPlot is a virtual ms on the chart, in the middle of its height.
func onPlot(t int64) spot {
	return spot{fmt.Sprintf("%d ms on the chart", t), `document.querySelector(".plot")`, fmt.Sprintf(`(() => {
		const box = document.querySelector(".plot").getBoundingClientRect(), { from, to } = rollplay.span();
		return { x: box.x + box.width * (%d - from) / (to - from), y: box.y + box.height / 2 };
	})()`, t)}
}

// at is where a spot was found.
type at struct{ X, Y float64 }

// click clicks on the middle of the marked element with the mouse.
func (p *tab) click(name string) {
	p.t.Helper()
	p.openWhyFor(name)
	p.wait(name+" to be there and enabled", element(name)+" && !"+element(name)+".disabled")
	p.reveal(element(name))
	p.clickOn(name, element(name))
}

// clickOn clicks on the middle of the element that an expression gives.
func (p *tab) clickOn(what, find string) { p.t.Helper(); p.clickAt(middle(what, find)) }

// clickAt clicks on a spot.
func (p *tab) clickAt(s spot) {
	p.t.Helper()
	p.into("click", s, func(at at) { p.do("click "+s.what, chromedp.MouseClickXY(at.X, at.Y)) }, nil)
}

// hold presses the mouse on a spot. The mouse is there until its release.
func (p *tab) hold(s spot) at {
	p.t.Helper()
	return p.into("press", s, func(at at) { p.mouse(input.DispatchMouseEventTypeMousePressed, at.X, at.Y) },
		func() { p.mouse(input.DispatchMouseEventTypeMouseReleased, 0, 0) })
}

// point moves the mouse to a spot.
func (p *tab) point(s spot) at {
	p.t.Helper()
	return p.into("point at", s, func(at at) { p.mouse(input.DispatchMouseEventTypeMouseMoved, at.X, at.Y) }, nil)
}

// tapAt touches a spot for a moment.
func (p *tab) tapAt(s spot) {
	p.t.Helper()
	p.into("tap", s, func(at at) {
		p.touch(input.DispatchTouchEventTypeTouchStart, at.X, at.Y)
		p.lift()
	}, nil)
}

// finger puts a finger on a spot, where it stays until lift.
func (p *tab) finger(s spot) at {
	p.t.Helper()
	return p.into("touch", s, func(at at) { p.touch(input.DispatchTouchEventTypeTouchStart, at.X, at.Y) }, p.lift)
}

// into sends input into a spot that stands still, in a page that has drawn what it knows. If the element moves away between the look and the
// input, or the page does not hear anything, nothing in the page gets it: that is logged and counted, undone and tried again.
func (p *tab) into(how string, s spot, input func(at), undo func()) at {
	p.t.Helper()
	for range 3 {
		found := eval[struct {
			at
			Over string
		}](p, fmt.Sprintf("(%s)(() => (%s), (el) => (%s), %s)", aim, s.find, cmp.Or(s.place, centre), quote(decides[how])))
		if found.Over != "" {
			p.t.Fatalf("%s %s: at (%.0f, %.0f) is %s%s", how, s.what, found.X, found.Y, found.Over, p.evidence())
		}
		input(found.at)
		missed, err := tryEval[string](p, `window.aimed ? aimed() : ""`)
		if err != nil || missed == "" { // a page that went away was hit
			return found.at
		}
		p.t.Logf("%s %s at (%.0f, %.0f): %s", how, s.what, found.X, found.Y, missed)
		again.clicks.Add(1)
		if undo != nil {
			undo()
		}
	}
	p.t.Fatalf("%s %s: it keeps moving%s", how, s.what, p.evidence())
	return at{}
}

// decides is the event that must reach the element. A finger may be there, and yet be no tap: where it stops a list that scrolls.
var decides = map[string]string{"click": "pointerdown", "press": "pointerdown", "tap": "click", "touch": "pointerdown", "point at": "pointermove"}

const centre = `(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(el.getBoundingClientRect())`

// settled is true if the screen shows what the program knows. While a run plays or is computed, it is always a little behind. The diagnosis
// follows the cursor some time later, and its card moves what is below it.
const settled = `((s) => !s || s.t === undefined || s.playing || !s.done || (!s.late && (!window.drawn || canonical(s) === drawn) &&
	!document.querySelector('[data-act="status-line"][aria-busy="true"]')))(window.rollplay?.state?.())`

// aim is a function of the page that finds an element and a place in it anew for each frame, until both are there, nothing lies over the place,
// the page is settled, and the place is the same as in the frame before. It returns the place, or what has lain over it for a second
// of frames. Then only the element gets the next input: aimed() says what happened to it, "" if the element got it.
const aim = `(find, placeOf, deciding) => new Promise((done) => {
	let last, covered = 0;
	const look = () => {
		let el = null, at = null;
		try {
			el = find();
			el?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
			at = el && placeOf(el);
		} catch { /* what it is in is not there yet */ }
		const place = JSON.stringify([at, el?.getBoundingClientRect()]);
		const still = at && place === last && ` + settled + `;
		last = place;
		if (!still) return requestAnimationFrame(look);
		const top = document.elementFromPoint(at.x, at.y);
		if (!el.contains(top)) {
			if (++covered < 60) return requestAnimationFrame(look);
			return done({ X: at.x, Y: at.y, Over: (top?.outerHTML ?? "nothing").slice(0, 200) });
		}
		watch(el);
		done({ X: at.x, Y: at.y, Over: "" });
	};
	const watch = (el) => {
		window.aimed?.();
		let said = "", decided = () => {}, frames = 0;
		const events = ["pointermove", "mousemove", "pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend", "click"];
		const guard = (event) => {
			if (!event.isTrusted) return;
			if (event.type === "pointerdown" || event.type === deciding) said = event.composedPath().includes(el) ? "" : "it has moved away, where now is " + (event.target.outerHTML ?? event.target.nodeName).slice(0, 200);
			if (event.type === deciding) decided(said);
			if (said === "") return;
			event.preventDefault();
			event.stopImmediatePropagation();
		};
		const heard = new Promise((done) => { decided = done; });
		events.forEach((type) => addEventListener(type, guard, { capture: true, passive: false }));
		window.aimed = () => {
			const wait = () => (++frames > 60 ? decided("the page has heard no " + deciding) : requestAnimationFrame(wait));
			wait();
			return heard.finally(() => {
				events.forEach((type) => removeEventListener(type, guard, { capture: true }));
				delete window.aimed;
			});
		};
	};
	look();
})`
