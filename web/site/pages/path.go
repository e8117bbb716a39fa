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
	Cards     []*lesson
}

// chaptersOf puts cards into their chapters.
func chaptersOf(w words, cards []*lesson) (all []chapter) {
	for _, c := range scenarios.Chapters() {
		part := chapter{ID: c.ID, Title: w.Say("chapter-" + c.ID)}
		for _, name := range c.Lessons {
			if i := slices.IndexFunc(cards, func(k *lesson) bool { return k.Name == name }); i >= 0 {
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

// Minutes is how long a lesson takes.
func (s *lesson) Minutes() int {
	text := strings.Join(append(append([]string{s.Question, s.Summary}, s.Lesson...), s.Steps...), " ")
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

// Search has the words by which a search finds a scenario, besides those on its card: the words of its text, which has the errors that
// Kubernetes reports, and its captions and summary.
func (s *lesson) Search() string {
	words := map[string]bool{}
	for _, word := range searched.FindAllString(s.YAML, -1) {
		words[strings.ToLower(word)] = true
	}
	for _, text := range append([]string{s.Summary}, s.Steps...) {
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

// Needs are the lessons to see before it.
func (s *lesson) Needs() (all []*lesson) {
	for _, need := range scenarios.Needs(s.Name) {
		if i := slices.IndexFunc(s.all, func(p preset) bool { return p.Name == need }); i >= 0 {
			all = append(all, lessonAt(s.words, s.all, i))
		}
	}
	return all
}
