package lesson

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/document"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/scenarios"
)

// learner is a page on which a day can be chosen.
type learner struct {
	*shown
	t   *testing.T
	day int
}

func newLearner(t *testing.T) *learner {
	l := &learner{shown: guidedPage(), t: t, day: 20_000}
	l.Panel.Today = func() int { return l.day }
	return l
}

// answer opens a lesson or a question that is asked again, and answers its question at a moment; rightly, or else wrongly.
func (l *learner) answer(name string, at int64, rightly bool) {
	l.t.Helper()
	l.s.LoadScenario("zero-downtime") // what was answered is not asked again as long as it is shown
	l.Learn()
	if l.s.LoadScenario(name); l.s.Document.Preset != name {
		l.t.Fatalf("%s does not open: %s", name, l.s.Visit.Notice.Text)
	}
	apptest.Compute(l.t, l.s)
	l.s.Cursor.Pause()
	l.s.Cursor.SeekTo(at)
	ask := l.s.Lesson.Question()
	if ask == nil {
		l.t.Fatalf("%s asks nothing at %d", name, at)
	}
	is, _ := l.s.Run().Answer(ask)
	if !rightly {
		is++
		if all := len(ask.Choices); all > 0 {
			is %= all
		}
	}
	l.s.Lesson.Answer(is)
	l.s.Cursor.Pause()
	l.Learn() // nothing is known before the run gets there
	l.s.Cursor.SeekTo(ask.At)
	l.Learn()
	l.Learn()
}

func (l *learner) state(key string) string {
	for _, a := range l.answers {
		if a.key == key {
			return fmt.Sprint(a.state, " ", a.due()-l.day)
		}
	}
	return ""
}

const first, third = "first-rollout:10000", "rounding:10000"

// TestMastered: a lesson is mastered when each of its questions was answered right, at the first or a later try, and stays so; to read it is
// not enough if it asks something.
func TestMastered(t *testing.T) {
	l := newLearner(t)
	ticked := func(want bool) {
		t.Helper()
		html := apptest.HTML((&document.Menu{View: document.New(l.s, false).View(l.Mastered)}).Box())
		if strings.Contains(html, "✓ A first rolling update") != want || strings.Contains(html, "✓ Recreate") || strings.Count(html, "<h3") != len(scenarios.Chapters()) {
			t.Errorf("want the tick %v: %s", want, html)
		}
	}
	l.s.LoadScenario("first-rollout")
	apptest.Compute(t, l.s)
	for l.s.Lesson.NextCaption() >= 0 {
		if l.Learn(); l.seen != "" {
			t.Fatalf("%q is seen at caption %d", l.seen, l.s.Lesson.Caption())
		}
		l.s.Lesson.Next()
	}
	if l.Learn(); l.seen != " first-rollout" {
		t.Errorf("seen: %q", l.seen)
	}
	ticked(false)
	l.answer("first-rollout", 10_000, false)
	ticked(false)
	l.answer(first+":7", 10_000, true)
	ticked(true)
	l.day++
	l.answer(first+":8", 10_000, false)
	ticked(true)
	if got := l.state(first); got != "slipped 1" {
		t.Errorf("the answer is %s", got)
	}
	l.s.LoadScenario("recreate")
	l.s.Kubectl(command.Scale(l.s.Workload(), 4))
	apptest.Compute(t, l.s)
	for l.s.Lesson.NextCaption() >= 0 {
		l.s.Lesson.Next()
	}
	if l.Learn(); l.isSeen("recreate") {
		t.Errorf("after a command the captions do not count, but seen is %q", l.seen)
	}
}

// TestIntervals: a right answer that was due leads to the next interval, an early one to none, and a wrong one back to the first.
func TestIntervals(t *testing.T) {
	l := newLearner(t)
	for i, step := range []struct {
		days    int
		rightly bool
		want    string
	}{
		{0, true, "right 1"}, {0, true, "right 1"}, {1, true, "right 3"}, {1, true, "right 2"}, {2, true, "right 7"}, {9, true, "right 21"}, {21, true, "right 21"},
		{4, false, "slipped 1"}, {0, true, "right 1"}, {1, true, "right 3"}, {3, false, "slipped 1"}, {1, true, "right 3"},
	} {
		l.day += step.days
		l.answer(fmt.Sprint(third, ":", i), 10_000, step.rightly)
		if got := l.state(third); got != step.want {
			t.Fatalf("step %d: %s, want %s", i, got, step.want)
		}
	}
	l.answer("drain", 25_000, false)
	l.answer("drain:25000:1", 25_000, false)
	if got := l.state("drain:25000"); got != "wrong 1" {
		t.Errorf("wrong twice: %s", got)
	}
}

// TestReview: it offers what is due, first what was wrong, and fills up to three; each day at most once, and five in a row.
func TestReview(t *testing.T) {
	l := newLearner(t)
	offers := func(want ...string) {
		t.Helper()
		if got := l.review(); !slices.Equal(got, want) {
			t.Errorf("day %d: %q, want %q", l.day, got, want)
		}
	}
	l.answer("first-rollout", 10_000, true)
	l.answer("rounding", 10_000, false)
	offers()
	l.day++
	offers(third, first)
	l.answer(third+":3", 10_000, true)
	offers(first)
	l.answer(first+":3", 10_000, true)
	offers()
	for _, at := range gallery.Asks("recap-basics") {
		l.note("recap-basics:"+at, true)
	}
	l.day++
	offers("recap-basics:20000", "recap-basics:25000", "recap-basics:30000", "recap-basics:45000", "recap-basics:9000")
	l.day++
	l.note("recap-basics:20000", false)
	for _, at := range []string{"9000", "30000", "45000"} {
		l.note("recap-basics:"+at, true)
	}
	offers("recap-basics:25000", first, third)
	l.day++
	offers("recap-basics:20000", "recap-basics:25000", first, third)
	l.note(third, true)
	l.note(first, true)
	l.note("recap-basics:25000", true)
	offers("recap-basics:20000", "recap-basics:30000", "recap-basics:45000")
}

// TestReviewOnThePage: after the last caption a lesson offers the question that was wrong, then what is due; a review leads from one to the
// next, ends after five, and leads back to the lessons.
func TestReviewOnThePage(t *testing.T) {
	l := newLearner(t)
	toLast := func() string {
		for range l.s.Run().Scenario().Captions {
			l.s.Lesson.Next()
		}
		l.Learn()
		return apptest.HTML(l.strip())
	}
	l.answer("first-rollout", 10_000, false)
	if html := apptest.HTML(l.strip()); strings.Contains(html, `data-act="review"`) {
		t.Errorf("before the last caption: %s", html)
	}
	if html := toLast(); !strings.Contains(html, `href="#s=first-rollout:10000:20000"`) || !strings.Contains(html, "Ask me again") {
		t.Errorf("after a wrong answer: %s", html)
	}
	l.answer(first+":20000", 10_000, true)
	if html := toLast(); strings.Contains(html, `data-act="review"`) || !strings.Contains(html, "That was the review") || !strings.Contains(html, `href="#s=rounding"`) {
		t.Errorf("after the right answer: %s", html)
	}
	for _, name := range []string{"recap-basics", "recap-changes"} {
		for _, at := range gallery.Asks(name) {
			l.note(name+":"+at, true)
		}
	}
	l.day++
	l.answer("rounding", 10_000, true)
	if html := toLast(); !strings.Contains(html, "Questions to review: 5") {
		t.Errorf("what is due: %s", html)
	}
	l.s.Visit.SetLang("zh")
	for i := range reviewMax {
		offer := "待复习的题目：5"
		if i > 0 {
			offer = fmt.Sprintf("下一题（还剩 %d 题）", reviewMax-i)
		}
		if html := toLast(); !strings.Contains(html, offer) || !strings.Contains(html, ":20001") && i == 0 || !strings.Contains(html, "&lang=zh") {
			t.Errorf("question %d: %s", i, html)
		}
		key := l.review()[0]
		name := fmt.Sprint(key, ":", l.day+i)
		l.s.LoadScenario(name)
		apptest.Compute(t, l.s)
		l.answer(name, l.s.Run().Scenario().Captions[0].At, i%2 == 0)
	}
	if html := toLast(); strings.Contains(html, `data-act="review"`) || !strings.Contains(html, "复习到此结束") {
		t.Errorf("after the review: %s", html)
	}
}

// TestAnswersKept: what the browser kept is read as it was written; what is damaged or no longer asked is left out.
func TestAnswersKept(t *testing.T) {
	l := newLearner(t)
	l.read(first + " 2 20783 right\nno-lesson:1 0 1 right\nrounding:11 0 1 right\n" + third + " 9 1 right\n\n" + third + " x\ndrain:25000 0 20001 wrong\n")
	if len(l.answers) != 2 || *l.answers[0] != (answer{first, 2, 20783, right}) || *l.answers[1] != (answer{"drain:25000", 0, 20001, wrong}) {
		t.Errorf("%d answers: %v", len(l.answers), l.answers)
	}
}

// TestFormerNames: a link by the former name of a scenario opens what it leads to, and the path continues from there.
func TestFormerNames(t *testing.T) {
	for old, now := range scenarios.Aliases() {
		s := session.New(false)
		if _, ok := s.OpenLink("#s=" + old); !ok || s.Document.Preset != now || s.Document.Text != scenarios.Text(now) || s.Visit.Notice.Bad {
			t.Errorf("%s opens %q: %s", old, s.Document.Preset, s.Visit.Notice.Text)
		}
		if slices.Contains(scenarios.Names(), old) || s.Lesson.NextName() == "" {
			t.Errorf("after %s comes %q", old, s.Lesson.NextName())
		}
	}
}
