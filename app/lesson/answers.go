package lesson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
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

// A review has between these numbers of questions, if there are enough.
const (
	reviewMin = 3
	reviewMax = 5
)

func (a *answer) due() int { return a.day + intervals[a.box] }

func today() int { return int(time.Now().Unix() / (24 * 60 * 60)) }

// Load reads what the browser keeps.
func (p *Panel) Load() {
	p.seen = browser.Load(SeenKey)
	p.read(browser.Load(AnswersKey))
	p.master()
}

// read takes answers, a line for each: first-rollout:10000 0 20783 right.
func (p *Panel) read(saved string) {
	p.answers = nil
	for _, line := range strings.Split(saved, "\n") {
		f := strings.Fields(line)
		if len(f) != 4 {
			continue
		}
		name, at, _ := strings.Cut(f[0], ":")
		box, _ := strconv.Atoi(f[1])
		day, _ := strconv.Atoi(f[2])
		if uint(box) < uint(len(intervals)) && slices.Contains(gallery.Asks(name), at) {
			p.answers = append(p.answers, &answer{f[0], box, day, f[3]})
		}
	}
}

// of is the answer to a question, nil if there is none.
func (p *Panel) of(key string) *answer {
	if i := slices.IndexFunc(p.answers, func(a *answer) bool { return a.key == key }); i >= 0 {
		return p.answers[i]
	}
	return nil
}

// isSeen says whether the last caption of a lesson was reached.
func (p *Panel) isSeen(name string) bool { return strings.Contains(" "+p.seen+" ", " "+name+" ") }

// master lists the lessons of which each question was answered right once. Those that ask nothing must be seen.
func (p *Panel) master() {
	p.Mastered = ""
	for _, name := range scenarios.Names() {
		asks := gallery.Asks(name)
		mastered := len(asks) > 0 || p.isSeen(name)
		for _, at := range asks {
			a := p.of(name + ":" + at)
			mastered = mastered && a != nil && a.state != wrong
		}
		if mastered {
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
	if ms, isRight, ok := s.Lesson.Fresh(); ok {
		if p.reviewed++; !again {
			at, p.reviewed = strconv.Itoa(int(ms)), 0
		}
		p.note(name+":"+at, isRight)
	}
	if !again && !p.isSeen(name) && p.done() {
		p.seen += " " + name
		browser.Store(SeenKey, p.seen)
		p.master()
	}
}

// done says whether the last caption is reached in the lesson's own run; or an exercise is solved, with its text as it is.
func (p *Panel) done() bool {
	s := p.s
	if len(s.Run().Scenario().Goals) > 0 {
		return s.Lesson.Tried() && s.Lesson.Solved()
	}
	return s.Lesson.Caption() >= 0 && s.Lesson.NextCaption() < 0 && !s.Lesson.Outdated()
}

// note keeps an answer. Another tab may have kept some meanwhile. What is right before it is due stays as it is.
func (p *Panel) note(key string, isRight bool) {
	if saved := browser.Load(AnswersKey); saved != "" {
		p.read(saved)
	}
	a, box, day := p.of(key), 0, p.Today()
	switch {
	case a == nil:
		a = &answer{key: key, state: wrong}
		p.answers = append(p.answers, a)
	case isRight && a.due() <= day:
		box = min(a.box+1, len(intervals)-1)
	case isRight && a.state == right:
		return
	}
	switch {
	case isRight:
		a.state = right
	case a.state == right:
		a.state = slipped
	}
	a.box, a.day = box, day
	lines := ""
	for _, a := range p.answers {
		lines += a.key + " " + strconv.Itoa(a.box) + " " + strconv.Itoa(a.day) + " " + a.state + "\n"
	}
	browser.Store(AnswersKey, lines)
	p.master()
}

// review is what a review offers now: what is due, first what was wrong and then the longest due. If that is too little, what is due soonest
// fills it up; no question comes twice on a day.
func (p *Panel) review() (keys []string) {
	day, due := p.Today(), 0
	for _, a := range p.answers {
		late := a.due() <= day
		if late {
			due++
		}
		if a.day < day {
			keys = append(keys, fmt.Sprintf("%t %t %6d %s", !late, a.state == right, a.due(), a.key)) // sorted, these are in order
		}
	}
	if due == 0 {
		return nil
	}
	slices.Sort(keys)
	keys = keys[:min(len(keys), max(due, reviewMin), reviewMax)]
	for i, key := range keys {
		keys[i] = key[strings.LastIndexByte(key, ' ')+1:]
	}
	return keys
}

// again is a question to ask again after the last caption, and what to say about it: the next one of a review; after a lesson one that was
// wrong there, or else what is due. "" if there is none.
func (p *Panel) again(l lang.Lang) (name, text string) {
	lesson, _, _, reviewing := scenarios.Asked(p.s.Document.Preset)
	keys := p.review()
	left := min(len(keys), reviewMax-p.reviewed)
	switch {
	case reviewing:
		text = l.Say("review-next", left)
	case left > 0:
		left, text = len(keys), l.Say("review-due", len(keys))
	}
	for _, a := range p.answers {
		if !reviewing && a.state != right && strings.HasPrefix(a.key, lesson+":") {
			keys, left, text = []string{a.key}, 1, l.Say("review-wrong")
		}
	}
	if left <= 0 {
		return "", ""
	}
	return keys[0] + ":" + strconv.Itoa(p.Today()+p.reviewed), text
}

// GuideKey is where the browser keeps whether playing stops for a reader.
const GuideKey = "rollplay/guide"

// ReadGuide returns what was chosen last; a first visit is guided.
func ReadGuide(saved string) session.Guide {
	has := func(name string) bool { return saved == "" || strings.Contains(saved, name) }
	return session.Guide{Captions: has("captions"), Idle: has("idle"), Opening: true}
}

// chooseGuide changes it. What is stored is never empty, so that a choice against everything is remembered too.
func (p *Panel) chooseGuide(change func(*session.Guide)) {
	g := &p.s.Cursor.Guide
	change(g)
	browser.Store(GuideKey, parts.Marked(parts.Marked("guide", "captions", g.Captions), "idle", g.Idle))
}
