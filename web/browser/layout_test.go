package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/web/site/pack"
)

// lookForCut finds text that cannot be read: outside the window, or cut off by an element that does not scroll. Text
// that ends in an ellipsis is cut on purpose, and so is what only screen readers get. The walk does not enter the
// editor, which scrolls by itself.
const lookForCut = `(() => {
	const bad = [];
	const width = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth > innerWidth)
		bad.push("the page is " + document.documentElement.scrollWidth + " wide, the window " + innerWidth);
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node = texts.nextNode(); node; node = texts.nextNode()) {
		const parent = node.parentElement;
		if (!node.data.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue;
		if (parent.closest("svg, select, noscript")) continue;
		const range = document.createRange();
		range.selectNodeContents(node);
		const box = range.getBoundingClientRect();
		if (!box.width) continue;
		const cutBy = cut(parent, box, width);
		if (cutBy) bad.push(JSON.stringify(node.data.trim().slice(0, 60)) + " is cut off by " + cutBy);
	}
	for (const field of document.querySelectorAll("input[type=text], input[type=number]"))
		if (field.checkVisibility() && field.scrollWidth > field.clientWidth + 1)
			bad.push(JSON.stringify(field.value) + " does not fit into its field " + name(field));
	return bad;

	function cut(el, box, width) {
		for (let a = el; a; a = a.parentElement) {
			const style = getComputedStyle(a), edge = a.getBoundingClientRect();
			if (edge.width <= 1 || edge.height <= 1) return ""; // for screen readers only
			if (style.textOverflow === "ellipsis" && style.overflowX !== "visible" && !a.matches(".status-what")) return ""; // the verdict is whole
			const x = edge.left - 1 > box.left || edge.right + 1 < box.right;
			const y = edge.top - 1 > box.top || edge.bottom + 1 < box.bottom;
			if (x && /hidden|clip/.test(style.overflowX) || y && /hidden|clip/.test(style.overflowY)) return name(a);
			if (x && /auto|scroll/.test(style.overflowX) || y && /auto|scroll/.test(style.overflowY)) return "";
		}
		return box.left < -1 || box.right > width + 1 ? "the window" : "";
	}

	function name(el) {
		return el.tagName.toLowerCase() + (el.className ? "." + el.className : "") + (el.dataset.act ? "[" + el.dataset.act + "]" : "");
	}
})()`

// checkLayout fails the test for each text that cannot be read.
func (p *tab) checkLayout() {
	p.t.Helper()
	for _, complaint := range eval[[]string](p, lookForCut) {
		p.t.Error(complaint)
	}
}

// TestLayout looks at the page and all its tabs, in both sizes and both themes.
func TestLayout(t *testing.T) {
	t.Parallel()
	for _, s := range []size{desktop, phone} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(s.name+" "+theme, func(t *testing.T) {
				p := open(t, s, theme, "")
				p.waitComputed()
				p.checkLayout()
				p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-"+theme+"-start.png"))
				p.toEnd()
				for _, name := range []string{"pods", "nodes", "log", "tables", "events", "records", "queues", "timeline"} {
					p.openTab(name)
					p.checkLayout()
					p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-"+theme+"-"+name+".png"))
				}
			})
		}
	}
}

// lookForPods finds a plot, pods or a Play that are not in sight: below the window, or under what floats at its lower end.
const lookForPods = `((desktop) => {
	const bad = [];
	const plot = document.querySelector(".plot").getBoundingClientRect();
	const floats = [".bar", ".figure .transport", ".stage > .controls", ".callout.sheet", ".asking .lesson > .lesson-text"].map((s) => document.querySelector(s))
		.filter((e) => e?.checkVisibility() && (e.matches(".bar, .lesson-text") || /sticky|fixed/.test(getComputedStyle(e).position)) && (!e.matches(".lesson-text") || getComputedStyle(e.parentElement).position === "sticky"));
	const low = Math.min(innerHeight, ...floats.map((e) => e.getBoundingClientRect().top));
	const room = innerHeight - document.querySelector(".header").getBoundingClientRect().bottom;
	if (desktop && plot.height < 0.45 * room - 1) bad.push("the plot has " + plot.height.toFixed() + " of " + room);
	if (plot.top < 0 || plot.bottom > low) bad.push("the plot is not in sight: it ends at " + plot.bottom.toFixed() + " of " + low.toFixed());
	const pod = document.querySelector(".pod-tiles .pod-tile")?.getBoundingClientRect();
	if (pod && (pod.top < plot.top || pod.bottom > low)) bad.push("no pod is in sight: the first ends at " + pod.bottom.toFixed() + " of " + low.toFixed());
	const play = document.querySelector('.transport [data-act="play"]').getBoundingClientRect();
	if (play.top < 0 || play.bottom > innerHeight || desktop && play.bottom > low) bad.push("Play is not in sight: it ends at " + play.bottom.toFixed() + " of " + low.toFixed());
	return bad;
})`

// lookForOverlaps finds what lies over something else although both are to be read or pressed, and pods or a plot that are not
// in sight. The header and the row of tabs float above the page; what is in the plot is drawn there on purpose.
const lookForOverlaps = `((desktop, low) => {
	const bad = [];
	const pressed = "button, a, input, select, summary, textarea";
	const name = (el) => (el.dataset.act ?? "") || el.className || el.tagName;
	const transport = document.querySelector(".figure .transport"), sticks = getComputedStyle(transport).position === "sticky"; // on a phone
	const floats = (el) => el.closest(".header, .bar, .skip, .stage > .controls") || sticks && (transport.contains(el) || el.closest(":is(.asking, .exercising) .lesson"));
	const boxes = [];
	const add = (el, rects, text) => {
		for (let r of rects) {
			let box = { left: r.left, top: r.top, right: r.right, bottom: r.bottom };
			for (let a = text ? el : el.parentElement; a; a = a.parentElement) {
				if (getComputedStyle(a).overflow === "visible") continue;
				const edge = a.getBoundingClientRect();
				box = { left: Math.max(box.left, edge.left), top: Math.max(box.top, edge.top), right: Math.min(box.right, edge.right), bottom: Math.min(box.bottom, edge.bottom) };
			}
			if (box.right - box.left > 2 && box.bottom - box.top > 2) boxes.push({ el, text, ...box });
		}
	};
	const ignored = (el) => el.closest(".chart, .strips, .scrubber, .pod-card, .sr-only, .editor-host, svg, select") || !el.checkVisibility({ visibilityProperty: true });
	for (const el of document.querySelectorAll(pressed)) if (!ignored(el)) add(el, [el.getBoundingClientRect()], "");
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node = texts.nextNode(); node; node = texts.nextNode()) {
		if (!node.data.trim() || ignored(node.parentElement)) continue;
		const range = document.createRange();
		range.selectNodeContents(node);
		add(node.parentElement, range.getClientRects(), node.data.trim().slice(0, 30));
	}
	for (let i = 0; i < boxes.length; i++)
		for (let k = i + 1; k < boxes.length; k++) {
			const a = boxes[i], b = boxes[k];
			if (a.el.contains(b.el) || b.el.contains(a.el) || Boolean(floats(a.el)) !== Boolean(floats(b.el))) continue;
			const x = Math.min(a.right, b.right) - Math.max(a.left, b.left), y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
			if (x > 1.5 && y > 3) bad.push(name(a.el) + " " + a.text + " and " + name(b.el) + " " + b.text + " overlap by " + x.toFixed() + " x " + y.toFixed());
		}
	if (document.documentElement.scrollWidth > innerWidth) bad.push("the page scrolls to the side");
	return [...bad.slice(0, 12), ...(low ? [] : ` + lookForPods + `(desktop))];
})`

// windows are those of laptops, screens, tablets and phones.
var windows = []size{
	{"1440x789", 1440, 789, false}, {"1366x657", 1366, 657, false}, {"1280x720", 1280, 720, false}, {"1920x1080", 1920, 1080, false},
	{"768x1024", 768, 1024, false}, {"390x844", 390, 844, true}, {"360x640", 360, 640, true},
}

// TestFirstScreen: in windows of all usual sizes, plot and pods are in sight together, nothing lies over anything else, and nothing
// makes the page scroll to the side. Low windows have room for less; TestLowWindows says for what.
func TestFirstScreen(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "drain", "node-dies", "rounding", "canary-two-deployments", "rollover", "sts-rolling", "ds-surge", "quota", "bad-image", "client-limit"} {
		t.Run(name, func(t *testing.T) {
			path := ""
			if name != "" {
				path = "#s=" + name
			}
			p := open(t, windows[0], "light", path)
			end := p.waitComputed().End
			p.pause()
			p.seek(end * 3 / 5) // of rollover, a question
			for i, w := range slices.Concat(windows, lowWindows) {
				p.look(w, "light")
				p.wait("the window to be drawn", fmt.Sprintf("innerWidth === %d", w.width))
				for _, complaint := range eval[[]string](p, fmt.Sprintf("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(%s(%v, %v)))))", lookForOverlaps, w.width > 720, i >= len(windows))) {
					t.Errorf("%s: %s", w.name, complaint)
				}
				p.screenshot(filepath.Join(t.ArtifactDir(), w.name+".png"))
			}
		})
	}
}

// TestNothingJumps: wherever a run is, and whatever its verdict, the regions are where they were, so that a button does not move away.
func TestNothingJumps(t *testing.T) {
	t.Parallel()
	const regions = `[".plot", ".pod-view", ".transport", ".stage > .controls"].map((s) => { const r = document.querySelector(s).getBoundingClientRect(); return s + " " + (r.top + scrollY).toFixed() + "+" + r.height.toFixed(); }).join()`
	for _, name := range []string{"first-rollout", "bad-image", "sts-rolling"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t, windows[0], "light", "#s="+name)
			end := p.waitComputed().End
			p.pause()
			for _, w := range five {
				p.look(w, "light")
				p.wait("the window to be drawn", fmt.Sprintf("innerWidth === %d", w.width))
				was := ""
				for i := range int64(11) {
					p.seek(end * i / 10)
					eval[bool](p, "(scrollTo(0, 0), true)")
					now := eval[string](p, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done("+regions+"))))")
					if was != "" && now != was {
						t.Errorf("%s: at %d ms the regions are at %s, and were at %s", w.name, end*i/10, now, was)
					}
					was = now
				}
			}
		})
	}
}

// TestVerdictMovesNothing: in a page that is scrolled a little, a verdict with a cause, and the findings below, leave everything where it is.
func TestVerdictMovesNothing(t *testing.T) {
	t.Parallel()
	p := open(t, windows[0], "light", "")
	p.toEnd()
	p.clickOn("the menu", element("break")+".querySelector('summary')")
	eval[bool](p, `(scrollTo(0, 22), true)`)
	const top = `Math.round(document.querySelector('[data-act="end"]').getBoundingClientRect().top)`
	was := eval[int](p, top)
	p.clickOn("a broken image", element("break-it"))
	p.wait("the finding", `document.querySelector('.status-line[data-state="stuck"]') && document.querySelector(".diagnosis .finding")`)
	p.waitVerdict()
	if now := eval[int](p, top); now != was {
		t.Errorf("the transport is at %d px before the verdict, at %d after it", was, now)
	}
}

// TestSettingFitsOnAPhone: where requests fail, a phone has room for the whole sentence, the setting that helps, and the sum that leads
// to it; the chart stands where it stood before.
func TestSettingFitsOnAPhone(t *testing.T) {
	t.Parallel()
	const top = `document.querySelector(".figure").getBoundingClientRect().top`
	for _, s := range []size{phone, {"small phone", 360, 640, true}} {
		p := open(t, s, "light", "#s=healthy-too-late")
		p.waitComputed()
		p.seek(0)
		was := eval[float64](p, top)
		p.toEnd()
		p.wait("the setting", `document.querySelector(".status-line > .helps")`)
		if now := eval[float64](p, top); now != was {
			t.Errorf("%s: the chart begins at %v px, and at %v px before", s.name, now, was)
		}
		for _, part := range []string{".status-what", ".helps"} {
			if !eval[bool](p, fmt.Sprintf(`(({scrollHeight: all, clientHeight: seen}) => all < seen + 5)(document.querySelector(".status-line > %s"))`, part)) { // letters may hang lower than their line
				t.Errorf("%s: %s is cut off", s.name, part)
			}
		}
		if lines := eval[float64](p, `((e) => e.clientHeight / parseFloat(getComputedStyle(e).lineHeight))(document.querySelector(".status-cause"))`); lines != 2 {
			t.Errorf("%s: the sum has %v lines, want 2", s.name, lines)
		}
	}
}

// TestScreenshot takes the picture of the README. It is no check, and so runs only when somebody asks for it.
func TestScreenshot(t *testing.T) {
	if os.Getenv("ROLLPLAY_SCREENSHOT") == "" {
		t.Skip("ROLLPLAY_SCREENSHOT is not set")
	}
	root, err := pack.Root()
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, desktop, "light", "")
	p.waitComputed()
	p.seek(14_000) // in the middle of the first rollout
	p.screenshot(filepath.Join(root, "web", "screenshot.png"))
}
