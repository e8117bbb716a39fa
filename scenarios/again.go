package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A question can be asked again, on another day and as another run. Its name is a scenario's: first-rollout:10000:17 is the question that the
// caption at 10,000 ms of first-rollout asks, in draw 17. again.txt has templates for questions whose numbers vary. Any other question
// keeps its lesson's words: only the seed varies, and with it the times and the order of the choices. Where the captions hold for one seed
// alone, only the order varies.

// Draws is how many runs there are for each question, so that a test can play all of them.
const Draws = 1000

// TemplatesName is the name under which the texts of scenarios have again.txt.
const TemplatesName = "again.txt"

// Asked splits the name of a question that is asked again: the lesson, the moment of its caption in ms, and the draw.
func Asked(name string) (lesson, at string, draw int, ok bool) {
	lesson, rest, _ := strings.Cut(name, ":")
	at, number, ok := strings.Cut(rest, ":")
	n, err := strconv.ParseUint(number, 10, 32)
	return lesson, at, int(n % Draws), ok && err == nil
}

// Again returns the text of a question that is asked again, "" for any other name. The texts of scenarios come from text.
func Again(name string, text func(name string) string) string {
	lesson, at, draw, ok := Asked(name)
	ms, err := strconv.Atoi(at)
	if !ok || err != nil || text(lesson) == "" {
		return ""
	}
	sections := strings.Split(text(TemplatesName), "\n=== ")[1:]
	of := func(word string) (words []string, body string) {
		for _, section := range sections {
			head, body, _ := strings.Cut(section, "\n")
			if words = strings.Fields(head); slices.Contains(words, word) {
				return words, body
			}
		}
		return []string{""}, ""
	}
	words, asks := of(lesson + ":" + at)
	if asks != "" {
		_, frame := of(words[0])
		return filled(strings.Replace(frame, "{asks}", asks, 1), draw)
	}
	fixed, _ := of(lesson)
	return questionOf(text(lesson), ms, draw, fixed[0] == "fixed")
}

// filled draws the values of a template and writes them into its places. The lines above the first empty one have the values, behind the
// name of their place.
func filled(template string, draw int) string {
	values, text, _ := strings.Cut(template, "\n\n")
	places := []string{"{seed}", strconv.Itoa(draw)}
	drawn := map[string]string{}
	random := uint64(draw) + 1
	for line := range strings.Lines(values) {
		random = random*6364136223846793005 + 1442695040888963407
		name, all := strings.Fields(line)[0], strings.Fields(line)[1:]
		drawn[name] = all[random>>33%uint64(len(all))]
		places = append(places, "{"+name+"}", drawn[name])
	}
	n, _ := strconv.Atoi(drawn["n"])
	more, fewer := share(drawn["more"], n, true), share(drawn["fewer"], n, drawn["up"] != "")
	if more+fewer == 0 {
		fewer = 1
	}
	for name, value := range map[string]int{"most": n + more, "least": n - fewer, "surge": more, "missing": fewer, "room": more + fewer} {
		places = append(places, "{"+name+"}", strconv.Itoa(value))
	}
	return strings.NewReplacer(places...).Replace(text)
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

// questionOf keeps of a lesson the caption that asks at a moment, and the one after it, which has the answer. Where the seed is fixed, the
// choices are turned instead.
func questionOf(text string, at, draw int, fixed bool) string {
	spec, objects, _ := strings.Cut(text, "\n---\n")
	var out []string
	key, captions := "", 0 // captions from the one that asks on
	for line := range strings.Lines(spec) {
		if isKey := len(line) > 2 && line[:2] == "  " && line[2] > '-'; isKey || line[0] != ' ' {
			key, _, _ = strings.Cut(strings.TrimSpace(line), ":")
		}
		switch {
		case key == "spec" && !fixed:
			line += fmt.Sprintf("  seed: %d\n", draw)
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
	if fixed {
		turn(out, draw)
	}
	return strings.Join(out, "") + "---\n" + objects
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

// turn moves the first choices of a question behind the others.
func turn(lines []string, draw int) {
	var at []int
	for i, line := range lines {
		if strings.HasPrefix(line, "      - {text:") && strings.Contains(line, "is: ") {
			at = append(at, i)
		}
	}
	all := make([]string, len(at))
	for i := range at {
		all[i] = lines[at[(i+draw)%len(at)]]
	}
	for i := range at {
		lines[at[i]] = all[i]
	}
}
