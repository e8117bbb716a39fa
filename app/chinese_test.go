package app

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/details"
	"github.com/rollplay/rollplay/app/document"
	"github.com/rollplay/rollplay/app/drafts"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/lesson"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/start"
	"github.com/rollplay/rollplay/engine"
)

// kubernetesSaysToo are messages whose English is also a word of Kubernetes, which stays as it is in every language.
var kubernetesSaysToo = map[lang.Message]string{
	"col-available":   "the type of a condition, in the strips and in kubectl describe",
	"partition":       "the field, which a strip is called after",
	"col-terminating": "the STATUS of kubectl get pods",
	"scale-value":     "the field replicas, which the palette finds",
}

// TestNoEnglishLeft walks through the Chinese page: no text in it, and nothing that a screen reader says, is what the
// catalogue has in English.
func TestNoEnglishLeft(t *testing.T) {
	seen := chinesePage(t)
	zh := map[string]bool{}
	for key, text := range lang.Messages {
		zh[text.Zh] = true
		if kubernetesSaysToo[key] != "" || text.En == text.Zh {
			continue
		}
		en := shapeOf(text.En)
		if en == nil {
			if where := seen[text.En]; where != "" {
				t.Errorf("%s: the message %s is left in English: %q", where, key, text.En)
			}
			continue
		}
		words := longestOf(text.En)
		for got, where := range seen {
			if strings.Contains(got, words) && en.MatchString(got) {
				t.Errorf("%s: the message %s is left in English: %q", where, key, got)
			}
		}
	}
	found := 0
	for text := range seen {
		if zh[text] {
			found++
		}
	}
	if found < 200 {
		t.Errorf("only %d Chinese messages were seen: this test has become blind", found)
	}
}

// shapeOf is what a message with places looks like when they are filled in, nil for one without. With few words around it a
// place is taken to hold one word, because sentences of the engine have those words too.
func shapeOf(text string) *regexp.Regexp {
	if !strings.Contains(text, "%") {
		return nil
	}
	place := `.+`
	if len(englishWord.FindAllString(text, -1)) < 3 {
		place = `\S+`
	}
	return regexp.MustCompile("^" + strings.NewReplacer("%d", `\d+`, "%s", place, "%q", `".+"`, "%%", "%").Replace(regexp.QuoteMeta(text)) + "$")
}

// longestOf is the longest text between the places of a message. Few texts have it, which saves most of the matching.
func longestOf(text string) (longest string) {
	for _, part := range regexp.MustCompile(`%.`).Split(text, -1) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

var englishWord = regexp.MustCompile(`[A-Za-z]{2,}`)

// chineseScenarios have, together, what the page can show: each kind of workload, nodes that fail and drain, budgets, and
// findings with commands.
var chineseScenarios = []string{"first-rollout", "bad-image", "crash-loop", "canary-two-deployments", "drain-blocked", "node-dies",
	"pdb-not-rollout", "ds-rolling", "sts-partition-canary", "fix-quota"}

// chinesePage returns all texts of the page in Chinese, and where each was seen first.
func chinesePage(t *testing.T) map[string]string {
	t.Helper()
	seen := seenTexts{}
	for _, name := range chineseScenarios {
		p := newChinesePage()
		p.s.LoadScenario(name)
		apptest.Compute(t, p.s)
		for i := range int64(5) {
			p.s.Cursor.SeekTo(p.s.End() * i / 4)
			seen.page(p, name)
		}
		p.s.Cursor.SeekTo(p.s.End() / 3)
		p.s.Kubectl(command.Scale(p.s.Workload(), 3))
		apptest.Compute(t, p.s)
		p.s.Cursor.LookAt(p.s.Cursor.Record)
		seen.page(p, name+", another run")
	}
	seen.questions(t)
	seen.dialogs(t)
	seen.sayings(t)
	return seen
}

// questions are asked, answered right and wrong, and counted; an exercise is solved.
func (seen seenTexts) questions(t *testing.T) {
	t.Helper()
	p := newChinesePage()
	p.s.Cursor.Guide = lesson.ReadGuide("")
	p.s.LoadScenario("recap-basics")
	apptest.Compute(t, p.s)
	for i, c := range p.s.Run().Scenario().Captions {
		p.s.Cursor.SeekTo(c.At)
		seen.html("recap", apptest.HTML(p.lesson.Strip(p.stage.Hinted())))
		p.s.Lesson.Answer(i % 2)
		seen.html("recap", apptest.HTML(p.lesson.Strip(p.stage.Hinted())))
	}
	p.s.LoadScenario("fix-image")
	apptest.Act(t, p.s, 30_000, "set image deployment/web web=shop:1.28")
	seen.html("exercise", apptest.HTML(p.lesson.Strip(p.stage.Hinted())))
}

func newChinesePage() *page {
	p := pageOf(session.New(true))
	p.stage.ShowViolations, p.stage.ShowTable = true, true
	p.s.Visit.SetLang("zh")
	return p
}

// seenTexts are the texts of a page, and where each was seen first.
type seenTexts map[string]string

func (seen seenTexts) add(where string, texts ...string) {
	for _, text := range texts {
		if text = strings.TrimSpace(text); seen[text] == "" {
			seen[text] = where
		}
	}
}

var (
	textOfElement = regexp.MustCompile(`>([^<]+)<`)
	spokenText    = regexp.MustCompile(` (?:title|aria-label|aria-valuetext|placeholder)="([^"]*)"`)
)

func (seen seenTexts) html(where, page string) {
	for _, shape := range []*regexp.Regexp{textOfElement, spokenText} {
		for _, m := range shape.FindAllStringSubmatch(page, -1) {
			seen.add(where, html.UnescapeString(m[1]))
		}
	}
}

// page takes all tabs at the cursor, and what scripts draw.
func (seen seenTexts) page(p *page, where string) {
	for _, tab := range details.TabNames {
		p.details.Tab, p.details.Idle = tab, !p.details.Idle
		seen.html(where+", "+tab, apptest.HTML(p.Render()))
	}
	seen.add(where+", said", p.s.Visit.Said, p.s.Visit.Notice.Text)
	for _, row := range p.stage.Strips() {
		seen.add(where+", strips", row.Label, row.Title)
		for _, s := range row.Segments {
			seen.add(where+", strips", s.Text, s.Title)
		}
	}
	for _, m := range p.stage.View().Marks {
		seen.add(where+", marks", m.Line)
	}
	for _, by := range []string{details.ByNode, details.ByReplicaSet} {
		p.details.Pods.By, p.details.Pods.Order = by, true
		for _, g := range p.details.PodView().Groups {
			seen.add(where+", groups", g.Title, g.Count, g.Hint)
		}
	}
	for _, tile := range p.s.Run().Past().Pods(p.s.Cursor.Record, p.s.Cursor.T) {
		p.details.Pods.Card = tile.Key
		c := p.details.PodCard()
		seen.add(where+", card", c.State, c.Facts, c.Rank)
		for _, part := range c.Life {
			seen.add(where+", card", part.Title)
		}
	}
	for _, stop := range p.s.Reading.Moments() {
		seen.add(where+", moments", strings.Split(stop.Why, "; ")...)
	}
}

// dialogs takes what is shown when somebody asks for it, and for want of a run.
func (seen seenTexts) dialogs(t *testing.T) {
	p := newChinesePage()
	seen.html("empty page", apptest.HTML(p.Render()))
	for _, tab := range details.TabNames {
		p.details.Tab = tab
		seen.html("empty "+tab, apptest.HTML(p.details.Tabs()))
	}
	p.s.Document.Set("kind: Deployment\nspec: {replicas: x}\n")
	seen.html("errors", apptest.HTML(p.Render()))
	p.s.LoadScenario(session.FirstScenario)
	apptest.Compute(t, p.s)
	p.share.Open, p.start.Open = true, true
	seen.html("dialogs", apptest.HTML(p.Render()))
	menu := &document.Menu{View: p.document.View("")}
	menu.View.Draft, menu.View.Name, menu.View.Removed, menu.View.Forgets, menu.View.Now = "a", "web", "web", true, 3*86_400_000
	menu.View.Drafts = []drafts.Head{{ID: "a", Name: "web", At: menu.View.Now}, {ID: "b", At: 1}, {ID: "c", Name: "api", At: menu.View.Now - 7_200_000}}
	seen.html("title menu", apptest.HTML(menu.Box()))
	p.palette.List(p.findable())
	seen.html("palette", apptest.HTML(p.palette.Dialog()))
	p.s.NewText(apptest.OwnText)
	apptest.Compute(t, p.s)
	seen.html("offers", apptest.HTML(start.Offers(p.s, p.stage)))
	p.s.Cursor.ToEnd()
	seen.html("offers", apptest.HTML(start.Offers(p.s, p.stage)))
	seen.add("scripts", lang.Chinese.Say("pods-none"))
	for _, text := range lang.Chinese.ScriptWords() {
		seen.add("scripts", text)
	}
}

// sayings takes the answers to what a person does.
func (seen seenTexts) sayings(t *testing.T) {
	p := newChinesePage()
	s := p.s
	then := func(what string) {
		seen.add(what, s.Visit.Said, s.Visit.Notice.Text)
		for _, line := range s.Prompt.Screen().Lines() {
			seen.add(what, line.Text)
		}
	}
	for _, do := range []struct {
		what string
		do   func()
	}{
		{"run nothing", func() { s.Kubectl("kubectl get pods") }}, {"type nothing", func() { s.Type("help") }},
		{"apply nothing", s.Apply}, {"restart nothing", s.Restart}, {"no such scenario", func() { s.LoadScenario("none") }},
		{"scenario", func() { s.LoadScenario(session.FirstScenario); apptest.Compute(t, s) }},
		{"undo nothing", s.Undo},
		{"loop", s.Cursor.ToggleLoop}, {"loop half", func() { s.Cursor.SeekTo(3000); s.Cursor.ToggleLoop() }}, {"loop off", s.Cursor.ToggleLoop},
		{"command", func() { s.Kubectl(command.Scale(s.Workload(), 4)); apptest.Compute(t, s) }},
		{"undo", s.Undo}, {"redo", s.Redo}, {"fork", func() { s.SwitchTo(s.Branches.List()[0].ID) }}, {"remove", func() { s.Redo(); s.Undo(); s.Redo(); s.Remove(0) }},
		{"help", func() { s.Type("help") }}, {"edit", func() { s.Type("kubectl edit " + command.Target(s.Workload())) }},
		{"new text", func() {
			s.Document.Set(strings.Replace(s.Document.Text, "replicas: 3", "replicas: 5", 1))
			s.Cursor.SeekTo(4000)
			s.Apply()
		}},
		{"edit what is not there", func() { s.Document.Set("# nothing"); s.Type("kubectl edit " + command.Target(s.Workload())) }},
		{"bad text", func() { s.Document.Set("kind: x"); s.Apply() }},
		{"link", func() { s.OpenLink("s=recreate"); apptest.Compute(t, s) }},
	} {
		do.do()
		then(do.what)
	}
	for _, unit := range session.StepUnits {
		s.Cursor.SetStep(unit)
		then("step by " + string(unit))
		s.Cursor.SeekTo(0)
		s.Cursor.StepPrev()
		then("first " + string(unit))
		s.StepNext()
		then("next " + string(unit))
		s.Cursor.SeekTo(s.End())
		s.StepNext()
		then("last " + string(unit))
	}
	for i := range s.Run().Len() {
		if s.Run().Past().Kind(i) == engine.Event {
			s.Cursor.LookAt(i)
			then("an event")
		}
	}
}
