package browser_test

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app"
)

// TestCompareRequests: Compare on a desktop and on a phone, in both languages, of a workload with a Service: cells show failed requests,
// the sentence names them, workers count what the page counts, preStop ends them, and the card says what is assumed.
func TestCompareRequests(t *testing.T) {
	t.Parallel()
	words := map[string]struct{ fail, shows, model string }{
		"en": {" requests fail).", "failed requests", "Model: 1,000 requests/s"}, "zh": {" 个请求失败）。", "失败的请求", "模型："}}
	for _, s := range []size{desktop, phone} {
		for _, lang := range app.Langs() {
			t.Run(s.name+" "+lang, func(t *testing.T) {
				t.Parallel()
				w := words[lang]
				p := open(t, s, "light", "#s=stops-too-early&lang="+lang)
				p.waitComputed()
				p.click("numbers")
				p.wait("all cells", measured)
				p.wait("the answer", element("numbers-answer")+`?.textContent.includes(`+quote(w.fail)+`)`)
				show := element("numbers-show")
				if got := eval[string](p, show+`.selectedOptions[0].textContent`); got != w.shows {
					t.Errorf("the cells show %q", got)
				}
				if card := p.text("numbers-card"); !strings.Contains(card, w.shows) || !strings.Contains(card, w.model) {
					t.Errorf("the card says %q", card)
				}
				p.checkLayout()
				p.shoot("compare-requests-" + s.name + "-" + lang)
				eval[bool](p, `((e) => { e.value = "preStop"; e.dispatchEvent(new Event("change", {bubbles: true})); return true })(`+element("numbers-columns")+`)`)
				p.wait("no losses", measured+` && `+element("numbers-answer")+`?.textContent.includes("preStop") && document.querySelectorAll(".heat .shade-0").length > 0`)
				if sentence := p.text("numbers-answer"); !strings.Contains(sentence, "0 of ") && !strings.Contains(sentence, "0 / ") {
					t.Errorf("it says %q", sentence)
				}
				p.checkLayout()
				p.shoot("compare-prestop-" + s.name + "-" + lang)
				p.click("numbers-use-it")
				p.waitState("s.runs > 1 && s.done")
				if text := eval[string](p, "rollplay.getText()"); !strings.Contains(text, "preStop") {
					t.Errorf("the manifest is\n%s", text)
				}
			})
		}
	}
}
