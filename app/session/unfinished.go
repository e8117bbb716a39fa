package session

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/app/version"
	"github.com/rollplay/rollplay/engine"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// Unfinished remembers what a page was computing when it died, so that the next visit does not die of it, too: the page keeps a mark of
// what it begins to compute until that is done, and a visit that finds the mark shows the text without running it.
type Unfinished struct {
	Mark    func(mark string)
	Suspect string

	text  string // that was put into the editor and not computed, because it did not finish last time
	again func() // opens again where it came from
}

// markOf is the same for equal recordings, and hardly ever for others.
func markOf(rec engine.Recording) string {
	h := fnv.New64a()
	add := func(text string) { h.Write([]byte(text)); h.Write([]byte{0}) }
	add(rec.Scenario)
	for _, c := range rec.Commands {
		add(strconv.FormatInt(c.At, 10))
		add(c.Run)
		add(c.Apply)
		add(c.Do)
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// openSaved opens a draft at the start of a visit, unless the last one died of it. Then a change makes another draft.
func (s *Session) openSaved(draft string, v *saved) {
	if s.halts(v.Recording, v.Text, func() { s.openSaved(draft, v) }) {
		s.Branches.list = restoreBranches(v.Forks, v.Texts)
		s.Branches.number(v)
		s.Visit.Address = v.Address
		return
	}
	s.restore(v)
	s.Draft.kept = &keptDraft{ID: draft}
	s.Draft.Settle()
}

// halts says whether a recording did not finish last time. If so, it puts its text into the editor without reading it, and
// asks.
func (s *Session) halts(rec engine.Recording, text string, again func()) bool {
	if s.Unfinished.Suspect == "" || s.Unfinished.Suspect != markOf(rec) || rec.Scenario == "" {
		return false
	}
	text = cmp.Or(text, rec.Scenario)
	s.Document.Text, s.Document.Diagnostics = text, nil
	s.Unfinished.text, s.Unfinished.again = text, again
	s.Visit.Notice = Notice{Text: s.Visit.Lang.Say("unfinished"), Bad: true, Offer: OfferAnyway}
	s.Visit.Say(s.Visit.Notice.Text)
	return true
}

// RunAnyway computes what did not finish last time: all of it if the text is still the same, otherwise the text.
func (s *Session) RunAnyway() {
	text, again := s.Unfinished.text, s.Unfinished.again
	s.Unfinished.Suspect, s.Unfinished.text, s.Unfinished.again, s.Visit.Notice = "", "", nil, Notice{}
	if text == "" || text != s.Document.Text {
		s.Document.Set(s.Document.Text)
		s.Restart()
		return
	}
	again()
}

// reportText bounds the text in a report: who reads it wants the link, or the beginning of what has none.
const reportText = 4000

// report is what a person can send to us about a bug in rollplay. It is in English, as are the issues.
func (s *Session) report(what string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "rollplay %s stopped: %s\n\n", version.Number, what)
	fmt.Fprintf(&b, "Cursor: %d ms. Commands: %d.\n", s.Cursor.T, len(s.Computed.rec.Commands))
	if fragment, err := sharing.Encode(s.Link()); err == nil && len(fragment) <= addressMax {
		fmt.Fprintf(&b, "Run: #%s\n", fragment)
		return b.String()
	}
	text := s.Computed.rec.Scenario
	if len(text) > reportText {
		text = strings.ToValidUTF8(text[:reportText], "") + "\n…"
	}
	fmt.Fprintf(&b, "\n```yaml\n%s\n```\n", text)
	for _, c := range s.Computed.rec.Commands {
		fmt.Fprintf(&b, "%d ms: %s%s%.200s\n", c.At, c.Run, c.Do, c.Apply)
	}
	return b.String()
}

// Broke tells of a bug in rollplay outside the engine. If the run itself can't be shown, lost drops it: the text and the
// recording stay.
func (s *Session) Broke(what string, lost bool) {
	s.Cursor.Playing, s.Cursor.goal, s.History.waiting = false, -1, nil
	if lost {
		s.Computed.shown, s.Computed.next = nil, nil
	}
	s.Visit.refuse(s.Visit.Lang.Say("page-broke"))
	s.Visit.Notice.Report = s.report(what)
}
