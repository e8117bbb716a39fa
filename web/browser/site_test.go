package browser_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/scenarios"
)

// arrive waits until the browser is at another URL.
func (p *tab) arrive(want string) {
	p.t.Helper()
	p.until(want, `document.readyState !== "loading" && location.href === `+quote(want))
}

// until waits until an expression is true, also while one page replaces another and evaluation fails.
func (p *tab) until(what, expr string) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); ; {
		if ok, err := tryEval[bool](p, `new Promise(requestAnimationFrame).then(() => `+expr+`)`); ok && err == nil {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("waited for %s%s", what, p.evidence())
		}
	}
}

// read opens a page that does not run the program.
func read(t *testing.T, s size, theme, path string) *tab {
	t.Helper()
	p := start(t)
	p.look(s, theme)
	p.visit(built.base + path)
	return p
}

// checkFits fails if the page is wider than the window, or loads a program. The gallery has a script that filters it, and a lesson has one
// that plays its picture.
func (p *tab) checkFits() {
	p.t.Helper()
	if wide := eval[float64](p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
		p.t.Errorf("the page is %v px wider than the window", wide)
	}
	if loaded := eval[string](p, `performance.getEntriesByType("resource").map((e) => e.name).filter((n) => /[.](js|wasm)$/.test(n) && !/[/](gallery|reading)-[A-Z2-7]+[.]js$/.test(n)).join()`); loaded != "" {
		p.t.Errorf("the page loads %s", loaded)
	}
}

// TestPreset: a scenario's page shows the poster of the theme, and leads into the playground.
func TestPreset(t *testing.T) {
	t.Parallel()
	for _, theme := range []string{"light", "dark"} {
		for _, s := range []size{desktop, phone} {
			t.Run(theme+" "+s.name, func(t *testing.T) {
				p := read(t, s, theme, "s/first-rollout/")
				p.wait("the poster to show", `document.images[0].complete && document.images[0].naturalWidth > 0`)
				if got, want := eval[string](p, `document.images[0].currentSrc`), built.base+"posters/first-rollout-"+theme+".svg"; got != want {
					t.Errorf("the poster is %s, want %s", got, want)
				}
				if got, want := eval[string](p, `document.querySelector("pre").textContent`), scenarios.Text("first-rollout"); got != want {
					t.Errorf("the scenario is %q", got)
				}
				p.checkFits()
				p.click("open-preset")
				p.arrive(built.base + "#s=first-rollout")
				p.waitStarted()
			})
		}
	}
}

// TestPresetNeedsNoScript: the page is complete without scripts.
func TestPresetNeedsNoScript(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.look(desktop, "light")
	p.visit(built.base + "s/recreate/")
	if n := p.count(`script:not([src*="reading-"])`); n != 0 { // the picture's player, which comes after all else
		t.Errorf("the page has %d other scripts", n)
	}
	for _, want := range []string{"Recreate, and its outage", "kind: Deployment", "All old pods are told to stop at once"} {
		if got := eval[string](p, `document.body.innerText`); !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// TestGallery: every scenario has a card, and a card leads to its page.
func TestGallery(t *testing.T) {
	t.Parallel()
	for _, theme := range []string{"light", "dark"} {
		for _, s := range []size{desktop, phone} {
			t.Run(theme+" "+s.name, func(t *testing.T) {
				p := read(t, s, theme, "scenarios/")
				if got, want := p.count(".gallery a"), len(scenarios.Names()); got != want {
					t.Errorf("there are %d cards, want %d", got, want)
				}
				eval[bool](p, `(document.querySelectorAll("details").forEach((e) => { e.open = true; }), true)`)
				for i, name := range scenarios.Names() {
					image := fmt.Sprintf("document.images[%d]", i)
					eval[bool](p, `(`+image+`.scrollIntoView({ behavior: "instant" }), true)`) // pictures come when they are near
					p.wait("the picture of "+name, image+`.complete && `+image+`.naturalWidth > 0`)
					if got, want := eval[string](p, image+`.currentSrc`), built.base+"thumbs/"+name+".svg"; got != want {
						t.Errorf("the picture is %s, want %s", got, want)
					}
				}
				p.checkFits()
				if !s.phone {
					p.look(windows[0], theme)
					eval[bool](p, `(document.querySelectorAll("details").forEach((e) => { e.open = false; }), true)`)
					if high := eval[float64](p, `document.documentElement.scrollHeight / innerHeight`); high > 4 {
						t.Errorf("the gallery is %.2f screens high", high)
					}
				}
				if first := eval[string](p, `document.querySelector(".gallery li").dataset.name + " " + document.querySelector(".gallery em").textContent`); first != scenarios.Chapters()[0].Lessons[0]+" Start here" {
					t.Errorf("the first card is %q", first)
				}
				for _, c := range scenarios.Chapters() {
					p.wait("a jump to "+c.ID, `document.querySelector(".jumps a[href='#`+c.ID+`']") && document.getElementById("`+c.ID+`")`)
				}
				p.clickOn("the second card", `document.querySelectorAll(".gallery strong")[1]`)
				p.arrive(built.base + "s/" + scenarios.Names()[1] + "/")
			})
		}
	}
}

// TestNotFound: a missing address at any depth shows a page that leads home.
func TestNotFound(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.look(desktop, "light")
	for _, path := range []string{"nothing", "s/no-such-scenario/", "a/b/c/d.html"} {
		p.visit(built.base + path)
		for _, c := range p.log.take() {
			if !strings.Contains(c, "404") || !strings.Contains(c, path) {
				t.Error(c)
			}
		}
		if got := eval[string](p, `getComputedStyle(document.querySelector(".button")).display`); got != "inline-block" {
			t.Errorf("%s: the page has no style", path)
		}
		p.clickOn("the way home", `document.querySelector(".button")`)
		p.arrive(built.base)
		p.waitStarted()
	}
}
