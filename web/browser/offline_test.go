package browser_test

import (
	"bytes"
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

const newVersion = "NEWERONE"

// newer is the site after a change of its page: the page has another version, and the worker knows the page by its digest.
func newer(s *site.Site) *site.Site {
	next := &site.Site{Files: slices.Clone(s.Files)}
	old := s.File("index.html").Raw
	page := bytes.Replace(old, []byte(version(s)), []byte(newVersion), 1)
	worker := string(s.File("sw.js").Raw)
	worker = strings.Replace(worker, version(s), newVersion, 1)
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

// shown is the version of the page in the browser.
func (p *tab) shown() string {
	p.t.Helper()
	return eval[string](p, `document.querySelector("[data-version]").dataset.version`)
}

// TestOfflineAfterTheFirstVisit: what was seen once is there when the server is not.
func TestOfflineAfterTheFirstVisit(t *testing.T) {
	server := publish(t)
	p := start(t)
	p.look(desktop, "light")
	p.visit(server.url())
	p.waitKept()
	if n := p.count(act("new-version")); n != 0 {
		t.Error("the first version is offered as a new one")
	}
	server.Close()
	for _, url := range []string{server.url(), server.URL + prefix + "?offline#s=recreate", server.URL + prefix + "index.html?offline"} {
		p.visit(url)
		p.waitStarted()
		p.wait("the editor", inEditor(".cm-content"))
		p.wait("a run", `rollplay.state().done && rollplay.state().records > 0`)
	}
	p.forgive("ERR_CONNECTION_REFUSED") // the browser says so of the page, before it takes the kept one
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
	server := publish(t)
	p := start(t)
	p.visit(server.url())
	p.waitKept()
	kept := eval[[]string](p, `caches.keys().then(async ([name]) => (await (await caches.open(name)).keys()).map((r) => new URL(r.url).pathname))`)
	for _, path := range kept {
		if f := server.now.Load().File(strings.TrimPrefix(path, prefix)); path != prefix && (f == nil || !f.First) {
			t.Errorf("%s is kept", path)
		}
	}
	if !slices.Contains(kept, prefix) {
		t.Errorf("the page is not kept: %q", kept)
	}
}

// TestOfflineNotInAFrame: an embed, or the playground in a foreign page, keeps nothing.
func TestOfflineNotInAFrame(t *testing.T) {
	server := publish(t)
	p := start(t)
	p.visit(server.URL + prefix + "scenarios/?offline")
	// The policy of our own pages lets them show no frames; a page of somebody else's has none.
	p.do("an empty page", chromedp.Navigate("about:blank"))
	p.log.setOrigin("")
	eval[bool](p, fmt.Sprintf(`new Promise((done) => {
		const frame = document.createElement("iframe");
		frame.onload = () => done(true);
		frame.src = %s;
		document.body.append(frame);
	})`, quote(server.url())))
	p.visit(server.URL + prefix + "scenarios/?offline")
	if n := eval[int](p, `navigator.serviceWorker.getRegistrations().then((all) => all.length)`); n != 0 {
		t.Errorf("there are %d service workers", n)
	}
}

// TestOfflineOffersANewVersion: a page that is open goes on as it is until the person wants the new version. Then it has it,
// and nothing is left of the old one; what belongs to others is left alone.
func TestOfflineOffersANewVersion(t *testing.T) {
	server := publish(t)
	p := start(t)
	p.look(desktop, "light")
	p.visit(server.url())
	p.waitKept()
	page := server.URL + prefix
	for _, name := range []string{"rollplay " + page + " ANCIENT", "rollplay " + page + "copy/ ANCIENT", "somebody else's"} {
		eval[bool](p, `caches.open(`+quote(name)+`).then(() => true)`)
	}
	eval[bool](p, `window.untouched = true`)

	server.now.Store(newer(built.site))
	eval[bool](p, `document.dispatchEvent(new Event("visibilitychange"))`) // the person comes back to the tab
	p.wait("the new version to be offered", element("new-version"))
	if got := p.text("new-version"); !strings.Contains(got, "A new version is ready.") {
		t.Errorf("the notice says %q", got)
	}
	if !eval[bool](p, `window.untouched === true`) || p.shown() != version(built.site) {
		t.Error("the page was loaded anew, and nobody had asked for that")
	}

	p.click("new-version-reload")
	p.arriveAt(newVersion)
	p.waitStarted()
	names := eval[[]string](p, `caches.keys()`)
	want := []string{"rollplay " + page + " " + newVersion, "rollplay " + page + "copy/ ANCIENT", "somebody else's"}
	slices.Sort(names)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("the caches are %q, want %q", names, want)
	}
	if n := p.count(act("new-version")); n != 0 {
		t.Error("the version that is there is offered")
	}
	server.Close()
	p.visit(server.url())
	p.waitStarted()
	if got := p.shown(); got != newVersion {
		t.Errorf("offline the version is %s", got)
	}
	p.forgive("ERR_CONNECTION_REFUSED")
}

// arriveAt waits until the page of a version is there.
func (p *tab) arriveAt(version string) {
	p.t.Helper()
	p.until("the version "+version, `document.querySelector("[data-version]")?.dataset.version === `+quote(version))
}

// TestOfflineLater: the offer can be put off.
func TestOfflineLater(t *testing.T) {
	server := publish(t)
	p := start(t)
	p.look(phone, "dark")
	p.visit(server.url())
	p.waitKept()
	server.now.Store(newer(built.site))
	eval[bool](p, `document.dispatchEvent(new Event("visibilitychange"))`)
	p.click("new-version-later")
	p.wait("the notice to go", "!"+element("new-version"))
	if got := p.shown(); got != version(built.site) {
		t.Errorf("the version is %s", got)
	}
}

// TestOfflineReloadIsANewVersion: a person who loads the page anew has the newest without being asked, and offline too.
func TestOfflineReloadIsANewVersion(t *testing.T) {
	server := publish(t)
	p := start(t)
	p.visit(server.url())
	p.waitKept()
	server.now.Store(newer(built.site))
	p.visit(server.url())
	if got := p.shown(); got != newVersion {
		t.Errorf("the version is %s", got)
	}
	p.waitStarted()
	p.until("the new worker to take over", `caches.keys().then((names) => names.length === 1 && names[0].endsWith(" `+newVersion+`"))`)
	if n := p.count(act("new-version")); n != 0 {
		t.Error("the version that is there is offered")
	}
}
