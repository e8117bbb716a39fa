package browser_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"
)

// twoFrames waits until what was asked for is drawn.
const twoFrames = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`

// opaque is the system's colour of what is selected, on its background.
const opaque = `(() => {
	const e = document.createElement("i");
	e.style.cssText = "position: fixed; forced-color-adjust: none; background: Canvas; color: Highlight";
	document.body.append(e);
	const { color, backgroundColor } = getComputedStyle(e);
	e.remove();
	const [top, under] = [color, backgroundColor].map((c) => c.match(/[\d.]+/g).map(Number));
	const alpha = top[3] ?? 1;
	return "rgb(" + [0, 1, 2].map((i) => Math.round(alpha * top[i] + (1 - alpha) * under[i])).join(", ") + ")";
})()`

// painted counts the pixels of a colour, rgb(r, g, b), in a place of the window.
func painted(t *testing.T, screen image.Image, at place, colour string) (n int) {
	t.Helper()
	var want [3]int
	if _, err := fmt.Sscanf(colour, "rgb(%d, %d, %d)", &want[0], &want[1], &want[2]); err != nil {
		t.Fatalf("colour %q: %v", colour, err)
	}
	for y := int(at.Top); y < int(at.Bottom); y++ {
		for x := int(at.Left); x < int(at.Right); x++ {
			r, g, b, _ := screen.At(x, y).RGBA()
			if near(r, want[0]) && near(g, want[1]) && near(b, want[2]) {
				n++
			}
		}
	}
	return n
}

func near(have uint32, want int) bool { return max(int(have>>8)-want, want-int(have>>8)) < 12 }

// TestForcedColors: where the system chooses the colours, the chart keeps its own, and controls and the focus can be seen.
func TestForcedColors(t *testing.T) {
	t.Parallel()
	for _, theme := range []string{"light", "dark"} {
		p := open(t, desktop, theme, "#s=first-rollout")
		call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "forced-colors", Value: "active"}, {Name: "prefers-color-scheme", Value: theme},
		}})
		p.wait("the colours", `matchMedia("(forced-colors: active)").matches`)
		end := p.toEnd().End
		screen := p.screen()
		p.screenshot(filepath.Join(t.ArtifactDir(), "forced-"+theme+".png"))
		chart := p.place(act("chart"))
		for _, name := range []string{"total", "available"} {
			colour := eval[string](p, `getComputedStyle(document.querySelector(".sw-`+name+`")).borderTopColor`)
			if n := painted(t, screen, chart, colour); n < 300 {
				t.Errorf("%s: %d pixels of the chart have the colour of %s, %s", theme, n, name, colour)
			}
		}
		p.seek(end / 2) // half of the scrubber's track is behind the cursor
		screen = p.screen()
		thumb := eval[string](p, opaque)
		text := eval[string](p, `getComputedStyle(document.body).color`)
		for colour, least := range map[string]int{thumb: 20, text: 250} {
			if n := painted(t, screen, p.place(act("scrub")), colour); n < least {
				t.Errorf("%s: %d pixels of the scrubber have the colour %s", theme, n, colour)
			}
		}
	}
}

// screen returns what the browser has painted.
func (p *tab) screen() image.Image {
	p.t.Helper()
	eval[bool](p, twoFrames)
	shot, err := p.capture()
	if err != nil {
		p.t.Fatal(err)
	}
	screen, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		p.t.Fatal(err)
	}
	return screen
}

// ringless is the element with the focus if nothing around it, in it or behind it shows that.
const ringless = `(() => {
	let e = document.activeElement;
	while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
	if (!e || e === document.body) return "";
	const shown = (of, pseudo) => ((s) => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1 || pseudo && s.content !== "none" && s.backgroundColor !== "rgba(0, 0, 0, 0)")(getComputedStyle(of, pseudo));
	const around = [e, e.firstElementChild, e.closest(".cm-editor"), e.closest("label")].filter(Boolean);
	return around.some((of) => shown(of) || shown(of, "::after")) ? "" : e.outerHTML.slice(0, 160);
})()`

// stop is where the focus is: the element, and the region of the figure that it is in, with its place.
const stop = `(() => {
	const e = document.activeElement, region = e.closest(".stage > *, .chart-card > *, .chart-more > *, .figure > *, .figure-main > *, .pods-panel > *");
	const box = region?.getBoundingClientRect(), beside = box?.left > innerWidth / 2; // the lesson, a column of its own
	return { What: e.dataset.act || e.className || e.id || e.tagName, Region: beside || e.closest(".bar, .transport, .controls, .drawer") ? "" : region?.className ?? "", Top: box ? box.top + scrollY : 0, Body: e === document.body };
})()`

// TestFocus: the Tab key goes through the page in the order in which it stands there, shows where it is, and leaves the editor.
func TestFocus(t *testing.T) {
	t.Parallel()
	for _, s := range []size{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, s, "light", "#s=first-rollout")
			p.toEnd()
			p.push("pane-code")
			p.waitEditor()
			eval[bool](p, `(document.querySelector(".skip").focus(), true)`)
			type at struct {
				What, Region string
				Top          float64
				Body         bool
			}
			var last at
			seen := 0
			editor := false
			for range 250 {
				p.keys(kb.Tab)
				now := eval[at](p, stop)
				if now.Body {
					break
				}
				seen++
				p.wait("something to show the focus on "+now.What, ringless+` === ""`) // the editor notices its focus later
				if !s.phone && now.Region != "" && now.Top+2 < last.Top {              // a phone has the lesson above the pods
					t.Errorf("after %s in %q the focus goes up to %s in %q", last.What, last.Region, now.What, now.Region)
				}
				if now.Region != "" {
					last = now
				}
				editor = editor || now.What == "editor"
			}
			if seen < 40 || !editor {
				t.Errorf("the Tab key has %d stops, and the editor is one of them: %v", seen, editor)
			}
		})
	}
}
