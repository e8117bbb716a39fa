package browser_test

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

// reader is somebody who goes through lessons in a language.
type reader struct {
	audited
	lang string
}

// answer waits for the question of the page and answers it, rightly or one too high.
func (r reader) answer(rightly bool) {
	r.t.Helper()
	r.waitComputed()
	hash, _ := url.PathUnescape(r.hash())
	name, _, _ := strings.Cut(strings.TrimPrefix(hash, "#s="), "&")
	text := scenarios.Drawn(name, scenarios.Text)
	if text == "" {
		text = scenarios.Text(name)
	}
	run, _ := engine.Start(engine.Recording{Scenario: text})
	if run == nil {
		r.t.Fatalf("%s does not run", name)
	}
	run.Finish()
	for _, c := range run.Scenario().Captions {
		if c.Ask == nil {
			continue
		}
		if len(c.Ask.Choices) > 0 {
			r.t.Fatalf("%s has choices", name)
		}
		r.seek(c.At)
		n, _ := run.Answer(c.Ask)
		if !rightly {
			n++
		}
		r.wait("the question", element("bet-guess"))
		eval[bool](r.tab, fmt.Sprintf(`(() => { const e = %s; e.value = "%d"; return e.dispatchEvent(new Event("input", { bubbles: true })); })()`, element("bet-guess"), n))
		r.wait("the answer", element("bet-answer")+`.textContent.includes("`+fmt.Sprint(n)+`") && !`+element("bet-answer")+`.disabled`)
		r.press(element("bet-answer"))
		r.wait("what the run says", element("lesson-told")+`.textContent !== ""`)
		return
	}
	r.t.Fatalf("%s asks nothing", name)
}

// toLast goes to the last caption.
func (r reader) toLast() {
	r.t.Helper()
	for range 6 {
		r.keys("n")
	}
	r.wait("the last caption", element("lesson-next")+".disabled")
}

// kept waits for an answer in the storage.
func (r reader) kept(line string) {
	r.t.Helper()
	r.wait(line, `new RegExp(`+quote("(^|\n)"+line+"\n")+`).test(localStorage.getItem("rollplay/answers") ?? "")`)
}

// nextDay makes all answers a day older.
func (r reader) nextDay() {
	eval[bool](r.tab, `(localStorage.setItem("rollplay/answers", localStorage.getItem("rollplay/answers").replace(/ (\d+) (\w+)\n/g, (_, day, state) => " " + (day - 1) + " " + state + "\n")), true)`)
}

// gallery opens the gallery and waits for the marks of some lessons: name and level.
func (r reader) gallery(marks string) {
	r.t.Helper()
	path := "scenarios/"
	if r.lang != "en" {
		path += r.lang + "/"
	}
	r.visitFor(path)
	r.wait("the marks "+marks, `[...document.querySelectorAll("[data-level]:not([data-level=''])")].map((li) => li.dataset.name + " " + li.dataset.level).join() === `+quote(marks))
}

var reviewLooks = []struct {
	size        size
	theme, lang string
}{{desktop, "light", "en"}, {phone, "dark", "zh"}}

// TestReviewJourney: a wrong answer and a right one to the same question later, what the gallery shows of both, and what it offers on the next
// day. A reload keeps it all.
func TestReviewJourney(t *testing.T) {
	source := axe(t)
	for _, look := range reviewLooks {
		t.Run(look.size.name, func(t *testing.T) {
			t.Parallel()
			r := reader{audited{start(t), source}, look.lang}
			r.look(look.size, look.theme)
			r.prefer(look.theme)
			r.before(noteDrawn)
			shot := func(name string) { r.screenshot(filepath.Join(t.ArtifactDir(), look.size.name+"-"+name+".png")) }

			r.visitFor("#s=first-rollout&lang=" + look.lang)
			r.waitStarted()
			r.answer(false)
			r.kept("first-rollout:10000 0 \\d+ wrong")
			r.toLast()
			r.wait("to be asked again", element("review"))
			r.checkLayout()
			shot("wrong")
			r.check("after a wrong answer", ".lesson")
			r.gallery("first-rollout answered")
			if r.count("#review:not([hidden])") != 0 {
				t.Error("a question that was answered today is due")
			}

			r.visitFor("#s=first-rollout&lang=" + look.lang)
			r.waitStarted()
			r.waitComputed()
			r.toLast()
			r.clickOn("ask me again", element("review"))
			r.wait("another run", `location.hash.startsWith("#s=first-rollout:10000:")`)
			r.answer(true)
			shot("again")
			r.kept("first-rollout:10000 0 \\d+ right")
			r.toLast()
			r.wait("the end of the review", `!`+element("review")+` && document.querySelector(".lesson-free").textContent !== ""`)
			r.checkLayout()

			r.visitFor("#s=rounding&lang=" + look.lang)
			r.waitStarted()
			r.answer(false)
			r.kept("rounding:10000 0 \\d+ wrong")
			marks := "first-rollout mastered,rounding answered"
			r.gallery(marks)
			r.nextDay()
			r.do("reload", chromedp.Reload())
			r.gallery(marks)
			r.wait("what is due", `document.getElementById("review").textContent.includes("2")`)
			for where, want := range map[string]string{"#core-standing": "1", "#standing b": "2", "#basics h2 small": "2"} {
				if got := eval[string](r.tab, `document.querySelector(`+quote(where)+`).textContent`); !strings.Contains(got, want) {
					t.Errorf("%s says %q", where, got)
				}
			}
			r.checkFits()
			r.check("the gallery", "html")
			shot("gallery")

			r.clickOn("the review", `document.getElementById("review")`)
			r.wait("the question that was wrong", `decodeURIComponent(location.hash).startsWith("#s=rounding:10000:")`)
			r.waitStarted()
			r.wait("the language", `document.documentElement.lang === `+quote(look.lang))
			r.answer(true)
			r.kept("rounding:10000 1 \\d+ right")
			r.toLast()
			r.waitText("review", "1")
			r.checkLayout()
			shot("review")
			r.gallery("first-rollout mastered,rounding mastered")
		})
	}
}

// TestReviewWithoutStorage: a browser that keeps nothing lets one answer and be asked again, and its gallery has no marks.
func TestReviewWithoutStorage(t *testing.T) {
	t.Parallel()
	r := reader{audited{start(t), axe(t)}, "en"}
	r.look(desktop, "dark")
	r.before(noteDrawn)
	r.before(`for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });`)
	r.visitFor("#s=first-rollout")
	r.waitStarted()
	r.answer(false)
	r.toLast()
	r.clickOn("ask me again", element("review"))
	r.wait("another run", `location.hash.startsWith("#s=first-rollout:10000:")`)
	r.answer(true)
	r.toLast()
	r.wait("the end of the review", `!`+element("review"))
	r.gallery("")
	if r.count("#standing:not([hidden])") != 0 {
		t.Error("the gallery counts something")
	}
}
