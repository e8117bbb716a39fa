package browser_test

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// lowWindows are low ones: 1280 × 1024 at 400 %, laptops at 200 % and more, and a phone on its side.
var lowWindows = []size{{"320x256", 320, 256, false}, {"640x360", 640, 360, false}, {"683x384", 683, 384, false}, {"844x390", 844, 390, true}}

// TestLowWindows: in a low window nothing lies over what has the focus, the plot and Play are in sight together, and the header gives way.
func TestLowWindows(t *testing.T) {
	t.Parallel()
	for _, s := range lowWindows {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, s, "light", "#s=first-rollout")
			p.toEnd()
			p.screenshot(filepath.Join(t.ArtifactDir(), s.name+".png"))
			if high := eval[float64](p, `document.querySelector("[data-act=play]").getBoundingClientRect().bottom - document.querySelector(".plot").getBoundingClientRect().top`); high > float64(s.height) {
				t.Errorf("from the top of the plot to the end of Play it is %.0f px, the window has %d", high, s.height)
			}
			if stuck := eval[[]string](p, `[...document.querySelectorAll(".page :is(header, section, div)")].filter((e) => e.checkVisibility() && /sticky|fixed/.test(getComputedStyle(e).position)).map((e) => e.className)`); len(stuck) > 0 {
				t.Errorf("%q stay in sight", stuck)
			}
			p.walkFocus()
		})
	}
}

// walkFocus goes through all that can have the focus with the Tab key, and fails the test for each that something lies over.
func (p *tab) walkFocus() {
	p.t.Helper()
	eval[bool](p, `(document.querySelector(".skip").focus(), true)`)
	seen := 0
	for range 150 {
		p.keys(kb.Tab)
		over := eval[string](p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
			let e = document.activeElement;
			if (e === document.body) return done("end");
			const box = e.getBoundingClientRect();
			const [left, right, top, bottom] = [Math.max(box.left, 0), Math.min(box.right, innerWidth), Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
			if (right <= left || bottom <= top) return done(e.matches(".sr-only, .sr-only *, input[type=range], .edge") || box.width * box.height < 4 ? "" : e.outerHTML.slice(0, 120) + " is outside");
			const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
			done(e.contains(at) || at?.contains(e) || at?.closest("label")?.contains(e) ? "" : e.outerHTML.slice(0, 120) + " is under " + at.outerHTML.slice(0, 120));
		})))`)
		if over == "end" {
			break
		}
		seen++
		if over != "" {
			p.t.Error(over)
		}
	}
	if seen < 40 {
		p.t.Errorf("the Tab key has %d stops", seen)
	}
}

// smallTargets are the controls that a finger can miss. A mark is a line over the whole plot, and the link to the content is for keys.
const smallTargets = `[...document.querySelectorAll("button, a, input, select, summary")].filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.matches(".skip, .mark, .edge"))
	.map((e) => [e, (e.matches("input[type=checkbox]") && e.closest("label") || e).getBoundingClientRect()])
	.filter(([, box]) => box.width > 1 && (box.width < 43.5 || box.height < 43.5))
	.map(([e, box]) => (e.dataset.act || e.className || e.tagName) + " " + box.width.toFixed() + " x " + box.height.toFixed())`

// TestFingers: on a tablet and on a phone on its side each target has 44 px, and nothing covers the row of tabs.
func TestFingers(t *testing.T) {
	t.Parallel()
	for _, s := range []size{{"844x390", 844, 390, true}, {"1024x768", 1024, 768, true}, {"768x1024", 768, 1024, true}} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, s, "light", "#s=first-rollout")
			p.toEnd()
			for _, tab := range []string{"pods", "log", "tables"} {
				p.openTab(tab)
				if small := eval[[]string](p, smallTargets); len(small) > 0 {
					t.Errorf("%s: %q", tab, small)
				}
			}
			p.screenshot(filepath.Join(t.ArtifactDir(), s.name+".png"))
			if bar, actions := p.place(".stage > .bar"), p.place(".stage > .controls"); bar.Top < actions.Bottom-1 && bar.Bottom > actions.Top+1 {
				t.Errorf("the tabs at %v lie under the actions at %v", bar, actions)
			}
		})
	}
}
