package browser_test

import (
	"bytes"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
)

// saves makes the browser put downloads into a folder, which it returns.
func (p *tab) saves() string {
	p.t.Helper()
	dir := p.t.TempDir()
	call(p, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, BrowserContextID: p.profile(), DownloadPath: dir,
	})
	return dir
}

// take clicks on a button of "Take it along" and returns the file.
func (p *tab) take(dir, what, name string) []byte {
	p.t.Helper()
	button := `document.querySelector('[data-act="take"][data-value="` + what + `"]')`
	p.wait(what+" to be there and enabled", button+"?.disabled === false")
	p.clickOn(what, button)
	p.wait("the name of the file", `document.querySelector(".share-said").textContent.includes(`+quote(name)+`)`)
	for end := time.Now().Add(patience); ; {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			return b
		}
		if time.Now().After(end) {
			p.t.Fatalf("%s: %v%s", what, err, p.evidence())
		}
		eval[bool](p, "new Promise((done) => requestAnimationFrame(() => done(true)))")
	}
}

// TestTakeAlong: the Share dialog saves a run as files, with the bytes that the command writes for the link of the run.
func TestTakeAlong(t *testing.T) {
	t.Parallel()
	command := filepath.Join(t.TempDir(), "rollplay")
	if out, err := exec.Command("go", "build", "-o", command, "../rollplay").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := open(t, desktop, "light", "")
	dir := p.saves()
	p.seek(9000)
	p.fill("scale-input", "6")
	p.clickCommand("scale", "--replicas=6")
	p.waitState("s.commands === 1")
	p.seek(12000)
	p.waitComputed()
	url := p.share(true)
	export := func(args ...string) string {
		out, err := exec.Command(command, append(append([]string{"export"}, args...), url)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	for _, tt := range []struct{ what, name, want, holds string }{
		{"yaml", "nginx-deployment.yaml", export("-o", "yaml"), "kind: Scenario"},
		{"now", "nginx-deployment-now.yaml", export("-o", "now"), "replicas: 6"},
		{"json", "nginx-deployment-trace.jsonl", export("-o", "json"), `{"kind":"rollout"`},
		{"svg", "nginx-deployment.svg", export("-o", "svg"), "At 12 s: 6 desired"},
		{"animated", "nginx-deployment-animated.svg", export("-o", "animated"), `<a href="` + strings.ReplaceAll(url, "&", "&amp;") + `"`},
	} {
		if got := string(p.take(dir, tt.what, tt.name)); got != tt.want || !strings.Contains(got, tt.holds) {
			t.Errorf("%s: the page has %d bytes, the command %d, and %q must be there", tt.what, len(got), len(tt.want), tt.holds)
		}
	}
	light := p.take(dir, "png", "nginx-deployment.png")
	p.click("take-dark")
	if got := string(p.take(dir, "svg", "nginx-deployment-dark.svg")); got != export("-o", "svg", "-theme", "dark") {
		t.Errorf("dark: the page has %d bytes, and not those of the command", len(got))
	}
	dark := p.take(dir, "png", "nginx-deployment-dark.png")
	if l, d := corner(t, light), corner(t, dark); l < 0xf000 || d > 0x3000 {
		t.Errorf("the corner of the light PNG has %x, of the dark one %x", l, d)
	}
	snippet := eval[string](p, `document.getElementById("share-picture").value`)
	if !strings.HasPrefix(snippet, "[![A first rolling update. Pods of Deployment/default/nginx-deployment") || !strings.HasSuffix(snippet, "](nginx-deployment.svg)]("+url+")") {
		t.Errorf("the Markdown is %s", snippet)
	}
}

// corner returns how red the upper left of a chart of twice its size is, inside of its border.
func corner(t *testing.T, b []byte) uint32 {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size.X != 1440 || size.Y != 756 {
		t.Errorf("the PNG is %v", size)
	}
	red, _, _, _ := img.At(8, 8).RGBA()
	return red
}

// TestAnimatedPicture: the file moves by itself and in an <img>, at its moments, and not at all for people who ask for less motion.
func TestAnimatedPicture(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "run.svg")
	if out, err := exec.Command("go", "run", "../rollplay", "export", "-o", "animated", "-to", file, "first-rollout").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := start(t)
	p.look(size{"picture", 760, 460, false}, "dark")
	p.visit("file://" + file)
	// The window of a counter shows the line of text whose place its transform is; seek puts all animations to a moment.
	const seek = `(percent) => {
		for (const a of document.getAnimations()) { a.pause(); a.currentTime = percent / 100 * a.effect.getTiming().duration; }
		const shift = (el) => new DOMMatrix(getComputedStyle(el).transform);
		return [shift(document.querySelector(".lid")).e, ...[...document.querySelectorAll('g[class^="r"]')].map((g) =>
			[...g.children].filter((text) => Math.abs(text.getAttribute("y") - 13 + shift(g).f) < 8).map((text) => text.textContent).join())];
	}`
	at := func(percent string) []any { return eval[[]any](p, "("+seek+")("+percent+")") }
	beginning, middle, end := at("0"), at("50"), at("99")
	if lid := beginning[0].(float64); lid != 0 {
		t.Errorf("at the beginning the cover is at %v", lid)
	}
	if lid := middle[0].(float64); lid < 100 || lid > 600 {
		t.Errorf("in the middle the cover is at %v", lid)
	}
	if lid := end[0].(float64); lid != 662 {
		t.Errorf("at the end the cover is at %v", lid)
	}
	for i, all := range [][]any{beginning, middle, end} {
		want := [][]any{{"total 10", "rev 2 nginx:1.19.1: 0"}, {"total 13", "desired 10"}, {"total 10", "available 10", "terminating 0", "rev 2 nginx:1.19.1: 10"}}[i]
		for _, text := range want {
			if !slices.Contains(all, text) {
				t.Errorf("moment %d shows %v, want %q", i, all, text)
			}
		}
	}
	if color := eval[string](p, `getComputedStyle(document.querySelectorAll("path")[1]).fill`); color != "rgb(21, 26, 33)" {
		t.Errorf("in the dark the card is %s", color)
	}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
	if n := eval[int](p, "document.getAnimations().length"); n != 0 {
		t.Errorf("%d parts move for people who ask for less motion", n)
	}
	if lid := eval[float64](p, `new DOMMatrix(getComputedStyle(document.querySelector(".lid")).transform).e`); lid < 662 {
		t.Errorf("without motion the cover is at %v, on the chart", lid)
	}
	page := filepath.Join(filepath.Dir(file), "page.html")
	if err := os.WriteFile(page, []byte(`<!doctype html><title>page</title><img src="run.svg" alt="">`), 0o666); err != nil {
		t.Fatal(err)
	}
	p.visit("file://" + page)
	still := p.picture(t)
	if again := p.picture(t); !bytes.Equal(still, again) {
		t.Error("the image moves for people who ask for less motion")
	}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	p.visit("file://" + page)
	first := p.picture(t)
	for until := time.Now().Add(patience); bytes.Equal(first, p.picture(t)); {
		if time.Now().After(until) {
			t.Fatal("the image does not move")
		}
	}
}

// picture returns what the window shows once its image is there.
func (p *tab) picture(t *testing.T) []byte {
	t.Helper()
	if width := eval[int](p, `document.images[0].decode().then(() => document.images[0].naturalWidth)`); width != 720 {
		t.Fatalf("the image is %d px wide", width)
	}
	b, err := p.capture()
	if err != nil {
		t.Fatal(err)
	}
	return b
}
