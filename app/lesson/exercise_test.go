package lesson

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/scenarios/tries"
)

// guidedPage is a page that stops at captions.
func guidedPage() *shown {
	p := show(session.New(false))
	p.s.Cursor.Guide = ReadGuide("")
	return p
}

// TestExercise: the goals of an exercise are ticked at the cursor, a hint opens the diagnosis, and only a solution finishes it. Whoever
// opens its link sees the same.
func TestExercise(t *testing.T) {
	for _, try := range tries.All() {
		p := guidedPage()
		p.s.LoadScenario(try.Exercise)
		apptest.Compute(t, p.s)
		goals := len(p.s.Lesson.Goals())
		if html := apptest.HTML(p.strip()); strings.Count(html, `data-act="goal"`) != goals || strings.Contains(html, "The whole run") {
			t.Errorf("%s: %s", try.Exercise, html)
		}
		for _, c := range try.Commands {
			if c.Do != "" {
				continue // the page has no prompt for the environment; adding a node is in the menu
			}
			p.s.Cursor.SeekTo(c.At)
			p.s.Kubectl(c.Run)
			apptest.Compute(t, p.s)
		}
		p.s.Cursor.ToEnd()
		p.Learn()
		html := apptest.HTML(p.strip())
		if got := strings.Contains(html, "Solved"); got != try.Solves || strings.Contains(p.Mastered, try.Exercise) != try.Solves || strings.Count(html, "✓") == goals != try.Solves {
			t.Errorf("%s, solution %v: mastered %q, %s", try.Exercise, try.Solves, p.Mastered, html)
		}
		if strings.Contains(html, ": missed at 0") == try.Solves {
			t.Errorf("%s, solution %v: it does not say when a goal was missed: %s", try.Exercise, try.Solves, html)
		}
		opened := guidedPage()
		opened.s.OpenLink(apptest.Fragment(t, p.s.Link()))
		apptest.Compute(t, opened.s)
		if got := opened.s.Lesson.Solved(); got != try.Solves {
			t.Errorf("%s: opened from a link, solved is %v", try.Exercise, got)
		}
		for range goals {
			p.s.Undo()
			apptest.Compute(t, p.s)
		}
		if p.s.Lesson.Tried() || p.s.Lesson.Solved() {
			t.Errorf("%s: undo does not take the commands back", try.Exercise)
		}
	}
}

// TestEditedExercise: with other images the captions say nothing and nothing is solved, with a command too. What Break writes is about
// an image that the exercise does not have, so its captions still apply.
func TestEditedExercise(t *testing.T) {
	for _, c := range []struct {
		name, from, to string
		at             int64
		run            string
	}{
		{"fix-image", `{match: "*:1.82", pull: fails}`, `{match: "*:1.82", pull: 1s}`, 30_000, "kubectl set image deployment/web web=shop:1.28"},
		{"fix-image", `images:`, "images:\n  - {match: shop:1.82, pull: 1s}", 30_000, "kubectl set image deployment/web web=shop:1.28"},
		{"fix-sts", `{match: "*:17.55", pull: fails}`, `{match: "*:17.55", pull: 1s}`, 60_000, "kubectl set image statefulset/db db=postgres:17.5"},
		{"fix-deadline", "ready: 38s", "ready: 3s", 60_000, "kubectl annotate deployment/web a=b"},
	} {
		p := guidedPage()
		p.s.LoadScenario(c.name)
		p.s.Document.Set(strings.Replace(p.s.Document.Text, c.from, c.to, 1))
		p.s.Restart()
		apptest.Compute(t, p.s)
		apptest.Act(t, p.s, c.at, c.run)
		apptest.Compute(t, p.s)
		if met, all := p.s.Lesson.Verdict(); met != all || all == 0 {
			t.Errorf("%s: %d of %d goals", c.name, met, all)
		}
		for _, at := range []int64{15_000, 32_000, p.s.End()} {
			p.s.Cursor.SeekTo(at)
			html := apptest.HTML(p.strip())
			if !strings.Contains(html, "You edited the lesson") || strings.Contains(html, "Solved") || !strings.Contains(html, `data-act="lesson-again"`) {
				t.Errorf("%s with %s at %d: %s", c.name, c.to, at, html)
			}
		}
	}
	p := guidedPage()
	p.s.LoadScenario("fix-image")
	apptest.Compute(t, p.s)
	p.s.Cursor.SeekTo(60_000)
	p.s.Break(`{match: "shop:cannot-pull", pull: fails}`, "kubectl set image deployment/web web=shop:cannot-pull")
	apptest.Compute(t, p.s)
	p.s.Cursor.SeekTo(15_000)
	if html := apptest.HTML(p.strip()); !strings.Contains(html, "6 old ones still serve") {
		t.Errorf("before the break: %s", html)
	}
}

// TestHint: an exercise keeps the commands that fix it to itself until somebody asks.
func TestHint(t *testing.T) {
	p := guidedPage()
	p.s.LoadScenario("fix-image")
	apptest.Compute(t, p.s)
	p.s.Cursor.SeekTo(30_000)
	if html := apptest.HTML(p.stage.Diagnosis()); strings.Contains(html, `data-act="fix"`) {
		t.Errorf("the solution is there: %s", html)
	}
	p.stage.GiveHint()
	if html := apptest.HTML(p.stage.Diagnosis()); !strings.Contains(html, `data-act="fix"`) {
		t.Errorf("no hint: %s", html)
	}
	if html := apptest.HTML(p.strip()); strings.Contains(html, `data-act="hint"`) {
		t.Error("the button for a hint stays")
	}
	p.s.LoadScenario("fix-sts")
	apptest.Compute(t, p.s)
	p.s.Cursor.SeekTo(30_000)
	if html := apptest.HTML(p.stage.Diagnosis()); strings.Contains(html, `data-act="fix"`) {
		t.Error("the next exercise gives its hint away")
	}
}

// TestQuestions: each question of each lesson can be asked and told in both languages.
func TestQuestions(t *testing.T) {
	asked := 0
	for _, name := range scenarios.Names() {
		p := guidedPage()
		p.s.LoadScenario(name)
		apptest.Compute(t, p.s)
		p.s.Cursor.Pause()
		captions := p.s.Run().Scenario().Captions
		for i, c := range captions {
			p.s.Cursor.SeekTo(c.At)
			if c.Ask == nil {
				continue
			}
			asked++
			if p.s.Lesson.Question() == nil {
				t.Errorf("%s at %d: nothing is asked", name, c.At)
				continue
			}
			if html := apptest.HTML(p.strip()); !strings.Contains(html, `data-act="bet-`) || !strings.Contains(html, "Skip the question") {
				t.Errorf("%s at %d: %s", name, c.At, html)
			}
			is, _ := p.s.Run().Answer(c.Ask)
			if len(c.Ask.Choices) == 0 && is > p.s.Lesson.Most(c.Ask) {
				t.Errorf("%s at %d: the answer is %d, the slider ends at %d", name, c.At, is, p.s.Lesson.Most(c.Ask))
			}
			p.s.Lesson.Answer(is)
			p.s.Cursor.Pause()
			p.s.Cursor.SeekTo(captions[i+1].At)
			for _, lang := range []string{"zh", "en"} {
				p.s.Visit.SetLang(lang)
				if html := apptest.HTML(p.strip()); !strings.Contains(html, map[string]string{"en": "Right: ", "zh": "答对了"}[lang]) {
					t.Errorf("%s at %d, %s: it is not told: %s", name, c.At, lang, html)
				}
			}
		}
	}
	if asked < 80 {
		t.Errorf("only %d questions", asked)
	}
}
