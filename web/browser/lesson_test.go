package browser_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// shipped reads a shipped scenario.
func shipped(t testing.TB, name string) *scenario.Scenario {
	t.Helper()
	sc, diagnostics := scenario.Parse(scenarios.Text(name))
	if sc == nil {
		t.Fatalf("%s: %v", name, diagnostics)
	}
	return sc
}

// lesson returns the first scenario with a lesson, and the one after it.
func lesson(t testing.TB) (first, next string) {
	t.Helper()
	names := slices.DeleteFunc(scenarios.Names(), func(name string) bool { return len(shipped(t, name).Captions) == 0 })
	if len(names) < 2 {
		t.Fatal("there are not two lessons")
	}
	return names[0], names[1]
}

// waitText waits until the marked element shows a text.
func (p *tab) waitText(name, text string) {
	p.t.Helper()
	p.wait(name+" to show "+text, element(name)+".textContent.includes("+quote(text)+")")
}

// TestLessonByKeyboard: n and b lead through the captions, each of which is read out, and the last one leads to the next lesson.
func TestLessonByKeyboard(t *testing.T) {
	t.Parallel()
	name, next := lesson(t)
	captions := shipped(t, name).Captions
	p := open(t, desktop, "light", "#s="+name)
	p.waitComputed()
	p.toStart()
	eval[bool](p, `(window.live = `+element("status")+`, true)`)
	for i, c := range captions {
		p.keys("n")
		p.waitState(fmt.Sprintf("s.t === %d && !s.playing", c.At))
		p.waitText("lesson-text", c.Text.En)
		p.waitText("status", c.Text.En)
		p.waitText("lesson-count", fmt.Sprintf("%d of %d", i+1, len(captions)))
	}
	if !eval[bool](p, `window.live === `+element("status")) {
		t.Error("the live region was replaced, so nothing is read out")
	}
	if !eval[bool](p, element("lesson-next")+".disabled") {
		t.Error("there is a way on after the last caption")
	}
	p.wait("word that it is the person's turn", `document.querySelector(".lesson-free").checkVisibility()`)
	if len(captions) > 1 {
		p.keys("b")
		p.waitState(fmt.Sprintf("s.t === %d", captions[len(captions)-2].At))
		p.click("lesson-next")
		p.waitState(fmt.Sprintf("s.t === %d", captions[len(captions)-1].At))
	}
	p.checkLayout()
	p.clickOn("the next lesson", element("next-lesson"))
	p.wait("the next lesson", `location.hash === `+quote("#s="+next))
	p.wait("the focus in the lesson", `document.activeElement.id === "lesson"`)
	p.waitState("s.done && s.t > 0")
}

// TestLessonOnAPhone: on a phone the lesson stands below the figure, and nothing of it is cut in either language.
func TestLessonOnAPhone(t *testing.T) {
	t.Parallel()
	name, _ := lesson(t)
	for _, lang := range app.Langs() {
		p := open(t, phone, "dark", "#s="+name+"&lang="+lang)
		p.waitComputed()
		p.click("lesson-next")
		p.waitState("!s.playing && s.t > 0")
		p.checkLayout()
		if !eval[bool](p, element("lesson")+`.getBoundingClientRect().top >= `+element("chart")+`.getBoundingClientRect().bottom`) {
			t.Error("the lesson is not below the figure")
		}
	}
}

// TestLanguage: the switch changes the page and what the document says of itself, and a reload and links keep the choice. A link
// in another language counts for its visit alone.
func TestLanguage(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.waitComputed()
	shown := func(lang, word string) {
		t.Helper()
		p.wait("the page in "+lang, `document.documentElement.lang === `+quote(lang))
		p.wait("the word "+word, `document.getElementById("tab-timeline").textContent === `+quote(word))
	}
	shown("en", "History")
	p.click("lang")
	shown("zh", "历史")
	p.checkLayout()
	for _, name := range []string{"tables", "events", "timeline"} {
		p.openTab(name)
		p.checkLayout()
	}
	p.do("reload", chromedp.Reload())
	p.waitStarted()
	p.waitComputed()
	shown("zh", "历史")
	p.click("share")
	p.wait("the link", element("share-link")+`.value.includes("lang=zh")`)
	p.keys(kb.Escape)

	p.visit(built.base + "#s=recreate&lang=en")
	p.do("reload", chromedp.Reload())
	p.waitStarted()
	shown("en", "History")
	p.visit("about:blank")
	p.visit(built.base)
	p.waitStarted()
	shown("zh", "历史")
	if got := eval[string](p, element("gallery")+".href"); got != built.base+"scenarios/zh/" {
		t.Errorf("the gallery is at %s", got)
	}
	p.click("gallery")
	p.arrive(built.base + "scenarios/zh/")
}

// TestLanguageOfTheBrowser: who has chosen nothing gets the language of the browser.
func TestLanguageOfTheBrowser(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.look(desktop, "light")
	p.before(`Object.defineProperty(navigator, "language", { value: "zh-CN" })`)
	p.visit(built.base)
	p.waitStarted()
	p.wait("the page in Chinese", `document.documentElement.lang === "zh"`)
	p.waitText("start-show", "观看一次上线")
	p.checkLayout()
}

// TestFirstVisit: a newcomer is asked how to begin, and each way leads somewhere. Who closes the panel is not asked again.
func TestFirstVisit(t *testing.T) {
	t.Parallel()
	const name = scenarios.FirstName
	p := open(t, desktop, "light", "")
	p.waitState("s.t > 0") // the panel keeps nothing from playing
	p.waitText("start-panel", "See what Kubernetes does to your pods, and why.")
	eval[bool](p, `(`+element("start-show")+`.focus(), true)`)
	p.keys(kb.Enter)
	p.wait("the panel to go", `!`+element("start-show"))
	p.wait("the focus in the figure", `document.activeElement.id === "stage"`)
	p.waitText("lesson-question", shipped(t, name).Question.En)
	p.waitState("s.t > 0")

	p.click("help")
	p.click("help-start")
	p.wait("the focus in the panel", `document.activeElement === `+element("start-show"))
	p.click("start-own")
	p.waitEditor()
	p.wait("the focus in the empty editor", element("editor")+`.shadowRoot.activeElement !== null && rollplay.getText() === ""`)
	eval[bool](p, fmt.Sprintf(`(() => {
		const clipboardData = new DataTransfer();
		clipboardData.setData("text/plain", %s);
		return %s.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })) || true;
	})()`, quote(api), inEditor(".cm-content")))
	p.wait("the pasted text", `rollplay.getText() === `+quote(api))
	p.keys(kb.Enter, chromedp.ModifierCtrl)
	p.waitState(`s.workload === "Deployment/default/api"`)

	p.click("help")
	p.click("help-start")
	p.click("start-break")
	p.waitText("lesson", "")
	p.waitState(`s.done && !s.errors && s.workload !== "Deployment/default/api"`)

	q := open(t, phone, "light", "")
	q.waitComputed()
	q.checkLayout()
	q.click("start-close")
	q.wait("the panel to go", `!`+element("start-show"))
	q.do("reload", chromedp.Reload())
	q.waitStarted()
	if q.count(act("start-show")) != 0 {
		t.Error("who has closed the panel is asked again")
	}
	if r := open(t, desktop, "light", "#s="+name); r.count(act("start-show")) != 0 {
		t.Error("who comes by a link is asked")
	}
}

// TestGalleryFilter: words and a field leave the cards that have them, the page shows their number, and the address keeps the choice, in
// both languages.
func TestGalleryFilter(t *testing.T) {
	t.Parallel()
	names := scenarios.Names()
	i := slices.IndexFunc(names, func(name string) bool { return len(shipped(t, name).Fields) > 0 })
	if i < 0 {
		t.Fatal("no scenario says what fields it is about")
	}
	name, field := names[i], shipped(t, names[i]).Fields[0]
	withField := 0
	for _, name := range names {
		if slices.Contains(shipped(t, name).Fields, field) {
			withField++
		}
	}
	chapters := scenarios.Chapters()
	appendix := len(chapters[len(chapters)-1].Lessons)
	p := read(t, desktop, "light", "scenarios/")
	shown := func(want int) {
		t.Helper()
		visible := want
		if want == len(names) {
			visible -= appendix // which is folded until something is searched
		}
		p.wait(strconv.Itoa(visible)+" cards", fmt.Sprintf(`[...document.querySelectorAll(".gallery > li")].filter((li) => li.checkVisibility()).length === %d`, visible))
		p.wait("their number", fmt.Sprintf(`/(^|[^0-9])%d[^0-9].*%d/.test(document.getElementById("found").textContent)`, want, len(names)))
	}
	shown(len(names))
	choose := func(id, value string) {
		eval[bool](p, fmt.Sprintf(`(() => {
			const el = document.getElementById(%s);
			el.value = %s;
			return el.value === %[2]s && el.dispatchEvent(new Event("input", { bubbles: true }));
		})()`, quote(id), quote(value)))
	}
	for sort, is := range map[string]func(name string) bool{
		"exercise":    func(name string) bool { return len(shipped(t, name).Goals) > 0 },
		"recap":       func(name string) bool { return strings.HasPrefix(name, "recap-") },
		"StatefulSet": func(name string) bool { return strings.Contains(scenarios.Text(name), "\nkind: StatefulSet") },
	} {
		n := 0
		for _, name := range names {
			if is(name) {
				n++
			}
		}
		choose("sort", sort)
		shown(n)
	}
	choose("sort", "")
	choose("field", field)
	shown(withField)
	eval[bool](p, `(document.getElementById("search").focus(), true)`)
	p.keys(strings.ToUpper(name[:len(name)-1]))
	p.wait("the card of "+name, fmt.Sprintf(`document.querySelector("[data-name=%s]").checkVisibility()`, name))
	few := eval[int](p, `[...document.querySelectorAll(".gallery > li")].filter((li) => li.checkVisibility()).length`)
	if few > withField || few < 1 {
		t.Errorf("%d cards, of %d with the field", few, withField)
	}
	p.do("reload", chromedp.Reload())
	shown(few)
	p.click("language")
	p.until("the page in Chinese", `location.pathname.endsWith("/scenarios/zh/") && document.readyState === "complete"`)
	shown(few)
	p.checkFits()
	eval[bool](p, `(document.getElementById("search").focus(), true)`)
	p.keys("no such words")
	p.wait("the note that no card matches", `document.getElementById("found").textContent.includes("没有")`)
}

// TestEveryScenarioOpens: each by its link, in one of the two languages, in one tab. What the page complains about fails the
// test when it ends.
func TestEveryScenarioOpens(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.waitComputed()
	for i, name := range scenarios.Names() {
		lang := app.Langs()[i%2]
		sc, runs := shipped(t, name), p.state().Runs
		eval[bool](p, `(location.hash = `+quote("#s="+name+"&lang="+lang)+`, true)`)
		s := p.waitState(fmt.Sprintf("s.done && s.records > 0 && (s.runs > %d || %t)", runs, i == 0))
		if s.Errors != 0 || s.Dirty {
			t.Errorf("%s: %+v", name, s)
		}
		p.wait(name+" in "+lang, fmt.Sprintf(`document.documentElement.lang === %s && %s.dataset.value === %s`, quote(lang), element("scenario"), quote(name)))
		p.waitText("caption", sc.Title.In(lang))
		if len(sc.Captions) > 0 && sc.Question.En != "" {
			p.waitText("lesson-question", sc.Question.In(lang))
		}
	}
}

// TestCaptionPoints: what a caption names is marked, and only while it is said.
func TestCaptionPoints(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "#s=sts-rolling")
	p.waitComputed()
	marked := func(selector string) bool {
		return eval[bool](p, `getComputedStyle(document.querySelector(`+quote(selector)+`)).boxShadow !== "none"`)
	}
	const pod, available, desired = `[data-key$="/db-2"]`, `.legend-item[data-series="available"]`, `.legend-item:has(.sw-desired)`
	p.seek(16_000)
	p.waitText("lesson-text", "db-2, the highest ordinal")
	p.wait("the pod to be marked", `getComputedStyle(document.querySelector(`+quote(pod)+`)).boxShadow !== "none"`)
	if marked(`[data-key$="/db-1"]`) || marked(desired) {
		t.Error("what the caption does not name is marked")
	}
	p.screenshot(filepath.Join(t.ArtifactDir(), "points.png"))
	p.follow("#s=deployment-to-pods&lang=zh")
	p.waitText("lesson-question", "Pod 由谁创建")
	p.seek(3000)
	p.wait("the lines to be marked", `[`+quote(available)+`, `+quote(desired)+`].every((s) => getComputedStyle(document.querySelector(s)).boxShadow !== "none")`)
}
