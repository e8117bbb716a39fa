package browser_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/rollplay/rollplay/web/site"
)

// changing is a server on which another version of the site can be published.
type changing struct {
	*httptest.Server
	now atomic.Pointer[site.Site]
}

func publish(t *testing.T) *changing {
	t.Helper()
	if built.browser == "" {
		t.Skip("no Chromium found")
	}
	c := &changing{}
	c.now.Store(built.site)
	c.Server = httptest.NewServer(under(prefix, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.now.Load().Handler().ServeHTTP(w, r)
	})))
	t.Cleanup(c.Close)
	return c
}

// url asks for the service worker; see withoutWorker.
func (c *changing) url() string { return c.URL + prefix + "?offline" }

var versionOf = regexp.MustCompile(`data-version="([A-Z2-7]{8})"`)

// version is that of the page of a site.
func version(s *site.Site) string {
	return string(versionOf.FindSubmatch(s.File("index.html").Raw)[1])
}

// newer is the site after a change of its page: the page has another version, and the worker knows the page by its digest.
func newer(s *site.Site, name string) *site.Site {
	next := &site.Site{Files: slices.Clone(s.Files)}
	old := s.File("index.html").Raw
	page := bytes.Replace(old, []byte(version(s)), []byte(name), 1)
	worker := string(s.File("sw.js").Raw)
	worker = strings.Replace(worker, version(s), name, 1)
	worker = strings.Replace(worker, digest(old), digest(page), 1)
	for name, raw := range map[string][]byte{"index.html": page, "sw.js": []byte(worker)} {
		f := next.File(name)
		f.Raw, f.Brotli, f.Gzip = raw, nil, nil
	}
	return next
}

func digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// waitKept waits until the playground is kept for offline use.
func (p *tab) waitKept() {
	p.t.Helper()
	p.waitStarted()
	eval[bool](p, `navigator.serviceWorker.ready.then(() => true)`)
}

// waitOffered waits until the page offers a new version. It does not check every frame, which would slow the browser down: soon
// after its start the browser may take half a minute to request the worker.
func (p *tab) waitOffered() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 4*patience)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`new Promise((done) => {
		const look = () => `+element("new-version")+` && done(true);
		new MutationObserver(look).observe(document.body, { childList: true });
		look();
	})`, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("waited for the new version to be offered: %v%s", err, p.evidence())
	}
}

// waitOnly waits until only these caches remain: the given version of the playground, and those of others.
func (p *tab) waitOnly(caches ...string) {
	p.t.Helper()
	slices.Sort(caches)
	eval[bool](p, `new Promise((done) => {
		const { serviceWorker } = navigator;
		const look = async () => (await window.caches.keys()).sort().join() === `+quote(strings.Join(caches, ","))+` && done(true);
		const follow = () => { serviceWorker.controller?.addEventListener("statechange", look); look(); };
		serviceWorker.addEventListener("controllerchange", follow);
		follow();
	})`)
}

// shown is the version of the page in the browser.
func (p *tab) shown() string {
	p.t.Helper()
	return eval[string](p, `document.querySelector("[data-version]").dataset.version`)
}

// TestOfflineAfterTheFirstVisit: what was seen once is there when the server is not.
func TestOfflineAfterTheFirstVisit(t *testing.T) {
	t.Parallel()
	server := publish(t)
	p := start(t)
	p.look(desktop, "light")
	p.visit(server.url())
	p.waitKept()
	p.checkNotOffered()
	server.Close()
	for _, url := range []string{server.url(), server.URL + prefix + "?offline#s=recreate", server.URL + prefix + "index.html?offline"} {
		p.visit(url)
		p.waitStarted()
		p.openEditor()
		p.wait("a run", `rollplay.state().done && rollplay.state().records > 0`)
	}
	p.forgive("ERR_CONNECTION_REFUSED") // from the request for the page, before the browser uses the cached one
}

// forgive forgets the complaints that say something.
func (p *tab) forgive(about string) {
	for _, c := range p.log.take() {
		if !strings.Contains(c, about) {
			p.t.Error(c)
		}
	}
}

// TestOfflineKeepsOnlyThePlayground: the other pages come from the server, or not at all.
func TestOfflineKeepsOnlyThePlayground(t *testing.T) {
	t.Parallel()
	server := publish(t)
	p := start(t)
	p.visit(server.url())
	p.waitKept()
	kept := eval[[]string](p, `caches.keys().then(async ([name]) => (await (await caches.open(name)).keys()).map((r) => new URL(r.url).pathname))`)
	for _, path := range kept {
		if f := server.now.Load().File(strings.TrimPrefix(path, prefix)); path != prefix && (f == nil || !f.First && !f.Later) {
			t.Errorf("%s is kept", path)
		}
	}
	if !slices.Contains(kept, prefix) {
		t.Errorf("the page is not kept: %q", kept)
	}
}

// TestOfflineReading: pages for reading that were visited are there without a server, with their style and pictures. Any other says that the
// browser is offline.
func TestOfflineReading(t *testing.T) {
	t.Parallel()
	server := publish(t)
	p := start(t)
	p.look(desktop, "light")
	p.visit(server.url())
	p.waitKept()
	p.visit(server.url()) // this page is the worker's
	p.waitStarted()
	whole := `document.querySelector("h1") && [...document.images].filter((i) => i.loading !== "lazy").every((i) => i.complete && i.naturalWidth) &&
		getComputedStyle(document.querySelector("h1")).fontSize !== "32px"`
	visited := []string{"s/drain/", "s/drain/zh/", "scenarios/", "authors/"}
	for _, name := range visited {
		p.visit(server.URL + prefix + name)
		p.wait(name, whole)
	}
	eval[bool](p, fmt.Sprintf(`new Promise((done) => {
		const look = async () => {
			const kept = await (await caches.open(%s)).keys();
			kept.filter((r) => r.url.endsWith("/")).length >= %d ? done(true) : requestAnimationFrame(look);
		};
		look();
	})`, quote("rollplay "+server.URL+prefix+" visited"), len(visited)))
	server.Close()
	for _, name := range visited {
		p.visit(server.URL + prefix + name)
		p.wait(name+" offline", whole)
	}
	p.visit(server.URL + prefix + "s/recreate/")
	p.wait("words", `document.body.innerText.includes("You are offline") && document.querySelector("a").href === `+quote(server.URL+prefix))
	p.visit(server.url())
	p.waitStarted()
	p.log.take() // requests that were refused
}

// TestOfflineNotInAFrame: the playground in another page does not even ask for what would keep it.
func TestOfflineNotInAFrame(t *testing.T) {
	t.Parallel()
	server := publish(t)
	p := start(t)
	p.visit(server.URL + prefix + "authors/?offline") // the page of ours that may show frames
	eval[bool](p, fmt.Sprintf(`(() => {
		window.frame = Object.assign(document.createElement("iframe"), { src: %s });
		document.body.append(frame);
		return true;
	})()`, quote(server.url())))
	p.wait("the playground in the frame", `frame.contentDocument.getElementById("loader").hidden`)
	// Idle callbacks run in the order of their requests.
	if asked := eval[string](p, `new Promise((done) => frame.contentWindow.requestIdleCallback(() => done(
		frame.contentWindow.performance.getEntriesByType("resource").map((e) => e.name).filter((name) => /offline-/.test(name)).join())))`); asked != "" {
		t.Errorf("the frame loads %s", asked)
	}
	if n := eval[int](p, `navigator.serviceWorker.getRegistrations().then((all) => all.length)`); n != 0 {
		t.Errorf("there are %d service workers", n)
	}
}

// TestOfflineOffersANewVersion: an open page continues until the person wants the new version. Then it gets it, nothing is left
// of the old one, and the caches of others stay.
func TestOfflineOffersANewVersion(t *testing.T) {
	t.Parallel()
	server := publish(t)
	p := start(t)
	p.look(desktop, "light")
	p.visit(server.url())
	p.waitKept()
	p.visit(server.url()) // this page is the worker's, which the first one is not
	p.waitStarted()

	page := server.URL + prefix
	ours := func(version string) string { return "rollplay " + page + " " + version }
	others := []string{"rollplay " + page + "copy/ ANCIENT", "somebody else's"}
	for _, name := range append(others, ours("ANCIENT")) {
		eval[bool](p, `caches.open(`+quote(name)+`).then(() => true)`)
	}
	comeBack := func() { eval[bool](p, `document.dispatchEvent(new Event("visibilitychange"))`) } // to the tab
	eval[bool](p, `window.untouched = true`)

	server.now.Store(newer(built.site, "SECONDAA"))
	comeBack()
	p.waitOffered()
	if got := p.text("new-version"); !strings.Contains(got, "A new version is ready.") {
		t.Errorf("the notice says %q", got)
	}
	if !eval[bool](p, `window.untouched === true`) || p.shown() != version(built.site) {
		t.Error("the page was reloaded without a request")
	}
	if names := eval[[]string](p, `caches.keys()`); !slices.Contains(names, ours(version(built.site))) {
		t.Errorf("the files of the page are no longer kept: %q", names)
	}
	p.click("new-version-later")
	p.wait("the notice to go", "!"+element("new-version"))

	server.now.Store(newer(built.site, "THIRDAAA"))
	comeBack()
	p.waitOffered()
	p.click("new-version-reload")
	p.until("the third version", `document.querySelector("[data-version]")?.dataset.version === "THIRDAAA"`)
	p.waitStarted()
	p.waitOnly(append(others, ours("THIRDAAA"))...)
	p.checkNotOffered()

	// A reload gets the newest version without a question, also offline.
	server.now.Store(newer(built.site, "FOURTHAA"))
	p.visit(server.url())
	if got := p.shown(); got != "FOURTHAA" {
		t.Errorf("the version is %s", got)
	}
	p.waitStarted()
	p.waitOnly(append(others, ours("FOURTHAA"))...)
	p.checkNotOffered()
	server.Close()
	p.visit(server.url())
	p.waitStarted()
	if got := p.shown(); got != "FOURTHAA" {
		t.Errorf("offline the version is %s", got)
	}
	p.forgive("ERR_CONNECTION_REFUSED")
}

// checkNotOffered fails if the page offers its own version.
func (p *tab) checkNotOffered() {
	p.t.Helper()
	if n := p.count(act("new-version")); n != 0 {
		p.t.Errorf("%s is offered", p.shown())
	}
}
