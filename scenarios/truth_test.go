package scenarios

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// said lists everything that a scenario says, by what it is. The first paragraph of a lesson is only in English: it is what the title says.
func said(sc *scenario.Scenario) map[string]scenario.Text {
	lesson := sc.Lesson
	if _, rest, ok := strings.Cut(lesson.En, "\n\n"); ok {
		lesson.En = rest
	}
	all := map[string]scenario.Text{"title": sc.Title, "question": sc.Question, "lesson": lesson}
	for _, c := range sc.Captions {
		at := fmt.Sprintf("caption at %d ms", c.At)
		all[at] = c.Text
		if c.Ask == nil {
			continue
		}
		for i, choice := range c.Ask.Choices {
			all[fmt.Sprintf("%s, choice %d", at, i)] = choice.Text
			all[fmt.Sprintf("%s, why choice %d is wrong", at, i)] = choice.Why
		}
		for i, wrong := range c.Ask.Wrong {
			all[fmt.Sprintf("%s, wrong answer %d", at, i)] = wrong.Text
		}
	}
	for i, g := range sc.Goals {
		all[fmt.Sprintf("goal %d", i)] = g.Text
	}
	if sc.Try != nil {
		all["try"] = sc.Try.Text
	}
	return all
}

// eachText calls a test for everything that each scenario says.
func eachText(t *testing.T, do func(where string, text scenario.Text)) {
	t.Helper()
	for _, name := range Names() {
		sc, diagnostics := scenario.Parse(Text(name))
		if sc == nil {
			t.Fatalf("%s: %v", name, diagnostics)
		}
		all := said(sc)
		for _, what := range slices.Sorted(maps.Keys(all)) {
			do(name+", "+what, all[what])
		}
	}
}

var (
	figures  = regexp.MustCompile(`\d+(?:[.,]\d+)*`)
	inWords  = regexp.MustCompile(`[a-z]+`)
	english  = map[string]string{"one": "1", "two": "2", "both": "2", "three": "3", "four": "4", "five": "5", "six": "6", "ten": "10", "quarter": "25", "millisecond": "1"}
	chinese  = map[rune]string{'一': "1", '两': "2", '三': "3", '四': "4", '五': "5", '六': "6"}
	fraction = strings.NewReplacer("四分之一", "25")
)

// numbersOf returns the numbers that a text writes in figures, and those that it writes in words.
func numbersOf(text string) (inFigures, spelled []string) {
	for _, n := range figures.FindAllString(text, -1) {
		inFigures = append(inFigures, strings.ReplaceAll(n, ",", ""))
	}
	for _, word := range inWords.FindAllString(strings.ToLower(text), -1) {
		spelled = append(spelled, english[word])
	}
	text = fraction.Replace(text)
	for _, r := range text {
		spelled = append(spelled, chinese[r])
	}
	return inFigures, append(spelled, figures.FindAllString(text, -1)...)
}

// missingNumbers returns the numbers in figures of one language that the other has neither in figures nor in words.
func missingNumbers(text scenario.Text) (missing []string) {
	en, enWords := numbersOf(text.En)
	zh, zhWords := numbersOf(text.Zh)
	for _, n := range en {
		if !slices.Contains(zh, n) && !slices.Contains(zhWords, n) {
			missing = append(missing, n)
		}
	}
	for _, n := range zh {
		if !slices.Contains(en, n) && !slices.Contains(enWords, n) {
			missing = append(missing, n)
		}
	}
	return missing
}

// TestSameNumbers: both languages say the same numbers.
func TestSameNumbers(t *testing.T) {
	seen := 0
	eachText(t, func(where string, text scenario.Text) {
		if missing := missingNumbers(text); missing != nil {
			t.Errorf("%s: only one language has %v:\n%s\n%s", where, missing, text.En, text.Zh)
		}
		seen += len(figures.FindAllString(text.En, -1))
	})
	if seen < 1500 {
		t.Errorf("only %d numbers were seen: this test has become blind", seen)
	}
	for _, mutation := range []scenario.Text{{En: "8 of 10", Zh: "还有 8 个"}, {En: "three pods", Zh: "4 个 Pod"}, {En: "6.4 s", Zh: "6.3 秒"}} {
		if missingNumbers(mutation) == nil {
			t.Errorf("nothing is missing in %+v", mutation)
		}
	}
}

var negated = regexp.MustCompile(`^(?:不|没|否)(\p{Han}?)`)

// TestChineseAnswers: in Chinese a question is answered with its own verb, so the verb of "no" must be in the question: 会消失吗？不会。Two answers
// are to who and how long.
func TestChineseAnswers(t *testing.T) {
	others := []string{"没有谁", "不会结束"}
	for _, name := range Names() {
		for _, c := range asksOf(t, name) {
			for _, choice := range c.Ask.Choices {
				if verb := negated.FindStringSubmatch(choice.Text.Zh); verb != nil && !slices.Contains(others, choice.Text.Zh) && !strings.Contains(c.Text.Zh, verb[1]) {
					t.Errorf("%s at %d ms: %q does not answer %q", name, c.At, choice.Text.Zh, c.Text.Zh)
				}
			}
		}
	}
}

var ordinals = []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"}

// TestChapterNumbers: a text that names its chapter by number names the right one.
func TestChapterNumbers(t *testing.T) {
	seen := 0
	for i, chapter := range Chapters() {
		for _, name := range chapter.Lessons {
			sc, _ := scenario.Parse(Text(name))
			texts := []string{sc.Lesson.En}
			for _, c := range sc.Captions {
				texts = append(texts, c.Text.En)
			}
			for _, m := range regexp.MustCompile(`(\w+) chapter`).FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
				last := m[1] == "last" && Chapters()[i+1].ID == "appendix"
				if seen++; !last && m[1] != ordinals[i] {
					t.Errorf("%s is in the %s chapter, and says %q", name, ordinals[i], m[0])
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d chapters are named: this test has become blind", seen)
	}
}

// reason is how reasons and conditions of Kubernetes are written.
var reason = regexp.MustCompile(`\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b`)

// TestReasons: what a caption quotes in Kubernetes' own words is in the scenario's text, or a default, or the cluster shows it between the
// caption before and the one after.
func TestReasons(t *testing.T) {
	defaults := []string{"ReplicaSet", "ControllerRevision", "IfNotPresent", "OrderedReady", "RollingUpdate", "IfHealthyBudget"}
	seen := 0
	for _, name := range Names() {
		run, _ := engine.Start(engine.Recording{Scenario: Text(name)})
		run.Finish()
		captions := run.Scenario().Captions
		for i, c := range captions {
			from, to := int64(-1), run.Now()
			if i > 0 {
				from = captions[i-1].At
			}
			if i+1 < len(captions) {
				to = captions[i+1].At
			}
			now, _, _ := strings.Cut(c.Text.En, "Your turn")
			for _, word := range reason.FindAllString(now, -1) {
				seen++
				if !slices.Contains(defaults, strings.TrimSuffix(word, "s")) && !shows(run, word, from, to) {
					t.Errorf("%s: nothing shows the %s of: %s", name, word, c.Text.En)
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d words were seen: this test has become blind", seen)
	}
}

// shows says whether a word is in the manifests and commands of a scenario, in an event of a period, or in what kubectl prints then.
func shows(run *engine.Run, word string, from, to int64) bool {
	spec, objects, _ := strings.Cut(run.Recording().Scenario, "\n---\n")
	_, rest, _ := strings.Cut(spec, "\n  images:")
	plain, _, _ := strings.Cut(rest, "\n  captions:")
	if strings.Contains(plain+objects, word) {
		return true
	}
	for i := range run.Len() {
		if r := run.Record(i); r.Kind == engine.Event && r.T > from && r.T <= to && strings.Contains(r.Reason+" "+r.Message, word) {
			return true
		}
	}
	for at := to; at > from; at -= 1000 {
		for _, line := range []string{"get pods", "get nodes", "describe deployment", "describe hpa"} {
			if reading, ok := run.Past().Read(past.Parse("kubectl "+line), run.Past().Find(at), at); ok && printed(reading, word) {
				return true
			}
		}
	}
	return false
}

// printed says whether kubectl printed a word before the events, which may be old.
func printed(reading *past.Reading, word string) bool {
	for _, line := range reading.Lines {
		if strings.HasPrefix(line.Text, "Events:") {
			return false
		}
		if strings.Contains(line.Text, word) {
			return true
		}
	}
	return false
}

// allOf is how a caption says that it speaks of all pods.
var allOf = regexp.MustCompile(`\b[Aa]ll (\d+)(?: \w\w|[.,:])`)

// TestAllPods: where a caption speaks of all pods, a workload has so many at that moment, and no more.
func TestAllPods(t *testing.T) {
	seen := 0
	for _, name := range Names() {
		run, _ := engine.Start(engine.Recording{Scenario: Text(name)})
		run.Finish()
		for _, c := range run.Scenario().Captions {
			now, _, _ := strings.Cut(c.Text.En, "Your turn")
			for _, m := range allOf.FindAllStringSubmatch(now, -1) {
				seen++
				n, _ := strconv.Atoi(m[1])
				if !slices.ContainsFunc(run.Workloads(), func(workload string) bool {
					of := strings.ToLower(strings.Replace(workload, "/default/", "/", 1))
					total, _ := run.Answer(&scenario.Ask{At: c.At, Of: of, Field: "total"})
					return total == n
				}) {
					t.Errorf("%s at %d ms: no workload has %s pods: %s", name, c.At, m[1], c.Text.En)
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d captions were seen: this test has become blind", seen)
	}
}
