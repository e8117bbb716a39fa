package browser_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/app"
)

// TestStartsFromPlainFiles: any web server will do, without compression, with an unknown type for wasm, and with the
// page asked for by its name.
func TestStartsFromPlainFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if built.site != nil {
		if err := built.site.WriteTo(dir); err != nil {
			t.Fatal(err)
		}
	}
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".wasm") {
			w.Header().Set("Content-Type", "application/octet-stream")
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	p := start(t)
	for _, path := range []string{"/", "/?from=elsewhere#s=first-rollout"} {
		p.visit(server.URL + path)
		p.waitStarted()
	}
}

// broken returns a site that answers 503 for every file whose name has this ending.
func broken(t *testing.T, suffix string) string {
	if built.site == nil {
		t.Skip("no Chromium found")
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, suffix) && !strings.Contains(r.URL.Path, "boot-") {
			http.Error(w, "out of order", http.StatusServiceUnavailable)
			return
		}
		built.site.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestSaysWhenItCannotBeLoaded(t *testing.T) {
	t.Parallel()
	for suffix, want := range map[string]string{".wasm": "the server answered 503", ".js": "one of the scripts is missing"} {
		t.Run(suffix, func(t *testing.T) {
			url := broken(t, suffix)
			p := start(t)
			p.visit(url)
			got := p.failure()
			if !strings.Contains(got, "rollplay could not be loaded") || !strings.Contains(got, want) {
				t.Errorf("got %q, want %q in it", got, want)
			}
			for _, c := range p.log.take() {
				if !strings.Contains(c, "503") && !strings.Contains(c, "Refused to execute script") { // which the answer is not
					t.Error(c)
				}
			}
		})
	}
}

func TestSaysWhenThereIsNoWebAssembly(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.before("delete window.WebAssembly")
	p.visit(built.base)
	if got := p.failure(); !strings.Contains(got, "no WebAssembly") {
		t.Errorf("got %q", got)
	}
}

// TestLoaderSpeaksTheReadersLanguage: what the page says before its program runs is in the language of the link, of an earlier
// visit, or of the browser.
func TestLoaderSpeaksTheReadersLanguage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, before, fragment, want string }{
		{"browser", `Object.defineProperty(navigator, "language", { value: "zh-CN" })`, "", "rollplay 无法在此运行"},
		{"earlier visit", `localStorage.setItem("rollplay/lang", "zh")`, "", "rollplay 无法在此运行"},
		{"link", `localStorage.setItem("rollplay/lang", "zh")`, "#s=first-rollout&lang=en", "rollplay cannot run here"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := start(t)
			p.before("delete window.WebAssembly; " + tt.before)
			p.visit(built.base + tt.fragment)
			if got := p.failure(); !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestLoaderSpeaksChineseForTheEngine: a Chinese page begins with the engine's sentences in Chinese, which are in a file of their
// own; without that file it begins, too.
func TestLoaderSpeaksChineseForTheEngine(t *testing.T) {
	t.Parallel()
	for want, before := range map[string]string{"上线": "", "The rollout": `const ask = fetch; window.fetch = (url, ...more) => /scenarios-/.test(url) ? Promise.reject(new Error("blocked")) : ask(url, ...more);`} {
		t.Run(want, func(t *testing.T) {
			p := start(t)
			p.before(`localStorage.setItem("rollplay/lang", "zh"); ` + before)
			p.visit(built.base)
			p.waitStarted()
			p.wait("the diagnosis", `document.querySelector('[data-act="diagnosis-title"]')?.textContent.startsWith(`+strconv.Quote(want)+`)`)
		})
	}
}

// failure waits until the loader shows that the page cannot start, and returns what it says.
func (p *tab) failure() string {
	p.t.Helper()
	p.wait("the failure to show", `document.getElementById("loader").dataset.state === "failed"`)
	return eval[string](p, `document.getElementById("loader").innerText`)
}

// TestStartsWithoutStorage: if a person blocks cookies, any access to a storage throws.
func TestStartsWithoutStorage(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.before(`for (const name of ["localStorage", "sessionStorage"])
		Object.defineProperty(window, name, { configurable: true, get() { throw new DOMException("blocked", "SecurityError"); } });`)
	p.visit(built.base)
	p.waitStarted()
}

// TestWatch proves that the tests would notice: each of these must be a complaint.
func TestWatch(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.visit(built.base)
	p.waitStarted()
	for name, tt := range map[string]struct{ script, want string }{
		"console error":      {`console.error("alas", new Error("no"))`, "Error: no"},
		"uncaught exception": {`setTimeout(() => { throw new Error("thrown"); })`, "uncaught exception: Error: thrown"},
		"missing file":       {`fetch("missing.js")`, "404"},
		"other origin":       {`fetch("http://elsewhere.invalid/")`, "Content Security Policy"},
		"inline script":      {`const s = document.createElement("script"); s.append("1"); document.body.append(s)`, "TrustedScript"},
	} {
		t.Run(name, func(t *testing.T) {
			// The page must stay until the browser has reported the complaint.
			eval[bool](p, `(() => { `+tt.script+`; return true; })()`)
			deadline := time.Now().Add(patience)
			for !strings.Contains(strings.Join(p.log.peek(), "\n"), tt.want) {
				if time.Now().After(deadline) {
					t.Fatalf("got %q, want %q", p.log.peek(), tt.want)
				}
				eval[bool](p, `new Promise((done) => requestAnimationFrame(() => done(true)))`)
			}
			p.log.take()
		})
	}
	p.log.take()
}

// TestSaysWhenItStops: a program that dies leaves a page that looks alive, so the page must say so.
func TestSaysWhenItStops(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.before(`Object.defineProperty(window, "rollplay", { configurable: true, set(value) {
		value.listen = () => { throw new Error("broken on purpose"); };
		Object.defineProperty(window, "rollplay", { value });
	} });`)
	p.visit(built.base)
	if got := p.failure(); !strings.Contains(got, "rollplay has stopped") {
		t.Errorf("got %q", got)
	}
	p.log.take()
}

// TestTooOldBrowser: a browser without the page's colours is told which version it needs, and loads nothing more. One that cannot even read
// the other scripts is told the same, so arrive.js has no newer syntax than its build promises.
func TestTooOldBrowser(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "zh"} {
		p := start(t)
		p.look(phone, "light")
		p.before(`CSS.supports = (what) => !what.includes("light-dark"); localStorage.setItem("rollplay/lang", ` + quote(lang) + `)`)
		p.visit(built.base)
		p.wait("the version", `document.getElementById("app-wasm-loader-label").textContent.includes("Safari 17.5")`)
		if title := eval[string](p, `document.getElementById("loader-title").textContent`); title != app.PageText(lang, "load-cannot") {
			t.Errorf("its title is %q", title)
		}
		if eval[bool](p, `performance.getEntriesByType("resource").some((e) => e.name.endsWith(".wasm"))`) {
			t.Error("it loads the program")
		}
		p.shoot("too-old-" + lang)
	}
	p := start(t)
	p.visit(built.base)
	if code := eval[string](p, `fetch(document.querySelector('script[src^="arrive-"]').src).then((r) => r.text())`); regexp.MustCompile(`\?\?|\?\.|catch\{`).MatchString(code) {
		t.Errorf("it has newer syntax: %s", code)
	}
}
