package browser_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// another opens a second tab of the same browser.
func (p *tab) another(path string) *tab {
	p.t.Helper()
	ctx, cancel := chromedp.NewContext(p.ctx)
	p.t.Cleanup(cancel)
	q := &tab{p.t, ctx, &watch{}}
	if err := q.log.attach(ctx); err != nil {
		p.t.Fatalf("open a second tab: %v", err)
	}
	q.before(withoutWorker)
	q.before(noteDrawn)
	q.look(desktop, "light")
	q.visit(built.base + path)
	q.waitStarted()
	return q
}

// front brings a tab to the front: those behind it draw nothing.
func (p *tab) front() {
	p.t.Helper()
	call(p, page.BringToFront, cdp.Empty{})
}

// titleMenu opens the menu at the title.
func (p *tab) titleMenu() {
	p.t.Helper()
	if p.count(act("title-box")) == 0 {
		p.clickOn("the title", element("scenario")+".querySelector('summary')")
		p.wait("the menu", element("title-box"))
	}
}

// lesson opens a lesson from the menu.
func (p *tab) lesson(name string) {
	p.t.Helper()
	p.titleMenu()
	row := fmt.Sprintf("document.querySelector(%s)", quote(act("lesson-open")+fmt.Sprintf("[data-value=%q]", name)))
	p.wait("the lesson "+name, row)
	p.clickOn(name, row)
}

// recent returns the names of the drafts, the latest one first.
func (p *tab) recent() []string {
	p.t.Helper()
	p.titleMenu()
	return eval[[]string](p, `[...document.querySelectorAll('[data-act="draft"] .draft-title')].map((e) => e.innerText)`)
}

// openDraft clicks on a draft of the list.
func (p *tab) openDraft(name string) {
	p.t.Helper()
	p.titleMenu()
	p.clickOn(name, fmt.Sprintf(`[...document.querySelectorAll('[data-act="draft"]')].find((e) => e.innerText.includes(%s))`, quote(name)))
	p.wait("the draft "+name, element("title")+".innerText === "+quote(name)+" && !"+element("title-box"))
}

func (p *tab) wantRecent(want ...string) {
	p.t.Helper()
	list := `[...document.querySelectorAll('[data-act="draft"] .draft-title')].map((e) => e.innerText).join("|")`
	p.closeMenu()
	p.titleMenu()
	if _, err := tryEval[bool](p, fmt.Sprintf(`new Promise((done, fail) => { let n = 0; const look = () => %s === %s ? done(true) : n++ > 120 ? fail(new Error(%s)) : requestAnimationFrame(look); look(); })`, list, quote(strings.Join(want, "|")), list)); err != nil {
		p.t.Fatalf("the drafts are %v, want %v%s", p.recent(), want, p.evidence())
	}
	p.closeMenu()
}

// closeMenu closes the menu at the title by its key.
func (p *tab) closeMenu() {
	p.t.Helper()
	p.keys(kb.Escape)
	p.wait("the menu to close", "!"+element("title-box"))
}

// pasteOwn begins with an empty text and pastes a manifest, which runs at once.
func (p *tab) pasteOwn(text, workload string) {
	p.t.Helper()
	p.titleMenu()
	p.click("new")
	p.waitEditor()
	p.wait("the empty editor with the focus", `rollplay.getText() === "" && `+element("editor")+`.shadowRoot.activeElement?.classList.contains("cm-content")`)
	p.paste(text)
	p.waitState("s.workload === " + quote(workload) + " && s.done && !s.dirty")
}

// TestDraftsAndLinks: visiting links and lessons overwrites nothing, looking at them keeps nothing, and changing them makes a draft.
func TestDraftsAndLinks(t *testing.T) {
	t.Parallel()
	for _, s := range []size{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, s, "light", "")
			p.wantRecent()
			p.pasteOwn(api, "Deployment/default/api")
			p.wait("the offers in sight", "((r) => r.top >= 0 && r.bottom <= innerHeight)("+element("offers")+".getBoundingClientRect())")
			p.wantRecent("api api:1")
			p.toEnd()
			p.fill("scale-input", "7")
			p.clickCommand("scale", "--replicas=7")
			p.waitState("s.commands === 1")
			left := p.toEnd()

			p.follow("#s=rounding")
			p.waitState(`s.workload !== "Deployment/default/api" && s.commands === 0`)
			p.do("reload", chromedp.Reload())
			p.waitStarted()
			p.waitState(`s.workload !== "Deployment/default/api" && s.commands === 0`)
			p.seek(3000)
			p.do("reload", chromedp.Reload())
			p.waitStarted()
			p.waitState(`s.t === 3000 && s.workload !== "Deployment/default/api"`)
			p.wantRecent("api api:1")

			p.visit(built.base)
			p.waitStarted()
			if s := p.waitComputed(); s.Commands != 1 || s.T != left.T || s.Workload != left.Workload {
				t.Errorf("without a link: %+v, want %+v", s, left)
			}
			if got := p.text("title"); got != "api api:1" {
				t.Errorf("the title is %q", got)
			}

			p.lesson("rounding")
			p.waitState(`s.workload !== "Deployment/default/api"`)
			p.toEnd()
			p.fill("scale-input", "2")
			p.clickCommand("scale", "--replicas=2")
			p.waitState("s.commands === 1")
			name := p.text("title")
			if !strings.HasSuffix(name, ", edited") {
				t.Errorf("a changed lesson is called %q", name)
			}
			p.wantRecent(name, "api api:1")
			p.titleMenu()
			if n := eval[int](p, `[...document.querySelectorAll('[data-act="draft"] .curve-available')].filter((e) => /^M0 \d+H.*V/.test(e.getAttribute("d"))).length`); n != 2 {
				t.Errorf("%d pictures show something", n)
			}
			p.checkLayout()
			p.screenshot(filepath.Join(t.ArtifactDir(), "menu.png"))
			p.openDraft("api api:1")
			p.waitState(`s.workload === "Deployment/default/api" && s.commands === 1`)

			p.titleMenu()
			p.fill("draft-name", "my bug")
			p.keys(kb.Enter)
			p.wait("the new name", element("title")+`.innerText === "my bug"`)
			p.wantRecent(name, "my bug")
			p.titleMenu()
			p.clickOn("delete my bug", `[...document.querySelectorAll("[data-act=draft-delete]")].find((e) => e.title.includes("my bug"))`)
			p.wait("the draft to go", `document.querySelectorAll('[data-act="draft"]').length === 1`)
			p.click("draft-undo")
			p.wait("the draft", `document.querySelectorAll('[data-act="draft"]').length === 2`)
			p.wantRecent(name, "my bug")
			p.click("undo") // back to the lesson's draft
			p.wait("the draft of the lesson", element("title")+".innerText === "+quote(name))
		})
	}
}

// TestTwoTabs: a new tab opens the latest draft, and whoever changes it later makes a copy.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.pasteOwn(api, "Deployment/default/api")
	p.toEnd()
	q := p.another("")
	q.waitState(`s.workload === "Deployment/default/api" && s.done`)
	q.wantRecent("api api:1")

	p.front()
	p.fill("scale-input", "7")
	p.clickCommand("scale", "--replicas=7")
	p.waitState("s.commands === 1")
	q.front()
	q.toEnd()
	q.fill("scale-input", "2")
	q.clickCommand("scale", "--replicas=2")
	q.waitState("s.commands === 1")
	q.wait("word of the other tab", `document.querySelector(".notice")?.innerText.includes("api api:1 (2)")`)
	q.wantRecent("api api:1 (2)", "api api:1")

	p.front()
	p.do("reload", chromedp.Reload())
	p.waitStarted()
	p.waitState("s.commands === 1 && s.done")
	q.front()
	q.do("reload", chromedp.Reload())
	q.waitStarted()
	q.waitState("s.commands === 1 && s.done")
	for _, each := range []struct {
		tab  *tab
		want string
	}{{p, "7/7"}, {q, "2/2"}} {
		each.tab.front()
		each.tab.toEnd()
		if got := each.tab.table("table-Deployment")[0][1]; got != each.want {
			t.Errorf("got %s ready, want %s", got, each.want)
		}
	}
}

// TestTheDraftOfEarlierVersions: a session that an earlier version saved opens, and is the first draft.
func TestTheDraftOfEarlierVersions(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.look(desktop, "light")
	p.before(noteDrawn)
	p.before(`if (!sessionStorage.once) { sessionStorage.once = 1; localStorage.setItem("rollplay/session", JSON.stringify({
		version: 1, text: ` + quote(api) + `, applied: ` + quote(api) + `, t: 500, factor: 2, loop: {}, recording: { scenario: ` + quote(api) + `, commands: [{ at: 9000, run: "scale deployment/api --replicas=6" }] } })); }`)
	p.visit(built.base)
	p.waitStarted()
	p.waitState(`s.commands === 1 && s.workload === "Deployment/default/api" && s.t === 500`)
	p.toEnd()
	p.fill("scale-input", "3")
	p.clickCommand("scale", "--replicas=3")
	p.waitState("s.commands === 2")
	p.wantRecent("api api:1")
}

// TestDraftsInAFullStorage: the oldest draft makes room and the page says so; what never fits is not saved, and the page says that.
func TestDraftsInAFullStorage(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.look(desktop, "light")
	p.before(noteDrawn)
	p.before(`{
		const set = Storage.prototype.setItem;
		Storage.prototype.setItem = function (key, value) {
			let used = 0;
			for (let i = 0; i < this.length; i++) if (this.key(i) !== key) used += this.key(i).length + this.getItem(this.key(i)).length;
			if (used + key.length + value.length > (window.quota ?? 30_000)) throw new DOMException("full", "QuotaExceededError");
			set.call(this, key, value);
		};
	}`)
	p.visit(built.base)
	p.waitStarted()
	padded := func(name string) string {
		return strings.ReplaceAll(strings.ReplaceAll(api, "api", name), name+"Version", "apiVersion") + "# " + strings.Repeat("x", 3000) + "\n"
	}
	p.pasteOwn(padded("one"), "Deployment/default/one")
	p.pasteOwn(padded("two"), "Deployment/default/two")
	p.pasteOwn(padded("three"), "Deployment/default/three")
	p.wait("word of the storage", `document.querySelector(".notice.bad")?.innerText.includes("one one:1")`)
	p.wantRecent("three three:1", "two two:1")
	eval[int](p, "window.quota = 1")
	p.toEnd()
	p.fill("scale-input", "7")
	p.clickCommand("scale", "--replicas=7")
	p.waitState("s.commands === 1")
	p.wait("word that it is not saved", `document.querySelector(".notice.bad")?.innerText.startsWith("Not saved")`)
	p.wantRecent("three three:1", "two two:1")
}
