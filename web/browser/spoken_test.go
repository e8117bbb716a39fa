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
	p.wait("the verdict to be quiet", element("verdict")+`.ariaLive === "off"`)
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
