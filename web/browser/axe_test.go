package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"github.com/rollplay/rollplay/web/site/pack"
)

// audit runs axe within a selector, with two of its rules that are off by default.
const audit = `((within) => axe.run(within, {
	resultTypes: ["violations"],
	rules: {
		"target-size": { enabled: true }, "label-content-name-mismatch": { enabled: true },
		"color-contrast": { enabled: !matchMedia("(forced-colors: active)").matches }, // axe takes a text's own colour, which the system does not paint
	},
}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
	nodes.map((n) => id + ": " + n.target.flat().join(" ") + "\n\t" + n.html.slice(0, 300) + "\n\t" + n.failureSummary.replace(/\s+/g, " ").slice(0, 400)))))`

// axe is the text of axe-core.
func axe(t *testing.T) string {
	t.Helper()
	root, err := pack.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "web", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// audited is a page that axe looks at.
type audited struct {
	*tab
	axe string
}

// check fails the test for each violation.
func (p audited) check(state, within string) {
	p.t.Helper()
	for _, v := range eval[[]string](p.tab, audit+"("+quote(within)+")") {
		p.t.Errorf("%s: %s", state, v)
	}
}

// prefer sets the colour scheme, with less motion: a colour that fades is of no scheme.
func (p *tab) prefer(theme string, more ...*emulation.MediaFeature) {
	p.t.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: append(features, more...)})
}

// visitFor opens a page for axe.
func (p audited) visitFor(path string) {
	p.t.Helper()
	p.visit(built.base + path)
	p.wait("all of it", `document.readyState === "complete"`)
	eval[bool](p.tab, p.axe+"; true")
	eval[bool](p.tab, unstuck)
}

// unstuck lets rows that stay in sight scroll with the rest: what lies below them is hidden only until somebody scrolls.
const unstuck = `(() => {
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(".header, .bar, .stage > .transport, .presenter { position: static !important; } .figure .lesson { height: auto !important; overflow: visible !important; }");
	document.adoptedStyleSheets = [sheet];
	return true;
})()`

// push clicks on an element wherever it is.
func (p *tab) push(name string) {
	p.t.Helper()
	p.wait(name+" to be there", element(name))
	p.press(element(name))
}

// TestAxe: axe has no complaint about any page, in any of its states. Each two of theme, language and size meet in one of the runs.
func TestAxe(t *testing.T) {
	t.Parallel()
	source := axe(t)
	for _, look := range []struct {
		size        size
		theme, lang string
	}{{desktop, "light", "en"}, {desktop, "dark", "zh"}, {phone, "dark", "en"}, {phone, "light", "zh"}} {
		t.Run(look.size.name+" "+look.theme+" "+look.lang, func(t *testing.T) {
			t.Parallel()
			p := audited{start(t), source}
			p.look(look.size, look.theme)
			p.prefer(look.theme)
			p.before(noteDrawn)
			axePlayground(p, look.lang)
			axeEmbed(p, look.lang)
			pages := []string{"s/drain/", "scenarios/", "authors/", "fidelity/", "kubectl/", "schema/", "measures/", "check/", "requests/", "404.html"}
			if look.lang == "zh" {
				pages = []string{"s/drain/zh/", "scenarios/zh/", "authors/zh/", "schema/zh/", "measures/zh/", "check/zh/", "requests/zh/"}
			}
			for _, path := range pages {
				p.visitFor(path)
				p.check(path, "html")
			}
		})
	}
}

// axeDrawers is the page as it opens, and with both drawers.
func axeDrawers(p audited, lang string) {
	p.visitFor("#s=first-rollout&lang=" + lang)
	p.waitStarted()
	p.waitComputed()
	p.check("playground", "html")
	p.seek(12_000)
	for _, name := range []string{"pane-code", "pane-why"} {
		if eval[string](p.tab, element(name)+".ariaExpanded") == "false" {
			p.push(name)
		}
	}
	p.waitEditor()
	p.check("drawers", ".main")
}

// axePlayground goes through the states of the playground: first the page as a whole, then what opens in it.
func axePlayground(p audited, lang string) {
	axeDrawers(p, lang)
	p.openTab("log")
	for _, name := range []string{"violations", "data-table"} {
		eval[bool](p.tab, "("+element(name)+".open = true)")
		p.wait(name, element(name)+`.querySelector(".table-scroll")`)
		p.check(name, act(name))
	}
	for _, view := range []string{"nodes", "terminal", "log", "events", "records", "queues", "timeline", "tables"} {
		p.openTab(view)
		p.check(view, ".tabs")
	}
	axeMenus(p)
	axeDialogs(p)
	axeBroken(p)
}

func axeMenus(p audited) {
	eval[bool](p.tab, "(scrollTo(0, 0), true)") // what came before ended far below
	for _, menu := range []string{".title-menu", ".page-menu", ".ways", ".break-menu", act("more")} {
		open := "document.querySelector(" + quote(menu) + ")"
		eval[bool](p.tab, "("+open+".querySelectorAll('details').forEach((inner) => { inner.open = true; }), "+open+".open = true)")
		p.check(menu, menu)
		eval[bool](p.tab, "!("+open+".open = false)")
	}
}

func axeDialogs(p audited) {
	for button, dialog := range map[string]string{"help": "help", "share": "share", "palette-open": "palette", "numbers": "numbers"} {
		p.push(button)
		p.wait(dialog, fmt.Sprintf("document.getElementById(%q).open", dialog))
		if dialog == "numbers" {
			p.wait("all cells", measured)
		}
		p.check("dialog "+dialog, "#"+dialog)
		eval[bool](p.tab, fmt.Sprintf("(document.getElementById(%q).close(), true)", dialog))
	}
	eval[bool](p.tab, `(document.activeElement.blur(), true)`)
	p.keys("p")
	p.wait("the presenter's view", element("present-text")) // which a long drawing adds in a turn of its own
	p.check("presenter", "html")
	p.keys("p")
	p.wait("the page again", "!"+element("presenter"))
}

// axeBroken is what stands on the page when something went wrong: a branch beside another, a diagnosis, errors in the text.
func axeBroken(p audited) {
	p.press(element("break-it"))
	p.waitState("s.commands > 0 && s.done")
	p.toEnd()
	p.wait("the strip of branches", element("branches"))
	p.wait("findings", element("finding"))
	p.push("branch-compare")
	p.check("branches and diagnosis", ".stage")
	eval[bool](p.tab, `(rollplay.setText("kind: Deployment\nspec: 1\n"), true)`)
	p.wait("errors", element("diagnostic"))
	p.check("errors", ".editor-panel")
}

// axeEmbed is the embed before Play and after it.
func axeEmbed(p audited, lang string) {
	p.visitFor("embed/?lang=" + lang + "&panels=why,controls,diagnosis,yaml,pods,log#s=first-rollout")
	p.check("embed", "html")
	p.press(`document.getElementById("start")`)
	p.wait("the program", `window.rollplay?.state()?.done && document.getElementById("loader").hidden`)
	p.waitEditor()
	p.check("embed after Play", "html")
}

// TestAxeSmall: the same at 400 % zoom, and where the system chooses the colours of a small phone.
func TestAxeSmall(t *testing.T) {
	t.Parallel()
	source := axe(t)
	for _, look := range []struct {
		size  size
		theme string
		lang  string
		more  []*emulation.MediaFeature
	}{
		{size{"zoomed", 320, 256, false}, "light", "en", nil},
		{size{"forced", 360, 640, true}, "dark", "zh", []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}},
	} {
		t.Run(look.size.name, func(t *testing.T) {
			t.Parallel()
			p := audited{start(t), source}
			p.look(look.size, look.theme)
			p.prefer(look.theme, look.more...)
			p.before(noteDrawn)
			axeDrawers(p, look.lang)
			axeMenus(p)
			axeEmbed(p, look.lang)
			for _, path := range []string{"s/drain/", "scenarios/", "authors/"} {
				p.visitFor(path)
				p.check(path, "html")
			}
		})
	}
}
