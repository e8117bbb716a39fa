package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/rollplay/rollplay/scenarios"
)

// hash is the fragment of the address.
func (p *tab) hash() string { p.t.Helper(); return eval[string](p, "location.hash") }

// follow goes to a fragment, as somebody does who pastes a link into the address bar.
func (p *tab) follow(hash string) {
	p.t.Helper()
	eval[bool](p, "(location.hash = "+quote(hash)+", true)")
}

// share opens the dialog and returns the link, at the moment of the cursor or not.
func (p *tab) share(moment bool) string {
	p.t.Helper()
	p.click("share")
	p.wait("the dialog", element("share-dialog")+".open && "+element("share-link"))
	if eval[bool](p, element("share-moment")+".checked") != moment {
		before := eval[string](p, element("share-link")+".value")
		p.click("share-moment")
		p.wait("another link", element("share-link")+".value !== "+quote(before))
	}
	p.wait("the address of the page in the link", element("share-link")+`.value.startsWith(location.href.split("#")[0] + "#")`)
	return eval[string](p, element("share-link")+".value")
}

// TestSharedLink: a run with two commands, shared at a moment, opens in another browser with the same tables at the same
// cursor, and with the same commands.
func TestSharedLink(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.seek(12000)
	p.fill("scale-input", "6")
	p.clickCommand("scale", "--replicas=6")
	p.waitState("s.commands === 1")
	p.seek(15000)
	p.fill("image-input", "nginx:1.27")
	p.clickCommand("set-image", "nginx:1.27")
	p.waitState("s.commands === 2")
	p.seek(17345)
	want := p.state()
	url := p.share(true)
	if len(url) > 500 {
		t.Errorf("the link has %d characters", len(url))
	}
	if size := p.text("share-size"); !strings.HasPrefix(size, fmt.Sprintf("%d characters.", len(url))) {
		t.Errorf("the page gives its size as %q", size)
	}
	p.wait("the QR code", element("share-qr")+`.querySelector("path").getAttribute("d").length > 1000`)
	if moved := eval[float64](p, fmt.Sprintf(`((dialog, code) => {
		const drawn = dialog.getBoundingClientRect().top;
		const svg = code.firstChild;
		svg.remove();
		const moved = dialog.getBoundingClientRect().top - drawn;
		code.append(svg);
		return moved;
	})(%s, %s)`, element("share-dialog"), element("share-qr"))); moved != 0 {
		t.Errorf("the dialog moves by %.0f px when the code comes", -moved)
	}
	frame := eval[string](p, `document.querySelector('[data-act="share-snippet"][data-value="iframe"]').value`)
	if want := `<iframe src="` + built.base + "embed/?layout=compact&amp;panels=why#" + url[strings.Index(url, "#")+1:] + `"`; !strings.HasPrefix(frame, want) || !strings.Contains(frame, `sandbox="allow-scripts"`) {
		t.Errorf("got %s, want %s", frame, want)
	}
	p.click("share-close")
	tables := p.tables()
	p.openTab("timeline")
	commands := p.text("timeline")

	q := start(t)
	q.look(desktop, "light")
	q.before(noteDrawn)
	q.visit(url)
	q.waitStarted()
	q.waitState("s.done && !s.playing && s.t === 17345")
	got := q.state()
	if got.Commands != 2 || got.Record != want.Record || got.Records != want.Records || got.Runs != 1 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := q.tables(); got != tables {
		t.Errorf("the tables are\n%s\nwant\n%s", got, tables)
	}
	q.openTab("timeline")
	if got := q.text("timeline"); got != commands || strings.Count(got, "kubectl") < 3 {
		t.Errorf("the timeline is\n%s\nwant\n%s", got, commands)
	}
}

// TestAddress: it follows the run without adding to the history, and stays empty until the person does something.
func TestAddress(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.pause()
	p.seek(5000)
	entries := eval[int](p, "history.length")
	if got := p.hash(); got != "" {
		t.Errorf("an untouched visit has the address %s", got)
	}
	var last string
	for n := range 3 {
		p.fill("scale-input", fmt.Sprint(4+n))
		p.clickCommand("scale", fmt.Sprintf("--replicas=%d", 4+n))
		p.waitState(fmt.Sprintf("s.commands === %d", n+1))
		p.wait("the address", `location.hash.startsWith("#1.") && location.hash !== `+quote(last))
		last = p.hash()
	}
	if now := eval[int](p, "history.length"); now != entries {
		t.Errorf("the history has %d entries, had %d", now, entries)
	}
	p.do("reload", chromedp.Reload())
	p.waitStarted()
	if s := p.waitComputed(); s.Commands != 3 || p.hash() != last {
		t.Errorf("after a reload: %+v, %s", s, p.hash())
	}
}

// TestFollowedLinks: links that are pasted into the address bar, and the way back and forth among them. A place in the page
// is no link.
func TestFollowedLinks(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	first := scenarios.Text("first-rollout")
	text := func(name string) { p.t.Helper(); p.wait(name, "rollplay.getText() === "+quote(scenarios.Text(name))) }
	p.follow("#s=recreate")
	text("recreate")
	p.follow("#s=three-replicas")
	text("three-replicas")
	eval[bool](p, "(history.back(), true)")
	text("recreate")
	eval[bool](p, "(history.forward(), true)")
	text("three-replicas")
	eval[bool](p, "(history.go(-2), true)")
	p.wait("the first visit's scenario", "rollplay.getText() === "+quote(first))
	eval[bool](p, "(history.go(2), true)")
	text("three-replicas")
	p.click("undo")
	p.wait("what was there before", "rollplay.getText() === "+quote(first))
	eval[bool](p, `(location.hash = "#s=recreate", rollplay.setAddress("s=first-rollout"), true)`) // before the page has heard of the link
	text("recreate")
	p.click("undo")
	p.wait("what was there before", "rollplay.getText() === "+quote(first))

	p.waitState(`s.done && !s.busy && s.workload === "Deployment/default/nginx-deployment"`) // the run of the text, which comes later
	runs := p.state().Runs
	eval[bool](p, `(document.querySelector(".skip").click(), true)`)
	p.wait("the focus on the chart", `document.activeElement.id === "stage"`)
	p.follow("#stage")
	p.follow("#%zz") // no URL that Go can read
	p.follow("#1.dAAAA%")
	p.wait("the notice", `document.querySelector(".notice.bad")`)
	if s := p.state(); s.Runs != runs || eval[bool](p, `!document.getElementById("loader").hidden`) {
		t.Errorf("got %+v, want run %d", s, runs)
	}
}

// TestDamagedLinks: the page says what is wrong and lives, from the first moment on.
func TestDamagedLinks(t *testing.T) {
	t.Parallel()
	p := open(t, phone, "light", "#s=recreate")
	p.waitComputed()
	p.seek(3000)
	whole := p.share(true)
	whole = whole[strings.Index(whole, "#"):]
	for hash, want := range map[string]string{
		whole[:len(whole)-4]: "cut off", "#2" + whole[2:]: "newer rollplay", "#s=nowhere": "nowhere", "#1.d%E0%A4%A": "cut off",
	} {
		q := start(t)
		q.look(desktop, "light")
		q.before(noteDrawn)
		q.log.setOrigin(origin(built.base)) // Go cannot parse one of the addresses
		q.do("open "+hash, chromedp.Navigate(built.base+hash))
		q.waitStarted()
		if got := eval[string](q, `document.querySelector(".notice.bad").innerText`); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", hash, got, want)
		}
		if s := q.toEnd(); s.Records == 0 || s.Errors > 0 {
			t.Errorf("%s: %+v", hash, s)
		}
	}
}

// TestShareDialog: it can be used by keyboard and on a phone, copies, and warns of a long link.
func TestShareDialog(t *testing.T) {
	t.Parallel()
	p := open(t, phone, "dark", "#s=recreate")
	p.waitComputed()
	url := p.share(false)
	if url != built.base+"#s=recreate" {
		t.Errorf("the link of a shipped scenario is %s", url)
	}
	if wide := eval[int](p, element("share-dialog")+".scrollWidth - "+element("share-dialog")+".clientWidth"); wide > 0 {
		t.Errorf("the dialog is %d px too narrow for what is in it", wide)
	}
	eval[bool](p, `(navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }, true)`)
	p.click("share-copy")
	p.wait("the copy", "window.copied === "+quote(url))
	p.wait("the word of it", element("share-copy")+`.textContent === "Copied"`)
	p.keys("\x1b")
	p.wait("the dialog to close", "!"+element("share-dialog")+".open && !"+element("share-link"))
	eval[bool](p, `(() => {
		let text = "# ";
		for (let i = 0, x = 1; i < 4000; i++) { x = (x * 1664525 + 1013904223) % 4294967296; text += String.fromCharCode(48 + (x >>> 24) % 75); }
		rollplay.setText(text);
		return true;
	})()`)
	p.waitState("s.dirty")
	p.share(false)
	if size := p.text("share-size"); !strings.Contains(size, "The text makes up 100%") {
		t.Errorf("a long link is warned of by %q", size)
	}
	p.wait("no QR code", "!"+element("share-qr"))
}
