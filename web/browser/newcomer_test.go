package browser_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// controlsInSight lists what can be pressed or typed into without scrolling: buttons, links and fields, but not pods.
const controlsInSight = `[...document.querySelectorAll("button, a[href], input, select, textarea, summary")].filter((el) => {
	if (el.closest(".pod-tiles, .skip, .cm-editor") || !el.checkVisibility({ visibilityProperty: true })) return false;
	const r = el.getBoundingClientRect(), x = r.left + r.width / 2, y = r.top + r.height / 2;
	if (r.width < 2 || r.height < 2 || x <= 0 || x >= innerWidth || y <= 0 || y >= innerHeight) return false;
	const top = document.elementFromPoint(x, y);
	return top !== null && (el.contains(top) || top.contains(el) || Boolean(top.closest("label")?.contains(el)));
}).map((el) => el.dataset.act || el.className || el.textContent.trim())`

// five are the sizes at which a newcomer arrives.
var five = []size{windows[0], windows[1], windows[4], windows[5], windows[6]}

// TestFewControls: on arrival there is little to choose from, the plot has almost half of the window, and the verdict stands above it.
func TestFewControls(t *testing.T) {
	t.Parallel()
	for _, s := range five {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, s, "light", "")
			p.waitComputed()
			p.waitState("!s.playing")
			all := eval[[]string](p, controlsInSight)
			t.Logf("%d controls", len(all))
			if len(all) > 36 || len(all) < 15 {
				t.Errorf("%d controls are in sight: %q", len(all), all)
			}
			if part := eval[float64](p, `document.querySelector(".plot").clientHeight / (innerHeight - document.querySelector(".header").getBoundingClientRect().bottom)`); !s.phone && part < .45 {
				t.Errorf("the plot has %.3f of the height", part)
			}
			p.checkLayout()
			for _, complaint := range eval[[]string](p, fmt.Sprintf("%s(%v)", lookForOverlaps, !s.phone)) {
				t.Error(complaint)
			}
			if order := eval[[]float64](p, `[".header", ".status-line", ".plot", ".pod-view", ".transport", ".stage > .controls", ".bar"].map((s) => document.querySelector(s).getBoundingClientRect().top)`); !rising(order) {
				t.Errorf("from the header to the tabs the regions are at %v", order)
			}
			p.screenshot(filepath.Join(t.ArtifactDir(), s.name+".png"))
		})
	}
}

func rising(list []float64) bool {
	for i := 1; i < len(list); i++ {
		if list[i] < list[i-1] {
			return false
		}
	}
	return true
}

// moves notes where the run is and what the chart shows, to tell whether an action does something that can be seen.
const moves = `JSON.stringify([rollplay.state().t, rollplay.state().runs, document.querySelector(".cursor-line").style.translate, document.querySelector('[data-act="verdict"]').textContent])`

// pressed does what a newcomer does, and checks that something moves within a second: 60 frames, which a busy machine draws more slowly.
func (p *tab) pressed(what string, do func()) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		const was = %s;
		window.movedAfter = 0;
		const look = (frames) => { if (%[1]s !== was) window.movedAfter = frames + 1; else requestAnimationFrame(() => look(window.pressedOnce ? frames + 1 : 0)); };
		window.pressedOnce = false;
		addEventListener("click", () => { window.pressedOnce = true; }, { capture: true, once: true });
		look(0);
		return true;
	})()`, moves))
	do()
	p.wait(what+" to move something", `window.movedAfter > 0`)
	if frames := eval[int](p, `window.movedAfter`); frames > 60 {
		p.t.Errorf("%s: nothing moves for %d frames", what, frames)
	}
}

// waitVerdict waits until the verdict at the cursor is drawn, with all that belongs to it.
func (p *tab) waitVerdict() {
	p.t.Helper()
	p.wait("the verdict", `window.verdictDrawn`)
}

// checkVerdict compares the verdict at the end with the engine's diagnosis, which the card has in full, and looks for cause and fix.
func (p *tab) checkVerdict(what string) {
	p.t.Helper()
	p.waitVerdict()
	at := eval[struct{ State, Card, Verdict, Cause, Finding, Fix string }](p, `({
		State: document.querySelector(".status-line").dataset.state, Card: document.querySelector(".diagnosis").dataset.state,
		Verdict: document.querySelector('[data-act="verdict"]').textContent, Cause: document.querySelector('[data-act="cause"]').textContent,
		Finding: document.querySelector(".findings .finding p")?.textContent ?? "", Fix: document.querySelector(".findings .fix code")?.textContent ?? "",
	})`)
	if at.State != at.Card && at.State != "down" {
		p.t.Errorf("%s: the verdict is %s, the diagnosis %s", what, at.State, at.Card)
	}
	if at.Finding == "" {
		return
	}
	if !strings.Contains(at.Cause, strings.Fields(at.Finding)[0]) || at.Verdict == "" {
		p.t.Errorf("%s: the verdict %q gives the cause %q, the diagnosis %q", what, at.Verdict, at.Cause, at.Finding)
	}
	eval[bool](p, `(scrollTo(0, 0), true)`)
	for _, name := range []string{"verdict", "cause"} {
		if !eval[bool](p, inSight(element(name))) {
			p.t.Errorf("%s: the %s is not in sight", what, name)
		}
	}
	if at.Fix != "" && !eval[bool](p, inSight(element("fix"))) {
		p.t.Errorf("%s: the fix is not in sight", what)
	}
}

// TestNewcomer presses what a newcomer presses, at five sizes: something moves at once, the verdict at the end is the engine's, cause and
// fix are in sight, and the fix works.
func TestNewcomer(t *testing.T) {
	t.Parallel()
	for _, s := range five {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, s, "light", "")
			p.waitComputed()
			p.waitState("!s.playing")
			p.pressed("watch", func() { p.click("start-show") })
			p = open(t, s, "light", "")
			p.waitComputed()
			p.pressed("break it", func() { p.click("start-break") })

			for _, press := range []struct {
				name string
				do   func()
			}{
				{"roll out", func() { p.click("set-image") }},
				{"more replicas", func() { p.click("scale-more") }},
				{"less surge", func() { p.click("surge-less") }},
			} {
				p.anew()
				p.pressed(press.name, press.do)
				p.waitState("s.commands === 1 && s.done")
				p.toEnd()
				p.checkVerdict(press.name)
			}
			p.breakAll()
		})
	}
}

// anew opens the first scenario without a command; another one comes between, because its address may be the one that there is.
func (p *tab) anew() {
	p.t.Helper()
	p.follow("#s=recreate")
	p.waitState(`s.workload !== "Deployment/default/nginx-deployment" && s.done`)
	p.follow("#s=first-rollout")
	p.waitState(`s.workload === "Deployment/default/nginx-deployment" && s.commands === 0 && s.done`)
}

// breakAll presses each way to break the first scenario.
func (p *tab) breakAll() {
	p.t.Helper()
	const ways = `[...document.querySelectorAll('[data-act="break-it"]')]`
	const well = `verdictDrawn && !["stuck", "down", "waiting"].includes(document.querySelector(".status-line").dataset.state)`
	fixed := 0
	for i := range eval[int](p, ways+".length") {
		p.anew()
		p.toEnd()
		name := eval[string](p, fmt.Sprintf(`%s[%d].firstElementChild.textContent`, ways, i))
		p.clickOn("the menu", element("break")+".querySelector('summary')")
		p.pressed(name, func() { p.clickOn(name, fmt.Sprintf(`%s[%d]`, ways, i)) })
		p.waitState("s.commands > 0 && s.done")
		p.toEnd()
		p.checkVerdict(name)
		if p.count(act("fix")) == 0 {
			p.wait(name+" to do no lasting harm, as it has no fix", well)
			continue
		}
		n := p.state().Commands
		p.click("fix")
		p.waitState(fmt.Sprintf("s.commands > %d && s.done", n))
		p.toEnd()
		p.wait(name+" to be fixed", well)
		fixed++
	}
	if fixed < 5 {
		p.t.Errorf("only %d ways have a fix", fixed)
	}
}

// TestAnActionShowsItself: a new image turns out as chosen, on the settled cluster; it plays, with the focus on Play, and the lesson does not
// speak of an edit. With less motion an action shows its end at once.
func TestAnActionShowsItself(t *testing.T) {
	t.Parallel()
	p := open(t, windows[0], "light", "")
	settled := p.waitComputed().End
	p.fill("image-input", "typo")
	eval[bool](p, fmt.Sprintf(`(%s.value = "outcome-pull", %[1]s.dispatchEvent(new Event("change", { bubbles: true })))`, element("outcome")))
	p.click("set-image")
	p.wait("Play to have the focus", `document.activeElement?.dataset.act === "play"`)
	p.waitState("s.commands === 1 && s.playing")
	if s := p.state(); s.T < settled {
		t.Errorf("it acts at %d, and the cluster settles at %d", s.T, settled)
	}
	p.waitState("s.done")
	p.toEnd()
	p.wait("the image that is missing", `document.querySelector('.finding[data-id="bad-image"]')`)
	if text := eval[string](p, `document.querySelector(".lesson")?.textContent ?? ""`); strings.Contains(text, "You edited") {
		t.Errorf("the lesson says %q", text)
	}

	calm := start(t)
	calm.look(windows[0], "light")
	calm.prefer("light")
	calm.before(noteDrawn)
	calm.visit(built.base)
	calm.waitStarted()
	calm.waitComputed()
	calm.click("scale-more")
	calm.waitState("s.commands === 1 && s.done && !s.playing && s.t === s.end")
}
