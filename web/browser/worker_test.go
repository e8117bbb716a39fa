package browser_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/web/site"
	"github.com/rollplay/rollplay/web/site/pack"
)

// changed is the site with another content of some files; without content a file is gone.
func changed(s *site.Site, files map[string]string) *site.Site {
	next := &site.Site{Files: slices.Clone(s.Files)}
	for name, raw := range files {
		f := next.File(name)
		f.Raw, f.Brotli, f.Gzip = []byte(raw), nil, nil
	}
	next.Files = slices.DeleteFunc(next.Files, func(f pack.File) bool { content, ok := files[f.Name]; return ok && content == "" })
	return next
}

// named returns the name of the first file of the built site that begins so.
func named(prefix string) string {
	for _, f := range built.site.Files {
		if strings.HasPrefix(f.Name, prefix) {
			return f.Name
		}
	}
	return prefix
}

// TestHalfPublished: a server has the page of a new version, but not all its files, or no page at all. Whoever was there before
// gets the version that the browser has kept, and the new one as soon as it is whole.
func TestHalfPublished(t *testing.T) {
	t.Parallel()
	server := publish(t)
	p := start(t)
	p.look(desktop, "light")
	p.visit(server.url())
	p.waitKept()
	old := version(built.site)
	next := newer(built.site, "SECONDAA")
	page := string(next.File("index.html").Raw)
	for _, kind := range []string{"app-", "boot-", "main-", "style-", "scenarios-"} {
		name := named(kind)
		fresh := kind + "AAAAAAAA" + name[strings.LastIndexByte(name, '.'):]
		server.now.Store(changed(next, map[string]string{"index.html": strings.ReplaceAll(page, name, fresh), "sw.js": string(built.site.File("sw.js").Raw)}))
		p.visit(server.url())
		p.waitStarted()
		if got := p.shown(); got != old {
			t.Errorf("without %s: the version is %s, want %s", fresh, got, old)
		}
	}
	server.now.Store(changed(next, map[string]string{"index.html": "", "sw.js": string(built.site.File("sw.js").Raw)}))
	p.visit(server.url())
	p.waitStarted()
	if got := p.shown(); got != old {
		t.Errorf("without a page: the version is %s, want %s", got, old)
	}
	server.now.Store(next)
	p.visit(server.url())
	p.waitStarted()
	if got := p.shown(); got != "SECONDAA" {
		t.Errorf("the version is %s", got)
	}
	p.forgive("404")
}

// TestHalfPublishedWorker: the worker of a new version names a file whose content is another. It is not installed; the page starts, and the
// older worker goes on.
func TestHalfPublishedWorker(t *testing.T) {
	t.Parallel()
	server := publish(t)
	p := start(t)
	p.look(desktop, "light")
	p.visit(server.url())
	p.waitKept()
	next := newer(built.site, "SECONDAA")
	worker := string(next.File("sw.js").Raw)
	main := built.site.File(named("main-")).Raw
	broken := strings.Replace(worker, digest(main), digest([]byte("another")), 1)
	if broken == worker {
		t.Fatal("the worker has no digest of main.js")
	}
	server.now.Store(changed(next, map[string]string{"sw.js": broken}))
	eval[bool](p, `(window.refused = new Promise((done) => navigator.serviceWorker.getRegistration().then((r) => r.addEventListener("updatefound",
		() => { const w = r.installing; w.addEventListener("statechange", () => w.state === "redundant" && done(true)); }))), true)`)
	eval[bool](p, `navigator.serviceWorker.getRegistration().then((r) => r.update().then(() => refused, () => refused))`)
	p.visit(server.url())
	p.waitStarted()
	if got := p.shown(); got != "SECONDAA" {
		t.Errorf("the version is %s", got)
	}
	p.checkNotOffered()
	if names := eval[[]string](p, `caches.keys()`); !slices.Contains(names, "rollplay "+server.URL+prefix+" "+version(built.site)) {
		t.Errorf("the older version is no longer kept: %q", names)
	}
	p.forgive("integrity")
}

// TestWorkerWithoutStorage: the browser gives the worker no storage, or takes it away. The page comes from the server.
func TestWorkerWithoutStorage(t *testing.T) {
	t.Parallel()
	for name, prelude := range map[string]string{
		"nothing can be read": `CacheStorage.prototype.match = () => Promise.reject(new DOMException("broken", "UnknownError"));`,
		"it is full":          `Cache.prototype.addAll = () => Promise.reject(new DOMException("full", "QuotaExceededError"));`,
		"it is forbidden":     `CacheStorage.prototype.open = () => Promise.reject(new DOMException("forbidden", "SecurityError"));`,
		"it was cleared":      `CacheStorage.prototype.match = () => Promise.resolve(undefined);`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := publish(t)
			worker := bytes.Replace(built.site.File("sw.js").Raw, []byte(`"use strict";`), nil, 1)
			server.now.Store(changed(built.site, map[string]string{"sw.js": prelude + string(worker)}))
			p := start(t)
			p.before(`if (navigator.serviceWorker) {
				const { register } = ServiceWorkerContainer.prototype;
				window.registered = new Promise((done) => {
					ServiceWorkerContainer.prototype.register = function (...args) { const made = register.apply(this, args); done(made); return made; };
				});
			}`)
			p.visit(server.url())
			p.waitStarted()
			eval[bool](p, `registered.then((r) => new Promise((done) => {
				const worker = r.installing ?? r.waiting ?? r.active;
				const look = () => { if (worker === null || ["activated", "redundant"].includes(worker.state)) done(true); };
				worker?.addEventListener("statechange", look);
				look();
			}))`)
			p.visit(server.url())
			p.waitStarted()
			p.forgive("fetch the script") // of a worker that could not be installed
		})
	}
}

// TestStartsWhateverStorageDoes: the page of somebody whose storage is full, forbidden or missing starts, computes and takes a command.
func TestStartsWhateverStorageDoes(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.look(desktop, "light")
	p.before(noteDrawn)
	p.before(`{
		localStorage.clear(); // of the visit before
		const refuse = (name) => () => { throw new DOMException("refused", name); };
		const all = {
			full: () => { Storage.prototype.setItem = refuse("QuotaExceededError"); },
			readonly: () => { for (const f of ["setItem", "removeItem", "clear"]) Storage.prototype[f] = refuse("InvalidAccessError"); },
			missing: () => { for (const s of ["localStorage", "sessionStorage"]) Object.defineProperty(window, s, { value: null, configurable: true }); },
			dying: () => { let n = 0; const get = Storage.prototype.getItem; Storage.prototype.getItem = function (k) { if (n++ > 3) throw new DOMException("gone", "UnknownError"); return get.call(this, k); }; },
			blocked: () => { for (const s of ["localStorage", "sessionStorage"]) Object.defineProperty(window, s, { get: refuse("SecurityError"), configurable: true }); },
			each: () => {
				for (const f of ["getItem", "setItem", "removeItem", "clear", "key"]) Storage.prototype[f] = refuse("UnknownError");
				Object.defineProperty(Storage.prototype, "length", { get: refuse("UnknownError") });
			},
			indexed: () => { Object.defineProperty(window, "indexedDB", { get: refuse("SecurityError") }); },
			locks: () => { LockManager.prototype.request = LockManager.prototype.query = refuse("SecurityError"); },
			late: () => { // after some calls, of whatever kind
				let left = Number(new URLSearchParams(location.search).get("calls"));
				for (const f of ["getItem", "setItem", "removeItem", "key"]) {
					const call = Storage.prototype[f];
					Storage.prototype[f] = function (...given) { if (left-- <= 0) throw new DOMException("gone", "QuotaExceededError"); return call.apply(this, given); };
				}
			},
			workers: () => { Object.defineProperty(Navigator.prototype, "serviceWorker", { get: refuse("SecurityError") }); },
			register: () => { ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException("refused", "SecurityError")); },
			caches: () => { Object.defineProperty(window, "caches", { get: refuse("SecurityError") }); },
		};
		all[new URLSearchParams(location.search).get("storage")]?.();
	}`)
	all := []string{"full", "readonly", "readonly&reset", "missing", "dying", "workers", "register", "caches", "blocked", "each", "indexed", "locks"}
	for calls := range 12 {
		all = append(all, fmt.Sprintf("late&calls=%d", calls*calls))
	}
	for _, storage := range all {
		t.Run(storage, func(t *testing.T) {
			p := &tab{t, p.ctx, p.log}
			p.visit(built.base + "?offline&storage=" + storage + "#s=first-rollout")
			p.waitStarted()
			p.waitState("s.records > 0")
			p.fill("scale-input", "6")
			p.clickCommand("scale", "--replicas=6")
			p.waitState("s.commands === 1")
			p.log.report(t)
		})
	}
}
