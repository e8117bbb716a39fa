package browser_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestAnotherProgram: under the name of the program the server has something else. The page says so, and starts when the server is right again.
func TestAnotherProgram(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]func(raw []byte) []byte{
		"an empty module":     func([]byte) []byte { return []byte("\x00asm\x01\x00\x00\x00") },
		"a page":              func([]byte) []byte { return []byte("<!doctype html><title>404</title>") },
		"with another import": func(raw []byte) []byte { return []byte(strings.Replace(string(raw), "gojs", "gojz", 1)) },
		"nothing":             func([]byte) []byte { return nil },
		"of which half is old": func(raw []byte) []byte {
			return append(slices.Clone(raw[:len(raw)/2]), make([]byte, len(raw)-len(raw)/2)...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			url, repair := faulty(t, "app-", func(w http.ResponseWriter, _ *http.Request, raw []byte) {
				w.Header().Set("Content-Type", "application/wasm")
				w.Header().Set("Cache-Control", "no-store")
				w.Write(content(raw))
			})
			p := start(t)
			p.look(desktop, "light")
			p.visit(url)
			if got := p.failure(); !strings.Contains(got, "could not be loaded") && !strings.Contains(got, "rollplay has stopped") {
				t.Errorf("the page says %q", got)
			}
			p.log.take()
			repair()
			p.clickOn("Try again", `document.getElementById("loader-again")`)
			p.until("the program", `document.getElementById("loader")?.hidden`)
			p.waitStarted()
		})
	}
}

// TestCachePartlyGone: the browser has removed a part of what the service worker keeps. With a server the page starts; without one it starts
// from what the browser still has, or says what is missing.
func TestCachePartlyGone(t *testing.T) {
	t.Parallel()
	server := publish(t)
	p := start(t)
	p.look(desktop, "light")
	p.visit(server.url())
	p.waitKept()
	remove := func(kind string) {
		if n := eval[int](p, `(async () => { let n = 0; for (const name of await caches.keys()) { const cache = await caches.open(name);
			for (const r of await cache.keys()) if (new URL(r.url).pathname.includes(`+quote("/"+kind)+`)) n += await cache.delete(r); } return n; })()`); n == 0 {
			t.Errorf("nothing of %s was kept", kind)
		}
	}
	for _, kind := range []string{"app-", "boot-", "main-", "style-", "chart-", "editor-"} {
		remove(kind)
		p.visit(server.url())
		p.waitStarted()
		p.openEditor()
		p.wait("the chart", `document.querySelector(".chart-host canvas")`)
	}
	server.Close()
	p.visit(server.url())
	p.until("an answer", `document.getElementById("loader") && (document.getElementById("loader").hidden || document.getElementById("loader").dataset.state === "failed")`)
	if text := eval[string](p, `document.body.innerText`); len(text) < 40 {
		t.Errorf("the page says only %q", text)
	}
	p.log.take() // requests that were refused
}

// TestUpdateWhileRunning: while a page computes, another version is published, and the files of its own are gone. It goes on, with
// the parts that it had not loaded yet, and saves.
func TestUpdateWhileRunning(t *testing.T) {
	t.Parallel()
	server := publish(t)
	p := start(t)
	p.look(desktop, "light")
	p.before(noteDrawn)
	p.visit(server.url())
	p.waitKept()
	p.visit(server.url()) // this page is the worker's
	p.waitStarted()
	p.waitComputed()
	next, gone := newer(built.site, "SECONDAA"), map[string]string{}
	for _, f := range built.site.Files {
		if strings.Contains(f.Name, "-") && !strings.Contains(f.Name, "/") && (strings.HasSuffix(f.Name, ".js") || strings.HasSuffix(f.Name, ".wasm") || strings.HasSuffix(f.Name, ".css")) {
			gone[f.Name] = ""
		}
	}
	if len(gone) < 8 {
		t.Fatalf("only %d files are gone", len(gone))
	}
	server.now.Store(changed(next, gone))
	p.openEditor()
	p.replaceText(deployment("1500"))
	p.click("apply")
	p.waitState("s.workload === 'Deployment/default/web' && s.runs > 1 && s.done")
	p.wait("its draft", storedKeys+`.some((key) => key.startsWith("rollplay/draft/") && localStorage.getItem(key).includes("nginx:1"))`)
	p.click("lang")
	p.wait("Chinese", `document.documentElement.lang.startsWith("zh")`)
	p.log.report(t)
}
