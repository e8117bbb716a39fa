package scenarios

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
)

var everyDraw = flag.Bool("draws", false, "play every draw of every question")

// eachDraw calls a test for all draws, or for a few of them that differ from question to question.
func eachDraw(key string, do func(draw int)) {
	step, from := 97, len(key)%97
	if *everyDraw {
		step, from = 1, 0
	}
	for draw := from; draw < Draws; draw += step {
		do(draw)
	}
}

// asksOf are the captions of a lesson that ask.
func asksOf(t *testing.T, name string) (all []scenario.Caption) {
	t.Helper()
	sc, diagnostics := scenario.Parse(Text(name))
	if sc == nil {
		t.Fatalf("%s: %v", name, diagnostics)
	}
	return slices.DeleteFunc(slices.Clone(sc.Captions), func(c scenario.Caption) bool { return c.Ask == nil })
}

// sectionsWith are the names in the heads of again.txt behind a first word.
func sectionsWith(first string) (names []string) {
	for _, section := range strings.Split(templates, "\n=== ")[1:] {
		head, _, _ := strings.Cut(section, "\n")
		if words := strings.Fields(head); first == "" || words[0] == first {
			names = append(names, words[1:]...)
		}
	}
	return names
}

// TestAgain: each question of each lesson can be asked again, whatever is drawn: the run answers it, exactly one choice is right, the
// sentences have the numbers of the run, and the bounds that they name hold.
func TestAgain(t *testing.T) {
	asked := map[string]bool{}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			for _, c := range asksOf(t, name) {
				key := fmt.Sprintf("%s:%d", name, c.At)
				asked[key], asked[name] = true, true
				eachDraw(key, func(draw int) {
					for _, wrong := range wrongWith(Drawn(fmt.Sprintf("%s:%d", key, draw), Text)) {
						t.Errorf("%s, draw %d: %s", key, draw, wrong)
					}
				})
			}
		})
	}
	for _, key := range sectionsWith("") {
		if !asked[key] {
			t.Errorf("%s has a template or a fixed seed, but is not asked", key)
		}
	}
}

var places = regexp.MustCompile(`\{[a-z]+\}`)

// wrongWith plays a question that is asked again and says what is wrong with it.
func wrongWith(text string) (wrong []string) {
	run, diagnostics := engine.Start(engine.Recording{Scenario: text})
	if run == nil || len(diagnostics) > 0 {
		return []string{fmt.Sprint(diagnostics)}
	}
	captions := run.Scenario().Captions
	if len(captions) != 2 || captions[0].Ask == nil || captions[1].Ask != nil {
		return []string{fmt.Sprintf("its captions are %+v", captions)}
	}
	ask := captions[0].Ask
	run.Finish()
	n, _ := run.Answer(ask)
	if captions[1].At >= run.Now() {
		wrong = append(wrong, fmt.Sprintf("the run ends at %d, before the answer", run.Now()))
	}
	if n < 0 || n > 60 || ask.At > captions[1].At {
		wrong = append(wrong, fmt.Sprintf("the answer is %d at %d", n, ask.At))
	}
	if right := rightOf(run, ask); len(ask.Choices) > 0 && right != 1 {
		wrong = append(wrong, fmt.Sprintf("%d choices are right", right))
	}
	if run.Scenario().Name == "again" {
		if found := places.FindString(text); found != "" {
			wrong = append(wrong, "a place is empty: "+found)
		}
		wrong = append(wrong, wrongNumbers(run, n)...)
	}
	return wrong
}

// rightOf counts the choices that are right.
func rightOf(run *engine.Run, ask *scenario.Ask) (right int) {
	for _, choice := range ask.Choices {
		if is, _ := run.Answer(&scenario.Ask{At: ask.At, Choices: []scenario.Choice{choice}}); is == 0 {
			right++
		}
	}
	return right
}

var number = regexp.MustCompile(`[0-9]+%?`)

// wrongNumbers checks a question from a template: what it names is what the manifest says, both of its answers are that of the run, and
// every count of the run is within the bounds.
func wrongNumbers(run *engine.Run, answer int) (wrong []string) {
	text, captions := run.Recording().Scenario, run.Scenario().Captions
	_, manifest, _ := strings.Cut(text, "\n---\n")
	frames := run.Frames(run.Workloads()[0])
	last := frames[len(frames)-1]
	names := []string{strconv.Itoa(last.Desired)}
	for _, m := range regexp.MustCompile(`(?m)^ +(?:maxSurge|maxUnavailable|partition): (.*)`).FindAllStringSubmatch(manifest, -1) {
		names = append(names, m[1])
	}
	for _, in := range []string{captions[0].Text.En, captions[0].Text.Zh} {
		said := number.FindAllString(strings.NewReplacer("0.1", "").Replace(in), -1)
		for _, name := range said {
			if !slices.Contains(names, name) {
				wrong = append(wrong, fmt.Sprintf("%q has %s, the run %v", in, name, names))
			}
		}
		if len(said) != len(names) {
			wrong = append(wrong, fmt.Sprintf("%q names %v of %v", in, said, names))
		}
	}
	why := captions[0].Ask.Why(answer + 1)
	for _, in := range []string{captions[1].Text.En, captions[1].Text.Zh, why.En, why.Zh} {
		if !slices.Contains(number.FindAllString(in, -1), strconv.Itoa(answer)) {
			wrong = append(wrong, fmt.Sprintf("%q lacks the answer %d", in, answer))
		}
	}
	for _, sum := range regexp.MustCompile(`(\d+) ([-+]) (\d+) = (\d+)`).FindAllStringSubmatch(captions[1].Text.En+why.En+why.Zh, -1) {
		a, _ := strconv.Atoi(sum[1])
		b, _ := strconv.Atoi(sum[3])
		if sum[2] == "-" {
			b = -b
		}
		if strconv.Itoa(a+b) != sum[4] {
			wrong = append(wrong, "wrong sum: "+sum[0])
		}
	}
	for _, f := range frames {
		if f.T >= 10_000 && !strings.Contains(manifest, "partition") && (f.Total > f.Upper || f.Available < f.Lower) {
			wrong = append(wrong, fmt.Sprintf("at %d there are %d, %d available: outside of %d to %d", f.T, f.Total, f.Available, f.Lower, f.Upper))
		}
	}
	return wrong
}

// TestAgainHolds: with another seed a lesson shows all that it expects, so its captions are true, and its questions have one answer. With a
// fixed seed that is not so, and a draw turns the choices.
func TestAgainHolds(t *testing.T) {
	for _, name := range Names() {
		if !slices.ContainsFunc(asksOf(t, name), func(c scenario.Caption) bool {
			return !slices.Contains(sectionsWith(""), fmt.Sprintf("%s:%d", name, c.At))
		}) {
			continue // all that it asks comes from templates
		}
		fixed, breaks := slices.Contains(sectionsWith("fixed"), name), 0
		seedless := regexp.MustCompile(`(?m)^  seed: .*\n`).ReplaceAllString(Text(name), "")
		check := func(draw int) {
			run, _ := engine.Start(engine.Recording{Scenario: strings.Replace(seedless, "\nspec:\n", fmt.Sprintf("\nspec:\n  seed: %d\n", draw), 1)})
			run.Finish()
			wrong := len(run.Check())
			for _, c := range run.Scenario().Captions {
				if c.Ask != nil && len(c.Ask.Choices) > 0 && rightOf(run, c.Ask) != 1 {
					wrong++
				}
			}
			if wrong > 0 {
				if breaks++; !fixed {
					t.Errorf("%s, draw %d: %v: does it belong to the fixed ones in again.txt?", name, draw, run.Check())
				}
			}
		}
		if eachDraw(name, check); fixed {
			for draw := 0; draw < Draws && breaks == 0; draw++ {
				check(draw)
			}
		}
		if fixed && breaks == 0 {
			t.Errorf("%s holds with every seed: it need not be fixed", name)
		}
	}
}

// TestAgainVaries: other draws are other runs, numbers or orders, and equal ones equal texts.
func TestAgainVaries(t *testing.T) {
	same := 0
	for _, name := range Names() {
		for _, c := range asksOf(t, name) {
			texts := map[string]bool{}
			for draw := range 12 {
				text := Drawn(fmt.Sprintf("%s:%d:%d", name, c.At, draw), Text)
				if text != Drawn(fmt.Sprintf("%s:%d:%d", name, c.At, draw+Draws), Text) {
					t.Errorf("%s: a draw is two texts", name)
				}
				texts[text] = true
			}
			if len(texts) == 1 {
				same++
			}
			if min := len(c.Ask.Choices); len(texts) < min {
				t.Errorf("%s at %d: %d texts", name, c.At, len(texts))
			}
		}
	}
	if same > 12 {
		t.Errorf("%d questions never vary", same)
	}
	for _, name := range []string{"", "first-rollout", "first-rollout:10000", "first-rollout:10000:x", "first-rollout:10001:1", "first-rollout:x:1", "no-lesson:10000:1", "first-rollout:10000:-1"} {
		if Drawn(name, Text) != "" {
			t.Errorf("%q is a question", name)
		}
	}
}

// TestAgainSees: the check of a question notices other numbers than those of its text, a bound that does not hold, an answer that comes after
// the end, no right choice, two right ones, and a place that nothing filled.
func TestAgainSees(t *testing.T) {
	numbers, choices := Drawn("first-rollout:10000:3", Text), Drawn("recap-basics:20000:3", Text)
	replace := func(text, from, to string) string {
		out := regexp.MustCompile(from).ReplaceAllString(text, to)
		if out == text {
			t.Errorf("no %s in %s", from, text)
		}
		return out
	}
	for what, text := range map[string]string{
		"replicas":  replace(numbers, `(?m)^  replicas: (\d+)`, "  replicas: 1$1"),
		"surge":     replace(numbers, `maxSurge: .*`, "maxSurge: 4"),
		"answer":    replace(numbers, `and \d+ new pods`, "and new pods"),
		"sum":       replace(numbers, `= \d+\.", zh`, `= 99.", zh`),
		"end":       replace(numbers, `duration: 30s`, "duration: 10050ms"),
		"place":     replace(numbers, `, and a new image`, ", {more}"),
		"no choice": replace(choices, `is: \{at: [^}]*\}`, `is: {at: 24s, total: 99}`),
		"all right": replace(choices, `is: \{at: [^}]*\}`, `is: {at: 24s, min: {total: 0}}`),
	} {
		if len(wrongWith(text)) == 0 {
			t.Errorf("%s: nothing is wrong with %s", what, text)
		}
	}
	for _, text := range []string{numbers, choices} {
		if wrong := wrongWith(text); len(wrong) > 0 {
			t.Errorf("%v", wrong)
		}
	}
}
