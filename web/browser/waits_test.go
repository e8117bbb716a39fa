package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// occupied makes the program answer nothing to the page's questions while window.occupied is true, as when it works on a large run. It
// follows noteDrawn.
const occupied = `
const { set } = Object.getOwnPropertyDescriptor(window, "rollplay");
Object.defineProperty(window, "rollplay", { configurable: true, set(page) {
	const { listen } = page;
	const unlessOccupied = (answer) => (...args) => (window.occupied ? null : answer(...args));
	page.listen = (all) => listen({ ...all, describe: unlessOccupied(all.describe), ask: unlessOccupied(all.ask), chart: unlessOccupied(all.chart) });
	set(page);
} });`

// TestQuestionsWaitForTheProgram: keys and clicks that need an answer while the program is at work get it afterwards, in their order.
func TestQuestionsWaitForTheProgram(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.look(desktop, "light")
	p.before(noteDrawn)
	p.before(occupied)
	p.visit(built.base)
	p.waitStarted()
	p.toEnd()
	p.prompt()
	value := func(want string) { t.Helper(); p.wait(want, element("terminal-input")+".value === "+quote(want)) }
	occupy := func(on bool) {
		t.Helper()
		if eval[bool](p, "window.occupied = "+map[bool]string{true: "true", false: "false"}[on]) != on {
			t.Fatal("no property of the window")
		}
	}

	occupy(true)
	p.keys("rollout sta\tdeployment/\t")
	value("rollout sta")
	occupy(false)
	value("rollout status deployment/nginx-deployment ")

	p.keys("c") // after the completed word
	value("rollout status deployment/nginx-deployment c")
	occupy(true)
	p.keys("\tx")
	p.keys(kb.Escape) // does not wait any longer
	value("rollout status deployment/nginx-deployment cx")
	occupy(false)
	eval[bool](p, `(`+element("terminal-input")+`.setSelectionRange(0, 1000), true)`)
	p.keys("get rs nginx")

	occupy(true)
	p.keys("\t" + kb.Enter + kb.Enter + "get")
	value("get rs nginx")
	occupy(false)
	p.waitPrinted("$ kubectl get rs nginx-deployment-69")
	value("get")

	eval[bool](p, `(navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }, true)`)
	occupy(true)
	p.click("terminal-copy")
	if eval[bool](p, `"copied" in window`) {
		t.Error("it copies before there is an answer")
	}
	occupy(false)
	p.wait("the copy", `window.copied?.includes("$ kubectl get rs nginx-deployment-69")`)

	p.seek(14_000)
	eval[bool](p, `(document.querySelector(".plot").scrollIntoView({ block: "center", behavior: "instant" }), true)`)
	occupy(true)
	p.point(onPlot(12_000))
	p.wait("the box", "!"+element("hover-box")+".hidden")
	occupy(false)
	p.wait("its numbers", element("hover-box")+`.innerText.includes("total")`)
}
