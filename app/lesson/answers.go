package lesson

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/scenarios"
)

// Where the browser keeps the names of the lessons whose last caption was reached (of exercises those that are solved), and the answers. The
// gallery reads both.
const (
	SeenKey    = "rollplay/progress"
	AnswersKey = "rollplay/answers"
)

// answer is how a question was answered.
type answer struct {
	key   string // first-rollout:10000: its lesson, and the moment of the caption that asks
	box   int    // which interval passes until it is due
	day   int    // of the last answer, since 1970
	state string
}

// The states of an answer: right, wrong, and wrong after it had been right.
const (
	right   = "right"
	wrong   = "wrong"
	slipped = "slipped"
)

// intervals are the days until a question is due: a right answer that was due leads to the next one, a wrong one back to the first.
var intervals = [...]int{1, 3, 7, 21}

// A review has at least and at most so many questions, if there are that many.
const (
	reviewMin = 3
	reviewMax = 5
)

func (a answer) due() int { return a.day + intervals[a.box] }

func today() int { return int(time.Now().Unix() / (24 * 60 * 60)) }

// Load reads what the browser keeps.
func (p *Panel) Load() {
	all := scenarios.Names()
	p.seen = slices.DeleteFunc(strings.Fields(browser.Load(SeenKey)), func(name string) bool { return !slices.Contains(all, name) })
	p.answers = readAnswers(browser.Load(AnswersKey))
	p.master()
}

// readAnswers reads a line for each answer: first-rollout:10000 0 20783 right.
func readAnswers(saved string) (all []answer) {
	for line := range strings.Lines(saved) {
		f := strings.Fields(line + " - - - -")
		name, at, _ := strings.Cut(f[0], ":")
		box, err := strconv.Atoi(f[1])
		day, err2 := strconv.Atoi(f[2])
		if cmp.Or(err, err2) == nil && 0 <= box && box < len(intervals) && slices.Contains(session.Asks(name), at) {
			all = append(all, answer{f[0], box, day, f[3]})
		}
	}
	return all
}

// master lists the lessons of which each question was answered right once. Those that ask nothing must be seen.
func (p *Panel) master() {
	p.Mastered = ""
	for _, name := range scenarios.Names() {
		asks := session.Asks(name)
		missing := slices.ContainsFunc(asks, func(at string) bool {
			return !slices.ContainsFunc(p.answers, func(a answer) bool { return a.key == name+":"+at && a.state != wrong })
		})
		if !missing && (len(asks) > 0 || slices.Contains(p.seen, name)) {
			p.Mastered += name + " "
		}
	}
}

// Learn notes the lesson at the cursor when its last caption is reached as it was written or its exercise is solved, and what was answered.
func (p *Panel) Learn() {
	s := p.s
	if s.Document.Preset == "" || s.Run() == nil {
		return
	}
	name, at, _, again := scenarios.Asked(s.Document.Preset)
	for ms, isRight := range s.Lesson.Fresh() {
		if p.reviewed++; !again {
			at, p.reviewed = strconv.FormatInt(ms, 10), 0
		}
		p.note(name+":"+at, isRight)
	}
	if !again && !slices.Contains(p.seen, name) && p.done() {
		p.seen = append(p.seen, name)
		browser.Store(SeenKey, strings.Join(p.seen, " "))
		p.master()
	}
}

// done says whether the last caption is reached in the lesson's own run; or an exercise is solved, with its text as it is.
func (p *Panel) done() bool {
	s := p.s
	if len(s.Run().Scenario().Goals) > 0 {
		return s.Lesson.Tried() && !s.Lesson.Edited() && s.Lesson.Solved()
	}
	return s.Lesson.Caption() >= 0 && s.Lesson.NextCaption() < 0 && !s.Lesson.Outdated()
}

// note keeps an answer. Another tab may have kept some meanwhile.
func (p *Panel) note(key string, isRight bool) {
	if saved := browser.Load(AnswersKey); saved != "" {
		p.answers = readAnswers(saved)
	}
	i := slices.IndexFunc(p.answers, func(a answer) bool { return a.key == key })
	if i < 0 {
		i = len(p.answers)
		p.answers = append(p.answers, answer{key: key, day: math.MaxInt32, state: wrong})
	}
	a := &p.answers[i]
	switch onTime := a.due() <= p.Today(); {
	case !isRight && a.state != wrong:
		a.state, a.box, a.day = slipped, 0, p.Today()
	case !isRight:
		a.box, a.day = 0, p.Today()
	case onTime:
		a.state, a.box, a.day = right, min(a.box+1, len(intervals)-1), p.Today()
	case a.state != right:
		a.state, a.box, a.day = right, 0, p.Today()
	}
	var lines strings.Builder
	for _, a := range p.answers {
		fmt.Fprintln(&lines, a.key, a.box, a.day, a.state)
	}
	browser.Store(AnswersKey, lines.String())
	p.master()
}

// review is what a review offers now: what is due, first what was wrong and then the longest due. If that is too little, what is due soonest
// fills it up; no question comes twice on a day.
func (p *Panel) review() (keys []string) {
	list := slices.DeleteFunc(slices.Clone(p.answers), func(a answer) bool { return a.day >= p.Today() })
	late := func(a answer) bool { return a.due() <= p.Today() }
	slices.SortStableFunc(list, func(a, b answer) int {
		return cmp.Or(order(late(a), late(b)), order(a.state != right, b.state != right), a.due()-b.due())
	})
	due := 0
	for _, a := range list {
		if keys = append(keys, a.key); late(a) {
			due++
		}
	}
	if due == 0 {
		return nil
	}
	return keys[:min(len(keys), max(due, reviewMin), reviewMax)]
}

// order puts what holds first.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// again is a question to ask again after the last caption, and what to say about it: the next one of a review; after a lesson one that was
// wrong there, or else what is due. "" if there is none.
func (p *Panel) again(l lang.Lang) (name, text string) {
	lesson, _, _, reviewing := scenarios.Asked(p.s.Document.Preset)
	wrongHere := slices.IndexFunc(p.answers, func(a answer) bool { return strings.HasPrefix(a.key, lesson+":") && a.state != right })
	keys := p.review()
	key := ""
	switch left := min(len(keys), reviewMax-p.reviewed); {
	case reviewing && left > 0:
		key, text = keys[0], l.Say("review-next", left)
	case reviewing:
		return "", ""
	case wrongHere >= 0:
		key, text = p.answers[wrongHere].key, l.Say("review-wrong")
	case len(keys) > 0:
		key, text = keys[0], l.Say("review-due", len(keys))
	default:
		return "", ""
	}
	return fmt.Sprint(key, ":", p.Today()+p.reviewed), text
}
