package browser_test

import (
	"path/filepath"
	"testing"
)

// TestHowAccurate: the header or, on a phone, the help leads to the list of rules.
func TestHowAccurate(t *testing.T) {
	t.Parallel()
	for _, s := range []size{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			p := open(t, s, "dark", "")
			p.waitComputed()
			if s == phone {
				p.click("help")
				p.wait("the help", `document.querySelector("#help[open]")`)
				p.click("help-fidelity")
			} else {
				p.click("fidelity")
			}
			p.wait("the list of rules", `document.getElementById("simplified") && document.readyState === "complete"`)
			if p.count("#results li") < 2 {
				t.Error("the page does not list the results of the comparisons")
			}
			if p.count("#differences li") < 2 {
				t.Error("the page does not list the differences of older versions")
			}
			if n := p.count(".rules"); n < 10 {
				t.Errorf("%d sections of rules", n)
			}
			p.checkLayout()
			p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-fidelity.png"))
		})
	}
}

// TestPasteOverARun: a Deployment of another name pasted in the middle of a run is a run of its own.
func TestPasteOverARun(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.waitComputed()
	p.pause()
	p.seek(12_000)
	p.replaceText(api)
	p.click("apply")
	s := p.waitState(`s.done && s.workload === "Deployment/default/api"`)
	if s.Commands != 0 || s.Errors != 0 {
		t.Errorf("got %+v", s)
	}
	p.wait("a quiet Apply", `!`+element("apply")+`.classList.contains("primary")`)
	if own := p.text("scenario"); own == "" {
		t.Error("the title is empty")
	}
}

// TestWhatIsLeftOutIsANote: a kind that is not simulated is folded into a note, and nothing is an error.
func TestWhatIsLeftOutIsANote(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.waitComputed()
	p.pasteOwn(api+"---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: api}\nspec: {maxReplicas: 5, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: api}}\n", "Deployment/default/api")
	p.waitText("warnings", "1 note")
	if s := p.state(); s.Errors != 0 || p.count(".diagnostic:not(.warning)") != 0 || p.count(".cm-diagnostic-error") != 0 {
		t.Errorf("%d errors", s.Errors)
	}
	p.wait("a quiet Apply", `!`+element("apply")+`.classList.contains("primary")`)
}
