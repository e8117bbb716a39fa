package browser_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// terminal is what the prompt has printed, a line each.
func (p *tab) terminal() []string {
	p.t.Helper()
	return eval[[]string](p, "[..."+element("terminal-output")+".children].map((row) => row.textContent.trimEnd())")
}

// prompt goes to the prompt by its key.
func (p *tab) prompt() {
	p.t.Helper()
	eval[bool](p, `(document.activeElement.blur(), true)`)
	p.keys("`")
	p.wait("the focus in the prompt", "document.activeElement === "+element("terminal-input"))
}

// enter types a line at the prompt, which has the focus.
func (p *tab) enter(line string) {
	p.t.Helper()
	p.keys(line)
	p.wait("the typed line", element("terminal-input")+".value === "+quote(line))
	p.keys(kb.Enter)
}

// waitPrinted waits for a line in the terminal that begins so.
func (p *tab) waitPrinted(line string) {
	p.t.Helper()
	p.wait(line, fmt.Sprintf("[...%s.children].some((row) => row.textContent.startsWith(%s))", element("terminal-output"), quote(line)))
}

// pasteLines pastes a text at the prompt.
func (p *tab) pasteLines(text string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		const clipboardData = new DataTransfer();
		clipboardData.setData("text/plain", %s);
		%s.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
		return true;
	})()`, quote(text), element("terminal-input")))
}

// TestTerminal: somebody rolls out, watches, and rolls back, all by typing. A reload shows the same.
func TestTerminal(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	before := p.toEnd()
	p.prompt()
	p.waitPrinted("$ kubectl set image deployment/nginx-deployment nginx=nginx:1.19.1")
	p.enter("set image deployment/nginx-deployment nginx=nginx:1.20")
	p.waitState("s.commands === 1")
	p.waitPrinted("$ kubectl set image deployment/nginx-deployment nginx=nginx:1.20")
	p.seek(before.T + 1000) // however slow the browser is, the rollout has just begun
	p.prompt()
	p.enter("kubectl rollout status deployment/nginx-deployment")
	p.waitPrinted("Waiting for deployment")
	p.wait("the button to stop it", element("terminal-stop")+".checkVisibility()")
	p.waitPrinted(`deployment "nginx-deployment" successfully rolled out`)
	p.wait("the free prompt", "!"+element("terminal-stop")+".checkVisibility()")
	p.pause()
	p.prompt()
	p.enter("k rollout undo deployment/nginx-deployment")
	p.waitState("s.commands === 2")
	p.waitPrinted("deployment.apps/nginx-deployment rolled back")
	p.pause()
	p.waitComputed()
	want := strings.Join(p.terminal(), "\n")
	if n := strings.Count(want, "Waiting for deployment"); n < 5 {
		t.Errorf("rollout status printed %d lines while it waited:\n%s", n, want)
	}
	p.do("reload", chromedp.Reload())
	p.waitStarted()
	p.waitComputed()
	p.prompt()
	p.waitPrinted("deployment.apps/nginx-deployment rolled back")
	if got := strings.Join(p.terminal(), "\n"); got != want {
		t.Errorf("after a reload the terminal shows\n%s\nwant\n%s", got, want)
	}
	p.keys(kb.ArrowUp)
	p.wait("the last line of the history", element("terminal-input")+`.value === "k rollout undo deployment/nginx-deployment"`)
}

// TestTerminalCompletes: Tab completes verbs and live names, and lists what there is to choose from.
func TestTerminalCompletes(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "dark", "")
	p.toEnd()
	p.prompt()
	p.keys("rollout sta\tdeploy")
	p.wait("the verb", element("terminal-input")+`.value === "rollout status deploy"`)
	p.keys("ment/\t")
	p.wait("the name", element("terminal-input")+`.value === "rollout status deployment/nginx-deployment "`)
	p.keys("c", chromedp.ModifierCtrl)
	p.wait("an empty line", element("terminal-input")+`.value === ""`)
	p.keys("get rs nginx\t")
	p.wait("what the names have in common", element("terminal-input")+`.value === "get rs nginx-deployment-69"`)
	p.keys("\t")
	p.wait("the candidates", `document.querySelector(".terminal-offers").textContent.split("  ").length === 2`)
	p.screenshot(filepath.Join(t.ArtifactDir(), "completion.png"))
	p.keys(kb.Escape)
	p.keys("\t")
	p.wait("the focus beyond the prompt", "document.activeElement !== "+element("terminal-input"))
}

// TestTerminalFollowsTheCursor: a watch prints as time passes, Ctrl-C ends it, and the cursor takes its lines back.
func TestTerminalFollowsTheCursor(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.seek(9_500)
	p.prompt()
	p.enter("get rs -w")
	p.waitState("s.playing && s.t > 11000")
	p.keys("c", chromedp.ModifierCtrl)
	p.waitPrinted("^C")
	p.pause()
	all := p.terminal()
	p.seek(10_000)
	if got := p.terminal(); len(got) >= len(all) || strings.Join(got, "\n") != strings.Join(all[:len(got)], "\n") {
		t.Errorf("at 10 s the terminal shows\n%s\nand later\n%s", strings.Join(got, "\n"), strings.Join(all, "\n"))
	}
	p.prompt()
	p.keys("l", chromedp.ModifierCtrl)
	p.wait("an empty screen", element("terminal-output")+".childElementCount === 0")
	p.pasteLines("scale deployment/nginx-deployment --replicas=4\nrollout status deployment/nginx-deployment\nget deploy\n")
	p.waitPrinted("NAME ")
	p.wait("the lines to be done", element("terminal")+`.dataset.state === "free"`)
	if got := p.terminal(); got[0] != "$ kubectl scale deployment/nginx-deployment --replicas=4" || !strings.Contains(got[len(got)-1], "4/4") {
		t.Errorf("the pasted lines print\n%s", strings.Join(got, "\n"))
	}
}

// TestTerminalEdits: edit leads to the object in the editor, apply takes its text over.
func TestTerminalEdits(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.toEnd()
	p.prompt()
	p.enter("edit deployment/nginx-deployment")
	p.wait("the focus in the editor", element("editor")+`.shadowRoot.activeElement?.classList.contains("cm-content")`)
	p.waitPrinted("deployment/nginx-deployment is open in the editor")
	p.replaceText(strings.Replace(eval[string](p, "rollplay.getText()"), "replicas: 10", "replicas: 3", 1))
	p.keys("`", chromedp.ModifierCtrl)
	p.wait("the focus in the prompt", "document.activeElement === "+element("terminal-input"))
	p.enter("apply -f -")
	p.waitState("s.commands === 1 && !s.dirty")
	p.waitPrinted("deployment.apps/nginx-deployment configured")
	p.enter("get nothing")
	p.waitPrinted("# exit 1")
	if n := p.count(act("terminal-output") + " .error"); n == 0 {
		t.Error("an error looks like any other line")
	}
}

// TestTerminalManyPods: a list of 1,000 pods is cut, and nothing stalls.
func TestTerminalManyPods(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.toStart()
	p.replaceText(strings.Replace(api, "replicas: 4", "replicas: 1000", 1))
	p.click("apply")
	p.waitState(`s.workload === "Deployment/default/api" && s.done`)
	p.toEnd()
	p.prompt()
	p.enter("get pods")
	p.waitPrinted("… 501 more lines; Copy has all")
	p.enter("get deploy")
	p.waitPrinted("api ")
}

// TestTerminalLayout looks at the prompt in both sizes and both themes.
func TestTerminalLayout(t *testing.T) {
	t.Parallel()
	for _, s := range []size{desktop, phone} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(s.name+" "+theme, func(t *testing.T) {
				p := open(t, s, theme, "")
				p.seek(11_000)
				p.prompt()
				p.enter("get rs -o wide")
				p.enter("delete pod nobody")
				p.waitState("s.commands === 1")
				p.enter("rollout status deployment/nginx-deployment")
				p.waitState("s.t > 12500")
				p.checkLayout()
				p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-"+theme+"-terminal.png"))
			})
		}
	}
}

// TestTerminalFromItsLink: the session opened again from its link shows the same commands with the same answers, and a
// command that reads prints the same there.
func TestTerminalFromItsLink(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.toEnd()
	p.prompt()
	p.enter("set image deployment/nginx-deployment nginx=nginx:1.20")
	p.waitState("s.commands === 1")
	p.toEnd()
	p.prompt()
	p.enter("kubectl rollout undo deployment/nginx-deployment")
	p.waitState("s.commands === 2")
	p.toEnd()
	p.waitPrinted("deployment.apps/nginx-deployment rolled back")
	want := strings.Join(p.terminal(), "\n")
	url := p.share(true)
	p.keys(kb.Escape)

	again := open(t, desktop, "light", "#"+url[strings.Index(url, "#")+1:])
	again.waitState(fmt.Sprintf("s.commands === 2 && s.done && s.t === %d", p.state().T))
	again.prompt()
	again.waitPrinted("deployment.apps/nginx-deployment rolled back")
	if got := strings.Join(again.terminal(), "\n"); got != want {
		t.Errorf("from its link the terminal shows\n%s\nand showed\n%s", got, want)
	}
	read := func(p *tab) string {
		p.prompt()
		p.enter("rollout history deployment/nginx-deployment")
		p.waitPrinted("REVISION")
		return strings.Join(p.terminal(), "\n")
	}
	if got, want := read(again), read(p); got != want {
		t.Errorf("from its link it prints\n%s\nand printed\n%s", got, want)
	}
}
