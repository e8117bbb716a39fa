package app

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
)

// kubernetesSaysToo are messages whose English is also a word of Kubernetes, which stays as it is in every language.
var kubernetesSaysToo = map[message]string{
	"col-available":   "the type of a condition, in the strips and in kubectl describe",
	"partition":       "the field, which a strip is called after",
	"col-terminating": "the STATUS of kubectl get pods",
}

// TestNoEnglishLeft walks through the Chinese page: no text in it, and nothing that a screen reader says, is what the
// catalogue has in English.
func TestNoEnglishLeft(t *testing.T) {
	seen := chinesePage(t)
	zh := map[string]bool{}
	for key, text := range messages {
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
		for got, where := range seen {
			if en.MatchString(got) {
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

var englishWord = regexp.MustCompile(`[A-Za-z]{2,}`)

// chineseScenarios have, together, what the page can show: each kind of workload, nodes that fail and drain, budgets, and
// findings with commands.
var chineseScenarios = []string{"first-rollout", "bad-image", "crash-loop", "canary-two-deployments", "drain-blocked", "node-dies",
	"pdb-not-rollout", "ds-rolling", "sts-partition-canary"}

// chinesePage returns all texts of the page in Chinese, and where each was seen first.
func chinesePage(t *testing.T) map[string]string {
	t.Helper()
	seen := seenTexts{}
	for _, name := range chineseScenarios {
		p := newChinesePage()
		p.s.LoadScenario(name)
		computeAll(t, p.s)
		for i := range int64(5) {
			p.s.SeekTo(p.s.end() * i / 4)
			seen.page(p, name)
		}
		p.s.SeekTo(p.s.end() / 3)
		p.s.Run(scaleLine(p.s.watched(), 3))
		computeAll(t, p.s)
		p.s.LookAt(p.s.cursor.Record)
		seen.page(p, name+", another run")
	}
	seen.dialogs(t)
	seen.sayings(t)
	return seen
}

func newChinesePage() *page {
	p := &page{s: newSession(true), theme: themes[0], tab: tabNames[0], showViolations: true, dataTable: true, stocked: true}
	p.s.SetLang("zh")
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
	for _, tab := range tabNames {
		p.tab, p.idle = tab, !p.idle
		seen.html(where+", "+tab, htmlOf(p.Render()))
	}
	seen.add(where+", said", p.s.said, p.s.notice.Text)
	for _, row := range p.strips() {
		seen.add(where+", strips", row.Label, row.Title)
		for _, s := range row.Segments {
			seen.add(where+", strips", s.Text, s.Title)
		}
	}
	for _, m := range p.chartView().Marks {
		seen.add(where+", marks", m.Line)
	}
	for _, by := range []string{byNode, byReplicaSet} {
		p.pods.by, p.pods.order = by, true
		for _, g := range p.podView().Groups {
			seen.add(where+", groups", g.Title, g.Count, g.Hint)
		}
	}
	for _, tile := range p.s.run.Past().Pods(p.s.cursor.Record, p.s.cursor.T) {
		p.pods.card = tile.Key
		c := p.podCard()
		seen.add(where+", card", c.State, c.Facts, c.Rank)
		for _, part := range c.Life {
			seen.add(where+", card", part.Title)
		}
	}
	for _, stop := range p.s.interesting() {
		seen.add(where+", moments", strings.Split(stop.Why, "; ")...)
	}
}

// dialogs takes what is shown when somebody asks for it, and for want of a run.
func (seen seenTexts) dialogs(t *testing.T) {
	p := newChinesePage()
	seen.html("empty page", htmlOf(p.Render()))
	for _, tab := range tabNames {
		p.tab = tab
		seen.html("empty "+tab, htmlOf(p.tabsPanel()))
	}
	p.s.SetText("kind: Deployment\nspec: {replicas: x}\n")
	seen.html("errors", htmlOf(p.Render()))
	p.s.LoadScenario(firstScenario)
	computeAll(t, p.s)
	p.share.open, p.start.open = true, true
	seen.html("dialogs", htmlOf(p.Render()))
	seen.add("scripts", chinese.say("pods-none"))
	for _, text := range chinese.scriptWords() {
		seen.add("scripts", text)
	}
}

// sayings takes the answers to what a person does.
func (seen seenTexts) sayings(t *testing.T) {
	p := newChinesePage()
	s := p.s
	then := func(what string) {
		seen.add(what, s.said, s.notice.Text)
		for _, line := range s.printedLines() {
			seen.add(what, line.text)
		}
	}
	for _, do := range []struct {
		what string
		do   func()
	}{
		{"run nothing", func() { s.Run("kubectl get pods") }}, {"type nothing", func() { s.Type("help") }},
		{"apply nothing", s.Apply}, {"restart nothing", s.Restart}, {"no such scenario", func() { s.LoadScenario("none") }},
		{"scenario", func() { s.LoadScenario(firstScenario); computeAll(t, s) }},
		{"undo nothing", func() { s.past = nil; s.Undo() }},
		{"loop", s.Loop}, {"loop half", func() { s.SeekTo(3000); s.Loop() }}, {"loop off", s.Loop},
		{"command", func() { s.Run(scaleLine(s.watched(), 4)); computeAll(t, s) }},
		{"undo", s.Undo}, {"redo", s.Redo}, {"fork", func() { s.SwitchTo(0) }}, {"remove", func() { s.Redo(); s.Undo(); s.Redo(); s.Remove(0) }},
		{"help", func() { s.Type("help") }}, {"edit", func() { s.Type("kubectl edit " + target(s.watched())) }},
		{"new text", func() { s.SetText(strings.Replace(s.text, "replicas: 3", "replicas: 5", 1)); s.SeekTo(4000); s.Apply() }},
		{"edit what is not there", func() { s.SetText("# nothing"); s.Type("kubectl edit " + target(s.watched())) }},
		{"bad text", func() { s.SetText("kind: x"); s.Apply(); s.refuse(s.notice.Text) }},
		{"link", func() { s.OpenLink("s=recreate"); computeAll(t, s) }},
	} {
		do.do()
		then(do.what)
	}
	for _, unit := range stepUnits {
		s.SetStep(unit)
		then("step by " + string(unit))
		s.SeekTo(0)
		s.StepPrev()
		then("first " + string(unit))
		s.StepNext()
		then("next " + string(unit))
		s.SeekTo(s.end())
		s.StepNext()
		then("last " + string(unit))
	}
	for i := range s.run.Len() {
		if s.run.Past().Kind(i) == engine.Event {
			s.LookAt(i)
			then("an event")
		}
	}
}
