package browser_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestEmbedRefuses: what can't be shown is refused before the program is loaded. What the author put inside the element stays, the
// console says why, and the page hears it.
func TestEmbedRefuses(t *testing.T) {
	t.Parallel()
	const whole = "#1.dF_OMShXHyJwKCvn5BcWAAAAA__8"
	cases := []struct{ attributes, reason, message string }{
		{`scenario="no-such-lesson"`, "scenario", `There is no scenario named "no-such-lesson".`},
		{`scenario="toString"`, "scenario", `There is no scenario named "toString".`},
		{`scenario="first-rollout" panels="why,fish"`, "panel", `There is no panel named "fish".`},
		{`src="` + playURL + `/` + whole[:len(whole)-3] + `"`, "link", "This link is damaged or incomplete."},
		{`src="` + playURL + `/#1.d="`, "link", "This link is damaged or incomplete."},
		{`src="` + playURL + `/#2.xAAAA"`, "link", "This link is damaged or incomplete."},
		{`scenario="第一" lang="zh"`, "scenario", "没有名为“第一”的场景。"},
		{``, "empty", "names no scenario, no link and no YAML"},
		{`src="` + playURL + `/"`, "empty", "names no scenario, no link and no YAML"},
	}
	var page strings.Builder
	page.WriteString(script + `<script src="/note.js"></script>`)
	for _, c := range cases {
		page.WriteString(rollplayEmbed(c.attributes))
	}
	page.WriteString(rollplayEmbed(`src="` + playURL + `/` + whole + `"`)) // and one that is right
	w := newWeb(t, map[string]string{"/": page.String(), "/note.js": `window.refused = []; window.warned = [];
		addEventListener("rollplay-error", (e) => refused.push({ n: [...document.querySelectorAll("rollplay-embed")].indexOf(e.target), ...e.detail }), true);
		console.warn = (...words) => warned.push(words.filter((word) => typeof word === "string").join(" "));`})
	p := w.read("/")
	p.wait("the elements", fmt.Sprintf("document.querySelectorAll('rollplay-embed').length === %d", len(cases)+1))
	eval[bool](p, "(document.querySelectorAll('rollplay-embed').forEach((e) => e.show()), true)")
	p.wait("all answers", fmt.Sprintf("new Set(refused.map((m) => m.n)).size === %d && heard.some((m) => m.type === 'ready')", len(cases)))
	for n, c := range cases {
		got := eval[struct{ Reason, Message string }](p, fmt.Sprintf("refused.find((m) => m.n === %d)", n))
		if got.Reason != c.reason || got.Message != c.message {
			t.Errorf("%s: refused with %+v, want %s: %s", c.attributes, got, c.reason, c.message)
		}
		if !eval[bool](p, fmt.Sprintf("document.querySelectorAll('.fallback')[%d].checkVisibility()", n)) {
			t.Errorf("%s: what the author put inside is gone", c.attributes)
		}
		if !eval[bool](p, fmt.Sprintf("warned.includes(%s)", quote("rollplay-embed: "+c.message))) {
			t.Errorf("%s: the console does not say why", c.attributes)
		}
	}
	if got := eval[int](p, "iframes().length"); got != 1 {
		t.Errorf("%d frames are left, want that of the run that can be shown", got)
	}
	if n := w.asked(".wasm"); n != 0 {
		t.Errorf("the browser requested the wasm %d times", n)
	}
}

// TestFrameRefuses: a frame without the host script says itself what is wrong. A panel that does not exist is left out.
func TestFrameRefuses(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{
		"/damaged": iframe("allow-scripts", "", "#1.dAAAAAAAA"),
		"/panel":   iframe("allow-scripts", "?panels=why,fish", "#s=first-rollout"),
	})
	p := w.read("/damaged")
	p.heard("m.type === 'error' && m.reason === 'link'")
	f := p.frame(0)
	if !eval[bool](f, `document.getElementById("app-wasm-loader-label").textContent === "This link is damaged or incomplete." &&
		!document.getElementById("start").checkVisibility() && document.getElementById("open").checkVisibility()`) {
		t.Errorf("the frame does not say what is wrong: %s", eval[string](f, "document.body.innerText"))
	}
	f.log.take()
	p = w.read("/panel")
	p.heard("m.type === 'error' && m.reason === 'panel'")
	p.heard("m.type === 'ready'")
	p.frame(0).log.take()
	p.send("type: 'load', fragment: '#s=no-such-lesson'")
	p.heard("m.type === 'error' && m.reason === 'scenario'")
	p.send("type: 'play'")
	p.heard("m.type === 'tick' && m.counts.desired === 10")
}

// TestEmbedAddressOfWordPress: WordPress appends "#?secret=…" to the address of every frame that oEmbed gives it.
func TestEmbedAddressOfWordPress(t *testing.T) {
	t.Parallel()
	pages := map[string]string{}
	for path, address := range map[string][2]string{"/fragment": {"", "#s=recreate#?secret=4Zl1"}, "/query": {"?s=recreate", "#?secret=4Zl1"}, "/both": {"?s=first-rollout", "#s=recreate"}} {
		pages[path] = iframe("allow-scripts", address[0], address[1])
	}
	w := newWeb(t, pages)
	for path := range pages {
		p := w.read(path)
		p.heard("m.type === 'ready'")
		p.send("type: 'play'")
		p.heard("m.type === 'tick' && m.counts.desired === 3")
		if got := eval[string](p.frame(0), "document.getElementById('open').getAttribute('href')"); got != "../#s=recreate" {
			t.Errorf("%s: the playground opens %s", path, got)
		}
	}
}
