package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// watchVitals watches what a person sees while a page comes: its first and its largest picture or text, and whether things move.
const watchVitals = `(() => {
	const v = window.vitals = { fcp: 0, lcp: 0, what: "", cls: 0, moved: [], since: 0 };
	const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
	watch("paint", (e) => { if (e.name === "first-contentful-paint") v.fcp = e.startTime; });
	watch("largest-contentful-paint", (e) => {
		v.lcp = e.startTime;
		v.what = e.element ? e.element.tagName + "." + e.element.className + " " + e.element.textContent.slice(0, 40) : e.url.slice(0, 40);
	});
	watch("layout-shift", (e) => {
		if (e.hadRecentInput || e.startTime < v.since) return;
		v.cls += e.value;
		for (const s of e.sources) v.moved.push((s.node?.className || s.node?.nodeName) + " " + JSON.stringify([s.previousRect, s.currentRect].map((r) => [r.x, r.y, r.width, r.height])));
	});
})()`

type arrived struct {
	FCP, LCP float64 // ms
	What     string  // the largest
	CLS      float64
	Moved    []string
}

func (p *tab) arrived() arrived { return eval[arrived](p, `window.vitals`) }

// holding serves the site, but app.wasm only when let go.
func holding(t *testing.T) (base string, release func()) {
	if built.browser == "" {
		t.Skip("no Chromium found")
	}
	held := make(chan struct{})
	server := httptest.NewServer(under(prefix, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Ext(r.URL.Path) == ".wasm" {
			select {
			case <-held:
			case <-r.Context().Done():
				return
			}
		}
		built.handler.ServeHTTP(w, r)
	})))
	t.Cleanup(server.Close)
	return server.URL + prefix, func() { close(held) }
}

// place is where an element is in the window.
type place struct{ Left, Top, Right, Bottom float64 }

func (p *tab) place(selector string) place {
	p.t.Helper()
	return eval[place](p, fmt.Sprintf(`(({ left, top, right, bottom }) => ({ left, top, right, bottom }))(document.querySelector(%s).getBoundingClientRect())`, quote(selector)))
}

// within says how much of a place another one covers.
func (a place) within(b place) float64 {
	w, h := min(a.Right, b.Right)-max(a.Left, b.Left), min(a.Bottom, b.Bottom)-max(a.Top, b.Top)
	return max(0, w) * max(0, h) / ((a.Right - a.Left) * (a.Bottom - a.Top))
}

// lookCalm asks for less motion: a run that plays moves marks over the chart, which counts as a shift although nothing jumps.
func (p *tab) lookCalm(theme string) {
	p.t.Helper()
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
}

// shownText is what can be seen of the loader before the program is there.
const shownText = `document.getElementById("loader").innerText`

// TestArrives: the page stands there while the program is on its way, and is the largest that is seen. Then the program takes over, and nothing
// jumps; TestHandOver compares the pictures.
func TestArrives(t *testing.T) {
	for _, s := range []size{{"desktop", 1440, 789, false}, {"phone", 390, 844, true}, {"wide", 1920, 1000, false}} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(s.name+" "+theme, func(t *testing.T) {
				base, release := holding(t)
				p := start(t)
				p.look(s, theme)
				p.lookCalm(theme)
				p.before(watchVitals)
				p.visit(base)
				p.wait("the page", `"drawn" in document.querySelector(".arrive-page").dataset`)
				if n := eval[int](p, `document.querySelectorAll("#loader .page").length`); n != 1 {
					t.Errorf("there are %d pages", n)
				}
				if bar := p.place("#loader-bar"); bar.Bottom > float64(s.height) || bar.Right <= bar.Left {
					t.Errorf("the progress is at %v", bar)
				}
				p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-"+theme+"-page.png"))
				figure := p.place("#loader .chart")
				release()
				p.waitStarted()
				p.wait("the chart", `rollplay.state().done && document.querySelector(".chart canvas")`)
				p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-"+theme+"-program.png"))
				if chart := p.place(`.stage .chart`); chart != figure {
					t.Errorf("the chart of the page was at %v, that of the program is at %v", figure, chart)
				}
				if v := p.arrived(); v.CLS > 0 {
					t.Errorf("the layout shifts by %.4f: %q", v.CLS, v.Moved)
				}
			})
		}
	}
}

// TestArrivesAtALink: nobody knows yet what a link shows, so its frame is empty. The first scenario has its page in the language of the
// link, and a visitor who comes back gets what was left, not the first scenario.
func TestArrivesAtALink(t *testing.T) {
	t.Parallel()
	base, release := holding(t)
	p := start(t)
	p.look(desktop, "light")
	const page = `Boolean(document.querySelector("#loader .page"))`
	for _, fragment := range []string{"#s=drain", "#s=first-rollout&lang=en&x=1", "#1.rAAAA"} {
		p.visit(base + "?" + fragment) // a page of its own for each
		p.wait("the words", shownText+`.includes("Loading 0%")`)
		if eval[bool](p, page) {
			t.Errorf("%s: it shows the first scenario", fragment)
		}
		p.do("leave", chromedp.Navigate("about:blank"))
	}
	p.visit(base + "#s=first-rollout&lang=zh")
	p.wait("the page in Chinese", `document.querySelector("#loader .page .title").textContent === "第一次滚动更新"`)
	release()
	p.waitStarted()
	p.wait("the run", `rollplay.state().done`)
	p.do("leave", chromedp.Navigate("about:blank"))
	p.visit(base)
	p.waitStarted()
	if kept := eval[bool](p, `localStorage.getItem("rollplay/session") !== null`); kept == eval[bool](p, `"first" in document.documentElement.dataset`) {
		t.Errorf("a session is kept: %v, and the first scenario is shown: %v", kept, !kept)
	}
}

// TestStandsStill: the pages for reading do not move while they come.
func TestStandsStill(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"s/drain/", "scenarios/", "authors/"} {
		for _, s := range []size{{"desktop", 1440, 789, false}, {"phone", 390, 844, true}} {
			t.Run(name+" "+s.name, func(t *testing.T) {
				t.Parallel()
				p := start(t)
				p.look(s, "light")
				p.before(watchVitals)
				p.visit(built.base + name)
				p.wait("all of it", `document.readyState === "complete"`)
				if name == "authors/" {
					p.wait("the embed", `document.querySelector("rollplay-embed").frame?.contentDocument?.readyState === "complete"`)
				}
				eval[bool](p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
				if v := p.arrived(); v.CLS >= .02 {
					t.Errorf("it shifts by %.3f: %q", v.CLS, v.Moved)
				}
			})
		}
	}
}

// TestArriveMeasure measures the pages as Lighthouse's default does: a slow phone on Slow 4G. Run it with ROLLPLAY_MEASURE=1; with ROLLPLAY_SITE
// it measures a built site.
func TestArriveMeasure(t *testing.T) {
	if os.Getenv("ROLLPLAY_MEASURE") == "" {
		t.Skip("it only measures")
	}
	for _, name := range []string{"", "#s=drain", "s/drain/", "scenarios/", "authors/"} {
		p := startSlowPhone(t)
		p.before(`window.stands = 0; (function look() {
			if ("drawn" in (document.querySelector(".arrive-page")?.dataset ?? {})) stands = performance.now();
			else if (performance.now() < 20000) requestAnimationFrame(look);
		})()`)
		p.visit(built.base + name)
		chart := 0.0
		if name == "" || strings.HasPrefix(name, "#") {
			p.wait("the chart", `document.getElementById("loader").hidden && document.querySelector(".chart canvas") && rollplay.state()?.records > 0`)
			chart = eval[float64](p, `performance.now()`)
		}
		p.wait("all of it", `document.readyState === "complete" && vitals.fcp`)
		v := p.arrived()
		t.Logf("%-12q FCP %5.0f ms  LCP %5.0f ms  CLS %.3f  plays %6.0f ms  program %6.0f ms  largest %s  moved %q", name, v.FCP, v.LCP, v.CLS, eval[float64](p, "stands"), chart, v.What, v.Moved)
		p.do("leave", chromedp.Navigate("about:blank")) // its program would run beside the next page
	}
}

// startSlowPhone opens an empty page on the phone of Lighthouse's default.
func startSlowPhone(t *testing.T) *tab {
	p := start(t)
	p.look(size{"phone", 412, 823, true}, "light")
	p.before(watchVitals)
	call(p, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
	call(p, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{
		{Latency: 150, DownloadThroughput: 1.6e6 / 8, UploadThroughput: 750e3 / 8},
	}})
	return p
}

// TestEmbedMeasure measures on that phone how long it takes from the touch of an embed's button until something moves.
func TestEmbedMeasure(t *testing.T) {
	if os.Getenv("ROLLPLAY_MEASURE") == "" {
		t.Skip("it only measures")
	}
	for _, name := range []string{"drain", "first-rollout", "recreate"} {
		p := startSlowPhone(t)
		p.visit(built.base + "embed/#s=" + name)
		p.wait("the button", there("#start")+".checkVisibility()")
		t.Logf("%-14s %4.0f ms", name, eval[float64](p, `new Promise((done) => {
			const button = document.getElementById("start"), since = performance.now();
			const look = () => (document.querySelector(".player-picture")?.shadowRoot.querySelector(".lid") && `+playerCover+` > 0 ? done(performance.now() - since) : requestAnimationFrame(look));
			button.dispatchEvent(new Event("pointerenter"));
			button.click();
			look();
		})`))
		p.do("leave", chromedp.Navigate("about:blank")) // its program would run beside the next one
	}
}

// TestLoadsOnDemand: what most first visits never use is loaded when somebody opens it.
func TestLoadsOnDemand(t *testing.T) {
	t.Parallel()
	p := open(t, phone, "light", "")
	p.toEnd()
	loaded := func() []string {
		return eval[[]string](p, `performance.getEntriesByType("resource").map((e) => e.name.match(/(editor|qr)-\w+\.js/)?.[1]).filter(Boolean)`)
	}
	if names := loaded(); len(names) > 0 {
		t.Errorf("a visit that opens nothing loads %v", names)
	}
	p.openEditor()
	if names := loaded(); !slices.Equal(names, []string{"editor"}) {
		t.Errorf("with an open editor the page has loaded %v", names)
	}
}
