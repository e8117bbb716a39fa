package session

import (
	"hash/fnv"
	"strconv"

	"github.com/rollplay/rollplay/engine"
)

// A page that died of a text must not die of it again when it is reloaded. So the page keeps a mark of what it begins to
// compute until that is done, and a visit that finds the mark shows the text without running it.

// halted is what a visit has found and not computed, because it did not finish last time.
type halted struct {
	text     string // that was put into the editor
	draft    string // where it is kept
	saved    *saved
	fragment string // of a link
}

// OnStart sets what is told the mark of each recording before it is computed.
func (s *Session) OnStart(starting func(mark string)) { s.starting = starting }

// Suspect takes the mark of what was begun last time and did not finish.
func (s *Session) Suspect(mark string) { s.suspect = mark }

// begins tells that a recording is about to be computed.
func (s *Session) begins(rec engine.Recording) {
	if s.starting != nil {
		s.starting(markOf(rec))
	}
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
	if s.halts(v.Recording, v.Text, "") {
		s.halted.saved, s.halted.draft = v, draft
		s.forks = restoreForks(v.Forks, v.Texts)
		s.restoreBranches(v)
		s.address = v.Address
		return
	}
	s.restore(v)
	s.subject = &subject{draft: draft}
	s.Settle()
}

// halts says whether a recording did not finish last time. If so, it puts its text into the editor without reading it, and
// asks.
func (s *Session) halts(rec engine.Recording, text, fragment string) bool {
	if s.suspect == "" || s.suspect != markOf(rec) || rec.Scenario == "" {
		return false
	}
	if text == "" {
		text = rec.Scenario
	}
	s.text, s.diags = text, nil
	s.halted = halted{text: text, fragment: fragment}
	s.notice = Notice{Text: s.lang.Say("unfinished"), Bad: true, Offer: OfferAnyway}
	s.Say(s.notice.Text)
	return true
}

// RunAnyway computes what did not finish last time: all of it if the text is still the same, otherwise the text.
func (s *Session) RunAnyway() {
	h := s.halted
	s.suspect, s.halted, s.notice = "", halted{}, Notice{}
	switch {
	case h.text == "" || h.text != s.text:
		s.SetText(s.text)
		s.Restart()
	case h.saved != nil:
		s.restore(h.saved)
		s.subject = &subject{draft: h.draft}
		s.Settle()
	default:
		s.OpenLink(h.fragment)
	}
}
