package browser_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/scenarios"
)

const measured = `document.querySelector('[data-act="numbers-progress"]')?.dataset.done === "true"`

const varied = `document.querySelector('[data-act="numbers-chance"]')?.dataset.done === "true" && document.querySelector('[data-act="numbers-worst"]')` // the last of what is drawn

// TestNumbers: the dialog measures other settings, the present one has the numbers of the run, keys move through the cells, and a
// cell's settings can be used.
func TestNumbers(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.waitComputed()
	p.click("numbers")
	p.wait("all cells", measured)
	run, _ := engine.Start(engine.Recording{Scenario: scenarios.Text("first-rollout")})
	run.Finish()
	all := forecast.New(run.Past()).Rollouts(run.Workloads()[0])
	want := all[len(all)-1]
	card := p.text("numbers-card")
	for _, text := range []string{"maxSurge 3 (25%, 30%), maxUnavailable 2 (20%, 25%)", "80%", "18"} {
		if !strings.Contains(card, text) {
			t.Errorf("the card says %q, want %q in it", card, text)
		}
	}
	if want.LowestPercent() != 80 || want.PeakPods != 18 {
		t.Errorf("the run has %+v", want.Figures)
	}
	eval[bool](p, `(document.querySelector('.heat [tabindex="0"]').focus(), true)`)
	p.keys(kb.ArrowRight)
	p.waitText("numbers-card", "maxSurge 5 (50%)")
	p.wait("the focus on that cell", `document.activeElement.ariaLabel.startsWith("maxSurge 5 (50%)")`)
	p.checkLayout()
	p.click("numbers-seeds")
	p.wait("all seeds", varied)
	for _, text := range []string{"100 seeds: maxSurge 5 (50%)", "duration"} {
		if got := p.text("numbers-chance"); !strings.Contains(got, text) {
			t.Errorf("the seeds say %q, want %q in it", got, text)
		}
	}
	if n := eval[int](p, `document.querySelectorAll(".fan path").length`); n != 4 {
		t.Errorf("the fan chart has %d paths", n)
	}
	p.checkLayout()
	p.click("numbers-use")
	p.waitState("s.runs > 1 && s.done")
	p.wait("the dialog to close", `!document.getElementById("numbers").open`)
	if text := eval[string](p, "rollplay.getText()"); !strings.Contains(text, "maxSurge: 5\n") {
		t.Errorf("the manifest is\n%s", text)
	}
	p.click("undo")
	p.wait("the old manifest", `rollplay.getText().includes("maxSurge: 25%")`)
}

// TestNumbersOnAPhone: the table scrolls in its own box, and nothing is cut in either language.
func TestNumbersOnAPhone(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "zh"} {
		p := open(t, phone, "dark", "#s=first-rollout&lang="+lang)
		p.waitComputed()
		p.toEnd() // past the captions
		p.click("numbers")
		p.wait("all cells", measured)
		p.checkLayout()
		p.click("numbers-seeds")
		p.wait("all seeds", varied)
		p.checkLayout()
		if !eval[bool](p, `document.getElementById("numbers").scrollWidth <= document.getElementById("numbers").clientWidth`) {
			t.Error("the dialog is wider than the phone")
		}
		p.click("numbers-worst")
		p.waitState("s.runs > 1 && s.done")
		if n := eval[int](p, `Number(/seed: (\d+)/.exec(rollplay.getText())[1])`); n < 1 || n > 2000 {
			t.Errorf("the worst seed is %d", n)
		}
	}
}
