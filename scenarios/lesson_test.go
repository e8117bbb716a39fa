package scenarios

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
)

// captionMax is the maximum length of an English caption: two lines on a phone in landscape. A Chinese character is twice
// as wide.
const captionMax = 170

// TestLessons: every scenario is a lesson in two languages, and its run shows what it says.
func TestLessons(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			if !slices.Contains(order, name) {
				t.Error("it is missing from the order of the gallery: see order in scenarios.go")
			}
			checkLesson(t, name, Text(name))
		})
	}
	for _, name := range order {
		if Text(name) == "" {
			t.Errorf("the order names %s, which isn't a scenario", name)
		}
	}
}

// checkLesson plays a scenario.
func checkLesson(t *testing.T, name, text string) {
	t.Helper()
	run, diagnostics := engine.Start(engine.Recording{Scenario: text})
	for _, d := range diagnostics {
		t.Errorf("%s", d)
	}
	if run == nil {
		return
	}
	run.Finish()
	s := run.Scenario()
	if s.Name != name {
		t.Errorf("metadata.name is %q", s.Name)
	}
	checkText(t, "title", s.Title)
	checkText(t, "question", s.Question)
	checkText(t, "lesson", s.Lesson)
	if q := strings.TrimRight(s.Question.En, " "); !strings.HasSuffix(q, "?") {
		t.Errorf("the question doesn't end with a question mark: %s", q)
	}
	checkCaptions(t, s.Captions, run.Now())
	checkAsks(t, run)
	checkTry(t, run)
	for _, g := range s.Goals {
		checkText(t, "goal", g.Text)
	}
	checkLinks(t, s)
	if asks := func(c scenario.Caption) bool { return c.Ask != nil }; len(s.Goals) == 0 && !slices.ContainsFunc(s.Captions, asks) {
		t.Error("it asks nothing, and has no goals")
	}
	if len(s.Expects) == 0 {
		t.Error("it has no expectations")
	}
	for _, d := range run.Check() {
		t.Errorf("%s", d)
	}
}

func checkCaptions(t *testing.T, captions []scenario.Caption, end int64) {
	t.Helper()
	if n := len(captions); n < 3 || n > 6 {
		t.Errorf("%d captions; a lesson has 3 to 6", n)
	}
	for i, c := range captions {
		checkText(t, "caption", c.Text)
		if c.At >= end {
			t.Errorf("the run ends at %d ms, before the caption at %d ms", end, c.At)
		}
		if i > 0 && c.At == captions[i-1].At {
			t.Errorf("two captions are at %d ms", c.At)
		}
		if len(c.Text.En) > captionMax || 2*len([]rune(c.Text.Zh)) > captionMax {
			t.Errorf("the caption at %d ms is too long: %+v", c.At, c.Text)
		}
	}
}

// checkAsks: the run answers each question until the next caption, within the numbers that the page offers; of several choices exactly
// one is right.
func checkAsks(t *testing.T, run *engine.Run) {
	t.Helper()
	captions := run.Scenario().Captions
	for i, c := range captions {
		if en, zh := questions(c.Text); (en != "") != (c.Ask != nil) || (zh != "") != (c.Ask != nil) {
			t.Errorf("the caption at %d ms asks %q, %q, but has the ask %+v", c.At, en, zh, c.Ask)
		}
		if c.Ask == nil {
			continue
		}
		if i+1 < len(captions) && c.Ask.At > captions[i+1].At || c.Ask.At > run.Now() {
			t.Errorf("the question at %d ms is answered only at %d ms", c.At, c.Ask.At)
		}
		if n, _ := run.Answer(c.Ask); n < 0 || n > 40 {
			t.Errorf("the answer to the question at %d ms is %d", c.At, n)
		}
		checkChoices(t, run, c)
		checkWrong(t, run, c)
		if of := c.Ask.Of; of != "" && !slices.ContainsFunc(run.Workloads(), func(name string) bool {
			return strings.ReplaceAll(strings.ToLower(name), "/default/", "/") == of
		}) {
			t.Errorf("the question at %d ms is about %s, which is not there", c.At, of)
		}
	}
}

// checkTry: a prepared edit gives another run with the same captions, which shows what it says it does.
func checkTry(t *testing.T, run *engine.Run) {
	t.Helper()
	try := run.Scenario().Try
	if try == nil {
		return
	}
	checkText(t, "try", try.Text)
	edited, diagnostics := engine.Start(engine.Recording{Scenario: try.Apply(run.Recording().Scenario)})
	if edited == nil || len(diagnostics) > 0 {
		t.Fatalf("the try %q cannot run: %v", try.Label(), diagnostics)
	}
	edited.Finish()
	if !slices.EqualFunc(edited.Scenario().Captions, run.Scenario().Captions, scenario.Caption.Same) {
		t.Errorf("the try %q changes a caption", try.Label())
	}
	if len(try.Expects) == 0 || try.Label() == "" || try.At > edited.Now() {
		t.Errorf("the try %q: %d expectations, told at %d of %d ms", try.Label(), len(try.Expects), try.At, edited.Now())
	}
	for i, e := range try.Expects {
		choice := []scenario.Choice{{Is: e}}
		if n, _ := edited.Answer(&scenario.Ask{At: e.At, Choices: choice}); n != 0 {
			t.Errorf("the try %q does not show expectation %d: %+v", try.Label(), i, e)
		}
	}
}

// questions returns a caption that asks, in each language, "" if it doesn't. What comes after "Your turn" is for the learner to try:
// their own run answers it.
func questions(text scenario.Text) (en, zh string) {
	en, _, _ = strings.Cut(text.En, "Your turn")
	zh, _, _ = strings.Cut(text.Zh, "轮到你了")
	if !strings.Contains(en, "?") {
		en = ""
	}
	if !strings.ContainsAny(zh, "?？") {
		zh = ""
	}
	return en, zh
}

// checkWrong: each wrong answer is told why it is one, in both languages and in few words, and the right one isn't.
func checkWrong(t *testing.T, run *engine.Run, c scenario.Caption) {
	t.Helper()
	is, _ := run.Answer(c.Ask)
	most := len(c.Ask.Choices) - 1
	if most < 0 {
		most = 2*is + 8
	}
	told := map[scenario.Text]bool{}
	for n := range most + 1 {
		why := c.Ask.Why(n)
		switch {
		case n == is && len(c.Ask.Choices) > 0 && why != scenario.Text{}:
			t.Errorf("the right choice at %d ms is called wrong: %s", c.At, why.En)
		case n == is:
			continue
		case len(why.En) > 115 || len([]rune(why.Zh)) > 55:
			t.Errorf("too long: %s %s", why.En, why.Zh)
		}
		checkText(t, fmt.Sprintf("why %d is not the answer at %d ms", n, c.At), why)
		told[why] = true
	}
	for _, w := range c.Ask.Wrong {
		if !told[w.Text] {
			t.Errorf("nobody is told: %s", w.Text.En)
		}
	}
}

// checkChoices: exactly one choice is right, and each is there in both languages.
func checkChoices(t *testing.T, run *engine.Run, c scenario.Caption) {
	t.Helper()
	right := 0
	for _, choice := range c.Ask.Choices {
		if choice.Text.En == "" || choice.Text.Zh == "" || strings.ContainsFunc(choice.Text.En, isHan) {
			t.Errorf("choice: %+v", choice.Text)
		}
		if n, _ := run.Answer(&scenario.Ask{At: c.Ask.At, Choices: []scenario.Choice{choice}}); n == 0 {
			right++
		}
	}
	if n := len(c.Ask.Choices); n > 0 && (right != 1 || n < 2) {
		t.Errorf("%d of %d choices at %d ms are right", right, n, c.At)
	}
}

// checkLinks: a lesson names its API fields and links to upstream pages only.
func checkLinks(t *testing.T, s *scenario.Scenario) {
	t.Helper()
	if len(s.Fields) == 0 || len(s.Links) == 0 {
		t.Errorf("fields %v, links %v: a lesson needs both", s.Fields, s.Links)
	}
	for _, l := range s.Links {
		if l.Title.En == "" || !strings.HasPrefix(l.URL, "https://kubernetes.io/") && !strings.HasPrefix(l.URL, "https://github.com/kubernetes/") {
			t.Errorf("link: %+v", l)
		}
	}
}

// checkText: a text exists in both languages.
func checkText(t *testing.T, what string, text scenario.Text) {
	t.Helper()
	if strings.TrimSpace(text.En) == "" {
		t.Errorf("%s: no English text", what)
	}
	if !strings.ContainsFunc(text.Zh, isHan) && !(what == "caption" && short(text)) {
		t.Errorf("%s: no Chinese text: %q", what, text.Zh)
	}
	if strings.ContainsFunc(text.En, isHan) {
		t.Errorf("%s: Chinese in the English text: %s", what, text.En)
	}
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// short reports whether a caption is only a Kubernetes word and a number, the same in both languages.
func short(text scenario.Text) bool {
	return text.Zh != "" && len(strings.Fields(text.En)) <= 2
}

// TestNewScenario: make new-scenario writes a complete lesson that can be played. It rejects a name that is taken or invalid.
func TestNewScenario(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"new.sh", "skeleton.txt"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), b, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	begin := func(name string) (string, error) {
		out, err := exec.Command("sh", filepath.Join(folder, "new.sh"), name).CombinedOutput()
		return string(out), err
	}
	if out, err := begin("my-lesson"); err != nil || !strings.Contains(out, "scenarios/my-lesson.yaml is ready to play") {
		t.Fatalf("got %v, %s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(folder, "my-lesson.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	checkLesson(t, "my-lesson", string(text))
	for name, want := range map[string]string{"my-lesson": "already exists", "": "needs a name", "My lesson": "needs a name", "../x": "needs a name", "x-": "needs a name"} {
		if out, err := begin(name); err == nil || !strings.Contains(out, want) {
			t.Errorf("%q: got %v, %s, want an error with %q", name, err, out, want)
		}
	}
	if again, err := os.ReadFile(filepath.Join(folder, "my-lesson.yaml")); err != nil || string(again) != string(text) {
		t.Errorf("the rejected call changed the file: %v", err)
	}
}

// TestPath: every scenario is in one chapter, needs only lessons that come before it, and no present name is a former one.
func TestPath(t *testing.T) {
	names := Names()
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			t.Errorf("%s is in two chapters", name)
		}
		for _, need := range Needs(name) {
			if at := slices.Index(names, need); at < 0 || at >= i {
				t.Errorf("%s needs %s, which does not come before it", name, need)
			}
		}
		if Current(name) != name {
			t.Errorf("%s leads to %s", name, Current(name))
		}
	}
	for name := range needs {
		if !slices.Contains(names, name) {
			t.Errorf("%s needs something, but isn't a scenario", name)
		}
	}
	for old, now := range aliases {
		if !slices.Contains(names, now) || Text(old) != Text(now) {
			t.Errorf("%s does not lead to %s", old, now)
		}
	}
}
