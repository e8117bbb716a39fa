package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// slow is how many times slower the pages compute: ROLLPLAY_SLOW=6 makes a quick machine as slow as a bad phone.
var slow, _ = strconv.ParseFloat(os.Getenv("ROLLPLAY_SLOW"), 64)

// patience is how long a condition may take. It is long, because only a failing test waits that long.
var patience = time.Duration(max(1, slow) * float64(3*time.Minute))

// size is a window.
type size struct {
	name          string
	width, height int64
	phone         bool
}

var (
	desktop = size{"desktop", 1440, 900, false}
	phone   = size{"phone", 390, 844, true}
)

// tab is a page with an empty profile.
type tab struct {
	t   testing.TB
	ctx context.Context
	log *watch
}

// open opens a path below the site with an empty profile, and waits for the page. Any complaint of the page until the end of the test
// fails the test.
func open(t testing.TB, s size, theme, path string) *tab {
	t.Helper()
	p := start(t).load(s, theme, path)
	if !eval[bool](p, draws) {
		t.Log("this page draws no frames, although it is alive: another one")
		again.pages.Add(1)
		p = start(t).load(s, theme, path)
	}
	return p
}

// draws is false for a page whose timers work, and whose frames do not come: one of some hundred pages on a busy machine never draws
// anything, not even a screenshot.
const draws = `new Promise((done) => { requestAnimationFrame(() => done(true)); setTimeout(() => done(false), 10000); })`

// load opens a path below the site in an empty page, and waits for the page.
func (p *tab) load(s size, theme, path string) *tab {
	p.t.Helper()
	p.look(s, theme)
	p.before(noteDrawn)
	p.visit(built.base + path)
	p.waitStarted()
	return p
}

// start opens an empty page with an empty profile in the browser that all tests share. A benchmark has one of its own.
func start(t testing.TB, profile ...chromedp.CreateBrowserContextOption) *tab {
	t.Helper()
	if _, measures := t.(*testing.B); measures {
		return startAlone(t)
	}
	return startIn(t, shared, profile...)
}

// startAlone opens one in a browser of its own, which compiles as that of a visitor, and says exactly how much memory a page takes.
func startAlone(t testing.TB) *tab {
	t.Helper()
	return startIn(t, func() (chromium, error) {
		b, err := launch(chromedp.Flag("enable-precise-memory-info", true))
		if b.end != nil {
			t.Cleanup(b.end)
		}
		return b, err
	})
}

func startIn(t testing.TB, browser func() (chromium, error), profile ...chromedp.CreateBrowserContextOption) *tab {
	t.Helper()
	if built.browser == "" {
		t.Skip("no Chromium found")
	}
	b, err := browser()
	if err != nil {
		t.Fatalf("start the browser: %v", err)
	}
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext(profile...))
	p := &tab{t, ctx, &watch{}}
	t.Cleanup(func() {
		p.log.report(t)
		cancel()
	})
	if err := p.log.attach(ctx); err != nil {
		t.Fatalf("open a page: %v", err)
	}
	// A page behaves as if it were the only one: its window has the focus.
	call(p, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	p.before(withoutWorker)
	p.before(noteInput)
	if slow > 0 {
		call(p, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slow})
	}
	return p
}

// profile is the ID of the page's profile, which its iframes and the windows that it opens have, too.
func (p *tab) profile() cdp.BrowserContextID { return chromedp.FromContext(p.ctx).BrowserContextID }

// lazily makes V8 compile only those functions well that run for ten times as long as usual: a third of the work of a page that starts.
var lazily = chromedp.Flag("js-flags", "--wasm-tiering-budget=130000000")

// shared returns the browser of all tests, which starts with the first that needs it. TestMain ends it.
var shared = sync.OnceValues(func() (chromium, error) {
	b, err := launch(lazily)
	built.end = b.end
	return b, err
})

// chromium is a running browser.
type chromium struct {
	ctx context.Context
	end func()
}

// launch starts a browser. Whatever page it has in front, all of them draw frames, and their timers run.
func launch(more ...chromedp.ExecAllocatorOption) (chromium, error) {
	profile, err := os.MkdirTemp(built.profiles, "")
	if err != nil {
		return chromium{}, err
	}
	allocator, cancelAll := chromedp.NewExecAllocator(context.Background(), append(more,
		chromedp.ExecPath(built.browser), chromedp.UserDataDir(profile),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-background-timer-throttling", true), chromedp.Flag("disable-renderer-backgrounding", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		// Each window would load the browser's own pages for its address bar and tabs, a tenth of all work. Each profile would keep a process in
		// stock, and each pointer a count against attacks.
		chromedp.Flag("disable-features", "WebUIOmniboxPopup,WebUIOmniboxAimPopup,PreloadTopChromeWebUI,SpareRendererForSitePerProcess,PartitionAllocBackupRefPtr"),
		chromedp.Flag("disable-dev-shm-usage", true), // containers often have little of it
		chromedp.Env("TMPDIR="+profile))...)
	ctx, cancel := chromedp.NewContext(allocator)
	b := chromium{ctx, func() {
		cancel()
		cancelAll()
	}}
	// The first use of the context starts the browser, which lives as long as that context: so it has no deadline.
	return b, chromedp.Do(ctx)
}

// withoutWorker removes the service worker, unless the query asks for it: other tests need not wait for a copy of the whole
// playground.
const withoutWorker = `if (!/[?]offline/.test(location.search)) delete Navigator.prototype.serviceWorker;`

// noteInput makes the page remember the last events that it has got, for the evidence of a failing test.
const noteInput = `window.heard = [];
for (const type of ["touchstart", "touchend", "touchcancel", "pointerdown", "pointerup", "pointercancel", "click", "contextmenu", "focusin", "focusout", "scroll", "keydown"]) {
	addEventListener(type, (e) => {
		const on = e.composedPath()[0], at = e.clientX === undefined ? "" : " at " + Math.round(e.clientX) + "," + Math.round(e.clientY);
		heard.push(Math.round(performance.now()) + " " + type + at + " on " + (on.dataset?.act || on.id || on.className?.baseVal || on.className || on.nodeName || "window"));
		if (heard.length > 40) heard.shift();
	}, { capture: true, passive: true });
}`

// visit opens a URL. From then on, requests to other origins are complaints.
func (p *tab) visit(url string) {
	p.t.Helper()
	p.log.setOrigin(origin(url))
	p.do("open "+url, chromedp.Navigate(url))
}

// waitStarted waits until the app has put its page in the place of the loader.
func (p *tab) waitStarted() {
	p.t.Helper()
	p.wait("the page to start", `document.getElementById("loader").hidden && document.body.firstElementChild.childElementCount > 0`)
}

// look sets the window and the colour scheme a person prefers.
func (p *tab) look(s size, theme string) {
	p.t.Helper()
	var opts []chromedp.EmulateViewportOption
	if s.phone {
		opts = append(opts, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait)
	}
	p.do("size the window", chromedp.EmulateViewport(s.width, s.height, opts...))
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
	})
}

// before runs a script in each page before its own scripts.
func (p *tab) before(script string) {
	p.t.Helper()
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}

// do carries out actions, and ends the test if they fail or take too long.
func (p *tab) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.t.Fatalf("%s: %v%s", what, err, p.evidence())
	}
}

// call sends one command of the DevTools protocol.
func call[P, R any](p *tab, cmd cdp.Command[P, R], params P) R {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	res, err := chromedp.Call(ctx, cmd, params)
	if err != nil {
		p.t.Fatalf("%s: %v", cmd.Method, err)
	}
	return res
}

// eval returns the value of an expression in the page; of a promise, what it is resolved with.
func eval[T any](p *tab, expr string) T {
	p.t.Helper()
	v, err := tryEval[T](p, expr)
	if err != nil {
		p.t.Fatalf("%s: %v%s", expr, err, p.evidence())
	}
	return v
}

func tryEval[T any](p *tab, expr string) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expr, chromedp.EvalAwaitPromise))
}

// wait waits until an expression is true. It evaluates it once per frame; an error counts as not yet, unless the page has
// stopped.
func (p *tab) wait(what, expr string) {
	p.t.Helper()
	_, err := tryEval[bool](p, fmt.Sprintf(`new Promise((done, fail) => {
		const look = () => {
			let ok = false;
			try { ok = Boolean(%s); } catch {}
			const loader = document.getElementById("loader");
			if (ok) done(true);
			else if (loader?.dataset.state === "failed") fail(new Error(loader.innerText));
			else requestAnimationFrame(look);
		};
		look();
	})`, expr))
	if err != nil {
		p.t.Fatalf("waited for %s: %v\n%s%s", what, err, expr, p.evidence())
	}
}

// act returns the CSS selector of the element that the app marks with a name.
func act(name string) string { return fmt.Sprintf("[data-act=%q]", name) }

// element returns the expression that finds it.
func element(name string) string { return fmt.Sprintf("document.querySelector(%s)", quote(act(name))) }

// quote writes a Go string as a JavaScript one.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return string(b)
}

// text returns what the marked element shows.
func (p *tab) text(name string) string {
	p.t.Helper()
	p.openWhyFor(name)
	p.wait(name+" to be there", element(name))
	return eval[string](p, element(name)+".innerText")
}

// count returns how many elements a selector finds.
func (p *tab) count(selector string) int {
	p.t.Helper()
	return eval[int](p, fmt.Sprintf("document.querySelectorAll(%s).length", quote(selector)))
}

// keys presses keys on the element that has the focus, with modifiers held down.
func (p *tab) keys(keys string, held ...chromedp.Modifier) {
	p.t.Helper()
	p.do("press "+keys, chromedp.KeyEvent(keys, chromedp.KeyModifiers(held...)))
}

// screenshot writes what the window shows to a file.
func (p *tab) screenshot(file string) {
	p.t.Helper()
	png, err := p.capture()
	if err == nil {
		err = os.WriteFile(file, png, 0o644)
	}
	if err != nil {
		p.t.Fatalf("screenshot: %v", err)
	}
}

func (p *tab) capture() ([]byte, error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.CaptureScreenshot())
}

// evidence keeps a screenshot of a failing test, and says where. `go test -artifacts` keeps it after the test.
func (p *tab) evidence() string {
	heard, _ := tryEval[[]string](p, "window.heard ?? []")
	state, _ := tryEval[string](p, "JSON.stringify(window.rollplay?.state())")
	console := "\nstate: " + state + "\nconsole: " + strings.Join(p.log.console(), "\n") + "\nthe page has heard:\n" + strings.Join(heard, "\n")
	png, err := p.capture()
	if err != nil {
		return console + "\n(no screenshot: " + err.Error() + ")"
	}
	file := filepath.Join(p.t.ArtifactDir(), "failed.png")
	if err := os.WriteFile(file, png, 0o644); err != nil {
		return console + "\n(no screenshot: " + err.Error() + ")"
	}
	return console + "\nscreenshot, kept with go test -artifacts: " + file
}
