package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Two sites that only the browser of a test knows: documentation, and ours, which it embeds. They are of two hosts, because
// browsers keep sites apart and not ports.
const (
	docsURL = "http://docs.test"
	playURL = "http://rollplay.test"
)

// docsPolicy is as strict as a site can be that embeds ours.
const docsPolicy = "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'; script-src 'self' " + playURL + "; frame-src 'self' " + playURL + "; img-src " + playURL

// web is all there is of the Internet for a browser: it is the browser's proxy.
type web struct {
	t      *testing.T
	server *httptest.Server
	pages  map[string]string // of the documentation, by path
	policy string            // of the documentation; empty for none
	files  http.Handler      // of the documentation, in the place of pages

	mu   sync.Mutex
	ours []string // paths asked of our site
}

// newWeb opens it. A page of the documentation is HTML, a script if its path ends so.
func newWeb(t *testing.T, pages map[string]string) *web {
	if built.site == nil {
		t.Skip("no Chromium found")
	}
	w := &web{t: t, pages: pages, policy: docsPolicy}
	w.server = httptest.NewServer(w)
	t.Cleanup(w.server.Close)
	return w
}

// ServeHTTP is what the browser's proxy does.
func (w *web) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch "http://" + r.Host {
	case playURL:
		path := strings.TrimPrefix(r.URL.Path, prefix)
		w.ours = append(w.ours, path)
		if path == "probe" {
			out.Header().Set("Content-Type", "text/html")
			fmt.Fprint(out, probe)
			return
		}
		under(prefix, built.site.Handler()).ServeHTTP(out, r)
	case docsURL:
		if w.files != nil && r.URL.Path == "/favicon.ico" { // which a browser asks for, and most sites do not have
			out.WriteHeader(http.StatusNoContent)
			return
		}
		if w.files != nil {
			if w.policy != "" {
				out.Header().Set("Content-Security-Policy", w.policy)
			}
			w.files.ServeHTTP(out, r)
			return
		}
		body, ok := w.pages[r.URL.Path]
		if !ok {
			http.NotFound(out, r)
			return
		}
		switch {
		case strings.HasSuffix(r.URL.Path, ".js"):
			out.Header().Set("Content-Type", "text/javascript")
		case strings.HasSuffix(r.URL.Path, ".svg"):
			out.Header().Set("Content-Type", "image/svg+xml")
		default:
			out.Header().Set("Content-Type", "text/html; charset=utf-8")
			out.Header().Set("Content-Security-Policy", w.policy)
			body = "<!doctype html>" + body
		}
		fmt.Fprint(out, body)
	default:
		http.Error(out, "there is no such host", http.StatusBadGateway) // the browser itself asks its maker
	}
}

// has says whether the documentation has a page.
func (w *web) has(path string) bool {
	answer := httptest.NewRecorder()
	w.files.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
	return answer.Code == http.StatusOK
}

// asked returns the number of requests for files with this ending.
func (w *web) asked(suffix string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, path := range w.ours {
		if strings.HasSuffix(path, suffix) {
			n++
		}
	}
	return n
}

// hear makes a page keep the messages that it gets. iframes are those of the page and of the elements in it.
const hear = `window.heard = []; window.addEventListener("message", (e) => heard.push({ ...e.data, frame: iframes().findIndex((f) => f.contentWindow === e.source) }));
	window.iframes = () => [...document.querySelectorAll("iframe, rollplay-embed")].map((e) => e.shadowRoot?.querySelector("iframe") ?? e).filter((e) => e.contentWindow);`

// read opens a page of the documentation.
func (w *web) read(path string) *tab { w.t.Helper(); return w.open(docsURL + path) }

// open opens an address in a profile that knows no other web.
func (w *web) open(address string) *tab {
	w.t.Helper()
	p := start(w.t, func(c *target.CreateBrowserContextParams) {
		c.ProxyServer, c.ProxyBypassList = w.server.URL, "<-loopback>"
	})
	p.look(desktop, "light")
	p.before(hear)
	p.log.setOrigin(docsURL + " " + playURL)
	p.do("open "+address, chromedp.Navigate(address))
	return p
}

// frame returns the page inside the nth frame of our site.
func (p *tab) frame(n int) *tab {
	p.t.Helper()
	infos, err := chromedp.Targets(p.ctx)
	if err != nil {
		p.t.Fatal(err)
	}
	src := eval[string](p, fmt.Sprintf("iframes()[%d].src", n))
	for _, info := range infos {
		if info.Type == "iframe" && info.URL == src && info.BrowserContextID == p.profile() {
			ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithTargetID(info.TargetID))
			f := &tab{p.t, ctx, &watch{origin: playURL}}
			p.t.Cleanup(func() {
				f.log.report(p.t)
				cancel()
			})
			if err := f.log.attach(ctx); err != nil {
				p.t.Fatal(err)
			}
			return f
		}
	}
	p.t.Fatalf("no frame shows %s: %v", src, infos)
	return nil
}

// heard waits for a message of the first frame, of which an expression of m is true.
func (p *tab) heard(expr string) {
	p.t.Helper()
	p.wait("a message with "+expr, "heard.some((m) => m.rollplay === 1 && m.frame === 0 && ("+expr+"))")
}

// send sends a message to the first frame.
func (p *tab) send(message string) {
	p.t.Helper()
	eval[bool](p, "(heard.length = 0, iframes()[0].contentWindow.postMessage({ rollplay: 1, "+message+" }, '*'), true)")
}

// press clicks on the element that an expression gives, as a person: a frame of another process cannot be sent the mouse.
func (p *tab) press(expr string) {
	p.t.Helper()
	call(p, runtime.Evaluate, runtime.EvaluateParams{Expression: "(" + expr + ").click()", UserGesture: new(true)})
}

// iframe is an embed as an author writes it who may use no script.
func iframe(sandbox, query, fragment string) string {
	return fmt.Sprintf(`<iframe src="%s%sembed/%s%s" width="900" height="640" sandbox="%s" title="a rollout"></iframe>`,
		playURL, prefix, query, fragment, sandbox)
}

// script is the host script as an author writes it.
var script = fmt.Sprintf(`<script async src="%s%sembed/host.js"></script>`, playURL, prefix)

// TestEmbedInTheStrictestFrame: a sandbox that allows scripts and nothing else, in a page with a strict policy, below a path.
func TestEmbedInTheStrictestFrame(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": iframe("allow-scripts", "?panels=why,pods&speed=5", "#s=first-rollout")})
	p := w.read("/")
	p.heard("m.type === 'resize' && m.height >= 280")
	if first := eval[string](p, "heard[0].type"); first != "ready" {
		t.Errorf("the first message is %q, want ready", first)
	}
	f := p.frame(0)
	f.wait("the poster", "document.getElementById('poster').complete && document.getElementById('poster').naturalWidth > 0")
	checkBeforeTheClick(t, w)

	here := eval[string](f, "location.href + history.length")
	f.press("document.getElementById('start')")
	f.waitStarted()
	p.heard("m.type === 'tick' && m.t > 0 && m.end > m.t && m.counts.desired === 10")
	p.heard("m.type === 'resize'")
	if got := eval[string](f, "window.origin"); got != "null" {
		t.Errorf("the frame has the origin %s, so this tests nothing", got)
	}
	if !eval[bool](f, "rollplay.embedded && rollplay.state().speed === 5") {
		t.Error("the page does not know how it is embedded")
	}
	for _, name := range []string{"chart", "play", "judge", "why", "pod-view"} {
		f.wait(name, element(name))
	}
	for _, name := range []string{"editor", "scenario", "help", "set-image"} {
		if f.count(act(name)) != 0 {
			t.Errorf("an embed has %s", name)
		}
	}
	if now := eval[string](f, "location.href + history.length"); now != here {
		t.Errorf("the address or the history changed from %s to %s", here, now)
	}
}

// checkBeforeTheClick checks that the browser has not requested any part of the program.
func checkBeforeTheClick(t *testing.T, w *web) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, path := range w.ours {
		if path != "embed/" && !strings.HasPrefix(path, "embed-") && path != "posters/first-rollout-light.svg" {
			t.Errorf("before the click the browser requested %s", path)
		}
	}
}

func TestEmbedMessages(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": iframe("allow-scripts", "", "#s=first-rollout")})
	p := w.read("/")
	p.heard("m.type === 'ready'")
	f := p.frame(0)

	p.send("type: 'theme', theme: 'dark'")
	f.wait("the dark theme", "document.documentElement.dataset.theme === 'dark'")
	p.send("type: 'load', fragment: '#s=recreate'")
	f.wait("the other poster", "document.getElementById('poster').src.endsWith('/posters/recreate-dark.svg')")

	p.send("type: 'play'")
	p.heard("m.type === 'tick' && m.t > 0")
	const plays = "m.type === 'tick' && m.t > 0 && m.playing"
	if !eval[bool](p, "heard.some((m) => "+plays+")") { // the picture has come to the first caption before the program, which stops there
		p.send("type: 'play'")
		p.heard(plays)
	}
	p.send("type: 'pause'")
	p.heard("m.type === 'tick' && !m.playing")
	p.send("type: 'seek', t: 1234")
	p.heard("m.type === 'tick' && m.t === 1234 && !m.playing")
	if got := eval[string](f, "document.documentElement.dataset.theme"); got != "dark" {
		t.Errorf("the program changed the theme to %s", got)
	}

	p.send("type: 'seek', t: 1e9")
	p.heard("m.type === 'done' && m.t === m.end && m.t > 1234")
	p.send("type: 'load', fragment: '#s=three-replicas'")
	p.heard("m.type === 'tick' && m.counts.desired === 3 && m.t < 1e9")
	p.send("type: 'theme', theme: 'light'")
	f.wait("the light theme", "document.documentElement.dataset.theme === 'light' && getComputedStyle(document.body).colorScheme === 'light'")
	if n := eval[int](p, "heard.filter((m) => m.type === 'ready').length"); n != 0 {
		t.Errorf("ready came again, %d times", n)
	}
}

// TestEmbedTicksSlowly: a page around must not drown in messages.
func TestEmbedTicksSlowly(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": iframe("allow-scripts", "?autoplay&speed=20", "#s=first-rollout")})
	p := w.read("/")
	p.wait("the start", "heard.some((m) => m.type === 'tick')")
	p.send("type: 'seek', t: 13000") // its captions are there for as long as they take to read
	eval[bool](p, "(window.began = performance.now(), heard.length = 0, true)")
	p.heard("m.type === 'done'")
	took := eval[float64](p, "performance.now() - began")
	ticks := eval[float64](p, "heard.filter((m) => m.type === 'tick').length")
	if most := took/100 + 2; ticks > most || ticks < 2 {
		t.Errorf("%g ticks in %.0f ms, want at most %.0f and some", ticks, took, most)
	}
	if last := eval[string](p, "heard.map((m) => m.type).filter((t) => t === 'tick' || t === 'done').at(-2)"); last != "tick" {
		t.Errorf("before done came %s, want the tick of the end", last)
	}
}

// TestEmbedStopsAndAsks: a reader who clicked gets the captions one by one and the questions, in the large layout and in the small one,
// and the height of the frame stays.
func TestEmbedStopsAndAsks(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"?panels=", "?layout=compact&height=400&panels="} {
		w := newWeb(t, map[string]string{"/": framed(query, "#s=first-rollout", 420, 640)})
		p := w.read("/")
		p.heard("m.type === 'ready'")
		f := p.frame(0)
		f.press("document.getElementById('start')")
		f.waitStarted()
		p.heard("m.type === 'tick' && m.t === 10000 && !m.playing")
		f.wait("the question", element("bet-answer")+`?.disabled && document.querySelector(".veil").checkVisibility()`)
		height := eval[int](f, "document.documentElement.scrollHeight")
		if *shots != "" {
			p.screenshot(filepath.Join(*shots, "embed-asks-"+strconv.Itoa(len(query))+".png"))
		}
		eval[bool](f, `(() => { const e = `+element("bet-guess")+`; e.value = "7"; return e.dispatchEvent(new Event("input", { bubbles: true })); })()`)
		f.wait("the answer", element("bet-answer")+`.textContent.includes("7") && !`+element("bet-answer")+`.disabled`)
		f.press(element("bet-answer"))
		f.wait("why it is wrong", element("waits")+`.textContent.includes("More would break the bound of 13")`)
		if got := eval[int](f, "document.documentElement.scrollHeight"); got != height {
			t.Errorf("%s: %d px high, and %d with the question", query, got, height)
		}
		if *shots != "" {
			p.screenshot(filepath.Join(*shots, "embed-told-"+strconv.Itoa(len(query))+".png"))
		}
	}
}

// TestEmbedIgnores: only the page around is listened to, and only what makes sense.
func TestEmbedIgnores(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{
		"/":         iframe("allow-scripts", "", "#s=first-rollout") + `<iframe src="/stranger"></iframe>`,
		"/stranger": `<script src="/stranger.js"></script>`,
		"/stranger.js": `for (const m of [{ type: "play" }, { type: "theme", theme: "dark" }])
			parent.frames[0].postMessage({ rollplay: 1, ...m }, "*");`,
	})
	p := w.read("/")
	p.heard("m.type === 'ready'")
	f := p.frame(0)
	eval[bool](f, "(window.got = 0, addEventListener('message', () => { got++; }), true)")
	eval[bool](p, "(frames[1].location.reload(), true)") // now that the embed listens for sure
	f.wait("the messages of the stranger", "got === 2")

	bad := []string{
		`{ type: "play" }`, `{ rollplay: 2, type: "play" }`, `{ rollplay: "1", type: "play" }`, `{ rollplay: 1, type: "toString" }`,
		`{ rollplay: 1, type: "__proto__" }`, `{ rollplay: 1, type: "theme", theme: "pink" }`, `{ rollplay: 1, type: "load", fragment: 7 }`,
		`{ rollplay: 1, type: "load", fragment: "javascript:alert(1)" }`, `{ rollplay: 1, type: "seek", t: -1 }`, `{ rollplay: 1, type: "seek", t: NaN }`,
		`{ rollplay: 1, type: "seek", t: "1" }`, `{ rollplay: 1, type: ["play"] }`, `null`, `"play"`, `[1]`,
	}
	eval[bool](p, "(["+strings.Join(bad, ", ")+"].forEach((m) => frames[0].postMessage(m, '*')), true)")
	f.wait("the bad messages", fmt.Sprintf("got === %d", 2+len(bad)))
	if got := eval[string](f, "document.getElementById('loader').dataset.state + ' ' + document.documentElement.dataset.theme + ' ' + document.getElementById('open').getAttribute('href')"); got != "poster system ../#s=first-rollout" {
		t.Errorf("got %s: an invalid message had an effect", got)
	}
	if n := w.asked(".wasm"); n != 0 {
		t.Errorf("there were %d requests for the wasm", n)
	}
}

// element of the host script, with something inside for those without it.
func rollplayEmbed(attributes string) string {
	return `<rollplay-embed ` + attributes + `><p class="fallback">A picture</p></rollplay-embed>`
}

func TestEmbedHostScript(t *testing.T) {
	t.Parallel()
	yaml := "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: größer\nspec:\n  replicas: 4\n  selector:\n    matchLabels: {app: web}\n" +
		"  template:\n    metadata:\n      labels: {app: web}\n    spec:\n      containers:\n      - {name: web, image: nginx}\n"
	w := newWeb(t, map[string]string{"/": script +
		rollplayEmbed(`scenario="first-rollout"`) + rollplayEmbed(`scenario="recreate" panels=""`) +
		`<pre><code class="language-rollplay" data-lang="rollplay">` + strings.Replace(yaml, "größer", "web", 1) + `</code></pre>`})
	p := w.read("/")
	p.wait("three embeds", "document.querySelectorAll('rollplay-embed').length === 3")
	for n := range 3 {
		eval[bool](p, fmt.Sprintf("(document.querySelectorAll('rollplay-embed')[%d].scrollIntoView(), true)", n))
		p.wait("the embed to be ready", fmt.Sprintf("heard.some((m) => m.type === 'ready' && document.querySelectorAll('rollplay-embed')[%d].frame?.contentWindow === iframes()[m.frame].contentWindow)", n))
	}
	if n := eval[int](p, "[...document.querySelectorAll('.fallback')].filter((e) => e.checkVisibility()).length"); n != 0 {
		t.Errorf("%d pictures are still seen beside their embeds", n)
	}
	if !eval[bool](p, "document.querySelector('pre').checkVisibility()") {
		t.Error("the YAML is hidden")
	}
	checkThemeSync(p)
	checkOneDownload(t, w, p)

	// Whoever claims to be an embed is not believed.
	height := eval[string](p, "iframes()[0].style.height")
	eval[bool](p, "(heard.length = 0, postMessage({ rollplay: 1, type: 'resize', height: 4321 }, '*'), true)")
	p.wait("the false message", "heard.some((m) => m.height === 4321)")
	if got := eval[string](p, "iframes()[0].style.height"); got != height {
		t.Errorf("a message of the page itself changed the height from %s to %s", height, got)
	}
}

// checkThemeSync changes the theme of the documentation in the ways that generators do.
func checkThemeSync(p *tab) {
	p.t.Helper()
	f := p.frame(0)
	eval[bool](p, "(scrollTo(0, 0), true)") // a browser does not draw invisible frames of another site
	for _, c := range [][2]string{
		{"document.documentElement.dataset.theme = 'dark'", "dark"},
		{"document.documentElement.dataset.theme = 'light'", "light"},
		{"delete document.documentElement.dataset.theme", "light"},
		{"document.body.dataset.mdColorScheme = 'slate'", "dark"},
		{"document.body.dataset.mdColorScheme = 'default'", "light"},
		{"delete document.body.dataset.mdColorScheme", "light"},
		{"document.documentElement.className = 'theme-dark'", "dark"},
		{"document.documentElement.className = ''", "light"},
		// Without a mark the page is as it looks.
		{"(document.body.style.background = '#112', document.body.className = 'a')", "dark"},
		{"(document.body.style.background = 'rgba(0, 0, 0, 0.2)', document.documentElement.style.background = 'rgb(250 250 250)', document.body.className = 'b')", "light"},
		{"(document.documentElement.style.background = '', document.documentElement.style.colorScheme = 'light dark', document.body.className = 'c')", "system"},
		{"(document.documentElement.style.colorScheme = 'dark', document.body.className = 'd')", "dark"},
		{"(document.documentElement.style.colorScheme = '', document.head.append(Object.assign(document.createElement('meta'), { name: 'color-scheme', content: 'light dark' })), document.body.className = 'e')", "system"},
		{"(document.querySelector('meta[name=color-scheme]').remove(), document.body.className = 'f')", "light"},
		{"(document.documentElement.style.colorScheme = '', document.body.className = '')", "light"},
	} {
		eval[bool](p, "("+c[0]+", true)")
		f.wait(c[0], "document.documentElement.dataset.theme === "+quote(c[1]))
	}
}

// checkOneDownload starts three embeds one after the other. They have the origin of our site, and so one cache; Chromium keeps
// none for a frame without an origin.
func checkOneDownload(t *testing.T, w *web, p *tab) {
	t.Helper()
	for n, want := range []string{"10", "3", "4"} {
		eval[bool](p, fmt.Sprintf("(heard.length = 0, ((e) => { e.scrollIntoView(); e.play(); })(document.querySelectorAll('rollplay-embed')[%d]), true)", n))
		p.wait("the run", "heard.some((m) => m.type === 'tick' && m.counts.desired === "+want+" && m.t > 0)")
	}
	if n := w.asked(".wasm"); n != 1 {
		t.Errorf("three embeds requested the wasm %d times, want once", n)
	}
	for _, f := range built.site.Files {
		if n := w.asked(f.Name); f.Hashed && n > 1 {
			t.Errorf("%s was requested %d times, want once", f.Name, n)
		}
	}
}

// TestEmbedThatMayNotBe: what the author put inside the element stays, where frames are forbidden.
func TestEmbedThatMayNotBe(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": script + rollplayEmbed(`scenario="first-rollout"`)})
	w.policy = strings.Replace(docsPolicy, "frame-src", "frame-src 'none'; child-src", 1)
	p := w.read("/")
	p.wait("the frame that may not be", "iframes()[0]")
	for deadline := time.Now().Add(patience); len(p.log.peek()) == 0 && time.Now().Before(deadline); {
		eval[bool](p, "new Promise((done) => requestAnimationFrame(() => done(true)))")
	}
	if !eval[bool](p, "document.querySelector('.fallback').checkVisibility()") {
		t.Error("the picture is gone, and there is no embed")
	}
	if got := strings.Join(p.log.take(), "\n"); !strings.Contains(got, "frame-src 'none'") {
		t.Errorf("the frame was not refused: %s", got)
	}
}

// probe is a page of our site that says what is stored for it.
const probe = `<!doctype html><script>(async () => parent.postMessage({ stored: JSON.stringify([Object.keys(localStorage), Object.keys(sessionStorage),
	document.cookie, await indexedDB.databases(), await globalThis.caches?.keys() ?? [], await navigator.serviceWorker?.getRegistrations() ?? []]) }, "*"))()</script>`

// TestEmbedStoresNothing: not even where it could.
func TestEmbedStoresNothing(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": iframe("allow-scripts allow-same-origin", "?autoplay&speed=1000", "#s=first-rollout") +
		`<iframe id="probe"></iframe>`})
	p := w.read("/")
	p.heard("m.type === 'tick' && m.t > 0")
	p.send("type: 'seek', t: 1e9")
	p.heard("m.type === 'done'")
	f := p.frame(0)
	if got := eval[string](f, "window.origin"); got != playURL {
		t.Errorf("the frame has the origin %s, so it could not store anything anyway", got)
	}
	f.clickOn("the button to the start", element("start"))
	p.heard("m.type === 'tick' && m.t === 0")
	eval[bool](p, fmt.Sprintf("(document.getElementById('probe').src = %q, true)", playURL+prefix+"probe"))
	p.wait("the probe", "heard.some((m) => m.stored)")
	if got := eval[string](p, "heard.find((m) => m.stored).stored"); got != `[[],[],"",[],[],[]]` {
		t.Errorf("stored is %s", got)
	}
}

// TestEmbedOpensThePlayground, in the three ways there are.
func TestEmbedOpensThePlayground(t *testing.T) {
	t.Parallel()
	open := "document.getElementById('open')"
	t.Run("with the host script", func(t *testing.T) {
		w := newWeb(t, map[string]string{"/": script + rollplayEmbed(`scenario="first-rollout" sandbox="allow-scripts"`)})
		p := w.read("/")
		p.heard("m.type === 'ready'")
		f := p.frame(0)
		p.send("type: 'play'")
		p.heard("m.type === 'tick' && m.t > 0")
		p.send("type: 'pause'")
		p.send("type: 'seek', t: 11000")
		p.heard("m.type === 'tick' && m.t === 11000 && !m.playing")
		w.opensPlayground(p, func() { f.press(open) }, 11000)
	})
	t.Run("with popups", func(t *testing.T) {
		w := newWeb(t, map[string]string{"/": iframe("allow-scripts allow-popups", "", "#s=recreate")})
		p := w.read("/")
		p.heard("m.type === 'ready'")
		f := p.frame(0)
		w.opensPlayground(p, func() { f.press(open) }, -1)
	})
	t.Run("with nothing", func(t *testing.T) {
		w := newWeb(t, map[string]string{"/": iframe("allow-scripts", "", "#s=recreate")})
		p := w.read("/")
		p.heard("m.type === 'ready'")
		f := p.frame(0)
		f.press(open)
		f.wait("the link to copy", "document.getElementById('copy').checkVisibility()")
		if got, want := eval[string](f, "document.getElementById('link').value"), playURL+prefix+"#s=recreate"; got != want {
			t.Errorf("the link to copy is %s, want %s", got, want)
		}
		if got := strings.Join(f.log.take(), "\n"); !strings.Contains(got, "allow-popups") {
			t.Errorf("the browser did not refuse: %s", got)
		}
	})
}

// opensPlayground does something that opens the playground in a window of its own, and checks what its address shows to
// somebody else: the cursor rests at t there; -1 for any.
func (w *web) opensPlayground(p *tab, do func(), t int64) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	address := ""
	opened := chromedp.WaitNewTarget(ctx, func(info *target.Info) bool {
		if info.BrowserContextID != p.profile() || !strings.HasPrefix(info.URL, playURL+prefix+"#") {
			return false
		}
		address = info.URL
		return true
	})
	do()
	if _, ok := <-opened; !ok {
		p.t.Fatal("no window of the playground was opened")
	}
	p = w.open(address)
	p.waitStarted()
	p.wait("the playground", "rollplay.state().done && !rollplay.embedded")
	if t >= 0 {
		p.wait("the same moment", fmt.Sprintf("rollplay.state().t === %d && !rollplay.state().playing", t))
	}
	if p.count(act("editor")) != 1 {
		p.t.Error("the playground has no editor")
	}
}

// TestAuthors: the page for authors embeds three runs itself, and its snippets name the site that it lies on.
func TestAuthors(t *testing.T) {
	t.Parallel()
	if built.site == nil {
		t.Skip("no Chromium found")
	}
	p := start(t)
	p.look(desktop, "light")
	p.before(hear)
	p.visit(built.base + "authors/")
	p.wait("three embeds", "document.querySelectorAll('rollplay-embed').length === 3")
	for n := range 3 {
		eval[bool](p, fmt.Sprintf("(document.querySelectorAll('rollplay-embed')[%d].scrollIntoView(), true)", n))
		// The frame is as high as its content, in which a picture is as wide as there is room.
		p.wait("the embed at its full height", fmt.Sprintf(`((f) => heard.some((m) => m.type === "resize" && f.contentWindow === iframes()[m.frame].contentWindow &&
			m.height === f.clientHeight && m.height > %d))(document.querySelectorAll('rollplay-embed')[%d].frame)`, []int{400, 200, 400}[n], n))
	}
	p.wait("the messages", "heard.filter((m) => m.type === 'ready').length === 3")
	if n := eval[int](p, "[...document.querySelectorAll('rollplay-embed img')].filter((e) => e.checkVisibility()).length"); n != 0 {
		t.Errorf("%d pictures are still seen beside their embeds", n)
	}
	if got := eval[string](p, "document.querySelector('pre.copy').innerText"); !strings.Contains(got, `src="`+built.base+`embed/?`) {
		t.Errorf("the first snippet does not name %s: %s", built.base, got)
	}
	eval[bool](p, "(((e) => { e.scrollIntoView(); e.play(); })(document.querySelectorAll('rollplay-embed')[1]), true)")
	p.wait("the run of the code block", "heard.some((m) => m.type === 'tick' && m.counts.desired === 3 && m.t > 0)")
}

// TestEmbedSpeaksThePagesLanguage: an embed speaks the language of what it stands in, before its program runs and after.
func TestEmbedSpeaksThePagesLanguage(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": `<html lang="en"><main lang="zh-CN"><rollplay-embed scenario="first-rollout"></rollplay-embed></main>` + script})
	p := w.read("/")
	p.wait("the frame", `iframes()[0]`)
	p.heard("m.type === 'resize' && m.height >= 280")
	f := p.frame(0)
	for what, expr := range map[string]string{
		"title": `document.getElementById("loader-title").textContent === "第一次滚动更新"`,
		"name":  `document.getElementById("start").getAttribute("aria-label") === "播放：第一次滚动更新"`,
		"text":  `document.getElementById("start").innerText.trim() === "播放"`,
		"link":  `document.getElementById("open").textContent === "在演练场中打开"`,
		"lang":  `document.documentElement.lang === "zh"`,
	} {
		if !eval[bool](f, expr) {
			t.Errorf("before the click the %s is another: %s", what, expr)
		}
	}
	f.wait("the Chinese poster", `document.getElementById("poster").src.endsWith("/first-rollout-zh-light.svg") && document.getElementById("poster").naturalWidth > 0`)
	f.press("document.getElementById('start')")
	f.waitStarted()
	f.wait("a Chinese legend", `document.querySelector(".legend").innerText.includes("总数")`)
}
