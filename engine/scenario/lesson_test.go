package scenario_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// A text is a plain string, which is English, or one for each language; what is not translated is there in English.
func TestParseLesson(t *testing.T) {
	s := parse(t, `
# Why three?
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  title: {en: A surge, zh: 多出来的 Pod}
  question: Why are there 13 pods?
  lesson:
    zh: |
      为什么是三个？
  fields: [maxSurge, replicas]
  links:
  - {title: {en: Deployments, zh: 部署}, url: https://kubernetes.io/docs/}
  captions:
  - {at: 1s, text: {en: Look, zh: 看}}
  - {at: 2s, text: English only}
---
`+webManifest)
	if s.Title != (scenario.Text{En: "A surge", Zh: "多出来的 Pod"}) || s.Question != (scenario.Text{En: "Why are there 13 pods?"}) {
		t.Errorf("got title %+v and question %+v", s.Title, s.Question)
	}
	if s.Lesson.En != "Why three?" || strings.TrimSpace(s.Lesson.Zh) != "为什么是三个？" {
		t.Errorf("lesson: got %+v", s.Lesson)
	}
	if !slices.Equal(s.Fields, []string{"maxSurge", "replicas"}) {
		t.Errorf("fields: got %v", s.Fields)
	}
	if len(s.Links) != 1 || s.Links[0] != (scenario.Link{Title: scenario.Text{En: "Deployments", Zh: "部署"}, URL: "https://kubernetes.io/docs/"}) {
		t.Errorf("links: got %+v", s.Links)
	}
	for _, test := range []struct{ lang, first, second string }{{"en", "Look", "English only"}, {"zh", "看", "English only"}, {"", "Look", "English only"}} {
		if first, second := s.Captions[0].Text.In(test.lang), s.Captions[1].Text.In(test.lang); first != test.first || second != test.second {
			t.Errorf("captions in %q: got %q and %q", test.lang, first, second)
		}
	}
}

// All forms of an expectation are read.
func TestParseExpect(t *testing.T) {
	s := parse(t, spec+`  expect:
  - {at: 12s, of: deployment/web, total: 13, available: 8, sizes: [8, 5]}
  - {from: 10s, to: 30s, max: {total: 13}, min: {available: 8}}
  - {at: 12s, run: kubectl get rs, contains: web}
  - {at: 10s, contains: [a, b]}
---
`+webManifest)
	want := "[{Of:deployment/web At:12000 Counts:[{Name:available N:8} {Name:total N:13}] Sizes:[8 5] From:0 To:-1 Max:[] Min:[] Run: Contains:[] Equals:[]} " +
		"{Of: At:0 Counts:[] Sizes:[] From:10000 To:30000 Max:[{Name:total N:13}] Min:[{Name:available N:8}] Run: Contains:[] Equals:[]} " +
		"{Of: At:12000 Counts:[] Sizes:[] From:0 To:-1 Max:[] Min:[] Run:kubectl get rs Contains:[web] Equals:[]} " +
		"{Of: At:10000 Counts:[] Sizes:[] From:0 To:-1 Max:[] Min:[] Run: Contains:[a b] Equals:[]}]"
	if got := fmt.Sprintf("%+v", s.Expects); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestParseGoals: a goal limits the learner, or the run by a moment, or at every moment.
func TestParseGoals(t *testing.T) {
	s := parse(t, spec+`  goal:
  - {text: a, by: 30s, available: 10}
  - {text: b, run: kubectl get rs, equals: [a, b], from: 5s}
  - {text: c, run: kubectl get rs, equals: a, by: 9s}
  - {text: d, run: kubectl get rs, contains: a, by: 9s}
  - {text: e, commands: 3}
  - {text: f, extra: 1m}
  - {text: g, without: [delete, scale]}
---
`+webManifest)
	var got []string
	for _, g := range s.Goals {
		got = append(got, fmt.Sprint(g.Text.En, " ", g.From, "-", g.At, " ", g.Always, " ", g.Commands, " ", g.Extra, " ", g.Without))
	}
	want := "a 0-30000 false -1 -1 []\nb 5000-0 true -1 -1 []\nc 0-9000 false -1 -1 []\nd 0-9000 false -1 -1 []\n" +
		"e 0-0 false 3 -1 []\nf 0-0 false -1 60000 []\ng 0-0 false -1 -1 [delete scale]"
	if got := strings.Join(got, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestParseTry: the prepared edit, and the question of a caption, are read with all that belongs to them.
func TestParseTry(t *testing.T) {
	s := parse(t, spec+`  try: {from: "a: 1", to: "a: 2", at: 9s, text: Two, expect: [{at: 9s, total: 2}]}
  captions:
  - {at: 1s, text: First, ask: {at: 12s, from: 2s, of: deployment/web, highest: total, wrong: [{to: 3, text: few}, {text: many}]}}
  - {at: 1s, text: Second, ask: {at: 12s, choices: [{text: a, why: b, is: {at: 12s, total: 3}}]}}
---
`+webManifest)
	if e := s.Try; e.From != "a: 1" || e.To != "a: 2" || e.At != 9000 || e.Text.En != "Two" || len(e.Expects) != 1 || e.Expects[0].Counts[0].N != 2 {
		t.Errorf("the edit is %+v", e)
	}
	first, second := s.Captions[0].Ask, s.Captions[1].Ask
	if first == nil || first.At != 12_000 || first.From != 2000 || first.Field != "total" || first.Extreme != scenario.Highest || first.Why(3).En != "few" || first.Why(4).En != "many" {
		t.Errorf("the first question is %+v", first)
	}
	if second == nil || len(second.Choices) != 1 || second.Choices[0].Is.Counts[0].N != 3 || second.Why(0).En != "b" {
		t.Errorf("the second question is %+v", second)
	}
	if a, b := s.Captions[0], s.Captions[1]; !a.Same(a) || a.Same(b) || a.Same(scenario.Caption{At: 2000, Text: a.Text}) {
		t.Error("captions are the same if their moments and texts are")
	}
}

// What is wrong with a lesson has its line, and the API server's kind of sentence.
func TestLessonDiagnostics(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"language", "  title: {en: a, zn: b}\n", `4:18-20 spec.title.zn strict decoding error: unknown field "spec.title.zn"`},
		{"no English", "  title: {zh: b}\n", "4:3-8 spec.title.en spec.title.en: Required value"},
		{"no text", "  question: 3\n", "4:13-14 spec.question spec.question: Invalid value: 3: must be a text; write it in quotes"},
		{"the lesson in English", "  lesson: {en: a}\n", `4:12-14 spec.lesson.en strict decoding error: unknown field "spec.lesson.en"`},
		{"link without an address", "  links: [{title: a}]\n", "4:11-22 spec.links[0].url spec.links[0].url: Required value"},
		{"link without a title", "  links: [{url: 'https://a'}]\n", "4:11-30 spec.links[0].title spec.links[0].title: Required value"},
		{"not a link", "  links: [{title: a, url: 'javascript:a'}]\n",
			`4:27-41 spec.links[0].url spec.links[0].url: Invalid value: "javascript:a": must begin with https://`},
		{"caption", "  captions:\n  - at: 1s\n    text: {zh: a}\n", "6:5-9 spec.captions[0].text.en spec.captions[0].text.en: Required value"},
		{"no caption", "  captions: [3]\n", "4:14-15 spec.captions[0] spec.captions[0]: Invalid value: 3: must be an object with the fields ask, at, text"},
		{"no edit", "  try: 3\n", "4:8-9 spec.try spec.try: Invalid value: 3: must be an object with the fields at, expect, from, text, to"},
		{"an edit of nothing", "  try: {at: 1s, text: a}\n", "4:3-6 spec.try.from spec.try.from: Required value\n4:3-6 spec.try.to spec.try.to: Required value"},
		{"no reason", "  captions: [{at: 1s, text: a, ask: {at: 2s, field: total, wrong: [{to: 3}, 4]}}]\n", "4:68-82 spec.captions[0].ask.wrong[0].text spec.captions[0].ask.wrong[0].text: Required value\n" +
			"4:77-78 spec.captions[0].ask.wrong[1] spec.captions[0].ask.wrong[1]: Invalid value: 4: must be an object with the fields text, to"},
		{"expect nothing", "  expect:\n  - at: 1s\n", "5:5-11 spec.expect[0] spec.expect[0]: Required value: a count, `sizes`, `max`, `min`, `equals` or `contains` must be set"},
		{"expect at no moment", "  expect:\n  - total: 1\n", "5:5-13 spec.expect[0].at spec.expect[0].at: Required value"},
		{"expect an unknown count", "  expect:\n  - {at: 1s, totl: 1}\n", `5:14-18 spec.expect[0].totl strict decoding error: unknown field "spec.expect[0].totl" (did you mean "total"?)`},
		{"expect bounds at a moment", "  expect:\n  - {at: 1s, max: {total: 1}}\n", "5:6-8 spec.expect[0].at spec.expect[0].at: Forbidden: may not be specified when `max` is set"},
		{"expect a count over a span", "  expect:\n  - {at: 1s, to: 2s, total: 1}\n", "5:14-16 spec.expect[0].to spec.expect[0].to: Forbidden: may not be specified when `total` is set"},
		{"expect a count beside a text", "  expect:\n  - {at: 1s, total: 1, contains: a}\n", "5:14-19 spec.expect[0].total spec.expect[0].total: Forbidden: may not be specified when `contains` is set"},
		{"expect no text", "  expect:\n  - {at: 1s, run: a}\n", "5:5-21 spec.expect[0].contains spec.expect[0].contains: Required value"},
		{"expect no bound", "  expect:\n  - max: {}\n", "5:5-8 spec.expect[0].max spec.expect[0].max: Required value: at least one of [desired total ready available updated terminating] must be set"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, diagnostics := scenario.Parse(spec + test.text + "---\n" + webManifest)
			var lines []string
			for _, d := range diagnostics {
				lines = append(lines, fmt.Sprintf("%d:%d-%d %s %s", d.Line, d.Column, d.EndColumn, d.Field, d.Message))
			}
			if got := strings.Join(lines, "\n"); s != nil || got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestExerciseDiagnostics: what is wrong with a goal or a question has its line.
func TestExerciseDiagnostics(t *testing.T) {
	tests := []struct{ text, want string }{
		{"  goal:\n  - {by: 9s, total: 3}\n", "spec.goal[0].text: Required value"},
		{"  goal:\n  - {text: a}\n", "a count, `sizes`, `max`, `min`, `equals` or `contains` must be set"},
		{"  goal:\n  - {text: a, at: 9s, total: 3}\n", `unknown field "spec.goal[0].at"`},
		{"  goal:\n  - {text: a, total: 3}\n", "spec.goal[0].by: Required value"},
		{"  goal:\n  - {text: a, by: 9s, max: {total: 3}}\n", "spec.goal[0].by: Forbidden: may not be specified when `max` is set"},
		{"  goal:\n  - {text: a, by: 9s, to: 10s, total: 3}\n", "spec.goal[0].to: Forbidden: may not be specified when `total` is set"},
		{"  goal:\n  - {text: a, from: 9s, equals: a}\n", "spec.goal[0].run: Required value"},
		{"  goal:\n  - {text: a, from: 9s, run: kubectl get rs, contains: a}\n", "spec.goal[0].by: Required value"},
		{"  goal:\n  - {text: a, run: kubectl get rs, equals: a, total: 3}\n", "spec.goal[0].total: Forbidden: may not be specified when `equals` is set"},
		{"  goal:\n  - {text: a, commands: -1}\n", "must be a whole number from 0 to 100"},
		{"  goal:\n  - {text: a, commands: 3, without: [delete]}\n", "spec.goal[0].without: Forbidden: may not be specified when `commands` is set"},
		{"  captions:\n  - {at: 1s, text: a, ask: {field: total}}\n", "spec.captions[0].ask.at: Required value"},
		{"  captions:\n  - {at: 1s, text: a, ask: {at: 2s}}\n", "one of `field`, `lowest`, `highest` and `choices` must be set"},
		{"  captions:\n  - {at: 1s, text: a, ask: {at: 2s, field: pods}}\n", "must be a count: desired, total, ready, available, updated or terminating"},
		{"  captions:\n  - {at: 1s, text: a, ask: {at: 2s, field: total, choices: []}}\n", "spec.captions[0].ask.choices: Forbidden: may not be specified when `field` is set"},
		{"  captions:\n  - {at: 1s, text: a, ask: {at: 1s, field: total}}\n", "must be after the caption"},
		{"  captions:\n  - {at: 1s, text: a, ask: {at: 2s, choices: [{text: a}]}}\n", "spec.captions[0].ask.choices[0].is: Required value"},
	}
	for _, test := range tests {
		s, diagnostics := scenario.Parse(spec + test.text + "---\n" + webManifest)
		if s != nil || len(diagnostics) != 1 || !strings.Contains(diagnostics[0].Message, test.want) || diagnostics[0].Line < 5 {
			t.Errorf("%s: got %v, want %q", test.text, diagnostics, test.want)
		}
	}
}

// TestTryLabel: a prepared edit is named by what it writes and nothing else.
func TestTryLabel(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"periodSeconds: 10", "periodSeconds: 2", "periodSeconds: 2"},
		{"containers:", "terminationGracePeriodSeconds: 5\n      containers:", "terminationGracePeriodSeconds: 5"},
		{"at: 18s, run", "at: 28s, run", "at: 28s"},
		{"{qps: 20, burst: 30}", "{qps: 100, burst: 200}", "{qps: 100, burst: 200}"},
	} {
		if got := (&scenario.Try{From: c.from, To: c.to}).Label(); got != c.want {
			t.Errorf("%q to %q is %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
