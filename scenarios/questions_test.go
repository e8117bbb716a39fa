package scenarios

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// questions.txt has the questions that are asked again (see again.go). make golden writes it from the lessons and from again.txt: a question
// of a template has other numbers. Any other keeps its lesson's words: only the seed varies, and with it the times and the order of the choices.
// Where the captions hold for one seed alone, only the order varies.

//go:embed again.txt
var templates string

// TestQuestions: questions.txt is what the lessons and the templates say.
func TestQuestions(t *testing.T) {
	var b strings.Builder
	for _, name := range Names() {
		for _, c := range asksOf(t, name) {
			key := fmt.Sprintf("%s:%d", name, c.At)
			b.WriteString(questionMark + key + "\n" + made(key))
		}
	}
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile("questions.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if b.String() != asked {
		t.Error("questions.txt is not what the lessons and again.txt say: run make golden")
	}
}

// rows is how many combinations of numbers a template gets.
const rows = 40

// made returns what a caption of a lesson asks, as Drawn takes it: its key is first-rollout:10000.
func made(key string) string {
	lesson, at, _ := strings.Cut(key, ":")
	ms, err := strconv.Atoi(at)
	if err != nil || Text(lesson) == "" {
		return ""
	}
	sections := strings.Split(templates, "\n=== ")[1:]
	of := func(word string) (words []string, body string) {
		for _, section := range sections {
			head, body, _ := strings.Cut(section, "\n")
			if words = strings.Fields(head); slices.Contains(words, word) {
				return words, body
			}
		}
		return []string{""}, ""
	}
	words, asks := of(key)
	if asks != "" {
		_, frame := of(words[0])
		return filled(strings.Replace(frame, "{asks}", asks, 1))
	}
	fixed, _ := of(lesson)
	return questionOf(Text(lesson), ms, fixed[0] == "fixed")
}

// answerOf finds the place of a template's answer, which ends the sums of its wrong answers.
var answerOf = regexp.MustCompile(`= \{(\w+)\}[.。]"\}\}`)

// filled draws values for a template. The lines above the first empty one have them, behind the name of their place. A row whose answer is a
// number of the question is left out: the screen would have it before it is given.
func filled(template string) string {
	values, text, _ := strings.Cut(template, "\n\n")
	places := []string{"n", "more", "fewer", "most", "least", "surge", "missing", "room"}
	answer := slices.Index(places, answerOf.FindStringSubmatch(text)[1])
	for i, place := range places {
		text = strings.ReplaceAll(text, "{"+place+"}", fmt.Sprintf("{%d}", i))
	}
	random := uint64(1)
	for found := 0; found < rows; {
		drawn := map[string]string{}
		for line := range strings.Lines(values) {
			random = random*6364136223846793005 + 1442695040888963407
			all := strings.Fields(line)[1:]
			drawn[strings.Fields(line)[0]] = all[random>>33%uint64(len(all))]
		}
		n, _ := strconv.Atoi(drawn["n"])
		more, fewer := share(drawn["more"], n, true), share(drawn["fewer"], n, drawn["up"] != "")
		if more+fewer == 0 {
			fewer = 1
		}
		row := []string{drawn["n"], drawn["more"], drawn["fewer"]}
		for _, number := range []int{n + more, n - fewer, more, fewer, more + fewer} {
			row = append(row, strconv.Itoa(number))
		}
		if !slices.Contains(row[:3], row[answer]) {
			text += rowMark + strings.Join(row, "\t")
			found++
		}
	}
	return text
}

// share is a number of pods, or a percentage of n, as the controllers round it.
func share(value string, n int, up bool) int {
	percent, is := strings.CutSuffix(value, "%")
	k, _ := strconv.Atoi(percent)
	switch {
	case is && up:
		return (k*n + 99) / 100
	case is:
		return k * n / 100
	}
	return k
}

// questionOf keeps of a lesson the caption that asks at a moment, and the one after it, which has the answer. Where the seed is fixed, there
// is a row for each choice that can be the first.
func questionOf(text string, at int, fixed bool) string {
	spec, objects, _ := strings.Cut(text, "\n---\n")
	var out []string
	key, captions := "", 0 // captions from the one that asks on
	for line := range strings.Lines(spec) {
		if isKey := len(line) > 2 && line[:2] == "  " && line[2] > '-'; isKey || line[0] > ' ' {
			key, _, _ = strings.Cut(strings.TrimSpace(line), ":")
		}
		switch {
		case key == "spec" && !fixed:
			line += "  seed: {seed}\n"
		case key == "seed" && !fixed, line[0] == '#', slices.Contains([]string{"expect", "try", "goal", "lesson"}, key):
			continue
		case key == "captions" && strings.HasPrefix(line, "  - "):
			if captions > 0 || strings.HasPrefix(line, caption(at)) {
				captions++
			}
		}
		if key != "captions" || strings.HasPrefix(line, "  captions:") {
			out = append(out, line)
		} else if captions == 1 {
			out = append(out, afterNext(line))
		} else if captions == 2 {
			if strings.HasPrefix(line, "    ask:") {
				captions++
				continue
			}
			out = append(out, beforeNext(line))
		}
	}
	if captions == 0 {
		return ""
	}
	var rows string
	if first := slices.IndexFunc(out, isChoice); fixed && first >= 0 {
		n := 0
		for isChoice(out[first+n]) {
			n++
		}
		for turn := range n {
			rows += rowMark
			for i := range n {
				rows += out[first+(turn+i)%n]
			}
		}
		out = slices.Replace(out, first, first+n, "{0}")
	}
	return strings.Join(out, "") + "---\n" + objects + rows
}

// isChoice says whether a line has a choice.
func isChoice(line string) bool {
	return strings.HasPrefix(line, "      - {text:") && strings.Contains(line, "is: ")
}

// caption is how a caption at a moment begins.
func caption(ms int) string {
	if ms%1000 == 0 {
		return fmt.Sprintf("  - at: %ds\n", ms/1000)
	}
	return fmt.Sprintf("  - at: %dms\n", ms)
}

// nexts begin the question of a caption that answers another one before.
var nexts = []string{"Next: ", "接下来："}

func afterNext(line string) string {
	for _, next := range nexts {
		if before, question, ok := strings.Cut(line, next); ok {
			first := []rune(question)[:1]
			first[0] = unicode.ToUpper(first[0])
			return before[:strings.IndexByte(before, '"')+1] + string(first) + question[len(string(first)):]
		}
	}
	return line
}

func beforeNext(line string) string {
	for _, next := range nexts {
		if answer, _, ok := strings.Cut(line, next); ok {
			return strings.TrimRight(answer, " ") + "\"\n"
		}
	}
	return line
}
