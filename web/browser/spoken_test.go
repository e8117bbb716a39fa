package browser_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestSpoken: what people hear who do not see the page. A grip says what its number means, the chart's text follows the cursor, a key reads
// the counts, the table marks the present row, and while a run plays only the status speaks of counts.
func TestSpoken(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "#s=first-rollout")
	p.waitComputed()
	p.pause()
	p.seek(13_000)
	for name, want := range map[string]string{"edge-maxSurge": "3: at most 13 pods", "edge-maxUnavailable": "2: at least 8 available"} {
		if got := eval[string](p, element(name)+`.getAttribute("aria-valuetext")`); got != want {
			t.Errorf("%s says %q, want %q", name, got, want)
		}
	}
	const counts = "13.0 s: 13 pods, 8 available, bounds 8 to 13"
	p.wait("the chart's text", `document.querySelector(".chart-host").getAttribute("aria-label").endsWith(`+quote(counts)+`)`)
	eval[bool](p, `(document.activeElement.blur(), true)`)
	p.keys("c")
	p.wait("the counts", element("status")+`.textContent.trim() === `+quote(counts))
	p.openTab("tables")
	eval[bool](p, "("+element("data-table")+".open = true)")
	p.wait("the present row", element("data-table")+`.querySelector('[aria-current="true"]')?.cells[0].textContent.startsWith("00:12")`)
	p.click("play")
	p.wait("the counts while it plays", element("status")+`.textContent.includes(" available") && !`+element("status")+`.textContent.startsWith("13.0 s") || !rollplay.state().playing`)
}

// TestFocusAfterAnswer: the focus goes to how an answer went, with keys alone.
func TestFocusAfterAnswer(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "#s=first-rollout")
	p.waitComputed()
	p.pause()
	p.seek(9_500)
	p.click("play")
	p.waitState("s.t === 10000 && !s.playing")
	p.wait("a question", element("bet")+`?.checkVisibility()`)
	p.wait("what the slider's number means", element("bet-guess")+`.getAttribute("aria-valuetext") === "10 pods"`)
	eval[bool](p, `(document.querySelector(".bet button, .bet input").focus(), true)`)
	p.keys(kb.ArrowRight)
	p.wait("an answer to give", element("bet-answer")+`?.disabled === false`)
	p.keys(kb.Tab)
	p.keys(kb.Enter)
	p.wait("the result with the focus", `document.activeElement.matches(".lesson-told") && document.activeElement.textContent !== ""`)
	if text := eval[string](p, `document.activeElement.textContent`); !strings.ContainsAny(text, "0123456789.") {
		t.Errorf("the result is %q", text)
	}
}

// noteSpeakers notes for each moment which live regions have changed their text: "status", "status verdict".
const noteSpeakers = `(() => {
	window.speakers = [];
	window.frames = (n, done) => requestAnimationFrame(() => (n ? frames(n - 1, done) : done()));
	let now = new Set();
	new MutationObserver((changes) => {
		for (const { target } of changes) {
			const region = (target instanceof Element ? target : target.parentElement)?.closest('[role="status"], [role="alert"], [aria-live]:not([aria-live="off"])');
			if (!region || !region.textContent || !region.checkVisibility()) continue;
			if (now.size === 0) frames(15, () => { speakers.push([...now].join(" ")); now = new Set(); });
			now.add(region.dataset.act || region.className || region.id);
		}
	}).observe(document, { subtree: true, childList: true, characterData: true });
})()`

// speaking plays to a caption, goes on, moves the cursor and changes the run, and returns who has spoken at each moment.
func (p *tab) speaking() []string {
	p.t.Helper()
	p.waitComputed()
	p.pause()
	p.seek(9_500)
	eval[bool](p, `(speakers.length = 0, true)`)
	p.click("play")
	p.waitState("s.t === 10000 && !s.playing")
	p.wait("the caption", element("status")+`.textContent.includes("The new image arrives.")`)
	p.keys("n")
	p.waitState("s.t === 10100")
	p.wait("the next one", element("status")+`.textContent.includes("25% of 10 is 2.5")`)
	p.seek(17_500)
	p.wait("the verdict", element("status")+`.textContent.includes(`+element("verdict")+`.textContent) || `+element("status")+`.textContent.includes("Done, always")`)
	return eval[[]string](p, `new Promise((done) => frames(20, () => done(speakers)))`)
}

// TestOneSpeaks: whatever happens, one live region tells it.
func TestOneSpeaks(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.look(desktop, "light")
	p.before(noteDrawn)
	p.before(noteSpeakers)
	p.visit(built.base + "#s=first-rollout")
	p.waitStarted()
	all := p.speaking()
	if len(all) < 2 { // changes within 15 frames are one moment
		t.Errorf("only %q have spoken", all)
	}
	for _, who := range all {
		if strings.Contains(who, " ") {
			t.Errorf("two speak at once: %s", who)
		}
	}
	eval[bool](p, `(`+element("lesson-text")+`.ariaLive = "polite", `+element("verdict")+`.ariaLive = "polite", true)`)
	if all := p.speaking(); !strings.Contains(strings.Join(all, "\n"), " ") {
		t.Errorf("three live regions are not noticed: %q", all)
	}
}
