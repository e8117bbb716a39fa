package browser_test

import (
	"os"
	"path/filepath"
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
			if (style.textOverflow === "ellipsis" && style.overflowX !== "visible") return "";
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
				for _, name := range []string{"pods", "tables", "events", "records", "queues", "timeline"} {
					p.openTab(name)
					p.checkLayout()
					p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-"+theme+"-"+name+".png"))
				}
			})
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
