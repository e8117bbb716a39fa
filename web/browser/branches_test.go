package browser_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
)

// chips are the names in the strip under the scrubber, the shown one with a star.
const chips = `[...document.querySelectorAll('[data-act="branch"]')].map((b) => b.innerText.trim() + (b.ariaChecked === "true" ? "*" : "")).join(" | ")`

// TestBranches: an act in the past begins a branch, the old future stays as a ghost, and the strip switches by click and keys.
func TestBranches(t *testing.T) {
	t.Parallel()
	p := open(t, windows[0], "light", "#s=first-rollout")
	p.toEnd()
	p.wait("no strip while there is one branch", `!`+element("branches"))
	p.seek(9_000)
	p.fill("surge-input", "0")
	p.keys(kb.Enter)
	p.waitState("s.commands === 1 && s.done")
	p.wait("two branches", chips+` === "as written | maxSurge 0*"`)
	p.until("the ghost of the old future", `rollplay.chartOption().then((o) => o.series.some((s) => s.id === "ghost:available" && s.data.length > 4))`)
	p.wait("where they part", element("parting"))
	p.seek(12_000)
	for _, s := range windows[:2] {
		for _, theme := range []string{"light", "dark"} {
			p.look(s, theme)
			p.wait("the window to be drawn", fmt.Sprintf("innerWidth === %d", s.width))
			p.checkLayout()
			p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-"+theme+"-ghost.png"))
		}
	}
	p.look(windows[0], "light")
	p.clickOn("the first branch", `document.querySelector('[data-act="branch"]')`)
	p.waitState("s.commands === 0 && s.done")
	p.wait("the first branch to be shown", chips+` === "as written* | maxSurge 0"`)
	p.keys(kb.ArrowRight)
	p.waitState("s.commands === 1 && s.done")
	p.wait("the focus to stay in the strip", chips+` === "as written | maxSurge 0*" && document.activeElement.ariaChecked === "true"`)

	p.openTab("timeline")
	p.wait("figures of both", `[...document.querySelectorAll('[data-act="branch-figures"]')].every((f) => / s, lowest \d+ of 10, no outage$/.test(f.innerText))`)
	p.fill("branch-name", "the plan")
	p.keys(kb.Enter)
	p.wait("the new name", chips+` === "the plan | maxSurge 0*"`)
	p.checkLayout()
	p.screenshot(filepath.Join(t.ArtifactDir(), "history.png"))
	p.click("branch-delete")
	p.wait("no strip", `!`+element("branches"))
	p.click("undo")
	p.wait("the branch again", chips+` === "the plan | maxSurge 0*"`)
}

// compareRows are the figures that the page shows, row by row.
const compareRows = `[...document.querySelectorAll('[data-act="compare-table"] tbody tr')].map((r) => [...r.cells].map((c) => c.innerText))`

// figuresOf computes a row from a fresh run, with engine/forecast alone.
func figuresOf(t *testing.T, name string, rec engine.Recording) []string {
	t.Helper()
	run, diags := engine.Start(rec)
	if run == nil {
		t.Fatal(diags)
	}
	workload := run.Finish().Workloads()[0]
	of := forecast.New(run.Past())
	all, _ := of.Overall(workload)
	took := int64(0)
	for _, r := range of.Rollouts(workload) {
		if r.Cause != forecast.Created {
			took += r.Duration()
		}
	}
	seconds := func(ms int64) string { return fmt.Sprintf("%d.%d", (ms+50)/1000, (ms+50)/100%10) }
	return []string{name, seconds(took) + " s", fmt.Sprintf("%d of %d", all.Lowest, all.LowestOf), fmt.Sprint(all.PeakPods), seconds(all.ExtraPodMs), seconds(all.AtZero) + " s"}
}

// TestCompare: the figures of two branches are those of engine/forecast, the first decision that differs is named, and one link
// opens both, in the playground and in an embed.
func TestCompare(t *testing.T) {
	t.Parallel()
	p := open(t, windows[0], "light", "#s=first-rollout")
	p.toEnd()
	p.seek(9_000)
	p.fill("surge-input", "0")
	p.keys(kb.Enter)
	p.waitState("s.commands === 1 && s.done")
	p.wait("the link of the branch", `location.hash.startsWith("#1.")`)
	alone := p.hash()
	p.click("branch-compare")
	p.waitState("s.comparing")
	p.wait("the link of both", "location.hash !== "+quote(alone))
	check := func(p *tab) {
		t.Helper()
		p.wait("the rows", compareRows+".length === 3")
		rows := eval[[][]string](p, compareRows)
		l, err := link.Decode(eval[string](p, "location.hash"), scenarios.Text)
		if err != nil || l.Other.Scenario == "" {
			t.Fatalf("the address holds no comparison: %v", err)
		}
		for i, want := range [][]string{figuresOf(t, "maxSurge 0", l.Recording), figuresOf(t, "as written", l.Other)} {
			if got := rows[i][:6]; strings.Join(got, "; ") != strings.Join(want, "; ") {
				t.Errorf("row %d is %q, want %q", i, got, want)
			}
		}
		if d := rows[2]; d[2] != "0" || d[3] != "−3" && !strings.HasPrefix(d[3], "−") || !strings.HasPrefix(d[1], "+") {
			t.Errorf("the difference is %q", d)
		}
	}
	check(p)
	p.waitText("parting-text", "They part at 00:09.")
	here, there := p.text("decision-here"), p.text("decision-there")
	if !strings.Contains(here, "deployment-controller") || here == there {
		t.Errorf("the decisions are %q and %q", here, there)
	}
	p.click("parting-goto")
	p.waitState("s.t >= 9000 && s.t < 10100 && !s.playing")
	p.wait("both counts in the legend", `/^\d+ \(\d+\)$/.test(document.querySelector('[data-series="available"] .legend-value').textContent)`)
	for _, s := range []size{windows[0], windows[1], phone} {
		for _, theme := range []string{"light", "dark"} {
			p.look(s, theme)
			p.wait("the window to be drawn", fmt.Sprintf("innerWidth === %d", s.width))
			p.checkLayout()
			p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-"+theme+"-compare.png"))
		}
	}
	p.look(windows[0], "light")
	fragment := eval[string](p, "location.hash")
	p = open(t, windows[0], "light", fragment)
	p.waitState("s.done && s.comparing && s.commands === 1")
	check(p)
	p.click("compare-close")
	p.waitState("!s.comparing")
	p.wait("no panel", "!"+element("comparison"))
}

// edgeAt is the size that an edge says.
type edgeAt struct{ Now, Most float64 }

func (p *tab) edge(name string) edgeAt {
	p.t.Helper()
	return eval[edgeAt](p, `(() => { const e = document.querySelector('[data-edge="`+name+`"]');
		return { Now: Number(e.ariaValueNow), Most: Number(e.ariaValueMax) }; })()`)
}

// width is how wide or high a pane is on the screen.
func (p *tab) paneSize(name string) float64 {
	p.t.Helper()
	if name == "tabs" {
		return eval[float64](p, `innerHeight - document.querySelector(".stage > .bar").getBoundingClientRect().bottom`)
	}
	return eval[float64](p, `document.getElementById("pane-`+name+`").offsetWidth`)
}

// TestPaneEdges: keys and the mouse move the edges of drawers and tabs, Enter maximizes, a double click resets, and the browser
// remembers it.
func TestPaneEdges(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "#s=first-rollout")
	p.toEnd()
	p.click("pane-code")
	p.wait("the drawer", `!document.getElementById("pane-code").hidden`)
	for _, e := range []struct{ name, more string }{{"code", kb.ArrowRight}, {"tabs", kb.ArrowUp}} {
		focus := `document.querySelector('[data-edge="` + e.name + `"]').focus({ preventScroll: true })`
		eval[bool](p, "("+focus+", true)")
		t0 := p.state().T
		first := p.paneSize(e.name)
		p.keys(kb.Home)
		least := p.paneSize(e.name)
		p.keys(e.more)
		p.keys(e.more)
		if got := p.paneSize(e.name); got < least+47 || got > least+49 {
			t.Errorf("%s: two steps lead from %v to %v, want 48 more", e.name, least, got)
		}
		if at := p.edge(e.name); at.Now < least+47 || at.Now > least+49 {
			t.Errorf("%s: aria-valuenow is %v", e.name, at.Now)
		}
		p.keys(kb.Enter)
		if at, got := p.edge(e.name), p.paneSize(e.name); at.Most-got > 1.5 || got < 500 {
			t.Errorf("%s: maximized it has %v of %v", e.name, got, at.Most)
		}
		p.screenshot(filepath.Join(t.ArtifactDir(), e.name+"-maximized.png"))
		p.keys(kb.Enter)
		if got := p.paneSize(e.name); got < least+47 || got > least+49 {
			t.Errorf("%s: restored it has %v", e.name, got)
		}
		p.click("max-" + e.name)
		if at, got := p.edge(e.name), p.paneSize(e.name); at.Most-got > 1.5 {
			t.Errorf("%s: maximized with the mouse it has %v of %v", e.name, got, at.Most)
		}
		p.click("max-" + e.name)
		if got := p.paneSize(e.name); got < least+47 || got > least+49 {
			t.Errorf("%s: restored with the mouse it has %v", e.name, got)
		}
		if p.state().T != t0 {
			t.Errorf("%s: the keys of the edge moved the cursor", e.name)
		}
		at := p.hold(middle("the edge of "+e.name, `document.querySelector('[data-edge="`+e.name+`"]')`))
		p.drag(at.X+40, at.Y-40)
		p.drag(at.X+100, at.Y-100)
		p.mouse(input.DispatchMouseEventTypeMouseReleased, at.X+100, at.Y-100)
		if got := p.paneSize(e.name); got < least+146 || got > least+150 {
			t.Errorf("%s: dragged by 100 it has %v, had %v", e.name, got, least+48)
		}
		if e.name == "code" {
			p.do("reload", chromedp.Reload())
			p.waitStarted()
			p.waitComputed()
			if got := p.paneSize(e.name); got < least+146 || got > least+150 {
				t.Errorf("%s: after a reload it has %v", e.name, got)
			}
		}
		eval[bool](p, `document.querySelector('[data-edge="`+e.name+`"]').dispatchEvent(new MouseEvent("dblclick", { bubbles: true }))`)
		if got := p.paneSize(e.name); e.name == "code" && got != first {
			t.Errorf("%s: reset it has %v, want %v", e.name, got, first)
		}
		var kept map[string]int
		if err := json.Unmarshal([]byte(eval[string](p, `localStorage.getItem("rollplay/sizes")`)), &kept); err != nil || kept[e.name] != 0 {
			t.Errorf("%s: the browser keeps %v, %v", e.name, kept, err)
		}
	}
}

// TestPresenter: a key opens the presenter's view, the arrows go through the captions, the link is there, and Escape leaves.
func TestPresenter(t *testing.T) {
	t.Parallel()
	p := open(t, windows[0], "light", "#s=first-rollout")
	p.toEnd()
	p.toStart()
	p.keys("p")
	p.wait("the view", element("presenter"))
	p.wait("no chrome", `![".header", ".bar", ".tabs", ".controls", ".lesson"].some((s) => document.querySelector(s).checkVisibility())`)
	p.keys(kb.ArrowRight)
	p.keys(kb.ArrowRight)
	sc := shipped(t, "first-rollout").Captions
	p.waitText("present-text", sc[1].Text.En)
	p.waitState(fmt.Sprintf("s.t === %d", sc[1].At))
	p.keys(kb.ArrowLeft)
	p.waitText("present-text", sc[0].Text.En)
	if got := p.text("present-url"); !strings.HasSuffix(got, "#s=first-rollout") {
		t.Errorf("the link is %q", got)
	}
	p.wait("the code", element("present-qr")+".querySelector('svg path')")
	for _, s := range []size{windows[0], windows[1], phone} {
		for _, theme := range []string{"light", "dark"} {
			p.look(s, theme)
			p.wait("the window to be drawn", fmt.Sprintf("innerWidth === %d", s.width))
			p.checkLayout()
			p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-"+theme+"-present.png"))
		}
	}
	p.look(windows[0], "light")
	p.keys(kb.Escape)
	p.wait("the page again", `!`+element("presenter")+` && document.querySelector(".header").checkVisibility()`)
	p.keys("?")
	p.clickOn("present", element("help-present"))
	p.wait("the view by the help", element("presenter")+` && !document.querySelector("dialog[open]")`)
	p.click("present-leave")
	p.wait("the page again", `!`+element("presenter"))
}

// TestPresenterOnAPhone: the lines of a long verdict do not lie over each other, and none is cut.
func TestPresenterOnAPhone(t *testing.T) {
	t.Parallel()
	p := open(t, phone, "light", "#s=bad-image")
	p.seek(30_000)
	p.keys("p")
	p.wait("the view", element("presenter"))
	type lines struct{ Text, Letters, Line, Cut float64 }
	got := eval[lines](p, `(() => {
		const el = document.querySelector(".status-what"), style = getComputedStyle(el);
		return { text: el.innerText.length, letters: parseFloat(style.fontSize), line: parseFloat(style.lineHeight), cut: el.scrollHeight - el.clientHeight };
	})()`)
	if got.Text < 48 || got.Line < got.Letters || got.Cut > 0 {
		t.Errorf("the verdict has %+v", got)
	}
}

// TestEmbedOfAComparison: a link of two branches shows both in the strictest frame.
func TestEmbedOfAComparison(t *testing.T) {
	t.Parallel()
	text := scenarios.Text("first-rollout")
	surge := engine.Command{At: 9001, Run: `kubectl patch deployment/nginx-deployment -p '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":0}}}}'`}
	fragment, err := link.Encode(link.Link{Preset: "first-rollout", Recording: engine.Recording{Scenario: text, Commands: []engine.Command{surge}}, Other: engine.Recording{Scenario: text}})
	if err != nil {
		t.Fatal(err)
	}
	w := newWeb(t, map[string]string{"/": iframe("allow-scripts", "", "#"+fragment)})
	p := w.read("/")
	p.heard("m.type === 'ready'")
	f := p.frame(0)
	f.press(`document.getElementById("start")`)
	f.waitStarted()
	f.wait("the figures of both", compareRows+`.length === 3`)
	rows := eval[[][]string](f, compareRows)
	for i, want := range [][]string{figuresOf(t, "maxSurge 0", engine.Recording{Scenario: text, Commands: []engine.Command{surge}}), figuresOf(t, "as written", engine.Recording{Scenario: text})} {
		if got := rows[i][:6]; strings.Join(got, "; ") != strings.Join(want, "; ") {
			t.Errorf("row %d is %q, want %q", i, got, want)
		}
	}
	f.series("the ghost of the other", ghosts)
	p.screenshot(filepath.Join(t.ArtifactDir(), "embed.png"))
}
