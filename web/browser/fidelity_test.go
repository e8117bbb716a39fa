package browser_test

import (
	"path/filepath"
	"testing"
)

// TestHowRight: the page says how right it is, from the header or, on a phone, from the help.
func TestHowRight(t *testing.T) {
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
			p.wait("the results", `document.querySelectorAll("#fidelity[open] [data-act=fidelity-results] li").length > 1`)
			if p.count("#fidelity [data-act=fidelity-versions] li") < 2 {
				t.Error("what is otherwise in older versions is not listed")
			}
			if n := p.count("#fidelity .rules"); n < 10 {
				t.Errorf("%d sections of rules", n)
			}
			p.checkLayout()
			p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-fidelity.png"))
			p.click("fidelity-close")
			p.wait("the dialog to close", `!document.querySelector("#fidelity[open]")`)
		})
	}
}

// TestPasteOverARun: a Deployment of another name pasted in the middle of a run is a run of its own.
func TestPasteOverARun(t *testing.T) {
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
	if own := p.text("scenario"); own == "" {
		t.Error("the picker shows nothing")
	}
}
