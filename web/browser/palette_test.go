package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// found is the expression for the selected entry of the palette.
const found = `document.querySelector('#palette-list [aria-selected="true"]')`

// find opens the palette by its keys, types, and waits until an entry with some text is selected.
func (p *tab) find(typed, want string) {
	p.t.Helper()
	p.keys("k", chromedp.ModifierCtrl)
	p.wait("the palette", `document.getElementById("palette").open && document.activeElement.id === "palette-input"`)
	p.keys(typed)
	p.wait(want+" to be found", found+".innerText.includes("+quote(want)+")")
}

// TestPalette: lessons, actions, objects, panels and fields are found by words and chosen by keys alone, and the focus goes back.
func TestPalette(t *testing.T) {
	t.Parallel()
	for _, s := range []size{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, s, "light", "")
			p.toEnd()
			p.find("recr", "Recreate")
			p.keys(kb.Escape)
			p.wait("the palette to close", `!document.getElementById("palette").open`)

			p.find("undo rollout", "Undo rollout")
			p.keys(kb.Enter)
			p.waitState("s.commands === 1")
			p.toEnd()
			p.find("maxsurge", "maxSurge")
			p.keys(kb.Enter)
			p.wait("the line in the editor", element("editor")+`.shadowRoot.activeElement?.classList.contains("cm-content") && `+inEditor(".cm-activeLine")+`.innerText.includes("maxSurge")`)
			p.find("work queues", "Work queues")
			p.keys(kb.Escape)
			p.wait("the focus in the editor again", element("editor")+`.shadowRoot.activeElement?.classList.contains("cm-content")`)
			p.find("work queues", "Work queues")
			p.keys(kb.Enter)
			p.wait("the work queues", `document.getElementById("panel-queues")`)
			p.find("deploy nginx", "deployment/nginx-deployment")
			p.keys(kb.Enter)
			p.wait("the palette to close", `!document.getElementById("palette").open`)

			p.find("drain node-", "Drain node-")
			p.keys(kb.Enter)
			p.wait("what Enter does now", `document.querySelector("#palette [role=status]").innerText.startsWith("Enter once more: Drain node-")`)
			p.keys(kb.Enter)
			p.waitState("s.commands === 2")

			p.click("palette-open")
			p.wait("the palette", `document.getElementById("palette").open`)
			first := eval[string](p, found+".id")
			p.keys(kb.ArrowDown)
			p.wait("the next entry", found+".id !== "+quote(first)+` && document.activeElement.getAttribute("aria-activedescendant") === `+found+".id")
			p.keys(kb.ArrowUp)
			p.keys(kb.ArrowUp)
			p.wait("the last entry", found+".nextElementSibling === null")
			p.checkLayout()
			p.screenshot(filepath.Join(t.ArtifactDir(), "palette.png"))
			p.keys("zzzz")
			p.wait("nothing", `document.querySelectorAll("#palette-list li").length === 0`)
			p.checkAccessible()
			p.keys(kb.Escape)

			p.find("rounded", "How percentages are rounded")
			p.clickOn("the lesson", found)
			p.waitState("s.commands === 0")
			p.wait("its title", element("title")+`.innerText === "How percentages are rounded"`)
		})
	}
}

// checkAccessible checks what a screen reader needs of the palette.
func (p *tab) checkAccessible() {
	p.t.Helper()
	if wrong := eval[string](p, `(() => {
		const box = document.getElementById("palette-input"), list = document.getElementById(box.getAttribute("aria-controls"));
		if (box.role !== "combobox" || list.role !== "listbox" || !box.ariaLabel || !list.ariaLabel) return "roles or names are missing";
		if (box.getAttribute("aria-activedescendant")) return "an entry is active where none is found";
		return document.querySelector("#palette [role=status]").innerText ? "" : "nobody says that nothing is found";
	})()`); wrong != "" {
		p.t.Error(wrong)
	}
}

// TestPasteAndGoOn: from an empty page to a rollout of one's own manifest in two clicks and a paste: New, the offer.
func TestPasteAndGoOn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ offer, line string }{
		{"offer-rollout", "kubectl set image deployment/api server=example.com/api:2"},
		{"offer-break", "kubectl set image deployment/api server=example.com/api:cannot-pull"},
		{"offer-drain", "kubectl drain "},
	} {
		t.Run(tt.offer, func(t *testing.T) {
			p := open(t, desktop, "light", "")
			p.click("start-own")
			p.wait("the empty editor with the focus", `rollplay.getText() === "" && `+element("editor")+`.shadowRoot.activeElement?.classList.contains("cm-content")`)
			p.paste(api)
			p.waitState(`s.workload === "Deployment/default/api" && !s.dirty && s.commands === 0`)
			p.wait("the pods", element("offers")+`.innerText.startsWith("4 pods are up")`)
			p.screenshot(filepath.Join(t.ArtifactDir(), "offers.png"))
			p.click(tt.offer)
			p.waitState("s.commands > 0")
			p.toEnd()
			p.wait("no more offers", "!"+element("offers"))
			p.openTab("timeline")
			if got := p.text("timeline"); !strings.Contains(got, tt.line) {
				t.Errorf("the run has %q, want %q", got, tt.line)
			}
			p.wantRecent("api api:1")
		})
	}
}

// TestFiles: a dropped file, and several chosen ones, become a draft of their own beside an edited text.
func TestFiles(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.pasteOwn(api, "Deployment/default/api")
	web := strings.ReplaceAll(strings.ReplaceAll(api, "api", "web"), "webVersion", "apiVersion")
	eval[bool](p, fmt.Sprintf(`(() => {
		const dataTransfer = new DataTransfer();
		dataTransfer.items.add(new File([%s], "web.yaml", { type: "application/yaml" }));
		document.querySelector(".chart").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
		return true;
	})()`, quote(web)))
	p.waitState(`s.workload === "Deployment/default/web" && !s.dirty`)
	p.wantRecent("web web:1", "api api:1")

	dir := t.TempDir()
	for name, text := range map[string]string{"a.yaml": strings.TrimSuffix(api, "\n"), "b.yaml": web} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.titleMenu()
	root := call(p, dom.GetDocument, dom.GetDocumentParams{})
	input := call(p, dom.QuerySelector, dom.QuerySelectorParams{NodeID: root.Root.NodeID, Selector: act("file")})
	call(p, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml")}, NodeID: input.NodeID})
	p.wait("both files", `rollplay.getText().split("---\n").length === 2 && rollplay.getText().includes("name: api") && rollplay.getText().includes("name: web")`)
	p.waitState("!s.dirty && s.errors === 0")
	p.wantRecent("api api:1", "web web:1", "api api:1")
}
