package browser_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// framed is an embed in a frame of a width and height.
func framed(query, fragment string, width, height int) string {
	return strings.NewReplacer(`width="900"`, fmt.Sprintf(`width="%d"`, width), `height="640"`, fmt.Sprintf(`height="%d"`, height)).
		Replace(iframe("allow-scripts", query, fragment))
}

// TestEmbedCompact: the small layout has the same height before Play and while it plays, nothing in it has to be scrolled to but its panels, and
// the chart and the controls are in sight.
func TestEmbedCompact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		width, height int
		panels        string
	}{{360, 480, ""}, {360, 480, "why"}, {703, 480, ""}, {900, 480, "why,pods"}, {900, 400, ""}} {
		t.Run(fmt.Sprint(c.width, c.height, c.panels), func(t *testing.T) {
			query := fmt.Sprintf("?layout=compact&height=%d&panels=%s&speed=5", c.height, c.panels)
			w := newWeb(t, map[string]string{"/": framed(query, "#s=first-rollout", c.width, c.height)})
			p := w.read("/")
			p.heard(fmt.Sprintf("m.type === 'resize' && m.height === %d", c.height))
			f := p.frame(0)
			f.wait("the picture", "document.getElementById('poster').naturalWidth > 0")
			checkNoScrolling(f, c.height)
			p.send("type: 'play'")
			p.heard("m.type === 'tick' && m.t > 0")
			f.wait("the chart", "rollplay.ready.then && document.querySelector('.chart canvas')")
			checkNoScrolling(f, c.height)
			if n := eval[int](p, "heard.filter((m) => m.type === 'resize').length"); n != 0 {
				t.Errorf("the height changed %d times while it played", n)
			}
			for _, name := range []string{"chart", "play", "scrub"} {
				if !eval[bool](f, fmt.Sprintf("((box) => box.height > 20 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth)(%s.getBoundingClientRect())", element(name))) {
					t.Errorf("%s is not in sight: %s", name, eval[string](f, "JSON.stringify("+element(name)+".getBoundingClientRect())"))
				}
			}
			if dir := *shots; dir != "" {
				p.screenshot(filepath.Join(dir, fmt.Sprintf("compact-%d-%d-%s.png", c.width, c.height, c.panels)))
			}
			if height := eval[float64](f, "document.querySelector('.plot').getBoundingClientRect().height"); height < 60 {
				t.Errorf("the plot has %.0f px", height)
			}
		})
	}
}

// checkNoScrolling checks that the page of a frame is exactly as high as the frame.
func checkNoScrolling(f *tab, height int) {
	f.t.Helper()
	got := eval[[]int](f, "[document.body.getBoundingClientRect().height, document.documentElement.scrollHeight, document.documentElement.scrollWidth - innerWidth]")
	if got[0] != height || got[1] != height || got[2] > 0 {
		f.t.Errorf("the body has %d px, what can be scrolled %d, and %d beside it; want %d", got[0], got[1], got[2], height)
	}
}

// TestEmbedWithAMouse: how large the buttons are depends on the pointer, not on the width of the frame.
func TestEmbedWithAMouse(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": framed("?panels=", "#s=first-rollout", 703, 900)})
	p := w.read("/")
	p.heard("m.type === 'ready'")
	f := p.frame(0)
	p.send("type: 'play'")
	p.heard("m.type === 'tick' && m.t > 0")
	if eval[bool](f, "matchMedia('(pointer: coarse)').matches") {
		t.Error("the browser has a touch screen, so this tests nothing")
	}
	if height := eval[float64](f, element("play")+".getBoundingClientRect().height"); height > 40 {
		t.Errorf("the button has %.0f px", height)
	}
	if !eval[bool](f, "((a, b) => Math.abs((a.top + a.bottom) - (b.top + b.bottom)) < 8)(document.querySelector('.transport .buttons').getBoundingClientRect(), document.querySelector('.time-box').getBoundingClientRect())") {
		t.Error("the time is not in the row of the buttons")
	}
}

// TestEmbedEdits: an author may let readers change the text. Apply shows what follows, and the playground opens with it.
func TestEmbedEdits(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": script + `<rollplay-embed scenario="first-rollout" panels="yaml"></rollplay-embed>`})
	p := w.read("/")
	p.heard("m.type === 'ready'")
	f := p.frame(0)
	if n := w.asked("editor.js"); n != 0 {
		t.Errorf("before the click the browser requested the editor")
	}
	p.send("type: 'play'")
	p.heard("m.type === 'tick' && m.t > 0 && m.counts.desired === 10")
	f.wait("the editor", "rollplay.getText().includes('replicas: 10') && "+element("editor")+".shadowRoot?.querySelector('.cm-content')")
	if height := eval[float64](f, element("editor")+".getBoundingClientRect().height"); height < 150 {
		t.Errorf("the editor has %.0f px", height)
	}
	p.send("type: 'pause'")
	p.heard("m.type === 'tick' && !m.playing")
	p.send("type: 'seek', t: 0")
	p.heard("m.type === 'tick' && m.t === 0")
	eval[bool](f, "(rollplay.setText(rollplay.getText().replace('replicas: 10', 'replicas: 7')), true)")
	f.wait("the change", element("edit-state")+".textContent")
	f.press(element("apply"))
	p.heard("m.type === 'tick' && m.counts.desired === 7")
	eval[bool](p, "(window.opened = [], window.open = (url) => { opened.push(String(url)); return null; }, true)")
	f.press("document.getElementById('open')")
	p.wait("the playground", "opened.length === 1")
	other := w.open(eval[string](p, "opened[0]"))
	other.waitStarted()
	other.wait("the same text", "rollplay.getText().includes('replicas: 7')")
}

// TestEmbedOnPaper: the picture and the address, without the button.
func TestEmbedOnPaper(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": framed("", "#s=recreate", 703, 480)})
	p := w.read("/")
	p.heard("m.type === 'ready'")
	f := p.frame(0)
	f.wait("the picture", "document.getElementById('poster').naturalWidth > 0")
	call(f, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	if eval[bool](f, "document.getElementById('start').checkVisibility()") || !eval[bool](f, "document.getElementById('poster').checkVisibility()") {
		t.Error("paper shows the button, or no picture")
	}
	if got, want := eval[string](f, "getComputedStyle(document.getElementById('open'), '::after').content"), playURL+prefix+"#s=recreate"; !strings.Contains(got, want) {
		t.Errorf("paper shows the address %s, want %s", got, want)
	}
}
