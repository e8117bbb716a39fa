package browser_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/scenarios/tries"
)

// tried is the link to a try, with the cursor at the end.
func tried(t *testing.T, try tries.Try) string {
	t.Helper()
	const late = 24 * 60 * 60 * 1000
	fragment, err := link.Encode(link.Link{Preset: try.Exercise, View: link.View{Still: true, T: late},
		Recording: engine.Recording{Scenario: scenarios.Text(try.Exercise), Commands: try.Commands}})
	if err != nil {
		t.Fatal(err)
	}
	return "#" + fragment
}

// TestExercises: the link of a recorded solution shows all goals ticked, that of a wrong try does not. What was solved has its tick in
// the menu, also after a reload, and nothing is sent anywhere for it.
func TestExercises(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.waitComputed()
	// Modules of the page may come late; only these can carry something.
	const sent = `performance.getEntriesByType("resource").filter((e) => ["fetch", "xmlhttprequest", "beacon"].includes(e.initiatorType)).map((e) => e.name)`
	var requests, solved []string
	wrong := map[string]bool{}
	for i, try := range tries.All() {
		if !try.Solves && wrong[try.Exercise] {
			continue // the other ones are played without a browser
		}
		wrong[try.Exercise] = !try.Solves
		runs := p.state().Runs
		p.follow(tried(t, try))
		p.waitState(fmt.Sprintf("s.done && s.runs > %d", runs))
		p.wait(try.Exercise, element("scenario")+`.dataset.value === `+quote(try.Exercise))
		if i == 1 { // the texts are there
			requests = eval[[]string](p, sent)
		}
		goals := len(shipped(t, try.Exercise).Goals)
		met := `document.querySelectorAll('[data-act="goal"][data-state="met"]').length`
		if try.Solves {
			p.wait("all goals of "+try.Exercise, fmt.Sprintf("%s === %d", met, goals))
			p.waitText("lesson-text", "Solved")
			solved = append(solved, try.Exercise)
			continue
		}
		p.waitText("lesson-text", "The whole run meets")
		if got := eval[int](p, met); got >= goals {
			t.Errorf("%s: the wrong try meets %d of %d goals", try.Exercise, got, goals)
		}
		p.checkLayout()
	}
	if got := eval[[]string](p, sent); len(got) != len(requests) {
		t.Errorf("there were the requests %q, and then %q", requests, got)
	}
	p.do("reload", chromedp.Reload())
	p.waitStarted()
	for _, name := range solved {
		p.wait("the tick of "+name, `(document.querySelector('[data-act="scenario"]').open = true, document.querySelector('[data-act="lesson-open"][data-value="`+name+`"]')?.textContent.startsWith("✓") === true)`)
	}
}

// TestExerciseHint: an exercise shows no command that fixes it until a hint is asked for. The page fits before and after it is solved.
func TestExerciseHint(t *testing.T) {
	t.Parallel()
	for _, s := range []size{desktop, phone} {
		p := open(t, s, "light", "#s=fix-image")
		p.waitComputed()
		p.toStart()
		for range shipped(t, "fix-image").Captions {
			p.keys("n")
		}
		p.waitState("s.t === 30000")
		p.checkLayout()
		p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-exercise.png"))
		if n := p.count(`[data-act="fix"]`); n != 0 {
			t.Errorf("%d commands are shown before the hint", n)
		}
		p.click("hint")
		p.wait("commands", `document.querySelector('[data-act="fix"]') !== null`)
		runs := p.state().Runs
		p.follow(tried(t, tries.All()[0]))
		p.waitState(fmt.Sprintf("s.done && s.runs > %d", runs))
		p.waitText("lesson-text", "Solved")
		p.checkLayout()
		p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-solved.png"))
	}
}

// TestExerciseOnAPhone: an exercise shows its goals, the hint and the way back to the task without scrolling, and a goal that was missed
// says when, and what the run showed instead.
func TestExerciseOnAPhone(t *testing.T) {
	t.Parallel()
	p := open(t, phone, "light", "")
	p.waitComputed()
	missed := 0
	done := map[string]bool{}
	for _, try := range tries.All() {
		if try.Solves || done[try.Exercise] {
			continue
		}
		done[try.Exercise] = true
		runs := p.state().Runs
		p.follow("#s=" + try.Exercise)
		p.waitState(fmt.Sprintf("s.done && s.runs > %d", runs))
		p.toStart()
		captions := shipped(t, try.Exercise).Captions
		for range captions {
			p.keys("n")
		}
		p.waitState(fmt.Sprintf("s.t === %d", captions[len(captions)-1].At))
		p.inSight(try.Exercise, "goals", "hint")
		p.screenshot(filepath.Join(t.ArtifactDir(), try.Exercise+".png"))
		runs = p.state().Runs
		p.follow(tried(t, try))
		p.waitState(fmt.Sprintf("s.done && s.runs > %d", runs))
		p.inSight(try.Exercise, "goals", "lesson-again")
		p.screenshot(filepath.Join(t.ArtifactDir(), try.Exercise+"-tried.png"))
		missed += eval[int](p, `[...document.querySelectorAll('[data-act="goal"][data-state="missed"]')].filter((e) => /missed at .* \(.+\)/.test(e.textContent)).length`)
	}
	if missed < 3 {
		t.Errorf("%d goals say what the run showed", missed)
	}
}

// inSight checks that marked elements are in the window, and that nothing lies over them, at the top of the page.
func (p *tab) inSight(where string, names ...string) {
	p.t.Helper()
	for _, name := range names {
		p.wait(where+": "+name+" in sight", fmt.Sprintf(`(() => {
			scrollTo(0, 0);
			const e = %s;
			if (!e?.checkVisibility()) return false;
			const box = e.getBoundingClientRect();
			return [box.top + 3, box.bottom - 3].every((y) => e.contains(document.elementFromPoint(box.left + box.width / 2, y)));
		})()`, element(name)))
	}
}

// guessGrip is where the grip of the level is on the page, and how many px a pod has.
const guessGrip = `(() => {
	const level = document.querySelector('[data-act="guess"]'), box = level.querySelector(".edge-grip").getBoundingClientRect();
	return [box.left + box.width / 2, box.top + box.height / 2, parseFloat(level.style.bottom) / Number(level.textContent.match(/\d+/)[0])];
})()`

// marksAhead says whether the scrubber names a mark somewhere right of its thumb.
const marksAhead = `(() => {
	const scrub = document.querySelector('[data-act="scrub"]'), tip = document.querySelector('[data-act="scrub-tip"]'), box = scrub.getBoundingClientRect();
	for (let x = box.left + (box.width * scrub.value) / scrub.max + 20; x < box.right; x += 2) {
		scrub.dispatchEvent(new PointerEvent("pointermove", { clientX: x, pointerType: "mouse" }));
		if (!tip.hidden) return true;
	}
	return false;
})()`

// TestBetOnTheChart: the answer is a level on the chart, too. It is dragged, and moves with the slider. While the question waits,
// neither the pointer on the chart nor the scrubber tells what comes.
func TestBetOnTheChart(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "#s=first-rollout")
	p.waitComputed()
	p.toStart()
	if eval[bool](p, element("guess")+".checkVisibility()") {
		t.Error("there is a level before the question")
	}
	p.keys("nn")
	p.wait("the level", element("guess")+`.checkVisibility() && `+element("guess")+`.textContent.includes("10")`)
	pod := eval[[]float64](p, guessGrip)[2]
	at := p.hold(middle("the grip of the level", element("guess")+`.querySelector(".edge-grip")`))
	x, y := at.X, at.Y
	p.drag(x, y+3*pod)
	p.drag(x, y+5*pod)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y+5*pod)
	p.waitText("bet-answer", "Answer: 5")
	if got := eval[string](p, element("bet-guess")+".value"); got != "5" {
		t.Errorf("the slider is at %s", got)
	}
	p.screenshot(filepath.Join(t.ArtifactDir(), "level.png"))

	numbers := element("legend") + `.textContent`
	legend := eval[string](p, numbers)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x-200, y)
	eval[bool](p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	if got := eval[string](p, numbers); got != legend || !eval[bool](p, element("hover-box")+".hidden") {
		t.Errorf("pointed at what comes, the legend says %s, and said %s", got, legend)
	}
	if eval[bool](p, marksAhead) || eval[string](p, `getComputedStyle(document.querySelector(".ticks")).clipPath`) == "none" {
		t.Error("the scrubber tells what comes")
	}

	eval[bool](p, `(`+element("bet-guess")+`.focus(), true)`)
	p.keys(kb.ArrowRight)
	p.wait("the level to follow", element("guess")+`.textContent.includes("6")`)
	if now := eval[[]float64](p, guessGrip); math.Abs(now[1]-(y+4*pod)) > 1.5 {
		t.Errorf("6 is at %.1f, want %.1f", now[1], y+4*pod)
	}
	p.keys(kb.ArrowLeft)
	p.waitText("bet-answer", "Answer: 5")
	p.click("bet-answer")
	p.waitText("lesson-told", "Right: 5")
	if eval[bool](p, element("guess")+".checkVisibility()") {
		t.Error("the level stays after the answer")
	}
	if !eval[bool](p, marksAhead) || eval[string](p, `getComputedStyle(document.querySelector(".ticks")).clipPath`) != "none" {
		t.Error("the scrubber keeps what comes to itself after the answer")
	}
}

// TestBet: a question hides what comes next; it is answered with the keyboard, and then the run says what it is. Continue skips it.
func TestBet(t *testing.T) {
	t.Parallel()
	const veiled = `document.querySelector(".veil").checkVisibility()`
	for _, s := range []size{desktop, phone} {
		p := open(t, s, "light", "")
		p.waitState("s.done && s.t === 5000 && !s.playing")
		if eval[bool](p, veiled) {
			t.Error("a first visit sees only a part of the figure")
		}
		p = open(t, s, "light", "#s=first-rollout")
		p.waitComputed()
		p.toStart()
		p.keys("nn")
		p.wait("the question", element("bet")+`.checkVisibility() && `+veiled)
		p.checkLayout()
		p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-bet.png"))
		eval[bool](p, `(`+element("bet-guess")+`.focus(), true)`)
		p.keys(strings.Repeat(kb.ArrowLeft, 4))
		p.waitText("bet-answer", "6")
		p.click("bet-answer")
		p.waitText("lesson-told", "You said: 6. It is: 5")
		if eval[bool](p, veiled) {
			t.Error("the future is still hidden")
		}
		p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-told.png"))
		runs := p.state().Runs
		p.follow("#s=recap-basics&lang=zh")
		p.waitState(fmt.Sprintf("s.done && s.runs > %d", runs))
		p.toStart()
		p.keys("nn")
		p.wait("the choices", `document.querySelectorAll('[data-act="bet-choice"]').length === 2`)
		p.checkLayout()
		p.screenshot(filepath.Join(t.ArtifactDir(), s.name+"-choice.png"))
		p.click("lesson-onwards")
		p.waitState("s.t >= 25000 && !s.playing")
		if got := p.text("lesson-told"); got != "" {
			t.Errorf("skipped, but told %q", got)
		}
	}
}
