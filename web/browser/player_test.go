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

// early is an element of the page that stands there until the program comes.
func early(name string) string {
	return `document.querySelector('.arrive-page [data-act="` + name + `"]')`
}

// TestPlayerBeforeTheProgram: while the program is on its way the page plays and can be paused, and what was pressed that needs the program is
// done when it is there.
func TestPlayerBeforeTheProgram(t *testing.T) {
	t.Parallel()
	for _, s := range []size{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			base, release := holding(t)
			p := start(t)
			p.look(s, "light")
			p.visit(base)
			p.wait("the page", arrivedPage)
			p.press(early("play"))
			p.wait("the question", early("bet-guess")+` && `+early("time")+`.textContent.startsWith("00:10.000")`)
			p.wait("the caption to be told", `document.getElementById("loader-said").textContent.startsWith("The new image arrives.")`)
			p.press(early("play"))
			p.wait("the next caption", early("time")+`.textContent.startsWith("00:10.100")`)
			p.press(early("share"))
			p.wait("a sign that it is heard", early("share")+`.ariaBusy === "true"`)
			at := eval[string](p, early("time")+`.querySelector("b").textContent`)
			release()
			p.waitStarted()
			p.wait("the program at the moment of the page", `!document.querySelector(".arrive-page") && `+element("time")+`.textContent.startsWith(`+quote(at)+`) && !rollplay.state().playing`)
			p.wait("what was pressed", `document.getElementById("share")?.open`)
		})
	}
}

// TestPlayerStands: for people who ask for less motion nothing moves by itself. The page stands at the first caption, and a press is a step to
// the next one.
func TestPlayerStands(t *testing.T) {
	t.Parallel()
	base, release := holding(t)
	p := start(t)
	p.lookCalm("light")
	p.before(noteDrawn)
	p.visit(base)
	p.wait("the page", `"drawn" in document.querySelector(".arrive-page").dataset`)
	if at := eval[string](p, early("time")+`.textContent`); !strings.HasPrefix(at, "00:05.000") {
		t.Errorf("the page begins at %s", at)
	}
	p.press(early("play"))
	p.wait("the next caption", early("time")+`.textContent.startsWith("00:10.000")`)
	release()
	p.waitStarted()
	p.waitState("s.t === 10000 && !s.playing")
}

// TestReadingPagePlays: the page of a lesson plays its picture in place, without any part of the program.
func TestReadingPagePlays(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
