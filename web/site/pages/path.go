package pages

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/rollplay/rollplay/scenarios"
)

// chapter is a part of the path through the lessons, with their cards.
type chapter struct {
	ID, Title string
	Cards     []card
}

// chaptersOf puts cards into their chapters.
func chaptersOf(w words, cards []card) (all []chapter) {
	for _, c := range scenarios.Chapters() {
		part := chapter{ID: c.ID, Title: w.Say("chapter-" + c.ID)}
		for _, name := range c.Lessons {
			if i := slices.IndexFunc(cards, func(k card) bool { return k.Name == name }); i >= 0 {
				part.Cards = append(part.Cards, cards[i])
			}
		}
		all = append(all, part)
	}
	return all
}

// The number of words of English or characters of Chinese that a reader takes in within a minute, and the seconds for a try.
const (
	wordsPerMinute = 200
	hansPerMinute  = 300
	minutesToTry   = 2
)

// minutesFor is how long a lesson takes.
func minutesFor(w presetWords) int {
	text := strings.Join(append(append([]string{w.Question, w.Summary}, w.Lesson...), w.Steps...), " ")
	hans := 0
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			hans++
		}
	}
	if hans > 0 {
		return minutesToTry + (hans+hansPerMinute-1)/hansPerMinute
	}
	return minutesToTry + (len(strings.Fields(text))+wordsPerMinute-1)/wordsPerMinute
}

var searched = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]{3,}`)

// synonyms are other names of things, by the names in the lessons.
var synonyms = map[string]string{"outage": "downtime", "停机": "中断 宕机", "undo": "rollback", "drain": "maintenance"}

// searchWords are the words by which a search finds a scenario, besides those on its card: the words of its text, which has the errors that
// Kubernetes reports, and its captions and summary.
func searchWords(p preset, w presetWords) string {
	words := map[string]bool{}
	for _, word := range searched.FindAllString(p.YAML, -1) {
		words[strings.ToLower(word)] = true
	}
	for _, text := range append([]string{w.Summary}, w.Steps...) {
		if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			words[strings.ToLower(text)] = true
		}
	}
	all := func() string { return strings.Join(slices.Sorted(maps.Keys(words)), " ") }
	text := all()
	for word, other := range synonyms {
		if strings.Contains(text, word) {
			words[other] = true
		}
	}
	return all()
}

// needsOf are the lessons to see before one.
func (w words) needsOf(presets []preset, name string) (all []neighbour) {
	for _, need := range scenarios.Needs(name) {
		if i := slices.IndexFunc(presets, func(p preset) bool { return p.Name == need }); i >= 0 {
			all = append(all, *w.at(presets, i))
		}
	}
	return all
}
