package browser_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestSteppers: a press is the kubectl line of its tooltip, a typed value waits for Enter, and the tag alone names an image.
func TestSteppers(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "#s=first-rollout")
	p.toEnd()
	p.click("surge-more")
	p.waitState("s.commands === 1 && s.done")
	p.wait("the new value", element("surge-input")+`.value === "30%"`)
	p.fill("unavailable-input", "1")
	p.keys(kb.Enter)
	p.waitState("s.commands === 2 && s.done")
	p.wait("the number", element("unavailable-input")+`.value === "1"`)
	p.fill("image-input", "1.25")
	p.click("set-image")
	p.waitState("s.commands === 3 && s.done")
	p.wait("the image", element("image-now")+`.innerText === "nginx:1.25"`)
	p.toStart()
	p.seek(5000)
	p.click("scale-less")
	p.waitState("s.commands === 1 && s.done")
	p.click("restart-rollout") // in the menu
	p.waitState("s.commands === 2 && s.done")
}

// TestBreak: the menu writes an entry of the scenario and the line that it shows; the status line says what is stuck, and one
// undo takes both back.
func TestBreak(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "#s=first-rollout")
	p.toEnd()
	before := eval[string](p, "rollplay.getText()")
	p.clickOn("the menu", element("break")+".querySelector('summary')")
	p.clickOn("the first way", element("break-it"))
	p.waitState("s.commands === 1 && s.done && !s.dirty")
	p.wait("a closed menu", "!"+element("break")+".open")
	if text := eval[string](p, "rollplay.getText()"); !strings.Contains(text, `- {match: "nginx:cannot-pull", pull: fails}`) {
		t.Errorf("the scenario has no such image:\n%s", text)
	}
	p.toEnd()
	p.wait("the status", element("status-line")+`.dataset.state === "stuck"`)
	p.waitText("status-line", "8 of 10 are available")
	p.wait("the commands that fix it", element("fix"))
	p.click("undo")
	p.waitState("s.commands === 0")
	if eval[string](p, "rollplay.getText()") != before {
		t.Error("undo leaves the entry in the text")
	}
}

// TestDrawers: the drawers open and close by their buttons, the browser remembers them, and the text opens at the manifest. What
// Apply would change is named, and Tab leaves the editor.
func TestDrawers(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "#s=first-rollout")
	p.toEnd()
	closed := func(name string) string { return `document.getElementById("pane-` + name + `").hidden` }
	p.wait("closed drawers", closed("code")+" && "+closed("why"))
	p.keys("/")
	p.wait("the focus in the editor", element("editor")+`.shadowRoot.activeElement?.classList.contains("cm-content")`)
	p.wait("the manifest", inEditor(".cm-activeLine")+`.textContent === "spec:" && `+inEditor(".cm-foldPlaceholder"))
	p.keys(kb.Tab)
	p.wait("the focus to leave", element("editor")+`.shadowRoot.activeElement === null`)
	p.replaceText(strings.Replace(eval[string](p, "rollplay.getText()"), "replicas: 10", "replicas: 4", 1))
	p.waitText("edit-changes", "replicas 10 → 4, image nginx:1.19.1 → nginx:1.18.0")
	p.click("pane-why")
	p.wait("the why panel", "!"+closed("why"))
	p.click("pane-code")
	p.wait("no editor", closed("code"))
	p.do("reload", chromedp.Reload())
	p.waitStarted()
	p.wait("the same drawers", closed("code")+" && !"+closed("why"))
}

// TestVersionMenu: another version of Kubernetes runs the same commands.
func TestVersionMenu(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "#s=first-rollout")
	p.toEnd()
	p.click("scale-more")
	p.waitState("s.commands === 1 && s.done")
	p.clickOn("the page's menu", element("page-menu")+".querySelector('summary')")
	p.clickOn("the menu", element("version")+".querySelector('summary')")
	p.checkLayout()
	p.clickOn("1.34", `[...document.querySelectorAll('[data-act="version-is"]')].find((b) => b.textContent === "1.34")`)
	p.waitState("s.commands === 1 && s.done && !s.dirty")
	p.wait("the version", element("version")+`.querySelector("summary").textContent.endsWith(" 1.34")`)
	if text := eval[string](p, "rollplay.getText()"); !strings.Contains(text, `version: "1.34"`) {
		t.Errorf("the scenario names no version:\n%s", text)
	}
}
