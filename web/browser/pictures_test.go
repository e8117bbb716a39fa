package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// TestPictures plays every lesson from caption to caption in both languages on a desktop and on a phone, answers each question, and leaves
// pictures: ROLLPLAY_PICTURES=folder, and ROLLPLAY_ONLY=expression for some of them, such as ^fix-.*-phone-zh.
func TestPictures(t *testing.T) {
	dir := os.Getenv("ROLLPLAY_PICTURES")
	if dir == "" {
		t.Skip("ROLLPLAY_PICTURES names no folder")
	}
	only := regexp.MustCompile(os.Getenv("ROLLPLAY_ONLY"))
	for _, s := range []size{{desktop.name, 1440, 789, false}, phone} {
		for _, lang := range app.Langs() {
			t.Run(s.name+"-"+lang, func(t *testing.T) {
				p := open(t, s, "light", "")
				p.waitComputed()
				for _, name := range scenarios.Names() {
					if picture := fmt.Sprintf("%s-%s-%s", name, s.name, lang); only.MatchString(picture) {
						t.Log(picture)
						playLesson(p, name, lang, filepath.Join(dir, picture))
					}
				}
			})
		}
	}
}

// playLesson goes from caption to caption, and takes a picture where the run waits.
func playLesson(p *tab, name, lang, to string) {
	p.follow("#s=" + name + "&lang=" + lang)
	p.wait(name+" in "+lang, fmt.Sprintf(`document.documentElement.lang === %s && %s.dataset.value === %s`, quote(lang), element("scenario"), quote(name)))
	p.waitState("s.done")
	p.toStart()
	for i, c := range shipped(p.t, name).Captions {
		if p.state().T < c.At { // an answer may have played up to it
			p.keys("n")
		}
		p.waitState(fmt.Sprintf("s.t === %d && !s.playing", c.At))
		p.waitText("lesson-text", c.Text.In(lang))
		p.checkLayout()
		eval[int](p, `(scrollTo({ top: 0, behavior: "instant" }), 0)`)
		p.checkSkip(c.Ask)
		p.waitVeil(c.Ask)
		p.screenshot(fmt.Sprintf("%s-%d.png", to, i))
		if c.Ask == nil {
			continue
		}
		if len(c.Ask.Choices) > 0 {
			p.click("bet-choice")
		} else {
			eval[bool](p, `(() => { const e = `+element("bet-guess")+`; e.value = "1"; return e.dispatchEvent(new Event("input", { bubbles: true })); })()`)
			p.wait("the answer", `!`+element("bet-answer")+`.disabled`)
			p.click("bet-answer")
		}
		p.wait("how it went", element("lesson-told")+`.textContent !== ""`)
		p.waitState("!s.playing")
		p.screenshot(fmt.Sprintf("%s-%d-told.png", to, i))
	}
}

// checkSkip: the way past a question lies beside the answers and beside how the last one went, not over them.
func (p *tab) checkSkip(ask *scenario.Ask) {
	p.t.Helper()
	if ask == nil {
		return
	}
	if over := eval[string](p, `(() => {
		const skip = `+element("lesson-onwards")+`.getBoundingClientRect(), told = document.createRange();
		told.selectNodeContents(`+element("lesson-told")+`);
		const middle = (r) => new DOMRect(r.left, r.top + r.height / 2, r.width, 1); // boxes of rows reach into each other
		const rows = [...told.getClientRects()].map((r) => [middle(r), "how it went"]);
		const controls = [...document.querySelectorAll(".lesson .bet :is(button, input)")].map((e) => [e.getBoundingClientRect(), e.textContent || e.dataset.act]);
		return [...rows, ...controls].filter(([r]) => r.width && r.left < skip.right && skip.left < r.right && r.top < skip.bottom && skip.top < r.bottom)
			.map(([, name]) => name).join();
	})()`); over != "" {
		p.t.Errorf("the way past the question lies over %q", over)
	}
}

// waitVeil: while a question waits, the chart shows nothing of what follows the cursor.
func (p *tab) waitVeil(ask *scenario.Ask) {
	p.t.Helper()
	if ask != nil {
		p.wait("what follows to be hidden", `(() => {
			const left = (e) => document.querySelector(e).getBoundingClientRect().left;
			return document.querySelector(".veil").checkVisibility() && left(".veil") < left(".cursor-line") + 4;
		})()`)
	}
}
