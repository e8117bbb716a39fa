package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// drop drops files and folders on the page.
func (p *tab) drop(paths ...string) {
	p.t.Helper()
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		call(p, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: 700, Y: 300, Data: data})
	}
}

// TestDropped: a manifest and a folder of them are opened; whatever is no text is refused by its name, and the page goes on.
func TestDropped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write("app/2-more.yml", "# the second\n"+strings.ReplaceAll(api, "name: api", "name: more"))
	write("app/1-api.yaml", "# the first\n"+strings.TrimSpace(api))
	write("app/notes.md", "# no manifest\n")
	write("app/deeper/3.yaml", "# deeper\n")
	write("bin/tool", "\x7fELF")
	archive := write("a.tgz", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xed\xbd\xff"+strings.Repeat("\x80\xff\x00", 1<<16))
	tar := write("a.tar", "a.yaml"+strings.Repeat("\x00", 4096))
	p := open(t, desktop, "light", "")
	p.waitComputed()
	before := eval[string](p, "rollplay.getText()")
	for name, path := range map[string]string{"a.tgz": archive, "a.tar": tar, "bin": filepath.Join(dir, "bin")} {
		p.drop(path)
		p.wait("a word about "+name, `document.body.innerText.includes("`+name+` can't be opened")`)
		if text := eval[string](p, "rollplay.getText()"); text != before {
			t.Errorf("%s: the text is %.80q", name, text)
		}
	}
	p.drop(filepath.Join(dir, "app"))
	p.wait("the folder", `rollplay.getText().startsWith("# the first")`)
	text := eval[string](p, "rollplay.getText()")
	if !strings.Contains(text, "\n---\n# the second") || strings.Contains(text, "no manifest") || strings.Contains(text, "deeper") {
		t.Errorf("the folder is %s", text)
	}
	p.waitState("s.errors === 0 && s.done")
}

// faulty is a site of which one file has a fault until it is repaired.
func faulty(t *testing.T, name string, fault func(w http.ResponseWriter, r *http.Request, raw []byte)) (url string, repair func()) {
	if built.site == nil {
		t.Skip("no Chromium found")
	}
	var whole atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimPrefix(r.URL.Path, "/")
		if f := built.site.File(path); !whole.Load() && f != nil && strings.HasPrefix(path, name) {
			fault(w, r, f.Raw)
			return
		}
		built.site.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() { whole.Store(true) }
}

func cut(w http.ResponseWriter, _ *http.Request, raw []byte) {
	w.Header().Set("Content-Type", "text/javascript")
	w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
	w.Write(raw[:len(raw)/2])
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// TestInterruptedDownloads: of whatever file the connection breaks, the page says which, and starts when somebody tries again.
func TestInterruptedDownloads(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"app-", "boot-", "main-"} {
		t.Run(name, func(t *testing.T) {
			url, repair := faulty(t, name, cut)
			p := start(t)
			p.look(desktop, "light")
			p.visit(url)
			got := p.failure()
			if !strings.Contains(got, "could not be loaded") || name != "app-" && !strings.Contains(got, name) {
				t.Errorf("the page says %q", got)
			}
			p.log.take()
			repair()
			p.clickOn("Try again", `document.getElementById("loader-again")`)
			p.until("the program", `document.getElementById("loader")?.hidden`)
			p.waitStarted()
		})
	}
	for part, name := range map[string]string{"chart.js": "chart-", "editor.js": "editor-"} {
		t.Run(part, func(t *testing.T) {
			url, repair := faulty(t, name, cut)
			p := start(t)
			p.look(desktop, "light")
			p.visit(url)
			p.waitStarted()
			if part == "editor.js" {
				p.push("pane-code")
			}
			p.wait("a word", element("part-missing")+`?.innerText.includes("could not be loaded: `+part+`")`)
			p.log.take()
			repair()
			p.clickOn("Try again", element("part-again"))
			p.until("the page again", `window.rollplay && document.getElementById("loader").hidden && !`+element("part-missing"))
			p.wait("the chart", `document.querySelector(".chart-host canvas")`)
		})
	}
}

// TestStalledDownload: a download that stops without an end is called so, and goes on by itself.
func TestStalledDownload(t *testing.T) {
	t.Parallel()
	goOn := make(chan struct{})
	url, _ := faulty(t, "app-", func(w http.ResponseWriter, r *http.Request, raw []byte) {
		w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
		w.Write(raw[:len(raw)/2])
		w.(http.Flusher).Flush()
		select {
		case <-goOn:
			w.Write(raw[len(raw)/2:])
		case <-r.Context().Done():
		}
	})
	p := start(t)
	p.before(`{ const wait = setTimeout; window.setTimeout = (f, ms, ...rest) => wait(f, ms === 20000 ? 0 : ms, ...rest); }`) // a patience of nothing
	p.visit(url)
	p.wait("a word", `/stopped at \d+ %/.test(document.getElementById("app-wasm-loader-label").textContent) && document.getElementById("loader-again")`)
	close(goOn)
	p.waitStarted()
}

// storedKeys are the keys of the browser's storage.
const storedKeys = `Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i))`

// TestLeavingKeepsTheLastLetter: what was typed right before the page goes is in the draft when it has gone.
func TestLeavingKeepsTheLastLetter(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.waitComputed()
	p.replaceText(api)
	p.waitState("s.dirty")
	for i, event := range []string{`window.dispatchEvent(new PageTransitionEvent("pagehide"))`,
		`(Object.defineProperty(document, "hidden", { value: true, configurable: true }), document.dispatchEvent(new Event("visibilitychange")))`} {
		last := fmt.Sprintf("the last words %d", i)
		kept := eval[bool](p, `(() => {
			const clipboardData = new DataTransfer();
			clipboardData.setData("text/plain", `+quote("# "+last+"\n")+`);
			`+inEditor(".cm-content")+`.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
			`+event+`;
			return `+storedKeys+`.some((key) => localStorage.getItem(key).includes(`+quote(last)+`));
		})()`)
		if !kept {
			t.Errorf("after %s the last words are lost: %s", event, eval[string](p, storedKeys+`.map((key) => key + "=" + localStorage.getItem(key).slice(0, 80)).join("; ") + " tab: " + Object.keys(sessionStorage).join() + " text " + rollplay.getText().slice(-60)`))
		}
	}
}

// TestPrinted: on paper are the figure and the whole open tab, without what can only be clicked, and nothing lies over anything.
func TestPrinted(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "dark", "#s=first-rollout")
	p.toEnd()
	p.openTab("records")
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	if got := eval[[]string](p, `[...document.querySelectorAll(".header, .bar, .transport, .controls, .chart-tools, .drawer")].filter((e) => e.checkVisibility()).map((e) => e.className)`); len(got) > 0 {
		t.Errorf("on paper are %q", got)
	}
	for _, selector := range []string{".chart", ".status-line", "#panel-records"} {
		if !eval[bool](p, `document.querySelector(`+quote(selector)+`)?.checkVisibility()`) {
			t.Errorf("%s is not on paper", selector)
		}
	}
	if cut := eval[[]string](p, `[...document.querySelectorAll(".tabpanel, .tabpanel *")].filter((e) => e.clientHeight && e.scrollHeight > e.clientHeight + 1 && getComputedStyle(e).overflowY !== "visible").map((e) => e.className)`); len(cut) > 0 {
		t.Errorf("on paper a part is missing of %q", cut)
	}
	if got := eval[string](p, `getComputedStyle(document.body).printColorAdjust`); got != "exact" {
		t.Errorf("white words of a dark page would be on white paper: %s", got)
	}
}

// TestForgedDrafts: thousands of drafts that another page of the origin has written keep nobody from working.
func TestForgedDrafts(t *testing.T) {
	p := startAlone(t)
	p.look(desktop, "light")
	p.before(noteDrawn)
	p.before(`if (!localStorage.getItem("forged")) {
		localStorage.setItem("forged", "1");
		for (let i = 0; i < 9000; i++) {
			localStorage.setItem("rollplay/head/f" + i, JSON.stringify({ name: "forged " + i, at: 1e15 + i, curve: "M0 1H9V2|M0 2", rev: "r" }));
			localStorage.setItem("rollplay/draft/f" + i, "{}");
		}
	}`)
	p.visit(built.base + "authors/") // the forging is no task of the playground
	if n := eval[int](p, "localStorage.length"); n < 18_000 {
		t.Fatalf("the storage has %d keys", n)
	}
	check := func(what string, do func()) {
		t.Helper()
		best := 1e9
		for range 5 { // other tests share the machine: the best of five
			if best > taskMax {
				best = min(best, longestTask(p.traced(do)).TDur/1000)
			}
		}
		t.Logf("%s: %.0f ms", what, best)
		if best > taskMax {
			t.Errorf("%s takes %.0f ms at a stretch, want at most %.0f", what, best, taskMax)
		}
	}
	check("loading", func() {
		p.visit(built.base)
		p.waitStarted()
		p.waitState("s.done")
	})
	check("the palette", func() {
		p.keys("k", chromedp.ModifierCtrl)
		p.wait("the palette", `document.getElementById("palette").open`)
		p.keys(kb.Escape)
		p.wait("it to close", `!document.getElementById("palette").open`)
	})
	check("saving", func() {
		was := p.state().Commands
		p.fill("scale-input", strconv.Itoa(3+was))
		p.click("scale")
		p.waitState(fmt.Sprintf("s.commands > %d && s.done", was))
	})
}

// TestAnOpenDraftIsKept: a tab that needs room removes no draft that another tab has open.
func TestAnOpenDraftIsKept(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.replaceText(api)
	p.click("apply")
	p.waitState("!s.dirty && s.done")
	id := eval[string](p, storedKeys+`.find((key) => key.startsWith("rollplay/head/")).slice("rollplay/head/".length)`)
	q := p.another("#s=rounding")
	q.wait("the other tab's draft", `rollplay.openDrafts().split("\n").includes(`+quote(id)+`)`)
	eval[bool](q, `(() => {
		const head = JSON.parse(localStorage.getItem("rollplay/head/" + `+quote(id)+`));
		localStorage.setItem("rollplay/head/" + `+quote(id)+`, JSON.stringify({ ...head, at: 1 }));
		for (let i = 0; i < 30; i++) {
			localStorage.setItem("rollplay/head/n" + i, JSON.stringify({ name: "n" + i, at: 1000 + i, rev: "r" }));
			localStorage.setItem("rollplay/draft/n" + i, "{}");
		}
		return true;
	})()`)
	q.toEnd()
	q.fill("scale-input", "2")
	q.clickCommand("scale", "--replicas=2")
	q.waitState("s.commands === 1")
	q.wait("the oldest to go", storedKeys+`.filter((key) => key.startsWith("rollplay/head/")).length === 20`)
	if !eval[bool](q, `localStorage.getItem("rollplay/draft/" + `+quote(id)+`) !== null`) {
		t.Error("the draft of the other tab has gone")
	}
}
