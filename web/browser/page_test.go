package browser_test

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// state is what the page says of itself in rollplay.state().
type state struct {
	T        int64   `json:"t"` // virtual ms of the cursor
	End      int64   `json:"end"`
	Record   int     `json:"record"`
	Records  int     `json:"records"`
	Playing  bool    `json:"playing"`
	Speed    float64 `json:"speed"`
	Done     bool    `json:"done"`
	Commands int     `json:"commands"`
	Workload string  `json:"workload"`
	Dirty    bool    `json:"dirty"`
	Errors   int     `json:"errors"`
	Runs     int     `json:"runs"`
}

func (p *tab) state() state {
	p.t.Helper()
	return eval[state](p, "rollplay.state()")
}

// noteDrawn makes the page remember the state that it has drawn, and whether its verdict is late. The session is a step ahead of the screen:
// an action changes it at once, and the elements follow in the next frame of go-app, which ends with rollplay.cursor. A long drawing
// takes several turns, between which some elements are new and others old.
const noteDrawn = `
window.canonical = (state) => JSON.stringify(Object.entries(state).sort()); // the order of the keys is random
Object.defineProperty(window, "rollplay", { configurable: true, set(rollplay) {
	const cursor = rollplay.cursor;
	rollplay.cursor = (...args) => {
		cursor(...args);
		if (window.measuring) return;
		window.drawn = canonical(rollplay.state());
		window.verdictDrawn = document.querySelector(".status-line")?.ariaBusy === "false";
	};
	Object.defineProperty(window, "rollplay", { value: rollplay });
} });`

// waitState waits until an expression over the state s is true, and drawn. A run that plays is always a little ahead of the screen.
func (p *tab) waitState(expr string) state {
	p.t.Helper()
	p.wait(expr, fmt.Sprintf("((s) => (%s) && (s.playing || !s.late) && canonical(s) === drawn)(rollplay.state())", expr))
	return p.state()
}

func (p *tab) waitComputed() state { p.t.Helper(); return p.waitState("s.done") }
func (p *tab) waitCursorAtEnd() state {
	p.t.Helper()
	return p.waitState("s.done && s.t === s.end && !s.playing")
}

// toEnd computes the run and puts the cursor on its end.
func (p *tab) toEnd() state {
	p.t.Helper()
	p.waitComputed()
	p.click("end")
	return p.waitCursorAtEnd()
}

// toStart puts the cursor on zero, where applying a text means starting it.
func (p *tab) toStart() {
	p.t.Helper()
	p.pause() // pods that come move what is below them
	p.click("start")
	p.waitState("s.t === 0 && !s.playing")
}

// seek moves the cursor to a virtual ms by the scrubber.
func (p *tab) seek(t int64) {
	p.t.Helper()
	p.waitComputed()
	p.pause()
	eval[bool](p, fmt.Sprintf(`(() => {
		const el = %s;
		el.value = %d;
		return el.dispatchEvent(new Event("input", { bubbles: true }));
	})()`, element("scrub"), t))
	p.waitState(fmt.Sprintf("s.t === %d", t))
}

func (p *tab) pause() {
	p.t.Helper()
	if p.state().Playing {
		p.click("play")
		p.waitState("!s.playing")
	}
}

// inEditor is the expression for what a selector finds inside the editor, which lives in a shadow root.
func inEditor(selector string) string {
	return element("editor") + ".shadowRoot.querySelector(" + quote(selector) + ")"
}

// openEditor opens the drawer with the editor.
func (p *tab) openEditor() {
	p.t.Helper()
	p.reveal(element("editor"))
	p.waitEditor()
}

// waitEditor waits until CodeMirror is there, which is loaded when its drawer opens.
func (p *tab) waitEditor() {
	p.t.Helper()
	p.wait("the editor", inEditor(".cm-content"))
}

// replaceText puts another text into the editor, as a person does who selects all and pastes.
func (p *tab) replaceText(text string) {
	p.t.Helper()
	p.selectText()
	p.paste(text)
}

// paste pastes into the editor, which has the focus.
func (p *tab) paste(text string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		const clipboardData = new DataTransfer();
		clipboardData.setData("text/plain", %s);
		%s.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
		return true;
	})()`, quote(text), inEditor(".cm-content")))
	p.wait("the pasted text", "rollplay.getText() === "+quote(text))
}

// clearText empties the editor.
func (p *tab) clearText() {
	p.t.Helper()
	p.selectText()
	p.keys(kb.Backspace)
	p.wait("the empty editor", `rollplay.getText() === ""`)
}

func (p *tab) selectText() {
	p.t.Helper()
	p.openEditor()
	p.click("editor")
	p.wait("the focus in the editor", element("editor")+`.shadowRoot.activeElement.classList.contains("cm-content")`)
	p.keys("a", chromedp.ModifierCtrl)
}

// fill types a value into a field in place of what is there.
func (p *tab) fill(name, value string) {
	p.t.Helper()
	p.click(name)
	p.keys("a", chromedp.ModifierCtrl)
	p.keys(value)
	p.wait(name+" to hold "+value, element(name)+".value === "+quote(value))
}

// clickCommand clicks a control once its kubectl line, which follows what was typed or chosen, contains a string.
func (p *tab) clickCommand(name, part string) {
	p.t.Helper()
	p.wait("the command of "+name, element(name)+".dataset.line.includes("+quote(part)+")")
	p.click(name)
}

// tabOf is the tab that has a view, if it is another one.
var tabOf = map[string]string{"tables": "pods", "nodes": "pods", "events": "log", "records": "log", "queues": "log"}

// noteReveal notes when the page has scrolled to what a click shows. For a tab that is open already, this is all that happens.
const noteReveal = `(() => {
	const { reveal } = rollplay;
	window.revealed = false;
	rollplay.reveal = (selector) => {
		rollplay.reveal = reveal;
		reveal(selector);
		requestAnimationFrame(() => { revealed = true; });
	};
	return true;
})()`

// openTab shows a tab, or one of the views that its chips choose.
func (p *tab) openTab(name string) {
	p.t.Helper()
	tab, isView := name, false
	if tabOf[name] != "" {
		tab, isView = tabOf[name], true
	}
	named := func(what, name string) string {
		return fmt.Sprintf("document.querySelector(%s)", quote(act(what)+fmt.Sprintf("[data-value=%q]", name)))
	}
	eval[bool](p, noteReveal)
	p.clickOn("tab "+tab, named("tab", tab))
	p.wait("the tab "+tab, named("tab", tab)+`.ariaSelected === "true" && revealed`)
	if isView {
		p.clickOn("view "+name, named("view", name))
		p.wait("the view "+name, fmt.Sprintf("document.getElementById(%s)", quote("panel-"+name)))
	}
}

// reveal opens the drawer that holds an element, if it is closed.
func (p *tab) reveal(expr string) {
	p.t.Helper()
	eval[bool](p, `(() => {
		const closed = (`+expr+`)?.closest("details:not([open])");
		if (closed && !(`+expr+`).closest("summary")) closed.open = true;
		return true;
	})()`)
	if pane := eval[string](p, `(`+expr+`)?.closest(".drawer[hidden]")?.id ?? ""`); pane != "" {
		p.openPane(pane)
	}
}

// openWhyFor opens the drawer of the reasons for what is in it, which is there only while it is open.
func (p *tab) openWhyFor(name string) {
	p.t.Helper()
	if strings.HasPrefix(name, "why") && eval[bool](p, `document.getElementById("pane-why")?.hidden === true`) {
		p.openPane("pane-why")
	}
}

// openPane clicks on the button of a drawer. A click in the moment in which the program takes the page over may be lost: that is logged, and
// tried again.
func (p *tab) openPane(pane string) {
	p.t.Helper()
	opens := fmt.Sprintf(`new Promise((done) => {
		const drawer = document.getElementById(%s), begin = performance.now();
		const look = () => (!drawer.hidden || performance.now() - begin > 5000 ? done(!drawer.hidden) : requestAnimationFrame(look));
		look();
	})`, quote(pane))
	for range 3 {
		p.clickOn(pane, element(pane))
		if eval[bool](p, opens) {
			return
		}
		p.t.Logf("%s did not open at a click", pane)
	}
	p.t.Fatalf("%s does not open%s", pane, p.evidence())
}

// table returns the cells of a table of the tab kubectl get, row by row, without its head.
func (p *tab) table(name string) [][]string {
	p.t.Helper()
	if p.count("#panel-tables") == 0 {
		p.openTab("tables")
	}
	return eval[[][]string](p, fmt.Sprintf("[...%s.tBodies[0].rows].map((r) => [...r.cells].map((c) => c.textContent.trim()))", element(name)))
}

// column returns one column of a table.
func column(rows [][]string, i int) string {
	var cells []string
	for _, r := range rows {
		cells = append(cells, r[i])
	}
	return strings.Join(cells, " ")
}
