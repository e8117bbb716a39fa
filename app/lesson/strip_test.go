package lesson

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/stage"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// lessonText is a scenario with four captions, two of them at one moment.
const lessonText = `# A lesson.
apiVersion: rollplay/v1alpha1
kind: Scenario
metadata: {name: lesson}
spec:
  title: {en: A title, zh: 标题}
  question: {en: "Why one more?", zh: 为什么多一个？}
  links:
  - {title: {en: A question, zh: 一个问题}, url: "https://example.org/?a=1&b=2"}
  timeline:
  - {at: 10s, run: kubectl set image deployment/web web=nginx:1.19.1}
  captions:
  - {at: 8s, text: {en: first, zh: 第一}}
  - {at: 10s, text: second}
  - {at: 10s, text: third}
  - {at: 12s, text: fourth}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "nginx:1.18.0"}
`

// shown is a lesson with the stage beside it.
type shown struct {
	*Panel
	stage *stage.Panels
}

func show(s *session.Session) *shown { return &shown{New(s), stage.New(s, false)} }

func (p *shown) strip() app.UI { return p.Strip(p.stage.Hinted()) }

// lessonPage is a page that runs the lesson, with nothing computed beyond the first slice.
func lessonPage(t *testing.T) *shown {
	t.Helper()
	p := show(session.New(false))
	p.s.Document.Set(lessonText)
	p.s.Restart()
	if p.s.Computed.Latest() == nil {
		t.Fatalf("the lesson does not run: %v %v", p.s.Visit.Notice, p.s.Document.Diagnostics)
	}
	return p
}

// TestLessonSteps: forth to each caption's moment, where the cursor rests with all that has happened then, and back again.
func TestLessonSteps(t *testing.T) {
	s := lessonPage(t).s
	if s.Lesson.Caption() != -1 || s.Lesson.PreviousCaption() != -1 {
		t.Errorf("at the start caption %d holds", s.Lesson.Caption())
	}
	check := func(what string, caption int, at int64) {
		t.Helper()
		if s.Lesson.Caption() != caption || s.Cursor.T != at || s.Cursor.Record != s.Run().Past().Find(at) || s.Cursor.Playing {
			t.Errorf("%s: caption %d at %+v, playing %v; want %d at %d, resting", what, s.Lesson.Caption(), s.Cursor.Place, s.Cursor.Playing, caption, at)
		}
	}
	for _, want := range []struct {
		caption int
		at      int64
	}{{0, 8000}, {2, 10_000}, {3, 12_000}, {3, 12_000}} {
		s.Lesson.Next()
		check("next", want.caption, want.at)
	}
	for _, want := range []struct {
		caption int
		at      int64
	}{{2, 10_000}, {0, 8000}, {0, 8000}} {
		s.Lesson.Back()
		check("back", want.caption, want.at)
	}
}

// TestLessonFollowsTheCursor: while it plays, and wherever it is put.
func TestLessonFollowsTheCursor(t *testing.T) {
	s := lessonPage(t).s
	apptest.Compute(t, s)
	for at, want := range map[int64]int{0: -1, 7999: -1, 8000: 0, 9999: 0, 10_000: 2, 11_500: 2, 13_000: 3} {
		s.Cursor.SeekTo(at)
		if got := s.Lesson.Caption(); got != want {
			t.Errorf("at %d: caption %d, want %d", at, got, want)
		}
	}
	s.Cursor.SeekTo(7000)
	s.Cursor.Play()
	for s.Lesson.Caption() < 0 {
		s.Tick(16)
	}
	if s.Cursor.T < 8000 || s.Cursor.T > 8100 || !s.Cursor.Playing {
		t.Errorf("the first caption came at %d, playing %v", s.Cursor.T, s.Cursor.Playing)
	}
	s.Lesson.Next()
	if s.Cursor.Playing {
		t.Error("to step on leaves the run playing")
	}
}

// TestNoLesson: a scenario without captions has no strip, and the keys do nothing.
func TestNoLesson(t *testing.T) {
	p := show(session.New(false))
	p.s.Lesson.Next()
	p.s.Document.Set(strings.Split(lessonText, "---\n")[1])
	p.s.Restart()
	apptest.Compute(t, p.s)
	p.s.Cursor.SeekTo(1000)
	p.s.Lesson.Next()
	p.s.Lesson.Back()
	if p.s.Cursor.T != 1000 {
		t.Errorf("the cursor went to %d", p.s.Cursor.T)
	}
	if html := apptest.HTML(p.strip()); strings.Contains(html, `data-act="lesson"`) {
		t.Errorf("there is a strip: %s", html)
	}
}

// TestLessonStrip: what it shows at the start, at a caption and at the last one, in both languages.
func TestLessonStrip(t *testing.T) {
	p := lessonPage(t)
	for _, c := range []struct {
		lang         string
		steps        int
		want, wanted []string // there, and not there
	}{
		{"en", 0, []string{"Why one more?", "0 of 4", "Press Next"}, []string{"Free play", "A question"}},
		{"en", 1, []string{"1 of 4", "first"}, []string{"second", "Free play"}},
		{"en", 2, []string{"3 of 4", "third"}, []string{"second"}},
		{"en", 3, []string{"4 of 4", "fourth", "Free play", `data-act="lesson-gallery"`, "A question", `href="https://example.org/?a=1&b=2"`}, nil},
		{"zh", 1, []string{"为什么多一个？", "第 1 段，共 4 段", "第一", "下一段"}, []string{"Next", "first", "一个问题"}},
		{"zh", 3, []string{"fourth", "自由尝试", "一个问题"}, []string{"Free play"}}, // what nobody translated is there in English
	} {
		p.s.Visit.SetLang(c.lang)
		p.s.Cursor.ToStart()
		for range c.steps {
			p.s.Lesson.Next()
		}
		html := apptest.HTML(p.strip())
		for _, want := range c.want {
			if !strings.Contains(html, want) {
				t.Errorf("%s, %d: no %q in %s", c.lang, c.steps, want, html)
			}
		}
		for _, no := range c.wanted {
			if strings.Contains(html, no) {
				t.Errorf("%s, %d: there is %q", c.lang, c.steps, no)
			}
		}
		if strings.Contains(html, "aria-live") {
			t.Error("a live region beside that of the page")
		}
	}
}

// TestLessonOfAnOwnRun: after a command the captions may be wrong, and the strip says so instead.
func TestLessonOfAnOwnRun(t *testing.T) {
	p := show(session.New(false))
	name := lessons(t)[0]
	p.s.LoadScenario(name)
	apptest.Compute(t, p.s)
	p.s.Lesson.Next()
	p.s.Kubectl(command.Scale(p.s.Workload(), 4))
	html := apptest.HTML(p.strip())
	if !strings.Contains(html, `data-act="lesson-again"`) || !strings.Contains(html, "This run is yours") {
		t.Errorf("the strip does not tell: %s", html)
	}
	p.s.Cursor.ToStart()
	if html := apptest.HTML(p.strip()); strings.Contains(html, "This run is yours") {
		t.Error("before the command the lesson holds")
	}
}

// TestEditedLesson: with another text the lesson's captions claim nothing, and the strip offers the lesson as it was. A text with captions
// of its own is a lesson of its own.
func TestEditedLesson(t *testing.T) {
	p := show(session.New(false))
	p.s.LoadScenario("first-rollout")
	text := p.s.Document.Text
	p.s.Document.Set(strings.Replace(text, "replicas: 10", "replicas: 11", 1))
	p.s.Restart()
	apptest.Compute(t, p.s)
	p.s.Lesson.Next()
	html := apptest.HTML(p.strip())
	if !strings.Contains(html, "You edited the lesson") || !strings.Contains(html, `data-act="lesson-again"`) || strings.Contains(html, "Ten pods in one ReplicaSet") {
		t.Errorf("the strip still tells of ten replicas: %s", html)
	}
	if p.s.Lesson.Name() != "first-rollout" {
		t.Errorf("the lesson is %q", p.s.Lesson.Name())
	}
	p.s.Document.Set(strings.Replace(p.s.Document.Text, "Ten pods in one ReplicaSet", "Eleven pods in one ReplicaSet", 1))
	p.s.Restart()
	apptest.Compute(t, p.s)
	p.s.Lesson.Next()
	if html := apptest.HTML(p.strip()); !strings.Contains(html, "Eleven pods in one ReplicaSet") {
		t.Errorf("captions of an own lesson are silent: %s", html)
	}
}

// lessons are the shipped scenarios with captions, in the order of the gallery.
func lessons(t *testing.T) []string {
	t.Helper()
	names := slices.DeleteFunc(scenarios.Names(), func(name string) bool {
		sc, _ := scenario.Parse(scenarios.Text(name))
		return len(sc.Captions) == 0
	})
	if len(names) == 0 {
		t.Fatal("no scenario has captions")
	}
	return names
}

// TestNextLesson: along the core, and outside of it from each lesson to the following one; from the last ones to the gallery.
func TestNextLesson(t *testing.T) {
	names := lessons(t)
	for i, name := range names {
		path, at := names, i
		if core := slices.Index(scenarios.Core, name); core >= 0 {
			path, at = scenarios.Core, core
		}
		want := ""
		if at+1 < len(path) {
			want = path[at+1]
		}
		s := session.New(false)
		s.LoadScenario(name)
		if got := s.Lesson.NextName(); got != want {
			t.Errorf("after %s comes %q, want %q", name, got, want)
		}
	}
	p := show(session.New(false))
	p.s.LoadScenario(names[0])
	p.s.Visit.SetLang("zh")
	for p.s.Lesson.NextCaption() >= 0 {
		p.s.Lesson.Next()
	}
	if want := fmt.Sprintf(`href="#s=%s&lang=zh"`, names[1]); len(names) > 1 && !strings.Contains(apptest.HTML(p.strip()), want) {
		t.Errorf("no %s in %s", want, apptest.HTML(p.strip()))
	}
}

// TestLessonsAreWhole: every caption of every shipped scenario can be reached, none stands at the moment of another one, and all
// that one with a question says is there in all languages.
func TestLessonsAreWhole(t *testing.T) {
	for _, name := range lessons(t) {
		s := session.New(false)
		s.LoadScenario(name)
		apptest.Compute(t, s)
		sc := s.Run().Scenario()
		for i, c := range sc.Captions {
			s.Lesson.Next()
			if s.Lesson.Caption() != i || s.Cursor.T != c.At {
				t.Errorf("%s: caption %d at %d is not reached: the cursor is at %d of %d", name, i, c.At, s.Cursor.T, s.End())
			}
		}
		if sc.Question.En == "" {
			continue // a recording with a caption, and no lesson
		}
		said := []scenario.Text{sc.Title, sc.Question, sc.Lesson}
		for _, c := range sc.Captions {
			said = append(said, c.Text)
		}
		for _, text := range said {
			if text.En == "" || text.Zh == "" {
				t.Errorf("%s: a text lacks a language: %+v", name, text)
			}
		}
	}
}

// TestLinkHost: a link says where it leads, and an address that only looks as if it led there is none.
func TestLinkHost(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.org/?a=1&b=2#c": "example.org", "https://example.org:8443": "example.org:8443", "http://[::1]:80/": "[::1]:80",
		"https://kubernetes.io@evil.example/": "", "https://kubernetes.io:x@evil.example": "", `https://evil.example\@kubernetes.io/`: "",
		"https://gıthub.com/": "", "https://\u202egro.elpmaxe/": "", "https://exa mple.org": "", "https://%6bubernetes.io": "", "https:": "", "https:///x": "",
		"javascript:alert(1)//https://example.org": "", "data:text/html,x": "", "file:///etc/passwd": "", "//example.org": "", "": "",
	} {
		if got := linkHost(address); got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
		}
	}
}

// TestLessonLinks: the host is beside the title, the other site learns nothing, and what is no plain address is only text.
func TestLessonLinks(t *testing.T) {
	p := show(session.New(false))
	p.s.Document.Set(strings.Replace(lessonText, "  timeline:", "  - {title: Kubernetes, url: \"https://kubernetes.io@evil.example/\"}\n  timeline:", 1))
	p.s.Restart()
	apptest.Compute(t, p.s)
	p.s.Cursor.ToEnd()
	got := app.HTMLString(p.strip())
	for _, want := range []string{"A question (example.org)", `rel="noopener noreferrer nofollow"`, "Kubernetes (https://kubernetes.io@evil.example/)"} {
		if !strings.Contains(got, want) {
			t.Errorf("the lesson lacks %s", want)
		}
	}
	if n := strings.Count(got, "<a "); n != 2 {
		t.Errorf("%d links, want 2: this one and the gallery\n%s", n, got)
	}
}

// TestTry: after the last caption a lesson offers the edit that it prepared; the edited run says what it shows once it does, and the
// lesson can be had as it was.
func TestTry(t *testing.T) {
	p := show(session.New(false))
	p.s.LoadScenario("long-goodbye")
	apptest.Compute(t, p.s)
	text := p.s.Document.Text
	for p.s.Lesson.NextCaption() >= 0 {
		if html := apptest.HTML(p.strip()); strings.Contains(html, `data-act="try"`) {
			t.Errorf("it is offered at caption %d", p.s.Lesson.Caption())
		}
		p.s.Lesson.Next()
	}
	if html := apptest.HTML(p.strip()); !strings.Contains(html, "Try: terminationGracePeriodSeconds: 5") {
		t.Fatalf("no try in %s", html)
	}
	p.s.Try()
	apptest.Compute(t, p.s)
	if !strings.Contains(p.s.Document.Text, "terminationGracePeriodSeconds: 5\n") || p.s.Document.Dirty() || !p.s.Cursor.Playing {
		t.Errorf("dirty %t, playing %t, the text is %s", p.s.Document.Dirty(), p.s.Cursor.Playing, p.s.Document.Text)
	}
	p.s.Cursor.SeekTo(12_000)
	if html := apptest.HTML(p.strip()); !strings.Contains(html, "What do you expect?") || strings.Contains(html, "killed after 5 s") {
		t.Errorf("before it is there: %s", html)
	}
	p.s.Cursor.SeekTo(18_000)
	if html := apptest.HTML(p.strip()); !strings.Contains(html, "They are killed after 5 s") || !strings.Contains(html, `data-act="lesson-again"`) || strings.Contains(html, `data-act="try"`) {
		t.Errorf("when it is there: %s", html)
	}
	p.s.Undo()
	if p.s.Document.Text != text || p.s.Lesson.Trying() != nil {
		t.Error("undo does not bring the lesson back")
	}
	p.s.Document.Set(strings.Replace(text, "replicas: 8", "replicas: 9", 1))
	p.s.Restart()
	apptest.Compute(t, p.s)
	p.s.Cursor.SeekTo(18_000)
	if html := apptest.HTML(p.strip()); strings.Contains(html, "They are killed") {
		t.Error("another edit is told the outcome of the prepared one")
	}
}
