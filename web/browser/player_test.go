package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
)

// The bar of a player and what it shows. The cover of the picture is at the moment of the cursor.
const (
	playerToggle = `document.querySelector('[data-play="play"], [data-play="pause"]')`
	playerScrub  = `document.querySelector(".player-bar input")`
	playerText   = playerScrub + `.getAttribute("aria-valuetext")`
	playerCover  = `new DOMMatrix(getComputedStyle(document.querySelector(".player-picture").shadowRoot.querySelector(".lid")).transform).e`
)

// there is the first element of a selector.
func there(selector string) string { return fmt.Sprintf("document.querySelector(%s)", quote(selector)) }

// scrubTo moves the scrubber of a player, as a drag does.
func (p *tab) scrubTo(t int) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`((scrub) => { scrub.value = %d; return scrub.dispatchEvent(new Event("input", { bubbles: true })); })(%s)`, t, playerScrub))
}

// TestPlayerBeforeTheProgram: while the program is on its way its picture plays, can be paused and scrubbed, and says its counts; the
// program continues at the moment where somebody has left it.
func TestPlayerBeforeTheProgram(t *testing.T) {
	for _, s := range []size{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			base, release := holding(t)
			p := start(t)
			p.look(s, "light")
			p.before(watchVitals)
			p.visit(base)
			p.wait("the player", there(`[data-play="pause"]`))
			from := eval[float64](p, playerCover)
			p.wait("the motion", fmt.Sprintf("%s > %g", playerCover, from))
			p.press(playerToggle)
			p.scrubTo(12_000)
			if got := eval[string](p, playerText); got != "12.0 s: 13 pods, 8 available" {
				t.Errorf("at 12 s it says %q", got)
			}
			late := eval[float64](p, playerCover)
			p.scrubTo(11_000)
			if early := eval[float64](p, playerCover); early >= late {
				t.Errorf("the cover is at %g for 11 s and at %g for 12 s", early, late)
			}
			p.screenshot(t.ArtifactDir() + "/player.png")
			release()
			p.waitStarted()
			p.wait("the program at the moment of the player", `Math.abs(rollplay.state().t - 11000) <= 10 && !rollplay.state().playing`)
			if v := p.arrived(); v.CLS >= .25 { // the moment shows a lesson's card and more pods; more is what browsers call poor
				t.Errorf("the layout shifts by %.3f: %q", v.CLS, v.Moved)
			}
		})
	}
}

// TestPlayerStands: for people who ask for less motion nothing moves by itself, and a press is a step to the next caption.
func TestPlayerStands(t *testing.T) {
	base, release := holding(t)
	defer release()
	p := start(t)
	p.lookCalm("light")
	p.visit(base)
	p.wait("the player", there(`[data-play="play"]`))
	eval[bool](p, `(window.drawn = 0, requestAnimationFrame(() => requestAnimationFrame(() => { drawn++; })), true)`)
	p.wait("two frames", "drawn === 1")
	first := eval[string](p, playerScrub+".value")
	if now := eval[string](p, playerScrub+".value"); now != first {
		t.Errorf("the player has moved from %s to %s", first, now)
	}
	p.press(playerToggle)
	p.wait("the next caption", playerScrub+".value !== "+quote(first)+` && document.querySelector(".player-said").textContent !== ""`)
}

// TestReadingPagePlays: the page of a lesson plays its picture in place, without any part of the program.
func TestReadingPagePlays(t *testing.T) {
	if built.browser == "" {
		t.Skip("no Chromium found")
	}
	var asked []string
	server := httptest.NewServer(under(prefix, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, path.Base(r.URL.Path))
		built.handler.ServeHTTP(w, r)
	})))
	t.Cleanup(server.Close)
	p := start(t)
	p.look(phone, "dark")
	p.visit(server.URL + prefix + "s/rounding/zh/")
	p.click("play-here")
	p.wait("the motion", there(`[data-play="pause"]`)+" && "+playerCover+" > 1")
	p.press(`document.querySelector('[data-play="after"]')`)
	p.wait("a caption in Chinese", `/\p{Script=Han}/u.test(document.querySelector(".player-said").textContent)`)
	if text := eval[string](p, playerText); !strings.Contains(text, "可用") {
		t.Errorf("the scrubber says %q", text)
	}
	if focus := eval[bool](p, `document.querySelector(".player-bar").contains(document.activeElement)`); !focus {
		t.Error("the focus is lost")
	}
	for _, name := range asked {
		if strings.HasSuffix(name, ".wasm") || strings.HasPrefix(name, "boot") {
			t.Errorf("it asked for %s", name)
		}
	}
}

// motionsAsked is how many pictures in motion the page has asked for.
const motionsAsked = `performance.getEntriesByType("resource").filter((e) => e.name.includes("/motions/")).length`

// TestEmbedMovesAtOnce: the picture comes when somebody is about to press. after the click on an embed its picture plays while the program is on its way, and the program continues there.
func TestEmbedMovesAtOnce(t *testing.T) {
	base, release := holding(t)
	p := start(t)
	p.look(desktop, "light")
	p.visit(base + "embed/#s=recreate")
	p.wait("the button", there("#start")+".checkVisibility()")
	eval[bool](p, there("#start")+`.dispatchEvent(new Event("pointerenter"))`)
	p.wait("the picture before the click", motionsAsked+" === 1")
	p.press(`document.getElementById("start")`)
	p.wait("the motion", there(`[data-play="pause"]`)+" && "+playerCover+" > 1")
	p.press(playerToggle)
	p.scrubTo(11_500)
	if n := eval[int](p, motionsAsked); n != 1 {
		t.Errorf("the picture was asked for %d times", n)
	}
	p.screenshot(t.ArtifactDir() + "/embed.png")
	release()
	p.waitStarted()
	p.wait("the program at the moment of the player", `Math.abs(rollplay.state().t - 11500) <= 10 && !rollplay.state().playing`)
}
