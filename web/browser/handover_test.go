package browser_test

import (
	"bytes"
	"image"
	"image/png"
	"path/filepath"
	"slices"
	"testing"
)

// arrivedPage is the page of a first visit as it stands until the program is there.
const arrivedPage = `"drawn" in document.querySelector(".arrive-page").dataset && document.querySelector(".arrive-page .sketch:not([hidden])") && document.querySelector(".arrive-page .note") && document.querySelector(".arrive-page .pod-tile")`

// window is what the window shows.
func (p *tab) window() image.Image {
	p.t.Helper()
	b, err := p.capture()
	if err != nil {
		p.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		p.t.Fatal(err)
	}
	return img
}

// seen are the boxes in which somebody may see that two pictures differ. The edge of a circle is not always drawn alike: one or two pixels
// of it may differ a little.
func seen(a, b image.Image) []image.Rectangle {
	little := slices.DeleteFunc(differences(a, b, 8), func(box image.Rectangle) bool { return box.Dx() <= 2 && box.Dy() <= 2 })
	return append(differences(a, b, 24), little...)
}

// differences are the boxes in which two pictures differ by at least so much of 255. Neighbours within some pixels are in one box.
func differences(a, b image.Image, least int) (boxes []image.Rectangle) {
	const near = 6 // pixels
	if a.Bounds() != b.Bounds() {
		return []image.Rectangle{a.Bounds().Union(b.Bounds())}
	}
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			off := func(n, m uint32) int { return max(int(n>>8)-int(m>>8), int(m>>8)-int(n>>8)) }
			if max(off(r1, r2), off(g1, g2), off(b1, b2)) < least {
				continue
			}
			at := image.Rect(x, y, x+1, y+1)
			i := slices.IndexFunc(boxes, func(box image.Rectangle) bool { return at.Overlaps(box.Inset(-near)) })
			if i < 0 {
				boxes = append(boxes, at)
			} else {
				boxes[i] = boxes[i].Union(at)
			}
		}
	}
	return boxes
}

// handOver opens a first visit, lets somebody act in the page that stands there until the program comes, and returns where the pictures before
// and after the program differ. The line of the download at the header's lower edge is left out: it is all that may change.
func handOver(t *testing.T, s size, theme, path, lang string, change func(p *tab)) (boxes []image.Rectangle, v arrived) {
	base, release := holding(t)
	p := start(t)
	p.look(s, theme)
	p.before(noteDrawn)
	p.before(watchVitals)
	p.before(`localStorage.setItem("rollplay/lang", ` + quote(lang) + `)`)
	p.visit(base + path)
	p.wait("the page", arrivedPage)
	change(p)
	const settled = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))`
	eval[bool](p, settled)
	line := p.place("#loader-bar")
	p.screenshot(filepath.Join(t.ArtifactDir(), "before.png"))
	before := p.window()
	eval[bool](p, `(vitals.cls = 0, vitals.moved = [], vitals.since = performance.now(), true)`) // what the person did moves the page until it stands
	release()
	p.waitStarted()
	p.waitState("s.done")
	eval[bool](p, settled) // the browser draws layers of their own a little later
	p.screenshot(filepath.Join(t.ArtifactDir(), "after.png"))
	boxes = slices.DeleteFunc(seen(before, p.window()), func(box image.Rectangle) bool {
		return float64(box.Min.Y) >= line.Top && float64(box.Max.Y) <= line.Bottom
	})
	return boxes, p.arrived()
}

// TestHandOver: the program takes the place of the page of a first visit, and nobody sees it.
func TestHandOver(t *testing.T) {
	for _, s := range []size{{"desktop", 1440, 789, false}, phone} {
		for _, theme := range []string{"light", "dark"} {
			for what, a := range arriving {
				t.Run(s.name+" "+theme+" "+what, func(t *testing.T) {
					boxes, v := handOver(t, s, theme, a.path, a.lang, a.act)
					if len(boxes) > 0 {
						t.Errorf("the pictures differ at %v", boxes)
					}
					if v.CLS > 0 {
						t.Errorf("the layout shifts by %.4f: %q", v.CLS, v.Moved)
					}
				})
			}
		}
	}
}

// TestArrivedRests: a page that stands until the program comes draws nothing: the program needs the thread.
func TestArrivedRests(t *testing.T) {
	t.Parallel()
	base, _ := holding(t)
	p := start(t)
	p.look(phone, "light")
	p.before(noteDrawn)
	p.visit(base)
	p.wait("the page", arrivedPage)
	const drawings = `new Promise((done) => {
		const pen = CanvasRenderingContext2D.prototype, clear = pen.clearRect;
		let drawn = 0, frames = 20;
		pen.clearRect = function (...box) { drawn++; clear.apply(this, box); };
		const frame = () => (frames-- ? requestAnimationFrame(frame) : done(drawn));
		frame();
	})`
	if n := eval[int](p, drawings); n > 0 {
		t.Errorf("it draws %d times in 20 frames", n)
	}
	eval[bool](p, `(document.querySelector(".arrive-page .chart").style.width = "90%", true)`)
	if n := eval[int](p, drawings); n == 0 {
		t.Error("a chart of another size is not drawn, or is not noticed")
	}
}

// arriving is what somebody may do before the program is there.
var arriving = map[string]struct {
	path, lang string
	act        func(p *tab)
}{
	"at rest":    {"", "en", func(*tab) {}},
	"in Chinese": {"", "zh", func(*tab) {}},
	"linked":     {"#s=first-rollout", "en", func(*tab) {}},
	"busy": {"", "en", func(p *tab) { // the program has no time to place the texts of its first charts
		eval[bool](p, `(() => {
			const { listen } = rollplay;
			let refused = 0;
			rollplay.listen = (program) => {
				const { chart } = program;
				program.chart = (what, value) => (what === "place" && refused++ < 120 ? null : chart(what, value));
				listen(program);
			};
			return true;
		})()`)
	}},
	"scrubbed": {"", "zh", func(p *tab) {
		eval[bool](p, `((scrub) => { scrub.value = 12000; return scrub.dispatchEvent(new Event("input", { bubbles: true })); })(document.querySelector(".arrive-page .scrub"))`)
		p.wait("the moment", `document.querySelector(".arrive-page .time").textContent.startsWith("00:12.000")`)
		p.wait("the new pods", `document.querySelectorAll(".arrive-page .pod-group").length === 2`)
	}},
	"played": {"", "en", func(p *tab) {
		eval[bool](p, `(document.querySelector('.arrive-page [data-act="play"]').click(), true)`)
		p.wait("the question", `document.querySelector(".arrive-page .bet") && document.querySelector(".arrive-page .time").textContent.startsWith("00:10.000")`)
	}},
}

// TestHandOverTeeth: what would be seen is noticed.
func TestHandOverTeeth(t *testing.T) {
	for what, fault := range map[string]string{
		"a pixel":  `document.querySelector(".arrive-page .chart").style.translate = "1px"`,
		"a height": `document.querySelector(".arrive-page .chart").style.marginBottom = "1px"`,
		"a tile":   `document.querySelector(".arrive-page .pod-group .pod-tile").remove()`,
		"a label":  `document.querySelector(".arrive-page .note-upper").textContent = "at most 14"`,
		"an axis":  `document.querySelector(".arrive-page .axes").style.width = "99%"`,
		"a line":   `document.querySelector(".arrive-page .sketch").style.opacity = .9`,
	} {
		boxes, _ := handOver(t, desktop, "light", "", "en", func(p *tab) {
			eval[bool](p, `(`+fault+`, true)`)
		})
		if len(boxes) == 0 {
			t.Errorf("another %s is not noticed", what)
		}
		t.Log(what, boxes)
	}
}
